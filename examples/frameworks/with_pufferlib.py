"""PufferLib 3: one seat learns to beat honest players at Cockroach Poker, an actor-critic.

python examples/frameworks/with_pufferlib.py [updates]

PufferLib's own trainer wants a GPU; its vector environments and its sampling do not.
"""

import sys

import numpy as np
import pufferlib.vector
import torch
from pufferlib.pytorch import layer_init, sample_logits
from torch import nn

from backroom.agents import load
from backroom.envs import configure
from backroom.train.adapters.pufferlib import SeatGamesPuffer, cut

GAME = configure("cockroach_poker", num_players=3)
GAMES, MOVES = 256, 8


class Policy(nn.Module):
    """What PufferLib asks of a policy: logits and a value for rows of observations."""

    def __init__(self) -> None:
        """Two layers."""
        super().__init__()
        self.body = nn.Sequential(layer_init(nn.Linear(GAME.observation_size, 128)), nn.ReLU())
        self.actor = layer_init(nn.Linear(128, len(GAME.actions)), std=0.01)
        self.critic = layer_init(nn.Linear(128, 1), std=1)

    def forward_eval(self, rows: torch.Tensor, state: object = None) -> tuple[torch.Tensor, ...]:
        """The mask, which follows the observation, cuts the logits."""
        seen, mask = cut(rows, GAME)
        hidden = self.body(seen.float())
        return self.actor(hidden).masked_fill(mask == 0, -1e9), self.critic(hidden)[:, 0]

    forward = forward_eval


def main(updates: int = 150) -> None:
    """Train one seat, the others are played by an agent of this suite."""
    torch.manual_seed(7)
    asked = {"game": GAME, "games": GAMES, "opponents": load("honest", GAME)}
    games = pufferlib.vector.make(SeatGamesPuffer, env_kwargs=asked)
    policy = Policy()
    optimiser = torch.optim.Adam(policy.parameters(), lr=2e-3)
    games.async_reset(7)
    rows = games.recv()[0]
    returns: list[float] = []
    for _ in range(updates):
        steps = []
        for _ in range(MOVES):
            logits, value = policy(torch.as_tensor(rows.copy()))
            action, log_share, entropy = sample_logits(logits)
            games.send(action.numpy())
            rows, rewards, over, *_, infos, _, _ = games.recv()
            returns += [info["return"] for info in infos]
            told = torch.as_tensor(rewards.copy()), torch.as_tensor(over.copy())
            steps.append((value, log_share, entropy, *told))
        with torch.no_grad():
            target = policy(torch.as_tensor(rows.copy()))[1]
        loss = torch.zeros(())
        for value, log_share, entropy, reward, over in reversed(steps):
            target = reward + target * ~over
            gain = (target - value).detach() * log_share
            loss = loss + (0.5 * (target - value).square() - gain - 0.01 * entropy).mean()
        optimiser.zero_grad()
        (loss / MOVES).backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        optimiser.step()
    games.close()
    moves = updates * MOVES * GAMES
    print(f"mean return {np.mean(returns[-100:]):.3f} after {moves} decisions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
