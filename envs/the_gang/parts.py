"""The parts of an observation of The Gang. R-numbers: README.md beside this file."""

from typing import TYPE_CHECKING

from ..engine.cards import CARDS, RANKS, SUITS
from ..engine.game import Part
from ..engine.poker import CATEGORIES
from .roster import STACK
from .state import (
    ALARMS,
    DECISIONS,
    KNOT_UNITS,
    KNOTS,
    LAST_MOVES,
    MOST_HOLE,
    ROUNDS,
    VAULTS,
)

if TYPE_CHECKING:
    from .options import TheGangOptions

BY_CARD = "2c 2d 2h 2s 3c ... As"
MOST_DECLARED = 1 + 11 * MOST_HOLE
"""R35: one more than three aces count."""


def parts(options: "TheGangOptions") -> tuple[Part, ...]:
    """The observation, in the order in which `observation.observe` writes it."""
    found = [*_cards(), *_table(options), *_moves(options)]
    if options.mode != "basic":
        found += _challenges(options)
    if options.mode in ("intermediate", "advanced"):
        found += _specialists(options.num_players)
    if options.round_end == "consensus":
        found.append(
            Part(
                "passes",
                (options.num_players,),
                1,
                "one-hot: passes in a row up to now; the last cell is n - 1 or more",
            )
        )
    if options.features == "strength":
        found += _strength()
    return tuple(found)


def turn_actions(options: "TheGangOptions") -> int:
    """Kinds of turn: take 1 to n, return, pass, and where there are specialists propose."""
    return options.num_players + 2 + int(options.mode in ("intermediate", "advanced"))


def _cards() -> list[Part]:
    return [
        Part("hole", (CARDS,), 1, f"own hole cards: 1 for each, {BY_CARD}"),
        Part("board", (CARDS,), 1, f"open community cards: 1 for each, {BY_CARD}"),
        Part(
            "street",
            (2, len(RANKS) + len(SUITS)),
            1,
            "the community cards of rounds 3 and 4: one-hot rank (2 to A), then suit (c d h s)",
        ),
    ]


def _table(options: "TheGangOptions") -> list[Part]:
    n = options.num_players
    return [
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
            (options.turns_per_round + 1,),
            1,
            "one-hot: laps completed in this round; the last cell is the lap after the budget",
        ),
        Part("vaults", (VAULTS,), 1, "as many ones as vaults are opened"),
        Part("alarms", (ALARMS,), 1, "as many ones as alarms have gone off"),
    ]


def _moves(options: "TheGangOptions") -> list[Part]:
    n, kinds = options.num_players, turn_actions(options)
    meaning = (
        "by seat, round and lap: 1 + the number of the action played in this heist, 0 for none"
    )
    high = kinds
    if kinds > n + 2:
        high += n - 1
        meaning += "; n + 3 for a proposal, n + 3 + k if the k-th seat after it declined"
    return [
        Part(
            "recent",
            (n, LAST_MOVES, kinds),
            1,
            "by seat: one-hot its last move in this round and the one before; zeros without one",
        ),
        Part("moves", (n, ROUNDS, options.turns_per_round + 1), high, meaning),
    ]


def _challenges(options: "TheGangOptions") -> list[Part]:
    n = options.num_players
    found = [Part("challenges", (STACK,), 1, "1 for each challenge in force, from 1 to 10")]
    if options.mode == "advanced":
        found.append(Part("permanent", (STACK,), 1, "one-hot: the challenge in force all game"))
    return [
        *found,
        Part(
            "decision",
            (DECISIONS,),
            1,
            "one-hot, what the seat to move decides: a turn, the answer to a proposal, whom to "
            "show a card, a card, a rank to declare, a rank to guess, a category to guess",
        ),
        Part("redrew", (n,), 1, "one-hot: the seat that drew a new hand at the flop"),
        Part("gone", (CARDS,), 1, f"cards known to be discarded: 1 for each, {BY_CARD}"),
        Part("opened", (n, CARDS), 1, f"by seat: hands open for a scan, 1 for each of {BY_CARD}"),
        Part("rank_guesses", (n, len(RANKS)), 1, "by seat: one-hot the rank it named, 2 to A"),
        Part("category_guesses", (n, len(CATEGORIES)), 1, "by seat: one-hot what it named"),
    ]


def _specialists(n: int) -> list[Part]:
    return [
        Part("specialist", (STACK,), 1, "one-hot: the specialist in force, from 1 to 10"),
        Part("proposer", (n,), 1, "one-hot: the seat whose proposal is being answered"),
        Part("user", (n,), 1, "one-hot: the seat that uses or has used the specialist"),
        Part("used_in", (ROUNDS,), 1, "one-hot: the round in which it was used"),
        Part("holder", (n,), 1, "one-hot: the seat that has the Jack or the Muscle"),
        Part("target", (n,), 1, "one-hot: the seat that is shown a card"),
        Part("shown", (CARDS,), 1, "the card that was shown, to those two seats, until discarded"),
        Part(
            "declared",
            (n,),
            MOST_DECLARED,
            "by seat: 1 + how many face cards (Investor) or the sum (Math Whiz), 0 for nothing",
        ),
        Part("declared_category", (len(CATEGORIES),), 1, "one-hot: high card to royal flush"),
        Part("declared_rank", (len(RANKS),), 1, "one-hot: 2 to A"),
        Part("declared_count", (MOST_HOLE,), 1, "one-hot: 1 to 3 cards of that rank"),
        Part("passed", (CARDS,), 1, "the own card for the left neighbour, until discarded there"),
        Part("received", (CARDS,), 1, "the card that came from the right neighbour"),
        Part("lost", (CARDS,), 1, "own cards that the Con Artist gave to other seats"),
    ]


def _strength() -> list[Part]:
    return [
        Part(
            "percentile",
            (ROUNDS, KNOTS),
            KNOT_UNITS,
            "by round up to now: share of all hole cards another seat might hold that the own hand "
            "beats, ties half; 100 in the cell of 0, 5, ... 100 percent that it equals, "
            "between two cells shared in proportion",
        ),
        Part("category", (len(CATEGORIES),), 1, "one-hot: high card to royal flush, own hand"),
    ]
