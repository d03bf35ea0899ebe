"""Matches: the same deals for all, with seats rotated.

Each deal is played once for each rotation of the agents around the table, so luck of the cards and
of the seats falls out of the comparison. Games are played thousands at a time; agents get
observations, masks and seats, never a state.

A match is cut into blocks of a fixed size, each with its own deals and its own seeds for the
agents. So its result depends on its arguments alone, not on the machine or on who plays the blocks.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..agents.base import Agent
from ..envs.engine.batch import DEAL, LEAVE, Arrays, advance, legal_choice, new_arrays, seed_streams
from ..envs.engine.checks import checked_count, checked_seed, checked_viewer
from ..envs.engine.game import Game
from ..envs.engine.jit import first_use
from ..envs.engine.record import Move, Record
from ..envs.engine.recorder import odds_of
from ..envs.engine.rng import seed_range
from .executors import Way, opened
from .figures import counted
from .seating import Lineup, seat_agents, seed_agents

BLOCK = 4096
"""Games that are played at once; another number would give other random play."""


class Block(NamedTuple):
    """D deals of a match, played R times each."""

    game: Game
    lineup: Lineup
    seed: int
    """Of the match."""
    first: int
    """Number of the first deal."""
    deals: int
    keep: bool
    """Whether moves are kept, for records."""
    think: bool = False
    """Whether what moves were drawn from is kept too."""


class Thought(NamedTuple):
    """What an agent tells of one of its moves."""

    odds: dict[str, float] | None
    """What the action was drawn from, by text."""
    value: float | None
    """What the agent expected still to earn."""


class Played(NamedTuple):
    """What came of D deals, played R times each at P seats."""

    returns: np.ndarray
    """float64[D, R, P]."""
    moves: np.ndarray
    """int64[D, R]: how many moves the game took."""
    statistics: dict[str, np.ndarray]
    """float64[D, R] each: `Rules.statistics` by name."""
    counts: dict[str, tuple[np.ndarray, np.ndarray]]
    """Figures of seats by name: hits and trials, float64[D, R, P] each."""
    last: np.ndarray
    """The last states, records[D, R]."""
    actions: np.ndarray
    """int16[D, R, moves]: what was played, -1 after the end; without moves if not kept."""
    thoughts: np.ndarray
    """object[D, R]: a list of `Thought` a game, one a move; None if not kept."""


class Match(NamedTuple):
    """A match that was played."""

    game: Game
    seed: int
    lineup: Lineup
    played: Played

    @property
    def names(self) -> tuple[str, ...]:
        """The agents, each once."""
        return tuple(who.name for who in self.lineup.who)

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.played.returns)

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.deals * self.lineup.rotations

    def places(self, name: str, seat: int | None = None) -> np.ndarray:
        """In which rotations and seats agent `name` sat, bool[R, P]; only `seat`, if given.

        Raises:
            TypeError, ValueError: if no such agent played, or there is no such seat.
        """
        seat = checked_viewer("seat", seat, self.game.players)
        if name not in self.names:
            raise ValueError(f"{name!r} did not play; {', '.join(self.names)} did")
        places: np.ndarray = self.lineup.seats == self.names.index(name)
        if seat is not None:
            places = places & (np.arange(self.game.players) == seat)
        return places

    def earned(self, name: str, seat: int | None = None) -> np.ndarray:
        """Mean return of agent `name` on each deal, float64[D]; only at `seat`, if given."""
        mean: np.ndarray = self.played.returns[:, self.places(name, seat)].mean(axis=1)
        return mean

    def records(self) -> Iterator[Record]:
        """Each game on paper, deal by deal.

        Raises:
            ValueError: if the match was played without `keep`.
        """
        if not self.played.actions.size:
            raise ValueError("the match was played without keeping its moves")
        moves = [Move(action=a, text=text) for a, text in enumerate(self.game.actions)]
        for deal in range(self.deals):
            seed = (self.seed + deal) % 2**64
            for turn, seats in enumerate(self.lineup.seats):
                agents = [self.lineup.who[k] for k in seats]
                count = self.played.moves[deal, turn]
                actions = self.played.actions[deal, turn, :count].tolist()
                last = self.played.last[deal, turn]
                made = [moves[a] for a in actions]
                if thoughts := self.played.thoughts[deal, turn]:
                    made = [
                        Move(action=m.action, text=m.text, probabilities=t.odds, value=t.value)
                        for m, t in zip(made, thoughts, strict=True)
                    ]
                yield Record.of(self.game, seed, agents, made, last)


def play_match(
    game: Game,
    agents: Sequence[str | Agent],
    games: int = 1000,
    seed: int = 0,
    *,
    keep: bool = False,
    think: bool = False,
    executor: Executor | Way | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Match:
    """Let agents play each other.

    Deal d is the one that the PettingZoo shell plays after `reset(seed + d)`. The agents' own seeds
    are drawn from `seed` too, but tell nothing of the cards.

    Args:
        game: the game to play.
        agents: names, files or agents, by seat; the last one takes all seats that are left.
        games: how many to play; rounded up to whole deals, each played in all rotations that
            differ.
        seed: of deals and agents.
        keep: keep the moves, for `Match.records`.
        think: keep with the moves what they were drawn from and what their players expected, as
            far as agents tell it: some hundred bytes a move.
        executor: who plays the blocks: "local" (or None) for this thread, "process", "ray", or an
            executor of one's own; `executors.opened` tells more. The result is the same. Agents
            hold a random generator, so threads must not share them.
        progress: called with numbers of games that have ended, as they do.

    Raises:
        ValueError: if an argument makes no sense, there is no such agent, or an agent fails or
            plays what is not legal; the sentence names it.
        ImportError, OSError: as `executors.opened`.
    """
    whole = planned(game, agents, games, seed, keep=keep, think=think)
    (match,) = play_matches([whole], executor, progress)
    return match


def planned(
    game: Game,
    agents: Sequence[str | Agent],
    games: int,
    seed: int,
    *,
    keep: bool = False,
    think: bool = False,
    loaded: dict[str, Agent] | None = None,
) -> Block:
    """A match that is to be played; see `play_match`.

    Agents that `loaded` has by name are not loaded again; those that are loaded are added to it.
    """
    lineup = seat_agents(game, agents, loaded)
    deals = -(-checked_count("games", games) // lineup.rotations)
    return Block(game, lineup, checked_seed(seed), 0, deals, keep, keep and think)


def play_matches(
    matches: Sequence[Block],
    executor: Executor | Way | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Iterator[Match]:
    """Play matches that `planned` has made, in their order; `play_match` tells of the rest.

    Their blocks are given out one after another, so that workers who are free begin with the next
    match while others still play the last one.
    """
    parts = [(k, *part) for k, match in enumerate(matches) for part in _parts(match)]
    with opened(executor) as chosen:
        results: Iterator[Played]
        if chosen is None:
            results = (play_part(matches, part, progress) for part in parts)
        else:
            results = _told(chosen.map(partial(play_part, matches), parts), progress)
        for match in matches:
            played = _joined(list(islice(results, len(_parts(match)))))
            yield Match(match.game, match.seed, match.lineup, played)


def _told(results: Iterator[Played], progress: Callable[[int], Any] | None) -> Iterator[Played]:
    for result in results:
        if progress:
            progress(result.moves.size)
        yield result


def _parts(match: Block) -> list[tuple[int, int]]:
    """A match in blocks of a fixed size: of each the first deal, and how many there are."""
    size = max(1, BLOCK // match.lineup.rotations)
    return [(first, min(size, match.deals - first)) for first in range(0, match.deals, size)]


def play_part(
    matches: Sequence[Block],
    part: tuple[int, int, int],
    progress: Callable[[int], Any] | None = None,
) -> Played:
    """Play a block: `part` tells the number of the match, the first deal, and how many."""
    number, first, deals = part
    return play_block(matches[number]._replace(first=first, deals=deals), progress)


def play_block(block: Block, progress: Callable[[int], Any] | None = None) -> Played:
    """Play all games of `block`; `progress` is called with the number of games that have ended.

    Raises:
        ValueError: if an agent plays what is not legal.
    """
    game, lineup = block.game, block.lineup
    seed_agents(lineup, block.seed, block.first)
    dealt = game.blank(block.deals)
    seed_streams(dealt, seed_range(block.seed + block.first, block.deals))
    states = np.repeat(dealt, lineup.rotations)
    seats = np.tile(lineup.seats, (block.deals, 1))
    thoughts = np.full(len(states), None, object)
    if block.think:
        thoughts[:] = [[] for _ in states]
    total, lengths, history = _play(block, states, seats, thoughts, progress)
    shape = (block.deals, lineup.rotations)
    figures = [game.rules.statistics(game, state) for state in states]
    counts = counted(game, states)
    return Played(
        returns=total.reshape(*shape, game.players),
        moves=lengths.reshape(shape),
        statistics={
            name: np.array([f[name] for f in figures]).reshape(shape) for name in figures[0]
        },
        counts={
            name: (hits.reshape(*shape, -1), of.reshape(*shape, -1))
            for name, (hits, of) in counts.items()
        },
        last=states.reshape(shape),
        actions=history.reshape(*shape, history.shape[1]),
        thoughts=thoughts.reshape(shape),
    )


def _play(
    block: Block,
    states: np.ndarray,
    seats: np.ndarray,
    thoughts: np.ndarray,
    progress: Callable[[int], Any] | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Deal and play `states` to the end: returns [B, P], moves [B], actions [B, moves] if kept.

    The lists in `thoughts`, object[B], are added to, if they are kept.
    """
    game, lineup, count = block.game, block.lineup, len(states)
    out = new_arrays(game, count)
    total = np.zeros((count, game.players))
    lengths = np.zeros(count, np.int64)
    history = []
    actions = np.full(count, DEAL, np.int64)
    with first_use(game.name, "the rules"):
        advance(states, actions, out, False, 0)
    while (out.players >= 0).any():
        actions[:] = LEAVE
        movers = np.where(out.players >= 0, seats[np.arange(count), out.players], -1)
        for k, agent in enumerate(lineup.agents):
            rows = np.flatnonzero(movers == k)
            if rows.size:
                name = lineup.who[k].name
                if block.think:
                    _think(game, agent, name, out, rows, thoughts)
                actions[rows] = _ask(agent, name, out, rows)
        advance(states, actions, out, False, 0)
        total += out.rewards
        lengths += actions != LEAVE
        if block.keep:
            history.append(actions.astype(np.int16))
        if progress and out.done.any():
            progress(int(out.done.sum()))
    return total, lengths, np.array(history, np.int16).reshape(len(history), count).T


