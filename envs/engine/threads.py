"""Several threads that work through the same games, without waiting for each other.

The thread that calls a kernel begins at once; those that it calls for help join when they wake,
which takes some tens of microseconds, on a virtual machine hundreds: time for a thousand moves. So
each begins with a share of its own, the same at each step (its games stay in its core's cache), and
then helps the others; and a helper that is done lingers a little, in case that the next step comes
soon. What is taken and finished stands on a `desk`, a small array that all of them count on.
"""

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from .jit import COMPILED, jit

FINISHED, BLOCK, SHARES = range(3)
"""Cells of a desk: how many games are finished; how many a thread takes at once; from there on, a
cell for each thread: the next game of its share that nobody has taken."""

LINGER = 200_000
"""Looks at the desk before a helper goes to sleep: about a millisecond, in which a quick player
chooses thousands of actions. A network takes much longer, and so loses little to the waiting."""


def new_desk(games: int, threads: int = 1) -> np.ndarray:
    """A desk, int64[2 + threads], on which all of `games` games are finished."""
    block = games if threads == 1 else max(16, games // (16 * threads))
    return np.array([games, block] + [games] * threads, np.int64)


def _atomic(operation: str) -> Any:
    """LLVM's operation on a cell of an int64[N], as a function that kernels can call."""

    def declare(context: Any, cells: Any, cell: Any, number: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = target.make_array(signature.args[0])(target, builder, arguments[0])
            place = builder.gep(array.data, [arguments[1]])
            return builder.atomic_rmw(operation, place, arguments[2], "seq_cst")

        return types.int64(cells, types.int64, types.int64), build

    return intrinsic(declare)


def _add_plain(cells: np.ndarray, cell: int, number: int) -> int:
    before = int(cells[cell])
    cells[cell] += number
    return before


def _swap_plain(cells: np.ndarray, cell: int, number: int) -> int:
    before = int(cells[cell])
    cells[cell] = number
    return before


add: Any = _atomic("add") if COMPILED else _add_plain
"""Add a number to a cell and return what was there, in one step: no other thread comes between, and
what this one wrote before is seen by all that find the new number. Numba has no such operation."""
swap: Any = _atomic("xchg") if COMPILED else _swap_plain
"""Put a number into a cell and return what was there, in one step."""


@jit
def open_desk(desk: np.ndarray, games: int) -> None:
    """Lay out all games. The count goes first: a helper may come or look at any time."""
    swap(desk, FINISHED, 0)
    threads = desk.shape[0] - SHARES
    for k in range(threads):
        swap(desk, SHARES + k, games * k // threads)


@jit
def take(desk: np.ndarray, games: int, thread: int) -> tuple[int, int]:
    """The next games for `thread`, from the first to before the second; the same if none is left.

    Its own share goes first, then the next one's, and so on round the table.
    """
    threads = desk.shape[0] - SHARES
    for turn in range(threads):
        k = (thread + turn) % threads
        end = games * (k + 1) // threads
        first = add(desk, SHARES + k, desk[BLOCK])
        if first < end:
            return first, min(first + desk[BLOCK], end)
    return games, games


@jit
def linger(desk: np.ndarray, games: int) -> bool:
    """Wait a little for the next step; whether it has come."""
    for _ in range(LINGER):
        if add(desk, FINISHED, 0) < games:
            return True
    return False


@jit
def wait_for_all(desk: np.ndarray, games: int) -> None:
    """Return when `games` games are finished; helpers have few left, so a nap would be longer."""
    while add(desk, FINISHED, 0) < games:
        pass


class _Helper:
    """A thread that waits for work, and ends with the process."""

    def __init__(self) -> None:
        self.at: np.ndarray | None = None
        """The desk at which it works or lingers."""
        self._work: SimpleQueue[tuple[np.ndarray, Callable[..., Any], tuple[Any, ...]]] = (
            SimpleQueue()
        )
        threading.Thread(target=self._help, name="backroom", daemon=True).start()

    def call(self, desk: np.ndarray, kernel: Callable[..., Any], *arguments: Any) -> None:
        self._work.put((desk, kernel, arguments))

    def _help(self) -> None:
        while True:
            self.at, kernel, arguments = self._work.get()
            kernel(*arguments)
            del kernel, arguments  # or the last arrays live as long as this thread
            self.at = None


_helpers: list[_Helper] = []
_hiring = threading.Lock()

if hasattr(os, "register_at_fork"):  # a fork has none of its parent's threads
    os.register_at_fork(after_in_child=_helpers.clear)


def call_helpers(desk: np.ndarray, kernel: Callable[..., Any], *arguments: Any) -> None:
    """Have threads 1, 2, ... call `kernel(*arguments, thread)` too; does not wait.

    Those that linger at this desk need no call. (One may just be leaving: then it misses a step,
    and the others play its games.) The kernel must release the interpreter. In plain Python nobody
    is called: threads would only take turns.
    """
    for k in range(1, len(desk) - SHARES) if COMPILED else ():
        with _hiring:
            if len(_helpers) < k:
                _helpers.append(_Helper())
        if _helpers[k - 1].at is not desk:
            _helpers[k - 1].call(desk, kernel, *arguments, k)
