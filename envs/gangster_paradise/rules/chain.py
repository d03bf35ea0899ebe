"""The choices of a chain, one after the other. R-numbers: README.md one folder up.

Those up to the effect can be cancelled (R12). What comes after one, such as a card to take, is
chosen here too.
"""

import numpy as np

from ...engine.game import State
from ...engine.jit import jit
from ..actions import (
    ABANDON,
    CHOOSE_CARD,
    DONE,
    NO,
    SEATS,
    TO_LOOK,
    TO_TAKE,
    YES,
    cards_from,
)
from ..state import (
    AFTER,
    BUY,
    COMMIT,
    DECIDE,
    FENCE,
    FIELD,
    GIVE,
    HAND,
    HUSTLE,
    KILL,
    LIFE,
    LIFE_EFFECT,
    LOOK,
    LOOT,
    MODE,
    MONEY,
    NEXT_STEP,
    NOTHING,
    ORDER,
    PAY,
    PAY_OUT,
    PICK,
    PICKUP,
    PUT_DOWN,
    RECRUIT,
    REPICK,
    SEAT,
    SEIZE,
    SELL,
    SHOOT,
    SHOT,
    SPY,
    SWAP,
    TAKE_MONEY,
    TO_MENU,
    WEAPON,
)
from .choices import fits_field, fits_hand, fits_seat, needs_bullet, purse
from .hands import exchange, hand_over, learn
from .looks import repick

_STEPS = np.full((LIFE_EFFECT, 3), NOTHING, np.int8)
"""By effect: what is chosen before it, in order."""
for _effect, _phases in {
    BUY: (FIELD, PAY),
    SHOOT: (SHOT, SEAT),
    KILL: (SEAT,),
    SPY: (SEAT, MODE),
    LOOK: (SEAT,),
    SWAP: (SEAT,),
    FENCE: (HAND, FIELD),
    RECRUIT: (HAND, FIELD),
    HUSTLE: (HAND,),
    PICKUP: (FIELD,),
    SEIZE: (SEAT,),
}.items():
    _STEPS[_effect, : len(_phases)] = _phases


@jit
def next_step(s: State) -> int:
    """R12: the next choice that the card in use asks for; if there is none it takes effect."""
    phase = int(_STEPS[s.effect[s.card], s.stage])
    if phase == SHOT and not needs_bullet(s, s.card, s.shots):
        s.stage += 1
        phase = SEAT
    if phase == NOTHING:
        return COMMIT
    s.phase = phase
    s.player = s.turn
    return DECIDE


@jit
def legal_chain(s: State, mask: np.ndarray) -> None:
    """What the phase allows, and a way out: before the effect `cancel`, after it `done`."""
    phase = int(s.phase)
    out = DONE if s.committed else ABANDON
    if phase == SEAT:
        for d in range(1, s.seats):
            mask[SEATS + d - 1] = fits_seat(s, s.card, (int(s.turn) + d) % int(s.seats))
    elif phase == MODE:
        mask[TO_LOOK] = True
        mask[TO_TAKE] = s.held[s.target] > 0
    elif phase == ORDER:
        mask[YES] = True
        mask[NO] = True
        return
    else:
        first = cards_from(s, CHOOSE_CARD)
        legal_cards(s, mask[first : first + int(s.kinds)])
        if phase == GIVE or phase == REPICK or phase == PUT_DOWN:
            return
        if phase == PAY:
            mask[DONE] = s.stacked >= s.cost[s.taken]
        elif phase == SELL:
            mask[DONE] = s.stacked > 0
    mask[out] = True


@jit
def legal_cards(s: State, cards: np.ndarray) -> None:
    """The kinds of card that may be chosen; `cards` has a cell for each, all False."""
    seat, phase, kinds = int(s.turn), int(s.phase), int(s.kinds)
    if phase == PICK or phase == REPICK:
        for i in range(s.picked):
            cards[s.picks[i]] = phase == REPICK or s.sort_of[s.picks[i]] != LIFE
        return
    field, loot = phase == FIELD or phase == TAKE_MONEY, phase == LOOT
    for k in range(kinds):  # no branches: which cards there are cannot be predicted
        cards[k] = (s.on_field[k] if field else s.loot[k] if loot else s.hand[seat, k]) > 0
    budget = 0
    if phase == FIELD:
        budget = purse(s) if s.effect[s.card] == BUY else int(s.cost[max(0, int(s.given))])
    for k in range(kinds):
        if cards[k]:
            cards[k] = fits_phase(s, seat, k, budget)


