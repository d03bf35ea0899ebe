"""`backroom watch`: a game in the terminal or as a page, while it is played or from a record."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import Agents, Seed, Set, game_of, names_of

if TYPE_CHECKING:
    from backroom.envs import Game
    from backroom.envs.engine.recorder import Recorder
    from backroom.evaluate.viewer.reel import Reel

LONGEST = 3600.0
"""Seconds between two moves; more is a mistake."""

Source = Annotated[
    str, typer.Argument(metavar="GAME|FILE", help="A game's name, or a file of records.")
]
Number = Annotated[
    int | None, typer.Option("--game", min=0, help="Which game of the file; 0 is the first.")
]
Seat = Annotated[
    int | None, typer.Option("--seat", min=0, help="See what this seat sees; else, all.")
]
Delay = Annotated[
    float | None,
    typer.Option("--delay", help="Print one table after another, so many seconds between them."),
]
Step = Annotated[
    bool, typer.Option("--step", help="Print one table after another, and wait for Enter before.")
]
Target = Annotated[
    Path | None, typer.Option("--record", help="Write the live game into this file.")
]
Odds = Annotated[bool, typer.Option("--odds", help="Print what the players drew their moves from.")]
Page = Annotated[
    Path | None,
    typer.Option("--html", help="Write a page for a browser instead; of a file, of all its games."),
]


def watch(
    source: Source,
    agents: Agents = None,
    seed: Seed = 0,
    set_: Set = None,
    game: Number = None,
    seat: Seat = None,
    delay: Delay = None,
    step: Step = False,
    record: Target = None,
    odds: Odds = False,
    html: Page = None,
) -> None:
    """Watch a game, live or from a record.

    On a terminal a window opens in it: arrows step, space plays, digits change to what a seat knows
    and a to the spectator, who sees all; ? lists the keys. Into a file, or with --delay or --step,
    tables are printed one after another. With --seat, only what that seat knows can be seen.
    """
    from backroom.envs import GAMES
    from backroom.envs.engine.names import meant
    from backroom.envs.engine.record_file import write_records
    from backroom.evaluate.viewer.page import check_page

    pause = _pause(delay)
    stream = step or delay is not None or not (sys.stdin.isatty() and sys.stdout.isatty())
    wide, table = html is not None or not stream, None
    if html:
        check_page(html)
    if source in GAMES:
        if game is not None:
            raise ValueError("--game is for files of records")
        reel, table = _live(game_of(source, set_), names_of(agents), seed, seat, record, wide)
    elif not Path(source).is_file():
        raise ValueError(
            f"there is no game or file {source!r}{meant(source, GAMES)}; the games are "
            f"{', '.join(sorted(GAMES))}"
        )
    elif agents or set_ or record:
        raise ValueError("--agents, --set and --record are for a live game, not for a file")
    elif html:
        _write_page(Path(source), game, seat, html)
        return
    else:
        reel = _recorded(Path(source), game or 0, seat, wide)
    if html:
        _write_live_page(reel, html)
    elif stream:
        _print(reel, seat, pause, step, odds)
    else:
        _open_window(reel, pause)
    if record and table:
        reel.finish()
        write_records(record, [table.record()])


def _pause(delay: float | None) -> float:
    """Seconds between two moves."""
    if delay is None:
        return 1.0 if sys.stdout.isatty() else 0.0
    if not 0 <= delay <= LONGEST:  # NaN is neither
        raise ValueError(f"--delay is a number of seconds from 0 to {LONGEST:g}, not {delay}")
    return delay


def _print(reel: "Reel", seat: int | None, pause: float, step: bool, odds: bool) -> None:
    """Each frame of one viewpoint, as it comes."""
    from backroom.evaluate.viewer.frames import lines

    frames = reel.seen[seat if seat is not None else next(iter(reel.seen))]
    shown = 0
    while shown < len(frames) or reel.advance():
        for frame in frames[shown:]:
            if shown:
                _wait(pause, step)
            if told := list(lines(frame, odds)):
                typer.echo("\n".join(told) + "\n")
            typer.echo(f"{frame.table}\n")
            shown += 1
    for line in reel.end():
        typer.echo(line)


def _open_window(reel: "Reel", pause: float) -> None:
    from backroom.evaluate.viewer.window import Window

    Window(reel, pause).run()


def _wait(pause: float, step: bool) -> None:
    if step:
        try:
            input()
        except EOFError:  # nobody is there to press Enter
            return
    else:
        time.sleep(pause)


def _live(
    game: "Game", agents: list[str], seed: int, seat: int | None, file: Path | None, wide: bool
) -> tuple["Reel", "Recorder"]:
    from backroom.envs.engine.files import check_target
    from backroom.envs.engine.recorder import Recorder
    from backroom.evaluate.seating import seat_agents, seed_agents
    from backroom.evaluate.viewer.reel import live

    _check_seat(game, seat)
    if file:
        check_target(file)
    lineup = seat_agents(game, agents)
    seed_agents(lineup, seed)
    players = [lineup.agents[k] for k in lineup.seats[0]]
    who = [lineup.who[k] for k in lineup.seats[0]]
    table = Recorder(game, seed, agents=who)
    return live(table, [w.name for w in who], players, seat, wide), table


def _check_seat(game: "Game", seat: int | None) -> None:
    if seat is not None and seat >= game.players:
        raise ValueError(f"{game.name} has seats 0 to {game.players - 1}, not {seat}")


def _recorded(path: Path, index: int, seat: int | None, wide: bool) -> "Reel":
    from backroom.envs.engine.record_file import RecordFile
    from backroom.evaluate.viewer.reel import reel

    record = RecordFile(path).read(index)
    _check_seat(record.configured(), seat)
    return reel(record, seat, wide)


def _write_page(path: Path, index: int | None, seat: int | None, target: Path) -> None:
    from backroom.envs.engine.record_file import RecordFile
    from backroom.evaluate.viewer.page import check_games, write_page

    file = RecordFile(path)
    wanted = range(len(file)) if index is None else [index]
    check_games(len(wanted))
    count = write_page(target, (file.read(k) for k in wanted), seat, path.stem)
    _tell_page(target, count)


def _write_live_page(reel: "Reel", target: Path) -> None:
    from backroom.evaluate.viewer.page import write_reels

    _tell_page(target, write_reels(target, [reel], reel.game.rules.title))


def _tell_page(target: Path, count: int) -> None:
    from backroom.envs.engine.names import several

    typer.echo(f"{target}: {several(count, 'game')} to open in a browser")
