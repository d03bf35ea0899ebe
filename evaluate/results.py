"""What agents reach, as tables: `python -m backroom.evaluate.results` writes them anew.

Every figure stands in results/results.csv with its interval and the command that makes it again,
and in RESULTS.md for people. The tables, some minutes each, can be made one by one:

    python -m backroom.evaluate.results gang_scripted
"""

import csv
import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..agents import load
from ..agents.neural import NeuralAgent
from ..agents.pretrained import pretrained
from ..envs import configure
from ..envs.engine.files import drafted
from ..envs.the_gang.roster import CHALLENGES, MODES, SPECIALISTS
from .cells import SEED, Cell, all_measured, measured
from .crossplay import cross_play, heat_map
from .docs import markdown
from .exploitability import exploitability
from .gangster_paradise import balance, matrix
from .statistics import Estimate

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "results"
FIELDS = ("table", "row", "column", "figure", "mean", "low", "high", "games", "command")
GANG = {"features": "strength", "episode": "heist"}
GANG_PICTURE = "gang_crossplay.png"


class Table(NamedTuple):
    """A table of RESULTS.md."""

    key: str
    title: str
    text: str
    cells: Callable[[], Iterable[Cell]] | None
    """None: its rows in the CSV file are kept as they are, and made again by their commands."""
    picture: tuple[str, str] | None = None
    """A file in results/ that the cells leave beside them, and what it shows."""


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


def difference(first: Estimate, second: Estimate) -> Estimate:
    """Of two independent shares: from Wilson's intervals (Newcombe 1998, method 10).

    Shares that rise and fall together, as on the same deals, differ by less than it allows for.

    >>> from backroom.evaluate.statistics import wilson
    >>> str(difference(wilson(56, 70), wilson(48, 80)))  # the example of his table II
    '0.2 [0.0524, 0.334]'
    """
    middle = first.mean - second.mean
    down = ((first.mean - first.low) ** 2 + (second.high - second.mean) ** 2) ** 0.5
    up = ((first.high - first.mean) ** 2 + (second.mean - second.low) ** 2) ** 0.5
    return Estimate(middle, middle - down, middle + up)


def gang_modes() -> Iterable[Cell]:
    """Heists that succeed and games that are won, by mode and seats."""
    for name in ("random", "quantile", "clock"):
        for mode in MODES:
            for seats in (3, 4, 5, 6):
                order = {} if mode == "basic" else {"deck_order": "random"}
                game = configure("the_gang", num_players=seats, mode=mode, **order)
                where = {
                    figure: (f"{name}, {mode}", f"{seats} seats: {what}")
                    for figure, what in (("heist_success", "heists"), ("game_win_rate", "games"))
                }
                yield from all_measured(game, [name], where, 800)


def gang_cards() -> Iterable[Cell]:
    """Heists with each card alone, and how much harder or easier it makes them."""
    plain = {}
    for cards in ((), *((card,) for card in (*CHALLENGES, *SPECIALISTS))):
        row = cards[0].replace("_", " ") if cards else "no card"
        for seats in (3, 5):
            for name, games in (("random", 4_000), ("clock", 2_000)):
                mode = "intermediate" if cards else "basic"
                game = configure(
                    "the_gang",
                    num_players=seats,
                    mode=mode,
                    cards_in_force=cards,
                    episode="heist",
                )
                column = f"{name}, {seats} seats"
                cell = measured(game, [name], "heist_success", games, (row, column))
                yield cell
                if not cards:
                    plain[column] = cell.estimate
                    continue
                yield cell._replace(
                    column=f"{column}: effect",
                    figure="difference",
                    command="python -m backroom.evaluate.results gang_cards",
                    estimate=difference(cell.estimate, plain[column]),
                )


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
        heat_map(matrix, FOLDER / GANG_PICTURE)


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


CARIBBEAN_RULES = ("three-rules", "akj83", "match", "pair", "ace-king")
CARIBBEAN_PICTURE = "caribbean_calls.png"


def caribbean() -> Iterable[Cell]:
    """Exact values of the best play, of rules of thumb and of trained policies; their calls."""
    from .caribbean_poker.plot import plot
    from .caribbean_poker.results import figures
    from .caribbean_poker.solve import solve

    game = configure("caribbean_poker", fixed_ante=1)
    trained = list(pretrained(game))
    agents = [load(name, game) for name in (*trained, *CARIBBEAN_RULES)]
    for agent in agents:
        if isinstance(agent, NeuralAgent):
            agent.temperature = 0
    solution = solve(game, agents)
    command = "backroom solve caribbean_poker --set fixed_ante=1"
    best = float(solution.optimal.range.value)
    for judged in (solution.optimal, *solution.judged):
        found = figures(judged.range)
        found["regret"] = best - found["value"]
        own = command if judged is solution.optimal else f"{command} --agents {judged.name}"
        for name in ("value", "regret", "standard_deviation", "fold_rate"):
            where = judged.name, name.replace("_", " ")
            value = found[name]
            yield Cell(*where, name, Estimate(value, value, value), 0, own)
    FOLDER.mkdir(exist_ok=True)
    drawn = [judged for judged in solution.judged if judged.name in ("three-rules", *trained)]
    plot(replace(solution, judged=drawn), FOLDER / CARIBBEAN_PICTURE)


