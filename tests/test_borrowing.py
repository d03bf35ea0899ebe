"""Kernels borrow their arguments: rows are passed on uncounted, and moves allocate nothing."""

import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from playing import dealt

from backroom.envs import GAMES, make_batch
from backroom.envs.engine import batch as batches
from backroom.envs.engine.batch import LEAVE
from backroom.envs.engine.borrowing import borrowed
from backroom.envs.engine.fetching import parts
from backroom.envs.engine.jit import jit

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain Python has no kernels")


class Pair(NamedTuple):
    cells: np.ndarray
    more: tuple[np.ndarray, np.ndarray]


@jit(cache=False)
def write(row, value):
    row[0] = value


@jit(cache=False)
def keep(held):
    return held


@jit(cache=False)
def write_all(pair):
    pair = borrowed(pair)
    write(pair.cells[1], 1)
    write(pair.more[0], 2)
    write(pair.more[1][1:], 3)


def test_what_is_borrowed_is_written_and_given_back():
    """Through arrays, tuples of them and tuples in tuples; as many hold the arrays as before."""
    arrays = [np.zeros((2, 2)), np.zeros(2), np.zeros(3, np.int8)]
    holders = [sys.getrefcount(array) for array in arrays]
    for _ in range(100):
        write_all(Pair(arrays[0], (arrays[1], arrays[2])))
    assert [array.ravel().tolist() for array in arrays] == [[0, 0, 1, 0], [2, 0], [0, 3, 0]]
    assert [sys.getrefcount(array) for array in arrays] == holders


def test_what_is_asked_for_ahead_lies_in_the_record(game):
    """What all need, then a part for each seat; and compiled code reads the same two numbers."""
    (state,) = dealt(game, 1)
    shared, own = parts(state)
    assert 0 < shared <= shared + game.players * own <= state.dtype.itemsize
    assert jit(cache=False)(lambda s: parts(s))(state) == (shared, own)


@compiled
@pytest.mark.parametrize(("take", "counts"), [(borrowed, False), (keep, True)])
def test_batches_count_no_rows(monkeypatch, take, counts):
    """And would, if they did not borrow what they are called with."""
    monkeypatch.setattr(batches, "borrowed", take)
    kernel = numba.njit(nogil=True)(batches.advance.py_func)
    batch = make_batch("cockroach_poker", 2)
    kernel(batch.states, np.full(2, LEAVE), batch._out, True, 0)
    text = kernel.inspect_llvm(kernel.signatures[0])
    body = text[text.index("define") : text.index("\n}")]
    assert ("@NRT_incref" in body) == counts


@compiled
@pytest.mark.parametrize("name", GAMES)
def test_moves_allocate_nothing(name):
    """Calls do, as often for many games as for few; and in The Gang what compares all hands."""
    options = {"features": "raw"} if name == "the_gang" else {}
    _nrt_python.memsys_enable_stats()
    needed = []
    for games in (2, 40):
        batch = make_batch(name, games, seed=3, **options)
        actions = np.zeros(games, np.int64)
        pick, before = np.random.default_rng(0), rtsys.get_allocation_stats().alloc
        for _ in range(300):
            for i, mask in enumerate(batch.masks):
                actions[i] = pick.choice(np.flatnonzero(mask))
            batch.step(actions)
        needed.append(rtsys.get_allocation_stats().alloc - before)
    assert needed[0] == needed[1] > 0
