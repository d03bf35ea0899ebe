"""CleanRL style: PPO in one file; one seat learns to beat honest players at Cockroach Poker.

python examples/frameworks/with_cleanrl.py [updates]
"""

import sys

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from backroom.agents import load
from backroom.envs import configure, make_vector

GAMES, MOVES, PARTS, EPOCHS = 128, 16, 4, 4


def main(updates: int = 30) -> None:
    """Train one seat, the others are played by an agent of this suite."""
    torch.manual_seed(7)
    game = configure("cockroach_poker", num_players=3)
    envs = make_vector(game, GAMES, opponents=load("honest", game), flatten=True)
    body = nn.Sequential(nn.Linear(game.observation_size, 128), nn.ReLU())
    actor, critic = nn.Linear(128, len(game.actions)), nn.Linear(128, 1)
    weights = [p for net in (body, actor, critic) for p in net.parameters()]
    optimiser = torch.optim.Adam(weights, lr=1e-3)

    def look(seen: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        hidden = body(seen.float())
        logits = actor(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits), critic(hidden)[:, 0]

    observations, _ = envs.reset(seed=7)
    returns: list[float] = []
    for _ in range(updates):
        steps = []
        for _ in range(MOVES):
            seen, masks = torch.as_tensor(observations), torch.as_tensor(envs.action_masks())
            with torch.no_grad():
                policy, value = look(seen, masks)
                action = policy.sample()
            observations, rewards, done, _, _ = envs.step(action.numpy())
            returns += rewards[done].tolist()  # all of it comes at the end
            told = torch.as_tensor(rewards).float(), torch.as_tensor(done)
            steps.append((seen, masks, action, policy.log_prob(action), value, *told))
        with torch.no_grad():
            after = look(torch.as_tensor(observations), torch.as_tensor(envs.action_masks()))[1]
        columns = [torch.stack(column) for column in zip(*steps, strict=True)]
        *_, values, rewards, done = columns
        advantages, trace = torch.zeros_like(values), torch.zeros(GAMES)
        for t in reversed(range(MOVES)):  # generalised advantage estimation, no discount
            trace = rewards[t] + (after + 0.95 * trace) * ~done[t] - values[t]
            advantages[t], after = trace, values[t]
        flat = [column.flatten(0, 1) for column in (*columns[:5], advantages)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(GAMES * MOVES).chunk(PARTS):
                seen, masks, action, before, value, advantage = (part[rows] for part in flat)
                policy, now = look(seen, masks)
                ratio = (policy.log_prob(action) - before).exp()
                scaled = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                gain = torch.min(ratio * scaled, ratio.clamp(0.8, 1.2) * scaled).mean()
                error = (now - value - advantage).square().mean()
                loss = 0.5 * error - gain - 0.01 * policy.entropy().mean()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(weights, 0.5)
                optimiser.step()
    moves = updates * MOVES * GAMES
    print(f"mean return {np.mean(returns[-1000:]):.3f} after {moves} decisions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
