"""All agents at once: PettingZoo's parallel environment, whatever the game."""

import numpy as np
import pytest
from pettingzoo.test import (
    parallel_api_test,
    parallel_seed_test,
    state_test,
)
from stepping import legal_action, shown_mask

from backroom.envs import make, make_parallel


def test_pettingzoo_accepts_the_parallel_game(default_game):
    parallel_api_test(make_parallel(default_game), num_cycles=100)
    parallel_seed_test(lambda: make_parallel(default_game))
    state_test(make(default_game), make_parallel(default_game), 10)


def test_who_is_not_to_move_waits(game):
    single, env, pick = make(game), make_parallel(game), np.random.default_rng(2)
    single.reset(seed=2)
    observations, _ = env.reset(seed=2)
    for _ in range(40):
        mover = single.agent_selection
        for agent, shown in observations.items():
            assert env.observation_space(agent).contains(shown)
            mask = shown["action_mask"]
            if agent == mover:
                assert not mask[-1] and mask[:-1].tolist() == shown_mask(single).tolist()
            else:
                assert np.flatnonzero(mask).tolist() == [env.wait]
        action = legal_action(single, pick)
        actions = {a: action if a == mover else env.wait for a in env.agents}
        single.step(action)
        observations, rewards, over, cut, infos = env.step(actions)
        assert rewards == single.rewards and over == single.terminations
        assert not any(cut.values()) and not any(infos.values())
        if all(over.values()):
            assert env.agents == []
            break


def test_moving_out_of_turn_is_illegal(default_game):
    for wrong in ("mover waits", "other moves")[: default_game.players]:
        env = make_parallel(default_game)
        env.reset(seed=1)
        mover = env._game.agent_selection
        actions = dict.fromkeys(env.agents, env.wait)
        offender = mover
        if wrong == "other moves":
            actions[mover] = legal_action(env._game, np.random.default_rng(0))
            offender = next(a for a in env.agents if a != mover)
            actions[offender] = 0
        _, rewards, over, _, _ = env.step(actions)
        assert all(over.values())
        assert rewards == {a: default_game.bounds[0] * (a == offender) for a in rewards}
        strict = make_parallel(default_game, illegal="raise")
        strict.reset(seed=1)
        with pytest.raises(ValueError, match="wait"):
            strict.step(actions)
    with pytest.raises(ValueError, match="have none"):
        strict.step({})


def test_of_several_who_offend_the_first_seat_is_blamed(default_game):
    for seed in range(4):
        env = make_parallel(default_game)
        env.reset(seed=seed)
        _, rewards, over, _, _ = env.step(dict.fromkeys(env.agents, env.wait + 1))
        assert all(over.values())
        assert rewards == {a: default_game.bounds[0] * (a == "player_0") for a in rewards}
