"""stable-baselines3: MaskablePPO of sb3-contrib learns one seat of Cockroach Poker.

`backroom train GAME --algorithm sb3` is the same with settings, checkpoints and evaluations.

python examples/frameworks/with_sb3.py [decisions]
"""

import sys

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env

from backroom.agents import load
from backroom.envs import configure, make_single


def main(decisions: int = 10_000) -> None:
    """Train, and evaluate with masks."""
    game = configure("cockroach_poker", num_players=3)
    table = {"game": game, "opponents": load("honest", game), "flatten": True}
    games = make_vec_env(make_single, n_envs=16, seed=7, env_kwargs=table)
    model = MaskablePPO("MlpPolicy", games, n_steps=128, batch_size=512, gamma=1.0, seed=7)
    model.learn(decisions)
    reached, _ = evaluate_policy(model, games, n_eval_episodes=200)
    print(f"mean return {reached:.3f} after {model.num_timesteps} decisions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
