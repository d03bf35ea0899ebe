"""Which fields of The Gang's records not all may see. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import State, Visible
from .observation import passed_on
from .showdown import scanned, scanning
from .state import BOARD, HOLE_ROOM, MAX_SEATS, REDRAWN
from .strength import open_cards


def _hole(s: State, player: int) -> np.ndarray:
    """R3, R41, R46: the own hand, during a scan all but the scanned one; R40, R44: bool[7, 4]."""
    seats = np.arange(MAX_SEATS + 1)
    known = (seats == player) | (scanning(s) & (seats != scanned(s)) & (seats < s.seats))
    known[REDRAWN] = player == s.redrawer
    return np.repeat(known[:, None], HOLE_ROOM, axis=1)


def _board(s: State, player: int) -> np.ndarray:
    """R4: which community cards lie open, bool[5]."""
    return np.arange(BOARD) < open_cards(s.round_no)


def _shown(s: State, player: int) -> np.ndarray:
    """R28: bool[1]."""
    return np.array([player in (s.user, s.target)])


def _user(s: State, player: int) -> np.ndarray:
    """R32, R34: bool[1]."""
    return np.array([player == s.user])


def _picks(s: State, player: int) -> np.ndarray:
    """R33: the own card, and once all are passed on that of the right neighbour: bool[6]."""
    seats = np.arange(MAX_SEATS)
    came = passed_on(s) & ((seats + 1) % s.seats == player) & (seats < s.seats)
    known: np.ndarray = (seats == player) | came
    return known


HIDDEN: dict[str, Visible] = {
    "hole": _hole,
    "board": _board,
    "deck": "nobody",
    "percentile": "owner",
    "category": "owner",
    "challenge_stack": "nobody",
    "specialist_stack": "nobody",
    "shown": _shown,
    "hacked": _user,
    "exchanged": _user,
    "picks": _picks,
    "lost": "owner",
}
"""All other fields are open to all."""
