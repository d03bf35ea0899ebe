"""How a card takes effect. R-numbers: README.md one folder up."""

from ...engine.game import State
from ...engine.jit import jit
from ..state import (
    ASK_NEXT,
    BEAUTY,
    BOOST,
    BUY,
    CONTRABAND,
    DECIDE,
    DISCARD,
    DRAW_AND_LAY,
    EFFECT,
    HIT,
    HUSTLE,
    KILL,
    LOOK,
    LOOT,
    MANY,
    MONEY,
    NEGOTIATE,
    NEXT_STEP,
    NOTHING,
    ORDER,
    PAY_OUT,
    PEEK,
    SEIZE,
    SHOOT,
    SMOKE,
    SPECIALIST,
    SPY,
    SWAP,
    TAKE_MONEY,
    TO_MENU,
)
from .choices import fits_seat, goes_together, has_bullet, needs_bullet
from .hands import exchange, show
from .looks import draw_picks


@jit
def commit(s: State) -> int:
    """R14: the chain is whole: the action is paid and the card shown or spent, in the open.

    R16: the next of the same name costs nothing; R46: a specialist may be cancelled now; R22: a
    chain without a card is a sale.
    """
    seat, k = int(s.turn), int(s.card)
    if s.committed:
        s.last_target = s.target
        return EFFECT
    s.committed = 1
    if k == NOTHING:
        return sell(s)
    if goes_together(s, k):
        s.together += 1
    else:
        s.actions -= s.price[k]
        s.together = 1
        s.again = k if s.effect[k] != BUY and s.limit[k] == 0 else NOTHING
    s.used[k] += 1
    s.last_card = k
    s.last_target = s.target
    if s.usage[k] == DISCARD:
        if s.effect[k] != BUY:
            exchange(s, seat, k, -1)
    else:
        show(s, seat, k, int(s.together))
    if s.given != NOTHING:
        show(s, seat, int(s.given), 1)
    if s.sort_of[k] != SPECIALIST:
        return EFFECT
    s.subject = k
    s.subject_user = seat
    s.asking = BEAUTY
    s.asked = 0
    return ASK_NEXT


@jit
def sell(s: State) -> int:
    """R22: weapons of one name go to the field; their cost can be picked up in money."""
    for k in range(s.kinds):
        if s.stack[k] > 0:
            s.worth = min(MANY, int(s.cost[k]) * int(s.stack[k]))
            exchange(s, int(s.turn), k, -int(s.stack[k]))
    s.actions -= 1
    s.again = NOTHING
    s.sales += 1
    return PAY_OUT


@jit
def pay_out(s: State) -> int:
    """R22, R43: as long as there is something to pick up, the player may."""
    if s.worth > 0:
        for k in range(s.kinds):
            if s.on_field[k] > 0 and s.sort_of[k] == MONEY:
                s.phase = TAKE_MONEY
                s.player = s.turn
                return DECIDE
    return TO_MENU


@jit
def take_effect(s: State) -> int:
    """R30 to R44: what the card in use does."""
    seat, k = int(s.turn), int(s.card)
    effect = int(s.effect[k])
    if effect == SHOOT:
        return shoot(s)
    if effect == KILL:  # R33
        s.hits = 1
        return HIT
    if effect == SPY or effect == LOOK or effect == SWAP:
        return draw_picks(s)
    if effect == PEEK:  # R41
        for i in range(min(2, int(s.deck_size))):
            s.deck_seen[i] |= 1 << seat
        s.phase = ORDER
        s.player = seat
        return DECIDE if s.deck_size > 1 else TO_MENU
    if effect == SEIZE:
        return seize(s)
    if effect == SMOKE:  # R44
        return DRAW_AND_LAY
    if effect == NEGOTIATE:  # R39
        s.free_trade = 1
    elif effect == BOOST:  # R44
        s.actions += s.numbers[k, 0]
    else:
        return trade_with_field(s)
    return TO_MENU


@jit
def trade_with_field(s: State) -> int:
    """R30, R40, R42, R43: cards go to the field, and one comes from it."""
    seat, k = int(s.turn), int(s.card)
    if s.effect[k] == BUY:
        s.purchases += 1
    if s.given != NOTHING:
        s.stack[s.given] += 1
    for j in range(s.kinds):
        if s.stack[j] > 0:
            exchange(s, seat, j, -int(s.stack[j]))
    if s.effect[k] == HUSTLE:
        s.worth = max(1, int(s.cost[s.given]))
        return PAY_OUT
    exchange(s, seat, int(s.taken), 1)
    return TO_MENU


@jit
def shoot(s: State) -> int:
    """R31: a bullet, if this shot takes one, and what damage it does."""
    if needs_bullet(s, s.card, s.shots):
        exchange(s, int(s.turn), int(s.loaded), -1)
    s.hits = s.damage[s.loaded] if s.loaded != NOTHING else 1
    s.shots += 1
    s.shots_fired += 1
    return HIT


@jit
def seize(s: State) -> int:
    """R37: the target's contraband goes to the field; the player may take one of these cards."""
    found = False
    for k in range(s.kinds):
        count = int(s.hand[s.target, k])
        if count > 0 and s.sort_of[k] == CONTRABAND:
            exchange(s, int(s.target), k, -count)
            s.loot[k] = count
            found = True
    s.phase = LOOT
    s.player = s.turn
    return DECIDE if found else TO_MENU


@jit
def after(s: State) -> int:
    """R32, R36: one more shot with this weapon, or one more player to look at; else all is done."""
    k = int(s.card)
    s.loot[:] = 0
    if k == NOTHING:
        return TO_MENU
    more = False
    if s.effect[k] == SHOOT:
        more = s.shots < s.numbers[k, 0] and s.hand[s.turn, k] > 0
        more = more and (not needs_bullet(s, k, s.shots) or has_bullet(s))
    elif s.effect[k] == LOOK:
        more = s.shots < s.numbers[k, 1]
    if more:
        for seat in range(s.seats):
            if fits_seat(s, k, seat):
                s.stage = 0
                return NEXT_STEP
    return TO_MENU
