"""What PettingZoo's environment promises, whatever the game."""

import copy
import pickle
import random
import re

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    render_test,
    seed_test,
)
from playing import dealt, observed
from stepping import legal_action, pickled, shown_mask

from backroom.envs import make, make_batch, make_parallel, make_single
from backroom.envs.engine.game import redeal, returns


def illegal_actions(env):
    mask = env.observe(env.agent_selection)["action_mask"]
    return [-1, *np.flatnonzero(mask == 0)[:5], mask.size]


def snapshot(env):
    """All that a program can see of `env`."""
    seen = {a: {k: v.tolist() for k, v in env.observe(a).items()} for a in env.agents}
    return seen, env.agent_selection, dict(env.rewards), dict(env.terminations), env.last()[1]


def playthrough(env, seed, moves):
    """Snapshots of `moves` random moves; games that end are dealt anew from their stream."""
    pick, shots = np.random.default_rng(seed), []
    for _ in range(moves):
        env.step(legal_action(env, pick))
        shots.append(snapshot(env))
        if any(env.terminations.values()):
            env.reset()
    return shots


def test_pettingzoo_accepts_the_game(game):
    api_test(make(game), num_cycles=100)
    seed_test(lambda: make(game), num_cycles=20)


def test_pettingzoo_accepts_pictures(game):
    render_test(lambda render_mode=None: make(game, render_mode=render_mode))
    for viewer in (None, 0):
        env = make(game, render_mode="rgb_array", viewer=viewer)
        env.reset(seed=0)
        frame = env.render()
        assert frame.dtype == np.uint8 and frame.ndim == 3 and frame.shape[2] == 3
        assert frame.std() > 0
        env.step(legal_action(env, np.random.default_rng(0)))
        assert env.render().shape == frame.shape
    text = make(game, render_mode="ansi")
    text.reset(seed=0)
    assert isinstance(text.render(), str)
    silent = make(game)
    silent.reset(seed=0)
    assert silent.render() is None


def test_a_human_reads_what_ansi_says(game, capsys):
    human, ansi = (make(game, render_mode=mode, viewer=0) for mode in ("human", "ansi"))
    for env in (human, ansi):
        env.reset(seed=0)
    assert human.render() is None
    assert capsys.readouterr().out == ansi.render() + "\n"
    assert ansi.render() == game.rules.table(game, ansi.get_state(), 0)


def test_spaces(game):
    env = make(game)
    assert env.possible_agents == [f"player_{i}" for i in range(game.players)]
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.observation_space(agent) == env.observation_space("player_0")
        assert env.action_space(agent).n == len(game.actions)
    space = env.observation_space("player_0")
    assert list(space.spaces) == ["action_mask", "observation"]
    assert space["observation"].is_bounded() and space["observation"].shape == (
        game.observation_size,
    )
    assert space["action_mask"].dtype == np.int8


def test_masks_are_for_the_mover_alone(game):
    env, pick = make(game), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(30):
        for agent in env.agents:
            shown = env.observe(agent)
            assert env.observation_space(agent).contains(shown)
            assert shown["action_mask"].any() == (
                agent == env.agent_selection and not env.terminations[agent]
            )
        if any(env.terminations.values()):
            break
        assert env.action_space(env.agent_selection).sample(shown_mask(env)) >= 0
        env.step(legal_action(env, pick))


def test_last_hands_out_every_reward_once(game):
    """What a seat earns on others' moves reaches it too, and nothing is lost or doubled."""
    env, pick = make(game), np.random.default_rng(4)
    env.reset(seed=4)
    handed, written = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, cut, _ = env.last()
        handed[agent] += reward
        env.step(
            None if over or cut else int(pick.choice(np.flatnonzero(observation["action_mask"])))
        )
        if not over:
            for a, r in env.rewards.items():
                written[a] += r
    assert handed == pytest.approx(written)
    earned = np.zeros(game.players, np.float32)
    returns(env.get_state(), earned)
    assert list(handed.values()) == pytest.approx(earned.tolist())
    if game is game.rules.configure():  # with other options this very game may be drawn
        assert any(handed.values()) or game.bounds == (0, 0)


def test_an_illegal_action_ends_the_game_for_all(game):
    env = make(game)
    env.reset(seed=0)
    for action in illegal_actions(env):
        env.reset(seed=0)
        offender = env.agent_selection
        env.step(action)
        assert env.rewards == {a: game.bounds[0] * (a == offender) for a in env.agents}
        assert all(env.terminations.values()) and not any(env.truncations.values())
        assert env.agents == env.possible_agents
        assert not any(env.observe(a)["action_mask"].any() for a in env.agents)


