"""Turns of The Gang: chips and what follows from them. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import State
from ..engine.jit import jit
from .roster import NOISE_SENSORS, VENTILATION_SHAFT, in_force
from .state import CHIPS, DECIDE, END_OF_ROUND, END_OF_TURN, ROUNDS, SHOWDOWN


@jit
def legal_chips(s: State, mask: np.ndarray) -> None:
    """R6 to R10: take a chip of this round, return the own one, pass; R12 after the budget."""
    n = int(s.seats)
    own = int(s.chips[s.round_no, s.player])
    if s.turns < budget(s):
        mask[: n + 2] = True
        if own > 0:
            mask[own - 1] = False
        else:
            mask[n] = False
        if s.challenges:
            lock(s, 1, own, mask)
            lock(s, n, own, mask)
    elif own > 0:
        mask[n + 1] = True
    else:
        mask[:n] = True
        for seat in range(n):
            chip = int(s.chips[s.round_no, seat])
            if chip > 0:
                mask[chip - 1] = False


@jit
def lock(s: State, stars: int, own: int, mask: np.ndarray) -> None:
    """R39, R43: nobody takes a black chip from who has it, and that one can only pass."""
    if not is_black(s, stars):
        return
    if own == stars:
        mask[: s.seats + 1] = False
    for seat in range(s.seats):
        if s.chips[s.round_no, seat] == stars:
            mask[stars - 1] = False


@jit
def is_black(s: State, stars: int) -> bool:
    """R39, R43: whether the chip of this round with so many stars stays where it is once taken."""
    if s.round_no == ROUNDS - 1:
        return False
    weakest = stars == 1 and in_force(s, NOISE_SENSORS)
    return bool(weakest or (stars == s.seats and in_force(s, VENTILATION_SHAFT)))


@jit
def budget(s: State) -> int:
    """R12: moves of a round before its last lap."""
    return int(s.seats) * int(s.turns_per_round)


@jit
def place(s: State, seat: int, number: int, lap: int) -> int:
    """Where `history` keeps the move of `seat` in that lap of round `number`: 1 + the action."""
    return (int(seat) * ROUNDS + int(number)) * (int(s.turns_per_round) + 1) + int(lap)


@jit
def turn(s: State, kind: int) -> None:
    """R10: write down a turn: 0 to n - 1 take, n return, n + 1 pass, n + 2 propose."""
    s.history[place(s, s.player, s.round_no, s.turns // s.seats)] = kind + 1
    s.passes = s.passes + 1 if kind == s.seats + 1 else 0
    s.turns += 1


@jit
def move_chip(s: State, action: int) -> int:
    """R6 to R10: take, return or pass; returns what comes next."""
    seat = int(s.player)
    turn(s, action)
    if action < s.seats:
        take(s, seat, action + 1)
    elif action == s.seats:
        s.chips[s.round_no, seat] = 0  # R8
    return END_OF_TURN


@jit
def take(s: State, seat: int, stars: int) -> None:
    """R6: the chip comes from the centre or from another seat, which is left without one.

    R7: the own chip, if there is one, goes back into the centre: a seat holds one of a colour.
    """
    for other in range(s.seats):
        if s.chips[s.round_no, other] == stars:
            s.chips[s.round_no, other] = 0
            s.steals += 1
    s.chips[s.round_no, seat] = stars


@jit
def end_turn(s: State) -> int:
    """R10, R11: the next seat's turn, or the end of the round; returns what comes next."""
    s.decision = CHIPS
    if not round_is_over(s):
        s.player = following(s, s.player)
        return DECIDE
    return END_OF_ROUND if s.round_no < ROUNDS - 1 else SHOWDOWN


@jit
def following(s: State, seat: int) -> int:
    """R10: the seat to the left of `seat`."""
    return int(seat) + 1 if seat + 1 < s.seats else 0


@jit
def round_is_over(s: State) -> bool:
    """R11; R12: after the budget it is enough that all hold a chip."""
    for seat in range(s.seats):
        if s.chips[s.round_no, seat] == 0:
            return False
    if s.consensus and s.turns < budget(s):
        return bool(s.passes >= s.seats)
    return True
