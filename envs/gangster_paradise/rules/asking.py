"""Questions to other seats, in order round the table. R-numbers: README.md one folder up.

R45: whoever may hold the card that would answer, by what is open to all, is asked, and may say no;
so the question tells nothing. `asked` counts the seats from the player whose turn it is.
"""

import numpy as np

from ...engine.game import State
from ...engine.jit import jit
from ...engine.rng import draw
from ..actions import CHOOSE_CARD, NO, YES, cards_from
from ..state import (
    ASK,
    ASK_NEXT,
    BEAUTY,
    BEGIN_TURN,
    BOSS_SHOWN,
    CANCELLED,
    CONSENT,
    DECIDE,
    DIE,
    DISCARD,
    EFFECT,
    EVADE,
    HERO,
    HIT,
    LOOKED,
    NOTHING,
    PORNO,
    REPICK,
    STAND_IN,
    STANDS,
    SUBSTITUTE,
    TO_MENU,
)
from .hands import exchange, may_hold, may_hold_any, show
from .trade import agree, carry_out, holds_all, refuse


@jit
def ask_next(s: State) -> int:
    """The next seat that is to be asked; when there is none, what was asked about stands."""
    n = int(s.seats)
    while s.asked < n:
        seat = (int(s.turn) + int(s.asked)) % n
        if is_asked(s, seat):
            s.phase = ASK
            s.player = seat
            return DECIDE
        s.asked += 1
    return STANDS


@jit
def is_asked(s: State, seat: int) -> bool:
    """R45: whether `seat` has a say in what is asked."""
    asking = int(s.asking)
    if asking == BOSS_SHOWN:
        return True
    if asking == CONSENT:
        return bool(s.items[seat, 0] + s.items[seat, 1] > 0)
    if asking == STAND_IN:
        return seat == s.target and may_hold_any(s, seat, SUBSTITUTE)
    if asking == BEAUTY and seat == s.subject_user:
        return False
    if asking == PORNO and seat != s.subject_user:
        return False
    if asking == HERO and (seat == s.turn or s.negated.sum() >= negations(s)):
        return False
    if asking == EVADE and (seat != s.target or s.evaded[seat] == s.round_no):
        return False
    return may_hold(s, seat, int(s.answers_with[asking]))


@jit
def negations(s: State) -> int:
    """R50: how many damages are negated in a turn at most; a HERO that changes hands stays one."""
    return int(s.hero_limit) * int(s.in_play[s.answers_with[HERO]])


@jit
def legal_answer(s: State, mask: np.ndarray) -> None:
    """`no` is always allowed; `yes` and cards by what the seat holds."""
    seat, cards = int(s.player), cards_from(s, CHOOSE_CARD)
    mask[NO] = True
    if s.asking == CONSENT:
        mask[YES] = holds_all(s, seat)
    elif s.asking == BOSS_SHOWN:
        mask[cards + int(s.the_boss)] = s.hand[seat, s.the_boss] > 0
    elif s.asking == STAND_IN:
        for k in range(s.kinds):
            mask[cards + k] = s.effect[k] == SUBSTITUTE and s.hand[seat, k] > 0
    else:
        k = int(s.answers_with[s.asking])  # R42: not the very card that is about to be given
        pledged = int(seat == s.turn and s.given == k)
        mask[cards + k] = s.hand[seat, k] > pledged
        if s.asking == HERO:
            mask[cards + k] = s.negated[seat] < s.hero_limit * int(s.hand[seat, k])


@jit
def answer(s: State, action: int) -> int:
    """R9, R19, R46 to R51: what the seat says, and what comes of it."""
    seat, asking = int(s.player), int(s.asking)
    if action == YES:
        agree(s, seat)
    if action == YES or (action == NO and asking != CONSENT):
        s.asked += 1
        return ASK_NEXT
    if action == NO:
        return refuse(s, seat)
    return react(s, seat, int(action) - cards_from(s, CHOOSE_CARD))


@jit
def react(s: State, seat: int, k: int) -> int:
    """R46 to R51: the card is spent or shown, and does what it does."""
    asking = int(s.asking)
    if asking == BOSS_SHOWN or asking == HERO or asking == EVADE:
        show(s, seat, k, 1)
    else:
        exchange(s, seat, k, -1)
    if asking == BOSS_SHOWN:  # R9
        s.starter = s.turn = seat
        s.round_no = 1
        return BEGIN_TURN
    if asking == STAND_IN:  # R51
        s.hits -= 1
        return HIT
    if asking == PORNO:  # R46
        s.asking = BEAUTY
        return STANDS
    if asking == EVADE:  # R47
        s.evaded[seat] = s.round_no
        s.phase = REPICK
        return DECIDE
    s.asked = 0
    if asking == BEAUTY:
        s.asking = PORNO
    else:  # R50: HERO is a specialist too
        s.negated[seat] += 1
        s.subject = k
        s.subject_user = seat
        s.asking = BEAUTY
    return ASK_NEXT


@jit
def stands(s: State) -> int:
    """Nobody else says anything: what follows, by what was asked."""
    asking = int(s.asking)
    if asking == BOSS_SHOWN:  # R9
        s.starter = s.turn = draw(s, int(s.seats))
        s.round_no = 1
        return BEGIN_TURN
    if asking == CONSENT:
        return carry_out(s)
    if asking == PORNO:
        return CANCELLED
    if asking == EVADE:
        return LOOKED
    if asking == STAND_IN:
        return DIE
    if asking == BEAUTY:
        if s.subject_user == s.turn:
            return EFFECT
        s.hits -= 1  # R50: the HERO has negated this damage
        return HIT
    s.asking = STAND_IN
    s.asked = 0
    return ASK_NEXT


@jit
def cancelled(s: State) -> int:
    """R46: BEAUTY has cancelled a specialist, who may be lost; after HERO the next one is asked."""
    user, k = int(s.subject_user), int(s.subject)
    if s.beauty_discards and s.usage[k] != DISCARD:
        exchange(s, user, k, -1)
    if user == s.turn:
        s.again = NOTHING
        return TO_MENU
    s.asking = HERO
    s.asked = (user - int(s.turn)) % int(s.seats) + 1
    return ASK_NEXT
