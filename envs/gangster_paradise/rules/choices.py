"""Who and what may be chosen for a card's effect. R-numbers: README.md one folder up."""

from ...engine.game import State
from ...engine.jit import jit
from ..state import (
    ALIVE,
    BUY,
    CONTRABAND,
    DISCARD,
    GANGSTER,
    HUSTLE,
    KILL,
    LOOK,
    MONEY,
    PICKUP,
    RECRUIT,
    SHOOT,
    SPY,
    WEAPON,
)


@jit
def fits_seat(s: State, k: int, seat: int) -> bool:
    """R29, R31 to R39: whether `seat` may be the target of card k, or of more of it (R32, R36)."""
    if seat == s.turn:
        return False
    effect = int(s.effect[k])
    alive = s.fate[seat] == ALIVE
    if effect == SHOOT:
        again = s.shots > 0 and s.numbers[k, 2] > 0 and seat == s.target
        return bool(alive and not again)
    if effect == KILL:
        return bool(alive)
    if effect == SPY or effect == LOOK:
        again = effect == LOOK and s.shots > 0 and seat == s.target
        return bool((alive or s.held[seat] > 0) and not again)
    return bool(s.held[seat] > 0)


@jit
def fits_hand(s: State, k: int, own: int) -> bool:
    """R40, R42: whether the own card may be given for the effect of k: not the card in use."""
    if s.effect[k] == HUSTLE:
        return bool(s.sort_of[own] == WEAPON or s.sort_of[own] == CONTRABAND)
    return bool(s.cost[own] > 0 and (own != k or s.hand[s.turn, own] > 1))


@jit
def fits_field(s: State, k: int, j: int, budget: int) -> bool:
    """R30, R40 to R42: whether the field card j may be taken by the effect of k."""
    effect = int(s.effect[k])
    if effect == RECRUIT:
        return bool(s.sort_of[j] == GANGSTER)
    if effect == HUSTLE:
        return bool(s.sort_of[j] == MONEY)
    if effect == PICKUP:
        return bool(s.sort_of[j] == WEAPON and s.cost[j] == s.numbers[k, 0])
    return bool(0 < s.cost[j] <= budget)


@jit
def goes_together(s: State, k: int) -> bool:
    """R16: whether a card of kind k, in hand, goes with those used before, at no cost."""
    more = s.usage[k] == DISCARD or s.together < s.hand[s.turn, k]
    return bool(s.again == k and more)


@jit
def purse(s: State) -> int:
    """R30: what the player can pay."""
    total = 0
    for k in range(s.kinds):
        if s.effect[k] == BUY:
            total += int(s.hand[s.turn, k])
    return total


@jit
def needs_bullet(s: State, k: int, shots: int) -> bool:
    """R31: whether the next shot of weapon k takes a bullet after so many shots."""
    each = int(s.numbers[k, 1])
    return bool(s.ammunition and each > 0 and shots % each == 0)


@jit
def has_bullet(s: State) -> bool:
    """R31: whether the player has a card that counts as BULLET."""
    for k in range(s.kinds):
        if s.damage[k] > 0 and s.hand[s.turn, k] > 0:
            return True
    return False
