"""What two hole cards are worth before the flop.

The equities are exact: each starting hand against a random one, over all boards. `equity.py`
computes them; this prints the table below anew, within a minute:

    python -m backroom.envs.engine.equity
"""

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
