"""Ray as an executor: each call is a task, which another node takes over when one dies.

What is called goes to each node once; results come back as bytes. Nothing is expected of the nodes
but that the same version of this suite is installed there: agents of modules that are installed
nowhere are sent along with the code of these modules.
"""

import logging
import os
import pickle
import signal
import socket
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType
from typing import Any

from ..envs.engine.jit import suite_hash
from .executors import AHEAD, in_order, packed

RETRIES = 8
"""How often a call may die with its node or its process before that is taken for its own fault."""
STORE = 256 * 2**20
"""Bytes of shared memory that a Ray of our own sets aside; what does not fit goes to disk."""
PATIENCE = 5.0
"""Seconds in which a head has to answer."""
ATTEMPTS = 3
"""To start a Ray: on a machine that is very busy, its parts wait for each other in vain."""
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
"""Nothing is told to anybody, and no warning of what a later Ray will do."""
HASTY = QUIET | {"RAY_NUM_REDIS_GET_RETRIES": "5"}
"""Also, where something else than Ray answers: five attempts, a second apart, not twenty."""


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
    """

    def __init__(self) -> None:
        """Ray must be initialised."""
        import ray

        self._ray = ray
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
        self._begin(remote, (shipped, suite_hash(), *args), RETRIES)
        return remote

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
    """Hand on a result, or an error as it was raised."""
    from ray.exceptions import RayError, RayTaskError

    if not remote.set_running_or_notify_cancel():
        return
    error = done.exception()
    if error is None:
        remote.set_result(pickle.loads(done.result()))
    elif isinstance(error, RayTaskError) and not isinstance(error.cause, RayError):
        remote.set_exception(error.cause)
    elif isinstance(error, RayError):
        text = str(error).strip().partition("\n")[0]
        remote.set_exception(ConnectionError(f"the Ray cluster failed: {text}"))
    else:
        remote.set_exception(error)


def pickled(function: Callable[..., Any]) -> bytes:
    """`function` with all that belongs to it; code that is installed nowhere goes along."""
    from ray import cloudpickle

    known = cloudpickle.list_registry_pickle_by_value()
    along = [module for module in loose_modules() if module.__name__ not in known]
    for module in along:
        cloudpickle.register_pickle_by_value(module)
    try:
        sent: bytes = cloudpickle.dumps(function)
        return sent
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


@contextmanager
def connected(workers: int | None, address: str | None) -> Iterator[RayExecutor]:
    """Join the cluster at `address`, or one that is joined already, or start one; see `opened`."""
    head = address or os.environ.get("RAY_ADDRESS")
    with _environment(HASTY if head else QUIET):
        ray = _ray()
    if ray.is_initialized():
        if address not in (None, "auto", ray.get_runtime_context().gcs_address):
            raise ValueError("this process works with another Ray cluster already")
        yield RayExecutor()
        return
    if head and workers:
        raise ValueError("workers are for a Ray of our own; a cluster has the CPUs that it has")
    with _environment(QUIET), _undisturbed():
        if head:
            _join(head)
        else:
            _start(workers)
        try:
            yield RayExecutor()
        finally:
            ray.shutdown()


def _ray() -> Any:
    try:
        return import_module("ray")
    except ImportError:
        raise ImportError(
            "the executor ray needs Ray: install the extra, pip install 'backroom[ray]'"
        ) from None


@contextmanager
def _environment(changes: dict[str, str]) -> Iterator[None]:
    """Set variables that are not set, for a while; what Ray sets is undone too."""
    before = dict(os.environ)
    os.environ.update({name: value for name, value in changes.items() if name not in before})
    try:
        yield
    finally:
        for name in [name for name in os.environ if name not in before]:
            del os.environ[name]


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put back what Ray changes in this process: how it ends when it is told to, and its words."""
    logger, worker = logging.getLogger("ray"), import_module("ray._private.worker")
    level, handler = logger.level, signal.getsignal(signal.SIGTERM)
    said, worker.print_to_stdstream = worker.print_to_stdstream, _tell  # type: ignore[attr-defined]
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
        worker.print_to_stdstream = said  # type: ignore[attr-defined]
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)


def _tell(message: dict[str, Any], **_: Any) -> None:
    """What Ray has to say of a dead node or a call that is done again: a line on standard error."""
    line = " ".join(message["lines"]).strip().partition("\n")[0]
    print(f"backroom: Ray: {line.partition(' Possible reasons')[0][:200]}", file=sys.stderr)


def _start(workers: int | None) -> None:
    """Start a Ray that nobody else can reach."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with loopback():
                _init(
                    "local",
                    num_cpus=workers,
                    include_dashboard=False,
                    object_store_memory=STORE,
                    _node_ip_address="127.0.0.1",
                )
            return
        except Exception as error:  # it raises no narrower kind
            import_module("ray").shutdown()
            if attempt == ATTEMPTS:
                raise ConnectionError(f"Ray did not start on this machine: {error}") from None


def _join(address: str) -> None:
    host = "" if address == "auto" else _answering(address)
    try:
        with loopback() if host in ("127.0.0.1", "localhost") else nullcontext():
            _init(address)
    except Exception as error:  # of many kinds: other versions, no token, no Ray at all
        text = str(error).strip().partition("\n")[0]
        raise ConnectionError(f"no Ray cluster can be joined at {address}: {text}") from None


def _answering(address: str) -> str:
    """The host in `address`, which answers.

    Raises:
        ValueError: if it is no address.
        ConnectionError: if nothing answers there.
    """
    host, _, port = address.rpartition(":")
    if "/" in host or not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ValueError(
            f"an address is HOST:PORT of a Ray cluster's head, or auto, not {address!r}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as error:
        reason = error.strerror or error
        raise ConnectionError(f"no Ray cluster answers at {address}: {reason}") from None
    return host


def _init(address: str, **arguments: Any) -> None:
    import ray

    ray.init(address, log_to_driver=False, configure_logging=False, **arguments)


@contextmanager
def loopback() -> Iterator[None]:
    """Let Ray take 127.0.0.1 at its word; it would listen at the machine's public address."""
    constants: Any = import_module("ray._private.ray_constants")
    before = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before
