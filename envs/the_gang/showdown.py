"""How a heist of The Gang ends. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import RANKS, rank
from ..engine.copying import copy_cells
from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import category
from .roster import EXPERT, FINGERPRINT_SCAN, RETINA_SCAN, in_force, next_cards
from .state import (
    ALARMS,
    BOARD,
    DECIDE,
    EXPERT_ALARMS,
    HOLE_ROOM,
    MAX_SEATS,
    NEXT_HEIST,
    NO_CARD,
    NOTHING,
    ROUNDS,
    SCAN_CATEGORY,
    SCAN_RANK,
    SCORE,
    VAULTS,
)
from .strength import seat_strength


@jit
def open_hands(s: State) -> int:
    """R14; R41, R46: before the last hand is opened, the others guess; returns what comes next."""
    if in_force(s, RETINA_SCAN):
        return begin_scan(s, SCAN_RANK)
    if in_force(s, FINGERPRINT_SCAN):
        return begin_scan(s, SCAN_CATEGORY)
    return SCORE


@jit
def scanned(s: State) -> int:
    """R41, R46: the seat with the strongest red chip."""
    for seat in range(s.seats):
        if s.chips[ROUNDS - 1, seat] == s.seats:
            return seat
    return NOTHING


@jit
def scanning(s: State) -> bool:
    """R41, R46: whether all hands but the scanned one lie open."""
    return bool(s.player >= 0 and s.decision >= SCAN_RANK)


@jit
def begin_scan(s: State, decision: int) -> int:
    """R49: the first seat begins, unless it is scanned."""
    s.decision = decision
    s.player = s.first
    if s.player == scanned(s):
        s.player = (s.first + 1) % s.seats
    return DECIDE


@jit
def guess(s: State, value: int) -> int:
    """R49: the mover names a rank or a category; returns what comes next.

    `value` is a rank, 0 to 12, or the number of a category.
    """
    guesses = s.rank_guesses if s.decision == SCAN_RANK else s.category_guesses
    guesses[s.player] = value
    seat = (s.player + 1) % s.seats
    if seat == scanned(s):
        seat = (seat + 1) % s.seats
    if guesses[seat] == NOTHING:
        s.player = seat
        return DECIDE
    if s.decision == SCAN_RANK and in_force(s, FINGERPRINT_SCAN):
        return begin_scan(s, SCAN_CATEGORY)
    return SCORE


@jit
def team_guess(s: State, guesses: np.ndarray) -> int:
    """R49: what was named most often; of several such, what was named last. NOTHING if nothing."""
    best, most = NOTHING, 0
    named = np.zeros(len(RANKS), np.int64)
    for value in guesses[: s.seats]:
        if value >= 0:
            named[value] += 1
            most = max(most, named[value])
    for turn in range(s.seats):
        value = guesses[(s.first + turn) % s.seats]
        if value >= 0 and named[value] == most:
            best = int(value)
    return best


@jit
def score(s: State) -> int:
    """R14 to R17: all hands are opened; returns what comes next."""
    copy_cells(s.showdown_board, s.board)
    copy_cells(s.showdown_chips, s.chips[ROUNDS - 1])
    for seat in range(MAX_SEATS):
        copy_cells(s.showdown_hole[seat], s.hole[seat])
    for seat in range(s.seats):
        s.showdown_strength[seat] = seat_strength(s, seat, BOARD)
    right, conditions = pairs_in_order(s), pairs(s)
    s.showdown_guess[:] = NOTHING
    if s.challenges:
        right += scans_right(s)
        conditions += int(in_force(s, RETINA_SCAN)) + int(in_force(s, FINGERPRINT_SCAN))
    s.ordered += right * (unit(s) // conditions)
    opened = right == conditions
    if opened:
        s.vaults += 1  # R15
    else:
        s.alarms += 1  # R16
    if s.one_heist or s.vaults == VAULTS or s.alarms == alarms_to_lose(s):  # R17, R19
        s.player = -1
        return DECIDE
    next_cards(s, opened)
    return NEXT_HEIST


@jit
def scans_right(s: State) -> int:
    """R41, R46: how many of the scans in force were guessed right; writes down the guesses."""
    seat = scanned(s)
    s.showdown_guess[0] = team_guess(s, s.rank_guesses)
    s.showdown_guess[1] = team_guess(s, s.category_guesses)
    right = int(s.showdown_guess[1] == category(s.showdown_strength[seat]))
    for i in range(HOLE_ROOM):
        card = s.hole[seat, i]
        if card != NO_CARD and rank(card) == s.showdown_guess[0]:
            return right + 1
    return right


@jit
def alarms_to_lose(s: State) -> int:
    """R17, R25."""
    return EXPERT_ALARMS if s.mode == EXPERT else ALARMS


@jit
def game_is_over(s: State) -> bool:
    """R17, R19: over by a showdown; a game may also have been broken off, with no hand opened."""
    heists = int(s.vaults) + int(s.alarms)
    last = s.vaults == VAULTS or s.alarms == alarms_to_lose(s)
    return bool(s.player < 0 and (last or (s.one_heist != 0 and heists > 0)))


@jit
def pairs(s: State) -> int:
    """How many pairs of seats there are."""
    return int(s.seats) * (int(s.seats) - 1) // 2


@jit
def unit(s: State) -> int:
    """R18: the points of a heist in which all is right; each number of conditions divides it."""
    return pairs(s) * (pairs(s) + 1) * (pairs(s) + 2)


@jit
def pairs_in_order(s: State) -> int:
    """R14, R15: pairs of seats of which the one with more red stars has no weaker hand.

    The hands, opened in the order of the chips, never get weaker just if all pairs are in order.
    """
    count = 0
    for low in range(s.seats):
        for high in range(s.seats):
            if (
                s.showdown_chips[low] < s.showdown_chips[high]
                and s.showdown_strength[low] <= s.showdown_strength[high]
            ):
                count += 1
    return count
