"""The folder of a run, its learning curve and its progress: what all ways of training share.

settings.toml       what the run was told
policy.safetensors  the weights (`policy.zip` for stable-baselines3; `policy-0.safetensors` and so
                    on where each seat has its own)
checkpoint/         what a killed run goes on from
curve.csv, .png     the evaluations along the way
tensorboard/        the same and more, for TensorBoard
"""

import csv
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Column, Table

from backroom.agents import Agent
from backroom.envs import Game
from backroom.envs.engine.files import drafted
from backroom.envs.engine.names import several
from backroom.evaluate.exploitability import DEALS, exploitability
from backroom.evaluate.match import play_match
from backroom.evaluate.report import report
from backroom.evaluate.statistics import Estimate

from .settings import Settings, to_toml
from .stopping import asked_to_stop

EVALUATION_SEED = 2**63
"""Deals of evaluations start here: the same in each, and none of training's, which start below."""

SETTINGS = "settings.toml"
"""What a run was told, in its folder."""

FILES_OF = {
    "ppo": ("checkpoint/latest.safetensors", "policy.safetensors"),
    "sb3": ("checkpoint/latest.zip", "policy.zip"),
    "rllib": ("checkpoint/rllib.safetensors", "policy.safetensors", "policy-0.safetensors"),
}
"""For each way to learn the checkpoint of a run, and where its weights are at the end."""

QUIET_SECONDS = 10.0
"""Between two lines of progress, where there is no terminal to draw on."""

Row = dict[str, float]
"""A point of a learning curve: decisions, seconds, and figures by name."""


class Result(NamedTuple):
    """What a training leaves."""

    weights: Path
    """The file of the trained policy; of a run that was stopped on its way, where it will be."""
    decisions: int
    """Decisions that it was trained on."""
    curve: list[Row]
    """The evaluations."""


class Timer(NamedTuple):
    """Says when `every` decisions have gone by."""

    every: int

    def due(self, before: int, now: int) -> bool:
        """Whether a multiple of `every` lies between."""
        return before // self.every < now // self.every


def measure(game: Game, agent: Agent, against: Sequence[str], games: int) -> dict[str, Estimate]:
    """What `agent` reaches: with itself in all seats, and alone at a table of each of `against`.

    Returns:
        Estimates by name: `self.heist_success`, `random.return`, ...; where the game can be walked,
        `exploitability` too, which is exact.
    """
    found: dict[str, Estimate] = {}
    for other in ("self", *against):
        agents: list[str | Agent] = [agent] if other == "self" else [agent, other]
        match = play_match(game, agents, games, EVALUATION_SEED)
        own = report(match)["agents"][0]
        figures = {"return": own, **{k: v for k, v in own.items() if k != "seats"}}
        for name, figure in figures.items():
            if isinstance(figure, dict):
                ends = (math.nan if figure[k] is None else figure[k] for k in Estimate._fields)
                found[f"{other}.{name}"] = Estimate(*ends)
    if game.name in DEALS:
        exact = exploitability(game, agent).exploitability
        found["exploitability"] = Estimate(exact, exact, exact)
    return found


def flat(estimates: Mapping[str, Estimate]) -> Row:
    """Estimates as columns: the mean by name, and the ends of its interval."""
    return {
        name + end: value
        for name, estimate in estimates.items()
        for end, value in zip(("", ".low", ".high"), estimate, strict=True)
    }


def write_atomically(path: Path, write: Callable[[Path], Any]) -> None:
    """Let `write` make the file, in a folder of its own making if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with drafted(path) as new:
        write(new)


def check_folder(out: Path, resume: bool, files: Sequence[str]) -> None:
    """Whether a run can begin, or go on, in the folder `out`.

    Args:
        out: the folder.
        resume: whether it is to go on.
        files: what this way of training leaves there: its checkpoint and its weights.

    Raises:
        ValueError: with a sentence, if not.
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file, and a run wants a folder")
    held = any((out / name).exists() for name in files)
    if not resume and any((out / name).exists() for way in FILES_OF.values() for name in way):
        raise ValueError(f"{out} holds a run already: resume it, or choose another folder")
    if resume and not held and not (out / SETTINGS).exists():
        raise ValueError(f"{out} holds no run to resume")


