"""Turns, rounds and the deck. R-numbers: README.md one folder up."""

from ...engine.game import State
from ...engine.jit import jit
from ..state import (
    ALIVE,
    BEGIN_TURN,
    BLACK,
    DECIDE,
    MENU,
    NOTHING,
    PUT_DOWN,
    SURRENDERED,
    TO_MENU,
)
from .hands import draw_card, lay, lay_down
from .setting import drop_chain

ACTIONS = 2
"""R11: actions of a turn."""


@jit
def next_turn(s: State) -> int:
    """R11, R52: the turn ends; the dead lay down their hand; who has surrendered has no turn."""
    seat, n = int(s.turn), int(s.seats)
    if s.fate[seat] != ALIVE:
        lay_down(s, seat)
        if living(s) < 2:  # R57: by a surrender, and before anybody draws
            return DECIDE
    while True:
        seat = seat + 1 if seat + 1 < n else 0
        if seat == s.starter:
            s.round_no += 1
            s.stirred = 1  # R56: some titles wait for a round
        if s.fate[seat] != SURRENDERED or s.round_no > s.max_rounds:
            break
    s.turn = seat
    if s.round_no > s.max_rounds:  # R62
        s.player = -1
        s.stirred = 1
        return DECIDE
    return BEGIN_TURN


@jit
def living(s: State) -> int:
    """How many players live and have not surrendered."""
    count = 0
    for seat in range(s.seats):
        count += int(s.fate[seat] == ALIVE)
    return count


@jit
def begin_turn(s: State) -> int:
    """R11: a card is drawn; R28: BLACK that has shown its LIFE has more actions."""
    seat = int(s.turn)
    s.actions = ACTIONS
    if s.life_open[seat] and s.life[seat] == BLACK and s.fate[seat] == ALIVE and s.black_lasts:
        s.actions = s.black_actions
    s.used[:] = 0
    s.negated[:] = 0
    s.free_trade = s.chains = s.refusals = s.spoken = s.together = 0
    s.again = s.last_card = s.last_target = NOTHING
    draw_card(s, seat)
    return TO_MENU


@jit
def to_menu(s: State) -> int:
    """The player whose turn it is decides what to do next."""
    drop_chain(s)
    s.phase = MENU
    s.player = s.turn
    return DECIDE


@jit
def draw_and_lay(s: State) -> int:
    """R24, R44: draw a card, then lay one: the deck's next, or one of the hand by option."""
    seat = int(s.turn)
    draw_card(s, seat)
    if s.draw_to_field or s.card != NOTHING:
        lay(s, 1)
        return TO_MENU
    if s.held[seat] == 0:
        return TO_MENU
    s.phase = PUT_DOWN
    s.player = seat
    return DECIDE


@jit
def last_in_order(s: State) -> int:
    """R13: the player whose turn is the last of a round."""
    n = int(s.seats)
    seat = int(s.starter)
    for _ in range(n):
        seat = seat - 1 if seat > 0 else n - 1
        if s.fate[seat] != SURRENDERED:
            break
    return seat


@jit
def peaceful(s: State) -> bool:
    """R13: no damage in round 1 but by the last in turn order."""
    return bool(s.round_no == 1 and s.turn != last_in_order(s))
