"""How the tables of `preflop.py` are computed: every holding against every other on every board.

On a board, holdings are sorted by strength, and one sweep from the weakest counts for each how many
it beats. Boards that differ by an exchange of suits only are played once.
"""

import argparse
import hashlib
import io
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb

import numpy as np

from .cards import CARDS, RANKS
from .jit import jit
from .poker import EMPTY, Hand, add, strength
from .preflop import BILLION, STORED3, TABLE3, cell, cell3

_WIDTH = len(RANKS)
_UNIQUE = 134_459
"""Boards that no exchange of suits turns into each other."""
_SLICE = 1000
"""Boards that one call of a kernel plays."""


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
def _sorted_triples(board: Hand, used: int, keys: np.ndarray) -> int:
    """As `_sorted_holdings`, with holdings of three cards: the highest, the next, the lowest."""
    n = 0
    for i in range(CARDS):
        if used >> i & 1 == 0:
            one = add(board, i)
            for j in range(i):
                if used >> j & 1 == 0:
                    two = add(one, j)
                    for k in range(j):
                        if used >> k & 1 == 0:
                            keys[n] = strength(add(two, k)) << 18 | i << 12 | j << 6 | k
                            n += 1
    keys[:n].sort()
    return n


@jit
def _add_points_of_three(
    keys: np.ndarray, weight: int, seen: np.ndarray, both: np.ndarray, points: np.ndarray
) -> None:
    """As `_add_points`, with holdings of three cards.

    Holdings that share cards are taken off by card; those that share two cards are then off twice,
    and come back by pair.

    Args:
        keys: The holdings, weakest first.
        weight: How many boards this one stands for.
        seen: Scratch, int64[52]: how many of the holdings so far have the card.
        both: Scratch, int64[52, 52]: how many have these two, the higher first.
        points: Added to, int64[13, 13, 13].
    """
    seen[:] = 0
    both[:] = 0
    start = 0
    while start < keys.size:
        end = start + 1
        while end < keys.size and keys[end] >> 18 == keys[start] >> 18:
            end += 1
        for key in keys[start:end]:
            a, b, c = key >> 12 & 63, key >> 6 & 63, key & 63
            sharing = seen[a] + seen[b] + seen[c] - both[a, b] - both[a, c] - both[b, c]
            points[cell3(a, b, c)] += weight * (start - sharing)
        for key in keys[start:end]:
            a, b, c = key >> 12 & 63, key >> 6 & 63, key & 63
            for card in (a, b, c):
                seen[card] += 1
            for high, low in ((a, b), (a, c), (b, c)):
                both[high, low] += 1
        for key in keys[start:end]:  # the holding itself is among `end`, and thrice in each count
            a, b, c = key >> 12 & 63, key >> 6 & 63, key & 63
            sharing = seen[a] + seen[b] + seen[c] - both[a, b] - both[a, c] - both[b, c]
            points[cell3(a, b, c)] += weight * (end - sharing - 1)
        start = end


@jit
def _list_boards(boards: np.ndarray, weights: np.ndarray) -> int:
    """Write a board for all that an exchange of suits makes of it, and how many these are.

    Args:
        boards: The boards, int8[134459, 5], modified in place.
        weights: How many each stands for, int64[134459], modified in place.

    Returns:
        How many boards were written.
    """
    n = 0
    for a in range(CARDS):
        one = add(EMPTY, a)
        for b in range(a):
            two = add(one, b)
            for c in range(b):
                three = add(two, c)
                for d in range(c):
                    four = add(three, d)
                    for e in range(d):
                        weight = _arrangements(add(four, e))
                        if weight:
                            boards[n, 0], boards[n, 1], boards[n, 2] = a, b, c
                            boards[n, 3], boards[n, 4] = d, e
                            weights[n] = weight
                            n += 1
    return n


@jit
def _dealt(board: np.ndarray) -> tuple[Hand, int]:
    """The cards of `board`, int8[5], as a hand and as a set, an integer of 52 bits."""
    hand, used = EMPTY, 0
    for card in board:
        hand = add(hand, card)
        used |= 1 << int(card)
    return hand, used


@jit(nogil=True)
def _play_pairs(boards: np.ndarray, weights: np.ndarray, points: np.ndarray) -> None:
    """Add to `points`, int64[13, 13], what holdings of two cards win on `boards`, int8[n, 5]."""
    keys, seen = np.empty(CARDS * CARDS, np.int64), np.empty(CARDS, np.int64)
    for k in range(weights.size):
        hand, used = _dealt(boards[k])
        count = _sorted_holdings(hand, used, keys)
        _add_points(keys[:count], weights[k], seen, points)


