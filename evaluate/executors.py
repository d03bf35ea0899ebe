"""Who does a piece of work: this thread, a pool of processes, or a Ray cluster.

Matches are cut into blocks, sweeps into stretches of training; each of them depends on its
arguments alone. So it does not matter who does it, where, or how often: a block of a node that died
is done again by another, and the result is the same, bit for bit.

    with opened("ray", address="10.0.0.5:6379") as executor:
        cross_play(game, agents, executor=executor)
"""

import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, connection, get_context, parent_process
from typing import Any, Literal, get_args

from ..envs.engine.checks import checked_count
from ..envs.engine.names import unknown

Way = Literal["local", "process", "ray"]
"""This thread; processes of this machine; a Ray cluster, or a Ray of its own on this machine."""

AHEAD = 2
"""Pieces of work that are started for each worker: the next one waits while one is done."""

PATIENCE = 5.0
"""Seconds that a pool has to drop what is cancelled."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""For each of several processes: NumPy would start a thread for each core in all of them."""


@contextmanager
def opened(
    executor: Executor | Way | None, workers: int | None = None, address: str | None = None
) -> Iterator[Executor | None]:
    """Begin to work in a way, and end it with all that was begun.

    Args:
        executor: the way. An executor of one's own is left as it is, and as it was: None and
            "local" stand for this thread.
        workers: how many processes; of Ray, how many CPUs a Ray of its own gets. Without it, as
            many as the machine has.
        address: for Ray, where the cluster's head listens, as HOST:PORT, or "auto" for one that
            runs on this machine. Without it, `$RAY_ADDRESS`, else a Ray on loopback is started
            that ends with this context. Ray gives that one a token and asks for it as long as the
            process lives, which afterwards can work with no cluster that has none.

    Raises:
        ValueError: if there is no such way, or an argument is not for it or out of range.
        ImportError: if Ray is not installed.
        ConnectionError: if no Ray answers at `address`.
        ChildProcessError: if a process that works has died.
    """
    if isinstance(executor, str) and executor not in get_args(Way):
        raise ValueError(unknown("executor", executor, get_args(Way)))
    if workers is not None:
        workers = checked_count("workers", workers)
    if address is not None and executor != "ray":
        raise ValueError("an address is that of a Ray cluster: it needs the executor ray")
    if executor == "ray":
        from .ray_clusters import connected

        with connected(workers, address) as remote:
            yield remote
    elif executor == "process":
        with _processes(workers or os.cpu_count() or 1) as pool:
            yield pool
    elif executor == "local" and (workers or 1) > 1:
        raise ValueError("the executor local has one worker; process has several")
    else:
        yield None if executor == "local" else executor


class Here(Executor):
    """This thread: what is submitted is done at once."""

    workers = 1

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `function`; an error is raised here already."""
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


class Processes(ProcessPoolExecutor):
    """Processes that are spawned, since compiled code with threads does not survive a fork."""

    def __init__(self, workers: int) -> None:
        """They are started when there is work for them."""
        super().__init__(workers, get_context("spawn"), _begin)
        self.workers = workers

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `fn`, in a process that may have to be started for it."""
        with _unheard():
            return super().submit(fn, *args, **kwargs)

    def stop_writing(self, patience: float = 0) -> None:
        """Write no more to processes that are to end, if the pool is not done in so many seconds.

        Before Python 3.11.5 (CPython's issue 94777) a call that does not fit into the pipe to them
        is waited for without end, since this process too holds the end that is read. Later ones
        close it themselves. A pool whose processes have died may be about to: two that close it at
        the same time would be one too many.
        """
        reader = getattr(getattr(self, "_call_queue", None), "_reader", None)
        if reader is None or sys.version_info >= (3, 11, 5):
            return
        thread: Any = self._executor_manager_thread
        if thread is not None:
            thread.join(patience)
            if thread.is_alive():
                reader.close()

    def map(
        self,
        fn: Callable[..., Any],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[Any]:
        """Results in order; no more than AHEAD calls a worker are begun and not yet asked for.

        Raises:
            ValueError: if `fn`, or an agent in it, cannot be sent to another process.
        """
        sent(fn, pickle.dumps)
        calls = zip(*iterables, strict=False)
        return in_order((lambda *args: self.submit(fn, *args)), calls, AHEAD * self.workers)


def in_order(
    submit: Callable[..., Future[Any]], calls: Iterable[tuple[Any, ...]], ahead: int
) -> Iterator[Any]:
    """The results of `submit` with the arguments of each call, in order, `ahead` at a time.

    Calls that are not begun when an error comes, or nobody asks further, are taken back.
    """
    calls = iter(calls)
    begun = deque(submit(*args) for args in islice(calls, ahead))
    try:
        while begun:
            result = begun.popleft().result()
            begun.extend(submit(*args) for args in islice(calls, 1))
            yield result
    finally:
        for future in begun:
            future.cancel()


@contextmanager
def _unheard() -> Iterator[None]:
    """Hold Ctrl-C back: processes that are started now inherit that, and never hear of it.

    Before `_begin` runs there, while they still import, they would each print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """In a new process: Ctrl-C is the parent's to answer, and without a parent nothing goes on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _processes(workers: int) -> Iterator[Processes]:
    """A pool that ends at once when something is raised."""
    others = set(active_children())
    pool = Processes(workers)
    changed = [name for name in ONE_THREAD if name not in os.environ]
    os.environ.update({name: ONE_THREAD[name] for name in changed})  # for those that are spawned
    try:
        yield pool
    except BrokenExecutor as error:
        pool.stop_writing(patience=1)
        raise ChildProcessError(
            "a worker process died, as those do that are killed or get no more memory"
        ) from error
    except BaseException:
        pool.stop_writing()
        pool.shutdown(wait=False, cancel_futures=True)
        _wait_for_thread_of(pool)
        for child in set(active_children()) - others:
            child.terminate()
        raise
    finally:
        for name in changed:
            os.environ.pop(name, None)
        pool.shutdown()


def _wait_for_thread_of(pool: ProcessPoolExecutor) -> None:
    """Until the pool's thread has dropped what is cancelled, a moment after it was told to.

    It takes a process that dies before that for a fault, tries to fail what is cancelled already,
    and ends with a traceback of its own.
    """
    deadline = time.monotonic() + PATIENCE
    while getattr(pool, "_cancel_pending_futures", False) and time.monotonic() < deadline:
        time.sleep(0.005)


def sent(function: Callable[..., Any], dumps: Callable[[Any], bytes]) -> bytes:
    """`function`, with all that belongs to it, as bytes that another process can read.

    Raises:
        ValueError: with a sentence that tells what in it cannot be sent.
    """
    try:
        return dumps(function)
    except (pickle.PicklingError, AttributeError, TypeError) as error:  # all three are pickle's
        raise ValueError(
            f"an agent cannot be sent to other processes: {error}; the executor local sends nothing"
        ) from error


def packed(result: Any) -> bytes:
    """A result as bytes: whoever unpacks it owns its arrays and may write into them."""
    return pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
