"""What agents reach, as tables: `python -m backroom.evaluate.results` writes them anew.

Every figure stands in results/results.csv with its interval and the command that makes it again,
and in RESULTS.md for people. The tables, some minutes each, can be made one by one:

    python -m backroom.evaluate.results gang_scripted
"""

import csv
import io
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..agents.neural import NeuralAgent
from ..agents.pretrained import pretrained
from ..envs import configure
from ..envs.engine.files import drafted
from ..envs.engine.game import Game
from .crossplay import cross_play, heat_map
from .docs import markdown
from .exploitability import exploitability
from .match import play_match
from .report import report
from .statistics import Estimate

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "results"
SEED = 1
FIELDS = ("table", "row", "column", "figure", "mean", "low", "high", "games", "command")
GANG = {"features": "strength", "episode": "heist"}


class Cell(NamedTuple):
    """A figure of a match, and where it stands."""

    row: str
    column: str
    figure: str
    estimate: Estimate
    games: int
    command: str


class Table(NamedTuple):
    """A table of RESULTS.md."""

    key: str
    title: str
    text: str
    cells: Callable[[], Iterable[Cell]]


def measured(
    game: Game, agents: list[str], figure: str, games: int, where: tuple[str, str]
) -> Cell:
    """The figure of the first of `agents` in a match."""
    found = report(play_match(game, agents, games, SEED))
    value = found.get(figure) or found["agents"][0][figure]
    changed = changed_options(game)
    options = f" --set {' '.join(f'{k}={v}' for k, v in changed.items())}" if changed else ""
    who = " ".join(agents)
    command = f"backroom evaluate {game.name} --agents {who} --games {games} --seed {SEED}{options}"
    estimate = Estimate(value["mean"], value["low"], value["high"])
    return Cell(*where, figure, estimate, found["games"], command)


def changed_options(game: Game) -> dict[str, Any]:
    """The options that differ from the default."""
    default = game.rules.configure().settings()
    return {k: v for k, v in game.settings().items() if v != default[k]}


def gang_scripted() -> Iterable[Cell]:
    """Conventions by budget and seats."""
    for name, games in (
        ("random", 4_000),
        ("quantile", 4_000),
        ("clock", 4_000),
        ("codebook", 500),
    ):
        for budget in (1, 2, 4, 8):
            for seats in (3, 4, 5, 6):
                game = configure(
                    "the_gang", num_players=seats, turns_per_round=budget, episode="heist"
                )
                where = (f"{name}, budget {budget}", f"{seats} seats")
                yield measured(game, [name], "heist_success", games, where)


def gang_trained() -> Iterable[Cell]:
    """Trained policies with themselves, with each other, and with conventions."""
    game = configure("the_gang", num_players=3, **GANG)
    names = list(pretrained(game))
    for name in names:
        yield measured(game, [name], "heist_success", 5_000, (name, "with itself"))
        for other in [*(n for n in names if n != name), "quantile", "clock"]:
            yield measured(game, [name, other], "heist_success", 5_000, (name, f"with two {other}"))
    if names:
        matrix = cross_play(game, [*names, "quantile", "clock"], 3_000, SEED)
        FOLDER.mkdir(exist_ok=True)
        heat_map(matrix, FOLDER / "gang_crossplay.png")


def cockroach() -> Iterable[Cell]:
    """Every agent alone at a table of each."""
    game = configure("cockroach_poker", num_players=3)
    names = ["random", "honest", "bluffer", "counting", *pretrained(game)]
    for name in names:
        for other in names:
            agents = [name] if name == other else [name, other]
            yield measured(game, agents, "loss_rate", 3_000, (name, f"against two {other}"))


def kuhn() -> Iterable[Cell]:
    """How much could be won from policies trained by self-play."""
    game = configure("kuhn")
    for name, path in pretrained(game).items():
        value = exploitability(game, NeuralAgent.from_file(game, path, 0)).exploitability
        command = "python -m backroom.evaluate.results kuhn"
        yield Cell(name, "exact", "exploitability", Estimate(value, value, value), 0, command)


