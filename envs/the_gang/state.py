"""What a game of The Gang is. R-numbers: README.md beside this file."""

from typing import Annotated, Literal

from msgspec import Meta

from ..engine.cards import CARDS, RANKS, SUITS
from ..engine.game import Facts, Options, Part, State, record
from ..engine.poker import CATEGORIES

MIN_SEATS, MAX_SEATS = 3, 6
MAX_TURNS = 16
VAULTS = ALARMS = 3
"""R2: so many vaults win a game, so many alarms lose it."""
MAX_HEISTS = VAULTS + ALARMS - 1

COLOURS = ("white", "yellow", "orange", "red")
STREETS = ("pre-flop", "flop", "turn", "river")
ROUNDS = len(COLOURS)
BOARD = 5
FLOP = 3

HOLE = 2
"""Cards dealt to each seat."""
HOLE_ROOM = 4
"""Room for a seat's cards: three under Security Cameras, and one drawn before one is discarded."""
MOST_DRAWN = 27
"""R3: no heist of any mode draws more cards than this."""
NO_CARD = -1

LAST_MOVES = 2
"""How many of each seat's moves in this round `recent` shows."""
KNOTS = 21
"""Cells that a percentile is spread over: 0, 5, 10, ... 100 percent."""
KNOT_UNITS = 100
"""A percentile is counted in this many steps from one knot to the next."""

HEIST, GAME, ORDER = 0, 1, 2
REWARDS = ("heist", "game", "order")

STATE = record(
    [
        ("the_gang_v0", "i1"),  # the type's own name: it tells these records from any other game's
        ("seats", "i1"),
        ("rng", "u8"),  # the random stream
        ("player", "i1"),  # to move; -1 when over
        # The options.
        ("turns_per_round", "i4"),
        ("consensus", "i1"),  # R11: a round ends when all hold a chip and then all pass
        ("reward", "i1"),  # R18: HEIST, GAME or ORDER
        ("one_heist", "i1"),  # R19
        ("features", "i1"),  # R20: whether percentiles and categories are kept
        # The game so far.
        ("vaults", "i1"),  # opened
        ("alarms", "i1"),  # gone off
        ("ordered", "i4"),  # seat pairs in right order, summed over the showdowns
        ("moves", "i4"),
        ("steals", "i4"),  # moves that took a chip from a player
        # The heist.
        ("first", "i1"),  # the seat that starts each round
        ("round_no", "i1"),  # 0 to 3
        ("turns", "i4"),  # moves made in this round
        ("passes", "i4"),  # passes in a row, up to now
        ("hole", "i1", (MAX_SEATS, HOLE_ROOM)),  # greatest first, then NO_CARD
        ("board", "i1", BOARD),  # those not yet open too; the flop greatest first
        ("deck", "i1", CARDS),  # the first `drawn` cards are dealt, the others are the draw pile
        ("drawn", "i1"),
        ("chips", "i1", (ROUNDS, MAX_SEATS)),  # stars of the chip before a seat, 0 for none
        ("history", "i1", MAX_SEATS * ROUNDS * (MAX_TURNS + 1)),  # see `rules.place`
        ("percentile", "i2", (MAX_SEATS, ROUNDS)),  # of 100 * (KNOTS - 1); 0 until it is known
        ("category", "i1", MAX_SEATS),  # of the best hand so far
        # The last showdown: open to all. No cards and zeros before the first.
        ("showdown_hole", "i1", (MAX_SEATS, HOLE_ROOM)),
        ("showdown_board", "i1", BOARD),
        ("showdown_chips", "i1", MAX_SEATS),  # the red ones
        ("showdown_strength", "i4", MAX_SEATS),
    ]
)


class TheGangOptions(Options, frozen=True, kw_only=True):
    """The options of The Gang."""

    num_players: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS, description="seats")] = 3
    mode: Annotated[
        Literal["basic"],
        Meta(description="basic: no challenges, no specialists"),
    ] = "basic"
    round_end: Annotated[
        Literal["all_hold", "consensus"],
        Meta(
            description="all_hold: a round ends as soon as every seat holds a chip; consensus: it "
            "ends when, after that, every seat has passed once in a row"
        ),
    ] = "all_hold"
    turns_per_round: Annotated[
        int,
        Meta(
            ge=1,
            le=MAX_TURNS,
            description="free turns of a seat in a round, the signalling budget; after them one "
            "lap follows in which the seats without a chip take one from the centre",
        ),
    ] = 4
    reward: Annotated[
        Literal["heist", "game", "order"],
        Meta(
            description="heist: +1 a vault, -1 an alarm, when it happens; game: +1 or -1 at the "
            "end; order: a heist earns the share of seat pairs whose red chips are in the right "
            "order, scaled to -1 to 1"
        ),
    ] = "heist"
    features: Annotated[
        Literal["raw", "strength"],
        Meta(
            description="raw: observations hold cards, chips and moves; strength: also how strong "
            "the own cards are"
        ),
    ] = "raw"
    episode: Annotated[
        Literal["game", "heist"],
        Meta(description="game: 3 to 5 heists, to the third vault or alarm; heist: a single one"),
    ] = "game"


