"""A Ray to work with: one that is joined, or one of our own; and what is said while one waits."""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

from .ray_executor import RayExecutor

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
LONG = 300
"""Characters of what Ray says that fit into a sentence."""
WATCH = 5.0
"""Seconds between two looks whether there is anybody who could work."""
ENDED = (
    "this process was ended from outside, as Ray does when the cluster's head or this machine's "
    "node is lost: sweeps and trainings go on by --resume"
)
"""Said by another process in the name of one that cannot."""
GUARD = "import sys; sys.stdin.read() or print(sys.argv[1], file=sys.stderr)"
"""What that process does."""


@contextmanager
def connected(workers: int | None, address: str | None) -> Iterator[RayExecutor]:
    """Join the cluster at `address`, or one that is joined already, or start one; see `opened`."""
    head = os.environ.get("RAY_ADDRESS") or None if address is None else address
    joined = head is not None
    with _environment(HASTY if joined else QUIET):
        ray = _ray()
    if ray.is_initialized():
        if address not in (None, "auto", ray.get_runtime_context().gcs_address):
            raise ValueError("this process works with another Ray cluster already")
        yield RayExecutor()
        return
    if joined and workers:
        raise ValueError("workers are for a Ray of our own; a cluster has the CPUs that it has")
    with _environment(QUIET), _undisturbed(), _guarded():
        if head is not None:
            _join(head, "" if address is not None else " (of $RAY_ADDRESS)")
        else:
            _start(workers)
        try:
            with _watched(RayExecutor(), joined and _full()) as executor:
                yield executor
        finally:
            ray.shutdown()


def _full() -> bool:
    """Whether others have taken all CPUs; asked several times, as new nodes are known late."""
    import ray

    for _ in range(5):
        if ray.available_resources().get("CPU", 0) >= 1:
            return False
        time.sleep(0.2)
    return True


@contextmanager
def _guarded() -> Iterator[None]:
    """Tell why, if this process ends meanwhile without being able to.

    Ray ends a process whose node or head is lost, from outside of Python and without a word. So a
    process of its own waits for the end of a pipe: whoever closes it in order says so before.
    """
    guard = subprocess.Popen(
        [sys.executable, "-S", "-c", GUARD, f"backroom: {ENDED}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is not for it
    )
    try:
        yield
    finally:
        guard.communicate(b"in order")


@contextmanager
def _watched(executor: RayExecutor, full: bool) -> Iterator[RayExecutor]:
    """Tell what is waited for, if there is nobody who could work.

    Args:
        executor: what works.
        full: whether all CPUs were taken before it began.
    """
    ended = threading.Event()

    def watch() -> None:
        told = ""
        while not ended.wait(WATCH):
            text = _waiting_for(executor, full)
            if text and text != told:
                _say(text)
            told = text

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield executor
    finally:
        ended.set()


def _waiting_for(executor: RayExecutor, full: bool) -> str:
    """What keeps the executor waiting, if anything does.

    Once something has come back the CPUs are ours, and that all of them are taken means nothing.
    """
    import ray

    cpus = int(ray.cluster_resources().get("CPU", 0))
    if executor.open and not cpus:
        return "no node of the cluster has a CPU: waiting for one that has"
    if executor.open and full and not executor.answered:
        return f"all {cpus} CPUs of the cluster are taken: waiting for one"
    return ""


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
    _say(line.partition(" Possible reasons")[0][:200])


def _say(text: str) -> None:
    print(f"backroom: Ray: {text}", file=sys.stderr)


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


def _join(address: str, source: str) -> None:
    """Join the cluster at `address`; `source` tells where that comes from, if it was not given."""
    host = "" if address == "auto" else _answering(address, source)
    try:
        with loopback() if host in ("127.0.0.1", "localhost") else nullcontext():
            _init(address)
    except Exception as error:  # of many kinds: other versions, no token, no Ray at all
        import_module("ray").shutdown()  # it may have joined half
        text = " ".join(str(error).split())[:LONG]
        raise ConnectionError(
            f"no Ray cluster can be joined at {address}{source}: {text}"
        ) from None


def _answering(address: str, source: str) -> str:
    """The host in `address`, which answers.

    Raises:
        ValueError: if it is no address.
        ConnectionError: if nothing answers there.
    """
    host, _, port = address.rpartition(":")
    if "/" in host or not host or not port.isdecimal() or not 0 < int(port) < 2**16:
        raise ValueError(
            f"an address is HOST:PORT of a Ray cluster's head, or auto, not {address!r}{source}"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as error:
        reason = error.strerror or error
        raise ConnectionError(f"no Ray cluster answers at {address}{source}: {reason}") from None
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
