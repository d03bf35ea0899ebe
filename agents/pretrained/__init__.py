"""Policies that the suite ships: `<game>/<name>.safetensors`, with the settings that made each.

A policy fits a game if actions and the parts of the observation that it reads are those of its
training; `load("ppo-1", game)` finds it by name.
"""

import tomllib
from functools import cache
from pathlib import Path

from ...envs.engine.game import Game

HOME = Path(__file__).parent


@cache
def pretrained(game: Game) -> dict[str, Path]:
    """The shipped policies that can play `game`, by name."""
    from ..neural import NeuralAgent

    found = {}
    for path in sorted((HOME / game.name).glob("*.safetensors")):
        try:
            NeuralAgent.from_file(game, path, 0)
        except ValueError:  # made for other options
            continue
        found[path.stem] = path
    return found


def elsewhere(game: Game) -> dict[str, str]:
    """The shipped policies that cannot play `game` but with other options, and with which.

    Returns:
        By name the options to set: `features=strength`.
    """
    from ..neural import needed, read

    paths = sorted((HOME / game.name).glob("*.safetensors"))
    return {
        path.stem: needed(read(path), game) for path in paths if path.stem not in pretrained(game)
    }


def trained(weights: Path) -> str:
    """How a shipped policy was trained, by the settings beside it."""
    settings = tomllib.loads(weights.with_suffix(".toml").read_text(encoding="utf-8"))
    others = [name for name in settings.get("opponents", {}) if name != "self"]
    how = f"beside {', '.join(others)}" if others else "of self-play"
    return f"trained: {settings['total_decisions']:,} decisions {how}"