def test_a_game_that_was_broken_off_opens_no_hand(game):
    """After an illegal action each seat still sees and knows what it did, and no more."""
    env, pick = make(game), np.random.default_rng(7)
    for moves in (0, 1, 9, 70):
        env.reset(seed=5)
        for _ in range(moves):
            if not any(env.terminations.values()):
                env.step(legal_action(env, pick))
        if any(env.terminations.values()):
            continue
        before = env.get_state()
        env.step(-1)
        over = env.get_state()
        for seat, agent in enumerate(env.possible_agents):
            redealt = over.copy()
            redeal(redealt, seat, 3)
            seen, table = observed(game, over, seat), game.rules.table(game, over, seat)
            assert observed(game, redealt, seat).tolist() == seen.tolist()
            assert game.rules.table(game, redealt, seat) == table
            assert env.observe(agent)["observation"].tolist() == seen.tolist()
        for name in before.dtype.names:
            if name != "player":
                assert np.array_equal(before[name], over[name])


def test_an_illegal_action_can_be_an_error(game):
    env = make(game, illegal="raise")
    env.reset(seed=0)
    before = snapshot(env)
    for action in illegal_actions(env):
        with pytest.raises(ValueError, match="may play"):
            env.step(action)
    for nonsense in ("0", 0.0, None):
        with pytest.raises(TypeError, match="an action is an integer"):
            env.step(nonsense)
    assert snapshot(env) == before


@pytest.mark.parametrize(
    "wrong", [{"illegal": "ignore"}, {"viewer": 99}, {"render_mode": "hologram"}]
)
def test_wrong_arguments_are_named(default_game, wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is one of"):
        make(default_game, **wrong)


def test_a_game_is_reset_before_it_is_played(default_game):
    for env in (make(default_game), make_parallel(default_game)):
        with pytest.raises(RuntimeError, match="reset"):
            env.step({} if env.metadata["is_parallelizable"] else 0)
    with pytest.raises(RuntimeError, match="reset"):
        make(default_game).observe("player_0")
    with pytest.raises(RuntimeError, match=r"call reset\(\) before last\(\)$"):
        make(default_game).last()


def test_a_game_that_is_over_is_reset_before_it_goes_on(default_game):
    env = make(default_game)
    env.reset(seed=1)
    env.step(-1)
    for _ in env.agent_iter():
        env.step(None)
    for call in (env.last, lambda: env.step(0)):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before .*: the game is over"):
            call()


def test_parts_want_whole_observations(default_game):
    size = default_game.observation_size
    for wrong in (np.zeros(size - 1, np.int8), np.zeros((2, size), np.float32), np.int8(0)):
        with pytest.raises(ValueError, match=rf"are int8\[..., {size}\], not"):
            default_game.parts(wrong)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", True])
def test_seeds_are_checked(default_game, seed):
    for env in (make(default_game), make_parallel(default_game), make_single(default_game)):
        with pytest.raises((ValueError, TypeError), match="a seed is an integer"):
            env.reset(seed=seed)
    with pytest.raises((ValueError, TypeError), match="a seed is an integer"):
        make_batch(default_game, 2, seed=seed)


def test_seeds_choose_the_game(game):
    env = make(game)

    def deal(seed):
        env.reset(seed=seed)
        state = env.get_state()
        state["rng"] = 0
        return state.tobytes()

    assert deal(3) == deal(3)
    assert len({deal(seed) for seed in range(12)}) > 1
    env.reset(seed=3)
    env.reset()
    first = env.get_state().tobytes()
    env.reset(seed=3)
    env.reset()
    assert env.get_state().tobytes() == first, "without a seed the stream goes on"
    assert make(game).reset() is None


def test_a_refused_deal_leaves_the_game_as_it_was(default_game):
    env = make(default_game)
    env.reset(seed=5)
    before = env.get_state().tobytes(), snapshot(env)
    for nonsense in ({"nonsense": "x"}, {"hand0": 5}, {1: "x"}, "x", 5, ["a"]):
        with pytest.raises(ValueError):
            env.reset(seed=6, options={"deal": nonsense})
    for slip in ("Deal", "del", "deals"):
        with pytest.raises(ValueError, match=r"no option '\w+' \(did you mean deal\?\)"):
            env.reset(seed=6, options={slip: {}})
    assert (env.get_state().tobytes(), snapshot(env)) == before
    env.reset(seed=6, options={"options": 1})  # PettingZoo's own tests say such


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled, lambda env: env.clone()])
def test_a_copy_plays_on_alike_and_apart(game, copied):
    env = make(game)
    env.reset(seed=3)
    if game.facts.max_moves > 1:
        env.step(legal_action(env, np.random.default_rng(3)))
    before, twin = snapshot(env), copied(env)
    shots = playthrough(twin, seed=4, moves=25)
    assert snapshot(env) == before
    assert playthrough(env, seed=4, moves=25) == shots
    assert twin.game is env.game


