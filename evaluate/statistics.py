"""Figures with their intervals. All intervals are at 95 % unless told otherwise.

What is drawn independently is the deal: games on one deal, with seats rotated, belong together, so
the functions take one row a deal. None of them touches a global random generator.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

CONFIDENCE = 0.95
MANY = 30
"""So many deals do not agree by chance."""
ROUNDING = 1e-6
"""What is less than this share of the bounds comes from rounding: returns are float32."""


class Estimate(NamedTuple):
    """A figure and the interval that holds its true value in 95 of 100 such samples."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        """Mean and interval, to three digits: `0.25 [0.21, 0.29]`; of what is exact, the mean."""
        ends = "" if self.exact else f" [{self.low:.3g}, {self.high:.3g}]"
        return f"{self.mean:.3g}{ends}"

    @property
    def exact(self) -> bool:
        """Whether nothing is uncertain, as of what is worked out rather than sampled."""
        return self.low == self.mean == self.high

    def interval(self) -> str:
        """The interval alone, to four digits.

        >>> Estimate(0.25, 0.21, 0.29).interval(), Estimate(2.0, 2.0, 2.0).interval()
        ('0.21 to 0.29', 'exact')
        >>> Estimate(0.5, float("-inf"), 1.0).interval(), NOTHING.interval()
        ('? to 1', '')
        """
        if np.isnan(self.mean):
            return ""
        low, high = (f"{end:.4g}" if np.isfinite(end) else "?" for end in (self.low, self.high))
        return "exact" if self.exact else f"{low} to {high}"


NOTHING = Estimate(float("nan"), float("nan"), float("nan"))
"""Of a figure that no game says anything of."""


def _t(count: int, confidence: float) -> float:
    """How many standard errors an interval of a mean of `count` values reaches to each side."""
    if count < 2:
        return float("inf")
    return float(special.stdtrit(count - 1, (1 + confidence) / 2))


def mean(
    values: np.ndarray,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Mean of independent `values`, float[D], that lie within `bounds`: Student's interval.

    Where all values are one and the same bound, there is no spread to measure: then the interval is
    that of a share (see `wilson`), as if each value could have been the other bound instead. One
    value alone says nothing of the spread: its interval is `bounds`. Values that are all 0 but for
    rounding, such as the table's mean where what one wins another loses, are exactly 0.

    >>> str(mean(np.array([1.0, 2.0, 3.0])))
    '2 [-0.484, 4.48]'
    """
    values = np.asarray(values, np.float64)
    low, high = bounds
    count = len(values)
    if count == 0:
        return NOTHING
    middle = float(values.mean())
    if np.isfinite(high - low):
        if low < 0 < high and np.abs(values).max() < ROUNDING * (high - low):
            values = np.zeros(count)
            middle = 0.0
        for bound, hits in ((low, 0), (high, count)):
            if np.allclose(values, bound, rtol=0, atol=ROUNDING * (high - low)):
                _, *ends = wilson(hits, count, confidence)
                return Estimate(middle, *(low + (high - low) * end for end in ends))
    if count == 1:
        return Estimate(middle, low, high)
    reach = _t(count, confidence) * float(values.std(ddof=1)) / count**0.5
    return Estimate(middle, max(low, middle - reach), min(high, middle + reach))


def wilson(hits: float, of: float, confidence: float = CONFIDENCE) -> Estimate:
    """A share: `hits` of `of` independent trials (Wilson 1927); proper at 0 and 1 too.

    >>> str(wilson(0, 10))
    '0 [0, 0.278]'
    """
    if of <= 0:
        return NOTHING
    return _score(hits / of, of, float(special.ndtri((1 + confidence) / 2)))


def _score(share: float, trials: float, reach: float) -> Estimate:
    """Wilson's interval that reaches `reach` standard errors to each side."""
    if not np.isfinite(reach):
        return Estimate(share, 0.0, 1.0)
    scale = 1 + reach**2 / trials
    middle = (share + reach**2 / (2 * trials)) / scale
    width = reach / scale * (share * (1 - share) / trials + reach**2 / (4 * trials**2)) ** 0.5
    low = 0.0 if share == 0 else max(0.0, middle - width)
    high = 1.0 if share == 1 else min(1.0, middle + width)
    return Estimate(share, low, high)


