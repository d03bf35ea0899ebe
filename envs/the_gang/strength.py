"""How strong hands are in The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import EMPTY, MUSCLE, add, category, percentiles, strength
from ..engine.preflop import percentile, percentile3
from .roster import MUSCLE as MUSCLE_SPECIALIST
from .state import FLOP, HOLE, HOLE_ROOM, KNOT_UNITS, KNOTS, MAX_SEATS, NO_CARD, NOTHING


@jit
def open_cards(number: int) -> int:
    """R4: community cards that lie open in round `number`, 0 to 3."""
    return FLOP + int(number) - 1 if number > 0 else 0


@jit
def muscle(s: State) -> int:
    """R37: the seat that has the Muscle."""
    return int(s.holder) if s.specialist == MUSCLE_SPECIALIST else NOTHING


@jit
def strength_of(s: State, cards: np.ndarray, shown: int) -> int:
    """R14: the best five of hole `cards`, int8[HOLE_ROOM], and the first `shown` of the board."""
    hand = EMPTY
    for i in range(HOLE_ROOM):
        if cards[i] == NO_CARD:
            break
        hand = add(hand, cards[i])
    for i in range(shown):
        hand = add(hand, s.board[i])
    return strength(hand)


@jit
def seat_strength(s: State, seat: int, shown: int) -> int:
    """R14, R37: how strong the seat is with the first `shown` community cards."""
    found = strength_of(s, s.hole[seat], shown)
    return found | MUSCLE if muscle(s) == seat else found


@jit
def assess(s: State, number: int) -> None:
    """R20: write each seat's percentile in round `number` and its category then."""
    assess_hands(s, number, s.hole, muscle(s))


@jit
def assess_hands(s: State, number: int, hands: np.ndarray, muscle: int) -> None:
    """R20: as `assess`, with these `hands`, int8[seats or more, HOLE_ROOM], in that round."""
    shown = open_cards(number)
    shares = np.empty(MAX_SEATS, np.float64)
    if shown > 0:
        percentiles(s.board, shown, hands[: s.seats, : s.held], shares, muscle)
    for seat in range(s.seats):
        if shown == 0:  # there is no hand to compare yet: the equity of these cards counts
            shares[seat] = first_share(hands[seat], s.held)
        s.percentile[seat, number] = int(shares[seat] * KNOT_UNITS * (KNOTS - 1) + 0.5)
        s.category[seat] = category(strength_of(s, hands[seat], shown))


@jit
def first_share(cards: np.ndarray, held: int) -> float:
    """R20: before the flop."""
    if held == HOLE:
        return float(percentile(cards[0], cards[1]))
    return float(percentile3(cards[0], cards[1], cards[2]))
