"""What a seat may know in The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import CARDS, RANKS, SUITS, rank, suit
from ..engine.game import State, Visible
from ..engine.jit import jit
from ..engine.rng import mix, shuffle_first
from .rules import game_is_over, place, put_in_order
from .state import (
    ALARMS,
    BOARD,
    FLOP,
    HOLE,
    HOLE_ROOM,
    KNOT_UNITS,
    KNOTS,
    LAST_MOVES,
    ROUNDS,
    VAULTS,
)
from .strength import assess, open_cards


def _open_board(s: State, player: int) -> np.ndarray:
    """R4: which community cards lie open, bool[BOARD]."""
    return np.arange(BOARD) < open_cards(s.round_no)


HIDDEN: dict[str, Visible] = {
    "hole": "owner",
    "board": _open_board,
    "deck": "nobody",
    "percentile": "owner",
    "category": "owner",
}
"""All other fields are open to all."""


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R21: the own cards, what lies open, and all moves of this heist: no seat can say more.

    The parts stand in the order of `state.facts`; seats are counted from `player` on.
    """
    observation[:] = 0
    at = _cards(s, player, observation)
    at = _table(s, player, observation, at)
    at = _recent(s, player, observation, at)
    at = _moves(s, player, observation, at)
    if s.consensus:
        observation[at + min(int(s.passes), int(s.seats) - 1)] = 1
        at += int(s.seats)
    if s.features:
        _strength(s, player, observation, at)


@jit
def _cards(s: State, player: int, observation: np.ndarray) -> int:
    """R3, R4: `hole`, `board`, `street`. Returns where the next part begins, as do those below."""
    for i in range(HOLE):
        observation[int(s.hole[player, i])] = 1
    at, shown = CARDS, open_cards(s.round_no)
    for i in range(shown):
        observation[at + int(s.board[i])] = 1
    at += CARDS
    for i in range(FLOP, BOARD):
        if i < shown:
            card = int(s.board[i])
            observation[at + rank(card)] = 1
            observation[at + len(RANKS) + suit(card)] = 1
        at += len(RANKS) + len(SUITS)
    return at


@jit
def seat_from(s: State, player: int, seat: int) -> int:
    """How many seats after `player` the seat `seat` comes."""
    steps = int(seat) - int(player)
    return steps if steps >= 0 else steps + int(s.seats)


@jit
def _table(s: State, player: int, observation: np.ndarray, at: int) -> int:
    """R5, R9, R10, R12, R2: `round`, `first`, `mover`, `chips`, `lap`, `vaults`, `alarms`."""
    n = int(s.seats)
    observation[at + int(s.round_no)] = 1
    at += ROUNDS
    observation[at + seat_from(s, player, s.first)] = 1
    at += n
    if s.player >= 0:
        observation[at + seat_from(s, player, s.player)] = 1
    at += n
    for number in range(ROUNDS):
        seat = int(player)
        for _ in range(n):
            stars = int(s.chips[number, seat])
            if stars > 0:
                observation[at + stars - 1] = 1
            at += n
            seat = seat + 1 if seat + 1 < n else 0
    laps = int(s.turns_per_round) + 1
    observation[at + min(int(s.turns) // n, laps - 1)] = 1
    at += laps
    for i in range(VAULTS):
        observation[at + i] = i < s.vaults
    at += VAULTS
    for i in range(ALARMS):
        observation[at + i] = i < s.alarms
    return at + ALARMS


@jit
def _recent(s: State, player: int, observation: np.ndarray, at: int) -> int:
    """R10: `recent`."""
    n = int(s.seats)
    actions = n + 2
    laps = int(s.turns) // n
    rest = int(s.turns) - laps * n  # so many seats, from the first on, have moved once more
    for seat in range(n):
        here = at + seat_from(s, player, seat) * LAST_MOVES * actions
        lap = laps - int(seat_from(s, s.first, seat) >= rest)  # of its last move
        for _ in range(LAST_MOVES):
            if lap >= 0:
                move = int(s.history[place(s, seat, s.round_no, lap)])
                observation[here + move - 1] = 1
            here += actions
            lap -= 1
    return at + n * LAST_MOVES * actions


@jit
def _moves(s: State, player: int, observation: np.ndarray, at: int) -> int:
    """R10: `moves`; a seat's moves lie together in `history`, so that two runs are copied."""
    start, end = place(s, player, 0, 0), place(s, s.seats, 0, 0)
    middle = at + end - start
    _copy(s.history[start:end], observation[at:middle])
    _copy(s.history[:start], observation[middle : middle + start])
    return middle + start


@jit
def _copy(values: np.ndarray, cells: np.ndarray) -> None:
    """Faster than `cells[:] = values`, which looks whether the two overlap."""
    for i in range(values.size):
        cells[i] = values[i]


@jit
def _strength(s: State, player: int, observation: np.ndarray, at: int) -> None:
    """R20: `percentile`, `category`."""
    for number in range(s.round_no + 1):
        value = int(s.percentile[player, number])
        knot = min(value // KNOT_UNITS, KNOTS - 2)
        above = value - knot * KNOT_UNITS
        observation[at + knot] = KNOT_UNITS - above
        observation[at + knot + 1] = above
        at += KNOTS
    at += (ROUNDS - 1 - int(s.round_no)) * KNOTS
    observation[at + int(s.category[player])] = 1


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R3, R4: draw anew the other hands, the board not yet open and the pile from unseen cards."""
    s.rng = mix(np.uint64(seed))
    if game_is_over(s):  # R14: all has been opened
        s.hole[:] = s.showdown_hole
    known = gather_known(s, player)
    shuffle_first(s.deck[known:], int(s.drawn) - known, s)
    if not game_is_over(s):
        _hand_out(s, player, known)
    if s.features:
        for number in range(s.round_no + 1):
            assess(s, number)


@jit
def gather_known(s: State, player: int) -> int:
    """Put what `player` has seen to the front of the deck; the others follow, least card first.

    Returns how many are known. So nothing that is drawn next depends on what they do not know.
    """
    seen = np.uint64(0)
    one = np.uint64(1)
    for seat in range(s.seats):
        if seat == player or game_is_over(s):
            for i in range(HOLE_ROOM):
                if s.hole[seat, i] >= 0:
                    seen |= one << np.uint64(s.hole[seat, i])
    for i in range(open_cards(s.round_no)):
        seen |= one << np.uint64(s.board[i])
    at = 0
    for sought in (one, np.uint64(0)):
        known = at
        for card in range(CARDS):
            if (seen >> np.uint64(card)) & one == sought:
                s.deck[at] = card
                at += 1
    return known


@jit
def _hand_out(s: State, player: int, at: int) -> None:
    """Deal from the deck, from place `at` on, what `player` has not seen."""
    for seat in range(s.seats):
        if seat != player:
            for i in range(HOLE):
                s.hole[seat, i] = s.deck[at]
                at += 1
    for i in range(open_cards(s.round_no), BOARD):
        s.board[i] = s.deck[at]
        at += 1
    put_in_order(s)
