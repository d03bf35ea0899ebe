"""AgileRL: IPPO with one network for all thieves learns The Gang in self-play, masks kept.

python examples/frameworks/with_agilerl.py [updates]
"""

import sys

import torch
from agilerl.algorithms import IPPO
from agilerl.training.train_multi_agent_on_policy import train_multi_agent_on_policy

from backroom.envs import the_gang_v0
from backroom.train.adapters.agilerl import AgileRLEnv

MOVES = 1000


def main(updates: int = 10) -> None:
    """Train; AgileRL gives the agents of one group, player_0 to player_2, one network."""
    torch.manual_seed(7)
    env = AgileRLEnv(the_gang_v0.parallel_env(num_players=3, features="strength"))
    agents = env.possible_agents
    learner = IPPO(
        [env.observation_space(agent) for agent in agents],
        [env.action_space(agent) for agent in agents],
        agents,
        batch_size=250,
        lr=1e-3,
        learn_step=MOVES,
        gamma=1.0,
    )
    _, fitness = train_multi_agent_on_policy(
        env, "The Gang", "IPPO", [learner],
        max_steps=MOVES * updates, evo_steps=MOVES, eval_loop=20, verbose=False,
    )  # fmt: skip
    last = fitness[-1][-1] if isinstance(fitness[-1], list) else fitness[-1]
    print(f"mean return {last / len(agents):.3f} after {MOVES * updates} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
