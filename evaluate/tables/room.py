"""A table that several people look at, each over a link of their own; agents move by themselves.

A link has no queue of updates: it knows what its viewer has seen, and is told to look for what is
new. So a slow link misses nothing, holds nobody up, and takes up no memory; and one that was cut
off goes on where it stood.
"""

import asyncio
import hmac
import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import TypeVar

from .messages import (
    Again,
    AskBeliefs,
    Asked,
    AskHint,
    AskRecord,
    Hello,
    Play,
    Present,
    Skip,
    Sorry,
    TellBeliefs,
    TellHint,
    TellRecord,
    TellUpdate,
    Told,
    Welcome,
    understood,
)
from .table import RefusedError, Table, Viewer

LINKS = 4
"""One viewer may look at the table in so many windows at once."""
REPLIES = 16
"""So many answers may wait for a slow link; the oldest are given up."""
KEY_BYTES = 24
Result = TypeVar("Result")


class Link:
    """Somebody who looks at a table."""

    def __init__(self, viewer: Viewer, number: int, step: int) -> None:
        """Begin after game `number`, step `step`."""
        self.viewer = viewer
        self.number, self.step = number, step
        self.wake = asyncio.Event()
        self.greeted = False
        self._replies: deque[Told] = deque(maxlen=REPLIES)
        self.wake.set()

    def tell(self, told: Told) -> None:
        """Have something sent."""
        self._replies.append(told)
        self.wake.set()

    def news(self, table: Table) -> Iterator[Told]:
        """All that is to be sent now."""
        self.wake.clear()
        while self._replies:
            yield self._replies.popleft()
        update = table.update(self.viewer, self.number, self.step)
        new = update.number != self.number or update.step != self.step or bool(update.frames)
        if new or not self.greeted:
            self.greeted = True
            self.number, self.step = update.number, update.step
            yield TellUpdate(update)


class Room:
    """A table and the links to it; all but thoughts happens in one event loop.

    Attributes:
        table: the table.
        keys: for each viewer the secret that opens the table.
    """

    def __init__(
        self,
        table: Table,
        pace: float = 1.0,
        spectated: bool = False,
        finished: Callable[[Table], None] | None = None,
    ) -> None:
        """Open a room; `finished` is called when a game is over, and `pace` is in seconds."""
        self.table, self._pace, self._finished = table, pace, finished
        viewers: tuple[Viewer, ...] = (*table.people, *([None] if spectated else []))
        self.keys = {viewer: secrets.token_urlsafe(KEY_BYTES) for viewer in viewers}
        self._broken = ""
        """Why no agent moves any more."""
        self._links: list[Link] = []
        self._changed, self._hurry = asyncio.Event(), asyncio.Event()

    def opened_by(self, key: str) -> list[Viewer]:
        """The viewer whose key this is, if any; it takes as long whatever the key is."""
        given = key.encode("utf-8", "replace")
        return [
            viewer for viewer, own in self.keys.items() if hmac.compare_digest(own.encode(), given)
        ]

    def join(self, viewer: Viewer, hello: Hello) -> Link:
        """Let `viewer` look at the table.

        Raises:
            RefusedError: if they do so in too many windows already.
        """
        if sum(link.viewer == viewer for link in self._links) >= LINKS:
            raise RefusedError(f"this seat is open in {LINKS} windows already; close one of them")
        link = Link(viewer, hello.number, hello.step)
        table = self.table
        link.tell(
            Welcome(
                title=table.game.rules.title,
                game=table.game.rules.id,
                names=table.names,
                people=table.people,
                seat=viewer,
                hints=table.hinter.name if table.hinter else None,
            )
        )
        self._links.append(link)
        if self._broken:
            link.tell(Sorry(self._broken))
        self._announce_people()
        self._changed.set()
        return link

    def leave(self, link: Link) -> None:
        """Somebody has gone."""
        self._links.remove(link)
        self._announce_people()

    def _announce_people(self) -> None:
        there = {link.viewer for link in self._links if link.viewer is not None}
        for link in self._links:
            link.tell(Present(tuple(sorted(there))))

    def _announce(self) -> None:
        """Something has happened at the table."""
        if self.table.player in self.table.people:
            self._hurry.clear()
        for link in self._links:
            link.wake.set()
        self._changed.set()
        if self.table.over and self._finished:
            try:
                self._finished(self.table)
            except (
                OSError
            ):  # the game goes on; it is written again at the next end, and at the last
                logging.getLogger(__name__).exception("the record could not be written")

    async def hear(self, link: Link, text: str | None, pool: Executor) -> None:
        """Do what somebody asks for, or tell them why not; agents are asked in `pool`."""
        try:
            await self._answer(link, understood(text), pool)
        except RefusedError as error:
            link.tell(Sorry(str(error)))
        except Exception:  # such as that of an agent from a file that is asked for a hint
            # What has failed may know more than this seat: its words are for the host alone.
            link.tell(Sorry("this has failed, through no fault of yours"))
            logging.getLogger(__name__).exception("what somebody asked for has failed")

    async def _answer(self, link: Link, asked: Asked, pool: Executor) -> None:
        table, viewer = self.table, link.viewer
        number, step = table.number, len(table.frames(viewer)) - 1
        match asked:
            case Play(action, seen, at):
                table.play(viewer, action, seen, at)
                self._announce()
            case AskHint():
                hint = await _aside(pool, table.hint(viewer))
                link.tell(TellHint(hint, number, step))
            case AskBeliefs():
                panels = await _aside(pool, table.beliefs(viewer))
                link.tell(TellBeliefs(panels, number, step))
            case AskRecord():
                record = await _aside(pool, table.seat_record(viewer))
                name = f"{table.game.name}-seat-{viewer}-game-{number + 1}.jsonl"
                link.tell(TellRecord(name, record.to_json() + "\n"))
            case Skip():
                _seated(viewer)
                self._hurry.set()
            case Again():
                _seated(viewer)
                table.again()
                self._hurry.clear()
                self._announce()
            case Hello():
                raise RefusedError("the greeting is over")

    async def run(self, pool: Executor) -> None:
        """Let agents move, as long as somebody looks; does not end by itself."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self.table.agent_to_move and self._links:
                began = asyncio.get_running_loop().time()
                try:
                    decision = await _aside(pool, self.table.think())
                    await self._pause(began)
                    self.table.carry(decision)
                except (
                    Exception
                ):  # an agent from a file may be anything, and its words tell its cards
                    who = self.table.player
                    self._broken = f"the game cannot go on: the agent of player_{who} has failed"
                    self._tell_all(self._broken)
                    logging.getLogger(__name__).exception(self._broken)
                    return
                self._announce()

    def _tell_all(self, sentence: str) -> None:
        for link in self._links:
            link.tell(Sorry(sentence))

    async def _pause(self, began: float) -> None:
        """Wait until a move that began then may be seen, or somebody is in a hurry."""
        left = began + self._pace - asyncio.get_running_loop().time()
        if left > 0:
            try:
                await asyncio.wait_for(self._hurry.wait(), left)
            except TimeoutError:
                pass


def _seated(viewer: Viewer) -> None:
    if viewer is None:
        raise RefusedError("a spectator sees all and decides nothing")


async def _aside(pool: Executor, work: Callable[[], Result]) -> Result:
    """Run `work` in another thread."""
    return await asyncio.get_running_loop().run_in_executor(pool, work)
