"""`clock`: the longer you wait, the nearer to the middle you are.

How to play it, in each round, with a budget of T free turns:

1. Your percentile is the share of all pairs of cards that your hand beats as the board is. Cut all
   hands, weakest to strongest, into 2T + 1 slices of equal size. In the first lap the outermost
   slice at each end is due, in each later lap the next one inwards; the middle slice is left over.
2. Without a chip, pass until your slice is due. Then take the outermost free chip of your end.
3. But if chips further out at your end were taken in this same lap, their holders are of the slice
   that is due, as you are. With k of them, cut the slice into k + 1 equal parts: in the outermost
   part steal the outermost of these chips, in the next part the next, and in the innermost part
   take the free one. If your slice was due earlier (you were robbed), steal the outermost.
4. In the lap after the budget only the middle slice is left: the free chips, in order, stand for
   equal parts of it. Take the one of your part; outside the slice, the last one on your side.
5. With a chip, pass.

A black chip that somebody has taken cannot be stolen: its holder does not count in step 3. Cards
are played as `cards` says; a seat proposes where it would pass, so that this tells no other time.

So it is the time that says how strong a hand is, the finer the greater the budget.
"""

import numpy as np

from ...envs.engine.jit import jit
from .agent import TheGangAgent
from .table import Tables, holder, own_percentile


class ClockAgent(TheGangAgent):
    """Strong and weak hands take their chips early, middling ones late; see the module."""

    name = "clock"

    def choose(self, tables: Tables, actions: np.ndarray) -> None:
        """Steps 1 to 5."""
        choose(tables, actions)


@jit(nogil=True)
def choose(tables: Tables, actions: np.ndarray) -> None:
    """Write an action for each of B tables into `actions`, int64[B]."""
    n, turns = tables.moves.shape[1], tables.moves.shape[3] - 1
    fresh = np.zeros(n, np.bool_)
    for row in range(actions.size):
        chips = tables.chips[row]
        lap = int(tables.lap[row])
        stars = 0
        if chips[0] == 0:
            percentile = own_percentile(tables, row)
            if lap == turns:
                stars = left_over(percentile, turns, chips)
            else:
                for seat in range(n):
                    move = tables.moves[row, seat, tables.number[row], lap]
                    stars = chips[seat]
                    fresh[seat] = stars > 0 and move == stars and tables.takable[row, stars - 1]
                stars = when_due(percentile, lap, turns, chips, fresh)
        actions[row] = stars - 1 if stars > 0 else n + 1


@jit
def when_due(percentile: float, lap: int, turns: int, chips: np.ndarray, fresh: np.ndarray) -> int:
    """Steps 2 and 3: the stars of the chip to take, or 0 to pass.

    Args:
        percentile: Of the own hand, 0 to 1.
        lap: Laps completed.
        turns: The budget.
        chips: Stars before each seat, 0 for none, int64[n].
        fresh: Whether a seat has taken its chip in this lap, bool[n].

    >>> def by(*seats):
    ...     return np.array([seat in seats for seat in range(4)])
    >>> one, two = np.array([0, 4, 0, 0]), np.array([0, 4, 3, 0])
    >>> when_due(0.7, 0, 1, one, by()), when_due(0.6, 0, 1, one, by())  # due from 2/3 on
    (3, 0)
    >>> when_due(0.9, 0, 1, one, by(1)), when_due(0.7, 0, 1, one, by(1))  # halves
    (4, 3)
    >>> when_due(0.8, 0, 1, two, by(1, 2)), when_due(0.7, 0, 1, two, by(1, 2))  # thirds
    (3, 2)
    """
    n = chips.size
    strong = percentile >= 0.5
    depth = (1 - percentile if strong else percentile) * (2 * turns + 1)  # in slices, from the end
    if depth > lap + 1:
        return 0
    choices = np.empty(n, np.int64)  # the fresh chips further out than a free one, then that one
    count = 0
    for i in range(n):
        stars = n - i if strong else i + 1
        seat = holder(chips, stars)
        choices[count] = stars
        if seat < 0:
            break
        count += int(fresh[seat])
    part = int(max(depth - lap, 0.0) * (count + 1))
    return int(choices[min(part, count)])


@jit
def left_over(percentile: float, turns: int, chips: np.ndarray) -> int:
    """Step 4: the stars of the chip to take; arguments as for `when_due`.

    >>> left_over(0.4, 1, np.array([0, 4, 1, 0])), left_over(0.6, 1, np.array([0, 4, 1, 0]))
    (2, 3)
    """
    n = chips.size
    free = n - int(np.count_nonzero(chips))
    place = (percentile - 0.5) * (2 * turns + 1) + 0.5  # in the middle slice, 0 to 1
    part = min(max(int(place * free), 0), free - 1)
    for stars in range(1, n + 1):
        if holder(chips, stars) < 0:
            if part == 0:
                return stars
            part -= 1
    return 0