class Run:
    """A run's folder, and what is said of its progress; use it in a `with` statement.

    Attributes:
        out: the folder.
        curve: the points so far.
        seconds: that earlier parts of this run took.
    """

    def __init__(self, out: Path, settings: Settings, title: str) -> None:
        """Prepare; nothing is written yet."""
        self.out, self.settings, self.title = Path(out), settings, title
        self.total = settings.total_decisions
        self.curve: list[Row] = []
        self.seconds = 0.0
        self.console = Console(stderr=True)
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._scalars: Any = None
        self._start = self._said = time.perf_counter()
        self._done_before = 0

    def __enter__(self) -> "Run":
        """Make the folder, write the settings, and begin to tell progress."""
        self.out.mkdir(parents=True, exist_ok=True)
        text = to_toml(self.settings)
        write_atomically(self.out / SETTINGS, lambda new: new.write_text(text, encoding="utf-8"))
        self._start = self._said = time.perf_counter()
        if self.console.is_terminal:
            columns = ("{task.description}", BarColumn(), TextColumn("{task.fields[text]}"))
            self._progress = Progress(*columns, TimeRemainingColumn(), console=self.console)
            self._task = self._progress.add_task(self.title, total=self.total, text="")
            self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop telling progress."""
        if self._progress:
            self._progress.stop()
        if self._scalars:
            self._scalars.close()

    def resumed(self, decisions: int, seconds: float, curve: list[Row]) -> None:
        """This is the rest of a run."""
        self._done_before, self.seconds, self.curve = decisions, seconds, curve
        self.say(f"going on from {several(decisions, 'decision', ',')}")

    def anew(self) -> None:
        """It was to go on, but was stopped before its first checkpoint."""
        self.say("there is no checkpoint yet: beginning anew")

    def stopped(self, decisions: int) -> NoReturn:
        """It ends here, after a checkpoint.

        Raises:
            KeyboardInterrupt: always.
        """
        self.say(
            f"a checkpoint is written after {several(decisions, 'decision', ',')}: "
            "--resume goes on from it"
        )
        raise KeyboardInterrupt

    def elapsed(self) -> float:
        """Seconds that the run took, all parts together."""
        return self.seconds + time.perf_counter() - self._start

    def tell(self, decisions: int) -> None:
        """Progress: how far the run is, how fast, and how long it still takes."""
        now = time.perf_counter()
        rate = (decisions - self._done_before) / max(now - self._start, 1e-9)
        text = f"{decisions:,} of {several(self.total, 'decision', ',')}, {rate:,.0f}/s"
        if self._progress:
            self._progress.update(self._task, completed=decisions, text=text)
        elif now - self._said > QUIET_SECONDS:
            self._said = now
            left = max(self.total - decisions, 0) / max(rate, 1e-9)
            self.say(f"{text}, {left:,.0f} s left")

    def say(self, text: str) -> None:
        """A line, above the progress."""
        self.console.print(f"{self.title}: {text}", highlight=False, markup=False, soft_wrap=True)

    def scalars(self, decisions: int, values: Mapping[str, float]) -> None:
        """Write `values` for TensorBoard."""
        if self._scalars is None:
            from torch.utils.tensorboard.writer import SummaryWriter

            folder = str(self.out / "tensorboard")
            # What an earlier part wrote after its last checkpoint is hidden: it comes again.
            self._scalars = SummaryWriter(folder, purge_step=decisions)
        for name, value in values.items():
            self._scalars.add_scalar(name, value, decisions)

    def point(self, decisions: int, figures: Mapping[str, Estimate]) -> None:
        """Add an evaluation to the curve, and write it."""
        row = {"decisions": float(decisions), "seconds": self.elapsed(), **flat(figures)}
        self.curve.append(row)
        write_atomically(self.out / "curve.csv", self._write_csv)
        self.scalars(decisions, {f"evaluation/{name}": e.mean for name, e in figures.items()})
        said = ", ".join(f"{name} {estimate}" for name, estimate in headlines(figures).items())
        self.say(f"{several(decisions, 'decision', ',')}: {said}")

    def read_curve(self, decisions: int) -> list[Row]:
        """The points that the folder holds, up to `decisions`."""
        path = self.out / "curve.csv"
        if not path.exists():
            return []
        with path.open(newline="", encoding="utf-8") as file:
            rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(file)]
        return [row for row in rows if row["decisions"] <= decisions]

    def _write_csv(self, new: Path) -> None:
        names = list(dict.fromkeys(name for row in self.curve for name in row))
        with new.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names, restval="")
            writer.writeheader()
            writer.writerows(self.curve)

    def finish(self, weights: Path, decisions: int, figures: Mapping[str, Estimate]) -> Result:
        """Draw the curve, and sum up."""
        plot(self.curve, self.out / "curve.png", self.title)
        numbers = (Column(name, no_wrap=True) for name in ("mean", "95 % interval"))
        table = Table("figure", *numbers, title=self.title)
        for name, e in figures.items():
            table.add_row(name, f"{e.mean:.4g}", e.interval())
        self.console.print(table)
        played = several(decisions, "decision", ",")
        self.say(f"{played} in {self.elapsed():,.0f} s; weights: {weights}")
        return Result(weights, decisions, self.curve)


class Learner(Protocol):
    """A way to learn, an update at a time."""

    @property
    def settings(self) -> Settings:
        """What it was told."""

    @property
    def game(self) -> Game:
        """What it plays."""

    @property
    def decisions(self) -> int:
        """That it was trained on so far."""

    def learn(self) -> dict[str, float]:
        """Play, and take the steps of one update; figures of how it went."""

    def agent(self) -> Agent:
        """The learner as it would be left now."""

    def export(self, path: Path) -> None:
        """Write the weights into this file, or into this folder, one a seat."""

    def save(self, path: Path, run: Run) -> None:
        """Write a checkpoint."""


def carry_out(
    learner: Learner, run: Run, checkpoint: Path, weights: Path, until: int | None = None
) -> Result:
    """Train until the budget is spent: evaluations and checkpoints along the way, then weights.

    Args:
        learner: who learns.
        run: the run, whose folder is written.
        checkpoint: the file to go on from.
        weights: where they go at the end.
        until: stop after the update that reaches so many decisions, with a checkpoint alone.

    Raises:
        KeyboardInterrupt: after Ctrl-C, once the update under way is done and a checkpoint written.
    """
    with run, asked_to_stop(run.say) as asked:
        for figures in _rounds(learner, run, checkpoint, until):
            run.scalars(learner.decisions, {f"train/{k}": v for k, v in figures.items()})
            run.tell(learner.decisions)
            if asked():
                learner.save(checkpoint, run)
                run.stopped(learner.decisions)
        if learner.decisions < run.total:
            learner.save(checkpoint, run)
            return Result(weights, learner.decisions, run.curve)
        learner.export(weights)
        final = _evaluate(learner)
        if not run.curve or run.curve[-1]["decisions"] != learner.decisions:
            run.point(learner.decisions, final)
        learner.save(checkpoint, run)
        return run.finish(weights, learner.decisions, final)


def _rounds(
    learner: Learner, run: Run, checkpoint: Path, until: int | None
) -> Iterator[dict[str, float]]:
    settings = learner.settings
    goal = min(settings.total_decisions, until or settings.total_decisions)
    evaluations, checkpoints = Timer(settings.evaluate_every), Timer(settings.checkpoint_every)
    while learner.decisions < goal:
        before = learner.decisions
        yield learner.learn()
        if evaluations.due(before, learner.decisions):
            run.point(learner.decisions, _evaluate(learner))
        if checkpoints.due(before, learner.decisions):
            learner.save(checkpoint, run)


def _evaluate(learner: Learner) -> dict[str, Estimate]:
    settings = learner.settings
    return measure(
        learner.game, learner.agent(), settings.evaluate_against, settings.evaluate_games
    )


def headlines(figures: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """The figures that say most: returns, exploitability, shares of success or loss."""
    main = ("return", "heist_success", "loss_rate", "exploitability")
    found = {name: e for name, e in figures.items() if name.rpartition(".")[2] in main}
    # In self-play of a game with winners and losers, the return says nothing.
    return {k: e for k, e in found.items() if k not in ("self.return", "self.loss_rate")} or found


def unit(most: float) -> tuple[float, str]:
    """In what an axis of up to `most` decisions counts them: how many, and what it is called."""
    for size, name in ((1e6, "million decisions"), (1e3, "thousand decisions")):
        if most >= size:
            return size, name
    return 1.0, "decisions"


def plot(curve: Sequence[Row], path: Path, title: str) -> None:
    """Draw the headlines of `curve` with their intervals, a panel each, into a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not curve:
        return
    whole = {k: Estimate(0, 0, 0) for k in curve[-1] if k + ".low" in curve[-1]}
    names = list(headlines(whole))
    figure = Figure(figsize=(6, 2.6 * max(len(names), 1)), layout="constrained")
    FigureCanvasAgg(figure)
    size, label = unit(curve[-1]["decisions"])
    x = np.array([row["decisions"] for row in curve]) / size
    panels: Any = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0] if names else []
    for panel, name in zip(panels, names, strict=True):
        y, low, high = (
            np.array([row.get(name + end, math.nan) for row in curve])
            for end in ("", ".low", ".high")
        )
        panel.plot(x, y, marker=".")
        panel.fill_between(x, low, high, alpha=0.25)
        panel.set_ylabel(name)
        panel.grid(alpha=0.3)
    if names:
        panels[0].set_title(title)
        panels[-1].set_xlabel(label)
    write_atomically(path, lambda new: figure.savefig(new, format="png", dpi=120))
