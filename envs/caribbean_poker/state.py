"""What a game of Caribbean Poker is. R-numbers: README.md beside this file."""

from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from ..engine.cards import CARDS, RANKS
from ..engine.game import Facts, Options, Part, State, Visible, record
from ..engine.jit import jit
from ..engine.poker import CATEGORIES

HAND, MAX_SEATS, MAX_LEVELS = 5, 7, 20
KINDS = len(CATEGORIES)
UP = HAND - 1
"""Where the banker's open card lies in the deck; the banker's hand comes first."""
BONUS = 10
"""R3: the stake of the bonus bet."""
CALL_STAKE = 2
"""R5: the stake of a call, in antes."""
MONEY_BITS = 29

BETTING, DECIDING, SHOWN = range(3)
"""Phases: seats bet; seats fold or call; the last round is settled, its cards are open."""

FOLD, CALL, FIRST_BET = range(3)
"""Actions; bets begin at FIRST_BET, two for each ante: without the bonus bet and with it."""

UNDECIDED = -1

FOLDED, UNQUALIFIED, WON, TIED, LOST = range(5)
"""How a round can end for a seat."""
OUTCOMES = ("folded", "not qualified", "won", "tied", "lost")

STATE = record(
    [
        ("caribbean_poker_v0", "i1"),  # the type's own name
        ("seats", "i1"),
        ("rng", "u8"),  # the random stream
        ("player", "i1"),  # to move; -1 when over
        # options
        ("levels", "i4", MAX_LEVELS),  # antes that can be bet, ascending
        ("num_levels", "i1"),
        ("fixed_ante", "i4"),  # 0: seats choose
        ("call_odds", "i4", KINDS),  # by category, the weakest first
        ("bonus_odds", "i4", KINDS),
        ("bonus_offered", "i1"),
        ("bankroll", "i4"),  # 0: unlimited
        ("num_rounds", "i1"),
        ("per_ante", "i1"),
        # this round
        ("deck", "i1", CARDS),  # the banker's hand, then those of the seats, then the rest
        ("phase", "i1"),
        ("playing", "i1", MAX_SEATS),  # whether the seat has money enough for this round
        ("ante", "i4", MAX_SEATS),  # 0 before the bet
        ("bonus", "i1", MAX_SEATS),
        ("choice", "i1", MAX_SEATS),  # UNDECIDED, FOLD or CALL
        # the session
        ("money", "i4", MAX_SEATS),  # not at stake; stays 0 without a bankroll
        ("result", "f8", MAX_SEATS),  # the return so far
        ("rounds", "i1"),  # how many are settled
        ("last", "i1", HAND),  # the banker's cards in the round settled last
        ("outcomes", "i4", (MAX_SEATS, len(OUTCOMES))),  # how each seat's rounds ended
        ("bonus_bets", "i4", MAX_SEATS),
        ("bonus_hits", "i4", MAX_SEATS),
        ("staked", "i4", MAX_SEATS),  # antes, calls and bonus bets
        ("qualified", "i4"),  # rounds in which the banker did
    ]
)


@jit
def seat_card(seat: int, i: int) -> int:
    """Where the card number `i` of `seat` lies in the deck."""
    return HAND * (int(seat) + 1) + i


def _cards_seen(s: State, player: int) -> np.ndarray:
    """R4: one's own cards and the banker's open one; R5: all of the banker's in the end."""
    seen = np.zeros(CARDS, np.bool_)
    if s.phase != BETTING:
        seen[seat_card(player, 0) : seat_card(player, HAND)] = True
        seen[UP] = True
    if s.phase == SHOWN:
        seen[:HAND] = True
    return seen


HIDDEN: dict[str, Visible] = {"deck": _cards_seen}

Ante = Annotated[int, Meta(ge=1, le=1000)]
CallOdds = Annotated[int, Meta(ge=0, le=1000)]
BonusOdds = Annotated[int, Meta(ge=0, le=100_000)]


class CaribbeanPokerOptions(Options, frozen=True, kw_only=True):
    """What can be chosen."""

    num_players: Annotated[
        int, Meta(ge=1, le=MAX_SEATS, description="seats, each against the banker alone")
    ] = 1
    num_rounds: Annotated[int, Meta(ge=1, le=100, description="rounds in a session")] = 1
    ante_levels: Annotated[
        tuple[Ante, ...],
        Meta(min_length=1, max_length=MAX_LEVELS, description="antes to choose from, ascending"),
    ] = (1, 5, 10, 25, 50, 100, 250, 500, 1000)
    fixed_ante: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="each seat antes this, without a bonus bet, and only folds or calls; 0: "
            "seats bet",
        ),
    ] = 0
    bankroll: Annotated[
        Annotated[int, Meta(ge=1, le=1_000_000)] | None,
        Meta(description="points a seat begins with; none: no limit"),
    ] = None
    call_paytable: Annotated[
        tuple[CallOdds, ...],
        Meta(
            min_length=KINDS,
            max_length=KINDS,
            description="odds of the call, from the royal flush down to the high card",
        ),
    ] = (100, 50, 20, 7, 5, 4, 3, 2, 1, 1)
    bonus_paytable: Annotated[
        Annotated[tuple[BonusOdds, ...], Meta(min_length=KINDS, max_length=KINDS)] | None,
        Meta(
            description="odds for one of the bonus bet, from the royal flush down to the high "
            "card; none: there is no bonus bet",
        ),
    ] = (50_000, 5_000, 500, 100, 50, 0, 0, 0, 0, 0)
    reward: Annotated[
        Literal["points", "per_ante"],
        Meta(description="unit of rewards: points, or each round's points over its ante"),
    ] = "points"


