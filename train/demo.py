"""`make demo`: learn three games in a few minutes, judge what was learnt, write a game to watch.

    python -m backroom.train.demo --out runs/demo

Budgets are in decisions, so that the result does not depend on the machine. Run again, it goes on
from where it was stopped, or shows the same table at once.
"""

import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.table import Table

from backroom.agents.neural import NeuralAgent
from backroom.envs import Game
from backroom.envs.engine.record_file import write_records
from backroom.evaluate.exploitability import exploitability
from backroom.evaluate.match import play_match
from backroom.evaluate.report import report
from backroom.evaluate.viewer.page import write_page

from . import ppo
from .runs import SETTINGS
from .settings import PPOSettings, load

GAMES = 2000
"""Games that a figure is measured on."""
POINTS = 5
"""Evaluations along the way, so that a learning curve is one."""
TRAINED = "trained"
"""Folder of a run, after which records and pages name the agent, and its name in the table."""
SEED = 2**62
"""Deals of the evaluation start here; training's start elsewhere."""


class Lesson(NamedTuple):
    """One game to learn, and what to look at."""

    game: str
    budget: str
    """Decisions."""
    opponents: tuple[str, ...]
    """Who takes the other seats when it is judged; nobody: it plays itself."""
    baselines: tuple[str, ...]
    """Agents whose figures stand beside its own, each in its place."""
    figure: str
    """Of the report: `heist_success`, `loss_rate`."""
    meaning: str


LESSONS = (
    Lesson("cockroach_poker", "800_000", ("counting",), ("random", "honest"), "loss_rate",
           "games lost of three seats, against two `counting` agents"),
    Lesson("the_gang", "1_500_000", (), ("random", "quantile"), "heist_success",
           "heists that succeed, three seats"),
)  # fmt: skip
KUHN, KUHN_BUDGET = "kuhn", "300_000"


def learn(console: Console, game: str, budget: str, out: Path) -> tuple[Game, Path]:
    """Train `game` for `budget` decisions, or go on; the game and the file of weights."""
    folder = out / game / TRAINED
    changes = [f"total_decisions={budget}", f"evaluate_every={int(budget) // POINTS}"]
    settings = load(PPOSettings, game, changes=changes)
    chosen = settings.make_game()
    part = [KUHN, *(lesson.game for lesson in LESSONS)].index(game) + 1
    console.print(
        f"{part} of {len(LESSONS) + 1}: {chosen.rules.title}, {int(budget):,} decisions",
        highlight=False,
    )
    return chosen, ppo.train(settings, folder, resume=(folder / SETTINGS).is_file()).weights


def figure(game: Game, agents: list[str], name: str) -> str:
    """A figure of the first of `agents`, with its interval."""
    found = report(play_match(game, agents, GAMES, SEED))
    value = found.get(name) or found["agents"][0][name]
    return f"{value['mean']:.3f} ({value['low']:.3f} to {value['high']:.3f})"


def main(
    out: Annotated[Path, typer.Option(help="Where runs and the record go.")] = Path("runs/demo"),
) -> None:
    """Learn, judge, and write a game to watch."""
    console = Console()
    try:
        _learn_all(console, out)
    except KeyboardInterrupt:
        console.print("stopped; the same command goes on from the last checkpoints")
        raise typer.Exit(130) from None


def _learn_all(console: Console, out: Path) -> None:
    """All lessons, and the table of what came of them."""
    table = Table("game", "what", "who", "figure (95 % interval)", title="What was learnt")
    game, weights = learn(console, KUHN, KUHN_BUDGET, out)
    exact = exploitability(game, NeuralAgent.from_file(game, weights, 0)).exploitability
    what = "exploitability, exact (uniform play: 0.458)"
    table.add_row(game.rules.title, what, TRAINED, f"{exact:.3f}", end_section=True)
    records = []
    for lesson in LESSONS:
        game, weights = learn(console, lesson.game, lesson.budget, out)
        players = (*lesson.baselines, str(weights))
        values = [figure(game, [one, *lesson.opponents], lesson.figure) for one in players]
        who = "\n".join([*lesson.baselines, TRAINED])
        table.add_row(game.rules.title, lesson.meaning, who, "\n".join(values), end_section=True)
        record = out / f"{lesson.game}.jsonl"
        agents = [str(weights), *lesson.opponents]
        match = play_match(game, agents, 12, SEED, keep=True, think=True)
        write_records(record, match.records())
        write_page(record.with_suffix(".html"), match.records(), title=game.rules.title)
        records.append(record)
    console.print(table)
    console.print(f"Learning curves: {out}/*/{TRAINED}/curve.png", highlight=False, soft_wrap=True)
    command = Path(sys.executable).with_name("backroom")
    if command.is_relative_to(Path.cwd()):
        command = command.relative_to(Path.cwd())
    for record in records:
        watch = f"Games to watch: {command} watch {record}"
        console.print(watch, highlight=False, soft_wrap=True)
        page = record.with_suffix(".html").resolve().as_uri()
        console.print(f"The same in a browser: {page}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    typer.run(main)
