"""What can happen in Gangster Paradise. R-numbers: README.md one folder up.

Who decides what is the state's `phase`. `legal` and `act` look there; what an action leads to is a
chain of calls that each say what comes next, carried out in `step` until somebody is to decide.

To get to know them, follow a trade (top of `trade.py`) and a shot (top of `damage.py`).

    setting.py   the set-up
    turns.py     turns, rounds, drawing
    menu.py      what the player whose turn it is may begin
    chain.py     the choices of a card's use, with choices.py: what can be chosen
    effects.py   how it takes effect
    looks.py     cards seen in, or taken from, other hands
    trade.py     trades
    asking.py    what others are asked: reactions and consent
    damage.py    damage and death
    victory.py   titles, points
    hands.py     cards that change hands, and who knows of it
"""

import numpy as np

from ...engine.game import State
from ...engine.jit import jit
from ..state import (
    AFTER,
    ASK,
    ASK_NEXT,
    BEGIN_TURN,
    CANCELLED,
    COMMIT,
    DECIDE,
    DIE,
    DRAW_AND_LAY,
    EFFECT,
    EVADE,
    GIVE,
    HIT,
    LOOKED,
    MENU,
    NEXT_STEP,
    NEXT_TURN,
    NOTHING,
    PAY_OUT,
    PICK,
    REPICK,
    STANDS,
    TO_MENU,
    TRADE,
)
from .asking import answer, ask_next, cancelled, legal_answer, stands
from .chain import choose, legal_chain, next_step
from .damage import die, hit
from .effects import after, commit, pay_out, take_effect
from .looks import looked
from .menu import begin, legal_menu
from .setting import deal
from .trade import build, legal_trade
from .turns import begin_turn, draw_and_lay, next_turn, to_menu
from .victory import judge, returns

__all__ = ["deal", "legal", "returns", "step"]


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R9, R12: what the phase allows."""
    mask[:] = False
    if s.player < 0:
        return
    if s.phase == MENU:
        legal_menu(s, mask)
    elif s.phase == ASK:
        legal_answer(s, mask)
    elif s.phase == TRADE:
        legal_trade(s, mask)
    else:
        legal_chain(s, mask)


@jit
def step(s: State, action: int) -> None:
    """One action, and all that comes before somebody is to decide again."""
    s.moves += 1
    forget_picks(s)
    then = act(s, action)
    while then != DECIDE:
        if then == TO_MENU:
            then = to_menu(s)
        elif then == NEXT_STEP:
            then = next_step(s)
        elif then == COMMIT:
            then = commit(s)
        elif then == ASK_NEXT:
            then = ask_next(s)
        elif then == STANDS:
            then = stands(s)
        elif then == EFFECT:
            then = take_effect(s)
        elif then == AFTER:
            then = after(s)
        elif then == LOOKED:
            then = looked(s)
        elif then == HIT:
            then = hit(s)
        elif then == DIE:
            then = die(s)
        elif then == CANCELLED:
            then = cancelled(s)
        elif then == PAY_OUT:
            then = pay_out(s)
        elif then == DRAW_AND_LAY:
            then = draw_and_lay(s)
        elif then == NEXT_TURN:
            then = next_turn(s)
        elif then == BEGIN_TURN:
            then = begin_turn(s)
    if s.stirred:
        judge(s)


@jit
def act(s: State, action: int) -> int:
    """What the action itself does; returns what comes next."""
    if s.phase == MENU:
        return begin(s, action)
    if s.phase == ASK:
        return answer(s, action)
    if s.phase == TRADE:
        return build(s, action)
    return choose(s, action)


@jit
def forget_picks(s: State) -> None:
    """R36: cards that were picked are shown until the next action, unless it is about them."""
    evading = s.phase == ASK and s.asking == EVADE
    if s.picked and not evading and s.phase not in (PICK, REPICK, GIVE):
        s.picks[:] = NOTHING
        s.picked = 0
