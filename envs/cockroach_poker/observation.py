"""What a player of Cockroach Poker may know."""

import numpy as np

from ..engine.game import State
from ..engine.jit import jit
from ..engine.rng import mix
from .rules import draw_card, draw_hand
from .state import KINDS, OFFERING, TALLIES


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R17. Seats are relative to `player`; the parts stand in the order of `facts`."""
    observation[:] = 0
    seats, player = int(s.seats), int(player)
    for card in range(KINDS):
        observation[card] = s.hand[player, card]
    at = _piles(s, player, seats, observation, KINDS)
    at = _turn(s, player, seats, observation, at)
    at = _chain(s, player, seats, observation, at)
    observation[at] = s.num_games - s.games


@jit
def _place(seat: int, player: int, seats: int) -> int:
    """How many seats after `player` `seat` is; quicker than a division."""
    return seat - player if seat >= player else seat - player + seats


@jit
def _piles(s: State, player: int, seats: int, observation: np.ndarray, at: int) -> int:
    """Face-up cards, numbers of hand cards, tallies; what has been turned up is open to all."""
    sizes = at + KINDS * seats
    tallies = sizes + seats
    seat = player
    for i in range(seats):
        for card in range(KINDS):
            observation[at + i * KINDS + card] = s.faceup[seat, card]
        observation[sizes + i] = s.hand_size[seat]
        for what in range(TALLIES):
            observation[tallies + i * TALLIES + what] = s.tally[seat, what]
        seat = 0 if seat == seats - 1 else seat + 1
    return tallies + TALLIES * seats


@jit
def _turn(s: State, player: int, seats: int, observation: np.ndarray, at: int) -> int:
    """Who moves, what they may do, and the card if `player` has seen it."""
    phase = at + seats
    opened = phase + 3
    card = opened + seats
    if s.player >= 0:
        observation[at + _place(int(s.player), player, seats)] = 1
        observation[phase + int(s.phase)] = 1
        seat = player
        for i in range(seats):
            observation[opened + i] = s.handled[seat] == 0 and seat != s.player  # R10
            seat = 0 if seat == seats - 1 else seat + 1
    if s.phase != OFFERING and s.knows[player] != 0:
        observation[card + int(s.flight)] = 1
    return card + KINDS


@jit
def _chain(s: State, player: int, seats: int, observation: np.ndarray, at: int) -> int:
    """All that was said of this card; R9: that someone looked is open to all."""
    claims = at + (seats - 1) * seats
    looked = claims + (seats - 1) * KINDS
    for i in range(s.chain):
        observation[at + i * seats + _place(int(s.chain_seat[i]), player, seats)] = 1
        observation[claims + i * KINDS + int(s.chain_claim[i])] = 1
        observation[looked + i] = s.chain_looked[i]
    return looked + seats - 1


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R17: the others' hands, the cards aside and the card in flight, unless `player` has seen it.

    They are shuffled among these places; each keeps its number of cards.
    """
    s.rng = mix(np.uint64(seed))
    for seat in range(s.seats):
        if seat != player:
            for card in range(KINDS):
                s.aside[card] += s.hand[seat, card]
    left = 0
    if s.flight >= 0 and s.knows[player] == 0:
        s.aside[s.flight] += 1
        for card in range(KINDS):
            left += int(s.aside[card])
        s.flight = draw_card(s, left)
    for seat in range(s.seats):
        if seat != player:
            draw_hand(s, seat, s.hand_size[seat])
