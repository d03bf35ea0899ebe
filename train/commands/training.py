"""`backroom train`."""

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import GameName
from .games import show_table, table_of

if TYPE_CHECKING:
    from backroom.train.settings import Settings


class Algorithm(StrEnum):
    """Ways to learn; each is a module of `backroom.train`."""

    ppo = "ppo"
    sb3 = "sb3"
    rllib = "rllib"


def train(
    game: GameName,
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings, a TOML file; else the game's own.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Folder of the run; else runs/GAME-SEED, or runs/GAME-sb3-SEED and so on.",
        ),
    ] = None,
    algorithm: Annotated[
        Algorithm,
        typer.Option("--algorithm", help="This suite's PPO, stable-baselines3's, or RLlib's."),
    ] = Algorithm.ppo,
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            metavar="ADDRESS",
            help="With --algorithm rllib: the Ray cluster to train on, auto or its head's "
            "HOST:PORT; else one of this machine alone.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE...",
            help="Settings, and options of the game, changed: layers=[128,128] "
            "'opponents={self=0.5,past=0.5}'.",
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on from the run's last checkpoint, with the settings that it began with; "
            "--set total_decisions=N extends it.",
        ),
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Show all settings and what they mean; train nothing.")
    ] = False,
) -> None:
    """Train a policy network.

    It plays itself, former selves or given agents, as the settings tell; the run's folder holds the
    settings, the weights, the learning curve, and a checkpoint from which a run can go on.
    """
    if address is not None and algorithm is not Algorithm.rllib:
        raise ValueError(
            f"--address is for --algorithm rllib: {algorithm.value} trains on this machine alone"
        )
    if show and not resume:
        from backroom.train.settings import KINDS, load

        _show(load(KINDS[algorithm.value], game, config, set_ or ()))
        return
    try:
        module = import_module(f"backroom.train.{algorithm.value}")
    except ImportError as error:  # Ray without RLlib raises this one, and without a name
        extra = "rllib" if algorithm is Algorithm.rllib else "train"
        missing = "RLlib" if algorithm is Algorithm.rllib else error.name
        raise ValueError(
            f"training needs {missing}: install the extra, pip install 'backroom[{extra}]'"
        ) from None
    from backroom.train.runs import SETTINGS
    from backroom.train.settings import load

    settings = load(module.KIND, game, config, set_ or ())
    folder = out or Path("runs") / module.FOLDER.format(game=game, seed=settings.seed)
    if resume and config is None and (folder / SETTINGS).is_file():
        _check_algorithm(folder, algorithm)
        settings = load(module.KIND, game, folder / SETTINGS, set_ or ())
    if show:
        _show(settings)
    else:
        where = {"address": address} if algorithm is Algorithm.rllib else {}
        module.train(settings, folder, resume, **where)


def _check_algorithm(folder: Path, algorithm: Algorithm) -> None:
    """ValueError if the folder holds a run of another way to learn."""
    from backroom.train.runs import FILES_OF

    own = FILES_OF[algorithm.value]
    for other, files in FILES_OF.items():
        if any((folder / name).exists() for name in files if name not in own):
            raise ValueError(f"{folder} holds a run of --algorithm {other}")


def _show(settings: "Settings") -> None:
    """All settings, with their meanings."""
    from backroom.train.settings import describe, value_text

    table = table_of("setting", "here", "meaning", wrapped=("here", "meaning"))
    for name, _, meaning in describe(type(settings)):
        table.add_row(name, value_text(getattr(settings, name)), meaning)
    show_table(table)
