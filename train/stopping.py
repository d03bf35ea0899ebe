"""Ctrl-C while a policy is trained."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def asked_to_stop(say: Callable[[str], None]) -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, to be asked where nothing is half done; pressed twice, it stops.

    Where Ctrl-C is not this process's to answer (another thread, a worker that leaves it to its
    parent, somebody's own handler) nothing is changed, and the answer is always no.
    """
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        say("stopping after this update; Ctrl-C again stops at once, without a checkpoint")

    signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
