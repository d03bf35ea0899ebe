"""RLlib: the adapter hands on all rewards, and RLlib's own masking keeps to the rules."""

import numpy as np
import pytest
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from recount import recount, through_rllib

from backroom.envs import configure
from backroom.train.adapters.rllib import RLlibEnv

EPISODES = 1000
TABLES = [
    configure("the_gang", num_players=3),
    configure("the_gang", num_players=4, mode="advanced"),
    configure("cockroach_poker"),
]


def runner_of(env=RLlibEnv, /, **game):
    """RLlib's own sampler, in this process, with an untrained policy."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [16]}
    )
    config = (
        PPOConfig()
        .environment(env, env_config=game, disable_env_checking=True)
        .env_runners(num_env_runners=0)
        .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, *_, **__: "all")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": module}))
    )
    return MultiAgentEnvRunner(config=config)


@pytest.mark.parametrize("table", TABLES, ids=["the_gang", "the_gang advanced", "cockroach_poker"])
def test_the_adapter_hands_out_what_the_engine_counts(table, record_property):
    """To every seat; `tests/test_adapters.py` shows that a lost reward would be seen."""
    found = recount(table, through_rllib(RLlibEnv({"game": table})), EPISODES)
    np.testing.assert_allclose(found.handed, found.earned, atol=1e-4)
    assert np.abs(found.earned).sum() > 0
    record_property("episodes", len(found.handed))


def sampled(runner, games, seats):
    """Returns as RLlib tells them, float64[G, P], nan for seats that it leaves out; its totals."""
    found, totals = [], []
    while len(found) < games:
        for episode in runner.sample(num_episodes=100, random_actions=False):
            earned = {a: e.get_return() for a, e in episode.agent_episodes.items() if len(e)}
            found.append([earned.get(f"player_{seat}", np.nan) for seat in range(seats)])
            totals.append([episode.get_return(), episode.get_return(include_hanging_rewards=True)])
    return np.array(found), np.array(totals)


def test_returns_are_the_engines(short, ledger, conserved):
    """Of all seats that came to decide, which are almost all."""
    sums, _ = sampled(runner_of(game=short), EPISODES, short.players)
    idle, earned = np.isnan(sums), np.array(ledger.games[: len(sums)])
    assert idle.any(axis=1).mean() < 0.1
    sums[idle] = earned[idle]
    conserved(sums.tolist())


def test_what_idle_seats_earn_is_lost_by_rllib(ledger):
    """Of seats that never came to decide, whatever it is asked for: as docs/frameworks.md tells."""
    table = configure("cockroach_poker", num_players=3, cards_per_player=1)
    sums, totals = sampled(runner_of(game=table), 300, 3)
    idle, earned = np.isnan(sums), np.array(ledger.games[: len(sums)])
    assert 0.02 < idle.any(axis=1).mean() < 0.5 and (earned[idle] != 0).any()
    np.testing.assert_allclose(sums[~idle], earned[~idle], atol=1e-4)
    np.testing.assert_allclose(totals, np.nansum(sums, axis=1)[:, None] * [1, 1], atol=1e-4)


class Early(RLlibEnv):
    """Pays all seats a point on the first move of a game: some before they come to decide."""

    def reset(self, **rest):
        found = super().reset(**rest)
        hand_out, env = self.table._hand_out, self.table

        def pays(rewards):
            hand_out([reward + 1 for reward in rewards])
            env._hand_out = hand_out

        env._hand_out = pays
        return found


def test_what_is_earned_before_the_first_decision_is_kept(short, ledger):
    sums, _ = sampled(runner_of(Early, game=short), 100, short.players)
    kept, earned = ~np.isnan(sums), np.array(ledger.games[: len(sums)])
    np.testing.assert_allclose(sums[kept], earned[kept] + 1, atol=1e-4)


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
