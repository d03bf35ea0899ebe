"""A game on paper: how it began and what was played. States are played again, never stored.

A record is one line of JSON (files of them: `record_file.py`):

    {"schema":1,"suite":"0.1.0","game":"kuhn_v0","options":{},"seed":7,"deal":null,
     "agents":[{"name":"random"},{"name":"random"}],
     "moves":[{"action":1,"text":"bet"},{"action":0,"text":"pass"}],
     "returns":[1.0,-1.0],"hash":"..."}

The hash is that of the last state, so a record also tells whether these rules are still the ones
that it was written under.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import metadata
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from .checks import checked_seat, checked_viewer
from .game import Game, State, find
from .names import several
from .replay import begin, earnings, fingerprint, follow
from .scene import Scene, scene

SCHEMA = 1
"""Raised when the fields of a record change their meaning."""


class RecordError(ValueError):
    """A record that cannot be believed: torn, altered, or of other rules."""


class _Part(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What all parts of a record have in common."""


class Who(_Part, frozen=True, kw_only=True):
    """Who sat at a seat."""

    name: str
    """What tables call the agent."""
    weights: str | None = None
    """Hash of the agent's weights, if it has any."""


def is_distribution(shares: ArrayLike) -> bool:
    """Whether `shares` are probabilities that sum to 1, but for what is lost when they are rounded.

    >>> is_distribution([0.25, 0.75]), is_distribution([1.5, -0.5]), is_distribution([0.5])
    (True, False, False)
    """
    p = np.asarray(shares, np.float64)
    return bool(((p >= 0) & (p < 1.001)).all() and abs(p.sum() - 1) < 0.001)  # NaN is neither


class Move(_Part, frozen=True, kw_only=True):
    """What was played."""

    action: Annotated[int, Meta(ge=0, lt=2**31)]
    """Its number."""
    text: str
    """The same in words."""
    probabilities: dict[str, float] | None = None
    """What the player drew the action from, by text; actions that are not in it have none."""
    value: float | None = None
    """What the player expected still to earn."""


class View(_Part, frozen=True, kw_only=True):
    """The deal or a move, as a viewer saw it."""

    events: tuple[str, ...] = ()
    """What happened, a sentence each."""
    table: str
    """The table afterwards, as text."""
    scene: Scene
    """The same in pieces that can be drawn."""
    move: Move | None = None
    """The move, if it was the viewer's own; a spectator's are all."""


