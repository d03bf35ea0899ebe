"""Play a game again: begin it as it began, follow its moves, and tell how it ended."""

import hashlib
from collections.abc import Sequence
from functools import cache

import numpy as np

from .checks import checked_seed
from .game import Game, State, deal, legal, observe, returns, step
from .jit import first_use, jit
from .rng import stream


def begin(game: Game, seed: int, cards: dict[str, str] | None = None) -> np.ndarray:
    """A game just dealt from `seed`, records[1], with `cards` in place of the drawn ones.

    Raises:
        TypeError, ValueError: if the seed or the cards make no sense.
    """
    _rehearse(game)
    states = game.blank(1)
    states["rng"] = stream(checked_seed(seed))
    deal(states[0])
    if cards:
        game.rules.arrange(game, states[0], cards)
    return states


def follow(game: Game, states: np.ndarray, actions: Sequence[int]) -> int:
    """Play `actions` in the one game of `states`, records[1]; how many, up to the first illegal."""
    mask = np.zeros(len(game.actions), np.bool_)
    return int(_follow(states, np.array(actions, np.int64), mask))


@jit(nogil=True)
def _follow(states: np.ndarray, actions: np.ndarray, mask: np.ndarray) -> int:
    s = states[0]
    for k in range(actions.size):
        action = actions[k]
        legal(s, mask)
        if action < 0 or action >= mask.size or not mask[action]:
            return k
        step(s, action)
    return actions.size


def earnings(game: Game, state: State) -> tuple[float, ...]:
    """Each seat's return so far."""
    out = np.zeros(game.players, np.float32)
    returns(state, out)
    return tuple(out.tolist())


def fingerprint(state: State) -> str:
    """SHA-256 of a state, the same on every machine."""
    plain = np.asarray(state)
    return hashlib.sha256(plain.astype(plain.dtype.newbyteorder("<")).tobytes()).hexdigest()


@cache
def _rehearse(game: Game) -> None:
    """Use each verb once, so that what is compiled at the first use is announced."""
    states, mask = game.blank(1), np.zeros(len(game.actions), np.bool_)
    with first_use(game.name, "records"):
        deal(states[0])
        legal(states[0], mask)
        observe(states[0], 0, np.zeros(game.observation_size, np.int8))
        step(states[0], int(mask.argmax()))
        earnings(game, states[0])
        follow(game, states, [])
