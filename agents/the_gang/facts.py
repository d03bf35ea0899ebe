"""What is known of the seats' hands from what cards said, read from observations.

R-numbers: envs/the_gang/README.md. Seats are counted from the observer on.
"""

from typing import NamedTuple

import numpy as np

from ...envs.engine.cards import JACK
from ...envs.engine.game import Game
from ...envs.the_gang import roster
from ...envs.the_gang.strength import open_cards

FACES, SUM, RANK, LEAST, CATEGORY, SHOWN, CARD = range(7)
"""Of a seat, each -1 for not known: how many face cards it holds (R30), what its cards sum up to
(R35), a rank that it holds (R31, R34) and of how many cards of that it said so, the category that
it had (R29) with so many cards of the board, a card that it holds (R28, R33)."""
FACTS = 7
JACK_ALONE = 0
"""In LEAST: at least one, as of whom has the Jack."""


class Facts(NamedTuple):
    """Of B tables."""

    known: np.ndarray
    """int16[B, n, 7]."""
    jack: np.ndarray
    """bool[B], whether the own hand has the Jack,"""
    muscle: np.ndarray
    """or the Muscle."""

    @property
    def told(self) -> np.ndarray:
        """Whether anything is known that all know, bool[B]."""
        told: np.ndarray = np.any(self.known[..., :CARD] >= 0, axis=(1, 2))
        return told


def facts_of(game: Game, parts: np.ndarray) -> Facts:
    """What `parts` of observations tell."""
    count = len(parts["hole"])
    known = np.full((count, game.players, FACTS), -1, np.int16)
    nobody = np.zeros(count, np.bool_)
    if "specialist" not in (game.observation.names or ()):
        return Facts(known, nobody, nobody)
    specialist = parts["specialist"].argmax(axis=1) + parts["specialist"].any(axis=1)
    _sums(specialist, parts, known)
    _words(parts, known)
    jack = specialist == roster.JACK
    with_jack = jack[:, None] & (parts["holder"] > 0)
    known[with_jack, RANK] = JACK
    known[with_jack, LEAST] = JACK_ALONE
    _cards(parts, known)
    own = parts["holder"][:, 0] > 0
    return Facts(known, jack & own, (specialist == roster.MUSCLE) & own)


def _sums(specialist: np.ndarray, parts: np.ndarray, known: np.ndarray) -> None:
    """R30, R35; what was declared of a hand that was discarded is void."""
    declared = np.where(parts["redrew"] > 0, 0, parts["declared"]).astype(np.int16) - 1
    for card, fact in ((roster.INVESTOR, FACES), (roster.MATH_WHIZ, SUM)):
        rows = specialist == card
        known[rows, :, fact] = declared[rows]


def _words(parts: np.ndarray, known: np.ndarray) -> None:
    """R29, R31: what the user declared, of a hand that it still has."""
    used_in = parts["used_in"].argmax(axis=1)
    void = parts["redrew"].astype(np.bool_) & (used_in == 0)[:, None]
    user = parts["user"].astype(np.bool_) & ~void
    open_then = np.array([open_cards(number) for number in range(parts["used_in"].shape[1])])
    for part, fact, of, value in (
        ("declared_category", CATEGORY, SHOWN, open_then[used_in]),
        ("declared_rank", RANK, LEAST, parts["declared_count"].argmax(axis=1) + 1),
    ):
        said = user & parts[part].any(axis=1, keepdims=True)
        row = said.nonzero()[0]
        known[said, fact] = parts[part].argmax(axis=1)[row]
        known[said, of] = value[row]


def _cards(parts: np.ndarray, known: np.ndarray) -> None:
    """R28, R33: a card shown to this seat, or passed on by it to the left."""
    shown = parts["user"].astype(np.bool_) & parts["shown"].any(axis=1, keepdims=True)
    shown[:, 0] = False
    rows, seats = np.nonzero(shown)
    known[rows, seats, CARD] = parts["shown"].argmax(axis=1)[rows]
    rows = np.flatnonzero(parts["passed"].any(axis=1))
    known[rows, 1, CARD] = parts["passed"][rows].argmax(axis=1)
