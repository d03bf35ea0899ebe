"""`backroom play`: people against agents, in browsers or in the terminal."""

import secrets
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameName, Set, fail, game_of

if TYPE_CHECKING:
    from backroom.evaluate.tables.room import Room
    from backroom.evaluate.tables.table import Table, Viewer

LONGEST = 60.0
"""Seconds between two moves of agents; more is a mistake."""
PORT = 8765

Opponents = Annotated[
    list[str] | None,
    typer.Option(
        "--agents",
        metavar="NAME...",
        help="Agents for the other seats, in order: names, or files of weights. The last one takes "
        "all seats that are left. Without it: the strongest there is for these options.",
    ),
]
Seats = Annotated[
    list[int] | None,
    typer.Option("--seat", metavar="N...", min=0, help="Seats of people; without it, seat 0."),
]
FirstSeed = Annotated[
    int | None,
    typer.Option("--seed", help="The deals follow from it; without it they are new each time."),
]
Hints = Annotated[
    str | None,
    typer.Option("--hints", metavar="NAME", help="Who gives hints, if not the strongest."),
]
Target = Annotated[
    Path | None, typer.Option("--record", help="Write the games, all seats' cards, into this file.")
]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Of the server; 0 takes one that is free.")
]
Host = Annotated[str, typer.Option(help="Of the server. Only 127.0.0.1 keeps other machines away.")]
Pace = Annotated[float, typer.Option(help="Seconds that an agent's move takes at least.")]
Spectator = Annotated[
    bool, typer.Option("--spectator", help="A link for a spectator too, who sees all cards.")
]
Terminal = Annotated[bool, typer.Option("--terminal", help="Play here, without a browser.")]
Open = Annotated[
    bool | None,
    typer.Option(
        "--open/--no-open", help="Open a browser; by default, for one person at a terminal."
    ),
]


def play(
    game: GameName,
    agents: Opponents = None,
    seat: Seats = None,
    seed: FirstSeed = None,
    set_: Set = None,
    hints: Hints = None,
    record: Target = None,
    pace: Pace = 1.0,
    port: Port = PORT,
    host: Host = "127.0.0.1",
    spectator: Spectator = False,
    terminal: Terminal = False,
    open_: Open = None,
) -> None:
    """Play a game yourself, against agents and with other people.

    The table is a page that this command serves, until Ctrl-C; each person opens it by a link of
    their own, which is printed, and is shown what their seat may know. With --terminal the table
    is here, for one person. Hints and odds are there on demand.
    """
    from backroom.envs.engine.files import check_target
    from backroom.evaluate.tables.table import lay

    seats = seat or [0]
    if not 0 <= pace <= LONGEST:  # NaN is neither
        raise ValueError(f"--pace is a number of seconds from 0 to {LONGEST:g}, not {pace}")
    if terminal and (len(seats) > 1 or spectator or open_):
        raise ValueError("--terminal is for one person: without --spectator, --open, more seats")
    if record:
        check_target(record)
    first = secrets.randbits(63) if seed is None else seed
    configured = game_of(game, set_)
    table = lay(configured, seats, _names(agents), first, hints, spectator)
    try:
        with _ended_as_by_ctrl_c():
            if terminal:
                _in_terminal(table, seats[0])
            else:
                _serve(table, host, port, pace, spectator, record, open_)
    except KeyboardInterrupt:
        typer.echo("", err=True)
    except Exception:
        if table.records():
            _save(table, record)
        raise
    _save(table, record)


@contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """Who ends the process, or closes its window, loses no game either."""
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    for name in names:
        signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _names(agents: list[str] | None) -> list[str]:
    from .common import names_of

    return names_of(agents) if agents else []


def _save(table: "Table", file: Path | None) -> None:
    """Write all games down, the last one as far as it was played, and tell what was done."""
    from backroom.envs.engine.names import several

    if file is None:
        return
    records = table.records()
    if not records:
        typer.echo(f"{file}: not written, since nothing was played", err=True)
        return
    _write(table, file)
    cut = "" if table.over or len(records) == len(table.finished) else ", the last one not ended"
    typer.echo(f"{file}: {several(len(records), 'game')}{cut}", err=True)


def _write(table: "Table", file: Path) -> None:
    from backroom.envs.engine.record_file import write_records

    write_records(file, table.records())


def _in_terminal(table: "Table", seat: int) -> None:
    from backroom.evaluate.tables.terminal import Sitting

    def read() -> str | None:
        try:
            return input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return None

    others = [name for at, name in enumerate(table.names) if at != seat]
    against = f" with {', '.join(others)}" if others else ""
    typer.echo(f"{table.game.rules.title}{against}; you are player_{seat}.")
    Sitting(table, seat, read, typer.echo).play()


def _serve(
    table: "Table",
    host: str,
    port: int,
    pace: float,
    spectator: bool,
    file: Path | None,
    open_: bool | None,
) -> None:
    try:
        from backroom.evaluate.tables.server import Server, bound, links
    except ImportError as error:
        raise fail(
            f'a table for browsers needs what `pip install "backroom[play]"` installs ({error}); '
            "--terminal needs nothing"
        ) from None
    from backroom.evaluate.tables.room import Room

    def finished(ended: "Table") -> None:
        if file:
            _write(ended, file)

    socket = bound(host, port)
    table.rehearse()
    room = Room(table, pace, spectator, finished)
    addresses = links(room, host, socket.getsockname()[1])
    _tell(room, addresses, host)
    wanted = len(addresses) == 1 and sys.stdout.isatty() if open_ is None else open_
    if wanted:
        import webbrowser

        # Not here: a browser in a terminal would wait for the server, and the server for it.
        address = addresses[table.people[0]]
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    Server([room], host).serve(socket)


def _tell(room: "Room", addresses: "dict[Viewer, str]", host: str) -> None:
    """Print who may come in where."""
    names = room.table.names
    agents = [
        f"player_{at} is {name}" for at, name in enumerate(names) if at not in room.table.people
    ]
    typer.echo(", ".join([room.table.game.rules.title, *agents]))
    for viewer, address in addresses.items():
        who = "spectator" if viewer is None else f"player_{viewer}"
        typer.echo(f"{who:<9}  {address}")
    if host not in ("127.0.0.1", "localhost", "::1"):
        typer.echo("Other machines can reach this table, unencrypted; give links to players only.")
    typer.echo("Whoever opens a link plays that seat. Ctrl-C closes the table.")
    sys.stdout.flush()
