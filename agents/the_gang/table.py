"""What the seat to move sees, read from observations, and how strong its hand is."""

from typing import NamedTuple

import numpy as np

from ...envs.engine import preflop
from ...envs.engine.cards import CARDS, JACK_CARD, RANKS, SUITS
from ...envs.engine.game import Game
from ...envs.engine.jit import jit
from ...envs.engine.poker import percentiles
from ...envs.the_gang.state import BOARD, FLOP, HOLE, HOLE_ROOM, NO_CARD
from .facts import facts_of
from .ranges import share_beaten


class Tables(NamedTuple):
    """B tables, each as the seat to move sees it: seats are counted from that seat on.

    n seats; L laps, the one after the budget too.
    """

    hole: np.ndarray
    """int8[B, 52], 1 for the own hole cards."""
    board: np.ndarray
    """int8[B, 52], 1 for the open community cards."""
    street: np.ndarray
    """int8[B, 2, 17], those of rounds 3 and 4: one-hot rank, then suit."""
    number: np.ndarray
    """int64[B], the round, 0 to 3."""
    first: np.ndarray
    """int64[B], the seat that starts each round."""
    lap: np.ndarray
    """int64[B], laps completed in this round."""
    chips: np.ndarray
    """int64[B, n], stars of this round's chip before each seat, 0 for none."""
    moves: np.ndarray
    """int8[B, n, 4, L], by seat, round and lap 1 + the action played, 0 for none."""
    takable: np.ndarray
    """bool[B, n], the chips that may be taken now, from the centre or from a seat."""
    jack: np.ndarray
    """bool[B], whether the Jack is among the own hole cards."""
    muscle: np.ndarray
    """bool[B], whether the own hand has the Muscle."""
    facts: np.ndarray
    """int16[B, n, 7], what is known of the seats' hands: see `facts`."""
    told: np.ndarray
    """bool[B], whether that is anything that all know."""


def read(game: Game, observations: np.ndarray, masks: np.ndarray) -> Tables:
    """The tables that `observations`, int8[B, O], and `masks`, bool[B, A], show."""
    parts = game.parts(observations)
    number = parts["round"].argmax(axis=-1)
    chips = parts["chips"][np.arange(len(number)), number]
    facts = facts_of(game, parts)
    return Tables(
        hole=np.ascontiguousarray(parts["hole"]),
        board=np.ascontiguousarray(parts["board"]),
        street=np.ascontiguousarray(parts["street"]),
        number=number,
        first=parts["first"].argmax(axis=-1),
        lap=parts["lap"].argmax(axis=-1),
        chips=chips @ np.arange(1, game.players + 1),
        moves=np.ascontiguousarray(parts["moves"]),
        takable=np.ascontiguousarray(masks[:, : game.players]),
        jack=facts.jack,
        muscle=facts.muscle,
        facts=facts.known,
        told=facts.told,
    )


def some(tables: Tables, rows: np.ndarray) -> Tables:
    """Those of the tables that `rows`, int64[C], names."""
    return Tables(*(array[rows] for array in tables))


@jit
def hole_cards(flags: np.ndarray) -> tuple[int, int]:
    """The two cards of `flags`, int8[52], the greater one first."""
    high = low = NO_CARD
    for card in range(CARDS):
        if flags[card]:
            high, low = card, high
    return high, low


@jit
def open_board(flags: np.ndarray, street: np.ndarray, out: np.ndarray) -> int:
    """Write the open community cards into `out`, int8[5], in the order in which they were turned.

    Args:
        flags: 1 for each of them, int8[52].
        street: Those of rounds 3 and 4, int8[2, 17].
        out: The cards, NO_CARD for those not open, modified in place.

    Returns:
        How many are open.
    """
    out[:] = NO_CARD
    shown = 0
    for i in range(BOARD - FLOP):
        for r in range(len(RANKS)):
            for s in range(len(SUITS)):
                if street[i, r] and street[i, len(RANKS) + s]:
                    out[FLOP + i] = r * len(SUITS) + s
                    shown += 1
    at = 0
    for card in range(CARDS):
        if flags[card] and card != out[FLOP] and card != out[FLOP + 1]:
            out[at] = card
            at += 1
    return shown + at


@jit
def own_cards(tables: Tables, row: int) -> np.ndarray:
    """The own hole cards, greatest first, int8[2 to 4]; the Jack is the greatest."""
    cards = np.empty(HOLE_ROOM, np.int8)
    count = 0
    if tables.jack[row]:
        cards[0] = JACK_CARD
        count = 1
    for card in range(CARDS - 1, -1, -1):
        if tables.hole[row, card]:
            cards[count] = card
            count += 1
    return cards[:count]


@jit
def own_percentile(tables: Tables, row: int) -> float:
    """The percentile of the own hand: see `percentile_of`."""
    return percentile_of(tables, row, own_cards(tables, row))


@jit
def percentile_of(tables: Tables, row: int, cards: np.ndarray) -> float:
    """The share of all others' holdings that a hand beats as the board is, ties half.

    Before the flop: of those that win less than these hole cards against random ones. If something
    is told of the seats' hands: of those that it leaves to them, see `ranges.share_beaten`.

    Args:
        tables: The tables.
        row: Which of them.
        cards: Hole cards, int8[2 or 3].
    """
    board = np.empty(BOARD, np.int8)
    shown = open_board(tables.board[row], tables.street[row], board)
    if shown == 0:
        if cards.size == HOLE:
            return preflop.percentile(cards[0], cards[1])
        return preflop.percentile3(cards[0], cards[1], cards[2])
    if tables.told[row]:
        share = share_beaten(board, shown, cards, tables.facts[row])
        if share >= 0:
            return share
    holes, shares = np.empty((1, cards.size), np.int8), np.zeros(1)
    holes[0] = cards
    percentiles(board, shown, holes, shares, 0 if tables.muscle[row] else -1)
    return float(shares[0])


@jit
def holder(chips: np.ndarray, stars: int) -> int:
    """The seat that the chip of `stars` lies in front of, by `chips`, int64[n]; -1 if none."""
    for seat in range(chips.size):
        if chips[seat] == stars:
            return seat
    return -1
