"""Damage and death. R-numbers: README.md one folder up.

The walk of a shot: `chain.py` asks for bullet and target, `effects.commit` pays, `effects.shoot`
counts the damage, `hit` asks (`asking.py`), and if nobody helps `die`.
"""

from ...engine.game import State
from ...engine.jit import jit
from ..state import (
    AFTER,
    ALIVE,
    ASK_NEXT,
    BLACK,
    DEAD,
    DECIDE,
    DIE,
    GRAY,
    HERO,
    KILL,
    LOOT,
    STAND_IN,
)
from .hands import lay_down


@jit
def hit(s: State) -> int:
    """R29, R33: the next damage to the target, if there is one: who may prevent it is asked."""
    if s.hits <= 0 or s.fate[s.target] != ALIVE:
        s.hits = 0
        return AFTER
    killer = s.effect[s.card] == KILL
    if killer and s.killer_pierces:
        return DIE
    s.asking = STAND_IN if killer else HERO
    s.asked = 0
    return ASK_NEXT


@jit
def die(s: State) -> int:
    """R49, R52: the target dies, and with BLACK GRAY; one card is the killer's."""
    target = int(s.target)
    with_gray = s.life[target] == BLACK
    s.loot[:] = s.hand[target]
    s.hits = 0
    for seat in range(s.seats):
        follows = with_gray and s.life[seat] == GRAY and s.fate[seat] == ALIVE
        if seat == target or follows:
            s.fate[seat] = DEAD
            s.life_open[seat] = 1
            s.deaths += 1
            lay_down(s, seat)
    s.stirred = 1
    s.phase = LOOT
    s.player = s.turn
    return DECIDE if s.loot.sum() > 0 else AFTER
