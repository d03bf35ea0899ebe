"""Tables in the READMEs that are facts of the code: `make docs` writes, a test checks them.

A table stands between two comments, `<!-- options -->` and `<!-- end -->`, in the README of a game
or of the viewers; whatever is between them is written anew.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
import numpy as np

from ..envs import GAMES
from ..envs.engine.game import Rules, option_types
from ..envs.engine.record import Move, Record, SeatRecord, View, Who

ENVS = Path(__file__).resolve().parents[1] / "envs"
VIEWER = Path(__file__).with_name("viewer") / "README.md"


def markdown(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table in Markdown."""
    lines = [list(head), *([str(cell) for cell in row] for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def value_range(annotation: Any) -> str:
    """The values that an option of this type takes, in words.

    >>> value_range(Literal["a", "b"])
    '`a`, `b`'
    >>> value_range(tuple[bool, ...] | None)
    'each `true`, `false`; or `none`'
    """
    if type(None) in (kinds := get_args(annotation)):
        some = [value_range(kind) for kind in kinds if kind is not type(None)]
        return "; or ".join([*some, "`none`"])
    whole = option_types(annotation)[0]
    if type(None) not in option_types(annotation) and get_origin(whole) is tuple:
        return f"each {value_range(get_args(whole)[0])}"
    if annotation is bool:
        return "`true`, `false`"
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(annotation))
    base, *metas = get_args(annotation) or (annotation,)
    limits = next((m for m in metas if isinstance(m, msgspec.Meta)), msgspec.Meta())
    if limits.ge is not None and limits.le is not None:
        return f"{limits.ge} to {limits.le}"
    return value_range(base) if metas else getattr(base, "__name__", str(base))


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


TABLES: dict[str, Callable[[Rules], str]] = {
    "options": options_table,
    "observation": observation_table,
    "sizes": sizes_table,
}
"""Of a game."""
RECORD_TABLES: dict[str, Callable[[], str]] = {
    "record": lambda: fields_table(Record, Who, Move),
    "seat_record": lambda: fields_table(SeatRecord, View),
}


def rewritten(text: str, rules: Rules | None = None) -> str:
    """`text` with each marked table made anew from the code: of a game, or (None) of records.

    Raises:
        ValueError: if a mark names no table.
    """

    def table(match: re.Match[str]) -> str:
        name, known = match[1], TABLES if rules else RECORD_TABLES
        if name not in known:
            raise ValueError(f"there is no table {name!r}; there are {', '.join(known)}")
        made = TABLES[name](rules) if rules else RECORD_TABLES[name]()
        return f"<!-- {name} -->\n{made}\n<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", table, text, flags=re.S)


def main() -> None:
    """Write the tables of all games, and of records."""
    readmes: dict[Path, Rules | None] = {ENVS / r.name / "README.md": r for r in GAMES.values()}
    for path, rules in (readmes | {VIEWER: None}).items():
        before = path.read_text()
        after = rewritten(before, rules)
        if after != before:
            path.write_text(after)
            print(f"written: {path.relative_to(ENVS.parent)}")


if __name__ == "__main__":
    main()
