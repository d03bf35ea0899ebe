"""What the seat to move sees, read from observations, and how strong its hand is."""

from typing import NamedTuple

import numpy as np

from ...envs.engine import preflop
from ...envs.engine.cards import CARDS, RANKS, SUITS
from ...envs.engine.game import Game
from ...envs.engine.jit import first_use, jit
from ...envs.engine.poker import percentiles
from ...envs.the_gang.state import BOARD, FLOP, NO_CARD
from ..base import Agent


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


def read(game: Game, observations: np.ndarray) -> Tables:
    """The tables that `observations`, int8[B, O], show."""
    parts = game.parts(observations)
    number = parts["round"].argmax(axis=-1)
    chips = parts["chips"][np.arange(len(number)), number]
    return Tables(
        hole=np.ascontiguousarray(parts["hole"]),
        board=np.ascontiguousarray(parts["board"]),
        street=np.ascontiguousarray(parts["street"]),
        number=number,
        first=parts["first"].argmax(axis=-1),
        lap=parts["lap"].argmax(axis=-1),
        chips=chips @ np.arange(1, game.players + 1),
        moves=np.ascontiguousarray(parts["moves"]),
    )


class TheGangAgent(Agent):
    """A convention: each seat plays by the same rule, from what it sees and nothing else."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Prepare to play `game`, with any options.

        Raises:
            ValueError: if it is another game.
        """
        if game.name != "the_gang":
            raise ValueError(f"the agent {self.name} plays the_gang, not {game.name}")
        super().__init__(game, seed)

    def choose(self, tables: Tables, actions: np.ndarray) -> None:
        """Write what the convention says into `actions`, int64[B]."""
        raise NotImplementedError

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """The action that the convention says; nothing is drawn."""
        actions = np.empty(len(observations), np.int64)
        with first_use(self.game.name, f"the agent {self.name}"):
            self.choose(read(self.game, observations), actions)
        return actions

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """1 for the action that the convention says."""
        shares = np.zeros(masks.shape, np.float32)
        shares[np.arange(len(shares)), self.act(observations, masks, players)] = 1
        return shares


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
def own_percentile(tables: Tables, row: int) -> float:
    """The share of all pairs of other cards that the own hand beats as the board is, ties half.

    Before the flop: of those that win less than the own hand against a random one.
    """
    high, low = hole_cards(tables.hole[row])
    board = np.empty(BOARD, np.int8)
    shown = open_board(tables.board[row], tables.street[row], board)
    if shown == 0:
        return preflop.percentile(high, low)
    holes, shares = np.empty((1, 2), np.int8), np.zeros(1)
    holes[0, 0], holes[0, 1] = high, low
    percentiles(board, shown, holes, shares)
    return float(shares[0])


@jit
def holder(chips: np.ndarray, stars: int) -> int:
    """The seat that the chip of `stars` lies in front of, by `chips`, int64[n]; -1 if none."""
    for seat in range(chips.size):
        if chips[seat] == stars:
            return seat
    return -1