def setup(options: TheGangOptions, s: State) -> None:
    """Write the options into a blank record."""
    s.turns_per_round = options.turns_per_round
    s.consensus = options.round_end == "consensus"
    s.reward = REWARDS.index(options.reward)
    s.one_heist = options.episode == "heist"
    s.features = options.features == "strength"


def facts(options: TheGangOptions) -> Facts:
    """What the options imply."""
    n, turns = options.num_players, options.turns_per_round
    one = options.episode == "heist"
    return Facts(
        players=n,
        actions=(*(f"take {stars}" for stars in range(1, n + 1)), "return", "pass"),
        parts=_parts(options),
        bounds=_bounds(options),
        max_moves=(1 if one else MAX_HEISTS) * ROUNDS * n * (turns + 1),
        canvas=(80, 2 * n + 8),
    )


def _bounds(options: TheGangOptions) -> tuple[float, float]:
    """R18."""
    if options.episode == "heist" or options.reward == "game":
        return -1, 1
    if options.reward == "heist":
        return -ALARMS, VAULTS
    pairs = options.num_players * (options.num_players - 1) / 2
    return -ALARMS, VAULTS + (ALARMS - 1) * (1 - 2 / pairs)  # one pair wrong in each alarm


def _parts(options: TheGangOptions) -> tuple[Part, ...]:
    """The observation, in the order in which `observation.observe` writes it."""
    n, laps = options.num_players, options.turns_per_round + 1
    actions = n + 2
    by_card = "2c 2d 2h 2s 3c ... As"
    parts = [
        Part("hole", (CARDS,), 1, f"own hole cards: 1 for each, {by_card}"),
        Part("board", (CARDS,), 1, f"open community cards: 1 for each, {by_card}"),
        Part(
            "street",
            (2, len(RANKS) + len(SUITS)),
            1,
            "the community cards of rounds 3 and 4: one-hot rank (2 to A), then suit (c d h s)",
        ),
        Part("round", (ROUNDS,), 1, "one-hot: white, yellow, orange, red chips"),
        Part("first", (n,), 1, "one-hot: the seat that starts each round of this heist"),
        Part("mover", (n,), 1, "one-hot: the seat to move; zeros when the game is over"),
        Part(
            "chips",
            (ROUNDS, n, n),
            1,
            "by round and seat: one-hot the chip of 1 to n stars before it; zeros without one",
        ),
        Part(
            "lap",
            (laps,),
            1,
            "one-hot: laps completed in this round; the last cell is the lap after the budget",
        ),
        Part("vaults", (VAULTS,), 1, "as many ones as vaults are opened"),
        Part("alarms", (ALARMS,), 1, "as many ones as alarms have gone off"),
        Part(
            "recent",
            (n, LAST_MOVES, actions),
            1,
            "by seat: one-hot its last move in this round and the one before; zeros without one",
        ),
        Part(
            "moves",
            (n, ROUNDS, laps),
            actions,
            "by seat, round and lap: 1 + the number of the action played in this heist, 0 for none",
        ),
    ]
    if options.round_end == "consensus":
        parts.append(
            Part(
                "passes",
                (n,),
                1,
                "one-hot: passes in a row up to now; the last cell is n - 1 or more",
            )
        )
    if options.features == "strength":
        parts += [
            Part(
                "percentile",
                (ROUNDS, KNOTS),
                KNOT_UNITS,
                "by round up to now: share of all pairs another seat might hold that the own hand "
                "beats, ties half; 100 in the cell of 0, 5, ... 100 percent that it equals, "
                "between two cells shared in proportion",
            ),
            Part("category", (len(CATEGORIES),), 1, "one-hot: high card to royal flush, own hand"),
        ]
    return tuple(parts)
