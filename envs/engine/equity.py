"""How the table of `preflop.py` is computed: every holding against every other on every board.

On a board, holdings are sorted by strength, and one sweep from the weakest counts for each how many
it beats. Boards that differ by an exchange of suits only are played once.
"""

from math import comb

import numpy as np

from .cards import CARDS, RANKS
from .jit import jit
from .poker import EMPTY, Hand, add, strength
from .preflop import cell

_WIDTH = len(RANKS)


@jit
def _arrangements(board: Hand) -> int:
    """How many boards arise from `board` by exchanging suits, 0 unless it stands for them all.

    The one that stands for all has its suits' sets of ranks in descending order.
    """
    full = (1 << _WIDTH) - 1
    same = 1
    count = 24
    last = board.suited & full
    for s in range(1, 4):
        ranks = board.suited >> (_WIDTH * s) & full
        if ranks > last:
            return 0
        same = same + 1 if ranks == last else 1
        count //= same  # in the end by the factorial of each number of equal suits
        last = ranks
    return count


@jit
def _sorted_holdings(board: Hand, used: int, keys: np.ndarray) -> int:
    """Write the holdings that `board` leaves, weakest first; return how many there are.

    A key is the holding's strength and its two cards, 6 bits each.
    """
    n = 0
    for i in range(CARDS):
        if used >> i & 1 == 0:
            one = add(board, i)
            for j in range(i):
                if used >> j & 1 == 0:
                    keys[n] = strength(add(one, j)) << 12 | i << 6 | j
                    n += 1
    keys[:n].sort()
    return n


@jit
def _add_points(keys: np.ndarray, weight: int, seen: np.ndarray, points: np.ndarray) -> None:
    """Add to each holding's cell: per other holding 2 for beating it, 1 for a tie, times `weight`.

    Holdings that share a card do not meet, so they are taken off by card.

    Args:
        keys: The holdings, weakest first.
        weight: How many boards this one stands for.
        seen: Scratch, int64[52]: how many of the holdings so far have the card.
        points: Added to, int64[13, 13].
    """
    seen[:] = 0
    start = 0
    while start < keys.size:
        end = start + 1
        while end < keys.size and keys[end] >> 12 == keys[start] >> 12:
            end += 1
        for key in keys[start:end]:
            a, b = key >> 6 & 63, key & 63
            points[cell(a, b)] += weight * (start - seen[a] - seen[b])
        for key in keys[start:end]:
            seen[key >> 6 & 63] += 1
            seen[key & 63] += 1
        for key in keys[start:end]:  # the holding itself is among `end`, and under both its cards
            a, b = key >> 6 & 63, key & 63
            points[cell(a, b)] += weight * (end - seen[a] - seen[b] + 1)
        start = end


@jit
def _boards(first: int, points: np.ndarray) -> int:
    """Play all boards whose lowest card is `first`; return how many, those that are alike too."""
    keys = np.empty(CARDS * CARDS, np.int64)
    seen = np.empty(CARDS, np.int64)
    boards = 0
    one = add(EMPTY, first)
    for b in range(first + 1, CARDS):
        two = add(one, b)
        for c in range(b + 1, CARDS):
            three = add(two, c)
            for d in range(c + 1, CARDS):
                four = add(three, d)
                for e in range(d + 1, CARDS):
                    five = add(four, e)
                    weight = _arrangements(five)
                    if weight:
                        used = 1 << first | 1 << b | 1 << c | 1 << d | 1 << e
                        count = _sorted_holdings(five, used, keys)
                        _add_points(keys[:count], weight, seen, points)
                        boards += weight
    return boards


def compute_equity() -> np.ndarray:
    """The share won by each starting hand against a random one over all boards, ties half.

    Returns:
        float64[13, 13]: suited hands at [higher rank, lower rank], all others at [lower, higher].
    """
    points = np.zeros((_WIDTH, _WIDTH), np.int64)
    boards = sum(_boards(first, points) for first in range(CARDS))
    assert boards == comb(CARDS, 5)
    square = np.ones((_WIDTH, _WIDTH), np.int64)
    hands = 4 * np.tril(square, -1) + 6 * np.eye(_WIDTH, dtype=np.int64) + 12 * np.triu(square, 1)
    equity: np.ndarray = points / (2 * hands * comb(CARDS - 2, 5) * comb(CARDS - 7, 2))
    return equity


if __name__ == "__main__":
    for row in compute_equity()[::-1, ::-1]:
        print(*(f"{share * 1e6:.0f}" for share in row))
