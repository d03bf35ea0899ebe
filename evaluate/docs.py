"""Tables in the READMEs that are facts of the code: `make docs` writes, a test checks them.

A table stands between two comments, `<!-- options -->` and `<!-- end -->`; whatever is between them
is written anew. The READMEs of the games have `TABLES`, that of this folder `FIGURE_TABLES`,
that of the viewers `RECORD_TABLES`.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
import numpy as np

from ..agents.registry import about
from ..envs import GAMES
from ..envs.engine.game import Rules
from ..envs.engine.names import unknown
from ..envs.engine.options import value_range
from ..envs.engine.record import Move, Record, SeatRecord, View, Who
from ..envs.gangster_paradise.card_table import PUBLISHED, load
from .figures import FIGURES, SEAT_FIGURES

ENVS = Path(__file__).resolve().parents[1] / "envs"


def markdown(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table in Markdown."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def description(annotation: Any) -> str:
    """What an option is for, from its type's metadata."""
    metas = get_args(annotation)[1:] if get_origin(annotation) is not Literal else ()
    texts = [m.description for m in metas if isinstance(m, msgspec.Meta) and m.description]
    return texts[0] if texts else ""


def options_table(rules: Rules) -> str:
    """All options with their values, defaults and purposes."""
    fields = msgspec.structs.fields(rules.options)
    if not fields:
        return "There are no options."
    defaults = rules.configure().settings()
    rows = (
        (
            f"`{f.name}`",
            value_range(f.type),
            f"`{str(defaults[f.name]).lower()}`",
            description(f.type),
        )
        for f in fields
    )
    return markdown(("option", "values", "default", "meaning"), rows)


def observation_table(rules: Rules) -> str:
    """All parts of the observation with the default options, in their order."""
    game = rules.configure()
    at, rows = 0, []
    for part in game.facts.parts:
        size = int(np.prod(part.shape))
        shape = " x ".join(map(str, part.shape))
        rows.append((f"`{part.name}`", at, shape, f"{part.low} to {part.high}", part.meaning))
        at += size
    table = markdown(("part", "from cell", "shape", "values", "meaning"), rows)
    return f"{table}\n\n{game.observation_size} cells of int8 with the default options."


def sizes_table(rules: Rules) -> str:
    """Cells and actions by the number of seats."""
    seats = next(
        (f for f in msgspec.structs.fields(rules.options) if f.name == "num_players"), None
    )
    if seats is None:
        games = [rules.configure()]
    else:
        limits = next(m for m in get_args(seats.type) if isinstance(m, msgspec.Meta))
        games = [rules.configure(num_players=n) for n in range(limits.ge, limits.le + 1)]  # type: ignore[arg-type,operator]
    rows = ((g.players, g.observation_size, len(g.actions), g.facts.max_moves) for g in games)
    return markdown(("seats", "observation cells", "actions", "moves at most"), rows)


def agents_table(rules: Rules) -> str:
    """The scripted agents of a game, with what each does."""
    found = about(rules.configure()).items()
    rows = ((f"`{name}`", line) for name, line in found if not name.startswith("ppo-"))
    return markdown(("agent", "what it does"), rows)


def cards_table(rules: Rules) -> str:
    """The card table that comes with Gangster Paradise, with what each line rests on."""
    head = "id English Japanese kind cost basic advanced show use actions limit effect".split()
    rows = (
        (
            f"`{card.id}`",
            card.english,
            card.japanese or "-",
            card.kind,
            card.cost or "-",
            card.basic,
            card.advanced,
            "yes" if card.show else "no",
            card.use,
            card.actions if card.use in ("reveal", "discard") else "-",
            card.limit or "-",
            " ".join(map(str, (card.effect, *card.numbers))),
            f"**{card.grade}**: {card.note}",
        )
        for card in load(PUBLISHED)
    )
    return markdown((*head, "grade, and what is known"), rows)


TABLES: dict[str, Callable[[Rules], str]] = {
    "cards": cards_table,
    "options": options_table,
    "observation": observation_table,
    "sizes": sizes_table,
    "agents": agents_table,
}


def figures_table(name: str) -> str:
    """What a match of a game counts: for the table, and for each agent."""
    rows = [(f"`{f.name}`", f.meaning, "all seats") for f in FIGURES.get(name, ())]
    rows += [(f"`{f.name}`", f.meaning, "each agent") for f in SEAT_FIGURES.get(name, ())]
    return markdown(("figure", "meaning", "of"), rows)


FIGURE_TABLES: dict[str, Callable[[], str]] = {
    name: partial(figures_table, name) for name in sorted(FIGURES)
}


def fields_table(*kinds: type) -> str:
    """The fields of some structs with what their source says of them."""
    rows = []
    for kind in kinds:
        (body,) = ast.parse(inspect.getsource(kind)).body
        assert isinstance(body, ast.ClassDef)
        said = {
            before.target.id: after.value.value
            for before, after in pairwise(body.body)
            if isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        }
        for field in msgspec.structs.fields(kind):
            meaning = " ".join(str(said.get(field.name, "")).split())
            rows.append((kind.__name__, f"`{field.encode_name}`", meaning))
    return markdown(("of", "field", "meaning"), rows)


RECORD_TABLES: dict[str, Callable[[], str]] = {
    "record": partial(fields_table, Record, Who, Move),
    "seat_record": partial(fields_table, SeatRecord, View),
}


def filled(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """`text` with each marked table made anew from the code.

    Raises:
        ValueError: if a mark names no table.
    """

    def table(match: re.Match[str]) -> str:
        if match[1] not in tables:
            raise ValueError(unknown("table", match[1], tables))
        return f"<!-- {match[1]} -->\n{tables[match[1]]()}\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", table, text, flags=re.S)


def rewritten(text: str, rules: Rules) -> str:
    """The README of a game with its tables made anew.

    Raises:
        ValueError: if a mark names no table.
    """
    return filled(text, {name: partial(table, rules) for name, table in TABLES.items()})


def write(path: Path, tables: Mapping[str, Callable[[], str]]) -> None:
    """Write the tables in the file `path` anew, if they are stale, and say so."""
    before = path.read_text(encoding="utf-8")
    after = filled(before, tables)
    if after != before:
        path.write_text(after, encoding="utf-8")
        print(f"written: {path.parent.name}/{path.name}")


def main() -> None:
    """Write the tables of all games of the suite, of figures and of records."""
    for rules in GAMES.values():
        if not (ENVS / rules.name).is_dir():  # of a package that is installed beside it
            continue
        tables = {name: partial(table, rules) for name, table in TABLES.items()}
        write(ENVS / rules.name / "README.md", tables)
    write(Path(__file__).with_name("README.md"), FIGURE_TABLES)
    write(Path(__file__).with_name("viewer") / "README.md", RECORD_TABLES)


if __name__ == "__main__":
    main()
