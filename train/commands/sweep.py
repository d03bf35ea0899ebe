"""`backroom sweep`."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    Address,
    GameName,
    Json,
    WayName,
    Workers,
    console,
    executor_of,
    progress,
)
from .games import show_table, table_of

if TYPE_CHECKING:
    from backroom.train.settings import Settings
    from backroom.train.sweep_report import Summary

SEEDS = [0, 1, 2, 3, 4]


class Algorithm(StrEnum):
    """Ways to learn that can be swept."""

    ppo = "ppo"
    sb3 = "sb3"


def sweep(
    game: GameName,
    seeds: Annotated[
        list[int] | None,
        typer.Option(
            "--seeds",
            metavar="SEED...",
            help="One run each; else 0 1 2 3 4, or with --resume those that there are.",
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings, a TOML file; else the game's own.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the sweep; else runs/GAME-sweep.")
    ] = None,
    algorithm: Annotated[
        Algorithm, typer.Option("--algorithm", help="This suite's PPO, or stable-baselines3's.")
    ] = Algorithm.ppo,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE...",
            help="Settings and options of the game, as for train; threads=1 unless set.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with what was stopped; more --seeds are added."),
    ] = False,
    as_json: Json = False,
    executor: WayName = None,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Train with several seeds, at once if there are workers.

    Each run has a folder of its own. A table tells figures of each seed and their means with 95 %
    intervals over seeds; the sweep's folder keeps it with a plot of all curves. Weights are the
    same whoever trains them, as long as each run has one thread.
    """
    try:
        from backroom.train.sweep import check_sweep, swept
        from backroom.train.sweep import sweep as carry_out

        module = import_module(f"backroom.train.{algorithm.value}")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"training needs {error.name}: install the extra, pip install 'backroom[train]'"
        ) from None
    from backroom.train.runs import SETTINGS
    from backroom.train.settings import load

    folder = out or Path("runs") / module.FOLDER.format(game=game, seed="sweep")
    held = swept(folder) if resume else []
    if held and config is None:
        config = folder / f"seed-{held[0]}" / SETTINGS
    chosen = sorted({*held, *(seeds or ())}) if resume else seeds or SEEDS
    settings = load(module.KIND, game, config, _changes(set_, bool(held)))
    check_sweep(chosen, folder, resume)
    with (
        executor_of(executor, workers, address) as pool,
        _told(settings, chosen) as tell,
    ):
        summary = carry_out(
            settings, chosen, folder, algorithm.value, resume, executor=pool, tell=tell
        )
    if as_json:
        typer.echo(json.dumps(summary.plain(), allow_nan=False))
    else:
        _show(summary, folder)


def _changes(changes: list[str] | None, resumed: bool) -> list[str]:
    """Changes of settings: one thread for each run, unless they say something else."""
    named = [change.partition("=")[0].strip() for change in changes or ()]
    if "seed" in named:
        raise ValueError("the seeds of a sweep are told by --seeds, not by --set")
    return [*([] if resumed else ["threads=1"]), *(changes or ())]


@contextmanager
def _told(settings: "Settings", seeds: list[int]) -> Iterator[Callable[[int, int], None]]:
    """A bar of all decisions, and a line for each stretch."""
    from rich.console import Console

    from backroom.envs.engine.names import several

    total, out = settings.total_decisions, Console(stderr=True)
    done = dict.fromkeys(seeds, 0)
    out.print(f"{several(len(seeds), 'run')} of {several(total, 'decision', ',')}", highlight=False)
    with progress(f"{settings.game['name']}: decisions", total * len(seeds)) as advance:

        def tell(seed: int, decisions: int) -> None:
            if advance:
                advance(min(decisions, total) - done[seed])
            done[seed] = min(decisions, total)
            line = f"seed {seed}: {decisions:,} of {several(total, 'decision', ',')}"
            out.print(line, highlight=False, markup=False, soft_wrap=True)

        yield tell


def _show(summary: "Summary", folder: Path) -> None:
    from backroom.train.runs import headlines
    from backroom.train.sweep_report import CURVES, SUMMARY

    means = headlines(summary.means)
    seeds = list(summary.curves)
    table = table_of("figure", *(f"seed {seed}" for seed in seeds), "mean", "95 % interval")
    for name, e in means.items():
        values = (f"{value:.4g}" for value in summary.figures[name])
        ends = f"{e.low:.4g} to {e.high:.4g}" if len(seeds) > 1 else "none: one seed"
        table.add_row(name, *values, f"{e.mean:.4g}", ends)
    out = console()
    show_table(table)
    out.print(f"runs, {SUMMARY} and {CURVES}: {folder}", soft_wrap=True)
