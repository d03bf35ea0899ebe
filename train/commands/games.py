"""`backroom games`: what there is to play."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import Set, console, game_of

if TYPE_CHECKING:
    from rich.table import Table

    from backroom.envs import Game

WIDE = 24
"""Longest text of an action that still stands beside others in a line."""


def games(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game, in full.")] = None,
    set_: Set = None,
) -> None:
    """List the games, or tell all of one.

    Of one: its options, seats, actions, observation, and the agents that play it without a file.
    """
    if game is None:
        if set_:
            raise ValueError("--set wants a game")
        _list_all()
    else:
        _describe(game_of(game, set_))


def table_of(*head: str, wrapped: tuple[str, ...] = ()) -> "Table":
    """An empty table with these columns; only texts in those that are `wrapped` may be broken."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Column, Table

    columns = [Column(name, no_wrap=name not in wrapped, overflow="fold") for name in head]
    return Table(*columns, box=SIMPLE_HEAD, pad_edge=False)


def show_table(table: "Table") -> None:
    """Print a table whole: beyond the terminal's edge, if what must not be broken is wider."""
    out = console()
    wanted = 0
    for column in table.columns:
        cells = [str(cell) for cell in (column.header, *column.cells)]
        words = cells if column.no_wrap else [word for cell in cells for word in cell.split()]
        wanted += max(map(len, words), default=0) + 3  # what stands between two
    out.width = max(out.width, wanted)
    out.print(table)


def _list_all() -> None:
    from backroom.envs import GAMES

    table = table_of("game", "title", "seats", "actions", "cells", wrapped=("title",))
    for rules in GAMES.values():
        game = rules.configure()
        table.add_row(
            rules.name,
            rules.title,
            str(game.players),
            str(len(game.actions)),
            str(game.observation_size),
        )
    show_table(table)
    console().print(
        "Cells are those of an observation. All sizes are those of the default options;"
    )
    console().print("`backroom games GAME` tells more.")


def _describe(game: "Game") -> None:
    from backroom.agents.pretrained import elsewhere
    from backroom.agents.registry import about

    low, high = game.bounds
    out = console()
    out.print(f"{game.rules.title} ({game.rules.id})\n")
    out.print(f"seats        {game.players}: player_0 to player_{game.players - 1}")
    out.print(f"returns      {low:g} to {high:g}")
    out.print(f"moves        at most {game.facts.max_moves}")
    agents = table_of("agent", "what it does", wrapped=("what it does",))
    for name, line in about(game).items():
        agents.add_row(name, line)
    out.print()
    out.print(agents)
    out.print("Files of weights and folders of trainings play too.")
    others: dict[str, list[str]] = {}
    for name, options in elsewhere(game).items():
        others.setdefault(options, []).append(name)
    for options, able in others.items():
        out.print(f"With {options} also {', '.join(able)}.")
    out.print()
    _options(game, out)
    _actions(game, out)
    _observation(game, out)


def _options(game: "Game", out: Any) -> None:
    import msgspec
    from rich.padding import Padding

    from backroom.envs.engine.game import option_text
    from backroom.envs.engine.options import value_range
    from backroom.evaluate.docs import description

    fields = msgspec.structs.fields(game.rules.options)
    if not fields:
        out.print("There are no options.\n")
        return
    out.print("Options, to be changed by --set NAME=VALUE:")
    chosen, defaults = game.settings(), game.rules.configure().settings()
    for field in fields:
        here, usual = (option_text(of[field.name]) for of in (chosen, defaults))
        out.print(f"  {field.name}={here}" + (f"  (default: {usual})" if here != usual else ""))
        values = value_range(field.type).replace("`", "")
        for text in (description(field.type), f"values: {values}"):
            out.print(Padding(text, (0, 0, 0, 6), expand=False))
    out.print()


def _actions(game: "Game", out: Any) -> None:
    from rich.columns import Columns

    from backroom.envs.engine.names import several

    out.print(f"{several(len(game.actions), 'action')}, by number:")
    texts = [f"{number:>3} {text}" for number, text in enumerate(game.actions)]
    out.print(Columns(texts, padding=(0, 3), column_first=max(map(len, texts)) < WIDE))
    out.print()


def _observation(game: "Game", out: Any) -> None:
    import numpy as np

    from backroom.envs.engine.names import several

    table = table_of("part", "cells", "shape", "values", "meaning", wrapped=("meaning",))
    at = 0
    for part in game.facts.parts:
        size = int(np.prod(part.shape))
        cells = f"{at}-{at + size - 1}" if size > 1 else str(at)
        shape = " x ".join(map(str, part.shape))
        table.add_row(part.name, cells, shape, f"{part.low} to {part.high}", part.meaning)
        at += size
    out.print(
        f"Observation: {several(game.observation_size, 'cell')} of int8, seats counted from the "
        "observer"
    )
    show_table(table)
