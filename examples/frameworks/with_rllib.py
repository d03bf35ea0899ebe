"""RLlib: one policy for all thieves learns The Gang in self-play by PPO, masks kept.

python examples/frameworks/with_rllib.py [iterations]
"""

import sys

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from backroom.train.adapters.rllib import RLlibEnv

GAME = {"game": "the_gang", "num_players": 3, "features": "strength"}


def main(iterations: int = 10) -> None:
    """Train on this machine, and tell how the last games went."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]}
    )
    config = (
        PPOConfig()
        .environment(RLlibEnv, env_config=GAME, disable_env_checking=True)  # it plays without masks
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .multi_agent(policies={"thief"}, policy_mapping_fn=lambda agent, *_, **__: "thief")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"thief": module}))
        .training(train_batch_size=2000, minibatch_size=500, num_epochs=5, lr=1e-3, gamma=1.0)
        .debugging(seed=7, log_level="ERROR")
    )
    ray.init("local", include_dashboard=False, log_to_driver=False)  # else it joins what runs here
    algorithm = config.build_algo()
    for _ in range(iterations):
        result = algorithm.train()["env_runners"]
    reached = result["episode_return_mean"] / GAME["num_players"]
    moves = result["num_env_steps_sampled_lifetime"]
    algorithm.stop()
    ray.shutdown()
    print(f"mean return {reached:.3f} after {moves:.0f} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
