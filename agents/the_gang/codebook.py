"""`codebook`: chips are digits, and the digits spell out the hand.

How to play it. For each seat everybody keeps the same list of what it may hold: at first all 1326
pairs of cards, those that win least against a random pair first, equal ones in the order of the
deck. When community cards are opened, pairs with such a card are struck out of each list, and the
lists are sorted anew by the hands that the pairs make now.

Digits. The mover's signals are its legal actions in this order: take 1 to take n, return, pass; but
no take that would end the round while a seat has a free turn left. If there are k of them, the
mover's list is cut into k parts of equal size, weakest first (place i of m lies in part i * k // m,
counted from 0). The mover plays the signal of the part that its own pair is in, and from then on
that part is its list. So it is in the lap after the budget too, where the signals are the free
chips. A seat whose list is down to one pair has nothing to tell and passes its free turns.

Settling begins with the last free turns of the last round. From the others' lists, as if these were
independent, each seat reckons how likely each chip is to be right for its hand: that just as many
seats are weaker as there are chips with fewer stars. In its free turn it takes the likeliest chip,
from whoever holds it, if that is right with a chance of at least SURE; but it passes if that would
end the round while a seat has a free turn left. If it is not sure it holds no chip: it returns its
own one, or passes. In the lap after the budget it takes the likeliest free chip. What a seat plays
narrows its list to the pairs with which it would have played so.

A seat that plays what the convention never says (others may sit at the table) tells nothing: its
list stays as it is.

It knows of no cards, so it plays the mode basic alone.

With two free turns in each round each list is down to one pair before the last chips are taken.
With one, a few pairs are left, and most of what is still open is settled by who waits.
"""

from typing import NamedTuple

import numpy as np

from ...envs.engine.jit import jit
from ...envs.the_gang.state import BOARD, FLOP, ROUNDS
from .agent import TheGangAgent
from .holdings import (
    Lists,
    begin,
    keep_part,
    key_of,
    listed,
    new_lists,
    open_cards,
    part_of,
    share_beaten,
    size,
)
from .table import Tables, holder, hole_cards, open_board

SURE = 0.9
"""With this chance of being right a chip is taken in a free turn."""


class CodebookAgent(TheGangAgent):
    """Chips taken and returned spell out the hand, for those who know the code; see the module."""

    name = "codebook"
    modes = ("basic",)

    def choose(self, tables: Tables, actions: np.ndarray) -> None:
        """Read the whole heist from its start, then send or settle."""
        choose(tables, actions)


class Turn(NamedTuple):
    """A seat's turn. Seats are counted in turn order from the one that starts each round."""

    seat: int
    number: int
    """The round, 0 to 3."""
    lap: int
    """Laps completed."""
    turns: int
    """The budget."""


@jit(nogil=True)
def choose(tables: Tables, actions: np.ndarray) -> None:
    """Write an action for each of B tables into `actions`, int64[B]."""
    lists = new_lists(tables.moves.shape[1])
    for row in range(actions.size):
        actions[row] = _choose(tables, row, lists)


@jit
def _choose(tables: Tables, row: int, lists: Lists) -> int:
    """Follow the heist up to now, then play the own turn."""
    n, turns = tables.moves.shape[1], tables.moves.shape[3] - 1
    board = np.empty(BOARD, np.int8)
    shown = open_board(tables.board[row], tables.street[row], board)
    number, first = int(tables.number[row]), int(tables.first[row])
    recall(lists, tables.moves[row], first, number, board)
    high, low = hole_cards(tables.hole[row])
    me = Turn((n - first) % n, number, int(tables.lap[row]), turns)
    return _play(lists, me, key_of(high, low, board, shown))


@jit
def recall(lists: Lists, moves: np.ndarray, first: int, number: int, board: np.ndarray) -> None:
    """Write what all seats may hold, and this round's chips, after all moves of the heist so far.

    Args:
        lists: In turn order from `first` on; modified in place.
        moves: By seat from the observer on, round and lap 1 + the action, int8[n, 4, L].
        first: The seat that starts each round.
        number: The round, 0 to 3.
        board: The community cards in the order in which they were turned, int8[5].
    """
    for seat in range(lists.chips.size):
        begin(lists, seat)
    for past in range(number + 1):
        if past > 0:
            open_cards(lists, board, FLOP - 1 + past)
        lists.chips[:] = 0
        _follow(lists, moves, past, first)


