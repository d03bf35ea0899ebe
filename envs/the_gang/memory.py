"""What hands were worth in earlier rounds of The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import JACK_CARD
from ..engine.game import State
from ..engine.jit import jit
from .roster import BASIC, JACK
from .state import HOLE_ROOM, MAX_SEATS, NO_CARD, NOTHING, REDRAWN
from .strength import assess, assess_hands, muscle


@jit
def recall(s: State) -> None:
    """R20: write percentiles and categories of all rounds so far anew, from the hands of each."""
    if s.mode == BASIC:
        for number in range(s.round_no + 1):
            assess(s, number)
        return
    hands = np.empty((MAX_SEATS, HOLE_ROOM), np.int8)
    for number in range(s.round_no + 1):
        for seat in range(s.seats):
            hand_in(s, seat, number, hands[seat])
        had = s.user >= 0 and s.used_in <= number
        assess_hands(s, number, hands, muscle(s) if had else NOTHING)


@jit
def hand_in(s: State, seat: int, number: int, hand: np.ndarray) -> None:
    """Write into `hand`, int8[HOLE_ROOM], what `seat` held at the end of round `number`, or now."""
    if number == 0 and s.redrawer == seat:
        hand[:] = s.hole[REDRAWN]
        return
    hand[:] = s.hole[seat]
    added = JACK_CARD if s.specialist == JACK else s.hacked
    if s.user != seat or added == NO_CARD or (s.redrawer == seat and s.used_in == 0):
        return
    if number < s.used_in or s.exchanged == NO_CARD:  # before the exchange, or in the midst of it
        take_back(hand, added, s.exchanged)


@jit
def take_back(hand: np.ndarray, added: int, removed: int) -> None:
    """Undo an exchange: in `hand`, put `removed` (or nothing) in place of `added`.

    If the added card was itself discarded, nothing has changed.
    """
    if removed == added:
        return
    last = 0
    place = -1
    for i in range(HOLE_ROOM):
        if hand[i] == added:
            place = i
        if hand[i] != NO_CARD:
            last = i
    if removed == NO_CARD:
        hand[place] = hand[last]
        hand[last] = NO_CARD
    else:
        hand[place] = removed
