"""CleanRL style: a loop over `make_vector`, as single-file algorithms have it."""

import numpy as np
import pytest

from backroom.envs import make_vector


def test_returns_are_the_engines(short, conserved):
    """Random legal actions; games of one batch end in the order of their rows."""
    chance = np.random.default_rng(7)
    games, now, sums = make_vector(short, 64), np.zeros(64), []
    games.reset(seed=7)
    while len(sums) < 1000:
        actions = chance.random(games.action_masks().shape)
        actions[~games.action_masks()] = -1
        _, rewards, done, _, _ = games.step(actions.argmax(axis=1))
        now += rewards
        sums += [(earned,) for earned in now[done].tolist()]
        now[done] = 0
    conserved(sums)


@pytest.mark.slow
def test_the_example_trains(run_example):
    assert "mean return" in run_example("cleanrl", 30)
