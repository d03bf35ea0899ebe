"""The options of The Gang and what they imply. R-numbers: README.md beside this file."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta

from ..engine.cards import RANKS
from ..engine.game import Facts, Options, State
from ..engine.poker import CATEGORIES
from .parts import parts
from .roster import (
    ADVANCED,
    BASIC,
    CHALLENGES,
    INTERMEDIATE,
    LISTED,
    MODES,
    RULEBOOK,
    SHUFFLED,
    SPECIALISTS,
    STACK,
)
from .state import (
    ALARMS,
    EXPERT_ALARMS,
    HOLE_ROOM,
    MAX_HEISTS,
    MAX_SEATS,
    MAX_TURNS,
    MIN_SEATS,
    REWARDS,
    ROUNDS,
    VAULTS,
)

Card: TypeAlias = Literal[
    "quick_access",
    "noise_sensors",
    "motion_detector",
    "retina_scan",
    "hasty_getaway",
    "ventilation_shaft",
    "laser_tripwires",
    "blackout",
    "fingerprint_scan",
    "security_cameras",
    "informant",
    "getaway_driver",
    "investor",
    "mastermind",
    "hacker",
    "coordinator",
    "jack",
    "math_whiz",
    "con_artist",
    "muscle",
]
"""A challenge or a specialist."""
assert get_args(Card) == (*CHALLENGES, *SPECIALISTS)


class TheGangOptions(Options, frozen=True, kw_only=True):
    """The options of The Gang."""

    num_players: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS, description="seats")] = 3
    mode: Annotated[
        Literal["basic", "intermediate", "advanced", "expert"],
        Meta(
            description="basic: no cards; intermediate: after a vault a challenge, after an alarm "
            "a specialist; advanced: one more challenge all game; expert: two challenges, no "
            "specialists, two alarms lose"
        ),
    ] = "basic"
    deck_order: Annotated[
        Literal["rulebook", "random"] | tuple[Card, ...],
        Meta(
            description="rulebook: each stack of cards lies from 1 to 10; random: shuffled for "
            "each game; names of cards: these lie on top of their stacks in this order, the others "
            "below from 1 to 10"
        ),
    ] = "rulebook"
    cards_in_force: Annotated[
        tuple[Card, ...],
        Meta(
            description="names of cards that are in force in every heist, and no others: any "
            "challenges and at most one specialist; none: cards are drawn as the mode says"
        ),
    ] = ()
    specialist_consent: Annotated[
        bool,
        Meta(description="whether a specialist is used only if all other seats agree"),
    ] = True
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

    def __post_init__(self) -> None:
        """Refuse cards that cannot be met in this mode.

        Raises:
            ValueError: with a sentence.
        """
        listed = () if isinstance(self.deck_order, str) else self.deck_order
        for cards, option in ((self.cards_in_force, "cards_in_force"), (listed, "deck_order")):
            if len(set(cards)) < len(cards):
                raise ValueError(f"{option} names a card twice")
            if cards and self.mode == "basic":
                raise ValueError(f"{option} needs a mode that has cards, not basic")
            if self.mode == "expert" and set(cards) & set(SPECIALISTS):
                raise ValueError(f"{option}: there are no specialists in the mode expert (R25)")
        if self.mode in ("advanced", "expert") and "quick_access" in listed:
            raise ValueError(f"deck_order: quick_access is taken out in the mode {self.mode} (R24)")
        if len(set(self.cards_in_force) & set(SPECIALISTS)) > 1:
            raise ValueError("cards_in_force has one specialist at most, as every heist (R22)")


def setup(options: TheGangOptions, s: State) -> None:
    """Write the options into a blank record."""
    s.turns_per_round = options.turns_per_round
    s.consensus = options.round_end == "consensus"
    s.reward = REWARDS.index(options.reward)
    s.one_heist = options.episode == "heist"
    s.features = options.features == "strength"
    s.mode = MODES.index(options.mode)
    s.consent = options.specialist_consent
    listed: tuple[str, ...] = ()
    if isinstance(options.deck_order, str):
        s.order = SHUFFLED if options.deck_order == "random" else RULEBOOK
    else:
        s.order, listed = LISTED, options.deck_order
    s.challenge_order[:] = _stack(CHALLENGES, listed, without_first=s.mode > INTERMEDIATE)
    s.specialist_order[:] = _stack(SPECIALISTS, listed, without_first=False)
    given = options.cards_in_force
    s.given = bool(given)
    s.given_challenges = sum(1 << k for k, name in enumerate(CHALLENGES, 1) if name in given)
    s.given_specialist = sum(k for k, name in enumerate(SPECIALISTS, 1) if name in given)


def _stack(names: tuple[str, ...], listed: tuple[str, ...], *, without_first: bool) -> list[int]:
    """R23, R24: the numbers of a stack's cards, top first, filled up with zeros."""
    top = [names.index(name) + 1 for name in listed if name in names]
    rest = [k for k in range(1, STACK + 1) if k not in top and not (without_first and k == 1)]
    return (top + rest + [0])[:STACK]


def facts(options: TheGangOptions) -> Facts:
    """What the options imply."""
    n = options.num_players
    heists = 1 if options.episode == "heist" else MAX_HEISTS
    return Facts(
        players=n,
        actions=actions(n, MODES.index(options.mode)),
        parts=parts(options),
        bounds=_bounds(options),
        max_moves=heists * _moves_of_a_heist(options),
        canvas=(80, 2 * n + 8) if options.mode == "basic" else (110, 3 * n + 16),
    )


def actions(seats: int, mode: int) -> tuple[str, ...]:
    """The text of each action; each mode's are the first of those of the modes with specialists."""
    texts = [*(f"take {stars}" for stars in range(1, seats + 1)), "return", "pass"]
    if mode != BASIC:
        texts += [f"rank {rank}" for rank in RANKS]
        texts += [f"category {name}" for name in CATEGORIES]
    if mode in (INTERMEDIATE, ADVANCED):
        texts += ["propose", "agree", "decline"]
        texts += [f"card {k}" for k in range(1, HOLE_ROOM + 1)]
        texts += [f"show +{k}" for k in range(1, seats)]
    return tuple(texts)


def _moves_of_a_heist(options: TheGangOptions) -> int:
    """R12; R27: each free turn may be a proposal that all but the last agree to; R33, R41, R46."""
    n, turns = options.num_players, options.turns_per_round
    moves = ROUNDS * n * (turns + 1)
    if options.mode != "basic":
        moves += 2 * (n - 1)
    if options.mode in ("intermediate", "advanced"):
        moves += n + 2 + ROUNDS * n * turns * (n - 1 if options.specialist_consent else 0)
    return moves


def _bounds(options: TheGangOptions) -> tuple[float, float]:
    """R17, R18, R25."""
    if options.episode == "heist" or options.reward == "game":
        return -1, 1
    alarms = EXPERT_ALARMS if options.mode == "expert" else ALARMS
    if options.reward == "heist":
        return -alarms, VAULTS
    conditions = options.num_players * (options.num_players - 1) / 2
    conditions += 0 if options.mode == "basic" else 2  # both scans
    return -alarms, VAULTS + (alarms - 1) * (1 - 2 / conditions)  # one of them wrong in each alarm
