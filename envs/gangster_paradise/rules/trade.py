"""Trades: built item by item, agreed to by each partner, carried out at once.

R-numbers: README.md one folder up. The walk of a trade: `legal_trade` and `build` for each item
until `propose`; then each partner is asked (`asking.py`), and can agree if it `holds_all`: `agree`
or `refuse`; when all have agreed, `carry_out`.
"""

import numpy as np

from ...engine.game import State
from ...engine.jit import jit
from ..actions import (
    ABANDON,
    ASK_CARD,
    GIVE_CARD,
    PROPOSE,
    SEATS,
    cards_from,
)
from ..hidden import known_row
from ..state import (
    ASK_NEXT,
    CLASSES,
    CONSENT,
    DECIDE,
    EVERYBODY,
    ITEMS,
    KINDS,
    LIFE,
    MANY,
    NOBODY,
    NOTHING,
    SURRENDERED,
    TO_MENU,
)
from .hands import count_class, count_in, learn, move, recount, went_along


@jit
def legal_trade(s: State, mask: np.ndarray) -> None:
    """R18: the next partner in order, a card to give, a card to ask for; or propose; or cancel."""
    seat, partner, n = int(s.turn), int(s.partner), int(s.seats)
    mask[ABANDON] = True
    reached = 0 if partner == NOBODY else (partner - seat) % n
    for d in range(reached + 1, n):
        mask[SEATS + d - 1] = s.fate[(seat + d) % n] != SURRENDERED
    if partner == NOBODY:
        return
    kinds = int(s.kinds)
    gives, asks = cards_from(s, GIVE_CARD), cards_from(s, ASK_CARD)
    given, asked = mask[gives : gives + kinds], mask[asks : asks + kinds]
    hand = s.hand[seat]
    may_give = s.items[partner, 0] < ITEMS
    may_ask = s.items[partner, 1] < min(ITEMS, int(s.held[partner]))
    total = 0
    for other in range(n):
        total += int(s.items[other, 0]) + int(s.items[other, 1])
    mask[PROPOSE] = total > 0
    if may_give:
        for k in range(kinds):
            given[k] = (hand[k] > 0) & (hand[k] > s.stack[k])
    if may_ask:
        for k in range(kinds):
            asked[k] = s.sort_of[k] != LIFE


@jit
def build(s: State, action: int) -> int:
    """R18: one more partner or item."""
    if action == ABANDON:
        return TO_MENU
    if action == PROPOSE:
        return propose(s)
    if action < cards_from(s, 0):
        s.partner = (int(s.turn) + action - SEATS + 1) % int(s.seats)
        return DECIDE
    k = int(action) - cards_from(s, GIVE_CARD)
    way = int(k >= s.kinds)
    k -= way * int(s.kinds)
    if way == 0:
        s.stack[k] += 1
    s.offers[s.partner, way, s.items[s.partner, way]] = k
    s.items[s.partner, way] += 1
    return DECIDE


@jit
def propose(s: State) -> int:
    """R19: each partner sees what it is offered, and is asked in order."""
    for partner in range(s.seats):
        offered = s.offers[partner, 0]
        for i in range(s.items[partner, 0]):
            k = int(offered[i])
            learn(s, partner, int(s.turn), k, count_in(offered, i + 1, k))
    s.committed = 1
    s.agreed[:] = 0
    s.asking = CONSENT
    s.asked = 1
    return ASK_NEXT


@jit
def holds_all(s: State, seat: int) -> bool:
    """R19: whether `seat` has what it is asked for."""
    asked = s.offers[seat, 1]
    for i in range(s.items[seat, 1]):
        k = int(asked[i])
        if count_in(asked, i + 1, k) > s.hand[seat, k]:
            return False
    return True


@jit
def agree(s: State, seat: int) -> None:
    """R19: who proposed sees that `seat` holds what it is asked for; nothing moves yet."""
    asked = s.offers[seat, 1]
    for i in range(s.items[seat, 1]):
        k = int(asked[i])
        learn(s, int(s.turn), seat, k, count_in(asked, i + 1, k))
    s.agreed[seat] = 1


@jit
def refuse(s: State, seat: int) -> int:
    """R19: nothing moves, and no action is spent."""
    s.refused[s.turn, seat] = min(MANY, int(s.refused[s.turn, seat]) + 1)
    s.refusals += 1
    return TO_MENU


@jit
def witness(s: State, p: int, sign: int) -> None:
    """R20: of a trade p sees what it gives and gets: that leaves hands (-1), or comes there (1)."""
    seat = int(s.turn)
    for partner in range(s.seats):
        if p != seat and p != partner:
            continue
        of = partner if p == seat else seat
        way = int((sign < 0) == (p == seat))
        for i in range(s.items[partner, way]):
            recount(s, p, of, int(s.offers[partner, way, i]), sign)


@jit
def suppose(s: State, p: int) -> None:
    """R20, R27: of what moves between others p knows how many cards; all of them move at once.

    None of them is one that p saw leave, and what comes to a hand is not among what leaves it.
    """
    seat = int(s.turn)
    held = int(s.held[seat]) - (int(s.items[p, 0]) if p != EVERYBODY else 0)
    known = s.known[known_row(s, p, seat)]
    for g in range(KINDS + CLASSES):
        before, gone, came = int(known[g]), 0, 0
        for partner in range(s.seats):
            given, got = int(s.items[partner, 0]), int(s.items[partner, 1])
            if partner != p and given + got > 0:
                theirs = s.known[known_row(s, p, partner)]
                came += went_along(int(theirs[g]), int(s.held[partner]), got)
                left = max(0, int(theirs[g]) - got)
                theirs[g] = left + went_along(before, held, given)
                gone += given
        known[g] = max(0, before - gone) + came
    for g in range(KINDS, KINDS + CLASSES):
        for other in range(s.seats):
            if other != p:
                count_class(s, s.known[known_row(s, p, other)], g)


@jit
def carry_out(s: State) -> int:
    """R17 to R19: all have agreed: all cards move. R39: after NEGOTIATOR it costs nothing."""
    seat = int(s.turn)
    for p in range(EVERYBODY, s.seats):
        witness(s, p, -1)
        if p != seat:
            suppose(s, p)
        witness(s, p, 1)
    for partner in range(s.seats):
        given, got = int(s.items[partner, 0]), int(s.items[partner, 1])
        for i in range(given):
            move(s, seat, partner, int(s.offers[partner, 0, i]))
        for i in range(got):
            move(s, partner, seat, int(s.offers[partner, 1, i]))
        if given + got > 0:
            s.accepted[seat, partner] = min(MANY, int(s.accepted[seat, partner]) + 1)
    s.stirred = 1
    s.actions -= 0 if s.free_trade else 1
    s.free_trade = 0
    s.again = NOTHING
    return TO_MENU
