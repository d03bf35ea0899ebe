"""`backroom watch`: a game as text, while it is played or from a record."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from .common import Agents, Seed, Set, game_of, names_of

if TYPE_CHECKING:
    from backroom.envs import Game
    from backroom.envs.engine.record import Move, Record, SeatRecord, View

End: TypeAlias = Callable[[], list[str]]
"""Tells the last lines, once the game is over."""

LIKELIEST = 5
"""So many probabilities are shown."""


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
    typer.Option("--delay", help="Seconds between moves; 1 on a terminal, else 0."),
]
Step = Annotated[bool, typer.Option("--step", help="Wait for Enter before each move.")]
Target = Annotated[
    Path | None, typer.Option("--record", help="Write the live game into this file.")
]
Odds = Annotated[bool, typer.Option("--odds", help="Show what the players drew their moves from.")]


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
) -> None:
    """Watch a game as text, live or from a record.

    A spectator sees all; with --seat, all is shown as that seat sees it.
    """
    from backroom.envs import GAMES

    pause = _pause(delay)
    if source in GAMES:
        if game is not None:
            raise ValueError("--game is for files of records")
        views, end = _live(game_of(source, set_), names_of(agents), seed, seat, record)
    elif Path(source).is_file():
        if agents or set_ or record:
            raise ValueError("--agents, --set and --record are for a live game, not for a file")
        views, end = _recorded(Path(source), game or 0, seat)
    else:
        raise ValueError(
            f"there is no game or file {source!r}; the games are {', '.join(sorted(GAMES))}"
        )
    for number, view in enumerate(views):
        if number:
            _wait(pause, step)
        _show(view, odds)
    typer.echo("\n".join(end()))


def _pause(delay: float | None) -> float:
    """Seconds between two moves."""
    if delay is None:
        return 1.0 if sys.stdout.isatty() else 0.0
    if not 0 <= delay <= LONGEST:  # NaN is neither
        raise ValueError(f"--delay is a number of seconds from 0 to {LONGEST:g}, not {delay}")
    return delay


def _wait(pause: float, step: bool) -> None:
    if step:
        try:
            input()
        except EOFError:  # nobody is there to press Enter
            return
    else:
        time.sleep(pause)


def _show(view: "View", odds: bool) -> None:
    for event in view.events:
        typer.echo(f"* {event}")
    if odds and view.move and view.move.probabilities:
        typer.echo(f"  drawn from: {_odds(view.move)}")
    typer.echo(f"{view.table}\n")


def _odds(move: "Move") -> str:
    shares = sorted((move.probabilities or {}).items(), key=lambda pair: -pair[1])
    more = ", ..." if len(shares) > LIKELIEST else ""
    return ", ".join(f"{text} {p:.2f}" for text, p in shares[:LIKELIEST]) + more


def _earned(names: Sequence[str], returns: Sequence[float], seat: int | None) -> list[str]:
    """What was earned, as far as `seat` may know."""
    return [
        f"player_{place} ({name}) earned {earned:g}"
        for place, (name, earned) in enumerate(zip(names, returns, strict=True))
        if seat in (None, place)
    ]


def _live(
    game: "Game", agents: list[str], seed: int, seat: int | None, file: Path | None
) -> tuple[Iterator["View"], End]:
    from backroom.envs.engine.files import check_target
    from backroom.envs.engine.record import views, write_records
    from backroom.envs.engine.recorder import Recorder
    from backroom.envs.engine.replay import earnings
    from backroom.evaluate.match import seat_agents, seed_agents

    _check_seat(game, seat)
    if file:
        check_target(file)
    lineup = seat_agents(game, agents)
    seed_agents(lineup, seed)
    players = [lineup.agents[k] for k in lineup.seats[0]]
    who = [lineup.who[k] for k in lineup.seats[0]]
    recorder = Recorder(game, seed, agents=who)

    def play() -> Iterator["View"]:
        before = recorder.state.copy()
        yield from views(game, [before], [], seat)
        while not recorder.over:
            move = recorder.ask(players[recorder.player])
            after = recorder.state.copy()
            yield from islice(views(game, [before, after], [move], seat), 1, None)
            before = after
        if file:
            write_records(file, [recorder.record()])

    names = [w.name for w in who]
    return play(), lambda: _earned(names, earnings(game, recorder.state), seat)


def _check_seat(game: "Game", seat: int | None) -> None:
    if seat is not None and seat >= game.players:
        raise ValueError(f"{game.name} has seats 0 to {game.players - 1}, not {seat}")


def _recorded(path: Path, index: int, seat: int | None) -> tuple[Iterator["View"], End]:
    from backroom.envs.engine.record import SeatRecord

    record = _find(path, index)
    if isinstance(record, SeatRecord):
        if seat not in (None, record.seat):
            raise ValueError(f"the record holds only what seat {record.seat} saw")
        own = f"player_{record.seat} ({record.agents[record.seat]}) earned {record.earned:g}"
        return iter(record.views), lambda: [own]
    _check_seat(record.configured(), seat)
    names = [who.name for who in record.agents]
    return record.views(seat), lambda: _earned(names, record.returns, seat)


def _find(path: Path, index: int) -> "Record | SeatRecord":
    from backroom.envs.engine.record import RecordError, parse, read_lines

    count = 0
    for count, (number, line) in enumerate(read_lines(path), 1):
        if count > index:
            try:
                return parse(line)
            except RecordError as error:
                raise RecordError(f"{path}, line {number}: {error}") from None
    raise ValueError(f"{path} holds games 0 to {count - 1}, not {index}")
