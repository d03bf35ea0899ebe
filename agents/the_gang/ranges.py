"""What seats may hold by what is known of them, and how a hand stands against that.

Sets of cards are integers of 52 bits.
"""

import numpy as np

from ...envs.engine.cards import CARDS, JACK, JACK_CARD, RANKS, SUITS
from ...envs.engine.jit import jit
from ...envs.engine.poker import EMPTY, Hand, add, category, pairs, strength, triples
from .facts import CATEGORY, FACES, JACK_ALONE, LEAST, RANK, SHOWN, SUM

_ACE, _KING, _TEN = len(RANKS) - 1, len(RANKS) - 2, 10
MOST_HOLDINGS = (1, CARDS, 1326, 22100)
"""Holdings of so many cards, at most."""


@jit
def hand_of(cards: np.ndarray) -> tuple[Hand, int]:
    """`cards` as a hand and, without the Jack, as a set."""
    hand = EMPTY
    held = 0
    for card in cards:
        hand = add(hand, int(card))
        if card != JACK_CARD:
            held |= 1 << int(card)
    return hand, held


@jit
def holdings(hand: Hand, used: int, cards: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """All sets of so many `cards` that are not in `used`, and the strength of `hand` with each.

    Args:
        hand: What is there already.
        used: The cards that cannot come.
        cards: 0 to 3.
        most: `MOST_HOLDINGS[cards]`.

    Returns:
        Strengths, int32[N], and sets, int64[N].
    """
    strengths, sets = np.empty(most, np.int32), np.empty(most, np.int64)
    count = 0
    if cards == 0:
        strengths[0], sets[0] = strength(hand), 0
        count = 1
    elif cards == 1:
        for card in range(CARDS):
            if used >> card & 1 == 0:
                strengths[count] = strength(add(hand, card))
                sets[count] = 1 << card
                count += 1
    elif cards == 2:
        count = pairs(hand, used, strengths, sets)
    else:
        count = triples(hand, used, strengths, sets)
    return strengths[:count], sets[:count]


@jit
def _of_rank(held: int, rank: int) -> int:
    """How many cards of `rank` are in the set `held`."""
    four = held >> (len(SUITS) * rank) & 15
    return (four & 1) + (four >> 1 & 1) + (four >> 2 & 1) + (four >> 3)


@jit
def _face_cards(held: int) -> int:
    """R30: jacks, queens and kings in the set `held`."""
    return _of_rank(held, JACK) + _of_rank(held, JACK + 1) + _of_rank(held, _KING)


@jit
def _sum(held: int) -> int:
    """R35: the sum of the set `held`."""
    total = 0
    for rank in range(len(RANKS)):
        value = rank + 2 if rank < JACK else _TEN
        total += _of_rank(held, rank) * (value + int(rank == _ACE))
    return total


@jit
def fits(held: int, facts: np.ndarray, was: int) -> bool:
    """Whether what a seat holds agrees with what all know of it.

    What only the own seat knows does not count: percentiles mean the same to all seats, or else
    they are of no use.

    Args:
        held: The seat's hole cards, a set.
        facts: Of the seat, int16[7].
        was: The category of these cards when the seat declared one; -1 if it has not.
    """
    if facts[FACES] >= 0 and _face_cards(held) != facts[FACES]:
        return False
    if facts[SUM] >= 0 and _sum(held) != facts[SUM]:
        return False
    if facts[RANK] >= 0:
        count = _of_rank(held, int(facts[RANK]))
        if facts[LEAST] == JACK_ALONE:
            if count == 0:
                return False
        elif count != facts[LEAST]:
            return False
    return bool(facts[CATEGORY] < 0 or was == facts[CATEGORY])


@jit
def agreeing(
    board: np.ndarray, base: np.ndarray, facts: np.ndarray, sets: np.ndarray
) -> np.ndarray:
    """Which of `sets`, int64[N], agree with what is known of a seat, bool[N].

    Args:
        board: The open community cards, int8[0 to 5], in the order in which they were turned.
        base: Cards of the seat that are none of the sets', int8[0 to 3].
        facts: Of the seat, int16[7].
        sets: What it may hold besides `base`.
    """
    found = np.empty(sets.size, np.bool_)
    hand, held = hand_of(base)
    for card in board[: max(int(facts[SHOWN]), 0)]:
        hand = add(hand, int(card))
    for k in range(sets.size):
        was = -1
        if facts[CATEGORY] >= 0:
            then = hand
            for card in range(CARDS):
                if sets[k] >> card & 1:
                    then = add(then, card)
            was = category(strength(then))
        found[k] = fits(held | sets[k], facts, was)
    return found


@jit
def share_beaten(board: np.ndarray, shown: int, cards: np.ndarray, facts: np.ndarray) -> float:
    """The share of what the seats may hold, by what is known of each, that `cards` beat, ties half.

    That is the mean over the seats, the own one too: as all reckon with the same, their shares are
    in the order of their hands, and spread evenly. A seat of which what is known cannot be true
    (of the own cards none is anybody's) does not count.

    Args:
        board: The community cards, int8[5].
        shown: How many of them are open, 3 to 5.
        cards: The own hole cards, int8[2 or 3].
        facts: Of all seats, int16[n, 7].

    Returns:
        0 to 1, or -1 if no seat counts.
    """
    common, used = hand_of(board[:shown])
    own = common
    for card in cards:
        own = add(own, int(card))
    value = strength(own)
    _, held = hand_of(cards)
    used |= held
    most = MOST_HOLDINGS[cards.size]
    strengths, sets = holdings(common, used, cards.size, most)
    total = 0.0
    seats = 0
    for seat in range(facts.shape[0]):
        kept = agreeing(board[:shown], cards[:0], facts[seat], sets)
        points = met = 0
        for k in range(sets.size):
            if kept[k]:
                met += 1
                points += int(strengths[k] < value) + int(strengths[k] <= value)
        if met > 0:
            total += points / (2 * met)
            seats += 1
    return total / seats if seats > 0 else -1.0


def shares_among(strengths: np.ndarray) -> np.ndarray:
    """The percentile of each of `strengths`, int32[N], among them, ties half: float64[N]."""
    order = np.sort(strengths)
    ends = [np.searchsorted(order, strengths, side) for side in ("left", "right")]
    shares: np.ndarray = (ends[0] + ends[1]) / (2 * strengths.size)
    return shares
