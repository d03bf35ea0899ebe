"""Chance: each state carries its own random stream, the field `rng`.

So a state and its actions are the whole game: copies, replays and pickles play on alike. A searcher
must not look ahead in the true game's stream: `redeal` gives it another.
"""

import operator
import warnings
from typing import Any

import numpy as np

from .jit import COMPILED, jit

if not COMPILED:  # arithmetic modulo 2**64 is meant here
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning, __name__)

STREAM = np.dtype((np.record, [("rng", "u8")]))
"""A stream without a game, for those who need chance of their own."""


@jit
def mix(z: np.uint64) -> np.uint64:
    """Scatter the bits of `z`, so that streams of neighbouring seeds are unlike."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@jit
def draw(s: Any, n: int) -> int:
    """A uniform integer in [0, n), n < 2**31, by SplitMix64 (Steele et al. 2014); `s.rng` moves on.

    The high half of the next number is scaled to n (Lemire 2019), without a division; the shares of
    two values differ by less than n / 2**32.
    """
    s.rng += np.uint64(0x9E3779B97F4A7C15)
    high = mix(s.rng) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@jit
def shuffle(cards: np.ndarray, s: Any) -> None:
    """Shuffle `cards` in place (Fisher-Yates).

    >>> import numpy as np
    >>> cards = np.arange(5)
    >>> shuffle(cards, np.zeros(1, STREAM)[0])
    >>> cards.tolist()
    [2, 3, 0, 1, 4]
    """
    for i in range(cards.size - 1, 0, -1):
        j = draw(s, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def shuffle_first(cards: np.ndarray, count: int, s: Any) -> None:
    """Bring `count` cards, drawn uniformly without return, to the front of `cards`, in place."""
    for i in range(min(count, cards.size - 1)):
        j = i + draw(s, cards.size - i)
        cards[i], cards[j] = cards[j], cards[i]


def checked_seed(seed: Any) -> int:
    """`seed` as an integer in [0, 2**64), or one sentence on what is wrong with it.

    >>> checked_seed(7)
    7
    """
    if isinstance(seed, bool | np.bool_):
        raise TypeError(f"a seed is an integer from 0 to 2**64 - 1, not {seed!r}")
    try:
        value = operator.index(seed)
    except TypeError:
        raise TypeError(f"a seed is an integer from 0 to 2**64 - 1, not {seed!r}") from None
    if not 0 <= value < 2**64:
        raise ValueError(f"a seed is an integer from 0 to 2**64 - 1, not {value}")
    return value


def stream(seed: int) -> np.uint64:
    """The state of the random stream that belongs to `seed`.

    >>> int(stream(7))
    1346066267577507604
    """
    return np.uint64(mix(np.uint64(seed)))
