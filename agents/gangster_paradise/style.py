"""What agents care for: their style, and how the own colour bends it."""

from typing import NamedTuple

import numpy as np

from ...envs.gangster_paradise.state import COLOURS


class Style(NamedTuple):
    """What makes one agent unlike another; 1 is what nobody would remark on."""

    virtue: float = 1.0
    wealth: float = 1.0
    greatness: float = 1.0
    """Weights of the three sets of cards."""
    war: float = 1.0
    """Weight of deaths, and of weapons."""
    spying: float = 1.0
    trade: float = 1.0
    """How gladly trades are proposed."""
    margin: float = 0.3
    """What a trade must bring, in the unit of cards, that it agrees to."""
    listens: bool = False
    talks: bool = False


class Aims(NamedTuple):
    """The weights of a style, float64[B, 1] each, as they are with the colours of B players."""

    virtue: np.ndarray
    wealth: np.ndarray
    greatness: np.ndarray
    war: np.ndarray
    spying: np.ndarray
    safety: np.ndarray
    """Of what wards off damage or looks."""


_BENT = {
    "red": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "blue": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "black": (0.7, 0.7, 0.7, 1.5, 1.0, 1.0),  # betrayal counts more than any set
    "purple": (1.0, 1.0, 1.0, 0.3, 0.3, 1.6),  # wins by living: gives nobody a reason
    "gray": (0.9, 0.9, 0.9, 0.5, 0.5, 1.4),  # the same, but for BLACK's sake
}
"""By colour, in the order of `Aims`."""
_FACTORS = np.array([_BENT[colour] for colour in COLOURS])


def aims_of(style: Style, colours: np.ndarray) -> Aims:
    """The aims of players of `colours`, int64[B]."""
    own = np.array([*style[: len(Aims._fields) - 1], 1.0])
    return Aims(*np.moveaxis((own * _FACTORS[colours])[:, :, None], 1, 0))


PLAIN = Aims(*np.ones((len(Aims._fields), 1, 1)))
"""What others are taken to aim at."""