def levels(options: CaribbeanPokerOptions) -> tuple[int, ...]:
    """R2: the antes that can be bet.

    Raises:
        ValueError: if they are not ascending, or the bankroll does not cover the least.
    """
    found = (options.fixed_ante,) if options.fixed_ante else options.ante_levels
    if any(a >= b for a, b in pairwise(found)):
        raise ValueError(
            f"caribbean_poker: option ante_levels: antes are in ascending order, not "
            f"{', '.join(map(str, found))}"
        )
    if options.bankroll is not None and options.bankroll < found[0]:
        raise ValueError(
            f"caribbean_poker: option bankroll: {options.bankroll} does not cover the least ante, "
            f"{found[0]}"
        )
    return found


def action_texts(options: CaribbeanPokerOptions) -> tuple[str, ...]:
    """The text of each action, in the order of their numbers."""
    if options.fixed_ante:
        return ("fold", "call")
    bets = [f"ante {ante}{bonus}" for ante in levels(options) for bonus in ("", " + bonus")]
    return ("fold", "call", *bets)


def bounds(options: CaribbeanPokerOptions) -> tuple[float, float]:
    """Least and greatest return: R5, R8, R10 in every round, R12."""
    antes = levels(options)
    odds = 1 + CALL_STAKE * max(options.call_paytable)
    extra = lost = 0
    if options.bonus_paytable is not None and not options.fixed_ante:
        extra, lost = BONUS * max(0, max(options.bonus_paytable) - 1), BONUS
    if options.reward == "per_ante":
        low = -(1.0 + CALL_STAKE) - lost / antes[0]
        high = odds + extra / antes[0]
        return low * options.num_rounds, high * options.num_rounds
    least = -((1 + CALL_STAKE) * antes[-1] + lost) * options.num_rounds
    if options.bankroll:
        least = max(least, -options.bankroll)
    return least, (odds * antes[-1] + extra) * options.num_rounds


def facts(options: CaribbeanPokerOptions) -> Facts:
    """What the options imply.

    Raises:
        ValueError: if the options contradict each other.
    """
    n, antes = options.num_players, levels(options)
    ranks = len(RANKS)
    parts = [
        Part("phase", (3,), 1, "one-hot: to bet; to fold or call; all is settled"),
        Part("turn", (n,), 1, "one-hot, who is to move; zeros when over"),
        Part("hand", (CARDS,), 1, "own cards, 4 * rank + suit, suits renamed; zeros in betting"),
        Part("up", (CARDS,), 1, "one-hot, the banker's open card, suits renamed in the same way"),
        Part("ranks", (ranks,), 4, "own cards of each rank, 2 to A"),
        Part("up_rank", (ranks,), 1, "one-hot, rank of the banker's open card"),
        Part("up_suit", (1,), HAND, "own cards of the suit of the banker's open card"),
        Part("category", (KINDS,), 1, "one-hot, own hand: high card to royal flush"),
        Part("playing", (n,), 1, "whether each seat has money enough for this round"),
        Part("ante", (n, len(antes)), 1, "one-hot a seat: its ante; zeros before the bet"),
        Part("bonus", (n,), 1, "whether each seat has made the bonus bet"),
        Part("choice", (n, 2), 1, "one-hot a seat: folded, called; zeros before"),
        Part("rounds_left", (1,), options.num_rounds, "rounds of the session not settled"),
    ]
    if options.num_rounds > 1:
        parts.append(Part("banker", (CARDS,), 1, "the banker's cards in the round settled last"))
    if options.bankroll:
        parts.append(
            Part("money", (MONEY_BITS,), 1, "own points that are not at stake, lowest bit first")
        )
    return Facts(
        players=n,
        actions=action_texts(options),
        parts=tuple(parts),
        bounds=bounds(options),
        max_moves=options.num_rounds * n * (1 if options.fixed_ante else 2),
        canvas=(100, n + 5),
    )


def setup(options: CaribbeanPokerOptions, s: State) -> None:
    """Write the options."""
    antes = levels(options)
    s.levels[:] = 0
    s.levels[: len(antes)] = antes
    s.num_levels = len(antes)
    s.fixed_ante = options.fixed_ante
    s.call_odds[:] = options.call_paytable[::-1]
    s.bonus_offered = options.bonus_paytable is not None and not options.fixed_ante
    s.bonus_odds[:] = (options.bonus_paytable or (0,) * KINDS)[::-1]
    s.bankroll = options.bankroll or 0
    s.num_rounds = options.num_rounds
    s.per_ante = options.reward == "per_ante"
