"""Who is a friend, whom one would rather see dead. R-numbers: envs/gangster_paradise/README.md."""

import numpy as np

from ...envs.gangster_paradise.state import (
    BLACK,
    BLUE,
    DEATHS_TO_BETRAY,
    GRAY,
    PURPLE,
    RED,
)
from .style import PLAIN
from .view import Cards, View
from .worth import WIN, sets

NEVER = -99.0
"""A score below all that is played while there is anything else."""
THREAT = 0.3
"""The weight of the way to a set on which a seat is known to be."""


def friends(view: View, chances: np.ndarray) -> np.ndarray:
    """How likely the observer wins if the seat does, float64[B, n]: R60, R61."""
    with_whom = np.zeros((5, 5))
    with_whom[RED, RED] = with_whom[BLUE, BLUE] = 1
    with_whom[BLACK, GRAY] = with_whom[GRAY, BLACK] = 1
    with_whom[PURPLE, [RED, BLUE]] = 0.5  # a win for a point, and only if alive
    likely: np.ndarray = (chances * with_whom[view.colour][:, None]).sum(axis=2)
    return likely


def hatred(cards: Cards, view: View, chances: np.ndarray) -> np.ndarray:
    """What the death of a seat is worth, float64[B, n]; NEVER for the dead and the observer."""
    friend = friends(view, chances)
    prey = chances[..., RED] + chances[..., BLUE]
    black, gray = chances[..., BLACK], chances[..., GRAY]
    victims = (view.dead & (view.lives[..., RED] | view.lives[..., BLUE])).sum(axis=1)
    gone = (view.dead & view.lives[..., BLACK]).any(axis=1)
    last = (victims >= DEATHS_TO_BETRAY - 1)[:, None]
    threat = sets(cards, PLAIN, view.known.astype(np.float64), view.round)
    threat = np.minimum(THREAT * threat, WIN)
    rival = (1 - friend) * (1.5 + threat) + 1.5 * black - chances[..., PURPLE]
    betrayed = np.where(gone[:, None], 0, np.where(last, 5.0, 0.5)) * prey
    by_colour = np.stack(
        [
            rival - 2.5 * friend - betrayed,
            rival - 2.5 * friend - betrayed,
            prey * np.where(last, 12.0, 4.0) + (1 - gray) * threat - 5.0 * gray,
            2.0 * black * (1 + victims[:, None]) + 0.5 * gray - 1.5 * prey - 0.2,
            prey * np.where(last, 10.0, 2.0) + (1 - black) * 0.5 * threat - 9.0 * black,
        ],
        axis=1,
    )
    wanted = by_colour[np.arange(len(view.colour)), view.colour]
    wanted = np.where(view.alive, wanted, NEVER)
    wanted[:, 0] = NEVER
    return wanted


def seen_chance(cards: Cards, view: View, picks: np.ndarray) -> np.ndarray:
    """R34: how likely LIFE is among `picks`, int64[B], random cards of a seat, float64[B, n]."""
    likely: np.ndarray = np.where(view.alive, np.minimum(1, picks[:, None] / (view.held + 1)), 0.0)
    return likely


def dies_if_seen(cards: Cards, view: View, chances: np.ndarray) -> np.ndarray:
    """R48, R49: how likely a seat dies when the observer sees its LIFE, float64[B, n]."""
    safe = cards.gray_safe & (view.colour == BLACK)
    likely = chances[..., PURPLE] + np.where(safe[:, None], 0, chances[..., GRAY])
    known = view.lives.any(axis=2)
    open_now = (view.round > 1) | cards.sight_in_round_1
    return np.where(open_now[:, None] & ~known, likely, 0.0)
