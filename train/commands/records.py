"""`backroom records` and `backroom export`: what files of records hold, and other forms of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import Json, console, progress
from .games import show_table, table_of

if TYPE_CHECKING:
    from backroom.envs.engine.record import Record, SeatRecord
    from backroom.envs.engine.record_file import Entry, RecordFile, Wanted

File = Annotated[Path, typer.Argument(metavar="FILE", help="A file of records.")]
Rules = Annotated[
    str | None, typer.Option("--rules", metavar="NAME", help="Only games of this name.")
]
Agents = Annotated[
    list[str] | None,
    typer.Option("--agents", metavar="NAME...", help="Only games in which all of these played."),
]
Moves = Annotated[
    str | None, typer.Option("--moves", metavar="LOW:HIGH", help="Only games of so many moves.")
]
Earned = Annotated[
    str | None,
    typer.Option(
        "--earned",
        metavar="LOW:HIGH",
        help="Only games in which one of --agents, or else anybody, earned so much.",
    ),
]


def _show_schema(asked: bool) -> None:
    if asked:
        import msgspec

        from backroom.envs.engine.record import Record, SeatRecord

        known, parts = msgspec.json.schema_components(
            (Record, SeatRecord), ref_template="#/$defs/{name}"
        )
        typer.echo(json.dumps({"anyOf": list(known), "$defs": parts}, indent=2))
        raise typer.Exit


Schema = Annotated[
    bool,
    typer.Option(
        "--schema",
        is_eager=True,
        callback=_show_schema,
        help="Print the JSON Schema of a line of such files, and nothing else.",
    ),
]
Limit = Annotated[int, typer.Option("--limit", min=1, help="List at most so many.")]


def span(name: str, text: str | None) -> tuple[float, float] | None:
    """The two ends of `LOW:HIGH`, each of which may be left out; one number is both.

    >>> span("--moves", "10:"), span("--moves", "3")
    ((10.0, inf), (3.0, 3.0))

    Raises:
        ValueError: if `text` is no such thing.
    """
    if text is None:
        return None
    low, colon, high = text.partition(":")
    try:
        least = float(low) if low.strip() else float("-inf")
        most = (float(high) if high.strip() else float("inf")) if colon else least
    except ValueError:
        most = least = float("nan")
    if least > most:
        raise ValueError(f"{name} goes from low to high, as {high}:{low}, not {text!r}")
    if not least <= most:  # no numbers
        raise ValueError(f"{name} is LOW:HIGH, LOW: or :HIGH, not {text!r}")
    return least, most


def wanted(
    rules: str | None, agents: list[str] | None, moves: str | None, earned: str | None
) -> "Wanted":
    """What these options ask for."""
    from backroom.envs.engine.record_file import Wanted

    names = tuple(name for text in agents or () for name in text.split(","))
    return Wanted(rules, names, span("--moves", moves), span("--earned", earned))


def records(
    file: File,
    rules: Rules = None,
    agents: Agents = None,
    moves: Moves = None,
    earned: Earned = None,
    limit: Limit = 50,
    as_json: Json = False,
    schema: Schema = False,
) -> None:
    """List the games of a file.

    The numbers are those that `backroom watch --game` and `backroom export --game` take.
    """
    from backroom.envs.engine.names import in_turn, several, short_names
    from backroom.envs.engine.record_file import RecordFile

    asked, found = RecordFile(file), wanted(rules, agents, moves, earned)
    entries = [entry for entry in _entries(asked) if found(entry)]
    if as_json:
        plain = [entry._asdict() for entry in entries[:limit]]
        typer.echo(json.dumps({"games": len(asked), "found": len(entries), "list": plain}))
        return
    table = table_of("game", "rules", "agents", "moves", "earned", wrapped=("agents", "earned"))
    short = short_names(name for entry in entries for name in entry.agents)
    for entry in entries[:limit]:
        names = in_turn(short[name] for name in entry.agents)
        if entry.seat is not None:
            names += f" (seen by seat {entry.seat})"
        returns = " ".join("?" if r is None else f"{r:g}" for r in entry.returns)
        table.add_row(str(entry.number), entry.game, names, str(entry.moves), returns)
    out = console()
    if entries:
        show_table(table)
    more = f", the first {limit} are listed" if len(entries) > limit else ""
    out.print(f"{len(entries)} of {several(len(asked), 'game')}{more}")


def _entries(file: "RecordFile") -> Iterator["Entry"]:
    with progress(f"{file.path}", len(file)) as tell:
        for entry in file.entries():
            yield entry
            if tell:
                tell(1)


Target = Annotated[
    Path,
    typer.Argument(
        metavar="TARGET",
        help="What to write; the ending tells the form: .html .txt .png .gif .phh .phhs .jsonl",
    ),
]
Which = Annotated[
    list[int] | None,
    typer.Option("--game", metavar="NUMBER...", min=0, help="Only these games of the file."),
]
Seat = Annotated[
    int | None, typer.Option("--seat", min=0, help="Only what this seat may know; else, all.")
]
At = Annotated[
    int | None,
    typer.Option("--step", min=0, help="For .png: after so many moves; else, at the end."),
]


def _chosen(source: "RecordFile", asked: "Wanted", numbers: list[int] | None) -> list[int]:
    """The numbers of the games that are asked for; of `numbers` in their order, if there are any.

    Raises:
        ValueError: if there are none, or a number is that of no game.
    """
    for number in numbers or ():
        source.line(number)
    found = list(range(len(source)))
    if any(asked):
        found = [entry.number for entry in source.entries() if asked(entry)]
    if numbers:
        kept = set(found)
        found = [number for number in numbers if number in kept]
    if not found:
        raise ValueError(f"{source.path} holds no such game")
    return found


def export(
    file: File,
    target: Target,
    game: Which = None,
    rules: Rules = None,
    agents: Agents = None,
    moves: Moves = None,
    earned: Earned = None,
    seat: Seat = None,
    step: At = None,
) -> None:
    """Write games of a file in another form.

    .html: a page for a browser; .txt: all tables and events; .png, .gif: a picture, a film of one
    game; .phh, .phhs: hands for other poker programs; .jsonl: these records alone, with --seat cut
    down to what that seat may know.
    """
    from backroom.envs.engine.names import several
    from backroom.envs.engine.record_file import RecordFile
    from backroom.evaluate.viewer.export import export_records
    from backroom.evaluate.viewer.page import check_games

    if target.exists() and target.samefile(file):
        raise ValueError(f"{target} is the file that is read: write into another")
    source = RecordFile(file)
    indices = _chosen(source, wanted(rules, agents, moves, earned), game)
    if target.suffix.lower() == ".html":
        check_games(len(indices))
    if step is not None and target.suffix.lower() != ".png":
        raise ValueError("--step is for pictures, .png")

    def chosen() -> Iterator["Record | SeatRecord"]:
        with progress(f"{target}", len(indices)) as tell:
            for index in indices:
                yield source.read(index)
                if tell:
                    tell(1)

    count = export_records(target, chosen(), seat, step, file.stem)
    typer.echo(f"{target}: {several(count, 'game')}")
