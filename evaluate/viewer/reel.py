"""A game being watched: the frames of all viewpoints, as far as it has been played.

A record is played again, a live game is played on as it is watched; whoever shows a reel need not
know which of the two it is.
"""

from collections.abc import Iterator, Sequence

from ...agents.base import Agent
from ...envs.engine.checks import checked_viewer
from ...envs.engine.game import Game, State
from ...envs.engine.names import short_names
from ...envs.engine.record import Move, Record, SeatRecord
from ...envs.engine.recorder import Recorder
from ...envs.engine.replay import earnings
from .frames import Frame, first_frame, kept_frame, next_frame


class Reel:
    """Frames by viewpoint, and more of them on demand.

    Attributes:
        game: the game that is played.
        agents: names, by seat.
        seen: the frames up to now by viewpoint: a seat, or None for the spectator.
        steps: how many moves have been made.
        over: whether there are no more.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[str],
        states: Iterator[State],
        moves: Iterator[Move],
        viewers: Sequence[int | None],
    ) -> None:
        """Begin with the first of `states`, which `moves` lead from one to the next.

        Raises:
            TypeError, ValueError: if there is no such seat among `viewers`.
        """
        self.game, self.agents = game, list(agents)
        self.steps, self.over = 0, False
        self._states, self._moves = states, moves
        viewers = [checked_viewer("seat", viewer, game.players) for viewer in viewers]
        self._state = next(states)
        self.seen: dict[int | None, list[Frame]] = {
            viewer: [first_frame(game, self._state, viewer)] for viewer in viewers
        }

    def advance(self) -> bool:
        """Go on by one move, or tell that there is none.

        Raises:
            RecordError: if a record's move is not legal.
            ValueError: if an agent's is not.
        """
        if self.over:
            return False
        move = next(self._moves, None)
        if move is None:
            self.over = True
            return False
        before, self._state = self._state, next(self._states)
        self.steps += 1
        for viewer, frames in self.seen.items():
            made = next_frame(self.game, self.steps, before, move, self._state, viewer)
            if made:
                frames.append(made)
        return True

    def finish(self) -> None:
        """Play to the end."""
        while self.advance():
            pass

    def frame(self, viewer: int | None, step: int) -> Frame:
        """What `viewer` had seen when `step` moves were made."""
        frames = self.seen[viewer]
        return next((frame for frame in reversed(frames) if frame.step <= step), frames[0])

    def earned(self) -> dict[int, float]:
        """What seats have earned up to now, of those that somebody here may know."""
        returns = earnings(self.game, self._state)
        return {
            seat: earned
            for seat, earned in enumerate(returns)
            if None in self.seen or seat in self.seen
        }

    def end(self) -> list[str]:
        """Who earned what, as lines."""
        short = short_names(self.agents)
        return [
            f"player_{seat} ({short[self.agents[seat]]}) earned {earned:g}"
            for seat, earned in self.earned().items()
        ]


class SeatReel(Reel):
    """What one seat saw, from a record that is cut down to it."""

    def __init__(self, record: SeatRecord) -> None:
        """All frames are there at once.

        Raises:
            RecordError: if there are no such rules here.
        """
        self.game, self.agents = record.configured(), list(record.agents)
        self.steps, self.over = len(record.views) - 1, True
        self.seen = {
            record.seat: [
                kept_frame(self.game, step, view, record.seat)
                for step, view in enumerate(record.views)
            ]
        }
        self._earned = {record.seat: record.earned}

    def earned(self) -> dict[int, float]:
        """What the seat earned."""
        return self._earned


def reel(record: Record | SeatRecord, seat: int | None = None, all_: bool = True) -> Reel:
    """A record to watch: from `seat` alone if one is given, else as a spectator and from all seats.

    Args:
        record: the game.
        seat: the only viewpoint.
        all_: without `seat`, whether the seats' viewpoints are wanted beside the spectator's.

    Raises:
        TypeError, ValueError: if there is no such seat; RecordError if the record is no game.
    """
    if isinstance(record, SeatRecord):
        if seat not in (None, record.seat):
            raise ValueError(f"the record holds only what seat {record.seat} saw")
        return SeatReel(record)
    game = record.configured()
    names = [who.name for who in record.agents]
    return Reel(game, names, record.states(), iter(record.moves), _viewers(game, seat, all_))


def live(
    table: Recorder,
    names: Sequence[str],
    players: Sequence[Agent],
    seat: int | None = None,
    all_: bool = True,
) -> Reel:
    """A game that `players`, one a seat, play at `table` while it is watched; else as `reel`."""

    def moves() -> Iterator[Move]:
        while not table.over:
            yield table.ask(players[table.player])

    def states() -> Iterator[State]:
        while True:
            yield table.state.copy()

    return Reel(table.game, names, states(), moves(), _viewers(table.game, seat, all_))


def _viewers(game: Game, seat: int | None, all_: bool) -> list[int | None]:
    if seat is not None or not all_:
        return [seat]
    return [None, *range(game.players)]
