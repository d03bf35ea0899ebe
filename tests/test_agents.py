"""What every agent that needs no file must satisfy, in every game and variant."""

import pickle
import random
from functools import cache

import numpy as np
import pytest
from playing import ALL_VARIANTS, label

from backroom.agents import load, names
from backroom.agents.registry import about
from backroom.envs import configure, make_batch
from backroom.envs.engine.jit import COMPILED

PAIRS = [(game, name) for game in ALL_VARIANTS for name in names(game)]
EVERY_AGENT = pytest.mark.parametrize(
    ("game", "name"), PAIRS, ids=[f"{label(game)}-{name}" for game, name in PAIRS]
)
GAMES = 16 if COMPILED else 1
ROWS = 64 if COMPILED else 8
DRAWS, DRAWN_ROWS = (4000, 6) if COMPILED else (200, 1)


@cache
def positions(game, name):
    """Rows of observations, masks and players from games that `name` and random agents play."""
    batch, draws = make_batch(game, GAMES, seed=1), np.random.default_rng(2)
    agents = [load(name, game, 3), load("random", game, 4)]
    seen = []
    for _ in range(60 if COMPILED else 12):
        now = (batch.observations.copy(), batch.masks.copy(), batch.players.astype(np.int64))
        seen.append(now)
        actions = [agent.act(*now) for agent in agents]
        batch.step(np.where(draws.random(GAMES) < 0.8, *actions))
    rows = draws.permutation(GAMES * len(seen))[:ROWS]
    return tuple(np.concatenate(part)[rows] for part in zip(*seen, strict=True))


@pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)
def test_each_agent_says_what_it_does(game):
    told = about(game)
    assert list(told) == names(game)
    lines = {line for name, line in told.items() if not name.startswith("ppo-")}
    assert len(lines) == len([name for name in told if not name.startswith("ppo-")])
    assert all(10 < len(line) < 100 and "see the module" not in line for line in told.values())


@EVERY_AGENT
def test_whole_games_are_played_legally(game, name):
    batch, agent = make_batch(game, GAMES, seed=5), load(name, game, 6)
    over = np.zeros(GAMES, np.bool_)
    for _ in range(game.facts.max_moves):
        actions = agent.act(batch.observations, batch.masks, batch.players)
        assert actions.shape == (GAMES,) and actions.dtype == np.int64
        batch.step(actions)  # refuses illegal ones
        over |= batch.done
        if over.all():
            return
    raise AssertionError("a game did not end")


@EVERY_AGENT
def test_a_seed_tells_all_that_an_agent_draws(game, name):
    """Also anew, and in a copy that another process would get."""
    seen = positions(game, name)
    agent = load(name, game, 7)
    first = [agent.act(*seen) for _ in range(3)]
    copy = pickle.loads(pickle.dumps(load(name, game, 7)))
    assert np.array_equal([copy.act(*seen) for _ in range(3)], first)
    agent.seed(7)
    assert np.array_equal([agent.act(*seen) for _ in range(3)], first)


@EVERY_AGENT
def test_rows_do_not_hear_each_other(game, name):
    """Neither order nor number of rows counts, where nothing is drawn."""
    seen = positions(game, name)
    order = np.random.default_rng(8).permutation(len(seen[0]))
    mixed = [part[order] for part in seen]
    agent = load(name, game, 9)
    shares = agent.probabilities(*seen)
    acts = np.array([load(name, game, seed).act(*seen) for seed in range(4)])
    if shares is not None:
        assert np.allclose(agent.probabilities(*mixed), shares[order], atol=1e-5)
        for i in range(8):  # sums in a network round differently in other batches
            alone = agent.probabilities(*(part[[i]] for part in seen))[0]
            assert np.allclose(alone, shares[i], atol=1e-5)
        fixed = shares.max(axis=1) == 1
        assert (acts[:, fixed] == shares[fixed].argmax(axis=1)).all()
    else:
        fixed = np.full(len(order), (acts == acts[0]).all())
    assert np.array_equal(agent.act(*mixed)[fixed[order]], acts[0][order][fixed[order]])
    for i in np.flatnonzero(fixed)[:8]:
        assert agent.act(*(part[[i]] for part in seen)) == acts[0][i]


@EVERY_AGENT
def test_nothing_else_is_touched(game, name):
    """Neither what an agent is shown nor the generators that all code shares."""
    seen = positions(game, name)
    copies = [part.copy() for part in seen]
    before = (random.getstate(), pickle.dumps(np.random.get_state()))  # noqa: NPY002
    agent = load(name, game, 10)
    agent.act(*seen)
    agent.probabilities(*seen)
    agent.seed(11)
    assert (random.getstate(), pickle.dumps(np.random.get_state())) == before  # noqa: NPY002
    for part, copy in zip(seen, copies, strict=True):
        assert np.array_equal(part, copy)


@EVERY_AGENT
def test_probabilities_are_those_of_the_draws(game, name):
    seen = positions(game, name)
    agent = load(name, game, 12)
    shares = agent.probabilities(*seen)
    if shares is None:
        return
    assert shares.dtype == np.float32 and shares.shape == seen[1].shape
    assert (shares[~seen[1]] == 0).all() and (shares >= 0).all()
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)
    for row in np.argsort(shares.max(axis=1))[:DRAWN_ROWS]:
        acts = agent.act(*(np.repeat(part[[row]], DRAWS, axis=0) for part in seen))
        counts = np.bincount(acts, minlength=len(game.actions))
        expected = shares[row].astype(np.float64) * DRAWS
        spread = 5 * np.sqrt(expected * (1 - shares[row])) + 5
        assert (np.abs(counts - expected) <= spread).all()
        assert (counts[shares[row] == 0] == 0).all()


@EVERY_AGENT
def test_no_rows_no_actions(game, name):
    none = [part[:0] for part in positions(game, name)]
    agent = load(name, game)
    actions, shares = agent.act(*none), agent.probabilities(*none)
    assert actions.shape == (0,) and actions.dtype == np.int64
    assert shares is None or shares.shape == (0, len(game.actions))


@EVERY_AGENT
def test_an_agent_knows_its_name_and_its_game(game, name):
    agent = load(name, game)
    assert agent.name == name and agent.game is game


def test_there_are_no_other_agents(rules):
    game = rules.configure()
    known = ", ".join(names(game))
    with pytest.raises(ValueError, match=f"^there is no agent 'nobody' for {game.name}; .*{known}"):
        load("nobody", game)
    for file in ("lost.safetensors", "lost.zip"):
        with pytest.raises(ValueError, match=rf"^there is no file {file}$"):
            load(file, game)


def test_agents_belong_to_their_game():
    kuhn = configure("kuhn")
    for _, name in PAIRS:
        if name not in names(kuhn):
            with pytest.raises(ValueError, match=f"^there is no agent '{name}' for kuhn"):
                load(name, kuhn)
