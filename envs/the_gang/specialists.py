"""The specialists that a player uses in The Gang. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import JACK_CARD, rank
from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import category
from .chips import budget, following, place, turn
from .heist import draw_card, sort_down
from .roster import COORDINATOR, GETAWAY_DRIVER, HACKER, INFORMANT, JACK, MASTERMIND, automatic
from .state import (
    ANSWER,
    CARD,
    CHIPS,
    DECIDE,
    END_OF_TURN,
    FIRST_ROUND,
    HOLE_ROOM,
    NO_CARD,
    NOTHING,
    RANK,
    TARGET,
)
from .strength import open_cards, seat_strength

ANSWERS = 2
"""Agree, decline."""
USE, CHANGED = -1, -2
"""What comes next, besides those of `state`: the proposer uses the specialist; its hand is worth
something else than before, and its turn is over."""


@jit
def can_propose(s: State) -> bool:
    """R27: once a heist, on a free turn, a specialist that does not act by itself."""
    there = s.specialist > 0 and not automatic(s)
    return bool(there and s.user == NOTHING and s.turns < budget(s))


@jit
def propose(s: State) -> int:
    """R27: the mover asks the others, in the order of turns. All here return what comes next."""
    s.proposals += 1
    s.proposer = s.player
    turn(s, s.seats + 2)
    if not s.consent:
        return USE
    s.decision = ANSWER
    s.player = following(s, s.player)
    return DECIDE


@jit
def answer(s: State, agreed: bool) -> int:
    """R27: all must agree; the first who declines ends it, and the turn of the proposer too."""
    proposer, seat = int(s.proposer), int(s.player)
    if not agreed:
        distance = (seat - proposer) % int(s.seats)
        s.history[place(s, proposer, s.round_no, (s.turns - 1) // s.seats)] += distance
        s.proposer = NOTHING
        s.player = proposer
        return END_OF_TURN
    if following(s, seat) == proposer:
        return USE
    s.player = following(s, seat)
    return DECIDE


@jit
def use(s: State) -> int:
    """R27: the proposer uses the specialist; what there is to choose is asked next."""
    seat = int(s.proposer)
    s.uses += 1
    s.proposer = NOTHING
    s.user = seat
    s.used_in = s.round_no
    s.player = seat
    if s.specialist == INFORMANT:
        s.decision = TARGET
    elif s.specialist == MASTERMIND:
        s.decision = RANK
    elif s.specialist == GETAWAY_DRIVER:  # R29
        s.declared_category = category(seat_strength(s, seat, open_cards(s.round_no)))
        return END_OF_TURN
    elif s.specialist == HACKER:  # R32
        s.hacked = draw_card(s)
        receive(s, seat, s.hacked)
    elif s.specialist == JACK:  # R34
        s.holder = seat
        receive(s, seat, JACK_CARD)
    else:  # R37
        s.holder = seat
        return CHANGED
    return DECIDE


@jit
def receive(s: State, seat: int, card: int) -> None:
    """R32, R34: one card more; the seat is to discard one."""
    s.hole[seat, s.held] = card
    sort_down(s.hole[seat], s.held + 1)
    s.decision = CARD


@jit
def choose_target(s: State, steps: int) -> int:
    """R28: the seat so many places to the left is to be shown a card."""
    s.target = (s.player + steps) % s.seats
    s.decision = CARD
    return DECIDE


@jit
def choose_rank(s: State, value: int) -> int:
    """R31: the rank is declared, and how many cards of it the user holds."""
    s.declared_rank = value
    for i in range(s.held):
        s.declared_count += int(rank(s.hole[s.user, i]) == value)
    return END_OF_TURN


@jit
def choose_card(s: State, k: int) -> int:
    """R28 show, R32 and R34 discard, R33 pass to the left: the k-th greatest of the own cards."""
    seat = int(s.player)
    card = int(s.hole[seat, k])
    if s.specialist == COORDINATOR:
        s.picks[seat] = card
        s.player = following(s, seat)
        if s.player != s.first:
            return DECIDE
        pass_left(s)
        return FIRST_ROUND
    if s.specialist == INFORMANT:
        s.shown = card
        return END_OF_TURN
    s.exchanged = card
    for i in range(k, HOLE_ROOM - 1):
        s.hole[seat, i] = s.hole[seat, i + 1]
    s.hole[seat, HOLE_ROOM - 1] = NO_CARD
    return CHANGED


@jit
def pass_left(s: State) -> None:
    """R33: all cards at once."""
    for seat in range(s.seats):
        left = following(s, seat)
        for i in range(s.held):
            if s.hole[left, i] == s.picks[left]:
                s.hole[left, i] = s.picks[seat]
                break
    for seat in range(s.seats):
        sort_down(s.hole[seat], s.held)
    s.decision = CHIPS


@jit
def legal_cards(s: State, mask: np.ndarray) -> None:
    """Own cards, greatest first; R34: the Jack itself stays."""
    for i in range(HOLE_ROOM):
        card = s.hole[s.player, i]
        mask[i] = card not in (NO_CARD, JACK_CARD)


@jit
def legal_ranks(s: State, mask: np.ndarray) -> None:
    """R31: ranks that the user holds."""
    for i in range(s.held):
        mask[rank(s.hole[s.player, i])] = True
