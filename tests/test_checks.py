"""What is no integer, or none that fits, is refused wherever a number is wanted."""

import doctest

import numpy as np
import pytest
from gymnasium import spaces

from backroom.envs import (
    configure,
    make,
    make_batch,
    make_parallel,
    make_single,
    make_vector,
)
from backroom.envs.engine import checks, record, rng
from backroom.envs.engine.recorder import Recorder
from backroom.evaluate.match import play_match

KUHN = configure("kuhn")
NO_INTEGERS = [True, False, np.True_, 1.0, 0.5, "0", [0], np.float64(1)]


@pytest.mark.parametrize("module", [checks, record, rng])
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


def played():
    table = Recorder(KUHN, 7)
    for _ in range(2):
        table.play(0)
    return table


SEATS = {
    "viewer": lambda seat: make(KUHN, viewer=seat),
    "viewer of the parallel game": lambda seat: make_parallel(KUHN, viewer=seat),
    "seat": lambda seat: make_single(KUHN, seat=seat),
    "seat of a vector": lambda seat: make_vector(KUHN, 2, seat=seat),
    "views": lambda seat: played().record().views(seat),
    "seen_by": lambda seat: played().record().seen_by(seat),
    "recorder": lambda seat: played().observe(seat),
    "match": lambda seat: play_match(KUHN, ["random"], 2).earned("random", seat),
}


@pytest.mark.parametrize("ask", SEATS.values(), ids=SEATS)
def test_a_seat_is_an_integer_of_the_game(ask):
    for seat in (0, 1, np.int8(1), np.uint64(1)):
        ask(seat)
    for wrong in NO_INTEGERS:
        with pytest.raises(TypeError, match="is one of"):
            ask(wrong)
    for wrong in (-1, 2, 10**30):
        with pytest.raises(ValueError, match="is one of"):
            ask(wrong)


def test_a_batch_looks_for_integer_seats_alone():
    batch = make_batch(KUHN, 2, seed=1)
    assert batch.observe([0, 1]).shape == (2, KUHN.observation_size)
    for wrong in ([0.5, 1.5], [0.0, 1.0], [True, False], ["0", "1"], [0, None], [0], [0, 2], 1):
        with pytest.raises(ValueError, match="2 seats from 0 to 1"):
            batch.observe(wrong)


COUNTS = {
    "games": lambda count: make_batch(KUHN, count),
    "threads": lambda count: make_batch(KUHN, 2, threads=count),
    "num_envs": lambda count: make_vector(KUHN, count),
    "games of a match": lambda count: play_match(KUHN, ["random"], count),
}


@pytest.mark.parametrize("ask", COUNTS.values(), ids=COUNTS)
def test_a_count_is_an_integer_from_1_up(ask):
    ask(np.int64(1))
    for wrong in NO_INTEGERS:
        with pytest.raises(TypeError, match="is an integer and at least 1"):
            ask(wrong)
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="is an integer and at least 1"):
            ask(wrong)


def test_an_action_is_an_integer():
    for start in (make, make_parallel, make_single):
        env = start(KUHN)
        env.reset(seed=0)
        for wrong in NO_INTEGERS:
            actions = {a: wrong for a in env.possible_agents} if start is make_parallel else wrong
            with pytest.raises(TypeError, match="an action is an integer"):
                env.step(actions)
    table = played()
    for wrong in NO_INTEGERS:
        with pytest.raises(TypeError, match="an action is an integer"):
            table.play(wrong)


# Seeds


@pytest.mark.parametrize("seed", [2**64 - 1, 2**64 - 2, np.uint64(2**64 - 1)])
def test_the_last_seeds_go_on_with_the_first(default_game, seed):
    """Game i of a batch is `reset(seed + i)`, modulo 2**64; warnings are errors here."""
    batch, vector = make_batch(default_game, 3, seed=seed), make_vector(default_game, 3, seat=0)
    vector.reset(seed=seed)
    match = play_match(default_game, ["random"], 3, seed, keep=True)
    for i, written in zip(range(3), match.records(), strict=False):
        env = make(default_game)
        env.reset(seed=(int(seed) + i) % 2**64)
        assert batch.states[i].tobytes() == env.get_state().tobytes()
        if match.lineup.rotations == 1:
            assert written.seed == (int(seed) + i) % 2**64
            written.verify()


def dealt(env):
    return [state.tobytes() for state in env._games.states]


def test_a_vector_takes_a_list_of_seeds(default_game):
    """As Gymnasium's own vector environments do."""
    env = make_vector(default_game, 3)
    assert isinstance(env.observation_space, spaces.Dict)
    env.reset(seed=5)
    plain = dealt(env)
    for seeds in ([5, 6, 7], (5, 6, 7), np.array([5, 6, 7])):
        env.reset(seed=seeds)
        assert dealt(env) == plain
    env.reset(seed=[7, 2**64 - 1, 7])
    other = dealt(env)
    assert other[1] not in plain
    env.reset(seed=[7, 2**64 - 1, 7])
    assert dealt(env) == other


def test_a_game_without_a_seed_of_its_own_goes_on(default_game):
    left, right = (make_vector(default_game, 2, seat=0) for _ in range(2))
    for env, first in ((left, 1), (right, 2)):
        env.reset(seed=[first, 9])
        env.reset(seed=[3, None])
    assert dealt(left) == dealt(right), "game 1 went on from seed 9 in both"
    left.reset(seed=[3, 9])
    assert dealt(left)[0] == dealt(right)[0] and dealt(left)[1] != dealt(right)[1]
    left.reset(seed=[None, None])


@pytest.mark.parametrize(
    "seeds", [[1], [], [1, 2, 3], [1, "2"], [1, -1], [True, 2], [0.5, 1], "ab", {1: 2}, [[1], [2]]]
)
def test_seeds_that_do_not_fit_get_a_sentence(seeds):
    env = make_vector(KUHN, 2)
    with pytest.raises((TypeError, ValueError), match=r"a seed is an integer|wants 2 seeds"):
        env.reset(seed=seeds)
