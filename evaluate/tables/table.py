"""A table with people and agents: who moves, what each viewer has seen, what they may play.

Nothing here knows of a network or a screen. People are told what their seat may know and nothing
else: frames come by the same door as records that are cut to a seat, choices and hints from what
the seat to move observes.

What may take long, such as an agent's thought, is given back as a function. It holds copies of all
that it needs, so another thread may run it while the table goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec
import numpy as np

from ...agents.base import Agent
from ...agents.registry import load, strongest
from ...envs.engine.checks import checked_seat, checked_seed
from ...envs.engine.game import Game
from ...envs.engine.record import Record, SeatRecord, Who
from ...envs.engine.recorder import Recorder, consult, odds_of
from ...envs.engine.replay import earnings
from ..seating import identify
from ..viewer.beliefs import Panel, panels
from ..viewer.frames import Frame, first_frame, next_frame
from .choices import Choices, choices

Viewer: TypeAlias = int | None
"""A seat, or None for the spectator, who sees all."""
Decision: TypeAlias = tuple[int, np.ndarray | None, float | None]
"""An agent's action, what it was drawn from, what it expects."""

PERSON = "person"
"""What records call whoever is no agent."""
LISTED = 8
"""So many legal actions are named to somebody who tried another one."""
LIKELIEST, LEAST = 6, 0.005
"""So many actions a hint names, if they have this share."""


class RefusedError(ValueError):
    """What somebody asked for cannot be; the text is a sentence for them."""


