"""`backroom train`."""

from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from .common import GameName


class Algorithm(StrEnum):
    """Ways to learn; each is a module of `backroom.train`."""

    ppo = "ppo"
    sb3 = "sb3"


def train(
    game: GameName,
    config: Annotated[
        Path | None, typer.Option("--config", help="Settings, a TOML file; else the game's own.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the run; else runs/GAME-SEED.")
    ] = None,
    algorithm: Annotated[
        Algorithm, typer.Option("--algorithm", help="This suite's PPO, or stable-baselines3's.")
    ] = Algorithm.ppo,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE...", help="Settings, and options of the game, changed."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the run's last checkpoint.")
    ] = False,
) -> None:
    """Train a policy network.

    It plays itself, former selves or given agents, as the settings tell; the run's folder holds the
    settings, the weights, the learning curve, and a checkpoint from which a run can go on.
    """
    try:
        module = import_module(f"backroom.train.{algorithm.value}")
    except ModuleNotFoundError as error:
        raise ValueError(
            f"training needs {error.name}: install the extra, pip install 'backroom[train]'"
        ) from None
    from backroom.train.settings import load

    settings = load(module.KIND, game, config, set_ or ())
    folder = Path("runs") / module.FOLDER.format(game=game, seed=settings.seed)
    module.train(settings, out or folder, resume)