class Record(_Part, frozen=True, kw_only=True, omit_defaults=False):
    """One game."""

    schema: int = SCHEMA
    """The version of this list of fields."""
    suite: str
    """Version of the suite that wrote it."""
    game: str
    """Name and version of the rules."""
    options: dict[str, Any]
    """All options of the game."""
    seed: int
    """Where the game's chance begins."""
    deal: dict[str, str] | None = None
    """Cards put in place of the drawn ones, as `Rules.arrange` takes them."""
    agents: tuple[Who, ...]
    """By seat."""
    moves: tuple[Move, ...]
    """In their order."""
    returns: tuple[float, ...]
    """By seat; so far, if the game is not over."""
    hash: str
    """SHA-256 of the last state."""

    @classmethod
    def of(
        cls,
        game: Game,
        seed: int,
        agents: Sequence[Who],
        moves: Iterable[Move],
        last: State,
        deal: dict[str, str] | None = None,
    ) -> "Record":
        """The record of a game that `seed` and `deal` began in a blank state, up to state `last`.

        Raises:
            ValueError: if there is not one of `agents` a seat.
        """
        if len(agents) != game.players:
            raise ValueError(f"{game.name} has {several(game.players, 'seat')}, not {len(agents)}")
        return cls(
            suite=suite_version(),
            game=game.rules.id,
            options=game.settings(),
            seed=seed,
            deal=deal or None,
            agents=tuple(agents),
            moves=tuple(moves),
            returns=earnings(game, last),
            hash=fingerprint(last),
        )

    @classmethod
    def from_json(cls, line: str | bytes) -> "Record":
        """Read one line of a file.

        Raises:
            RecordError: if it is no whole record, or written in a way that is not known here.
        """
        record = parse(line)
        if isinstance(record, SeatRecord):
            raise RecordError(
                f"the record holds only what seat {record.seat} saw, so it cannot be played again"
            )
        return record

    def to_json(self) -> str:
        """One line of a file, without its end."""
        return msgspec.json.encode(self).decode()

    def configured(self) -> Game:
        """The game with the options that were played.

        Raises:
            RecordError: if there is no such game or option, or its rules have another version.
        """
        game = _configured(self.game, self.options)
        for what, found in (("agent", self.agents), ("return", self.returns)):
            if len(found) != game.players:
                raise RecordError(
                    f"the record names {several(len(found), what)} for "
                    f"{several(game.players, 'seat')}"
                )
        return game

    def states(self) -> Iterator[State]:
        """Play the game again: a copy of the state after the deal and after each move.

        Raises:
            RecordError: if it cannot be dealt, or a move is not legal.
        """
        states = self._dealt()
        yield states.copy()[0]
        for number in range(len(self.moves)):
            self._follow(states, number, number + 1)
            yield states.copy()[0]

    def last(self) -> State:
        """Play the game again up to its last state, which is quicker than `states`.

        Raises:
            RecordError: if it cannot be dealt, or a move is not legal.
        """
        states = self._dealt()
        self._follow(states, 0, len(self.moves))
        return states[0]

    def _dealt(self) -> np.ndarray:
        """The state after the deal, records[1]."""
        game = self.configured()
        try:
            return begin(game, self.seed, self.deal)
        except (ValueError, TypeError) as error:
            raise RecordError(f"the record cannot be dealt: {error}") from None

    def _follow(self, states: np.ndarray, first: int, end: int) -> None:
        """Play the moves from number `first` up to `end`, not included, in `states`, records[1]."""
        actions = [move.action for move in self.moves[first:end]]
        played = first + follow(self.configured(), states, actions)
        if played == end:
            return
        if states[0].player < 0:
            raise RecordError(f"move {played + 1} comes after the end of the game")
        raise RecordError(
            f"move {played + 1}: player_{states[0].player} may not play action "
            f"{self.moves[played].action}"
        )

    def verify(self) -> None:
        """Play the game again and compare all that the record tells.

        Raises:
            RecordError: at the first thing that is not so.
        """
        game = self.configured()
        for number, move in enumerate(self.moves, 1):
            if 0 <= move.action < len(game.actions) and move.text != game.actions[move.action]:
                raise RecordError(
                    f"move {number}: action {move.action} is {game.actions[move.action]!r}, "
                    f"not {move.text!r}"
                )
            shares = move.probabilities
            for text in shares or ():
                if text not in game.numbers:
                    raise RecordError(f"move {number}: there is no action {text!r} to draw")
            if shares is not None and not is_distribution(list(shares.values())):
                raise RecordError(
                    f"move {number}: the probabilities are no distribution: {list(shares.values())}"
                )
        last = self.last()
        if self.returns != earnings(game, last):
            raise RecordError(
                f"the game returned {list(earnings(game, last))}, not {list(self.returns)}"
            )
        if self.hash != fingerprint(last):
            raise RecordError("the game does not end in the state whose hash the record has")

    def views(self, viewer: int | None) -> Iterator[View]:
        """The deal and the moves as seat `viewer` saw them, or a spectator (None), who sees all.

        A move of others that the viewer has noticed nothing of is left out.

        Raises:
            TypeError, ValueError: if there is no such seat; RecordError as in `states`.
        """
        game = self.configured()
        viewer = checked_viewer("viewer", viewer, game.players)
        return views(game, self.states(), self.moves, viewer)

    def seen_by(self, seat: int) -> "SeatRecord":
        """What `seat` may know of the game, and nothing else: no seed, no deal, no hash.

        Raises:
            TypeError, ValueError: if there is no such seat; RecordError as in `states`.
        """
        seat = checked_seat("seat", seat, self.configured().players)
        return SeatRecord(
            suite=self.suite,
            game=self.game,
            options=self.options,
            seat=seat,
            agents=tuple(who.name for who in self.agents),
            views=tuple(self.views(seat)),
            earned=self.returns[seat],
        )