class Update(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a viewer has not seen yet, and may do now."""

    number: int
    """Of the game at this table, from 0."""
    step: int
    """Number of the viewer's last frame."""
    frames: tuple[Frame, ...] = ()
    choices: Choices | None = None
    """If it is the viewer's turn."""
    over: bool = False
    earned: float | None = None
    """The seat's own return, when the game is over."""


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent would do in somebody's place."""

    agent: str
    odds: tuple[tuple[str, float], ...]
    """Actions and their shares, the likeliest first."""
    value: float | None = None
    """What the agent would expect still to earn."""


class Table:
    """Games that the same people and agents play one after the other.

    Attributes:
        game: the game that is played.
        people: the seats of people.
        names: who sits where, by seat.
        number: of the game under way, from 0.
        finished: the records of those before.
    """

    def __init__(
        self,
        game: Game,
        agents: Mapping[int, Agent],
        who: Sequence[Who],
        seed: int = 0,
        hinter: Agent | None = None,
        spectated: bool = False,
    ) -> None:
        """Deal the first game.

        Args:
            game: the game.
            agents: by seat; people have the others.
            who: by seat.
            seed: of the first game; each later one takes the next.
            hinter: gives hints; None: there are none.
            spectated: whether a spectator's frames are kept.

        Raises:
            TypeError, ValueError: if the seats or the seed do not fit.
        """
        self.game = game
        self.people = tuple(seat for seat in range(game.players) if seat not in agents)
        self.names = tuple(one.name for one in who)
        self.number, self.finished = -1, list[Record]()
        self.hinter = hinter
        self._agents, self._who, self._seed = dict(agents), tuple(who), checked_seed(seed)
        self._viewers: tuple[Viewer, ...] = (*self.people, *([None] if spectated else []))
        self._deal()

    def _deal(self) -> None:
        self.number += 1
        self._recorder = Recorder(self.game, (self._seed + self.number) % 2**64, agents=self._who)
        state = self._recorder.state
        self._frames = {v: [first_frame(self.game, state, v, False)] for v in self._viewers}
        self._offer()

    def _offer(self) -> None:
        """Put together what a person may play, if one is to move."""
        self._choices: Choices | None = None
        if self.player in self.people:
            legal = np.flatnonzero(self._recorder.mask()).tolist()
            self._choices = choices(self.game, self._recorder.state, legal)

    @property
    def player(self) -> int:
        """The seat to move, -1 when the game is over."""
        return self._recorder.player

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._recorder.over

    @property
    def agent_to_move(self) -> bool:
        """Whether the seat to move is an agent's."""
        return self.player in self._agents

    def frames(self, viewer: Viewer) -> Sequence[Frame]:
        """All that `viewer` has seen of this game.

        Raises:
            RefusedError: if nobody sees the table so.
        """
        if viewer not in self._frames:
            raise RefusedError(f"nobody sees this table as {viewer}")
        return self._frames[viewer]

    def update(self, viewer: Viewer, number: int = -1, step: int = -1) -> Update:
        """What is new to `viewer`, who has seen game `number` up to `step`.

        Raises:
            RefusedError: if nobody sees the table so.
        """
        seen = self.frames(viewer)
        known = step + 1 if number == self.number and -1 <= step < len(seen) else 0
        own = self.over and viewer is not None
        return Update(
            self.number,
            len(seen) - 1,
            tuple(seen[known:]),
            self._choices if viewer == self.player else None,
            self.over,
            earnings(self.game, self._recorder.state)[viewer]
            if own and viewer is not None
            else None,
        )

    def play(
        self, viewer: Viewer, words: str, number: int | None = None, step: int | None = None
    ) -> None:
        """Play what `viewer` named: an action's text, or their own words for it.

        Args:
            viewer: who asks for it.
            words: what for.
            number: the game that the viewer sees, if that may be another one.
            step: how much of it, if they may have missed something.

        Raises:
            RefusedError: if it is not their turn, or this cannot be played; the sentence says why.
        """
        self._check_turn(viewer)
        if number not in (None, self.number) or step not in (None, len(self.frames(viewer)) - 1):
            raise RefusedError("the table has moved on since; look again and choose once more")
        offered = self._offered()
        text = offered.find(words)
        if text is None:
            raise RefusedError(_not_legal(self.game, words, offered))
        self._carry(self.game.numbers[text])

    def _check_turn(self, viewer: Viewer) -> None:
        if viewer is None:
            raise RefusedError("a spectator sees all and plays nothing")
        if self.over:
            raise RefusedError("the game is over")
        if viewer != self.player:
            raise RefusedError(f"it is the turn of player_{self.player}, not yours")

    def _offered(self) -> Choices:
        if self._choices is None:
            raise RefusedError("it is an agent's turn")
        return self._choices

    def rehearse(self) -> None:
        """Ask each agent once, so that what is compiled at its first thought is compiled now."""
        if self.over:
            return
        asked = {id(agent): agent for agent in (*self._agents.values(), self.hinter) if agent}
        for agent in asked.values():
            consult(agent, self._recorder.view())

    def think(self) -> Callable[[], Decision]:
        """The thought of the agent that is to move; `carry` plays what comes of it.

        Raises:
            ValueError: if no agent is to move.
        """
        if not self.agent_to_move:
            raise ValueError("no agent is to move")
        agent, view = self._agents[self.player], self._recorder.view()
        return lambda: consult(agent, view)

    def carry(self, decision: Decision) -> None:
        """Play what the agent to move has decided.

        Raises:
            TypeError, ValueError: if no agent is to move, or it is not legal.
        """
        if not self.agent_to_move:
            raise ValueError("no agent is to move")
        self._carry(*decision)

    def _carry(
        self, action: int, odds: np.ndarray | None = None, value: float | None = None
    ) -> None:
        before = self._recorder.state.copy()
        move = self._recorder.play(action, odds, value)
        after = self._recorder.state
        for viewer, seen in self._frames.items():  # steps are counted for each viewer alone:
            made = next_frame(self.game, len(seen), before, move, after, viewer, False)
            if made:  # how many moves went by unnoticed is nobody's business
                seen.append(made)
        self._offer()

    def hint(self, viewer: Viewer) -> Callable[[], Hint]:
        """What the hinting agent would do in the place of `viewer`, from what that seat observes.

        Raises:
            RefusedError: if it is not their turn, or there are no hints.
        """
        self._check_turn(viewer)
        if self.hinter is None:
            raise RefusedError("nobody gives hints at this table")
        game, hinter, view = self.game, self.hinter, self._recorder.view()

        def ask() -> Hint:
            action, shares, value = consult(hinter, view)
            told = {game.actions[action]: 1.0}
            if shares is not None:
                told = odds_of(game, shares, view[1][0])
            likeliest = sorted(told.items(), key=lambda pair: -pair[1])[:LIKELIEST]
            shown = [pair for pair in likeliest if pair is likeliest[0] or pair[1] >= LEAST]
            return Hint(hinter.name, tuple(shown), value)

        return ask

    def beliefs(self, viewer: Viewer) -> Callable[[], tuple[Panel, ...]]:
        """What `viewer` can believe of the table now, as bars."""
        self.frames(viewer)
        game, state = self.game, self._recorder.state.copy()
        return lambda: panels(game, state, viewer)

    def again(self) -> None:
        """Deal the next game.

        Raises:
            RefusedError: if this one is not over.
        """
        if not self.over:
            raise RefusedError("this game is not over; the next one begins after it")
        self.finished.append(self._recorder.record())
        self._deal()

    def seat_record(self, viewer: Viewer) -> Callable[[], SeatRecord]:
        """The game that is over, as the seat `viewer` saw it.

        Raises:
            RefusedError: if it is not over, or the viewer is the spectator.
        """
        if viewer is None:
            raise RefusedError("a spectator has no seat; the whole record is the host's")
        if not self.over:
            raise RefusedError("the record is written when the game is over")
        record = self._recorder.record()
        return lambda: record.seen_by(viewer)

    def records(self) -> list[Record]:
        """All games for the host, the last one as far as it was played."""
        now = self._recorder.record()
        return [*self.finished, *([now] if now.moves else [])]


def _not_legal(game: Game, words: str, offered: Choices) -> str:
    """Why `words` cannot be played."""
    shown = " ".join(words.split())[:60]
    known = {text.lower() for text in game.actions}
    why = "cannot be played now" if shown.lower() in known else "is nothing that is played here"
    names = [offered.words(action) for action in offered.actions]
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{shown!r} {why}; you may play: {', '.join(names[:LISTED])}{more}"


def lay(
    game: Game,
    people: Sequence[int] = (0,),
    agents: Sequence[str] = (),
    seed: int = 0,
    hints: str | None = None,
    spectated: bool = False,
) -> Table:
    """A table of `game` for people at the seats `people`.

    Args:
        game: the game.
        people: seats.
        agents: names or files, for the other seats in order; the last one takes all that are left.
            None at all: the strongest.
        seed: of the deals and the agents.
        hints: who gives hints; None: the strongest.
        spectated: whether somebody may see all.

    Raises:
        TypeError, ValueError: if seats, agents or seed do not fit.
    """
    named = _agents_by_seat(game, people, list(agents) or [strongest(game)], bool(agents))
    distinct = list(dict.fromkeys(named.values()))
    chances = np.random.SeedSequence([checked_seed(seed), 1]).spawn(len(distinct))
    loaded = {
        spec: load(spec, game, int(chance.generate_state(1)[0]))
        for spec, chance in zip(distinct, chances, strict=True)
    }
    seats = range(game.players)
    who = [identify(game, named[seat]) if seat in named else Who(name=PERSON) for seat in seats]
    hinter = load(hints or strongest(game), game, 0)
    at_seats = {seat: loaded[spec] for seat, spec in named.items()}
    return Table(game, at_seats, who, seed, hinter, spectated)


def _agents_by_seat(
    game: Game, people: Sequence[int], specs: Sequence[str], chosen: bool
) -> dict[int, str]:
    """Which of `specs` sits where there are no people; too many are wrong if they were `chosen`."""
    taken = [checked_seat("a seat", seat, game.players) for seat in people]
    if len(set(taken)) < len(taken):
        raise ValueError(f"each person needs a seat of their own, not {taken}")
    left = [seat for seat in range(game.players) if seat not in taken]
    if chosen and len(specs) > len(left):
        free = ", ".join(map(str, left)) or "none"
        raise ValueError(f"there are too many agents, {len(specs)}; seats left for them: {free}")
    return {seat: specs[min(place, len(specs) - 1)] for place, seat in enumerate(left)}
