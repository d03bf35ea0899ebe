"""`backroom new-game`: a game to start from."""

import keyword
import re
import shlex
import shutil
from pathlib import Path
from typing import Annotated

import typer

from .tools import ROOT

TEMPLATE = "kuhn"


def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Lower case, words joined by _, as in skull_king.")
    ],
) -> None:
    """Start a game, as a copy of Kuhn poker.

    The copy is a whole game under the new name, with golden games; what to do next is printed.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise ValueError(f"a game's name is lower case, words joined by _, not {name!r}")
    copies = _copies(name)
    for source, target in copies.items():
        if not source.exists():
            raise ValueError("a new game is begun in the source checkout only")
        if target.exists():
            raise ValueError(f"{shown(target)} is there already")
    for source, target in copies.items():
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
        for path in sorted(target.rglob("*")) if target.is_dir() else [target]:
            if path.is_file():
                path.write_text(renamed(path.read_text("utf-8"), name), "utf-8")
    typer.echo(_next(name))


def _copies(name: str) -> dict[Path, Path]:
    """What is copied, and where to."""
    envs, golden = ROOT / "envs", ROOT / "tests" / "golden"
    return {
        envs / TEMPLATE: envs / name,
        envs / f"{TEMPLATE}_v0.py": envs / f"{name}_v0.py",
        golden / TEMPLATE: golden / name,
    }


def shown(path: Path) -> Path:
    """`path` from the current folder on if it lies below that, else in full."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def renamed(text: str, name: str) -> str:
    """`text` of the template with the new game's name in place of its own.

    >>> renamed('"kuhn_v0" KuhnOptions: Kuhn poker', "skull_king")
    '"skull_king_v0" SkullKingOptions: Skull King'
    """
    words = name.split("_")
    title, joined = " ".join(words).title(), "".join(word.title() for word in words)
    text = re.sub(r"Kuhn poker( \(Kuhn 1950\))?", title, text)
    text = re.sub(
        r"^Source: .*$", "Source: the rules' title, edition and publisher.", text, flags=re.M
    )
    return text.replace("KuhnOptions", f"{joined}Options").replace(TEMPLATE, name)


def _next(name: str) -> str:
    title = " ".join(name.split("_")).title()
    folder = Path("envs") / name
    made = [shown(path) for path in _copies(name).values()]
    where = "" if shown(ROOT) == Path() else f"\nAll paths below are those in {shown(ROOT)}."
    return f"""{made[0]} is a copy of Kuhn poker; rm -r {shlex.join(map(str, made))} undoes it.
To make it {title}:{where}
 1. Register it: in envs/__init__.py, import {name} and add {name}.RULES to GAMES; in
    pyproject.toml, add "backroom.envs.{name}" to the contracts of import-linter.
 2. {folder}/README.md: the rules as R1, R2, ..., each with its source.
 3. tests/golden/{name}/: some games by hand, as text, that show each rule.
 4. {folder}/state.py, rules.py: until NUMBA_DISABLE_JIT=1 pytest tests/test_golden.py passes.
 5. {folder}/observation.py: observe and redeal, until tests/test_games.py passes.
 6. {folder}/render.py: table, events, statistics; {folder}/scene.py: the pieces that viewers draw;
    evaluate/figures.py: the game's own figures.
Training, evaluation, records and all environments then play it."""
