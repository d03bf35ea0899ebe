"""Published rules of thumb for Caribbean Poker (R5): when to call.

All bet the least ante and no bonus bet: the game is against them.
"""

from typing import NamedTuple

import numpy as np

from ...envs.caribbean_poker.state import CALL, FIRST_BET, FOLD, HAND
from ...envs.engine.cards import RANKS
from ...envs.engine.game import Game
from ...envs.engine.poker import HIGH_CARD
from ..base import Agent

_JACK, _QUEEN, _KING, _ACE = (RANKS.index(rank) for rank in "JQKA")
_AKJ83 = np.array([RANKS.index(rank) for rank in "AKJ83"])


class View(NamedTuple):
    """What B observations say, as the rules of thumb put it."""

    pair: np.ndarray
    """Whether the hand is a pair or better, bool[B]."""
    ace_king: np.ndarray
    """Whether it is less, with an ace and a king, bool[B]."""
    ranks: np.ndarray
    """The ranks of the five cards, highest first, int64[B, 5]; 0 to 12 for 2 to A."""
    up: np.ndarray
    """The rank of the banker's open card, int64[B]."""

    @property
    def matched(self) -> np.ndarray:
        """Whether an own card has the rank of the open one, bool[B]."""
        found: np.ndarray = (self.ranks == self.up[:, None]).any(axis=1)
        return found

    def has(self, rank: int) -> np.ndarray:
        """Whether an own card has this rank, bool[B]."""
        found: np.ndarray = (self.ranks == rank).any(axis=1)
        return found


def view(game: Game, observations: np.ndarray) -> View:
    """What `observations`, int8[B, O], of seats that are to fold or call say."""
    parts = game.parts(observations)
    counts = parts["ranks"].astype(np.int64)
    places = np.repeat(np.tile(np.arange(len(RANKS)), len(counts)), counts.ravel())
    ranks = places.reshape(len(counts), HAND)[:, ::-1]
    pair = parts["category"][:, HIGH_CARD] == 0
    ace_king = ~pair & (counts[:, _ACE] > 0) & (counts[:, _KING] > 0)
    return View(pair, ace_king, ranks, parts["up_rank"].argmax(axis=1))


class CallingAgent(Agent):
    """Bets the least; calls when `calls` says so and it is legal."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Prepare to play `game`.

        Raises:
            ValueError: if it is another game.
        """
        super().__init__(game, seed)
        if game.name != "caribbean_poker":
            raise ValueError(f"the agent {self.name} plays caribbean_poker, not {game.name}")

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether to call, bool[B], in observations int8[B, O] of seats that are to choose."""
        raise NotImplementedError

    def bets(self, masks: np.ndarray) -> np.ndarray:
        """What to bet, int64[B]: the least ante, and no bonus bet."""
        least: np.ndarray = FIRST_BET + masks[:, FIRST_BET:].argmax(axis=1)
        return least

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """The least bet; then a call or a fold."""
        actions = np.full(len(masks), FOLD, np.int64)
        choosing = np.asarray(masks)[:, FOLD]
        if not choosing.all():
            actions[~choosing] = self.bets(masks[~choosing])
        if choosing.any():
            called = self.calls(observations[choosing]) & masks[choosing, CALL]
            actions[choosing] = np.where(called, CALL, FOLD)
        return actions

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """1 for what `act` chooses, float32[B, A]."""
        shares = np.zeros(np.shape(masks), np.float32)
        shares[np.arange(len(shares)), self.act(observations, masks, players)] = 1
        return shares


class Caller(CallingAgent):
    """Always calls."""

    name = "caller"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """True."""
        return np.ones(len(observations), np.bool_)


class Folder(CallingAgent):
    """Always folds."""

    name = "folder"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """False."""
        return np.zeros(len(observations), np.bool_)


class Pair(CallingAgent):
    """Calls with a pair or better."""

    name = "pair"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether the hand is a pair or better."""
        return view(self.game, observations).pair


class AceKing(CallingAgent):
    """Calls with whatever would qualify: an ace and a king, or better."""

    name = "ace-king"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether the hand would qualify."""
        seen = view(self.game, observations)
        found: np.ndarray = seen.pair | seen.ace_king
        return found


class Akj83(CallingAgent):
    """Calls with A-K-J-8-3 or better, whatever the banker shows."""

    name = "akj83"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether the hand is as strong as A-K-J-8-3."""
        seen = view(self.game, observations)
        gap = np.sign(seen.ranks - _AKJ83)
        first = (gap != 0).argmax(axis=1)  # the highest card that differs; 0 if none does
        enough = gap[np.arange(len(gap)), first] >= 0
        found: np.ndarray = seen.pair | (seen.ace_king & enough)
        return found


class Match(CallingAgent):
    """Calls with a pair, and with an ace and a king if the open card matches an own one."""

    name = "match"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether the rule says so."""
        seen = view(self.game, observations)
        found: np.ndarray = seen.pair | (seen.ace_king & seen.matched)
        return found


class ThreeRules(CallingAgent):
    """Calls with a pair, and with an ace and a king by the three rules that are best known.

    Namely if the open card is a 2 to a queen and matches an own one; or it is an ace or a king, and
    one has a queen or a jack; or it matches none, one has a queen, and it is lower than one's
    fourth highest card.
    """

    name = "three-rules"

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether the rules say so."""
        seen = view(self.game, observations)
        high = seen.up >= _KING
        queen = seen.has(_QUEEN)
        first = ~high & seen.matched
        second = high & (queen | seen.has(_JACK))
        third = ~seen.matched & queen & (seen.up < seen.ranks[:, 3])
        found: np.ndarray = seen.pair | (seen.ace_king & (first | second | third))
        return found
