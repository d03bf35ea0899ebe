"""What all environments promise, whatever the game."""

import copy
import pickle
import random
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
    state_test,
)
from playing import dealt, observed

from backroom.envs import make, make_batch, make_parallel, make_single, make_vector
from backroom.envs.engine.batch import DEAL, LEAVE
from backroom.envs.engine.game import Game, redeal


def legal_action(env, pick):
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(pick.choice(np.flatnonzero(mask)))


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


# PettingZoo's single game


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


def shown_mask(env):
    return env.observe(env.agent_selection)["action_mask"]


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
    assert (env.get_state().tobytes(), snapshot(env)) == before


def pickled(env):
    return pickle.loads(pickle.dumps(env))


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
    with pytest.raises(ValueError, match="there is no agent"):
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


# All agents at once


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


# Thousands of games


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
    for games, threads in ((0, 1), (4, 0)):
        with pytest.raises(ValueError, match="at least one"):
            make_batch(default_game, games, threads=threads)
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


# One seat against given players


@pytest.mark.parametrize("flatten", [False, True])
def test_gymnasium_accepts_the_single_seat(default_game, flatten):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not within the observation space.*")
        check_env(make_single(default_game, flatten=flatten), skip_render_check=True)


class Watching:
    """A player that takes the first legal action and checks what it is shown."""

    def __init__(self, game: Game, own: int) -> None:
        self.game, self.own, self.calls = game, own, 0

    def seed(self, seed):
        self.calls = 0

    def act(self, observations, masks, players):
        assert observations.shape == (len(players), self.game.observation_size)
        assert masks.any(axis=1).all() and (players != self.own).all()
        self.calls += 1
        return masks.argmax(axis=1)


def test_given_players_take_the_other_seats(game):
    """The single seat sees the same game as the PettingZoo shell, and all that it earns."""
    player = Watching(game, own=0)
    single, env = make_single(game, seat=0, opponents=player), make(game)
    pick = np.random.default_rng(8)
    shown, _ = single.reset(seed=8)
    assert single.seat == 0
    env.set_state(single._games.states[0])
    over, earned = False, 0.0
    while not over:
        assert env.agent_selection == "player_0"
        assert env.observe("player_0")["observation"].tolist() == shown["observation"].tolist()
        assert single.action_masks().tolist() == shown["action_mask"].astype(bool).tolist()
        action = int(pick.choice(np.flatnonzero(shown["action_mask"])))
        shown, reward, over, cut, info = single.step(action)
        earned = 0.0
        env.step(action)
        earned += env.rewards["player_0"]
        while not env.terminations["player_0"] and env.agent_selection != "player_0":
            env.step(int(shown_mask(env).argmax()))
            earned += env.rewards["player_0"]
        assert reward == pytest.approx(earned) and not cut and info == {}
        assert over == env.terminations["player_0"]
    assert shown["observation"].tolist() == env.observe("player_0")["observation"].tolist()
    assert not shown["action_mask"].any()
    with pytest.raises(RuntimeError, match="reset"):
        single.step(0)


@pytest.mark.parametrize("choice", [-2, -1, 10_000, None])
def test_an_opponents_illegal_action_never_reaches_the_rules(default_game, choice):
    if default_game.players == 1:
        return

    class Cheat:
        def seed(self, seed):
            pass

        def act(self, observations, masks, players):
            masks[:] = True  # its own copy: this changes nothing
            return np.full(len(players), choice)

    single = make_single(default_game, seat=default_game.players - 1, opponents=Cheat())
    with pytest.raises(ValueError, match="opponent 'Cheat'"):
        for seed in range(50):
            single.reset(seed=seed)
            single.step(int(np.flatnonzero(single.action_masks())[0]))


def test_seats_are_drawn_for_each_episode(default_game):
    single = make_single(default_game)
    seats = set()
    for seed in range(30):
        single.reset(seed=seed)
        seats.add(single.seat)
    assert seats == set(range(default_game.players))


def test_a_single_seat_is_checked(default_game):
    with pytest.raises(ValueError, match="seat is one of"):
        make_single(default_game, seat=99)
    with pytest.raises(ValueError, match="opponents"):
        make_single(default_game, opponents=[None] * default_game.players)
    single = make_single(default_game, illegal="raise")
    single.reset(seed=0)
    with pytest.raises(ValueError, match="may play"):
        single.step(-1)
    soft = make_single(default_game)
    soft.reset(seed=0)
    _, reward, over, _, _ = soft.step(10_000)
    assert over and reward == default_game.bounds[0]


def test_a_pickled_single_seat_plays_on(default_game):
    single = make_single(default_game, flatten=True)
    single.reset(seed=4)
    twin = pickled(single)
    for _ in range(10):
        action = int(np.flatnonzero(single.action_masks())[-1])
        one, two = single.step(action), twin.step(action)
        assert one[0].tolist() == two[0].tolist() and one[1:] == two[1:]
        if one[2]:
            break


def test_a_vector_of_seats(game):
    """Each game of the vector environment is an episode of the single seat."""
    n, pick = 4, np.random.default_rng(3)
    vector = make_vector(game, n, seat=0, opponents=Watching(game, own=0))
    singles = [make_single(game, seat=0, opponents=Watching(game, own=0)) for _ in range(n)]
    shown, _ = vector.reset(seed=3)
    for i, single in enumerate(singles):
        single._games.states["rng"] = 0
        single.reset(seed=3 + i)
    for _ in range(30):
        masks = vector.action_masks()
        np.testing.assert_array_equal(masks, shown["action_mask"].astype(bool))
        for i, single in enumerate(singles):
            np.testing.assert_array_equal(single.action_masks(), masks[i])
        actions = np.array([pick.choice(np.flatnonzero(m)) for m in masks])
        shown, rewards, over, cut, infos = vector.step(actions)
        assert vector.observation_space.contains(shown) and not cut.any()
        for i, single in enumerate(singles):
            last, reward, done, _, _ = single.step(actions[i])
            assert reward == pytest.approx(rewards[i]) and done == over[i]
            if done:
                final = infos["final_obs"][i]
                np.testing.assert_array_equal(final["observation"], last["observation"])
                last, _ = single.reset()
            np.testing.assert_array_equal(last["observation"], shown["observation"][i])
    with pytest.raises(ValueError, match="integers"):
        vector.step(np.zeros(n))
    with pytest.raises(ValueError, match="at least 1"):
        make_vector(game, 0)


def test_the_registries_know_the_game(rules):
    import gymnasium
    import pettingzoo

    from backroom.envs.engine.registration import environment_id

    name = environment_id(rules)
    single = gymnasium.make(name, disable_env_checker=True)
    assert single.unwrapped.game.name == rules.name
    many = gymnasium.make_vec(name, 3, vectorization_mode="vector_entry_point")
    assert many.num_envs == 3
    if hasattr(pettingzoo, "aec_registry"):
        assert pettingzoo.make("aec", name).game.name == rules.name
        assert pettingzoo.make("parallel", name).game.name == rules.name


def test_pettingzoo_finds_its_modules(rules):
    import importlib

    module = importlib.import_module(f"backroom.envs.{rules.id}")
    for factory in (module.env, module.raw_env, module.parallel_env):
        env = factory()
        env.reset(seed=1)
        assert env.game.name == rules.name
    assert module.env(render_mode="ansi", illegal="raise", viewer=0).illegal == "raise"