class SeatRecord(_Part, frozen=True, kw_only=True, omit_defaults=False):
    """A record cut down to what one seat may know. It cannot be played again."""

    schema: int = SCHEMA
    """As of a record."""
    suite: str
    """As of a record."""
    game: str
    """As of a record."""
    options: dict[str, Any]
    """As of a record."""
    seat: int
    """Whose eyes these are."""
    agents: tuple[str, ...]
    """Names, by seat."""
    views: tuple[View, ...]
    """The deal, and the moves that the seat has noticed."""
    earned: float
    """The seat's own return."""

    def configured(self) -> Game:
        """As `Record.configured`."""
        game = _configured(self.game, self.options)
        if len(self.agents) != game.players:
            raise RecordError(
                f"the record names {several(len(self.agents), 'agent')} for "
                f"{several(game.players, 'seat')}"
            )
        return game

    def to_json(self) -> str:
        """One line of a file, without its end."""
        return msgspec.json.encode(self).decode()


def _configured(played: str, options: dict[str, Any]) -> Game:
    """The game called `played`, name and version, with `options`; RecordError if there is none."""
    name, marked, version = played.rpartition("_v")
    if not marked or not name:
        raise RecordError(f"the record's game is a name and a version, NAME_vN, not {played!r}")
    try:
        rules = find(name)
        if played != rules.id:
            raise RecordError(
                f"the record is of {name} version {version}, these are the rules of {rules.id}"
            )
        return rules.configure(**options)
    except RecordError:
        raise
    except (ValueError, TypeError) as error:
        raise RecordError(f"the record's game cannot be played here: {error}") from None


class _Head(msgspec.Struct):
    """What is read first of any record."""

    schema: int
    seat: int | None = None


def views(
    game: Game, states: Iterable[State], moves: Iterable[Move], viewer: int | None
) -> Iterator[View]:
    """The `states` that `moves` lead from one to the next, as `viewer` saw them."""
    left = iter(states)
    before = next(left)
    yield first_view(game, before, viewer)
    for move, after in zip(moves, left, strict=True):
        if view := next_view(game, before, move, after, viewer):
            yield view
        before = after


def first_view(game: Game, state: State, viewer: int | None) -> View:
    """What `viewer` sees once the cards are dealt."""
    table = game.rules.table(game, state, viewer)
    return View(table=table, scene=scene(game, state, viewer))


def next_view(
    game: Game, before: State, move: Move, after: State, viewer: int | None
) -> View | None:
    """What `viewer` sees of `move`, None if that is nothing at all."""
    own = viewer is None or viewer == before.player
    events = tuple(game.rules.events(game, before, move.action, after, viewer))
    table = game.rules.table(game, after, viewer)
    if not own and not events and table == game.rules.table(game, before, viewer):
        return None
    return View(
        events=events, table=table, scene=scene(game, after, viewer), move=move if own else None
    )


def parse(line: str | bytes) -> Record | SeatRecord:
    """Read one line of a file.

    Raises:
        RecordError: if it is no whole record, or written in a way that is not known here.
    """
    try:
        head = msgspec.json.decode(line, type=_Head)
        if head.schema == SCHEMA and head.seat is None:
            return msgspec.json.decode(line, type=Record)
        if head.schema == SCHEMA:
            own = msgspec.json.decode(line, type=SeatRecord)
            checked_seat("seat", own.seat, len(own.agents))
            if not own.views:
                raise ValueError("it has no views")
            return own
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(f"this is no whole record: {error}") from None
    age = "a newer suite wrote it" if head.schema > SCHEMA else "no suite reads it any more"
    raise RecordError(
        f"the record is written in schema {head.schema}; this is schema {SCHEMA}: {age}"
    )


@cache
def suite_version() -> str:
    """The version of this suite."""
    return metadata.version("backroom")
