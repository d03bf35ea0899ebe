"""Poker hands of 2 to 8 cards: the best five of them. Greater is better.

>>> best_hand("Ts Js Qs Ks As") > best_hand("2c 2d")
True
>>> describe(best_hand("Kd Ks 4h 4c Ah 9s 2d"))
'two pair, kings and fours, ace kicker'

A hand's strength is one integer, and strengths compare as hands do. In hexadecimal it has a digit
for the category, one for Muscle (0 or 1: the holder beats every other hand of the same category)
and five for ranks, the most telling first: 2 to 9, A for ten, B to E for jack to ace, 0 for none.

>>> f"{best_hand('Kd Ks 4h 4c Ah 9s 2d'):07X}", f"{best_hand('7h 7s', muscle=True):07X}"
('20D4E00', '1170000')

In compiled code a hand grows card by card from `EMPTY`; what several hands share, such as a board,
is added once. The jack without a suit counts as a jack, and for no flush.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from .cards import CARDS, RANKS, distinct, parse_cards, rank, suit
from .jit import jit

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH, ROYAL_FLUSH = range(5, 10)

MUSCLE = 1 << 20
"""Added to a strength: beats every strength of the same category without it."""

FEWEST, MOST = 2, 8
"""Cards in a hand."""

_CATEGORY, _FIRST, _SECOND, _THIRD = 24, 16, 12, 8  # where digits of a strength begin, in bits
_WIDTH = len(RANKS)
_ACE = 14  # as a digit
_PAIRS = CARDS * (CARDS - 1) // 2
_TRIPLES = _PAIRS * (CARDS - 2) // 3


class Hand(NamedTuple):
    """Some cards, as far as poker cares. A set of ranks is an integer of 13 bits, 2 the lowest."""

    ranks: int
    """The ranks that occur."""
    pairs: int
    """Those that occur at least twice,"""
    trips: int
    """three times,"""
    quads: int
    """four times,"""
    fives: int
    """five times: the jacks and the one without a suit."""
    suited: int
    """The ranks of clubs, diamonds, hearts, spades, 13 bits each, clubs the lowest."""
    counts: int
    """How many clubs, diamonds, hearts, spades, 4 bits each."""


EMPTY = Hand(0, 0, 0, 0, 0, 0, 0)


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """For each set of ranks: its five highest as digits; the top digit of its best straight."""
    sets = np.arange(1 << _WIDTH)
    highest, taken = np.zeros_like(sets), np.zeros_like(sets)
    for r in reversed(range(_WIDTH)):
        has = (sets >> r & 1) * (taken < 5)
        highest += (has * (r + 2)) << np.maximum(_FIRST - 4 * taken, 0)
        taken += has
    straight = np.zeros_like(sets)
    for top in range(5, _ACE + 1):  # the ace is also the lowest: 5 4 3 2 A
        five = sum(1 << ((digit - 2) % _WIDTH) for digit in range(top - 4, top + 1))
        straight[(sets & five) == five] = top
    return highest.astype(np.int32), straight.astype(np.int8)


_HIGHEST, _STRAIGHT = _tables()


@jit
def add(hand: Hand, card: int) -> Hand:
    """`hand` with `card`, which must not be in it."""
    bit = 1 << rank(card)
    s = suit(card)  # the fifth, of the suitless jack, comes to lie above those that are looked at
    return Hand(
        hand.ranks | bit,
        hand.pairs | (hand.ranks & bit),
        hand.trips | (hand.pairs & bit),
        hand.quads | (hand.trips & bit),
        hand.fives | (hand.quads & bit),
        hand.suited | bit << (_WIDTH * s),
        hand.counts + (1 << (4 * s)),
    )


@jit
def _digit(ranks: int) -> int:
    """The highest of `ranks`, as a digit."""
    return int(_HIGHEST[ranks]) >> _FIRST


@jit
def _without(ranks: int, digit: int) -> int:
    """`ranks` but for that of `digit`, if it is one (the digit 0 is none)."""
    return ranks & ~((1 << digit) >> 2)


@jit
def _by_suits(hand: Hand) -> int:
    """The strength of five cards of one suit, 0 if there are none."""
    reached = (hand.counts + 0x3333) & 0x8888  # 5 to 8, plus 3: the highest of four bits
    if reached == 0:
        return 0
    ranks = hand.suited  # in eight cards only one suit can occur five times
    while reached & 0x8 == 0:
        reached >>= 4
        ranks >>= _WIDTH
    ranks &= (1 << _WIDTH) - 1
    top = int(_STRAIGHT[ranks])
    if top == _ACE:
        return ROYAL_FLUSH << _CATEGORY | top << _FIRST
    if top:
        return STRAIGHT_FLUSH << _CATEGORY | top << _FIRST
    return FLUSH << _CATEGORY | int(_HIGHEST[ranks])


@jit
def _by_ranks(hand: Hand) -> int:
    """The strength of the best five cards if there were no suits."""
    if hand.quads:
        four = _digit(hand.quads)
        kicker = _digit(_without(hand.ranks, four) | hand.fives)
        return FOUR_OF_A_KIND << _CATEGORY | four << _FIRST | kicker << _SECOND
    if hand.trips:
        three = _digit(hand.trips)
        two = _digit(_without(hand.pairs, three))
        if two:
            return FULL_HOUSE << _CATEGORY | three << _FIRST | two << _SECOND
    top = int(_STRAIGHT[hand.ranks])
    if top:
        return STRAIGHT << _CATEGORY | top << _FIRST
    if hand.pairs == 0:
        return HIGH_CARD << _CATEGORY | int(_HIGHEST[hand.ranks])
    first = _digit(hand.pairs)
    kickers = int(_HIGHEST[_without(hand.ranks, first)]) >> 4
    if hand.trips:
        return THREE_OF_A_KIND << _CATEGORY | first << _FIRST | kickers & 0xFF00
    second = _digit(_without(hand.pairs, first))
    if second == 0:
        return PAIR << _CATEGORY | first << _FIRST | kickers & 0xFFF0
    kicker = _digit(_without(_without(hand.ranks, first), second))
    return TWO_PAIR << _CATEGORY | first << _FIRST | second << _SECOND | kicker << _THIRD


@jit
def strength(hand: Hand) -> int:
    """The strength of the best five cards of `hand`; of all, if they are fewer."""
    return max(_by_suits(hand), _by_ranks(hand))


@jit
def evaluate(cards: np.ndarray) -> int:
    """The strength of the best five of `cards`, int8[2 to 8], all different; nothing is checked."""
    hand = EMPTY
    for card in cards:
        hand = add(hand, card)
    return strength(hand)


@jit
def category(strength: int) -> int:
    """The place in `CATEGORIES` of a hand of `strength`."""
    return strength >> _CATEGORY


@jit
def _complete(
    hand: Hand, used: int, top: int, held: int, n: int, strengths: np.ndarray, holdings: np.ndarray
) -> int:
    """Write the strength of `hand` with each one card below `top`, and the cards that were dealt.

    Sets of cards are integers of 52 bits; cards in `used` are left out. Cards of one rank differ
    only in their flushes, so the rest is evaluated once for four.

    Args:
        hand: What is there, without the last card.
        used: The cards that cannot come.
        top: The last card is below this one.
        held: The cards dealt before the last.
        n: Where to begin to write.
        strengths: The strengths, int32[N], modified in place.
        holdings: `held` and the last card, int64[N], modified in place.

    Returns:
        Where the next call is to begin.
    """
    for lowest in range(0, top, 4):
        by_ranks = _by_ranks(add(hand, lowest))
        for card in range(lowest, min(lowest + 4, top)):
            if used >> card & 1 == 0:
                strengths[n] = max(by_ranks, _by_suits(add(hand, card)))
                holdings[n] = held | 1 << card
                n += 1
    return n


@jit
def pairs(board: Hand, used: int, strengths: np.ndarray, holdings: np.ndarray) -> int:
    """Write the strength of `board` with each two cards that are not in `used`.

    Returns:
        How many were written to `strengths`, int32[1326], and `holdings`, int64[1326]: see
        `_complete`.
    """
    n = 0
    for i in range(CARDS):
        if used >> i & 1 == 0:
            n = _complete(add(board, i), used, i, 1 << i, n, strengths, holdings)
    return n


@jit
def triples(board: Hand, used: int, strengths: np.ndarray, holdings: np.ndarray) -> int:
    """As `pairs`, with each three cards: int32[22100] and int64[22100]."""
    n = 0
    for i in range(CARDS):
        if used >> i & 1 == 0:
            one = add(board, i)
            for j in range(i):
                if used >> j & 1 == 0:
                    held = 1 << i | 1 << j
                    n = _complete(add(one, j), used, j, held, n, strengths, holdings)
    return n


@jit
def percentiles(
    board: np.ndarray, shown: int, holes: np.ndarray, out: np.ndarray, muscle: int = -1
) -> None:
    """Write for each seat the share of all holdings that its own beats, ties counting one half.

    All holdings: as many hole cards as the seat has, none of them its own or on the board, and none
    with Muscle. Each is evaluated once for all seats, so this takes about as long for six seats as
    for one.

    Args:
        board: The cards on the board, int8[shown or more].
        shown: How many of them are open, 3 to 5.
        holes: Each seat's hole cards, int8[n, 2 or 3]; a suitless jack may be among them.
        out: The shares, from 0 to 1, float[n or more], the first n modified in place.
        muscle: The seat whose hand has Muscle, -1 if none has.
    """
    common = EMPTY
    used = 0
    for card in board[:shown]:
        common = add(common, card)
        used |= 1 << int(card)
    three = holes.shape[1] == 3
    size = _TRIPLES if three else _PAIRS
    strengths, holdings = np.empty(size, np.int32), np.empty(size, np.int64)
    if three:
        count = triples(common, used, strengths, holdings)
    else:
        count = pairs(common, used, strengths, holdings)
    for seat in range(holes.shape[0]):
        hand = common
        own = 0
        for card in holes[seat]:
            hand = add(hand, card)
            own |= 1 << int(card)
        value = strength(hand) | (MUSCLE if seat == muscle else 0)
        out[seat] = _beaten(value, own, strengths[:count], holdings[:count])


@jit
def _beaten(strength: int, own: int, strengths: np.ndarray, holdings: np.ndarray) -> float:
    """The share of `strengths` below `strength`, of those whose `holdings` share no card."""
    points = met = 0
    for k in range(strengths.size):
        if holdings[k] & own == 0:
            met += 1
            points += int(strengths[k] < strength) + int(strengths[k] <= strength)
    return points / (2 * met)


def best_hand(cards: str | Iterable[int], *, muscle: bool = False) -> int:
    """The strength of the best five of 2 to 8 `cards`, as text or numbers.

    >>> best_hand("7h 7s") == best_hand([22, 23]) < best_hand("2c 2d", muscle=True)
    True

    Raises:
        TypeError: if a card is no integer.
        ValueError: if one is no card or occurs twice, or there are too few or too many.
    """
    hand = parse_cards(cards) if isinstance(cards, str) else distinct(cards)
    if not FEWEST <= len(hand) <= MOST:
        raise ValueError(f"a hand is {FEWEST} to {MOST} cards, not {len(hand)}")
    return int(evaluate(np.array(hand, np.int8))) | (MUSCLE if muscle else 0)


_NAMES = "two three four five six seven eight nine ten jack queen king ace".split()


def describe(strength: int) -> str:
    """What a hand of `strength` is called.

    >>> describe(best_hand("As 2d 3c 4h 5s Kd Kh"))
    'straight, five high'
    >>> describe(best_hand("9h 9d 2s 2c 9c", muscle=True))
    'full house, nines over twos, with Muscle'

    Raises:
        ValueError: if no hand has that strength.
    """
    digits = [strength >> at & 15 for at in range(_FIRST, -1, -4)]
    names = [_NAMES[digit - 2] for digit in digits if 2 <= digit <= _ACE]
    kind = category(strength)
    if not names or not 0 <= kind < len(CATEGORIES):
        raise ValueError(f"{strength} is not the strength of a hand")
    plural = [name + ("es" if name == "six" else "s") for name in names]
    shape, kickers = plural[0], names[1:]
    if kind == HIGH_CARD:
        shape = names[0]
    elif kind in (STRAIGHT, STRAIGHT_FLUSH):
        shape = f"{names[0]} high"
    elif kind == TWO_PAIR:
        shape, kickers = f"{plural[0]} and {plural[1]}", names[2:]
    elif kind == FLUSH:
        shape, kickers = " ".join(names), []
    elif kind == FULL_HOUSE:
        shape, kickers = f"{plural[0]} over {plural[1]}", []
    parts = [CATEGORIES[kind]]
    if kind != ROYAL_FLUSH:
        parts.append(shape)
    if kickers:
        parts.append(" ".join(kickers) + (" kicker" if len(kickers) == 1 else " kickers"))
    if strength & MUSCLE:
        parts.append("with Muscle")
    return ", ".join(parts)
