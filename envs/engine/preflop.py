"""What two or three hole cards are worth before the flop.

The equities are exact: each starting hand against a random one of as many cards, over all boards.
`equity.py` computes them. The first command prints the table below anew, within a minute; the
second writes `preflop3.npy` anew, in some minutes, and prints what `TABLE3_SHA256` is to be:

    python -m backroom.envs.engine.equity
    python -m backroom.envs.engine.equity --cards 3
"""

from math import comb
from pathlib import Path

import numpy as np

from .cards import CARDS, RANKS, rank, suit
from .jit import jit

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

EQUITY: np.ndarray = (
    np.array(_TABLE.split(), float).reshape(len(RANKS), len(RANKS))[::-1, ::-1] / 1e6
)
"""The share that each starting hand wins against a random one, ties half, to six places:
float64[13, 13], suited hands at [higher rank, lower rank], pairs and others at [lower, higher]."""


def _percentiles() -> np.ndarray:
    """For each starting hand: which share of the holdings without its cards has less equity."""
    high, low = np.tril_indices(CARDS, -1)  # each two cards, the higher first
    suited = high % 4 == low % 4
    equity = np.where(suited, EQUITY[high // 4, low // 4], EQUITY[low // 4, high // 4])
    shares = np.empty_like(EQUITY)
    for row, column in np.ndindex(shares.shape):
        cards = row * 4, column * 4 + (row <= column)  # an example: of two suits
        others = equity[~np.isin(high, cards) & ~np.isin(low, cards)]
        own = EQUITY[row, column]
        shares[row, column] = np.mean((others < own) + (others == own) / 2)
    return shares


PERCENTILE = _percentiles()
"""Where a starting hand's equity stands among those of all holdings without its cards, ties half:
float64[13, 13] from 0 to 1, laid out as `EQUITY`."""

BILLION = 10**9
TABLE3 = Path(__file__).with_name("preflop3.npy")
"""The table of three hole cards: `STORED3`[13, 13, 13], laid out by `cell3`, 0 where no hand lies.
"""
TABLE3_SHA256 = "325504df446b405db70ca2f6d58bf594ac0461e76a135f04ea2a65dae22159f6"
"""Its digest. The cache of compiled code is named by source text alone, so this changes with it."""

STORED3 = np.dtype([("equity", "<u4"), ("points", "<u2")])
"""The equity in billionths, rounded; the percentile, exact, in half holdings."""

_HOLDINGS3 = comb(CARDS - 3, 3)
_stored = np.load(TABLE3)

EQUITY3: np.ndarray = _stored["equity"] / BILLION
"""The share that three hole cards win against a random three, best five of eight, ties half, to
nine places: float64[13, 13, 13], laid out by `cell3`."""

PERCENTILE3: np.ndarray = _stored["points"] / (2 * _HOLDINGS3)
"""Where that stands among the equities of all holdings of three other cards, ties half:
float64[13, 13, 13] from 0 to 1, laid out by `cell3`."""


@jit
def percentile(a: int, b: int) -> float:
    """The percentile of hole cards `a` and `b`, the suitless jack counting as one of another suit.

    >>> round(percentile(51, 50), 4), round(percentile(4, 1), 4)  # two aces; 3 2 of two suits
    (0.9996, 0.0029)
    """
    return float(PERCENTILE[cell(a, b)])


@jit
def cell(a: int, b: int) -> tuple[int, int]:
    """Where the table has hole cards `a` and `b`: suited [high, low], else [low, high]."""
    high, low = max(rank(a), rank(b)), min(rank(a), rank(b))
    return (high, low) if suit(a) == suit(b) else (low, high)


@jit
def percentile3(a: int, b: int, c: int) -> float:
    """The percentile of three hole cards, the suitless jack counting as one of another suit.

    >>> round(percentile3(51, 50, 49), 4), round(percentile3(22, 5, 0), 4)  # AAA; 732
    (1.0, 0.0003)
    """
    return float(PERCENTILE3[cell3(a, b, c)])


@jit
def cell3(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Where the table has hole cards `a`, `b` and `c`, by their ranks.

    One suit: [middle, low, high]. Three suits: [low, middle, high]. Two suits: the rank of the card
    of the other suit, then the higher and the lower of the two that share one.
    """
    if rank(a) < rank(b):
        a, b = b, a
    if rank(b) < rank(c):
        b, c = c, b
    if rank(a) < rank(b):
        a, b = b, a
    high, middle, low = rank(a), rank(b), rank(c)
    if suit(a) == suit(b) == suit(c):
        return middle, low, high
    if suit(b) == suit(c):
        return high, middle, low
    if suit(a) == suit(c):
        return middle, high, low
    if suit(a) == suit(b):
        return low, high, middle
    return low, middle, high
