"""TorchRL: its wrapper takes both kinds of environment, and rolls out with masks."""

import pytest
from ledger import Sums
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from backroom.envs import make, make_parallel


@pytest.mark.parametrize("name", ["the_gang", "cockroach_poker"])
def test_its_own_checks_pass(name):
    check_env_specs(PettingZooWrapper(make_parallel(name)))
    check_env_specs(PettingZooWrapper(make(name), use_mask=True))


@pytest.mark.parametrize("name", ["the_gang", "cockroach_poker"])
def test_returns_are_the_engines(name, conserved):
    """Random actions, drawn by TorchRL from the masks that it was told."""
    env, sums = PettingZooWrapper(make_parallel(name, num_players=3)), Sums()
    for _ in range(1000):
        game = env.rollout(10_000)
        rewards, done = game["next", "player", "reward"][..., 0], game["next", "done"][..., 0]
        for now, over in zip(rewards.tolist(), done.tolist(), strict=True):
            sums.add(now, over)
    conserved(sums.games)


def test_the_example_trains(run_example):
    assert "mean return" in run_example("torchrl", 20)