def test_a_state_can_be_put_back(game):
    env = make(game)
    env.reset(seed=5)
    kept = env.get_state()
    shots = playthrough(env, seed=6, moves=10)
    env.set_state(kept)
    assert playthrough(env, seed=6, moves=10) == shots
    fresh = make(game)
    fresh.set_state(kept)
    assert playthrough(fresh, seed=6, moves=10) == shots
    with pytest.raises(ValueError, match="set_state wants"):
        env.set_state(np.zeros(1, [("other", "i1")])[0])


def test_a_state_of_other_options_is_refused(game):
    """Kernels trust the record: one of other options would have them write beyond their arrays."""
    default = game.rules.configure()
    if game is default:
        return
    theirs = make(default)
    theirs.reset(seed=1)
    env, batch = make(game), make_batch(game, 2)
    with pytest.raises(ValueError, match="with these options"):
        env.set_state(theirs.get_state())
    with pytest.raises(ValueError, match="with these options"):
        batch.set_states(make_batch(default, 2).get_states())
    with pytest.raises(ValueError, match="set_states wants"):
        batch.set_states([1, 2])


def test_a_state_can_be_put_back_after_the_end(default_game):
    env = make(default_game)
    env.reset(seed=1)
    first = env.get_state()
    env.step(-1)
    for _ in env.agent_iter():
        env.step(None)
    env.set_state(first)
    assert env.last()[1:] == (0.0, False, False, {})


def test_options_survive_a_seeded_reset(game):
    env = make(game, render_mode="ansi", illegal="raise")
    env.reset(seed=1)
    env.reset(seed=2, options={})
    assert (env.game, env.render_mode, env.illegal) == (game, "ansi", "raise")
    blank = game.blank(1)
    state = np.array([env.get_state()], blank.dtype)
    dealt_again = dealt(game, 2)
    assert state.tobytes() == dealt_again.tobytes()


def test_the_global_streams_are_left_alone(game):
    def streams():
        return pickle.dumps((random.getstate(), np.random.get_state()))  # noqa: NPY002

    before = streams()
    env = make(game)
    env.reset()
    playthrough(env, seed=0, moves=20)
    make_batch(game, 4)
    single = make_single(game)
    single.reset()
    single.step(int(np.flatnonzero(single.action_masks())[0]))
    assert streams() == before


def test_all_players_stay_until_the_end(game):
    env, pick = make(game), np.random.default_rng(0)
    env.reset(seed=0)
    while not any(env.terminations.values()):
        assert env.agents == env.possible_agents and not any(env.infos.values())
        env.step(legal_action(env, pick))
    assert all(env.terminations.values()) and env.agents == env.possible_agents
    assert list(env.infos.values()) == [{}] * game.players


def test_arrays_are_fresh(game):
    env = make(game)
    env.reset(seed=0)
    first, second = (env.observe(env.agent_selection) for _ in range(2))
    for part in first:
        assert not np.shares_memory(first[part], second[part])
        assert not np.shares_memory(first[part], env._out.observations)


def test_an_agent_that_is_not_there_is_named(default_game):
    env, parallel = make(default_game), make_parallel(default_game)
    env.reset(seed=0)
    sentence = re.escape(f"there is no agent 'player_99'; there are {env.possible_agents}")
    for shell in (env, parallel):
        for ask in (shell.observation_space, shell.action_space):
            with pytest.raises(ValueError, match=f"^{sentence}$"):
                ask("player_99")
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        env.observe("player_99")


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.array])
def test_any_integer_is_an_action(default_game, kind):
    plain, env = make(default_game), make(default_game)
    for e in (plain, env):
        e.reset(seed=0)
    action = int(np.flatnonzero(shown_mask(plain))[0])
    plain.step(action)
    env.step(kind(action))
    assert snapshot(env) == snapshot(plain)


def test_the_state_is_what_all_seats_know(game):
    env = make(game)
    env.reset(seed=2)
    everything = env.state()
    assert env.state_space.contains(everything)
    parts = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert everything.tolist() == np.concatenate(parts).tolist()
