"""Adapters hand each seat all that it has earned, and pass on what was played; no framework."""

import sys
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest
from recount import drawn, recount, through_infos, through_rllib

from backroom.envs import configure, make_parallel
from backroom.envs.engine.jit import COMPILED
from backroom.train.adapters.agilerl import AgileRLEnv
from backroom.train.adapters.infos import MasksInInfos

EPISODES, SHORT = (1000, 1000) if COMPILED else (10, 200)
"""Games of each table, and of the one that is quickly over."""
TABLES = {
    "the_gang": configure("the_gang", num_players=3),
    "the_gang advanced": configure("the_gang", num_players=4, mode="advanced"),
    "cockroach_poker": configure("cockroach_poker"),
    "short": configure("cockroach_poker", num_players=3, cards_per_player=1),
}
"""In the last one a seat may be paid that never came to decide."""
ADAPTER = "backroom.train.adapters.rllib"


def games_of(table):
    return SHORT if table is TABLES["short"] else EPISODES


@pytest.fixture(params=TABLES.values(), ids=TABLES)
def table(request):
    return request.param


@pytest.fixture
def rllib(monkeypatch):
    """The module of RLlib's adapter over a stand-in for RLlib's class, which it needs nothing of.

    `tests/frameworks/check_rllib.py` counts with the class itself.
    """
    stand_in = ModuleType("ray.rllib.env.multi_agent_env")
    stand_in.MultiAgentEnv = type("MultiAgentEnv", (), {})
    monkeypatch.setitem(sys.modules, stand_in.__name__, stand_in)
    monkeypatch.delitem(sys.modules, ADAPTER, raising=False)
    yield import_module(ADAPTER)
    sys.modules.pop(ADAPTER)


def test_rllib_hands_out_what_the_engine_counts(rllib, table):
    found = recount(table, through_rllib(rllib.RLlibEnv({"game": table})), games_of(table))
    np.testing.assert_allclose(found.handed, found.earned, atol=1e-4)
    assert np.abs(found.earned).sum() > 0
    if table is TABLES["short"]:
        assert (found.earned[found.idle] != 0).any()


def test_what_was_earned_in_a_game_that_was_left_is_not_handed_out_later(rllib):
    """Of a match of several games the first one is played out, then all is dealt anew."""
    table = configure("cockroach_poker", num_players=3, cards_per_player=1, num_games=3)
    env = rllib.RLlibEnv({"game": table})
    whole = through_rllib(env)

    def after_another(seed, chance):
        seen, _ = env.reset(seed=1000 + seed)
        while not any(env.table.rewards.values()):
            ((mover, shown),) = seen.items()
            seen, *_ = env.step({mover: drawn(shown["action_mask"], chance)})
        return whole(seed, chance)

    found = recount(table, after_another, 50)
    np.testing.assert_allclose(found.handed, found.earned, atol=1e-4)


@pytest.mark.parametrize("adapter", [MasksInInfos, AgileRLEnv])
@pytest.mark.parametrize("name", ["the_gang", "short"])
def test_infos_hand_out_what_the_engine_counts(adapter, name):
    table = TABLES[name]
    found = recount(table, through_infos(adapter(make_parallel(table))), games_of(table) // 5)
    np.testing.assert_allclose(found.handed, found.earned, atol=1e-4)
    assert np.abs(found.earned).sum() > 0


def test_no_move_counts_when_no_game_is_under_way(rllib):
    """Before the first deal, and after the end, though the next cards may lie there already."""
    parallel = (MasksInInfos(make_parallel("kuhn")), AgileRLEnv(make_parallel("kuhn")))
    for env in (*parallel, rllib.RLlibEnv({"game": "kuhn"})):
        both = dict.fromkeys(env.possible_agents, 0)
        with pytest.raises(
            RuntimeError, match=r"^call reset\(\) before step\(\): no game is under"
        ):
            env.step(both)
        first = env.reset(seed=7)[0]
        while env.agents:
            env.step({**both, "player_1": 2} if env in parallel else both)
        with pytest.raises(
            RuntimeError, match=r"^call reset\(\) before step\(\): no game is under"
        ):
            env.step(both)
        assert not env.agents
        assert str(env.reset(seed=7)[0]) == str(first)


@pytest.mark.parametrize("adapter", [MasksInInfos, AgileRLEnv])
def test_an_agent_that_is_not_there_is_named(adapter):
    env = adapter(make_parallel("kuhn"))
    for space in (env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"^there is no agent 'player_9'; there are \["):
            space("player_9")


def test_what_was_lost_would_be_seen(rllib):
    """Of seats that never came to decide alone, as RLlib itself loses it."""

    class Loses(rllib.RLlibEnv):
        def reset(self, **rest):
            self.decided = set()
            return super().reset(**rest)

        def step(self, action_dict):
            self.decided.update(action_dict)
            seen, rewards, *rest = super().step(action_dict)
            return seen, {a: r for a, r in rewards.items() if a in self.decided}, *rest

    table = TABLES["short"]
    found = recount(table, through_rllib(Loses({"game": table})), SHORT)
    wrong = found.handed != found.earned
    assert wrong.any() and not (wrong & ~found.idle).any()


def test_another_move_than_was_chosen_would_be_seen(rllib):
    class Mistakes(rllib.RLlibEnv):
        def step(self, action_dict):
            mover = self.table.agent_selection
            mask = self.table.observe(mover)["action_mask"]
            return super().step({mover: int(mask.argmax())})

    with pytest.raises(AssertionError, match=r"another seat|illegal|not over"):
        recount(TABLES["the_gang"], through_rllib(Mistakes({"game": TABLES["the_gang"]})), 20)


def test_a_move_that_is_illegal_would_be_seen(rllib):
    class Cheats(rllib.RLlibEnv):
        def _seen(self, agent):
            shown = super()._seen(agent)
            return {**shown, "action_mask": 1 - shown["action_mask"]}

    with pytest.raises(AssertionError, match="which was illegal"):
        recount(TABLES["short"], through_rllib(Cheats({"game": TABLES["short"]})), 1)
