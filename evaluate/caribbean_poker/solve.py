"""Exact values of Caribbean Poker: of the best play, and of any agent.

All situations of one seat are walked, up to an exchange of suits; in each the ways to complete the
banker's hand are counted. What comes out are numbers of deals by the seat's hand and by how the
round ends, from which values follow for any odds.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ...agents import Agent
from ...agents.caribbean_poker.strategy import Strategy
from ...envs.caribbean_poker.state import (
    CALL,
    CALL_STAKE,
    FIRST_BET,
    FOLD,
    FOLDED,
    HAND,
    KINDS,
    LOST,
    TIED,
    UNQUALIFIED,
    UP,
    WON,
    seat_card,
)
from ...envs.engine.cards import CARDS, RANKS, cards_text
from ...envs.engine.game import Game, State, deal, legal, observe, step
from ...envs.engine.jit import COMPILED, first_use, jit
from ...envs.engine.poker import EMPTY, PAIR, add, category, strength
from .counting import COMPLETIONS, count_completions, make_tables
from .results import DEALS, GROUPS, WORST, Difference, Judged, Range, Solution
from .situations import hand_code, representatives, situations

NUM_HANDS = 134_459
"""Hands up to an exchange of suits."""

_ACE_KING = 0b11 << 11
"""The bits of the ranks of an ace and a king."""

Progress = Callable[[int], None]


@jit
def _categories(cards: np.ndarray, kinds: np.ndarray, codes: np.ndarray) -> None:
    """Write category and code of the five cards of each row of `cards`, int8[N, 6]."""
    for n in range(cards.shape[0]):
        hand = EMPTY
        for i in range(HAND):
            hand = add(hand, int(cards[n, i]))
        kinds[n] = category(strength(hand))
        codes[n] = hand_code(cards[n, :HAND])


@jit
def _look(state: State, cards: np.ndarray, observations: np.ndarray) -> None:
    """Write what seat 0 sees with each row of `cards`, int8[N, 6], in its hand and open."""
    for n in range(cards.shape[0]):
        for i in range(HAND):
            state.deck[seat_card(0, i)] = cards[n, i]
        state.deck[UP] = cards[n, HAND]
        observe(state, 0, observations[n])


class Seat:
    """An agent asked in every situation, by what the game shows it."""

    def __init__(self, game: Game, agent: Agent) -> None:
        """Seat `agent`; it is asked after the least ante without a bonus bet."""
        self._game, self._agent = game, agent
        self._states = game.blank(1)
        deal(self._states[0])
        if not game.settings()["fixed_ante"]:
            step(self._states[0], FIRST_BET)
        self._mask = np.zeros(len(game.actions), np.bool_)
        legal(self._states[0], self._mask)

    def calls(self, cards: np.ndarray) -> np.ndarray:
        """How likely it is to call, float64[N], with each row of `cards`, int8[N, 6]."""
        observations = np.empty((len(cards), self._game.observation_size), np.int8)
        _look(self._states[0], cards, observations)
        masks, players = np.tile(self._mask, (len(cards), 1)), np.zeros(len(cards), np.int64)
        shares = self._agent.probabilities(observations, masks, players)
        if shares is None:
            raise ValueError(f"the agent {self._agent.name} does not tell its probabilities")
        chosen = np.asarray(shares, np.float64)[:, [FOLD, CALL]]
        found: np.ndarray = chosen[:, 1] / chosen.sum(axis=1)  # float32 leaves an error
        return found


def solve(game: Game, agents: Sequence[Agent] = (), progress: Progress | None = None) -> Solution:
    """Work out the best play of `game`, and judge `agents`, a round of one seat.

    Agents that mix are judged by their probabilities, so there is no noise.

    Args:
        game: Caribbean Poker of one seat, with any odds.
        agents: who is judged, each able to play `game`.
        progress: called with the number of hands done; there are 134,459.

    Raises:
        ValueError: if it is another game, or has several seats, or a bankroll that does not cover
            the call, or an agent does not tell its probabilities, or nothing is compiled.
    """
    if game.name != "caribbean_poker" or game.players != 1:
        raise ValueError(f"solved is caribbean_poker with one seat, not {game.described()}")
    _check_covered(game)
    if not COMPILED:
        raise ValueError("NUMBA_DISABLE_JIT is set: in plain Python counting would take days")
    return _Walk(game, agents).run(progress)


def _check_covered(game: Game) -> None:
    """ValueError if not even the least ante can be called: nobody could play as is best."""
    settings = game.settings()
    least = (1 + CALL_STAKE) * (settings["fixed_ante"] or settings["ante_levels"][0])
    if settings["bankroll"] is not None and settings["bankroll"] < least:
        raise ValueError(
            f"solved is a round whose bets are covered: option bankroll should be none, or from "
            f"{least} on, not {settings['bankroll']}"
        )


class _Walk:
    """What is gathered on the way through all situations."""

    def __init__(self, game: Game, agents: Sequence[Agent]) -> None:
        odds = tuple(game.settings()["call_paytable"][::-1])
        self.game, self.odds = game, np.array(odds, np.int64)
        self.seats = [Seat(game, agent) for agent in agents]
        self.optimal = Judged("best play", Range(odds))
        self.judged = [Judged(agent.name, Range(odds)) for agent in agents]
        self.ace_king = np.zeros_like(self.optimal.ace_king)
        self.unqualified = 0
        self.categories = np.zeros(KINDS, np.int64)
        self.called = np.zeros(KINDS, np.int64)  # deals of the best play, for the usual choice
        self.codes: list[np.ndarray] = []
        self.kinds: list[np.ndarray] = []
        self.calls: list[np.ndarray] = []

    def run(self, progress: Progress | None) -> Solution:
        with first_use(self.game.name, "the solver"):
            hands, tables = make_tables()
        hands, orbits = representatives(hands)
        for count, cards, weights in situations(hands, orbits):
            counts = np.empty((len(cards), 4), np.int32)
            count_completions(cards, tables, counts)
            self.add(cards, weights.astype(np.int64), counts.astype(np.int64))
            if progress:
                progress(count)
        return Solution(
            self.game,
            self.optimal,
            self.judged,
            self.ace_king,
            1 - Fraction(self.unqualified, DEALS),
            self._strategy(),
        )

    def add(self, cards: np.ndarray, weights: np.ndarray, counts: np.ndarray) -> None:
        """Some situations: int8[N, 6], int64[N], and int64[N, 4] as `count_completions` writes."""
        kinds, codes = np.empty(len(cards), np.int64), np.empty(len(cards), np.int64)
        _categories(cards, kinds, codes)
        self.unqualified += int(counts[:, 0] @ weights)
        self.categories += np.bincount(kinds, weights, KINDS).astype(np.int64)
        earned = counts @ [1, 1, 0, -3] + 2 * counts[:, 1] * self.odds[kinds]
        gain = (earned + COMPLETIONS) * weights  # of calling over folding, in deals times antes
        best = gain > 0
        self.called += np.bincount(kinds, weights * best, KINDS).astype(np.int64)
        self._keep(codes, kinds, cards[:, HAND], best)
        groups = _groups(kinds, codes)
        where = _cells(groups, codes, cards[:, HAND])
        _add_cells(self.ace_king, where, weights)
        for judged, seat in zip((self.optimal, *self.judged), (None, *self.seats), strict=True):
            calls = seat.calls(cards) if seat else best
            _count(judged.range, kinds, weights, counts, calls)
            _add_cells(judged.ace_king, where, weights * calls)
            if seat:
                _differ(judged.difference, groups, cards, weights, gain, calls)

    def _keep(
        self, codes: np.ndarray, kinds: np.ndarray, ups: np.ndarray, best: np.ndarray
    ) -> None:
        """Note the best choices by hand and open card; a hand's situations stand together."""
        first = np.flatnonzero(np.diff(codes, prepend=-1))
        calls = np.zeros((len(first), CARDS), np.int8)
        rows = np.repeat(np.arange(len(first)), np.diff(first, append=len(codes)))
        calls[rows, ups] = np.where(best, 1, -1)
        self.codes.append(codes[first])
        self.kinds.append(kinds[first])
        self.calls.append(calls)

    def _strategy(self) -> Strategy:
        """The best play in short: a usual choice for each category, and the hands that differ."""
        codes, kinds, calls = map(np.concatenate, (self.codes, self.kinds, self.calls))
        usual = 2 * self.called > self.categories
        differs = (calls == np.where(usual[kinds], -1, 1)[:, None]).any(axis=1)
        order = np.argsort(codes[differs])
        return Strategy(
            self.odds[::-1].copy(),
            usual,
            codes[differs][order],
            calls[differs][order] > 0,
            float(self.optimal.range.value),
            self.categories // (CARDS - HAND),
        )


