"""TorchRL: its wrapper takes the parallel environment, and rolls out with masks."""

from ledger import Sums
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from backroom.envs import make_parallel


def test_its_own_checks_pass(short):
    check_env_specs(PettingZooWrapper(make_parallel(short)))


def test_returns_are_the_engines(short, conserved):
    """Random actions, drawn by TorchRL from the masks that it was told."""
    env, sums = PettingZooWrapper(make_parallel(short)), Sums()
    for _ in range(1000):
        game = env.rollout(10_000)
        rewards, done = game["next", "player", "reward"][..., 0], game["next", "done"][..., 0]
        for now, over in zip(rewards.tolist(), done.tolist(), strict=True):
            sums.add(now, over)
    conserved(sums.games)


def test_the_example_trains(run_example):
    assert "mean return" in run_example("torchrl", 20)
