"""Who has won. R-numbers: README.md one folder up."""

import numpy as np

from ...engine.copying import copy_cells
from ...engine.game import State
from ...engine.jit import jit
from ..hidden import known_row
from ..state import (
    ALIVE,
    ANNIHILATION,
    BETRAYAL,
    BLACK,
    BLUE,
    CONSPIRACY,
    COOPERATION,
    DEAD,
    DEATHS_TO_BETRAY,
    EVERYBODY,
    GRAY,
    GREATNESS,
    POINTS,
    PURPLE,
    RED,
    SPECIALIST,
    VIRTUE,
    WEALTH,
)

GANGSTERS, MONEYS, GREATS, GREAT_COST, GREAT_ROUND = 5, 7, 3, 3, 3
"""R54 to R56."""
_POINTS = np.array(POINTS, np.int8)


@jit
def own_title(s: State, seat: int) -> int:
    """R54 to R59: the best title that `seat` has by itself; 0 for none."""
    alive = s.fate[seat] == ALIVE
    if alive:
        others = dead = 0
        for other in range(s.seats):
            others += int(s.fate[other] == ALIVE)
            dead += int(s.fate[other] == DEAD and (s.life[other] == RED or s.life[other] == BLUE))
        if s.life[seat] == BLACK and dead >= DEATHS_TO_BETRAY:
            return BETRAYAL
        if others == 1:
            return ANNIHILATION
    if not alive and not (s.dead_win and s.fate[seat] == DEAD):
        return 0
    if s.hand[seat, s.the_boss] > 0 and s.hand[seat, s.gangster] >= GANGSTERS:
        return VIRTUE
    if s.hand[seat, s.money] >= MONEYS:
        return WEALTH
    if s.round_no >= GREAT_ROUND:
        great = 0
        for k in range(s.kinds):
            if s.cost[k] >= GREAT_COST and s.sort_of[k] == SPECIALIST:
                great += int(s.hand[seat, k])
        if great >= GREATS:
            return GREATNESS
    return 0


@jit
def judge(s: State) -> None:
    """R53: whether somebody has won, or the rounds are over, or nobody lives who could win."""
    s.stirred = 0
    alive, best = 0, 0
    for seat in range(s.seats):
        alive += int(s.fate[seat] == ALIVE)
        s.titles[seat] = own_title(s, seat) if s.player >= 0 else 0
        if _POINTS[s.titles[seat]] > _POINTS[best]:
            best = int(s.titles[seat])
    if best == 0 and alive > 0 and s.player >= 0:
        return
    s.over_how = best
    share(s)
    s.player = -1
    s.life_open[: s.seats] = 1
    for p in range(EVERYBODY, s.seats):  # R63
        for seat in range(s.seats):
            copy_cells(s.known[known_row(s, p, seat)], s.hand[seat, : s.kinds])


@jit
def share(s: State) -> None:
    """R60, R61: titles of those who win with others; of several the best counts."""
    red = blue = black = gray = False
    for seat in range(s.seats):
        if s.titles[seat] > 0:
            red |= s.life[seat] == RED
            blue |= s.life[seat] == BLUE
            black |= s.life[seat] == BLACK
            gray |= s.life[seat] == GRAY
    for seat in range(s.seats):
        life = int(s.life[seat])
        if s.titles[seat] == 0:
            if (life == RED and red) or (life == BLUE and blue):
                s.titles[seat] = COOPERATION
            elif life == PURPLE and s.fate[seat] == ALIVE and (red or blue):
                s.titles[seat] = COOPERATION
            elif (life == GRAY and black) or (life == BLACK and gray):
                s.titles[seat] = CONSPIRACY


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R53: points less the table's mean; or by option +1 and -1."""
    out[:] = 0
    if s.player >= 0:
        return
    n = int(s.seats)
    total = 0
    for seat in range(n):
        total += int(_POINTS[s.titles[seat]])
    for seat in range(n):
        points = int(_POINTS[s.titles[seat]])
        if s.win_only:
            out[seat] = 1 if points > 0 else -1
        else:
            out[seat] = points - total / n
