"""SuperSuit: many tables as one vector environment, on which thieves learn The Gang by REINFORCE.

python examples/frameworks/with_supersuit.py [updates]
"""

import sys

import numpy as np
import supersuit
import torch
from torch.distributions import Categorical

from backroom.envs import the_gang_v0
from backroom.train.adapters.infos import MasksInInfos

TABLES, SEATS, MOVES = 16, 3, 48


def main(updates: int = 40) -> None:
    """Train one network for all seats; a row of the environment is a seat at a table."""
    torch.manual_seed(7)
    table = the_gang_v0.parallel_env(num_players=SEATS, features="strength")
    rows = supersuit.pettingzoo_env_to_vec_env_v1(MasksInInfos(table))
    games = supersuit.concat_vec_envs_v1(rows, TABLES, base_class="gymnasium")
    cells, actions = games.observation_space.shape[-1], games.action_space.n
    net = torch.nn.Sequential(
        torch.nn.Linear(cells, 128), torch.nn.ReLU(), torch.nn.Linear(128, actions)
    )
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)

    def play(observations: np.ndarray, infos: list[dict[str, np.ndarray]]) -> Categorical:
        masks = torch.as_tensor(np.stack([info["action_mask"] for info in infos])).bool()
        return Categorical(
            logits=net(torch.as_tensor(observations).float()).masked_fill(~masks, -1e9)
        )

    observations, infos = games.reset(seed=7)
    for _ in range(updates):
        shares, rewards, ends = [], [], []
        for _ in range(MOVES):
            policy = play(observations, infos)
            action = policy.sample()
            observations, earned, over, _, infos = games.step(action.numpy())
            shares.append(policy.log_prob(action))
            rewards.append(torch.as_tensor(earned.copy()))
            ends.append(torch.as_tensor(over.astype(bool)))
        togo, now = [], torch.zeros(TABLES * SEATS)
        for earned, over in zip(reversed(rewards), reversed(ends), strict=True):
            now = earned + now * ~over
            togo.append(now)
        ahead = torch.stack(togo[::-1])
        loss = -(torch.stack(shares) * (ahead - ahead.mean())).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    reached = torch.stack(rewards).sum() / torch.stack(ends).sum()
    print(f"mean return {reached:.3f} after {updates * MOVES * TABLES} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
