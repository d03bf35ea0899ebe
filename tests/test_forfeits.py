"""Whoever ends a game by an illegal action is left with its least return, whatever came before."""

import copy

import numpy as np
import pytest
from stepping import pickled

from backroom.envs import make, make_parallel, make_single, make_vector

STEPS = 90
EVERY = 9
"""So many moves lie between two positions in which somebody forfeits."""


def choose(pick, mask):
    return int(pick.choice(np.flatnonzero(mask)))


def test_a_forfeit_keeps_all_totals_within_bounds(game):
    env, pick = make(game), np.random.default_rng(2)
    env.reset(seed=2)
    totals = dict.fromkeys(env.agents, 0.0)
    for move in range(STEPS):
        if move % EVERY == 0:
            twin, offender = env.clone(), env.agent_selection
            twin.step(-1)
            ends = {a: totals[a] + twin.rewards[a] for a in totals}
            assert ends == pytest.approx({**totals, offender: game.bounds[0]})
            assert not any(np.signbit(twin.rewards[a]) for a in totals if a != offender)  # no -0.0
            assert min(ends.values()) >= game.bounds[0] - 1e-6
        env.step(choose(pick, env.observe(env.agent_selection)["action_mask"]))
        for agent, reward in env.rewards.items():
            totals[agent] += reward
        if any(env.terminations.values()):
            break


def test_a_move_out_of_turn_costs_the_same(game):
    if game.players == 1:
        pytest.skip("a single seat is never out of turn")
    env, pick = make_parallel(game), np.random.default_rng(3)
    observations, _ = env.reset(seed=3)
    totals = dict.fromkeys(env.agents, 0.0)
    for move in range(STEPS):
        actions = {a: choose(pick, o["action_mask"]) for a, o in observations.items()}
        if move % EVERY == 0:
            offender = next(a for a in env.agents if actions[a] == env.wait)
            rewards = copy.deepcopy(env).step({**actions, offender: 0})[1]
            assert totals[offender] + rewards[offender] == pytest.approx(game.bounds[0])
            assert not any(rewards[a] for a in totals if a != offender)
        observations, rewards, *_ = env.step(actions)
        for agent, reward in rewards.items():
            totals[agent] += reward
        if not env.agents:
            break


def test_a_single_seats_episode_never_sums_to_less(game):
    env, pick = make_single(game), np.random.default_rng(4)
    env.reset(seed=4)
    total, over, move = 0.0, False, 0
    while not over and move < STEPS:
        if move % 3 == 0:
            _, reward, over, _, _ = copy.deepcopy(env).step(-1)
            assert over and total + reward == pytest.approx(game.bounds[0])
        _, reward, over, _, _ = env.step(choose(pick, env.action_masks()))
        total, move = total + reward, move + 1


def test_a_single_seat_sees_that_the_game_is_over(game):
    """Nobody is to move then, whichever shell tells of it."""
    table, env = make(game), make_single(game, seat=0)
    env.reset(seed=4)
    table.set_state(env._games.states[0])
    table.step(-1)
    seen = env.step(-1)[0]["observation"]
    assert (seen == table.observe("player_0")["observation"]).all()


def test_episodes_of_a_vector_never_sum_to_less(game):
    env, pick = make_vector(game, 6), np.random.default_rng(5)
    env.reset(seed=5)
    totals = np.zeros(6)
    for _ in range(40):
        actions = np.array([choose(pick, mask) for mask in env.action_masks()])
        wrong = pick.random(6) < 0.1
        _, rewards, over, _, _ = env.step(np.where(wrong, -1, actions))
        totals += rewards
        assert over[wrong].all()
        assert totals[wrong] == pytest.approx(np.full(wrong.sum(), game.bounds[0]))
        assert (totals >= game.bounds[0] - 1e-6).all()
        totals[over] = 0


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled, lambda env: env.clone()])
def test_a_copy_hands_out_what_is_still_owed(default_game, copied):
    env = make(default_game)
    env.reset(seed=3)
    env.step(-1)
    found = []
    for table in (copied(env), env):
        handed = {}
        for agent in table.agent_iter():
            handed[agent] = table.last()[1]
            table.step(None)
        found.append(handed)
    assert found[0] == found[1] and min(found[0].values()) == default_game.bounds[0] < 0


def test_something_was_earned_before():
    """In these games the totals above are not always 0 when somebody forfeits."""
    env, pick = make("cockroach_poker", num_games=6), np.random.default_rng(2)
    env.reset(seed=2)
    earned = False
    for _ in range(STEPS):
        env.step(choose(pick, env.observe(env.agent_selection)["action_mask"]))
        earned = earned or any(r > 0 for r in env.rewards.values())
    assert earned
