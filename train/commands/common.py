"""What all commands share: options with several values, errors as one sentence, tables."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.console import Console

    from backroom.envs import Game

FAILED, MISUSED, STOPPED = 1, 2, 130
"""Exit codes: a check failed; bad input; Ctrl-C."""

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name, as in kuhn.")]
Agents = Annotated[
    list[str] | None,
    typer.Option(
        "--agents",
        metavar="NAME...",
        help="Agents by seat: names, files of weights, folders of runs, or package.module:Class. "
        "The last one takes all seats that are left, so one name plays itself.",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE...", help="Options of the game."),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object, and nothing else.")]
Seed = Annotated[int, typer.Option(help="The deals and all other chance follow from it.")]


class Way(StrEnum):
    """Who does the work; see `backroom.evaluate.executors`."""

    local = "local"
    process = "process"
    ray = "ray"


WayName = Annotated[
    Way | None,
    typer.Option(
        "--executor",
        show_default="local; process with --workers 2 and more, ray with --address",
        help="This thread, processes, or Ray on this machine or a cluster; the result is the same.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, help="Processes, or CPUs of a Ray of its own; else all that there are."
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="HOST:PORT",
        help="Head of a Ray cluster, or auto; else $RAY_ADDRESS, else Ray is started here.",
    ),
]


def spread(args: list[str], several: set[str]) -> list[str]:
    """`--agents a b --seed 1` as `--agents a --agents b --seed 1`, for the options in `several`.

    >>> spread(["kuhn", "--agents", "a", "b", "--seed", "1"], {"--agents"})
    ['kuhn', '--agents', 'a', '--agents', 'b', '--seed', '1']

    Raises:
        ValueError: if one of `several` stands before another option, or at the end.
    """
    found: list[str] = []
    open_option, wants_value = "", False
    end = args.index("--") if "--" in args else len(args)
    for arg in args[:end]:
        if arg.startswith("-") and arg != "-":
            _check_told(open_option, wants_value)
            name, equals, _ = arg.partition("=")
            open_option, wants_value = (name if name in several else ""), not equals
        elif open_option and not wants_value:
            found.append(open_option)
        else:
            wants_value = False
        found.append(arg)
    _check_told(open_option, wants_value)
    return found + args[end:]


def _check_told(option: str, wants_value: bool) -> None:
    if option and wants_value:
        raise ValueError(f"{option} stands there without a value")


class Command(TyperCommand):
    """A command whose repeatable options take several values each, and whose errors are sentences.

    Bad input is a ValueError or an OSError and ends with code 2; `BACKROOM_DEBUG=1` shows where it
    came from.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the name of each option that stands before several values."""
        several = {name for p in self.params if getattr(p, "multiple", False) for name in p.opts}
        try:
            told = spread(args, several)
        except ValueError as error:
            raise fail(str(error)) from None
        rest: list[str] = super().parse_args(ctx, told)
        return rest

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever reads our output has seen enough
            raise
        except (ValueError, OSError, ImportError) as error:
            if os.environ.get("BACKROOM_DEBUG"):
                raise
            raise fail(_sentence(error)) from None
        except KeyboardInterrupt:
            raise fail("stopped", STOPPED) from None


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split())


def fail(sentence: str, code: int = MISUSED) -> typer.Exit:
    """Say what is wrong on standard error; what is returned ends the command when raised."""
    typer.echo(f"backroom: {sentence}", err=True)
    return typer.Exit(code)


def examples(*lines: str) -> str:
    """The end of a help text."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def names_of(agents: list[str] | None) -> list[str]:
    """Agents as they were named: several words, or separated by commas.

    >>> names_of(["random", "a,b"])
    ['random', 'a', 'b']
    """
    names = []
    for text in agents or ["random"]:
        names += [text] if Path(text).exists() else text.split(",")
    if "" in names:
        raise ValueError(f"an agent's name is missing in {','.join(agents or ())!r}")
    return names


def executor_of(
    way: Way | None, workers: int | None, address: str | None
) -> "AbstractContextManager[Executor | None]":
    """Who does the work that a command has: several workers are processes, unless told otherwise.

    Raises:
        ValueError, OSError, ImportError: when it is entered; see `executors.opened`.
    """
    from backroom.evaluate.executors import opened

    if way is None:
        several = Way.process if (workers or 1) > 1 else Way.local
        way = several if address is None else Way.ray
    return opened(way.value, workers, address)


def game_of(name: str, changes: list[str] | None) -> "Game":
    """The game `name` with the options that `changes` tell, `name=value` each.

    Raises:
        ValueError: if there is no such game or option, or a value is out of range.
    """
    from backroom.envs import configure

    options: dict[str, Any] = {}
    for change in changes or ():
        option, equals, value = change.partition("=")
        if not equals or not option:
            raise ValueError(
                f"an option is set by name=value, not {change!r}; several values of one option "
                "stand without spaces, or in quotes: name=a,b"
            )
        options[option.strip()] = value.strip()
    return configure(name, **options)


def console() -> "Console":
    """Where tables go: standard output."""
    from rich.console import Console

    return Console(highlight=False, markup=False)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """A bar on standard error, if that is a terminal; call what is given with each advance."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)
