"""Chance: each state carries its own random stream, the field `rng`.

So a state and its actions are the whole game: copies, replays and pickles play on alike. A searcher
must not look ahead in the true game's stream: `redeal` gives it another.
"""

import warnings
from typing import Any

import numpy as np

from .jit import COMPILED, jit

if not COMPILED:  # arithmetic modulo 2**64 is meant here
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning, __name__)

STREAM = np.dtype((np.record, [("rng", "u8")]))
"""A stream without a game, for those who need chance of their own."""
_PLAYERS = np.uint64(0xD1B54A32D192ED03)
"""What sets the streams of players apart from those of games."""


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


def seed_range(seed: int, count: int) -> np.ndarray:
    """The seeds `seed`, `seed` + 1, ... modulo 2**64, uint64[count].

    >>> seed_range(2**64 - 1, 3).tolist()
    [18446744073709551615, 0, 1]
    """
    seeds: np.ndarray = np.arange(count, dtype=np.uint64) + np.uint64(seed % 2**64)
    return seeds


def stream(seed: int) -> np.uint64:
    """The state of the random stream that belongs to `seed`.

    >>> int(stream(7))
    1346066267577507604
    """
    return np.uint64(mix(np.uint64(seed)))


def player_stream(seed: int) -> np.uint64:
    """The state of the stream of a player with this `seed`.

    It is far from that of a game dealt from the same seed: who draws from it learns nothing of the
    cards, though both are told the same number.

    >>> int(player_stream(7))
    8048351401846926926
    """
    return np.uint64(mix(stream(seed) ^ _PLAYERS))
