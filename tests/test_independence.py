"""Streams, environments and seats keep out of each other's way."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from playing import VARIANTS
from stepping import pickled

from backroom.agents import load, names
from backroom.envs import configure, make, make_batch, make_parallel, make_single, make_vector
from backroom.envs.engine.rng import STREAM, draw, stream
from backroom.envs.engine.single import RandomPlayer

SEEDS = 4000


def first_draws(seeds, n):
    """The first number below `n` of each seed's stream, int64[len(seeds)]."""
    found, chance = np.zeros(len(seeds), np.int64), np.zeros(1, STREAM)
    for i, seed in enumerate(seeds):
        chance["rng"] = stream(seed)
        found[i] = draw(chance[0], n)
    return found


def dependence(left, right, n):
    """Chi-squared of two columns of numbers below `n`, less its expectation, in deviations."""
    table = np.zeros((n, n))
    np.add.at(table, (left, right), 1)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    free = (n - 1) ** 2
    return (((table - expected) ** 2 / expected).sum() - free) / np.sqrt(2 * free)


def test_an_agent_seeded_like_the_cards_does_not_follow_them():
    """The random player of seed s and the cards of seed s: no relation, over many seeds s."""
    game, seeds = configure("kuhn"), np.arange(SEEDS)
    batch = make_batch(game, SEEDS, seed=0)
    theirs = batch.states["deck"][:, 1].astype(np.int64)  # hidden from the first to move
    masks = np.ones((1, 3), np.bool_)
    chosen = np.array([RandomPlayer(int(s)).act(masks, masks, np.zeros(1))[0] for s in seeds])
    assert dependence(theirs, theirs, 3) > 100, "the measure sees what is there"
    assert abs(dependence(chosen, theirs, 3)) < 4


@pytest.mark.parametrize("name", ["random", "ppo-1"])
def test_an_agent_seeded_like_the_environment_gains_nothing(name):
    """Its choice, at the same information, tells nothing of the card that it cannot see."""
    game = configure("kuhn")
    agent = load(name, game)
    batch = make_batch(game, SEEDS, seed=0)
    shown, masks, players = batch.observations[:1], batch.masks[:1], batch.players[:1]
    same = (batch.observations == shown).all(axis=1)
    chosen = np.zeros(SEEDS, np.int64)
    for seed in np.flatnonzero(same).tolist():
        agent.seed(seed)
        chosen[seed] = agent.act(shown, masks, players)[0]
    hidden = batch.states["deck"][same, 1].astype(np.int64)
    own = int(batch.states["deck"][0, 0])
    other = (hidden == min({0, 1, 2} - {own})).astype(np.int64)  # one of two cards
    assert same.sum() > SEEDS / 4
    assert 0 < chosen[same].mean() < 1
    assert abs(dependence(chosen[same], other, 2)) < 4


def moved(env, pick):
    """One random move, or a deal where the game is over; what all agents then see."""
    if any(env.terminations.values()):
        env.reset()
    else:
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(pick.choice(np.flatnonzero(mask))))
    seen = [env.observe(a)["observation"].tolist() for a in env.possible_agents]
    return env.agent_selection, dict(env.rewards), seen


def alone(game, seed, moves):
    env, pick = make(game), np.random.default_rng(seed)
    env.reset(seed=seed)
    return [moved(env, pick) for _ in range(moves)]


def test_interleaved_environments_play_as_alone(game):
    """Two of one game, and one of another game between them."""
    envs = [make(game), make(VARIANTS[0]), make(game)]
    picks = [np.random.default_rng(seed) for seed in range(3)]
    found = [[], [], []]
    for seed, env in enumerate(envs):
        env.reset(seed=seed)
    for turn in range(25):
        for k in (2, 0, 1) if turn % 2 else (0, 1, 2):
            found[k].append(moved(envs[k], picks[k]))
        bystander = make_batch(game, 2, seed=turn)
        bystander.step(bystander.masks.argmax(axis=1))
        make_single(game).reset(seed=turn)
    expected = [alone(g, seed, 25) for seed, g in enumerate((game, VARIANTS[0], game))]
    assert found == expected


@pytest.mark.parametrize(
    "shell", [make, make_parallel, make_single, partial(make_vector, num_envs=2)]
)
def test_copies_of_what_was_not_dealt_yet_play_different_games(shell):
    """Frameworks make many tables by copying one, and need not seed them."""
    game = configure("cockroach_poker", num_players=3)
    env = shell(game)
    copies = [copied(env) for copied in (pickled, copy.deepcopy) for _ in range(2)]
    deals = set()
    for one in (env, *copies):
        one.reset()
        deals.add(pickle.dumps(one.state() if hasattr(one, "state") else one._games.states))
    assert len(deals) == 5


def test_looking_changes_nothing(game):
    """Whoever observes, however often, before and after each move."""
    watched, quiet = make(game, render_mode="ansi"), make(game)
    picks = [np.random.default_rng(6) for _ in range(2)]
    for env in (watched, quiet):
        env.reset(seed=6)
    for _ in range(25):
        before = watched.get_state().tobytes()
        for agent in (*watched.possible_agents, *reversed(watched.possible_agents)):
            watched.observe(agent)
        watched.state()
        watched.render()
        watched.last()
        assert watched.get_state().tobytes() == before
        assert moved(watched, picks[0]) == moved(quiet, picks[1])


def test_looking_at_a_batch_changes_nothing(game):
    watched, quiet = (make_batch(game, 4, seed=6) for _ in range(2))
    for _ in range(25):
        for seat in range(game.players):
            watched.observe(np.full(4, seat))
        assert watched.states.tobytes() == quiet.states.tobytes()
        for batch in (watched, quiet):
            batch.step(batch.masks.argmax(axis=1))
        for part in ("observations", "masks", "players", "rewards", "done"):
            assert getattr(watched, part).tolist() == getattr(quiet, part).tolist()


def test_looking_at_the_parallel_game_changes_nothing(default_game):
    env = make_parallel(default_game)
    observations, _ = env.reset(seed=1)
    before = env._game.get_state().tobytes()
    for _ in range(3):
        env.state()
        env.render()
        env._observations()
    assert env._game.get_state().tobytes() == before
    assert {a: o["action_mask"].any() for a, o in observations.items()} == dict.fromkeys(
        env.possible_agents, True
    )


@pytest.mark.parametrize("rules_name", ["kuhn", "cockroach_poker"])
def test_agents_of_one_seed_do_not_share_a_stream(rules_name):
    """To ask one agent moves no other on."""
    game = configure(rules_name)
    batch = make_batch(game, 32, seed=2)
    view = batch.observations.copy(), batch.masks.copy(), batch.players.astype(np.int64)
    for name in names(game):
        left, right, third = (load(name, game, 5) for _ in range(3))
        first = left.act(*view).tolist()
        third.act(*view)
        third.act(*view)
        assert right.act(*view).tolist() == first
