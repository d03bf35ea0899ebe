"""Ray as an executor: each call is a task, which another node takes over when one dies.

What is called goes to each node once; results come back as bytes. Nothing is expected of the nodes
but that the same version of this suite is installed there: agents of modules that are installed
nowhere are sent along with the code of these modules.
"""

import pickle
import re
import socket
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType
from typing import Any

from ..envs.engine.jit import suite_hash
from .executors import AHEAD, in_order, packed, sent

RETRIES = 8
"""How often a call may die with its node or its process before that is taken for its own fault."""


class Remote(Future[Any]):
    """What comes of a task; to take it back ends the task."""

    ref: Any = None

    def cancel(self) -> bool:
        """End the task, even if it has begun."""
        import ray

        if not self.done():
            ray.cancel(self.ref, force=True)
        return super().cancel()


class RayExecutor(Executor):
    """Calls functions on the nodes of a cluster.

    Attributes:
        workers: CPUs of the cluster when it was asked; each call takes one.
        open: calls that were begun and have not ended.
        answered: whether one has.
    """

    def __init__(self) -> None:
        """Ray must be initialised."""
        import ray

        self._ray = ray
        self.open: set[Future[Any]] = set()
        self.answered = False
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(perform)

    @property
    def workers(self) -> int:
        """All CPUs of the nodes that are alive now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Remote:
        """Call `function` somewhere."""
        return self._send(self._ship(partial(function, **kwargs) if kwargs else function), *args)

    def map(
        self,
        fn: Callable[..., Any],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[Any]:
        """Results in order; `fn` goes to each node once, AHEAD calls a CPU are begun."""
        shipped, calls = self._ship(fn), zip(*iterables, strict=False)
        return in_order(partial(self._send, shipped), calls, AHEAD * self.workers)

    def _ship(self, function: Callable[..., Any]) -> Any:
        return self._ray.put(pickled(function))

    def _send(self, shipped: Any, *args: Any) -> Remote:
        remote = Remote()
        self.open.add(remote)
        remote.add_done_callback(self._end)
        self._begin(remote, (shipped, suite_hash(), *args), RETRIES)
        return remote

    def _end(self, remote: Future[Any]) -> None:
        self.open.discard(remote)
        self.answered |= not remote.cancelled()

    def _begin(self, remote: Remote, args: tuple[Any, ...], left: int) -> None:
        """Start a call; `left` times anew if its node dies while it fetches what the call needs.

        Ray itself starts a call again that died with its process; but a process that outlives its
        node for a moment reports what it cannot fetch as the call's own error.
        """
        from ray.exceptions import RayError, RayTaskError

        def done(found: Future[Any]) -> None:
            error = found.exception()
            lost = isinstance(error, RayTaskError) and isinstance(error.cause, RayError)
            if lost and left and not remote.cancelled():  # not in Ray's own thread
                threading.Thread(target=self._begin, args=(remote, args, left - 1)).start()
            else:
                _settle(remote, found)

        remote.ref = self._task.remote(*args)
        remote.ref.future().add_done_callback(done)


def perform(function: bytes, suite: str, *args: Any) -> bytes:
    """On a node: call the function that was shipped; it comes from the cluster's own driver.

    Whoever can reach a Ray cluster can run code on it by design, so pickle opens no further door.

    Raises:
        ValueError: if the node has another version of this suite installed.
    """
    if suite != suite_hash():
        raise ValueError(
            f"the node {socket.gethostname()} has another version of backroom than this machine: "
            "install the same one everywhere"
        )
    return packed(pickle.loads(function)(*args))


def _settle(remote: Remote, done: Future[Any]) -> None:
    """Hand on a result, or an error as it was raised; whatever it is, somebody waits for it."""
    if not remote.set_running_or_notify_cancel():
        return
    try:
        result = _came(done)
    except BaseException as error:
        remote.set_exception(error)
    else:
        remote.set_result(result)


def _came(done: Future[Any]) -> Any:
    """What came of a task; errors are raised as they were there."""
    from ray.exceptions import RayError, RayTaskError

    error = done.exception()
    if error is None:
        return pickle.loads(done.result())
    if isinstance(error, RayTaskError) and not isinstance(error.cause, RayError):
        raise lacking(error) or error.cause
    if isinstance(error, RayError):
        text = str(error).strip().partition("\n")[0]
        raise ConnectionError(f"the Ray cluster failed: {text}")
    raise error


def lacking(error: Any) -> ImportError | None:
    """What to say of a call's error if the node could not even read what to call."""
    if "failed to import on the worker" not in str(error.cause):
        return None
    last = str(error.cause).strip().rpartition("\n")[-1]
    host = re.search(r"ip=([^,)]+)", str(error))
    where = f" at {host[1]}" if host else ""
    return ImportError(
        f"the node{where} of the Ray cluster cannot run this suite: {last}; "
        "install the same one everywhere"
    )


def pickled(function: Callable[..., Any]) -> bytes:
    """`function` with all that belongs to it; code that is installed nowhere goes along.

    Raises:
        ValueError: if something in it cannot be sent.
    """
    from ray import cloudpickle

    known = cloudpickle.list_registry_pickle_by_value()
    along = [module for module in loose_modules() if module.__name__ not in known]
    for module in along:
        cloudpickle.register_pickle_by_value(module)
    try:
        return sent(function, cloudpickle.dumps)
    finally:
        for module in along:
            cloudpickle.unregister_pickle_by_value(module)


def loose_modules() -> list[ModuleType]:
    """Modules of files that belong to no installed package, as those of the current folder do."""
    installed = packages_distributions().keys() | sys.stdlib_module_names
    ours = __name__.partition(".")[0]
    shared = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")]
    found = []
    for name, module in list(sys.modules.items()):
        top, file = name.partition(".")[0], getattr(module, "__file__", None)
        if not file or top in installed or top in (ours, "__main__", "__mp_main__"):
            continue
        if module.__name__ == name and not any(Path(file).is_relative_to(p) for p in shared):
            found.append(module)
    return found
