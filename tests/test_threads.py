"""Threads share the games of a batch: each game is played once, whoever comes late or is away."""

import os
import threading

import pytest

from backroom.envs import make_batch
from backroom.envs.engine import threads as desks
from backroom.envs.engine.jit import COMPILED

GAMES = 200


def played(batch, steps):
    """All that `steps` steps with each game's last legal action wrote, as bytes."""
    written = []
    for _ in range(steps):
        batch.step(batch.masks.shape[1] - 1 - batch.masks[:, ::-1].argmax(axis=1))
        written += [array.tobytes() for array in batch._out[:6]]
    return written


@pytest.mark.parametrize("count", [2, 3, 8])
def test_however_many_threads_play_the_same_games(count):
    one, many = (make_batch("kuhn", GAMES, threads=n, seed=3) for n in (1, count))
    assert played(one, 300) == played(many, 300)


def test_every_game_is_taken_once():
    for games, count in ((1, 1), (5, 1), (5, 3), (100, 3), (4096, 2)):
        desk = desks.new_desk(games, count)
        assert desks.take(desk, games, 0) == (games, games), "a new desk is empty"
        for thread in range(count):
            desks.open_desk(desk, games)
            taken = []
            while True:
                first, end = desks.take(desk, games, thread)
                if first == end:
                    break
                taken += range(first, end)
            assert sorted(taken) == list(range(games))
            assert taken[0] == games * thread // count or games < count, "its own share first"


@pytest.mark.skipif(not COMPILED, reason="plain Python plays on one thread")
def test_batches_of_several_python_threads_share_the_helpers():
    expected = [played(make_batch("kuhn", GAMES, seed=s), 200) for s in range(4)]
    found = [None] * 4

    def play(s):
        found[s] = played(make_batch("kuhn", GAMES, threads=3, seed=s), 200)

    players = [threading.Thread(target=play, args=(s,)) for s in range(4)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert found == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_plays_on_with_helpers_of_its_own():
    batch = make_batch("kuhn", GAMES, threads=3, seed=1)
    played(batch, 20)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            played(batch, 50)
            os.write(writer, batch.states.tobytes())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        theirs = pipe.read()
    _, status = os.waitpid(child, 0)
    played(batch, 50)
    assert status == 0
    assert theirs == batch.states.tobytes()
