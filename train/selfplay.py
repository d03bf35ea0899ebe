"""Self-play: thousands of games at once, the learner in some seats, others in the rest.

In each game one seat, drawn, is the learner's; each other seat is given to the learner itself, to
one of its former selves or to another agent, by shares. The table is drawn anew when a game is
dealt anew. Only the learner's decisions are learned from.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from backroom.agents import load
from backroom.agents.neural import NeuralAgent, Policy, cells
from backroom.envs import Batch, Game

LEARNER = 0
"""In a table: the seat is the learner's. 1, 2, ... are the agents, then the former selves."""

Decide = Callable[[np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""The learner: inputs int8[N, I], masks bool[N, A], seats int64[N] -> actions, log probabilities,
values [N]."""


class Opponent(Protocol):
    """An agent."""

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """Choose an action in each game."""

    def seed(self, seed: int) -> None:
        """Begin the random generator anew."""


class Decisions(NamedTuple):
    """N decisions of the learner whose outcome is known, to learn from."""

    inputs: np.ndarray
    """int8[N, I], the cells of the observation that the network reads."""
    masks: np.ndarray
    """bool[N, A]"""
    actions: np.ndarray
    """int64[N]"""
    logs: np.ndarray
    """float32[N], logarithm of the probability that the action had."""
    advantages: np.ndarray
    """float32[N]"""
    targets: np.ndarray
    """float32[N], what the value should have been."""
    players: np.ndarray
    """int64[N], the seats that decided."""


class Moves(NamedTuple):
    """T moves in each of B games, at P seats, and what came of them."""

    players: np.ndarray
    """int64[T, B], who moved."""
    decided: np.ndarray
    """bool[T, B], whether this was a decision to give credit to."""
    rewards: np.ndarray
    """float32[T, B, P], what each seat earned by that move."""
    done: np.ndarray
    """bool[T, B], whether the game ended with that move."""
    values: np.ndarray
    """float32[T, B], what the mover was expected to earn from there on."""

    @classmethod
    def blank(cls, count: int, games: int, seats: int) -> "Moves":
        """Room for `count` moves."""
        shape = count, games
        return cls(
            np.zeros(shape, np.int64),
            np.zeros(shape, np.bool_),
            np.zeros((*shape, seats), np.float32),
            np.zeros(shape, np.bool_),
            np.zeros(shape, np.float32),
        )


def credit(moves: Moves, discount: float, trace: float) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantage estimation (Schulman et al. 2016), seat by seat.

    A seat's decision is credited with all that the seat earns until it decides again or the game
    ends, on whosever move; the seat's next decision is what follows it, not the next row. Between
    two decisions of a seat lie the `discount` (gamma) and the `trace` (lambda).

    Returns:
        Advantages float32[T, B], and bool[T, B], which decisions have one: those whose seat decides
        again, or whose game ends, in these rows. The others have advantage 0; their outcome is
        still open.
    """
    players, decided, rewards, done, values = moves
    steps, games, seats = rewards.shape
    rows = np.arange(games)
    earned, value, ahead = (np.zeros((games, seats)) for _ in range(3))
    known = np.zeros((games, seats), np.bool_)  # whether what follows is in these rows
    advantages, closed = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    for t in reversed(range(steps)):
        earned[done[t]] = value[done[t]] = ahead[done[t]] = 0
        known[done[t]] = True
        earned += rewards[t]
        i = rows[decided[t]]
        p = players[t, i]
        error = earned[i, p] + discount * value[i, p] - values[t, i]
        closed[t, i] = known[i, p]
        advantages[t, i] = (error + discount * trace * ahead[i, p]) * known[i, p]
        earned[i, p] = 0
        value[i, p] = values[t, i]
        ahead[i, p] = advantages[t, i]
        known[i, p] = True
    return advantages, closed


class SelfPlay:
    """B games, played on for some moves at a time.

    A decision whose outcome is open at the end of such a stretch is carried over: the first P rows
    of each buffer hold, for each seat, the learner's last decision before this stretch, if open,
    and what the seat has earned since. So each decision is learned from, once. Left out, those
    that take longest to resolve would be missing most often, and training would lean to the others.

    Attributes:
        batch: the games.
        tables: int64[B, P], who sits where.
        finished: games that ended since `collect` began.
        returns: sum of what the learner's seats earned in those, and
        seats: the number of those seats.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        moves: int,
        parts: tuple[str, ...] = (),
        opponents: Mapping[str, float] | None = None,
        past_size: int = 8,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        """Deal the games.

        Args:
            game: the game to play.
            games: B, how many at once.
            moves: in each game, for `collect`.
            parts: of the observation, that the learner reads; none for all.
            opponents: shares, by "self", "past" or an agent's name or file; None for self-play.
            past_size: how many former selves are kept.
            threads: of the games.
            seed: of the deals.

        Raises:
            ValueError: if an argument is out of range or there is no such agent.
        """
        self.game, self.moves = game, moves
        own = cells(game, parts or tuple(part.name for part in game.facts.parts))
        self._cells = slice(None) if len(own) == game.observation_size else own
        self.batch = Batch(game, games, threads, seed)
        self._invite(dict(opponents or {"self": 1.0}), past_size)
        self._make_room(games, len(own))
        self.finished = self.seats = 0
        self.returns = 0.0

    def _invite(self, shares: dict[str, float], past_size: int) -> None:
        """Load those who sit with the learner, by their `shares`."""
        if sum(shares.values()) <= 0:
            raise ValueError("opponents need a share above 0")
        self.agents: list[Opponent] = [
            load(name, self.game) for name in shares if name not in ("self", "past")
        ]
        self._past_share = shares.pop("past", 0.0)
        self._shares = np.array([shares.pop("self", 0.0), *shares.values()])
        self.past: list[Policy] = []
        self.past_count, self.past_size = 0, past_size
        self._past_players: list[Opponent] = []

    def _make_room(self, games: int, inputs: int) -> None:
        """Rows for the open decisions of each seat and for the moves of a stretch."""
        game, seats = self.game, self.game.players
        rows = seats + self.moves
        self.tables = np.full((games, seats), LEARNER)
        self._tables_drawn = False
        self._rows = Moves.blank(rows, games, seats)
        self._rows.players[:seats] = np.arange(seats)[:, None]
        self._inputs = np.zeros((rows, games, inputs), np.int8)
        self._masks = np.zeros((rows, games, len(game.actions)), np.bool_)
        self._actions = np.zeros((rows, games), np.int64)
        self._logs = np.zeros((rows, games), np.float32)
        self._last = np.full((seats, games), -1)
        self._earned = np.zeros((games, seats))

    def remember(self, policy: Policy) -> None:
        """Keep a former self; the oldest goes when there are too many."""
        self._place(self.past_count % self.past_size, policy)
        self.past_count += 1

    def meet(self, former: Sequence[Opponent]) -> None:
        """From now on these are the former selves; each keeps its place from call to call."""
        self._past_players = list(former)

    def _place(self, slot: int, policy: Policy) -> None:
        self.past[slot : slot + 1] = [policy]
        self._past_players[slot : slot + 1] = [NeuralAgent(self.game, policy)]

    def collect(
        self, decide: Decide, chance: np.random.Generator, discount: float, trace: float
    ) -> Decisions:
        """Play `moves` moves in each game, and give credit for the decisions that are now closed.

        All that is drawn, by the other agents too, comes from `chance`.
        """
        for agent in (*self.agents, *self._past_players):
            agent.seed(int(chance.integers(2**63)))
        if not self._tables_drawn:
            self._draw_tables(np.ones(len(self.batch), np.bool_), chance)
            self._tables_drawn = True
        self.finished = self.seats = 0
        self.returns = 0.0
        seats = self.game.players
        self._last[:] = np.where(self._rows.decided[:seats], np.arange(seats)[:, None], -1)
        for row in range(seats, seats + self.moves):
            self._move(row, decide)
            self._settle(row, chance)
        advantages, closed = credit(self._rows, discount, trace)
        chosen = np.nonzero(closed)
        advantage = advantages[chosen]
        decisions = Decisions(
            self._inputs[chosen],
            self._masks[chosen],
            self._actions[chosen],
            self._logs[chosen],
            advantage,
            advantage + self._rows.values[chosen],
            self._rows.players[chosen],
        )
        self._carry()
        return decisions

    def _move(self, row: int, decide: Decide) -> None:
        """Ask everybody, write the learner's decisions down, and play a move in each game."""
        batch = self.batch
        everyone = np.arange(len(batch))
        players = batch.players.astype(np.int64)
        sitting = self.tables[everyone, players]
        mine = np.flatnonzero(sitting == LEARNER)
        actions = self._actions[row]
        self._rows.players[row] = players
        self._rows.decided[row] = sitting == LEARNER
        if mine.size:
            whole = mine.size == len(batch)
            inputs = (
                batch.observations[:, self._cells]
                if whole
                else (batch.observations[mine][:, self._cells])
            )
            masks = batch.masks if whole else batch.masks[mine]
            decided = decide(inputs, masks, players[mine])
            actions[mine], self._logs[row, mine], self._rows.values[row, mine] = decided
            self._inputs[row, mine] = inputs
            self._masks[row, mine] = masks
            self._last[players[mine], mine] = row
        for number, agent in enumerate((*self.agents, *self._past_players), LEARNER + 1):
            own = np.flatnonzero(sitting == number)
            if own.size:
                actions[own] = agent.act(batch.observations[own], batch.masks[own], players[own])
        batch.step(actions)

    def _settle(self, row: int, chance: np.random.Generator) -> None:
        """Write down what the move has brought; new tables where games have ended."""
        done = self.batch.done
        self._rows.rewards[row] = self.batch.rewards
        self._rows.done[row] = done
        self._earned += self.batch.rewards
        if done.any():
            own = self.tables[done] == LEARNER
            self.finished += int(done.sum())
            self.seats += int(own.sum())
            self.returns += float(self._earned[done][own].sum())
            self._earned[done] = 0
            self._last[:, done] = -1
            self._draw_tables(done, chance)

    def _draw_tables(self, which: np.ndarray, chance: np.random.Generator) -> None:
        """Draw who sits where in the games where `which`, bool[B]."""
        games, seats = int(which.sum()), self.game.players
        past = len(self._past_players)
        shares = np.append(self._shares, np.full(past, self._past_share / past if past else 0))
        if not past:  # until there is a former self, the learner sits there
            shares[LEARNER] += self._past_share
        if shares[LEARNER] == shares.sum():
            self.tables[which] = LEARNER
            return
        drawn = chance.choice(len(shares), size=(games, seats), p=shares / shares.sum())
        drawn[np.arange(games), chance.integers(seats, size=games)] = LEARNER
        self.tables[which] = drawn

    def _carry(self) -> None:
        """Bring the decisions that are still open to the first rows."""
        seats = self.game.players
        open_, rows = self._last >= 0, np.maximum(self._last, 0)
        games = np.arange(len(self.batch))
        since = np.arange(len(self._rows.rewards))[:, None, None] >= np.where(
            open_, self._last, len(self._rows.rewards)
        )  # [rows, P, B]: rewards from the decision on
        earned = (self._rows.rewards.transpose(0, 2, 1) * since).sum(axis=0)
        for buffer in (self._inputs, self._masks, self._actions, self._logs, self._rows.values):
            buffer[:seats] = buffer[rows, games]
        self._rows.decided[:seats] = open_
        self._rows.rewards[:seats] = 0
        for p in range(seats):
            self._rows.rewards[p, :, p] = earned[p]

    def save(self) -> dict[str, np.ndarray]:
        """All that `restore` needs to play on, but for the former selves."""
        seats = self.game.players
        return {
            "states": self.batch.get_states().view(np.uint8).reshape(len(self.batch), -1),
            "tables": self.tables,
            "tables_drawn": np.array(self._tables_drawn),
            "earned": self._earned,
            "past_count": np.array(self.past_count),
            **{name: buffer[:seats] for name, buffer in self._carried().items()},
        }

    def restore(self, saved: Mapping[str, np.ndarray], past: list[Policy]) -> None:
        """Play on from what `save` returned, with these former selves.

        Raises:
            ValueError: if it was saved by another game or with other settings.
        """
        states: Any = np.ascontiguousarray(saved["states"]).view(self.batch.states.dtype)
        self.batch.set_states(states.reshape(-1))
        self.tables[:] = saved["tables"]
        self._tables_drawn = bool(saved["tables_drawn"])
        self._earned[:] = saved["earned"]
        for name, buffer in self._carried().items():
            buffer[: self.game.players] = saved[name]
        for slot, policy in enumerate(past):
            self._place(slot, policy)
        self.past_count = int(saved["past_count"])

    def _carried(self) -> dict[str, np.ndarray]:
        return {
            "inputs": self._inputs,
            "masks": self._masks,
            "actions": self._actions,
            "logs": self._logs,
            "values": self._rows.values,
            "rewards": self._rows.rewards,
            "decided": self._rows.decided,
        }