TABLES = (
    Table(
        "gang_scripted",
        "The Gang: conventions, by signalling budget",
        "Share of heists that succeed (3 to 6 seats, basic mode, all seats the same agent). "
        "The budget is `turns_per_round`.",
        gang_scripted,
    ),
    Table(
        "gang_modes",
        "The Gang: scripted agents, by mode",
        "Share of heists that succeed and of games that are won (budget 4, all seats the same "
        "agent, stacks of cards shuffled).",
        gang_modes,
    ),
    Table(
        "gang_cards",
        "The Gang: what each card does",
        "Share of heists that succeed with one card in force, all seats the same agent, budget 4; "
        "and the difference to heists without a card. A specialist of which an agent makes no use "
        "changes nothing, so the effect is that of the card as this agent plays it.",
        gang_cards,
    ),
    Table(
        "gang_trained",
        "The Gang: trained policies, three seats, budget 4",
        "Share of heists that succeed. `ppo-N` was trained from seed N by self-play, 10 million "
        "decisions; one of it sits with two of the column. The gap between the first column and "
        "the others is what its convention is worth only to itself.",
        gang_trained,
        (GANG_PICTURE, "Cross-play: mean return"),
    ),
    Table(
        "cockroach",
        "Cockroach Poker: who loses, three seats",
        "Share of games that the agent of the row loses at a table with two of the column; a fair "
        "share is .333.",
        cockroach,
    ),
    Table(
        "gangster_balance",
        "Gangster Paradise: the balance under scripted agents",
        "Share of LIFE cards of each colour that win, share of games by their best title, and how "
        "long games are; all seats the same agent, or mixed: one of each, and `liar` on all seats "
        "that are left. The cards are partly reconstructed, so this is the balance of this set.",
        balance,
    ),
    Table(
        "gangster_matrix",
        "Gangster Paradise: who wins, five seats",
        "Share of games that the agent of the row wins, alone or with others, at a table with four "
        "of the column.",
        matrix,
    ),
    Table(
        "caribbean",
        "Caribbean Poker: exact values",
        "In antes a round, over all deals: no play, and so no interval. Policies are judged by "
        "their likeliest action. `ppo-N` was trained from seed N.",
        caribbean,
        (CARIBBEAN_PICTURE, "Calls with ace and king, by hand and open card"),
    ),
    Table(
        "caribbean_learning",
        "Caribbean Poker: what is learned in minutes",
        "Exact values in antes a round, by the policies' likeliest actions, after 2 and after 10 "
        "minutes or less. Each row is a single run on one core of two; the learning rate falls to "
        "0 over its decisions. For seed 1 the other core was busy with another of these runs; for "
        "seed 2 the machine had much else to do, so that only the processor time tells.",
        None,
    ),
    Table(
        "kuhn",
        "Kuhn poker: exploitability",
        "Exact, by walking the tree; uniform play has .458, an equilibrium 0.",
        kuhn,
    ),
)


FORMATS = {"value": ".6f", "regret": ".6f", "decisions": ",.0f", "seconds": ",.0f"}
"""How figures are written, where three digits behind the point are too few or too many."""


def shown(estimate: Estimate, figure: str = "") -> str:
    """A figure with half the width of its interval."""
    half = (estimate.high - estimate.low) / 2
    digits = FORMATS.get(figure, ".3f")
    return f"{estimate.mean:{digits}}" + (f" ± {half:{digits}}" if half else "")


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
                row["column"]: shown(
                    Estimate(*(float(row[k]) for k in Estimate._fields)), row["figure"]
                )
                for row in own
                if row["row"] == name
            }
            lines.append((name, *(cells.get(column, "") for column in columns)))
        parts += ["", f"## {table.title}", "", table.text, "", markdown(("", *columns), lines)]
        if table.picture:
            file, text = table.picture
            parts += ["", f"![{text}]({FOLDER.name}/{file})"]
    return "\n".join(parts) + "\n"


def read() -> list[dict[str, str]]:
    """The rows of the CSV file, none if there is no file."""
    path = FOLDER / "results.csv"
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


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
    if fixed := [key for key in keys if known[key].cells is None]:
        raise SystemExit(f"the rows of {', '.join(fixed)} are made one by one, by their commands")
    for key in keys or known:
        if (make := known[key].cells) is None:
            continue
        rows = [row for row in read() if row["table"] != key]
        for cell in make():
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
