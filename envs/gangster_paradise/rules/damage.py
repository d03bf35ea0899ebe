"""Damage and death. R-numbers: README.md one folder up.

The walk of a shot: `menu.begin` takes the weapon in use, `chain.next_step` asks for a bullet and a
target, `effects.commit` pays and shows it, `effects.shoot` spends the bullet and counts the damage,
`hit` asks who may prevent it (`asking.py`), and if nobody does `die`; a card of the dead is chosen
in `chain.py`, and `effects.after` sees whether there is one more shot.
"""

from ...engine.copying import copy_cells
from ...engine.game import State
from ...engine.jit import jit
from ..state import (
    AFTER,
    ALIVE,
    ASK_NEXT,
    BLACK,
    BLUE,
    DEAD,
    DEATHS_TO_BETRAY,
    DECIDE,
    DIE,
    GRAY,
    HERO,
    KILL,
    LOOT,
    RED,
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
    copy_cells(s.loot, s.hand[target])
    s.hits = 0
    for seat in range(s.seats):
        follows = with_gray and s.life[seat] == GRAY and s.fate[seat] == ALIVE
        if seat == target or follows:
            s.fate[seat] = DEAD
            s.life_open[seat] = 1
            s.deaths += 1
            lay_down(s, seat)
    rule_out(s)
    s.stirred = 1
    s.phase = LOOT
    s.player = s.turn
    return DECIDE if s.loot.sum() > 0 else AFTER


@jit
def rule_out(s: State) -> None:
    """R27: what all know of the living by these deaths, if the game goes on.

    R49: once BLACK is dead there is no GRAY; R59: once two of RED and BLUE are there is no BLACK.
    """
    black = betrayed = 0
    for seat in range(s.seats):
        if s.fate[seat] == DEAD:
            black += int(s.life[seat] == BLACK)
            betrayed += int(s.life[seat] == RED or s.life[seat] == BLUE)
    for seat in range(s.seats):
        if s.fate[seat] == ALIVE:
            if black > 0:
                s.cleared[seat] |= 1 << GRAY
            if betrayed >= DEATHS_TO_BETRAY:
                s.cleared[seat] |= 1 << BLACK