@jit(nogil=True)
def _play_triples(boards: np.ndarray, weights: np.ndarray, points: np.ndarray) -> None:
    """Add to `points`, int64[13, 13, 13], what holdings of three cards win on `boards`."""
    keys = np.empty(CARDS * CARDS * CARDS // 6, np.int64)
    seen, both = np.empty(CARDS, np.int64), np.empty((CARDS, CARDS), np.int64)
    for k in range(weights.size):
        hand, used = _dealt(boards[k])
        count = _sorted_triples(hand, used, keys)
        _add_points_of_three(keys[:count], weights[k], seen, both, points)


_Play = Callable[[np.ndarray, np.ndarray, np.ndarray], None]


def _play_all(play: _Play, shape: tuple[int, ...], threads: int, progress: bool) -> np.ndarray:
    """The points, int64 of `shape`, that `play` counts on all boards, slice by slice."""
    boards, weights = np.empty((_UNIQUE, 5), np.int8), np.empty(_UNIQUE, np.int64)
    count = _list_boards(boards, weights)
    assert count == _UNIQUE and weights.sum() == comb(CARDS, 5)

    def points_from(start: int) -> np.ndarray:
        points = np.zeros(shape, np.int64)
        play(boards[start : start + _SLICE], weights[start : start + _SLICE], points)
        return points

    total = np.zeros(shape, np.int64)
    starts = range(0, _UNIQUE, _SLICE)
    with ThreadPoolExecutor(threads) as pool:
        for start, points in zip(starts, pool.map(points_from, starts), strict=True):
            total += points
            if progress:
                done = min(start + _SLICE, _UNIQUE)
                print(f"\r{done} of {_UNIQUE} boards", end="", file=sys.stderr, flush=True)
    if progress:
        print(file=sys.stderr)
    return total


def compute_equity(*, threads: int = 1, progress: bool = False) -> np.ndarray:
    """The share won by each starting hand against a random one over all boards, ties half.

    Returns:
        float64[13, 13]: suited hands at [higher rank, lower rank], all others at [lower, higher].
    """
    points = _play_all(_play_pairs, (_WIDTH, _WIDTH), threads, progress)
    square = np.ones((_WIDTH, _WIDTH), np.int64)
    hands = 4 * np.tril(square, -1) + 6 * np.eye(_WIDTH, dtype=np.int64) + 12 * np.triu(square, 1)
    equity: np.ndarray = points / (2 * hands * comb(CARDS - 2, 5) * comb(CARDS - 7, 2))
    return equity


def compute_equity3(*, threads: int = 1, progress: bool = False) -> np.ndarray:
    """As `compute_equity`, for three hole cards, of which and the board the best five count.

    Returns:
        float64[13, 13, 13], laid out by `cell3`; 0 where no hand lies.
    """
    points = _play_all(_play_triples, (_WIDTH,) * 3, threads, progress)
    hands = np.zeros_like(points)
    np.add.at(hands, _cells3(_holdings3()), 1)
    games = 2 * hands * comb(CARDS - 3, 5) * comb(CARDS - 8, 3)
    equity: np.ndarray = points / np.maximum(games, 1)
    return equity


def _holdings3() -> np.ndarray:
    """All holdings of three cards, int8[22100, 3]."""
    return np.array(list(combinations(range(CARDS), 3)), np.int8)


def _cells3(holdings: np.ndarray) -> tuple[np.ndarray, ...]:
    """Where the table has `holdings`, int8[n, 3]: three arrays to index it with, int64[n]."""
    return tuple(np.array([cell3(a, b, c) for a, b, c in holdings]).T)


def percentile_points3(equity: np.ndarray) -> np.ndarray:
    """Compare each starting hand with all holdings of three other cards, by `equity`.

    Args:
        equity: As of `compute_equity3`; only its order counts.

    Returns:
        uint16[13, 13, 13], 0 to 36848: two for each of the 18,424 holdings with less equity, one
        for each with the same; 0 where no hand lies.
    """
    holdings = _holdings3()
    cells = _cells3(holdings)
    values = equity[cells]
    points = np.zeros(equity.shape, np.uint16)
    _, examples = np.unique(np.ravel_multi_index(cells, equity.shape), return_index=True)
    for k in examples:
        others = values[~np.isin(holdings, holdings[k]).any(axis=1)]
        where = tuple(index[k] for index in cells)
        points[where] = 2 * np.sum(others < values[k]) + np.sum(others == values[k])
    return points


def _write_table3(threads: int) -> None:
    """Compute the table of three hole cards, put it in its place, and print its digest."""
    equity = compute_equity3(threads=threads, progress=True)
    table = np.zeros(equity.shape, STORED3)
    table["equity"] = (equity * BILLION).round()
    table["points"] = percentile_points3(equity)
    buffer = io.BytesIO()
    np.save(buffer, table)
    part = TABLE3.with_suffix(".part")
    part.write_bytes(buffer.getvalue())
    part.replace(TABLE3)
    print(f"{TABLE3}: TABLE3_SHA256 is {hashlib.sha256(buffer.getvalue()).hexdigest()}")


def _main() -> None:
    parser = argparse.ArgumentParser(description="Compute what hole cards are worth.")
    parser.add_argument("--cards", type=int, choices=(2, 3), default=2)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if options.cards == 3:
        _write_table3(options.threads)
        return
    for row in compute_equity(threads=options.threads, progress=True)[::-1, ::-1]:
        print(*(f"{share * 1e6:.0f}" for share in row))


if __name__ == "__main__":
    _main()
