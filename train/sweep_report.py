"""What a sweep says: figures of each seed, means over seeds with their intervals, all curves."""

import csv
import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from backroom.evaluate.report import plain
from backroom.evaluate.statistics import Estimate, mean

from .runs import Row, headlines, unit, write_atomically
from .settings import Settings

SUMMARY, CURVES = "summary.json", "curves.png"


class Summary(NamedTuple):
    """A sweep that was carried out."""

    settings: Settings
    algorithm: str
    curves: dict[int, list[Row]]
    """The evaluations of each seed."""
    weights: dict[int, str]
    """The SHA-256 of each seed's weights."""

    @property
    def figures(self) -> dict[str, list[float]]:
        """The last evaluation: each figure, of the seeds in their order."""
        last = [curve[-1] for curve in self.curves.values()]
        names = [name for name in last[0] if f"{name}.low" in last[0]]
        return {name: [row.get(name, math.nan) for row in last] for name in names}

    @property
    def means(self) -> dict[str, Estimate]:
        """Means over seeds; their intervals are of the method, over what seeds decide."""
        return {name: mean(np.array(values)) for name, values in self.figures.items()}

    def plain(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        settings = msgspec.to_builtins(self.settings)
        del settings["seed"]
        seeds = list(self.curves)
        return {
            "algorithm": self.algorithm,
            "settings": settings,
            "runs": [
                {
                    "seed": seed,
                    "weights": self.weights[seed],
                    "decisions": int(self.curves[seed][-1]["decisions"]),
                    "figures": {name: values[k] for name, values in self.figures.items()},
                }
                for k, seed in enumerate(seeds)
            ],
            "figures": {name: plain(estimate) for name, estimate in self.means.items()},
        }


def summarize(settings: Settings, algorithm: str, folders: Mapping[int, Path]) -> Summary:
    """Read what the runs of a sweep have left in their folders, by seed."""
    curves, weights = {}, {}
    for seed, folder in folders.items():
        with (folder / "curve.csv").open(newline="", encoding="utf-8") as file:
            curves[seed] = [
                {k: float(v) for k, v in row.items() if v} for row in csv.DictReader(file)
            ]
        (path,) = folder.glob("policy.*")
        weights[seed] = hashlib.sha256(path.read_bytes()).hexdigest()
    return Summary(settings, algorithm, curves, weights)


def write_summary(summary: Summary, out: Path) -> None:
    """Write `summary.json` and `curves.png` into the folder `out`."""
    text = json.dumps(summary.plain(), indent=2, allow_nan=False) + "\n"
    write_atomically(out / SUMMARY, lambda new: new.write_text(text, encoding="utf-8"))
    _plot(summary, out / CURVES)


def mean_curve(curves: Mapping[int, list[Row]], name: str) -> tuple[np.ndarray, np.ndarray]:
    """Decisions and mean of a figure over seeds, where all curves have been, float64[N] each.

    Seeds are evaluated after slightly different numbers of decisions: between, curves are straight.
    """
    points = []
    for curve in curves.values():
        rows = [row for row in curve if name in row]
        points.append((np.array([r["decisions"] for r in rows]), np.array([r[name] for r in rows])))
    first, last = max(x[0] for x, _ in points), min(x[-1] for x, _ in points)
    everywhere = np.unique(np.concatenate([x for x, _ in points]))
    x = everywhere[(first <= everywhere) & (everywhere <= last)]
    return x, np.mean([np.interp(x, *point) for point in points], axis=0)


def _plot(summary: Summary, path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = list(headlines(summary.means))
    figure = Figure(figsize=(6, 2.6 * len(names)), layout="constrained")
    FigureCanvasAgg(figure)
    size, label = unit(max(curve[-1]["decisions"] for curve in summary.curves.values()))
    panels: Any = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for panel, name in zip(panels, names, strict=True):
        for seed, curve in summary.curves.items():
            rows = [row for row in curve if name in row]
            own = [row["decisions"] / size for row in rows], [row[name] for row in rows]
            panel.plot(*own, linewidth=0.8, label=f"seed {seed}")
        x, y = mean_curve(summary.curves, name)
        panel.plot(x / size, y, color="black", linewidth=2, label="mean")
        panel.set_ylabel(name)
        panel.grid(alpha=0.3)
    if len(summary.curves) <= 10:
        panels[0].legend(fontsize="x-small")
    panels[0].set_title(f"{summary.settings.game['name']}, {summary.algorithm}")
    panels[-1].set_xlabel(label)
    write_atomically(path, lambda new: figure.savefig(new, format="png", dpi=120))
