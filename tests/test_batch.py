"""Thousands of games at once, whatever the game."""

import copy
from itertools import pairwise

import numpy as np
import pytest
from stepping import pickled

from backroom.envs import make, make_batch
from backroom.envs.engine.batch import DEAL, LEAVE, STRETCH


@pytest.mark.parametrize("threads", [1, 3])
def test_many_games_play_as_one(game, threads):
    """The batch environment and the PettingZoo shell play the same games."""
    n, pick = 6, np.random.default_rng(0)
    batch = make_batch(game, n, seed=7, threads=threads)
    singles = [make(game) for _ in range(n)]
    for i, env in enumerate(singles):
        env.reset(seed=7 + i)
    for _ in range(60):
        actions = np.array([pick.choice(np.flatnonzero(m)) for m in batch.masks])
        for i, env in enumerate(singles):
            shown = env.observe(env.agent_selection)
            assert env.possible_agents.index(env.agent_selection) == batch.players[i]
            np.testing.assert_array_equal(shown["observation"], batch.observations[i])
            np.testing.assert_array_equal(shown["action_mask"].astype(bool), batch.masks[i])
        batch.step(actions)
        for i, env in enumerate(singles):
            env.step(actions[i])
            assert list(env.rewards.values()) == batch.rewards[i].tolist()
            assert all(env.terminations.values()) == batch.done[i]
            if batch.done[i]:
                for p, agent in enumerate(env.possible_agents):
                    last = env.observe(agent)["observation"]
                    np.testing.assert_array_equal(last, batch.final_observations[i, p])
                env.reset()


def test_games_are_played_alike_in_every_stretch():
    """The last stretch is not whole; and some games are left as they are."""
    games = 2 * STRETCH + 3
    many = make_batch("kuhn", games, seed=7)
    cuts = [0, STRETCH - 1, STRETCH, 2 * STRETCH, games]
    parts = [make_batch("kuhn", b - a, seed=7 + a) for a, b in pairwise(cuts)]
    pick = np.random.default_rng(1)
    for _ in range(12):
        actions = np.where(pick.random(games) < 0.2, LEAVE, pick.integers(2, size=games))
        many.step(actions)
        for part, (a, b) in zip(parts, pairwise(cuts), strict=True):
            part.step(actions[a:b])
            for name in ("observations", "masks", "players", "rewards", "done"):
                np.testing.assert_array_equal(getattr(part, name), getattr(many, name)[a:b])


def test_games_of_a_batch_do_not_touch_each_other(game):
    """Game i plays on alike whatever is played beside it."""
    batch, alone = make_batch(game, 5, seed=20), make_batch(game, 1, seed=22)
    for _ in range(40):
        actions = np.array([np.flatnonzero(m)[-1] for m in batch.masks])
        actions[[0, 1, 3, 4]] = [np.flatnonzero(m)[0] for m in batch.masks[[0, 1, 3, 4]]]
        batch.step(actions)
        alone.step(actions[2:3])
        assert batch.observations[2].tolist() == alone.observations[0].tolist()
        assert batch.masks[2].tolist() == alone.masks[0].tolist()


def test_a_batch_refuses_nonsense(default_game):
    batch = make_batch(default_game, 4, seed=1)
    before = batch.states.copy()
    huge = np.full(4, 2**64 - 1, np.uint64)
    for wrong in (np.zeros(3, int), np.zeros(4), np.full(4, 10_000), np.full(4, -3), huge):
        with pytest.raises(ValueError):
            batch.step(wrong)
    illegal = np.array([np.flatnonzero(m)[0] for m in batch.masks])
    if (~batch.masks[3]).any():
        illegal[3] = np.flatnonzero(~batch.masks[3])[0]
        with pytest.raises(ValueError, match=r"game 3: player_\d may play"):
            batch.step(illegal)
    assert batch.states.tobytes() == before.tobytes(), "nothing is played if one is illegal"
    with pytest.raises(ValueError, match="seats"):
        batch.observe(np.full(4, 77))
    with pytest.raises(ValueError, match="records"):
        batch.set_states(batch.states[:2])


def test_games_can_be_left_and_dealt_anew(default_game):
    batch = make_batch(default_game, 3, seed=1)
    kept = batch.states.copy()
    first = np.flatnonzero(batch.masks[2])[0]
    batch.step(np.array([LEAVE, DEAL, first]))
    assert batch.states[0].tobytes() == kept[0].tobytes()
    assert batch.states[1].tobytes() != kept[1].tobytes() and not batch.done[1]
    assert batch.states[2].tobytes() != kept[2].tobytes()


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
def test_a_batch_can_be_copied(default_game, copied):
    batch = make_batch(default_game, 6, threads=2, seed=1)
    twin = copied(batch)
    assert not np.shares_memory(batch.states, twin.states)
    for _ in range(30):
        assert twin.observations.tolist() == batch.observations.tolist()
        assert twin.masks.tolist() == batch.masks.tolist()
        actions = np.array([np.flatnonzero(m)[-1] for m in batch.masks])
        batch.step(actions)
        twin.step(actions)


def test_any_seat_can_look(game):
    batch = make_batch(game, 4, seed=3)
    env = make(game)
    for i in range(4):
        env.reset(seed=3 + i)
        for seat, agent in enumerate(env.possible_agents):
            view = batch.observe(np.full(4, seat))[i]
            assert view.tolist() == env.observe(agent)["observation"].tolist()
