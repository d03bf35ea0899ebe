"""What can happen in The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import CARDS
from ..engine.game import State
from ..engine.jit import jit
from ..engine.rng import draw, shuffle_first
from .state import ALARMS, BOARD, FLOP, GAME, HEIST, HOLE, NO_CARD, ROUNDS, VAULTS
from .strength import assess, seat_strength


@jit
def deal(s: State) -> None:
    """R2; R13: the first seat of the first heist comes from the stream."""
    s.vaults = 0
    s.alarms = 0
    s.ordered = 0
    s.moves = 0
    s.steals = 0
    s.showdown_hole[:] = NO_CARD
    s.showdown_board[:] = NO_CARD
    s.showdown_chips[:] = 0
    s.showdown_strength[:] = 0
    start_heist(s, draw(s, s.seats))


@jit
def start_heist(s: State, first: int) -> None:
    """R3: shuffle, as far as cards are drawn, and deal."""
    s.first = first
    s.chips[:] = 0
    s.history[:] = 0
    s.percentile[:] = 0
    s.category[:] = 0
    for card in range(CARDS):
        s.deck[card] = card
    s.drawn = HOLE * s.seats + BOARD
    shuffle_first(s.deck, s.drawn, s)
    lay_out(s)
    open_round(s, 0)


@jit
def lay_out(s: State) -> None:
    """R3: two cards from the deck for each seat, then the five of the board."""
    s.hole[:] = NO_CARD
    at = 0
    for seat in range(s.seats):
        for i in range(HOLE):
            s.hole[seat, i] = s.deck[at]
            at += 1
    for i in range(BOARD):
        s.board[i] = s.deck[at]
        at += 1
    put_in_order(s)


@jit
def put_in_order(s: State) -> None:
    """The order in which cards came tells nothing: hands and the flop lie greatest first."""
    for seat in range(s.seats):
        sort_down(s.hole[seat], HOLE)
    sort_down(s.board, FLOP)


@jit
def sort_down(cards: np.ndarray, count: int) -> None:
    """Sort the first `count` of `cards`, greatest first, in place."""
    for i in range(1, count):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] < card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@jit
def open_round(s: State, number: int) -> None:
    """R4, R5, R10: more of the board lies open, all chips in the centre; the first seat begins."""
    s.round_no = number
    s.turns = 0
    s.passes = 0
    s.player = s.first
    if s.features:
        assess(s, number)


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R6 to R10: take a chip of this round, return the own one, pass; R12 after the budget."""
    n = int(s.seats)
    mask[:] = False
    if s.player < 0:
        return
    own = int(s.chips[s.round_no, s.player])
    if s.turns < budget(s):
        mask[: n + 2] = True
        if own > 0:
            mask[own - 1] = False
        else:
            mask[n] = False
    elif own > 0:
        mask[n + 1] = True
    else:
        mask[:n] = True
        for seat in range(n):
            chip = int(s.chips[s.round_no, seat])
            if chip > 0:
                mask[chip - 1] = False


@jit
def budget(s: State) -> int:
    """R12: moves of a round before its last lap."""
    return int(s.seats) * int(s.turns_per_round)


@jit
def place(s: State, seat: int, number: int, lap: int) -> int:
    """Where `history` keeps the move of `seat` in that lap of round `number`: 1 + the action."""
    return (int(seat) * ROUNDS + int(number)) * (int(s.turns_per_round) + 1) + int(lap)


@jit
def step(s: State, action: int) -> None:
    """R6 to R12: one move; the rounds, showdowns and heists that it ends and begins."""
    n, seat = int(s.seats), int(s.player)
    s.history[place(s, seat, s.round_no, s.turns // n)] = action + 1
    s.passes = s.passes + 1 if action == n + 1 else 0
    s.turns += 1
    s.moves += 1
    if action < n:
        take(s, seat, action + 1)
    elif action == n:
        s.chips[s.round_no, seat] = 0  # R8
    if not round_is_over(s):
        s.player = seat + 1 if seat + 1 < n else 0
    elif s.round_no < ROUNDS - 1:
        open_round(s, s.round_no + 1)
    else:
        showdown(s)


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
def round_is_over(s: State) -> bool:
    """R11; R12: after the budget it is enough that all hold a chip."""
    for seat in range(s.seats):
        if s.chips[s.round_no, seat] == 0:
            return False
    if s.consensus and s.turns < budget(s):
        return bool(s.passes >= s.seats)
    return True


@jit
def showdown(s: State) -> None:
    """R14 to R17: all hands are opened; the next heist is dealt, unless the game is over."""
    s.showdown_hole[:] = s.hole
    s.showdown_board[:] = s.board
    s.showdown_chips[:] = s.chips[ROUNDS - 1]
    for seat in range(s.seats):
        s.showdown_strength[seat] = seat_strength(s, seat, BOARD)
    right = pairs_in_order(s)
    s.ordered += right
    if right == pairs(s):
        s.vaults += 1  # R15
    else:
        s.alarms += 1  # R16
    if s.one_heist or s.vaults == VAULTS or s.alarms == ALARMS:  # R17, R19
        s.player = -1
    else:
        start_heist(s, s.first + 1 if s.first + 1 < s.seats else 0)  # R13


@jit
def game_is_over(s: State) -> bool:
    """R17, R19: over by a showdown; a game may also have been broken off, with no hand opened."""
    heists = int(s.vaults) + int(s.alarms)
    last = s.vaults == VAULTS or s.alarms == ALARMS or (s.one_heist != 0 and heists > 0)
    return bool(s.player < 0 and last)


@jit
def pairs(s: State) -> int:
    """How many pairs of seats there are."""
    return int(s.seats) * (int(s.seats) - 1) // 2


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


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R1, R18: the same for all seats."""
    heists = int(s.vaults) + int(s.alarms)
    if s.reward == HEIST:
        out[:] = int(s.vaults) - int(s.alarms)
    elif s.reward == GAME:
        out[:] = 0
        if s.player < 0:
            out[:] = int(s.vaults > s.alarms) - int(s.vaults < s.alarms)
    else:
        out[:] = (2 * int(s.ordered) - heists * pairs(s)) / pairs(s)