def ratio(tops: np.ndarray, bottoms: np.ndarray, confidence: float = CONFIDENCE) -> Estimate:
    """Sum of `tops` over sum of `bottoms`, float[D] each, one row an independent deal.

    Student's interval with the linearised standard error of a ratio (Cochran 1977, section 6.4).

    >>> str(ratio(np.array([1.0, 3.0]), np.array([2.0, 2.0])))
    '1 [-5.35, 7.35]'
    """
    tops, bottoms = np.asarray(tops, np.float64), np.asarray(bottoms, np.float64)
    total, count = float(bottoms.sum()), len(bottoms)
    if total <= 0:
        return NOTHING
    value = float(tops.sum()) / total
    if count < 2:
        return Estimate(value, -np.inf, np.inf)
    reach = _t(count, confidence) * _error_of_ratio(tops, bottoms)
    return Estimate(value, value - reach, value + reach)


def _error_of_ratio(tops: np.ndarray, bottoms: np.ndarray) -> float:
    total, count = bottoms.sum(), len(bottoms)
    rest = tops - tops.sum() / total * bottoms
    return float((count / (count - 1) * (rest**2).sum()) ** 0.5 / total)


def share(hits: np.ndarray, of: np.ndarray, confidence: float = CONFIDENCE) -> Estimate:
    """Sum of `hits` over sum of `of`, 0 <= hits <= of, float[D] each, one row a deal.

    Wilson's interval for as many independent trials as would have the standard error that `ratio`
    finds. At 0 and 1, where it finds none, each deal with any trial counts as one. A share that is
    the same in each of MANY deals is so by the rules, such as one loser of three: it is exact.

    >>> str(share(np.array([0.0] * 10), np.array([4.0] * 10)))
    '0 [0, 0.339]'
    """
    hits, of = np.asarray(hits, np.float64), np.asarray(of, np.float64)
    deals = int((of > 0).sum())
    if deals == 0:
        return NOTHING
    value = float(hits.sum() / of.sum())
    reach = _t(deals, confidence)
    if deals == 1 or value in (0.0, 1.0):
        return _score(value, deals, reach)
    error = _error_of_ratio(hits, of)
    if error > 1e-12:
        return _score(value, value * (1 - value) / error**2, reach)
    return Estimate(value, value, value) if deals >= MANY else _score(value, float(of.sum()), reach)


def interquartile_mean(scores: np.ndarray) -> float:
    """Mean of the middle half of all scores; a quarter, rounded down, is cut off at each end.

    >>> interquartile_mean(np.array([9.0, 1.0, 2.0, 3.0, -50.0]))
    2.0
    """
    return float(_middle_half(np.asarray(scores, np.float64).reshape(1, -1))[0])


def _middle_half(rows: np.ndarray) -> np.ndarray:
    cut = rows.shape[1] // 4
    middle: np.ndarray = np.sort(rows, axis=1)[:, cut : rows.shape[1] - cut].mean(axis=1)
    return middle


def over_seeds(
    scores: np.ndarray,
    seed: int = 0,
    resamples: int = 10_000,
    confidence: float = CONFIDENCE,
    figure: Callable[[np.ndarray], np.ndarray] = _middle_half,
) -> Estimate:
    """Interquartile mean of `scores`, float[seeds, tasks], with its stratified bootstrap interval.

    Training seeds are drawn anew for each task by itself (Agarwal et al. 2021); the interval holds
    the middle 95 % of what the figure is then.

    Args:
        scores: one row a training seed, one column a task; float[seeds] is one task.
        seed: of the drawing.
        resamples: how often seeds are drawn anew.
        confidence: of the interval.
        figure: float[R, seeds * tasks] -> float[R], if not the interquartile mean.

    Raises:
        ValueError: if there are fewer than two seeds.
    """
    scores = np.asarray(scores, np.float64)
    scores = scores[:, None] if scores.ndim == 1 else scores
    seeds, tasks = scores.shape
    if seeds < 2:
        raise ValueError(f"an interval over seeds needs two at least, not {seeds}")
    chance = np.random.default_rng(seed)
    drawn = chance.integers(seeds, size=(resamples, seeds, tasks))
    again = np.take_along_axis(scores[None], drawn, axis=1).reshape(resamples, -1)
    tail = (1 - confidence) / 2
    low, high = np.quantile(figure(again), [tail, 1 - tail])
    return Estimate(float(figure(scores.reshape(1, -1))[0]), float(low), float(high))
