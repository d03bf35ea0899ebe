"""RLlib: the adapter hands on all rewards, and RLlib's own masking keeps to the rules."""

import numpy as np
import pytest
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from backroom.train.adapters.rllib import RLlibEnv


def runner_of(**game):
    """RLlib's own sampler, in this process, with an untrained policy."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [16]}
    )
    config = (
        PPOConfig()
        .environment(RLlibEnv, env_config=game, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, *_, **__: "all")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": module}))
    )
    return MultiAgentEnvRunner(config=config)


def test_returns_are_the_engines(short, ledger, conserved):
    """Of all seats that came to decide: what others earn, RLlib keeps apart, and loses at times."""
    runner = runner_of(game=short)
    seats = [f"player_{seat}" for seat in range(short.players)]
    found = []
    while len(found) < 1000:
        for episode in runner.sample(num_episodes=100, random_actions=False):
            earned = {a: e.get_return() for a, e in episode.agent_episodes.items() if len(e)}
            found.append([earned.get(seat, np.nan) for seat in seats])
    sums, idle = np.array(found), np.isnan(found)
    assert idle.any(axis=1).mean() < 0.2
    sums[idle] = np.array(ledger.games[: len(sums)])[idle]
    conserved(sums.tolist())


def test_spaces_hold_what_is_shown():
    env = RLlibEnv({"game": "cockroach_poker"})
    seen, _ = env.reset(seed=7)
    while env.agents:
        assert all(env.observation_spaces[agent].contains(shown) for agent, shown in seen.items())
        ((mover, shown),) = seen.items()
        action = int(np.flatnonzero(shown["action_mask"])[0])
        seen, rewards, ends, _, _ = env.step({mover: action})
        assert set(rewards) == set(seen)
    assert ends == dict.fromkeys(["__all__", *env.possible_agents], True)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="env_config names the game"):
        RLlibEnv({})
    with pytest.raises(ValueError, match="there is no game 'poke'"):
        RLlibEnv({"game": "poke"})
    env = RLlibEnv({"game": "kuhn"})
    env.reset(seed=7)
    with pytest.raises(ValueError, match="player_0 is to move"):
        env.step({"player_1": 0})


def test_the_example_trains(run_example):
    assert "mean return" in run_example("rllib", 3)
