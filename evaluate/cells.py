"""Figures of matches as cells of tables, each with the command that makes it again."""

from collections.abc import Iterable
from typing import NamedTuple

from ..envs.engine.game import Game, option_text
from .match import play_match
from .report import report
from .statistics import Estimate

SEED = 1


class Cell(NamedTuple):
    """A figure of a match, and where it stands."""

    row: str
    column: str
    figure: str
    estimate: Estimate
    games: int
    command: str


def measured(
    game: Game, agents: list[str], figure: str, games: int, where: tuple[str, str]
) -> Cell:
    """The figure of the first of `agents` in a match."""
    return next(iter(all_measured(game, agents, {figure: where}, games)))


def all_measured(
    game: Game, agents: list[str], where: dict[str, tuple[str, str]], games: int
) -> Iterable[Cell]:
    """The figures of the first of `agents` in a match, by name with row and column."""
    found = report(play_match(game, agents, games, SEED))
    changed = [f"{name}={option_text(value)}" for name, value in game.changed().items()]
    who = " ".join(agents)
    command = f"backroom evaluate {game.name} --agents {who} --games {games} --seed {SEED}"
    command += f" --set {' '.join(changed)}" if changed else ""
    for figure, place in where.items():
        value = found.get(figure) or found["agents"][0][figure]
        estimate = Estimate(value["mean"], value["low"], value["high"])
        yield Cell(*place, figure, estimate, found["games"], command)