@jit
def fits_phase(s: State, seat: int, k: int, budget: int) -> bool:
    """Whether a card of kind k, of which there is one, may be chosen in this phase."""
    phase, held = int(s.phase), int(s.hand[seat, k])
    if phase == FIELD:
        return fits_field(s, s.card, k, budget)
    if phase == TAKE_MONEY:
        return bool(s.sort_of[k] == MONEY)
    if phase == HAND:
        return fits_hand(s, s.card, k) and (s.effect[s.card] != FENCE or fits_any(s, k))
    if phase == PAY:
        return bool(s.effect[k] == BUY and held > s.stack[k])
    if phase == SHOT:
        return bool(s.damage[k] > 0)
    if phase == SELL:
        alike = s.stacked == s.stack[k]
        return bool(s.sort_of[k] == WEAPON and s.cost[k] > 0 and alike and held > s.stack[k])
    if phase == GIVE:
        return bool(k != s.picks[0] or held > 1)
    return True


@jit
def fits_any(s: State, own: int) -> bool:
    """R40: whether there is a card on the field that costs no more than the own one."""
    for j in range(s.kinds):
        if s.on_field[j] > 0 and 0 < s.cost[j] <= s.cost[own]:
            return True
    return False


@jit
def choose(s: State, action: int) -> int:
    """A choice, and what comes next."""
    if action == ABANDON:
        return TO_MENU
    if action == DONE:
        return finished(s)
    if s.phase == SEAT:
        s.target = (int(s.turn) + action - SEATS + 1) % int(s.seats)
    elif s.phase == MODE:
        s.mode = int(action == TO_TAKE)
    elif s.phase == ORDER:
        return put_back(s, action == YES)
    else:
        return choose_card(s, int(action) - cards_from(s, CHOOSE_CARD))
    s.stage += 1
    return NEXT_STEP


@jit
def finished(s: State) -> int:
    """`done`: what was put together takes effect, or nothing more is wanted."""
    if s.phase == PAY or s.phase == SELL:
        return COMMIT
    if s.phase == LOOT:
        return AFTER
    return TO_MENU


@jit
def choose_card(s: State, k: int) -> int:
    """A card was chosen: for the effect to come, or at once for one that is under way."""
    phase, seat = int(s.phase), int(s.turn)
    if phase == PAY or phase == SELL:
        s.stack[k] += 1
        s.stacked += 1
        return DECIDE
    if phase == HAND:
        s.given = k
    elif phase == FIELD:
        s.taken = k
    elif phase == SHOT:
        s.loaded = k
    elif phase == REPICK:
        return repick(s, k)
    elif phase == GIVE or phase == PICK:  # R34, R38
        target, taken = int(s.target), int(s.picks[0])
        giver, taker = (seat, target) if phase == GIVE else (target, seat)
        hand_over(s, giver, taker, k)
        if phase == GIVE:  # R27: another one was given, so the target's own is still there
            learn(s, target, seat, taken, 1)
        s.picks[:] = NOTHING
        s.picked = 0
        return AFTER
    else:
        count = -1 if phase == PUT_DOWN else 1
        exchange(s, seat, k, count)
        if phase == TAKE_MONEY:
            s.worth -= 1
            return PAY_OUT
        return AFTER
    s.stage += 1
    return NEXT_STEP


@jit
def put_back(s: State, swapped: bool) -> int:
    """R41: the two top cards, in the order that the player wants; others no longer know it."""
    if swapped:
        top = int(s.deck_size) - 1
        s.deck[top], s.deck[top - 1] = s.deck[top - 1], s.deck[top]
    s.deck_seen[:] = 1 << int(s.turn)
    return TO_MENU