@jit
def _follow(lists: Lists, moves: np.ndarray, number: int, first: int) -> None:
    """Hear all moves of one round; see `recall`."""
    n, laps = moves.shape[0], moves.shape[2]
    for lap in range(laps):
        for seat in range(n):
            move = int(moves[(first + seat) % n, number, lap])
            if move == 0:
                return
            turn = Turn(seat, number, lap, laps - 1)
            if size(lists, seat) > 1:
                _hear(lists, turn, move - 1)
            _move_chips(lists.chips, seat, move - 1)


@jit
def _move_chips(chips: np.ndarray, seat: int, action: int) -> None:
    """Play `action` on the chips before the seats, int64[n], in place."""
    if action < chips.size:
        for other in range(chips.size):
            if chips[other] == action + 1:
                chips[other] = 0
        chips[seat] = action + 1
    elif action == chips.size:
        chips[seat] = 0


@jit
def _play(lists: Lists, turn: Turn, key: int) -> int:
    """What the mover plays if it holds the pair of `key`."""
    if _settles(turn):
        return _settle(lists, turn, key)
    n = lists.chips.size
    if turn.lap < turn.turns and size(lists, turn.seat) == 1:
        return n + 1
    signals = np.empty(n + 2, np.int64)
    count = _signals(lists.chips, turn, signals)
    return int(signals[part_of(lists, turn.seat, key, count)])


@jit
def _hear(lists: Lists, turn: Turn, action: int) -> None:
    """Narrow the mover's list to the pairs with which it would play `action`."""
    if _settles(turn):
        _keep_settling(lists, turn, action)
        return
    signals = np.empty(lists.chips.size + 2, np.int64)
    count = _signals(lists.chips, turn, signals)
    for part in range(count):
        if signals[part] == action:
            keep_part(lists, turn.seat, part, count)
            return


@jit
def _keep_settling(lists: Lists, turn: Turn, action: int) -> None:
    """Leave the pairs with which the mover would settle so, unless there are none."""
    count = 0
    keys = listed(lists, turn.seat)
    for key in keys:
        if _settle(lists, turn, key) == action:
            keys[count] = key
            count += 1
    if count > 0:
        lists.end[turn.seat] = lists.start[turn.seat] + count


@jit
def _settles(turn: Turn) -> bool:
    """Whether it is time to take the final chips."""
    return turn.number == ROUNDS - 1 and turn.lap >= turn.turns - 1


@jit
def _signals(chips: np.ndarray, turn: Turn, out: np.ndarray) -> int:
    """Write the mover's signals, in order, into `out`, int64[n + 2]; return how many they are."""
    count = 0
    for action in range(chips.size + 2):
        if _is_signal(chips, turn, action):
            out[count] = action
            count += 1
    return count


@jit
def _is_signal(chips: np.ndarray, turn: Turn, action: int) -> bool:
    """Whether `action` is legal and does not end the round while seats have free turns left."""
    n, own = chips.size, chips[turn.seat]
    free_turn = turn.lap < turn.turns
    if action > n:
        return bool(free_turn or own > 0)
    if action == n:
        return bool(free_turn and own > 0)
    in_centre = holder(chips, action + 1) < 0
    if not free_turn:
        return bool(own == 0 and in_centre)
    last_missing = own == 0 and np.count_nonzero(chips) == n - 1
    last_turn = turn.lap == turn.turns - 1 and turn.seat == n - 1
    return bool(own != action + 1 and (last_turn or not (last_missing and in_centre)))


@jit
def _settle(lists: Lists, turn: Turn, key: int) -> int:
    """What the mover plays for good if it holds the pair of `key`."""
    n, own = lists.chips.size, lists.chips[turn.seat]
    chance = np.zeros(n)
    _places(lists, turn.seat, key, chance)
    best = -1
    for place in range(n):
        allowed = turn.lap < turn.turns or _is_signal(lists.chips, turn, place)
        if allowed and (best < 0 or chance[place] > chance[best]):
            best = place
    if turn.lap == turn.turns:
        return n + 1 if own > 0 else best
    if chance[best] < SURE:
        return n if own > 0 else n + 1
    return best if _is_signal(lists.chips, turn, best) else n + 1


@jit
def _places(lists: Lists, seat: int, key: int, chance: np.ndarray) -> None:
    """Write into `chance`, float64[n], how likely 0 to n - 1 others are weaker than `key`."""
    n = chance.size
    chance[:] = 0
    chance[0] = 1
    for other in range(n):
        if other != seat:
            beaten = share_beaten(lists, other, key)
            for place in range(n - 1, 0, -1):
                chance[place] += (chance[place - 1] - chance[place]) * beaten
            chance[0] -= chance[0] * beaten
