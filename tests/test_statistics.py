"""Figures and their intervals, against answers worked out by hand."""

import doctest
import math

import numpy as np
import pytest
from scipy import stats

from backroom.evaluate import statistics
from backroom.evaluate.statistics import (
    MANY,
    Estimate,
    interquartile_mean,
    mean,
    over_seeds,
    ratio,
    share,
    wilson,
)


def close(estimate, *expected):
    assert tuple(estimate) == pytest.approx(expected, abs=1e-4)


def test_examples():
    assert doctest.testmod(statistics).failed == 0


def test_mean_is_students():
    # standard error 1 / sqrt(3); t(2 degrees) = 4.3027
    close(mean(np.array([1, 2, 3])), 2, 2 - 2.4841, 2 + 2.4841)
    values = np.random.default_rng(0).normal(size=50)
    error = values.std(ddof=1) / 50**0.5
    expected = stats.t.interval(0.9, 49, values.mean(), error)
    close(mean(values, confidence=0.9), values.mean(), *expected)


def test_mean_stays_within_bounds():
    close(mean(np.array([1, 2, 3]), (0, 4)), 2, 0, 4)


def test_mean_of_one_value_knows_nothing_but_the_bounds():
    close(mean(np.array([0.5]), (-1, 1)), 0.5, -1, 1)
    assert mean(np.array([0.5])) == Estimate(0.5, -math.inf, math.inf)
    assert all(math.isnan(end) for end in mean(np.array([])))


@pytest.mark.parametrize("bound", [-1, 1 / 3])
def test_mean_at_a_bound_is_not_certain(bound):
    """Ten losses of ten: as 0 of 10, whose interval ends at 3.8415 / 13.8415 = 0.2775."""
    found = mean(np.full(10, bound, np.float32), (-1, 1 / 3))
    reach = 0.2775 * (4 / 3)
    if bound < 0:
        close(found, -1, -1, -1 + reach)
    else:
        close(found, 1 / 3, 1 / 3 - reach, 1 / 3)


def test_mean_that_is_zero_by_the_rules_is_exact():
    assert mean(np.zeros(100), (-2, 2)) == Estimate(0, 0, 0)


def test_mean_that_is_zero_but_for_rounding_is_zero():
    """A loser of three pays the others half each, in float32 a bit more or less."""
    third = np.array([-1, 1 / 3, 1 / 3 + 1 / 3]).astype(np.float32).astype(float)
    values = np.full(100, third.sum())
    values[::2] *= -1
    assert abs(values[0]) > 0
    assert mean(values, (-1, 1 / 3)) == Estimate(0, 0, 0)
    assert mean(values + 0.01, (-1, 1 / 3)).low > 0.009


@pytest.mark.parametrize(("hits", "of"), [(0, 10), (1, 10), (5, 10), (10, 10), (37, 100), (1, 1)])
def test_wilson(hits, of):
    exact = stats.binomtest(hits, of).proportion_ci(method="wilson")
    close(wilson(hits, of), hits / of, exact.low, exact.high)


def test_wilson_by_hand():
    close(wilson(5, 10), 0.5, 0.2366, 0.7634)
    close(wilson(0, 10), 0, 0, 0.2775)
    assert all(math.isnan(end) for end in wilson(0, 0))


def test_ratio_by_hand():
    # 6 of 9; rests 1/3, 2/3, -1: standard error sqrt(3/2 * 14/9) / 9 = 0.16973; t(2) = 4.3027
    close(ratio(np.array([1, 2, 3]), np.array([1, 2, 6])), 2 / 3, 2 / 3 - 0.7303, 2 / 3 + 0.7303)


def test_ratio_without_trials_is_nothing():
    for interval in (ratio, share):
        assert all(math.isnan(end) for end in interval(np.zeros(3), np.zeros(3)))
    assert ratio(np.array([1]), np.array([2])) == Estimate(0.5, -math.inf, math.inf)


def test_share_of_single_trials():
    """4 of 10, one trial a deal: Wilson's interval for 9 trials, reaching t(9) = 2.2622."""
    hits = np.array([1] * 4 + [0] * 6)
    p, n, t = 0.4, 9, 2.2622
    middle = (p + t**2 / (2 * n)) / (1 + t**2 / n)
    reach = t / (1 + t**2 / n) * (p * (1 - p) / n + t**2 / (4 * n**2)) ** 0.5
    close(share(hits, np.ones(10)), p, middle - reach, middle + reach)


