"""What a player of Caribbean Poker may know."""

import numpy as np

from ..engine.cards import CARDS, RANKS, SUITS
from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import category
from ..engine.rng import draw, mix
from .rules import seat_strength
from .state import BETTING, DECIDING, HAND, KINDS, MONEY_BITS, SHOWN, UP, seat_card

_NUM_RANKS, _NUM_SUITS = len(RANKS), len(SUITS)
_KEY = _NUM_RANKS + 1
"""Bits of a suit's key: its ranks in the hand, and lowest whether the open card has the suit."""


@jit
def suit_keys(s: State, player: int) -> int:
    """What each suit holds of the hand of `player` and the open card, `_KEY` bits a suit."""
    keys = 1 << (_KEY * (int(s.deck[UP]) & 3))
    for i in range(HAND):
        card = int(s.deck[seat_card(player, i)])
        keys |= 1 << (_KEY * (card & 3) + 1 + (card >> 2))
    return keys


@jit
def renamed(keys: int, suit: int) -> int:
    """R1: the name of `suit`, 0 to 3, when suits are named in the order of their keys.

    So hands that differ by an exchange of suits alone look the same, which loses nothing.
    """
    ones = (1 << _KEY) - 1
    own = keys >> (_KEY * suit) & ones
    before = 0
    for other in range(_NUM_SUITS):
        key = keys >> (_KEY * other) & ones
        before += key > own or (key == own and other < suit)
    return before


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R4. Seats are relative to `player`; the parts stand in the order of `facts`."""
    observation[:] = 0
    seats, player = int(s.seats), int(player)
    observation[int(s.phase)] = 1
    at = 3
    if s.player >= 0:
        observation[at + (int(s.player) - player) % seats] = 1
    at = _cards(s, player, observation, at + seats)
    at = _bets(s, player, seats, observation, at)
    observation[at] = s.num_rounds - s.rounds
    at += 1
    if s.num_rounds > 1:
        if s.rounds > 0:  # R5
            for card in s.last:
                observation[at + int(card)] = 1
        at += CARDS
    if s.bankroll:
        for bit in range(MONEY_BITS):
            observation[at + bit] = int(s.money[player]) >> bit & 1


@jit
def _cards(s: State, player: int, observation: np.ndarray, at: int) -> int:
    """R4: one's own hand and the banker's open card, once all have bet."""
    up = at + CARDS
    ranks = up + CARDS
    up_rank = ranks + _NUM_RANKS
    up_suit = up_rank + _NUM_RANKS
    kind = up_suit + 1
    if s.phase != BETTING and s.playing[player]:
        keys = suit_keys(s, player)
        open_card = int(s.deck[UP])
        observation[up + (open_card & ~3) + renamed(keys, open_card & 3)] = 1
        observation[up_rank + (open_card >> 2)] = 1
        for i in range(HAND):
            card = int(s.deck[seat_card(player, i)])
            observation[at + (card & ~3) + renamed(keys, card & 3)] = 1
            observation[ranks + (card >> 2)] += 1
            observation[up_suit] += card & 3 == open_card & 3
        observation[kind + category(seat_strength(s, player))] = 1
    return kind + KINDS


@jit
def _bets(s: State, player: int, seats: int, observation: np.ndarray, at: int) -> int:
    """R2, R3, R5: what all have bet and chosen, open to all."""
    size = int(s.num_levels)
    ante = at + seats
    bonus = ante + seats * size
    choice = bonus + seats
    for i in range(seats):
        seat = (player + i) % seats
        observation[at + i] = s.playing[seat]
        for level in range(size):
            observation[ante + i * size + level] = s.ante[seat] == s.levels[level]
        observation[bonus + i] = s.bonus[seat]
        if s.choice[seat] >= 0:
            observation[choice + 2 * i + int(s.choice[seat])] = 1
    return choice + 2 * seats


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R4, R5: all cards that `player` has not seen, among the places where they lie."""
    s.rng = mix(np.uint64(seed))
    if s.phase == SHOWN:  # others' cards, and what was never dealt
        first, own = HAND, int(seat_card(player, 0))
        unseen = CARDS - 2 * HAND
    elif s.phase == DECIDING:
        first, own = 0, int(seat_card(player, 0))
        unseen = CARDS - HAND - 1
    else:
        first, own = 0, CARDS
        unseen = CARDS
    for i in range(unseen - 1, 0, -1):
        a = _unseen(s, i, first, own)
        b = _unseen(s, draw(s, i + 1), first, own)
        s.deck[a], s.deck[b] = s.deck[b], s.deck[a]


@jit
def _unseen(s: State, i: int, first: int, own: int) -> int:
    """The place of the unseen card number `i`, when the hand that is seen begins at `own`.

    The places before `first` are seen too, and UP if any are.
    """
    place = first + i
    if own < CARDS and first == 0:
        place += place >= UP
    return place + HAND if place >= own else place
