"""What everybody knows that each seat may hold: one list a seat, weakest first.

Only what all have seen narrows a list, so all seats keep the same lists. Seats are counted in turn
order from the one that starts each round, for the same reason: who looks makes no difference.

A holding is a pair of cards, numbered 0 to 1325. A key is its strength and its number, so that keys
compare as hands do and no two are equal.
"""

from typing import NamedTuple

import numpy as np

from ...envs.engine.cards import CARDS
from ...envs.engine.jit import jit
from ...envs.engine.poker import EMPTY, Hand, add, strength
from ...envs.engine.preflop import EQUITY

_HIGH, _LOW = (cards.astype(np.int64) for cards in np.tril_indices(CARDS, -1))
HOLDINGS = _HIGH.size
_BITS = 11
_NUMBER = (1 << _BITS) - 1


def _preflop_keys() -> np.ndarray:
    """For each holding: its equity against a random one, in millionths, and its number."""
    suited = _HIGH % 4 == _LOW % 4
    high, low = _HIGH // 4, _LOW // 4
    equity = np.where(suited, EQUITY[high, low], EQUITY[low, high])
    keys: np.ndarray = np.rint(equity * 1e6).astype(np.int64) << _BITS | np.arange(HOLDINGS)
    return keys


_PREFLOP = _preflop_keys()
_SORTED = np.sort(_PREFLOP)


class Lists(NamedTuple):
    """What n seats may hold, and this round's chips."""

    keys: np.ndarray
    """int64[n + 1, 1326]; the last row is the list of all pairs before the flop."""
    row: np.ndarray
    """int64[n], in which row of keys a seat's list is: its own, or still the last one;"""
    start: np.ndarray
    """int64[n], where in that row it begins,"""
    end: np.ndarray
    """and ends."""
    chips: np.ndarray
    """int64[n], stars of the chip before each seat, 0 for none."""


@jit
def new_lists(n: int) -> Lists:
    """Lists of n seats, to begin with."""
    keys = np.empty((n + 1, HOLDINGS), np.int64)
    keys[n] = _SORTED
    return Lists(
        keys,
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.zeros(n, np.int64),
    )


@jit
def begin(lists: Lists, seat: int) -> None:
    """`seat` may hold anything."""
    lists.row[seat] = lists.chips.size
    lists.start[seat] = 0
    lists.end[seat] = HOLDINGS


@jit
def listed(lists: Lists, seat: int) -> np.ndarray:
    """The keys of what `seat` may hold, weakest first, int64[1326 at most]; not a copy."""
    return lists.keys[lists.row[seat], lists.start[seat] : lists.end[seat]]


@jit
def common_hand(board: np.ndarray, shown: int) -> tuple[Hand, int]:
    """The first `shown` cards of `board`, int8[5], as a hand and as a set of 52 bits."""
    hand = EMPTY
    used = 0
    for card in board[:shown]:
        hand = add(hand, int(card))
        used |= 1 << int(card)
    return hand, used


@jit
def key_of(high: int, low: int, board: np.ndarray, shown: int) -> int:
    """The key of the cards `high` > `low` with what is open of `board`."""
    number = high * (high - 1) // 2 + low
    if shown == 0:
        return int(_PREFLOP[number])
    hand, _ = common_hand(board, shown)
    return strength(add(add(hand, high), low)) << _BITS | number


@jit
def open_cards(lists: Lists, board: np.ndarray, shown: int) -> None:
    """Sort all lists by strength with the first `shown` cards of `board`, without those cards.

    A list of which nothing is left (its seat did not keep to the convention) begins anew.
    """
    hand, used = common_hand(board, shown)
    for seat in range(lists.chips.size):
        if not _strengthen(lists, seat, hand, used):
            begin(lists, seat)
            _strengthen(lists, seat, hand, used)
        listed(lists, seat).sort()


@jit
def _strengthen(lists: Lists, seat: int, hand: Hand, used: int) -> bool:
    """Write new keys for what `seat` may hold; False, with nothing written, if that is nothing."""
    count = 0
    for key in listed(lists, seat):
        number = key & _NUMBER
        high, low = int(_HIGH[number]), int(_LOW[number])
        if (used >> high | used >> low) & 1 == 0:
            new = strength(add(add(hand, high), low)) << _BITS | number
            lists.keys[seat, count] = new  # never ahead of what is being read
            count += 1
    if count == 0:
        return False
    lists.row[seat] = seat
    lists.start[seat] = 0
    lists.end[seat] = count
    return True


@jit
def size(lists: Lists, seat: int) -> int:
    """How many holdings are left in the list of `seat`."""
    return int(lists.end[seat] - lists.start[seat])


@jit
def part_of(lists: Lists, seat: int, key: int, parts: int) -> int:
    """In which of `parts` equal parts of the list of `seat` the `key` lies, 0 to parts - 1."""
    keys = listed(lists, seat)
    place = min(_below(keys, key), keys.size - 1)
    return int(place * parts // keys.size)


@jit
def keep_part(lists: Lists, seat: int, part: int, parts: int) -> None:
    """Leave of the list of `seat` only that part, unless it is empty."""
    start, count = lists.start[seat], size(lists, seat)
    first = (part * count + parts - 1) // parts
    after = ((part + 1) * count + parts - 1) // parts
    if first < after:
        lists.start[seat] = start + first
        lists.end[seat] = start + after


@jit
def share_beaten(lists: Lists, seat: int, key: int) -> float:
    """The share of the list of `seat` that a hand of this `key` beats, ties half."""
    keys = listed(lists, seat)
    weaker, no_stronger = _below(keys, key & ~_NUMBER), _below(keys, (key | _NUMBER) + 1)
    return (weaker + no_stronger) / (2 * keys.size)


@jit
def _below(keys: np.ndarray, key: int) -> int:
    """How many of `keys`, which are in order, are less than `key`."""
    low, high = 0, keys.size
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low
