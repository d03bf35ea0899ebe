"""What two hole cards are worth before the flop.

The equities are exact: each starting hand against a random one, over all boards. This prints the
table below anew, within a minute:

    python -m backroom.envs.engine.preflop
"""

from math import comb

import numpy as np

from .cards import CARDS, RANKS, rank, suit
from .jit import jit
from .poker import EMPTY, Hand, add, strength

_WIDTH = len(RANKS)

# Equities in millionths. Rows and columns from ace to 2; suited hands above the diagonal.
_TABLE = """
852037 670446 662089 653927 646024 627812 619438 609840 599058 599229 590336 582203 573789
653201 823957 634004 625673 617886 599885 583123 575377 566407 557929 548846 540550 532117
644318 614558 799252 602592 594676 576643 560177 543023 536126 527694 518553 510192 501690
635633 605687 581347 774695 575279 556625 540156 523248 506059 499868 490705 482316 473782
627217 597389 572908 552477 750118 540275 523344 506390 489407 472163 465305 456925 448395
607728 578119 553604 532512 515317 720573 508008 491177 474283 457219 438620 432643 424152
598726 560202 535998 514902 497213 480970 691630 479363 462433 445450 427016 408735 402716
588412 551874 517657 496819 479081 462978 450508 662360 453718 436755 418493 400359 381559
576825 542233 510241 478443 460920 444913 432409 423227 632847 431334 413333 395336 376690
576965 533140 501201 471809 442509 426691 414275 405120 399443 603249 414534 396930 378493
567297 523275 491277 461864 435041 406711 394468 385498 380105 381553 570228 386419 368290
558446 514257 482194 452755 425946 400195 374838 366023 360776 362648 351459 536931 359844
549286 505087 472954 443485 416684 390979 368277 345836 340751 342846 331998 323032 503340
"""

EQUITY: np.ndarray = np.array(_TABLE.split(), float).reshape(_WIDTH, _WIDTH)[::-1, ::-1] / 1e6
"""The share that each starting hand wins against a random one, ties half, to six places:
float64[13, 13], suited hands at [higher rank, lower rank], pairs and others at [lower, higher]."""


def _percentiles() -> np.ndarray:
    """For each starting hand: which share of the holdings without its cards has less equity."""
    high, low = np.tril_indices(CARDS, -1)  # each two cards, the higher first
    suited = high % 4 == low % 4
    equity = np.where(suited, EQUITY[high // 4, low // 4], EQUITY[low // 4, high // 4])
    shares = np.empty_like(EQUITY)
    for cell in np.ndindex(shares.shape):
        cards = cell[0] * 4, cell[1] * 4 + (cell[0] <= cell[1])  # an example: of two suits
        others = equity[~np.isin(high, cards) & ~np.isin(low, cards)]
        own = EQUITY[cell]
        shares[cell] = np.mean((others < own) + (others == own) / 2)
    return shares


PERCENTILE = _percentiles()
"""Where a starting hand's equity stands among those of all holdings without its cards, ties half:
float64[13, 13] from 0 to 1, laid out as `EQUITY`."""


@jit
def percentile(a: int, b: int) -> float:
    """The percentile of hole cards `a` and `b`, the suitless jack counting as one of another suit.

    >>> round(percentile(51, 50), 4), round(percentile(4, 1), 4)  # two aces; 3 2 of two suits
    (0.9996, 0.0029)
    """
    return float(PERCENTILE[_cell(a, b)])


@jit
def _cell(a: int, b: int) -> tuple[int, int]:
    """Where the table has hole cards `a` and `b`: suited [high, low], else [low, high]."""
    high, low = max(rank(a), rank(b)), min(rank(a), rank(b))
    return (high, low) if suit(a) == suit(b) else (low, high)


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
            points[_cell(a, b)] += weight * (start - seen[a] - seen[b])
        for key in keys[start:end]:
            seen[key >> 6 & 63] += 1
            seen[key & 63] += 1
        for key in keys[start:end]:  # the holding itself is among `end`, and under both its cards
            a, b = key >> 6 & 63, key & 63
            points[_cell(a, b)] += weight * (end - seen[a] - seen[b] + 1)
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
