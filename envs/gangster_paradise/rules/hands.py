"""Cards that change hands, and what is known of it. R-numbers: README.md one folder up.

`s.known[known_row(s, p, seat), g]` is how many cards of group g seat p knows `seat` to hold, at
least; p may be EVERYBODY, somebody who has only watched. A group is a kind of card, or one of three
classes (R8). These functions are all that moves cards after the deal.
"""

from typing import Any

import numpy as np

from ...engine.game import State
from ...engine.jit import jit
from ...engine.rng import shuffle
from ..hidden import known_row
from ..state import CLASSES, EVERYBODY, FIELD_CARDS, KINDS, NOTHING


@jit
def recount(s: State, p: int, seat: int, k: int, count: int) -> None:
    """R27: p sees `count` cards of kind k come to the hand of `seat`, or leave it if negative."""
    known = s.known[known_row(s, p, seat)]
    known[k] = max(0, int(known[k]) + count)
    group = int(s.class_of[k])
    if group >= 0:
        known[group] = max(0, int(known[group]) + count)
        count_class(s, known, group)


@jit
def count_class(s: State, known: np.ndarray, group: int) -> None:
    """R8: of a class there are no fewer cards than of its kinds together."""
    total = 0
    for k in range(s.kinds):
        if s.class_of[k] == group:
            total += int(known[k])
    known[group] = max(total, int(known[group]))


@jit
def exchange(s: State, seat: int, k: int, count: int) -> None:
    """R10: `count` cards of kind k go from the field to the hand, or back; all see it."""
    s.on_field[k] -= count
    s.hand[seat, k] += count
    s.held[seat] += count
    for p in range(EVERYBODY, s.seats):
        recount(s, p, seat, k, count)
    s.stirred = 1


@jit
def learn(s: State, p: int, seat: int, k: int, count: int) -> None:
    """R27: p sees that `seat` holds `count` cards of kind k, maybe the same as before."""
    known = s.known[known_row(s, p, seat)]
    if known[k] >= count:
        return
    known[k] = count
    group = int(s.class_of[k])
    if group >= 0:
        count_class(s, known, group)


@jit
def show(s: State, seat: int, k: int, count: int) -> None:
    """R25: `seat` shows all that it holds `count` cards of kind k."""
    for p in range(EVERYBODY, s.seats):
        learn(s, p, seat, k, count)


@jit
def went_along(known: int, held: int, left: int) -> int:
    """R27: how many of the `left` cards that went unseen must have been among the `known`."""
    return max(0, left - (held - known))


@jit
def hand_over(s: State, giver: int, taker: int, k: int) -> None:
    """R34, R38, R27: a card goes from hand to hand; these two know which, the others that one does.

    A trade moves many at once, and more is known of that: see `trade.carry_out`.
    """
    held = int(s.held[giver])
    for p in range(EVERYBODY, s.seats):
        if p == giver:
            recount(s, p, taker, k, 1)
        elif p == taker:
            recount(s, p, giver, k, -1)
        else:
            of_giver, of_taker = s.known[known_row(s, p, giver)], s.known[known_row(s, p, taker)]
            for g in range(KINDS + CLASSES):
                known = int(of_giver[g])
                if known > 0:
                    of_giver[g] = known - 1
                    of_taker[g] += went_along(known, held, 1)
            for g in range(KINDS, KINDS + CLASSES):
                count_class(s, of_giver, g)
                count_class(s, of_taker, g)
    move(s, giver, taker, k)
    s.stirred = 1


@jit
def move(s: State, giver: int, taker: int, k: int) -> None:
    """A card from hand to hand."""
    s.hand[giver, k] -= 1
    s.held[giver] -= 1
    s.hand[taker, k] += 1
    s.held[taker] += 1


@jit
def draw_top(s: State) -> int:
    """The top card of the deck, taken off it."""
    s.deck_size -= 1
    s.deck_seen[0] = s.deck_seen[1]
    s.deck_seen[1] = 0
    return int(s.deck[s.deck_size])


@jit
def gather(s: State) -> None:
    """R10, R23: the field is shuffled into the deck."""
    size = int(s.deck_size)
    for k in range(s.kinds):
        for _ in range(s.on_field[k]):
            s.deck[size] = k
            size += 1
        s.on_field[k] = 0
    s.deck_size = size
    s.deck_seen[:] = 0
    shuffle(s.deck[:size], s)


@jit
def lay(s: State, count: int) -> None:
    """R7, R23, R24: cards from the deck on the field, as many as there are."""
    for _ in range(min(count, int(s.deck_size))):
        s.on_field[draw_top(s)] += 1


@jit
def draw_card(s: State, seat: int) -> None:
    """R9, R10: `seat` draws; if the deck is empty, the field becomes it, and five are laid."""
    empty = s.deck_size == 0
    if empty:
        gather(s)
    if s.deck_size > 0:
        seen = int(s.deck_seen[0])
        k = draw_top(s)
        s.hand[seat, k] += 1
        s.held[seat] += 1
        for p in range(s.seats):
            if seen >> p & 1:  # R41: whoever has looked at the deck knows what was drawn
                recount(s, p, seat, k, 1)
        s.stirred = 1
    if empty:
        lay(s, FIELD_CARDS)


@jit
def lay_down(s: State, seat: int) -> None:
    """R52, R58: all cards of a hand go to the field."""
    for k in range(s.kinds):
        if s.hand[seat, k] > 0:
            exchange(s, seat, k, -int(s.hand[seat, k]))


@jit
def may_hold(s: State, seat: int, k: int) -> bool:
    """R45: whether `seat` may hold a card of kind k, by all that is open to everybody.

    There must be one that all do not know to be elsewhere, and a card in the hand that it can be:
    one of which nothing is known, or only its class (R8).
    """
    if k == NOTHING or s.held[seat] == 0:
        return False
    openly = s.known[known_row(s, EVERYBODY, seat)]
    if openly[k] > 0:
        return True
    hidden = int(s.in_play[k]) - int(s.on_field[k])
    for other in range(s.seats):
        hidden -= int(s.known[known_row(s, EVERYBODY, other), k])
    if hidden <= 0:
        return False
    own_class, room = int(s.class_of[k]), int(s.held[seat])
    for j in range(s.kinds):
        if s.class_of[j] < 0 or s.class_of[j] == own_class:
            room -= int(openly[j])
    for group in range(KINDS, KINDS + CLASSES):
        if group != own_class:
            room -= int(openly[group])
    return room > 0


@jit
def may_hold_any(s: State, seat: int, effect: int) -> bool:
    """R45: whether `seat` may hold a card with this effect."""
    for k in range(s.kinds):
        if s.effect[k] == effect and may_hold(s, seat, k):
            return True
    return False


@jit
def count_in(cards: Any, size: int, k: int) -> int:
    """How many of the first `size` of `cards` are of kind k."""
    count = 0
    for i in range(size):
        count += int(cards[i] == k)
    return count
