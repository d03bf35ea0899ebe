"""What libraries change for the whole process, put back afterwards."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def kept_generators() -> Iterator[None]:
    """Put the global generators back, which stable-baselines3 and RLlib seed and use."""
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


@contextmanager
def kept_threads(threads: int) -> Iterator[None]:
    """Let PyTorch use `threads` for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
