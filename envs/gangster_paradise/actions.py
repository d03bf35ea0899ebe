"""The actions of Gangster Paradise: numbers and texts. R-numbers: README.md beside this file.

With n seats and K kinds: the words of WORDS; n - 1 seats; then, K each, cards to use, to show, to
choose, to give, to ask for; then, where there is talk, what can be said (R26).
"""

from typing import Any

from ..engine.jit import jit
from .state import ALLIANCE, COLOURS, IT_DIES, ITS_LIFE, NOTHING, OWN_CARD, OWN_LIFE

WORDS = ("end cancel done yes no look take trade propose sell reset draw surrender").split()
END, ABANDON, DONE, YES, NO, TO_LOOK, TO_TAKE, TO_TRADE, PROPOSE, TO_SELL, RESET = range(11)
ONE_MORE_DRAW, SURRENDER = 11, 12
SEATS = len(WORDS)
"""Where the seats begin: SEATS + d - 1 is the seat d after the mover."""
USE_CARD, SHOW_CARD, CHOOSE_CARD, GIVE_CARD, ASK_CARD = range(5)
"""Blocks of cards."""
COLOUR_COUNT = len(COLOURS)
ABOUT = COLOUR_COUNT + 2
"""Statements about another seat: its colour; that it should die; that one should ally with it."""
DIE, ALLY = COLOUR_COUNT, COLOUR_COUNT + 1


@jit
def cards_from(s: Any, block: int) -> int:
    """The number of the first action of a block of cards."""
    return SEATS + int(s.seats) - 1 + block * int(s.kinds)


@jit
def talk_from(s: Any) -> int:
    """The number of the first statement: colours of the own LIFE, cards held, other seats."""
    return SEATS + int(s.seats) - 1 + 5 * int(s.kinds)


@jit
def statement(s: Any, seat: int, action: int) -> tuple[int, int, int, int]:
    """R26: what `seat` says by an action, as it is kept in `said`: what, colour, card, seat."""
    what = int(action) - talk_from(s)
    if what < COLOUR_COUNT:
        return OWN_LIFE, what, NOTHING, NOTHING
    what -= COLOUR_COUNT
    if what < s.kinds:
        return OWN_CARD, NOTHING, what, NOTHING
    what -= int(s.kinds)
    other = (seat + 1 + what // ABOUT) % int(s.seats)
    what %= ABOUT
    if what < COLOUR_COUNT:
        return ITS_LIFE, what, NOTHING, other
    return (IT_DIES if what == DIE else ALLIANCE), NOTHING, NOTHING, other


def action_texts(seats: int, names: tuple[str, ...], talk: bool) -> tuple[str, ...]:
    """The text of each action, in the order of their numbers."""
    texts = [*WORDS, *(f"seat +{d}" for d in range(1, seats))]
    for word in ("use", "show", "card", "give", "ask"):
        texts += [f"{word} {name}" for name in names]
    if talk:
        texts += [f"say {colour}" for colour in COLOURS]
        texts += [f"say hold {name}" for name in names]
        for d in range(1, seats):
            texts += [f"say +{d} {colour}" for colour in COLOURS]
            texts += [f"say +{d} die", f"say +{d} ally"]
    return tuple(texts)
