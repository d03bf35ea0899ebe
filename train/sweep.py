"""The same training with many seeds, on many processes or machines: `backroom sweep`.

A run is trained in stretches, from one checkpoint to the next. A stretch is a function of what the
run has left so far: it is sent to whoever is free, trains in a folder of its own that is gone
afterwards, and sends the run's files back, which are written here. So no file system is shared, and
a node that dies costs one stretch, which another node does again with the same result.

    sweep(settings, [1, 2, 3], Path("runs/sweep"), executor=pool)

Stable-baselines3 does not go on from a checkpoint bit for bit: its runs are one stretch each.
"""

import io
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack, chdir, redirect_stderr
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import msgspec

from backroom.agents.registry import FILES as AGENT_FILES
from backroom.evaluate.executors import AHEAD, Here, Processes

from .checkpoints import read_tensors
from .runs import SETTINGS, write_atomically
from .settings import Settings, convert, to_toml
from .sweep_report import Summary, summarize, write_summary

Algorithm = Literal["ppo", "sb3"]
"""Ways to learn that can be swept; each is a module beside this one."""
STRETCHES = ("ppo",)
"""Those that go on from a checkpoint as if nothing had happened."""
CARRIED = ("checkpoint/", SETTINGS)
"""What the next stretch needs of a run's files."""


class Order(NamedTuple):
    """A stretch of a run, for whoever does it."""

    algorithm: Algorithm
    settings: dict[str, Any]
    files: dict[str, bytes]
    """What the run has left so far, by path in its folder."""
    until: int | None
    """Decisions after which the stretch ends; None for the whole run."""
    agents: dict[str, bytes] | None
    """For machines that have no such files: weights that the settings name, by path."""


class Stretch(NamedTuple):
    """What came of an order."""

    files: dict[str, bytes]
    decisions: int


def train_stretch(order: Order) -> Stretch:
    """Train a stretch of a run."""
    module = import_module(f"backroom.train.{order.algorithm}")
    settings = convert(module.KIND, order.settings)
    until = {"until": order.until} if order.algorithm in STRETCHES else {}
    with TemporaryDirectory(prefix="backroom-") as name, ExitStack() as stack:
        here, out = Path(name) / "here", Path(name) / "run"
        _write(out, order.files)
        if order.agents is not None:
            _write(here, order.agents)
            here.mkdir(exist_ok=True)
            stack.enter_context(chdir(here))
        stack.enter_context(redirect_stderr(io.StringIO()))  # `tell` says what there is to say
        result = module.train(settings, out, resume=bool(order.files), **until)
        return Stretch(_read(out), result.decisions)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        write_atomically(folder / name, partial(_put, content))


def _put(content: bytes, new: Path) -> None:
    new.write_bytes(content)