def test_share_counts_deals_and_not_trials():
    """Four heists of a deal that go alike say no more than one."""
    hits = np.array([1, 0, 0, 1, 1, 0, 1, 1, 1, 0])
    assert share(4 * hits, np.full(10, 4)) == pytest.approx(share(hits, np.ones(10)))


@pytest.mark.parametrize("value", [0, 1])
def test_share_of_none_or_all_is_not_certain(value):
    found = share(np.full(10, 4 * value), np.full(10, 4))
    reach = 2.2622**2 / (10 + 2.2622**2)
    close(found, value, *((1 - reach, 1) if value else (0, reach)))


def test_share_of_one_deal_knows_nothing():
    assert share(np.array([2.0]), np.array([4.0])) == Estimate(0.5, 0, 1)


def test_share_that_is_the_same_in_many_deals_is_exact():
    one_of_three = share(np.ones(MANY), np.full(MANY, 3))
    assert one_of_three == Estimate(1 / 3, 1 / 3, 1 / 3)
    few = share(np.ones(3), np.full(3, 3))
    assert few.low < 0.2 < 0.5 < few.high


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Deals with luck of their own: 4 games each whose chance of success is 0.2 or 0.8."""
    chance, held, naive = np.random.default_rng(1), 0, 0
    for _ in range(1000):
        odds = chance.choice([0.2, 0.8], size=40)
        hits = chance.binomial(4, odds)
        found = share(hits, np.full(40, 4))
        held += found.low <= 0.5 <= found.high
        alone = wilson(hits.sum(), 160)
        naive += alone.low <= 0.5 <= alone.high
    assert 0.93 < held / 1000 < 0.97
    assert naive / 1000 < 0.9


def test_interquartile_mean():
    assert interquartile_mean(np.array([9, 1, 2, 3, -50])) == 2  # one is cut off at each end
    assert interquartile_mean(np.arange(8)) == 3.5  # 2, 3, 4, 5
    assert interquartile_mean(np.array([[4.0], [6.0]])) == 5
    scores = np.random.default_rng(2).normal(size=(10, 7))
    assert interquartile_mean(scores) == pytest.approx(stats.trim_mean(scores, 0.25, axis=None))


def test_over_seeds_by_hand():
    """Of two seeds with 0 and 1, drawn anew: 0 in 1 of 4 cases, 0.5 in 2, 1 in 1."""
    scores = np.array([0.0, 1.0])
    assert over_seeds(scores) == Estimate(0.5, 0, 1)
    assert over_seeds(scores, confidence=0.4) == Estimate(0.5, 0.5, 0.5)


def test_over_seeds_draws_within_tasks():
    """Each task is the same for all seeds: nothing is uncertain, though the tasks differ."""
    assert over_seeds(np.array([[0.0, 10.0]] * 5)) == Estimate(5, 5, 5)


def test_over_seeds_is_a_bootstrap():
    scores = np.random.default_rng(3).normal(size=12)
    found = over_seeds(scores, figure=lambda rows: rows.mean(axis=1), resamples=20_000)
    exact = stats.bootstrap(
        (scores,),
        np.mean,
        method="percentile",
        n_resamples=20_000,
        random_state=np.random.default_rng(0),
    )
    assert found.low == pytest.approx(exact.confidence_interval.low, abs=0.03)
    assert found.high == pytest.approx(exact.confidence_interval.high, abs=0.03)


def test_over_seeds_wants_two():
    with pytest.raises(ValueError, match="two at least, not 1"):
        over_seeds(np.array([[1.0, 2.0, 3.0]]))


def test_no_global_generator_is_touched():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    scores = np.random.default_rng(4).normal(size=(5, 3))
    first, second = over_seeds(scores, seed=7), over_seeds(scores, seed=7)
    assert first == second != over_seeds(scores, seed=8)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_estimates_as_text():
    assert str(Estimate(0.25, 0.2141, 0.29)) == "0.25 [0.214, 0.29]"
    assert str(Estimate(0.04484, 0.04484, 0.04484)) == "0.0448"
    assert Estimate(0.04484, 0.04484, 0.04484).interval() == "exact"
    assert Estimate(0.04484, 0.04483, 0.04485).interval() == "0.04483 to 0.04485"
