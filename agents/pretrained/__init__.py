"""Policies that the suite ships: `<game>/<name>.safetensors`, with the settings that made each.

A policy fits a game if observations and actions have its sizes; `load("ppo-0", game)` finds it by
name.
"""

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
