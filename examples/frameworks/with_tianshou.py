"""Tianshou: one deep Q-network for all thieves learns The Gang in self-play, masks kept.

python examples/frameworks/with_tianshou.py [epochs]
"""

import sys

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from backroom.envs import the_gang_v0


def table() -> PettingZooEnv:
    """One game; Tianshou finds the mask in the observation by itself."""
    return PettingZooEnv(the_gang_v0.env(num_players=3, features="strength"))


def main(epochs: int = 5) -> None:
    """Train, and play without exploring."""
    torch.manual_seed(7)
    env, games = table(), DummyVectorEnv([table] * 16)
    shape = env.observation_space["observation"].shape
    net = Net(state_shape=shape, action_shape=env.action_space.n, hidden_sizes=(128, 128))
    learner = DQN(
        policy=DiscreteQLearningPolicy(
            model=net, action_space=env.action_space, eps_training=0.1, eps_inference=0.0
        ),
        optim=AdamOptimizerFactory(lr=1e-3),
        n_step_return_horizon=64,  # whole games: the next observation is another seat's
    )
    gang = MultiAgentOffPolicyAlgorithm(algorithms=[learner] * 3, env=env)
    train = Collector(gang, games, VectorReplayBuffer(20_000, 16), exploration_noise=True)
    test = Collector(gang, DummyVectorEnv([table] * 16))
    gang.run_training(
        OffPolicyTrainerParams(
            training_collector=train,
            test_collector=test,
            max_epochs=epochs,
            epoch_num_steps=4000,
            collection_step_num_env_steps=400,
            update_step_num_gradient_steps_per_sample=0.1,
            multi_agent_return_reduction=lambda returns: returns.mean(axis=-1),
            verbose=False,
            show_progress=False,
        )
    )
    reached = test.collect(n_episode=500, reset_before_collect=True).returns.mean()
    print(f"mean return {reached:.3f} after {epochs * 4000} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
