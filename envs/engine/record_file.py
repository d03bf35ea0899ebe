"""Files of records: JSON lines, one game a line, up to many thousands of them.

To open one game of a file, only the ends of the lines before it are looked for; to list games, only
a few fields of each line are read. Nothing is played again for that.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from .files import drafted
from .names import short_name
from .record import SCHEMA, Record, RecordError, SeatRecord, Who, parse

_LONGEST_LINE = 1 << 28
"""Bytes; a longer line is no record."""


class Entry(NamedTuple):
    """What a list of games tells of one of them."""

    number: int
    """Its place in the file, from 0."""
    game: str
    """Name and version."""
    agents: tuple[str, ...]
    """Names, by seat."""
    moves: int
    """How many were made; of a seat's record, how many the seat noticed."""
    returns: tuple[float | None, ...]
    """By seat; None where only another seat's record is at hand."""
    seat: int | None = None
    """Whose eyes the record is cut down to."""


class _Line(msgspec.Struct):
    """The fields that a list needs."""

    schema: int
    game: str
    agents: list[Who | str]
    moves: list[msgspec.Raw] = []
    returns: list[float] = []
    views: list[msgspec.Raw] = []
    seat: int | None = None
    earned: float | None = None


_LINE = msgspec.json.Decoder(_Line)


class RecordFile:
    """A file of records, of which any can be opened by its number.

    Attributes:
        path: the file.
    """

    def __init__(self, path: str | Path) -> None:
        """Find where the games begin.

        Raises:
            OSError: if there is no such file.
            RecordError: if it holds no record at all, or is no text.
        """
        self.path = Path(path)
        self._starts: list[int] = []
        self._numbers: list[int] = []
        at = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(_lines(file, self.path), 1):
                if line.strip():
                    self._starts.append(at)
                    self._numbers.append(number)
                at += len(line)
        if not self._starts:
            raise RecordError(f"{self.path} holds no record")

    def __len__(self) -> int:
        """How many games there are."""
        return len(self._starts)

    def line(self, index: int) -> bytes:
        """The line of game number `index`.

        Raises:
            ValueError: if there is no such game.
        """
        if not 0 <= index < len(self):
            raise ValueError(f"{self.path} holds games 0 to {len(self) - 1}, not {index}")
        with self.path.open("rb") as file:
            file.seek(self._starts[index])
            return file.readline()

    def read(self, index: int) -> Record | SeatRecord:
        """Game number `index`.

        Raises:
            ValueError: if there is no such game.
            RecordError: if the line is no record; the sentence tells which.
        """
        line = self.line(index)
        try:
            return parse(line)
        except RecordError as error:
            raise RecordError(f"{self.path}, line {self._numbers[index]}: {error}") from None

    def entries(self) -> Iterator[Entry]:
        """What can be said of each game without playing it.

        Raises:
            RecordError: at the first line that is no record; the sentence tells which.
        """
        with self.path.open("rb") as file:
            for index, (start, number) in enumerate(zip(self._starts, self._numbers, strict=True)):
                file.seek(start)
                line = file.readline()
                try:
                    yield _entry(index, line)
                except RecordError as error:
                    raise RecordError(f"{self.path}, line {number}: {error}") from None


def _entry(index: int, line: bytes) -> Entry:
    try:
        found = _LINE.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        parse(line)  # says what is wrong
        raise RecordError("this is no whole record") from None
    if found.schema != SCHEMA:
        parse(line)
    names = tuple(who if isinstance(who, str) else who.name for who in found.agents)
    if found.seat is None:
        return Entry(index, found.game, names, len(found.moves), tuple(found.returns))
    own = [found.earned if seat == found.seat else None for seat in range(len(names))]
    return Entry(index, found.game, names, len(found.views) - 1, tuple(own), found.seat)


def _lines(file: Iterable[bytes], path: Path) -> Iterator[bytes]:
    """The lines of a file, as long as the first one may be a record."""
    for number, line in enumerate(file, 1):
        if number == 1 and line.strip() and not line.lstrip().startswith((b"{", b"\xef\xbb\xbf{")):
            raise RecordError(f"{path} is no file of records: those are lines of JSON")
        if len(line) > _LONGEST_LINE:
            raise RecordError(f"{path}, line {number}: no record is as long as this line")
        yield line


class Wanted(NamedTuple):
    """Which games of a file are asked for; what is None is not asked."""

    game: str | None = None
    """Name, with or without the version."""
    agents: tuple[str, ...] = ()
    """All of them played, by these names or as `short_name` has them."""
    moves: tuple[float, float] | None = None
    """At least and at most so many."""
    earned: tuple[float, float] | None = None
    """At least and at most so much for one of `agents`, or for anybody if none is named."""

    def __call__(self, entry: Entry) -> bool:
        """Whether a game is."""
        if self.game and self.game not in (entry.game, entry.game.rpartition("_v")[0]):
            return False
        if not set(self.agents) <= {*entry.agents, *map(short_name, entry.agents)}:
            return False
        if self.moves and not self.moves[0] <= entry.moves <= self.moves[1]:
            return False
        if self.earned is None:
            return True
        low, high = self.earned
        return any(
            earned is not None and low <= earned <= high
            for name, earned in zip(entry.agents, entry.returns, strict=False)
            if not self.agents or not {name, short_name(name)}.isdisjoint(self.agents)
        )


def write_records(path: str | Path, records: Iterable[Record | SeatRecord]) -> int:
    """Write a file of records, whole or not at all, and tell how many they are.

    Raises:
        OSError: if it cannot be written; a file that was there before is as it was.
    """
    count = 0
    with drafted(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(record.to_json() + "\n")
            count += 1
    return count


def read_records(path: str | Path) -> list[Record]:
    """All records of a file.

    Raises:
        OSError: if there is no such file.
        RecordError: at the first line that is no record; the sentence tells which.
    """
    records = []
    for number, line in read_lines(path):
        try:
            records.append(Record.from_json(line))
        except RecordError as error:
            raise RecordError(f"{path}, line {number}: {error}") from None
    return records


def read_lines(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file and their numbers, from 1; empty ones are left out.

    Raises:
        OSError: if there is no such file.
        RecordError: if the file has no line, or is no text.
    """
    count = 0
    with Path(path).open("rb") as file:
        for number, line in enumerate(_lines(file, Path(path)), 1):
            if line.strip():
                count += 1
                yield number, line
    if not count:
        raise RecordError(f"{path} holds no record")


Progress = Callable[[int], None] | None


def verify_file(path: str | Path, progress: Progress = None) -> tuple[int, list[str]]:
    """Play all games of a file again: how many are right, and a sentence for each that is not.

    Args:
        path: the file.
        progress: called with the number of bytes of each line, once it is done.

    Raises:
        OSError: if there is no such file.
        RecordError: if the file holds no records at all.
    """
    good, wrong = 0, []
    for number, line in read_lines(path):
        try:
            Record.from_json(line).verify()
            good += 1
        except RecordError as error:
            wrong.append(f"{path}, line {number}: {error}")
        if progress:
            progress(len(line))
    return good, wrong
