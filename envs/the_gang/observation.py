"""What a seat may know in The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import CARDS, JACK_CARD, RANKS, SUITS, rank, suit
from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import CATEGORIES
from .chips import place
from .roster import ADVANCED, BASIC, EXPERT, STACK
from .showdown import scanned, scanning
from .state import (
    ALARMS,
    BOARD,
    DECISIONS,
    FLOP,
    KNOT_UNITS,
    KNOTS,
    LAST_MOVES,
    MOST_HOLE,
    NO_CARD,
    REDRAWN,
    ROUNDS,
    VAULTS,
)
from .strength import open_cards


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R21, R50: the own cards, what lies open, and all that was done in this heist.

    The parts stand in the order of `parts.parts`; seats are counted from `player` on.
    """
    observation[:] = 0
    at = _cards(s, player, observation)
    at = _table(s, player, observation, at)
    at = _recent(s, player, observation, at)
    at = _moves(s, player, observation, at)
    if s.mode != BASIC:
        at = _challenges(s, player, observation, at)
        if s.mode != EXPERT:
            at = _specialist(s, player, observation, at)
    if s.consensus:
        observation[at + min(int(s.passes), int(s.seats) - 1)] = 1
        at += int(s.seats)
    if s.features:
        _strength(s, player, observation, at)


@jit
def _cards(s: State, player: int, observation: np.ndarray) -> int:
    """R3, R4: `hole`, `board`, `street`. Returns where the next part begins, as do those below."""
    _show(s.hole[player], observation)
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
def _show(cards: np.ndarray, cells: np.ndarray) -> None:
    """A one for each of `cards`, up to the first that is none; the Jack stands in `holder`."""
    for card in cards:
        if card == NO_CARD:
            break
        if card != JACK_CARD:
            cells[int(card)] = 1


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
    actions = n + 2 + int(s.mode != BASIC and s.mode != EXPERT)
    laps = int(s.turns) // n
    rest = int(s.turns) - laps * n  # so many seats, from the first on, have moved once more
    for seat in range(n):
        here = at + seat_from(s, player, seat) * LAST_MOVES * actions
        lap = laps - int(seat_from(s, s.first, seat) >= rest)  # of its last move
        for _ in range(LAST_MOVES):
            if lap >= 0:
                move = min(int(s.history[place(s, seat, s.round_no, lap)]), actions)
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
def _challenges(s: State, player: int, observation: np.ndarray, at: int) -> int:
    """R22 to R25, R38 to R49: from `challenges` to `category_guesses`."""
    n = int(s.seats)
    for k in range(STACK):
        observation[at + k] = s.challenges >> (k + 1) & 1
    at += STACK
    if s.mode == ADVANCED:
        if s.permanent > 0:
            observation[at + int(s.permanent) - 1] = 1
        at += STACK
    if s.player >= 0:
        observation[at + int(s.decision)] = 1
    at = _seat(s, player, s.redrawer, observation, at + DECISIONS)
    _gone(s, player, observation[at : at + CARDS])
    at += CARDS
    closed = scanned(s) if scanning(s) else -1
    for seat in range(n):
        if closed >= 0 and seat != closed:
            start = at + seat_from(s, player, seat) * CARDS
            _show(s.hole[seat], observation[start : start + CARDS])
    at += n * CARDS
    for seat in range(n):
        steps = seat_from(s, player, seat)
        if s.rank_guesses[seat] >= 0:
            observation[at + steps * len(RANKS) + int(s.rank_guesses[seat])] = 1
        if s.category_guesses[seat] >= 0:
            start = at + n * len(RANKS) + steps * len(CATEGORIES)
            observation[start + int(s.category_guesses[seat])] = 1
    return at + n * (len(RANKS) + len(CATEGORIES))


@jit
def _seat(s: State, player: int, seat: int, observation: np.ndarray, at: int) -> int:
    """One-hot `seat`, counted from `player` on; zeros for none."""
    if seat >= 0:
        observation[at + seat_from(s, player, seat)] = 1
    return at + int(s.seats)


@jit
def _gone(s: State, player: int, cells: np.ndarray) -> None:
    """R50: cards of which `player` knows that they were discarded."""
    if s.redrawer == player:
        _show(s.hole[REDRAWN], cells)
    if s.user == player and s.exchanged != NO_CARD:
        cells[int(s.exchanged)] = 1
    if s.target == player and was_redrawn(s, s.shown):
        cells[int(s.shown)] = 1
    if was_redrawn(s, s.picks[player]):
        cells[int(s.picks[player])] = 1


@jit
def was_redrawn(s: State, card: int) -> bool:
    """R40, R44: whether `card`, if there is one, was in the hand that was discarded at the flop."""
    for other in s.hole[REDRAWN]:
        if other == card and other != NO_CARD:
            return True
    return False


@jit
def _specialist(s: State, player: int, observation: np.ndarray, at: int) -> int:
    """R26 to R37: from `specialist` to `lost`."""
    if s.specialist > 0:
        observation[at + int(s.specialist) - 1] = 1
    at = _seat(s, player, s.proposer, observation, at + STACK)
    at = _seat(s, player, s.user, observation, at)
    if s.user >= 0:
        observation[at + int(s.used_in)] = 1
    at = _seat(s, player, s.holder, observation, at + ROUNDS)
    at = _seat(s, player, s.target, observation, at)
    if player == s.target or player == s.user:
        _still_there(s, s.shown, observation, at)
    at += CARDS
    for seat in range(s.seats):
        observation[at + seat_from(s, player, seat)] = s.declared[seat] + 1
    at += int(s.seats)
    if s.declared_category >= 0:
        observation[at + int(s.declared_category)] = 1
    at += len(CATEGORIES)
    if s.declared_rank >= 0:
        observation[at + int(s.declared_rank)] = 1
        observation[at + len(RANKS) + int(s.declared_count) - 1] = 1
    at += len(RANKS) + MOST_HOLE
    _still_there(s, s.picks[player], observation, at)
    at += CARDS
    right = player - 1 if player > 0 else int(s.seats) - 1
    if s.picks[right] != NO_CARD and passed_on(s):
        observation[at + int(s.picks[right])] = 1
    at += CARDS
    _show(s.lost[player], observation[at : at + CARDS])
    return at + CARDS


@jit
def passed_on(s: State) -> bool:
    """R33: whether all have chosen, so that the cards have gone to the left."""
    for seat in range(s.seats):
        if s.picks[seat] == NO_CARD:
            return False
    return True


@jit
def _still_there(s: State, card: int, observation: np.ndarray, at: int) -> None:
    """R28, R33, R50: a card that went to, or lies before, another seat, unless it was discarded."""
    if card != NO_CARD and not was_redrawn(s, card):
        observation[at + int(card)] = 1


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