def _ask(agent: Agent, name: str, out: Arrays, rows: np.ndarray) -> np.ndarray:
    """The agent's actions in the games `rows`, checked; it gets copies of all that it sees."""
    masks, players = out.masks[rows], out.players[rows].astype(np.int64)
    with _blamed(name):
        chosen = agent.act(out.observations[rows], masks.copy(), players.copy())
    return legal_choice(chosen, masks, players, f"agent {name!r}")


@contextmanager
def _blamed(name: str) -> Iterator[None]:
    """Errors of an agent's own code become one sentence, wherever it runs."""
    try:
        yield
    except Exception as error:
        told = " ".join(str(error).split())
        raise ValueError(f"agent {name!r} failed: {type(error).__name__}: {told}") from error


def _think(
    game: Game, agent: Agent, name: str, out: Arrays, rows: np.ndarray, thoughts: np.ndarray
) -> None:
    """Add to `thoughts`, object[B], what the agent tells of its next moves in the games `rows`."""
    masks, players = out.masks[rows], out.players[rows].astype(np.int64)
    with _blamed(name):
        shares = agent.probabilities(out.observations[rows], masks.copy(), players)
        values = agent.value(out.observations[rows])
    for k, row in enumerate(rows):
        odds = None if shares is None else odds_of(game, shares[k], masks[k])
        thoughts[row].append(Thought(odds, None if values is None else float(values[k])))


def _joined(parts: list[Played]) -> Played:
    """The blocks of a match in one."""
    longest = max(part.actions.shape[-1] for part in parts)
    return Played(
        returns=np.concatenate([part.returns for part in parts]),
        moves=np.concatenate([part.moves for part in parts]),
        statistics={
            name: np.concatenate([part.statistics[name] for part in parts])
            for name in parts[0].statistics
        },
        counts={
            name: (
                np.concatenate([part.counts[name][0] for part in parts]),
                np.concatenate([part.counts[name][1] for part in parts]),
            )
            for name in parts[0].counts
        },
        # What other processes send has types of its own: equal ones, but NumPy forgets the names.
        last=np.concatenate([part.last for part in parts]).view(parts[0].last.dtype),
        actions=np.concatenate([_padded(part.actions, longest) for part in parts]),
        thoughts=np.concatenate([part.thoughts for part in parts]),
    )


def _padded(actions: np.ndarray, longest: int) -> np.ndarray:
    missing = longest - actions.shape[-1]
    return np.pad(actions, [(0, 0), (0, 0), (0, missing)], constant_values=LEAVE)
