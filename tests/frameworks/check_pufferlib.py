"""PufferLib 3: native games for one seat, and its own emulation over the parallel environment."""

import numpy as np
import pufferlib.emulation
import pufferlib.vector
import pytest
import torch
from ledger import Sums
from pufferlib.pytorch import sample_logits

from backroom.envs import configure, make_parallel
from backroom.train.adapters.pufferlib import SeatGamesPuffer, cut


def chosen(masks):
    """Legal actions, drawn by PufferLib from logits that the masks have cut."""
    logits = torch.zeros(masks.shape).masked_fill(torch.as_tensor(masks) == 0, -1e9)
    return sample_logits(logits)[0].numpy()


def test_returns_are_the_engines(short, conserved):
    """Through PufferLib's own vectorisation; games of one batch end in the order of their rows."""
    games = pufferlib.vector.make(SeatGamesPuffer, env_kwargs={"game": short, "games": 64})
    games.async_reset(7)
    now, sums = np.zeros(64), []
    while True:
        seen, rewards, over, cut_off, _, _, _, counted = games.recv()
        now += rewards
        sums += [(earned,) for earned in now[over].tolist()]
        now[over] = 0
        assert counted.all() and not cut_off.any()
        if len(sums) >= 1000:
            break
        games.send(chosen(cut(seen, short)[1]))
    conserved(sums)


def test_returns_are_the_engines_in_emulation(short, conserved):
    """PufferLib's wrapper of PettingZoo, which flattens dictionaries: the mask goes first."""
    env = pufferlib.emulation.PettingZooPufferEnv(make_parallel(short))
    sums, actions = Sums(), env.single_action_space.n
    for game in range(1000):
        env.reset(seed=7 if game == 0 else None)
        while not env.done:
            env.step(chosen(env.observations[:, :actions]))
            sums.add(env.rewards, env.done)
    conserved(sums.games)


def test_rows_are_observation_and_mask():
    game = configure("cockroach_poker", num_players=3)
    games = SeatGamesPuffer(game, games=8)
    rows, infos = games.reset(seed=7)
    assert rows.shape == (8, game.observation_size + len(game.actions)) and infos == []
    for _ in range(200):
        assert all(games.single_observation_space.contains(row) for row in rows)
        rows, *_, infos = games.step(cut(rows, game)[1].argmax(axis=1))
        assert all(-1 <= info["return"] <= 1 for info in infos)
        seen, masks = cut(rows, game)
        assert seen.shape[1] == game.observation_size and masks.any(axis=1).all()


@pytest.mark.parametrize("backend", ["Serial", "Multiprocessing"])
def test_each_worker_writes_into_the_shared_buffers(backend):
    game = configure("kuhn")
    options = {"num_workers": 2} if backend == "Multiprocessing" else {}
    games = pufferlib.vector.make(
        SeatGamesPuffer,
        env_kwargs={"game": game, "games": 4},
        num_envs=2,
        backend=backend,
        **options,
    )
    games.async_reset(7)
    ended = 0
    for _ in range(20):
        seen, rewards, over, *_ = games.recv()
        assert seen.shape == (8, game.observation_size + len(game.actions))
        assert (rewards[over] != 0).all() and (rewards[~over] == 0).all()
        ended += over.sum()
        games.send(chosen(cut(seen, game)[1]))
    games.close()
    assert ended > 20


def hands(rows, game):
    """The own cards in each row, as text."""
    return [str(game.parts(row)["hole"].tolist()) for row in cut(rows, game)[0]]


@pytest.mark.parametrize(
    "way",
    [
        {"backend": "Serial", "num_envs": 4},
        {"backend": "Multiprocessing", "num_envs": 4, "num_workers": 2},
    ],
    ids=["Serial", "Multiprocessing"],
)
def test_no_two_environments_deal_the_same_games(way):
    """Though PufferLib's seeds for them are neighbours, and those of processes overlap."""
    game = configure("the_gang", num_players=3)
    games = pufferlib.vector.make(
        SeatGamesPuffer, env_kwargs={"game": game, "games": 25, "seat": 0}, **way
    )
    games.async_reset(7)
    found = hands(games.recv()[0], game)
    games.close()
    assert len(found) == 100
    assert len(set(found)) > 85  # of 1326 hands some come twice by chance, about four


def test_seeds_tell_the_deals_and_without_one_they_go_on():
    game = configure("the_gang", num_players=3)
    first, same, other = (SeatGamesPuffer(game, 8, seed=seed) for seed in (3, 3, 4))
    begun, again = hands(first.reset()[0], game), hands(first.reset()[0], game)
    assert begun != again
    assert [hands(same.reset()[0], game) for _ in range(2)] == [begun, again]
    assert hands(other.reset()[0], game) != begun
    told = [hands(env.reset(seed=7)[0], game) for env in (first, same, other, first)]
    assert told[0] == told[1] == told[3] != told[2]


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="games"):
        SeatGamesPuffer(configure("kuhn"), games=0)
    games = SeatGamesPuffer(configure("kuhn"), games=4)
    games.reset(seed=7)
    with pytest.raises(ValueError, match="step wants 4 integers"):
        games.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="a seed is an integer"):
        games.reset(seed=-1)
    with pytest.raises(TypeError, match="a seed is an integer"):
        SeatGamesPuffer(configure("kuhn"), games=4, seed="7")


def test_the_example_trains(run_example):
    assert "mean return" in run_example("pufferlib", 30)
