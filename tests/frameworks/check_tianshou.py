"""Tianshou: its collectors hand on all rewards and its policies keep to the masks."""

import numpy as np
from gymnasium.spaces import Discrete
from ledger import Sums
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, ReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

from backroom.envs import make


def test_returns_are_the_engines(short, conserved):
    env = PettingZooEnv(make(short))
    assert isinstance(env.action_space, Discrete)
    seats = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)
    ] * short.players
    players = MultiAgentOffPolicyAlgorithm(algorithms=seats, env=env)
    buffer, sums = ReplayBuffer(500_000), Sums()
    collector = Collector(players, DummyVectorEnv([lambda: env]), buffer)
    collected = collector.collect(n_episode=1000, reset_before_collect=True)
    for rewards, over in zip(buffer.rew[: len(buffer)], buffer.done[: len(buffer)], strict=True):
        sums.add(rewards, over)
    conserved(sums.games)
    np.testing.assert_allclose(sums.games, collected.returns, atol=1e-4)


def test_the_example_trains(run_example):
    assert "mean return" in run_example("tianshou", 5)
