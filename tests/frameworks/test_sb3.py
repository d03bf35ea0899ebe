"""stable-baselines3: MaskablePPO samples whole games with masks, and no reward is lost."""

import pytest
from ledger import Sums
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from backroom.envs import make_single


class Rewards(BaseCallback):
    """Sums up what the learner is handed, until enough games are over."""

    def __init__(self, games):
        super().__init__()
        self.sums, self.wanted = Sums(), games

    def _on_step(self):
        self.sums.add(self.locals["rewards"], bool(self.locals["dones"][0]))
        return len(self.sums.games) < self.wanted


def test_returns_are_the_engines(short, conserved):
    games = DummyVecEnv([lambda: make_single(short, flatten=True)])
    model = MaskablePPO("MlpPolicy", games, n_steps=512, n_epochs=1, batch_size=512, seed=7)
    told = Rewards(1000)
    model.learn(1_000_000, told)
    conserved(told.sums.games)


@pytest.mark.slow
def test_the_example_trains(run_example):
    assert "mean return" in run_example("sb3", 10_000)