def _count(
    found: Range, kinds: np.ndarray, weights: np.ndarray, counts: np.ndarray, calls: np.ndarray
) -> None:
    """Add situations to `found`, in which a share of `calls`, float[N], calls."""
    found.add(FOLDED, kinds, weights * COMPLETIONS * (1.0 - calls))
    for end, column in ((UNQUALIFIED, 0), (WON, 1), (TIED, 2), (LOST, 3)):
        found.add(end, kinds, counts[:, column] * weights * calls)


def _ranks(codes: np.ndarray) -> np.ndarray:
    """The set of ranks of each hand, 13 bits, from its code."""
    ranks: np.ndarray = (codes | codes >> 13 | codes >> 26 | codes >> 39) & (1 << len(RANKS)) - 1
    return ranks


def _groups(kinds: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The place in `GROUPS` of each hand, int64[N]."""
    ace_king = _ranks(codes) & _ACE_KING == _ACE_KING
    groups: np.ndarray = np.where(kinds >= PAIR, 2, ace_king.astype(np.int64))
    return groups


def _cells(groups: np.ndarray, codes: np.ndarray, ups: np.ndarray) -> np.ndarray:
    """The cell of `Judged.ace_king` that each situation belongs to, int64[N]; -1 for none."""
    cells = (_ranks(codes) & ~_ACE_KING) * len(RANKS) + (ups.astype(np.int64) >> 2)
    found: np.ndarray = np.where(groups == 1, cells, -1)
    return found


def _add_cells(square: np.ndarray, cells: np.ndarray, deals: np.ndarray) -> None:
    """Add `deals`, float[N], to the cells that they belong to."""
    square += np.bincount(cells + 1, deals, square.size + 1)[1:].reshape(square.shape)


def _differ(
    found: Difference,
    groups: np.ndarray,
    cards: np.ndarray,
    weights: np.ndarray,
    gain: np.ndarray,
    calls: np.ndarray,
) -> None:
    """Add to `found` where a share of `calls`, float[N], is not what the sign of `gain` asks."""
    best = gain > 0
    over, under = calls * ~best, (1 - calls) * best
    size = len(GROUPS)
    found.calls += np.bincount(groups, -gain * over, size) / DEALS
    found.folds += np.bincount(groups, gain * under, size) / DEALS
    found.wrong += np.bincount(groups, weights * (over + under), size) / (DEALS // COMPLETIONS)
    regret = np.abs(gain) * (over + under) / (weights * COMPLETIONS)
    for n in np.argsort(-regret)[:WORST].tolist():
        if regret[n] > 0:
            hand, up = cards_text(cards[n, HAND - 1 :: -1].tolist()), cards_text([cards[n, HAND]])
            found.worst.append((float(regret[n]), hand, up, "call" if best[n] else "fold"))
    found.worst = sorted(found.worst, reverse=True)[:WORST]
