"""One seat against given players, alone and as a vector, whatever the game."""

import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stepping import pickled, shown_mask

from backroom.agents import load
from backroom.envs import configure, make, make_single, make_vector
from backroom.envs.engine.game import Game


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


def test_opponents_are_agents_of_this_very_game():
    three, four = (configure("cockroach_poker", num_players=n) for n in (3, 4))
    rare = configure("cockroach_poker", num_players=3, cards_per_player=5)
    for other in (four, rare, configure("kuhn")):
        with pytest.raises(ValueError, match=r"'random' was made for .*, not for cockroach_poker"):
            make_single(three, opponents=load("random", other))
    with pytest.raises(ValueError, match="was made for cockroach_poker with num_players=4, not"):
        make_vector(three, 2, opponents=[load("random", three), load("random", four)])
    for words in ("counting", ["counting", "counting"], ["c", None]):
        with pytest.raises(TypeError, match=r"an opponent is an agent, such as load\('random'"):
            make_single(three, opponents=words)


def test_a_single_seat_is_checked(default_game):
    with pytest.raises(ValueError, match="seat is one of"):
        make_single(default_game, seat=99)
    with pytest.raises(ValueError, match=r"needs \d opponents?, not \d"):
        make_single(default_game, opponents=[None] * default_game.players)
    single = make_single(default_game, illegal="raise")
    single.reset(seed=0)
    with pytest.raises(ValueError, match="may play"):
        single.step(-1)
    soft = make_single(default_game)
    soft.reset(seed=0)
    _, reward, over, _, _ = soft.step(10_000)
    assert over and reward == default_game.bounds[0]
    assert not soft.action_masks().any()


def test_the_table_is_shown_as_the_learner_sees_it(default_game):
    for seat in range(default_game.players):
        single = make_single(default_game, seat=seat, render_mode="ansi")
        single.reset(seed=5)
        state, table = single._games.states[0], default_game.rules.table
        if default_game.name == "caribbean_poker":  # no card is dealt before the ante
            single.step(int(single.action_masks().argmax()))
        assert single.render() == table(default_game, state, seat)
        assert single.render() != table(default_game, state, None)


def test_each_game_of_a_vector_may_have_its_own_seed_or_none():
    """Where there is none, the game's stream goes on."""
    game = configure("cockroach_poker", num_players=3)

    def dealt(*lists):
        vector = make_vector(game, 3, seat=0, opponents=Watching(game, own=0), flatten=True)
        return [vector.reset(seed=seeds)[0].tolist() for seeds in lists]

    first, second = dealt([5, 6, 7], [7, None, 5])
    assert second[::2] == first[2::-2] and first[0] != first[1] != first[2] != first[0]
    assert dealt([1, 6, 2], [8, None, 9])[1][1] == second[1]
    assert second[1] not in (*first, *dealt([0, 7, 5])[0])
    for wrong in ([1, 2], [1, 2, -1]):
        with pytest.raises(ValueError, match=r"reset wants 3 seeds, not 2|a seed is an integer"):
            dealt(wrong)


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
