"""How strong hands are in The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import EMPTY, add, category, percentiles, strength
from ..engine.preflop import percentile
from .state import FLOP, HOLE, KNOT_UNITS, KNOTS, MAX_SEATS


@jit
def open_cards(number: int) -> int:
    """R4: community cards that lie open in round `number`, 0 to 3."""
    return FLOP + int(number) - 1 if number > 0 else 0


@jit
def seat_strength(s: State, seat: int, shown: int) -> int:
    """R14: the best five of the seat's hole cards and the first `shown` community cards."""
    hand = EMPTY
    for i in range(HOLE):
        hand = add(hand, s.hole[seat, i])
    for i in range(shown):
        hand = add(hand, s.board[i])
    return strength(hand)


@jit
def assess(s: State, number: int) -> None:
    """R20: write each seat's percentile in round `number` and its category then."""
    shown = open_cards(number)
    shares = np.empty(MAX_SEATS, np.float64)
    if shown > 0:
        percentiles(s.board, shown, s.hole[: s.seats, :HOLE], shares)
    for seat in range(s.seats):
        if shown == 0:  # there is no hand to compare yet: the equity of these two cards counts
            shares[seat] = percentile(s.hole[seat, 0], s.hole[seat, 1])
        s.percentile[seat, number] = int(shares[seat] * KNOT_UNITS * (KNOTS - 1) + 0.5)
        s.category[seat] = category(seat_strength(s, seat, shown))
