"""`quantile`: everybody takes the chip of the own percentile.

How to play it, in each round, with n chips:

1. Your percentile is the share of all pairs of cards that your hand beats as the board is. It lies
   somewhere in the row of chips: each chip stands for an n-th of all hands, the weakest first.
2. Without a chip, take the chip that you lie on. If somebody holds it, take the free chip nearest
   to you.
3. But if that lies on the other side of your chip than you do (you are in its upper half and what
   is free is below, or the other way round), and you are not within a tenth of your chip's middle,
   steal your chip: its holder will do better with the free one than you would.
4. With a chip, pass.

A black chip that somebody has taken cannot be stolen: then take the free one. Cards are played as
`cards` says; a seat proposes in place of a chip, if it has another free turn.

So a chip says how strong a hand is, and beyond that nobody listens to anybody.
"""

import numpy as np

from ...envs.engine.jit import jit
from .agent import TheGangAgent
from .table import Tables, holder, own_percentile

MARGIN = 0.1
"""Of a chip's width: nobody steals who lies no further from its middle."""


class QuantileAgent(TheGangAgent):
    """Takes the chip of its hand's rank among all hands, and listens to nobody; see the module."""

    name = "quantile"
    waits = False

    def choose(self, tables: Tables, actions: np.ndarray) -> None:
        """Steps 1 to 4."""
        choose(tables, actions)


@jit(nogil=True)
def choose(tables: Tables, actions: np.ndarray) -> None:
    """Write an action for each of B tables into `actions`, int64[B]."""
    n, laps = tables.moves.shape[1], tables.moves.shape[3]
    for row in range(actions.size):
        chips = tables.chips[row]
        if chips[0] > 0:
            actions[row] = n + 1
        else:
            free_turn = tables.lap[row] < laps - 1
            percentile = own_percentile(tables, row)
            actions[row] = chip_for(percentile, chips, tables.takable[row], free_turn) - 1


@jit
def chip_for(percentile: float, chips: np.ndarray, takable: np.ndarray, free_turn: bool) -> int:
    """The stars of the chip to take.

    Args:
        percentile: Of the own hand, 0 to 1.
        chips: Stars before each seat, 0 for none, int64[n].
        takable: Whether each chip may be taken, bool[n].
        free_turn: Whether chips may be stolen.

    >>> nobody, others, all = np.zeros(3, np.int64), np.array([0, 2, 3]), np.ones(3, np.bool_)
    >>> chip_for(0.6, nobody, all, True)  # four fifths up in chip 2
    2
    >>> [chip_for(p, others, all, free) for p, free in ((0.6, True), (0.4, True), (0.6, False))]
    [2, 1, 1]
    """
    n = chips.size
    place = percentile * n + 0.5  # chip c reaches from c - 1/2 to c + 1/2
    own = min(int(percentile * n) + 1, n)
    nearest = 0
    for stars in range(1, n + 1):
        if holder(chips, stars) < 0 and (nearest == 0 or abs(stars - place) < abs(nearest - place)):
            nearest = stars
    across = (nearest - own) * (place - own) < 0
    if free_turn and across and takable[own - 1] and abs(place - own) > MARGIN:
        return own
    return nearest
