"""SuperSuit: many tables as one vector environment, each row a seat."""

import numpy as np
import pytest
import supersuit

from backroom.envs import make_parallel
from backroom.train.adapters.infos import MasksInInfos

TABLES = 4


def test_returns_are_the_engines(short, conserved):
    """Random legal actions of all seats at several tables; rows of a table follow each other."""
    env = supersuit.pettingzoo_env_to_vec_env_v1(MasksInInfos(make_parallel(short)))
    games = supersuit.concat_vec_envs_v1(env, TABLES, base_class="gymnasium")
    chance = np.random.default_rng(7)
    _, infos = games.reset(seed=7)
    now, sums = np.zeros((TABLES, short.players)), []
    while len(sums) < 1000:
        masks = np.stack([info["action_mask"] for info in infos]).astype(bool)
        wishes = np.where(masks, chance.random(masks.shape), -1)
        _, rewards, over, _, infos = games.step(wishes.argmax(axis=1))
        now += rewards.reshape(TABLES, short.players)
        done = over.reshape(TABLES, short.players).all(axis=1)
        sums += [tuple(earned) for earned in now[done].tolist()]
        now[done] = 0
    conserved(sums)


def test_wrappers_take_the_plain_observations():
    env = supersuit.frame_stack_v1(MasksInInfos(make_parallel("kuhn")), 2)
    observations, infos = env.reset(seed=7)
    size = make_parallel("kuhn").game.observation_size
    assert observations["player_0"].shape == (2 * size,)
    assert infos["player_1"]["action_mask"].tolist() == [0, 0, 1]


@pytest.mark.slow
def test_the_example_trains(run_example):
    assert "mean return" in run_example("supersuit", 10)
