"""Who may see which field of the state. R-numbers: README.md beside this file."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.game import State, Visible
from ..engine.jit import jit
from .state import ASK, EVADE, EVERYBODY, MAX_SEATS, REPICK, TAKE_MONEY


@jit
def known_row(s: State, p: int, seat: int) -> Any:
    """R27: the row of `known` that holds what `p`, a seat or EVERYBODY, knows of `seat`'s hand.

    Such a row, int8[GROUPS], says how many cards of each group it holds, at least.
    """
    return np.uint64((int(p) + 1) * int(s.seats) + int(seat))


@jit
def sees_life(s: State, player: int, seat: int) -> bool:
    """R27: whether `player` knows the LIFE of `seat`."""
    return bool(seat == player or s.life_open[seat] or s.life_seen[player, seat])


@jit
def sees_picks(s: State, player: int) -> bool:
    """R36: the owner of picked cards sees them, and the looker once they cannot be evaded."""
    if player == s.turn:
        evading = s.phase == REPICK or (s.phase == ASK and s.asking == EVADE)
        return not evading
    return bool(player == s.last_target)


@jit
def sees_phase(s: State, player: int) -> bool:
    """R12: what is decided after an effect is open; before, to who decides."""
    return bool(s.player >= 0 and (player == s.player or s.phase >= TAKE_MONEY))


@jit
def sees_chain(s: State, player: int) -> bool:
    """R12, R14: the card in use, and what it is used on, once it takes effect."""
    return bool(player == s.turn or s.committed)


def _whole(s: State, name: str, value: bool) -> np.ndarray:
    return np.full(np.shape(np.atleast_1d(s[name])), value)


def _rows(name: str) -> Callable[[State, int], np.ndarray]:
    """R63: the own row, and that of everybody; all of it when the game is over."""

    def known(s: State, player: int) -> np.ndarray:
        cells = _whole(s, name, bool(s.player < 0))
        cells[player] = True
        return cells

    return known


def _known(s: State, player: int) -> np.ndarray:
    """R27, R63: what `player` knows, and what everybody does; all of it when the game is over."""
    cells = _whole(s, "known", bool(s.player < 0))
    for p in (EVERYBODY, player):
        for seat in range(s.seats):
            cells[known_row(s, p, seat)] = True
    return cells


def _if(
    name: str, sees: Callable[[State, int], bool] | None = None
) -> Callable[[State, int], np.ndarray]:
    """All of it or nothing; without a rule, what only the player whose turn it is knows."""

    def known(s: State, player: int) -> np.ndarray:
        return _whole(s, name, bool(player == s.turn if sees is None else sees(s, player)))

    return known


def _life(s: State, player: int) -> np.ndarray:
    return np.array([seat >= s.seats or sees_life(s, player, seat) for seat in range(MAX_SEATS)])


def _deck(s: State, player: int) -> np.ndarray:
    """R41: the top cards, if `player` has looked at them."""
    known = _whole(s, "deck", False)
    known[s.deck_size :] = True
    for i in range(min(2, int(s.deck_size))):
        known[s.deck_size - 1 - i] = bool(int(s.deck_seen[i]) >> player & 1)
    return known


def _offers(s: State, player: int) -> np.ndarray:
    """R19: a partner sees what it is offered and asked for, once that is proposed."""
    known = _whole(s, "offers", bool(player == s.turn))
    known[player] |= bool(s.committed)
    return known


HIDDEN: dict[str, Visible] = {
    "hand": _rows("hand"),
    "life": _life,
    "spare": "nobody",
    "deck": _deck,
    "known": _known,
    "life_seen": "owner",
    "phase": _if("phase", sees_phase),
    **{name: _if(name, sees_chain) for name in ("card", "target", "mode", "given", "taken")},
    **{name: _if(name) for name in ("stage", "loaded", "stack", "stacked", "partner")},
    "items": _if("items", sees_chain),
    "offers": _offers,
    "picks": _if("picks", sees_picks),
}