TABLES = (
    Table(
        "gang_scripted",
        "The Gang: conventions, by signalling budget",
        "Share of heists that succeed (3 to 6 seats, basic mode, all seats the same agent). "
        "The budget is `turns_per_round`.",
        gang_scripted,
    ),
    Table(
        "gang_trained",
        "The Gang: trained policies, three seats, budget 4",
        "Share of heists that succeed. `ppo-N` was trained from seed N by self-play, 10 million "
        "decisions; one of it sits with two of the column. The gap between the first column and "
        "the others is what its convention is worth only to itself.",
        gang_trained,
    ),
    Table(
        "cockroach",
        "Cockroach Poker: who loses, three seats",
        "Share of games that the agent of the row loses at a table with two of the column; a fair "
        "share is .333.",
        cockroach,
    ),
    Table(
        "kuhn",
        "Kuhn poker: exploitability",
        "Exact, by walking the tree; uniform play has .458, an equilibrium 0.",
        kuhn,
    ),
)


def shown(estimate: Estimate) -> str:
    """A figure with half the width of its interval."""
    half = (estimate.high - estimate.low) / 2
    return f"{estimate.mean:.3f}" + (f" ± {half:.3f}" if half else "")


def page(rows: list[dict[str, str]]) -> str:
    """RESULTS.md, from the rows of the CSV file."""
    parts = [
        "# Results",
        "",
        "Written by `python -m backroom.evaluate.results`; each figure with its 95 % interval and "
        "the command that makes it again stands in [results/results.csv](results/results.csv). "
        "Deals are the same for all agents, and seats are rotated. The weights and settings of "
        "trained policies lie in [agents/pretrained](agents/pretrained).",
    ]
    for table in TABLES:
        own = [row for row in rows if row["table"] == table.key]
        if not own:
            continue
        columns = list(dict.fromkeys(row["column"] for row in own))
        lines = []
        for name in dict.fromkeys(row["row"] for row in own):
            cells = {
                row["column"]: shown(Estimate(*(float(row[k]) for k in Estimate._fields)))
                for row in own
                if row["row"] == name
            }
            lines.append((name, *(cells.get(column, "") for column in columns)))
        parts += ["", f"## {table.title}", "", table.text, "", markdown(("", *columns), lines)]
        if (FOLDER / f"{table.key.removesuffix('_trained')}_crossplay.png").exists():
            picture = f"results/{table.key.removesuffix('_trained')}_crossplay.png"
            parts += ["", f"![Cross-play: mean return]({picture})"]
    return "\n".join(parts) + "\n"


def read() -> list[dict[str, str]]:
    """The rows of the CSV file, none if there is no file."""
    path = FOLDER / "results.csv"
    return list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(exist_ok=True)
    with drafted(path) as new:
        new.write_text(text, encoding="utf-8")


def main(keys: list[str]) -> None:
    """Make the tables named, or all, and write both files.

    Raises:
        SystemExit: if there is no such table.
    """
    known = {table.key: table for table in TABLES}
    if unknown := set(keys) - set(known):
        raise SystemExit(f"there is no table {', '.join(unknown)}; there are {', '.join(known)}")
    for key in keys or known:
        rows = [row for row in read() if row["table"] != key]
        for cell in known[key].cells():
            figures = [f"{x:.6g}" for x in cell.estimate]
            values = (key, cell.row, cell.column, cell.figure, *figures, cell.games, cell.command)
            rows.append(dict(zip(FIELDS, map(str, values), strict=True)))
            print(f"{key}: {cell.row}, {cell.column}: {cell.estimate}", file=sys.stderr)
        rows.sort(key=lambda row: list(known).index(row["table"]))
        text = io.StringIO()
        writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write(FOLDER / "results.csv", text.getvalue())
        write(ROOT / "RESULTS.md", page(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
