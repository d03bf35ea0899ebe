"""Who may be of which colour, and hold what. R-numbers: envs/gangster_paradise/README.md."""

import numpy as np

from ...envs.gangster_paradise.state import COLOURS
from .view import Cards, View

TRUST, PROVEN, CAUGHT = 1.6, 3.0, 1.0
"""How many times likelier a statement makes a colour: of a seat of which nothing is known, of one
that has told a truth that the observer knows, of one that has told it a lie."""
OWN_LIFE, OTHERS_LIFE = 0, 2
"""Kinds of statement, by their cells in `said`."""
COLOUR_CELLS = 5
"""Where the colours begin in `said`."""


def colour_chances(cards: Cards, view: View, listens: bool) -> np.ndarray:
    """How likely each seat is of each colour, float64[B, n, 5].

    Exact for seats of which nothing is known, by the LIFE cards of the set-up and those that the
    observer knows (R3); what was cleared or said is weighed in seat by seat.
    """
    known = view.lives.sum(axis=1)
    open_ = ~np.any(view.lives, axis=2, keepdims=True)
    chances = np.where(open_, _unseen(cards, known)[:, None], view.lives)
    weights = np.where(open_ & view.cleared, 0.0, chances)
    if listens and view.said.shape[2]:
        weights = np.where(open_, weights * _heard(cards, view), weights)
    total = weights.sum(axis=2, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), chances)


def _unseen(cards: Cards, known: np.ndarray) -> np.ndarray:
    """The chances of a seat of which nothing is known, float64[B, 5], beside `known`, int64[B, 5].

    Each LIFE that may be left over is weighed by how many ways it leaves for what is known.
    """
    found = np.zeros(known.shape)
    total = np.zeros((len(known), 1))
    cases = [(c, p) for c, p in enumerate(cards.spare) if p > 0] or [(-1, 1.0)]
    for colour, share in cases:
        rest = cards.lives.copy()
        if colour >= 0:
            rest[colour] -= 1
        ways = np.full(len(known), share)
        for taken in range(int(cards.lives.max())):
            ways *= np.where(known > taken, np.maximum(rest - taken, 0), 1).prod(axis=1)
        found += ways[:, None] * np.maximum(rest - known, 0)
        total += ways[:, None]
    sums = found.sum(axis=1, keepdims=True)
    return np.where(sums > 0, found / np.where(sums > 0, sums, 1), 1 / len(COLOURS))


def _heard(cards: Cards, view: View) -> np.ndarray:
    """By how much statements make colours of seats likelier, float64[B, n, 5]."""
    n, said = cards.seats, view.said
    colours = said[..., COLOUR_CELLS : COLOUR_CELLS + len(COLOURS)]
    about = said[..., -n:] & said[..., OTHERS_LIFE, None]
    claims = about[..., :, None] & colours[..., None, :]  # B, speaker, statement, seat, colour
    known = np.any(view.lives, axis=2, keepdims=True)[:, None, None]
    right = (claims & view.lives[:, None, None]).any(axis=(2, 3, 4))
    wrong = (claims & known & ~view.lives[:, None, None]).any(axis=(2, 3, 4))
    trust = np.where(wrong, CAUGHT, np.where(right, PROVEN, TRUST))
    trust[:, 0] = 1  # one's own words are no news
    weights = np.ones((len(said), n, len(COLOURS)))
    for speaker in range(1, n):
        times = trust[:, speaker, None]
        own = (said[:, speaker, :, OWN_LIFE, None] & colours[:, speaker]).any(axis=1)
        weights[:, speaker] *= np.where(own, times, 1)
        weights *= np.where(claims[:, speaker].any(axis=1), times[..., None], 1)
    return weights


def unseen_cards(cards: Cards, view: View) -> np.ndarray:
    """What lies in hands and in the deck without being known there, float64[B, K]."""
    pool = cards.in_play - view.field - view.known.sum(axis=1)
    found: np.ndarray = np.maximum(pool, 0).astype(np.float64)
    return found


def expected_hands(view: View, pool: np.ndarray) -> np.ndarray:
    """What seats hold, cards that are known and a share of the others, float64[B, n, K]."""
    unknown = np.maximum(view.held - view.known.sum(axis=2), 0)
    unknown[:, 0] = 0
    shares = pool / np.maximum(pool.sum(axis=1, keepdims=True), 1)
    hands: np.ndarray = view.known + unknown[:, :, None] * shares[:, None]
    return hands
