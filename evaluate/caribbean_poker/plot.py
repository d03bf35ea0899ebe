"""A picture of decisions: an agent's calls with an ace and a king beside the best ones."""

from itertools import combinations
from pathlib import Path

import numpy as np

from ...envs.engine.cards import RANKS
from ...envs.engine.files import drafted
from .results import Judged, Solution

_REST = len(RANKS) - 2
_EVERY = 12
"""Hands between two that are named on the axis."""


def kickers() -> list[tuple[int, ...]]:
    """The three ranks beside ace and king, highest first, best hand first; no straight."""
    found = [tuple(sorted(ranks, reverse=True)) for ranks in combinations(range(_REST), 3)]
    straight = tuple(RANKS.index(rank) for rank in "QJT")
    return sorted((ranks for ranks in found if ranks != straight), reverse=True)


def shares(solution: Solution, judged: Judged) -> np.ndarray:
    """How often `judged` calls, float64[164, 13]: by hand as in `kickers`, by open rank 2 to A."""
    rows = [sum(1 << rank for rank in ranks) for ranks in kickers()]
    found: np.ndarray = judged.ace_king[rows] / solution.ace_king[rows]
    return found


def plot(solution: Solution, path: str | Path) -> None:
    """Draw the calls of the best play and of all judged agents into the file `path`.

    A row is a hand, a column the rank of the open card; a cell is the share of its deals that are
    called, which differ by suits alone. The ending of `path` tells the format (png, svg, pdf).

    Raises:
        OSError: with a sentence, if the file cannot be written.
        ValueError: if it has another ending.
    """
    from matplotlib.figure import Figure  # without pyplot: no display, nothing global

    everyone = [solution.optimal, *solution.judged]
    figure = Figure(figsize=(1.5 + 2.6 * len(everyone), 9), layout="constrained")
    row = figure.subplots(1, len(everyone), sharey=True, squeeze=False)[0]
    best = shares(solution, solution.optimal)
    names = ["AK" + "".join(RANKS[rank] for rank in ranks) for ranks in kickers()]
    for axes, judged in zip(row, everyone, strict=True):
        called = shares(solution, judged)
        image = axes.imshow(called, cmap="cividis", vmin=0, vmax=1, aspect="auto")
        if judged is not solution.optimal:
            rows, columns = np.nonzero(np.abs(called - best) > 0.5)
            axes.plot(columns, rows, "r.", markersize=2)
        axes.set_title(f"{judged.name}\n{float(judged.range.value):.6f}", fontsize="medium")
        axes.set_xticks(range(len(RANKS)), list(RANKS))
        axes.set_yticks(range(0, len(names), _EVERY), names[::_EVERY])
        axes.set_xlabel("open card")
    figure.colorbar(image, ax=row, label="share called; red: mostly not as is best")
    with drafted(path) as draft:
        figure.savefig(draft, format=Path(path).suffix[1:])
