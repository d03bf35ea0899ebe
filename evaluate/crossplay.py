"""Cross-play: how agents that were made apart do together.

A convention that only its own kind understands shows in the gap between the diagonal, where agents
play with copies of themselves, and the rest.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..agents.base import Agent
from ..envs.engine.files import check_target, drafted
from ..envs.engine.game import Game
from .executors import Way
from .match import planned, play_matches
from .report import plain
from .statistics import NOTHING, Estimate, mean


class CrossPlay(NamedTuple):
    """Every agent with every agent, on the same deals."""

    game: Game
    names: tuple[str, ...]
    deals: int
    """Played at every seat in each match."""
    seed: int
    earned: np.ndarray
    """float64[N, N, D]: mean return on a deal of the row's agent where all others are the
    column's."""

    def cell(self, row: int, column: int) -> Estimate:
        """Mean return of the row's agent where all others are the column's."""
        return mean(self.earned[row, column], self.game.bounds)

    def matrix(self) -> np.ndarray:
        """The means, float64[N, N]."""
        means: np.ndarray = self.earned.mean(axis=2)
        return means

    def gap(self) -> Estimate:
        """Self-play less cross-play, deal by deal; its interval is over deals, not over agents."""
        count = len(self.names)
        if count < 2:
            return NOTHING
        own = np.eye(count, dtype=np.bool_)
        low, high = self.game.bounds
        lost = self.earned[own].mean(axis=0) - self.earned[~own].mean(axis=0)
        return mean(lost, (low - high, high - low))

    def plain(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        everyone = range(len(self.names))
        return {
            "game": self.game.name,
            "version": self.game.rules.version,
            "options": self.game.settings(),
            "deals": self.deals,
            "seed": self.seed,
            "agents": list(self.names),
            "matrix": [[plain(self.cell(i, j)) for j in everyone] for i in everyone],
            "gap": plain(self.gap()),
        }


def cross_play(
    game: Game,
    agents: Sequence[str | Agent],
    games: int = 1000,
    seed: int = 0,
    *,
    executor: Executor | Way | None = None,
    progress: Callable[[int], Any] | None = None,
) -> CrossPlay:
    """Let each agent take one seat, in all rotations, among copies of each.

    Args:
        game: the game to play.
        agents: names, files or agents.
        games: in a match of two agents; rounded up so that each deal is played at every seat.
        seed: of deals and agents.
        executor: as for `play_match`.
        progress: as for `play_match`.

    Raises:
        ValueError: as for `play_match`, or if two agents have one name.
    """
    names = [a.name if isinstance(a, Agent) else a for a in agents]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"cross-play wants different agents, not {', '.join(names) or 'none'}")
    deals = -(-games // game.players)
    earned = np.zeros((len(agents), len(agents), deals))
    loaded: dict[str, Agent] = {}
    cells, matches = [], []
    for i, row in enumerate(agents):
        for j, column in enumerate(agents):
            table, turns = ([row], 1) if i == j else ([row, column], game.players)
            cells.append((i, j))
            matches.append(planned(game, table, deals * turns, seed, loaded=loaded))
    for (i, j), match in zip(cells, play_matches(matches, executor, progress), strict=True):
        earned[i, j] = match.earned(names[i])
    return CrossPlay(game, tuple(names), deals, seed, earned)


def check_plot(path: str | Path) -> None:
    """Make sure that a heat map can be drawn into the file `path`.

    Raises:
        OSError, ValueError: if the file cannot be written, or its ending tells no format.
    """
    from matplotlib.backend_bases import FigureCanvasBase

    known = FigureCanvasBase.get_supported_filetypes()
    if _format(path) not in known:
        raise ValueError(f"a plot ends in one of {', '.join(sorted(known))}, as x.png, not {path}")
    check_target(path)


def _format(path: str | Path) -> str:
    return Path(path).suffix.removeprefix(".").lower()


def heat_map(result: CrossPlay, path: str | Path) -> None:
    """Draw the matrix into the file `path`; its ending tells the format (png, svg, pdf).

    Raises:
        OSError, ValueError: if the file cannot be written or has another ending.
    """
    from matplotlib.figure import Figure  # without pyplot: no display, nothing global

    check_plot(path)
    count = len(result.names)
    figure = Figure(figsize=(2.5 + 0.9 * count, 1.8 + 0.8 * count), layout="constrained")
    axes = figure.add_subplot()
    matrix = result.matrix()
    image = axes.imshow(matrix, cmap="cividis")
    axes.set_xticks(range(count), result.names, rotation=30, ha="right")
    axes.set_yticks(range(count), result.names)
    axes.set_xlabel("all other seats")
    axes.set_ylabel("one seat")
    axes.set_title(f"{result.game.rules.title}: mean return of the one seat", fontsize="medium")
    middle = (matrix.min() + matrix.max()) / 2
    for i in range(count):
        for j in range(count):
            cell = result.cell(i, j)
            reach = (cell.high - cell.low) / 2
            ink = "black" if cell.mean > middle else "white"
            text = f"{cell.mean:.3g}" + ("" if cell.exact else f"\n±{reach:.2g}")
            axes.text(j, i, text, ha="center", va="center", color=ink)
    figure.colorbar(image)
    with drafted(path) as draft:
        figure.savefig(draft, format=_format(path))
