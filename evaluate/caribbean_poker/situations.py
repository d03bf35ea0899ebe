"""All situations in which a seat folds or calls, up to an exchange of suits.

Of the situations that differ by an exchange of suits alone one stands for all: the one that
observations show, whose suits are in the order of the ranks that they hold of the own hand.
"""

from collections.abc import Iterator

import numpy as np

from ...envs.caribbean_poker.state import HAND
from ...envs.engine.cards import CARDS, RANKS, SUITS
from ...envs.engine.jit import jit

_WIDTH, _SUITS = len(RANKS), len(SUITS)
CHUNK = 1000
"""Hands, each with about 39 open cards, that are looked at in one go."""


@jit
def hand_code(cards: np.ndarray) -> int:
    """A hand as one integer: the ranks of each suit, 13 bits, those of the first suit highest."""
    code = 0
    for card in cards:
        code |= 1 << (_WIDTH * (_SUITS - 1 - (int(card) & 3)) + (int(card) >> 2))
    return code


@jit
def _ranks(code: int, suit: int) -> int:
    return code >> (_WIDTH * (_SUITS - 1 - suit)) & ((1 << _WIDTH) - 1)


@jit
def orbit(code: int) -> int:
    """How many hands arise by an exchange of suits; 0 unless this one stands for them."""
    count, same = 24, 1
    for suit in range(1, _SUITS):
        before, here = _ranks(code, suit - 1), _ranks(code, suit)
        if here > before:
            return 0
        same = same + 1 if here == before else 1
        count //= same  # in the end by the factorial of each number of equal suits
    return count


@jit
def _orbits(hands: np.ndarray, out: np.ndarray) -> None:
    for n in range(hands.shape[0]):
        out[n] = orbit(hand_code(hands[n]))


@jit
def _open_cards(
    hands: np.ndarray, orbits: np.ndarray, cards: np.ndarray, weights: np.ndarray
) -> int:
    """Write each hand with each open card that stands for others, and for how many deals of both.

    Args:
        hands: int8[N, 5], each standing for `orbits`, int32[N], hands.
        orbits: See `hands`.
        cards: int8[M, 6], the five cards and the open one, modified in place.
        weights: int32[M], modified in place.

    Returns:
        How many rows were written.
    """
    n = 0
    for h in range(hands.shape[0]):
        code = hand_code(hands[h])
        for up in range(CARDS):
            suit = up & 3
            alike, first, own = 0, True, False
            for other in range(_SUITS):
                if _ranks(code, other) == _ranks(code, suit):
                    alike += 1
                    first = first and other >= suit
            for card in hands[h]:
                own = own or card == up
            if first and not own:
                cards[n, :HAND] = hands[h]
                cards[n, HAND] = up
                weights[n] = orbits[h] * alike
                n += 1
    return n


def representatives(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of all `hands`, int8[N, 5], those that stand for others, and for how many: int32."""
    orbits = np.empty(len(hands), np.int32)
    _orbits(hands, orbits)
    kept = orbits > 0
    return hands[kept], orbits[kept]


def situations(
    hands: np.ndarray, orbits: np.ndarray
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """All situations, some thousands at a time.

    Yields:
        How many hands these are, their cards, int8[M, 6], and their weights, int32[M].
    """
    for start in range(0, len(hands), CHUNK):
        some = hands[start : start + CHUNK]
        cards = np.empty((len(some) * CARDS, HAND + 1), np.int8)
        weights = np.empty(len(cards), np.int32)
        count = _open_cards(some, orbits[start : start + CHUNK], cards, weights)
        yield len(some), cards[:count], weights[:count]