def _read(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


class SeedRun:
    """One of the runs of a sweep.

    Attributes:
        folder: where its files are.
        decisions: that it was trained on so far.
    """

    def __init__(self, settings: Settings, folder: Path, algorithm: Algorithm) -> None:
        """Look how far it is.

        Raises:
            ValueError: with a sentence, if its checkpoint is damaged.
        """
        self.settings, self.folder, self.algorithm = settings, folder, algorithm
        self.checkpoint, self.weights = (
            folder / name for name in import_module(f"backroom.train.{algorithm}").FILES
        )
        self.decisions = 0
        if algorithm in STRETCHES and self.checkpoint.exists():
            self.decisions = read_tensors(self.checkpoint)[1]["decisions"]
        elif self.weights.exists():
            from backroom.agents.sb3 import read_card

            self.decisions = read_card(self.weights).step

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.weights.exists() and self.decisions >= self.settings.total_decisions

    def order(self, agents: dict[str, bytes] | None) -> Order:
        """Its next stretch."""
        until = None
        files: dict[str, bytes] = {}
        if self.algorithm in STRETCHES:
            every = self.settings.checkpoint_every
            until = (self.decisions // every + 1) * every
            files = {k: v for k, v in _read(self.folder).items() if k.startswith(CARRIED)}
        plain = msgspec.to_builtins(self.settings)
        return Order(self.algorithm, plain, files, until, agents)

    def take(self, stretch: Stretch) -> None:
        """Write what came of a stretch; what the next one goes on from comes last."""
        last = [
            path.relative_to(self.folder).as_posix() for path in (self.checkpoint, self.weights)
        ]
        names = sorted(stretch.files, key=lambda name: (name in last, name))
        _write(self.folder, {name: stretch.files[name] for name in names})
        self.decisions = stretch.decisions


def sweep(
    settings: Settings,
    seeds: Sequence[int],
    out: Path,
    algorithm: Algorithm = "ppo",
    resume: bool = False,
    *,
    executor: Executor | None = None,
    tell: Callable[[int, int], Any] | None = None,
) -> Summary:
    """Train once for each seed, in the folders `out/seed-N`; sum up in `out`.

    Args:
        settings: of all runs, but for their seeds. With one thread, weights are the same whoever
            trains them.
        seeds: of the runs.
        out: the sweep's folder: `summary.json` and `curves.png` beside the runs.
        algorithm: the module that trains.
        resume: go on with what `out` holds; seeds may be added.
        executor: who trains; None for this thread.
        tell: called with a seed and its decisions, after each stretch.

    Raises:
        ValueError: with a sentence, if a setting does not fit the game, if seeds are named twice,
            or if `out` holds a sweep already and `resume` is False, or none and `resume` is True.
    """
    check_sweep(seeds, out, resume)
    plain = msgspec.to_builtins(settings)
    runs = []
    for seed in seeds:
        own = convert(type(settings), {**plain, "seed": seed})
        folder = Path(out) / f"seed-{seed}"
        runs.append(SeedRun(own, folder, algorithm))
        _write(folder, {SETTINGS: to_toml(own).encode()})
    for run in _carried_out(runs, executor or Here(), named_weights(settings)):
        if tell:
            tell(run.settings.seed, run.decisions)
    summary = summarize(settings, algorithm, {r.settings.seed: r.folder for r in runs})
    write_summary(summary, Path(out))
    return summary


def check_sweep(seeds: Sequence[int], out: Path, resume: bool) -> None:
    """Whether a sweep can begin, or go on, in the folder `out`.

    Raises:
        ValueError: with a sentence, if not; see `sweep`.
    """
    held = swept(out)
    if held and not resume:
        raise ValueError(f"{out} holds a sweep already: resume it, or choose another folder")
    if resume and not held:
        raise ValueError(f"{out} holds no sweep to resume")
    if not seeds or len(set(seeds)) < len(seeds):
        raise ValueError(
            f"a sweep wants different seeds, not {' '.join(map(str, seeds)) or 'none'}"
        )


def swept(out: Path) -> list[int]:
    """The seeds of the runs that a folder holds."""
    found = (
        path.parent.name.removeprefix("seed-") for path in Path(out).glob(f"seed-*/{SETTINGS}")
    )
    return sorted(int(seed) for seed in found if seed.isdecimal())


def _carried_out(
    runs: Sequence[SeedRun], executor: Executor, agents: dict[str, bytes]
) -> Iterator[SeedRun]:
    """Train all runs to their end; each is told after each of its stretches."""
    workers = getattr(executor, "workers", 1)
    limit = 1 if isinstance(executor, Here) else AHEAD * workers
    sent = None if isinstance(executor, Here | Processes) else agents
    waiting = deque(run for run in runs if not run.finished)
    going: dict[Future[Stretch], SeedRun] = {}
    try:
        while waiting or going:
            while waiting and len(going) < limit:
                run = waiting.popleft()
                going[executor.submit(train_stretch, run.order(sent))] = run
            for future in wait(going, return_when=FIRST_COMPLETED).done:
                run = going.pop(future)
                run.take(future.result())
                if not run.finished:
                    waiting.appendleft(run)
                yield run
    finally:
        for future in going:
            future.cancel()


def named_weights(settings: Settings) -> dict[str, bytes]:
    """The weights that settings name by file, by path: other machines do not have them.

    Paths from the root, or up from the current folder, are left out: they are nobody's to write.
    """
    named = [
        Path(name) for name in (*settings.evaluate_against, *getattr(settings, "opponents", ()))
    ]
    found: dict[str, bytes] = {}
    for path in named:
        if path.is_absolute() or ".." in path.parts or not path.exists():
            continue
        files = [path] if path.is_file() else sorted(path.glob("policy*"))
        found |= {
            file.as_posix(): file.read_bytes() for file in files if file.suffix in AGENT_FILES
        }
    return found
