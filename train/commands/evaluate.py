"""`backroom evaluate` and `backroom crossplay`: who is better."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from .common import (
    Address,
    Agents,
    GameName,
    Json,
    Seed,
    Set,
    WayName,
    Workers,
    console,
    executor_of,
    game_of,
    names_of,
    progress,
)
from .games import show_table, table_of

Games = Annotated[
    int,
    typer.Option(
        "--games", min=1, help="Rounded up, so that each deal is played with seats in all turns."
    ),
]
Target = Annotated[Path | None, typer.Option("--record", help="Write all games into this file.")]
Odds = Annotated[
    bool,
    typer.Option(
        "--odds",
        help="Write into the records what the agents drew their moves from and what they expected.",
    ),
]
Plot = Annotated[
    Path | None, typer.Option("--plot", help="Draw a heat map into this file (png, svg, pdf).")
]


def evaluate(
    game: GameName,
    agents: Agents = None,
    games: Games = 1000,
    seed: Seed = 0,
    set_: Set = None,
    as_json: Json = False,
    record: Target = None,
    odds: Odds = False,
    executor: WayName = None,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Let agents play each other on the same deals.

    Seats are rotated: each deal is played once with every agent at every place of the order.
    Figures stand with their 95 % intervals; deals are what is drawn independently.
    """
    from backroom.envs.engine.files import check_target
    from backroom.envs.engine.record_file import write_records
    from backroom.evaluate.match import play_match
    from backroom.evaluate.report import report

    chosen, names = game_of(game, set_), names_of(agents)
    if odds and not record:
        raise ValueError("--odds is for the records that --record writes")
    if record:
        check_target(record)
    with (
        executor_of(executor, workers, address) as pool,
        progress(f"{chosen.name}: games", games) as tell,
    ):
        match = play_match(
            chosen,
            names,
            games,
            seed,
            keep=record is not None,
            think=odds,
            executor=pool,
            progress=tell,
        )
        if record:
            write_records(record, match.records())
    result = report(match)
    if as_json:
        typer.echo(json.dumps(result, allow_nan=False))
    else:
        _show(result)


Players = Annotated[
    list[str] | None,
    typer.Option(
        "--agents",
        metavar="NAME...",
        help="Two or more: names, files of weights, folders of runs, or package.module:Class.",
    ),
]


def crossplay(
    game: GameName,
    agents: Players = None,
    games: Games = 1000,
    seed: Seed = 0,
    set_: Set = None,
    as_json: Json = False,
    plot: Plot = None,
    executor: WayName = None,
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Seat each agent among copies of each other.

    The result is a matrix of mean returns. A row is the agent at one seat, a column the agent at
    all others; all play the same deals. --games is for each pair.
    """
    from backroom.envs.engine.names import several, short_names
    from backroom.evaluate.crossplay import check_plot, cross_play, heat_map

    if plot:
        check_plot(plot)
    chosen, names = game_of(game, set_), names_of(agents)
    if not agents:
        raise ValueError("cross-play wants at least two agents: name them by --agents")
    if len(names) < 2:
        raise ValueError(f"cross-play wants at least two agents, not {', '.join(names)} alone")
    total = games * len(names) ** 2
    with (
        executor_of(executor, workers, address) as pool,
        progress(f"{chosen.name}: games", total) as tell,
    ):
        result = cross_play(chosen, names, games, seed, executor=pool, progress=tell)
    if plot:
        heat_map(result, plot)
    if as_json:
        typer.echo(json.dumps(result.plain(), allow_nan=False))
        return
    short = short_names(names)
    table = table_of("one seat", *(f"among {short[name]}" for name in names))
    for i, name in enumerate(names):
        table.add_row(short[name], *(str(result.cell(i, j)) for j in range(len(names))))
    out = console()
    out.print(f"{chosen.rules.title}: mean return, {several(result.deals, 'deal')}, seed {seed}")
    show_table(table)
    out.print(f"self-play less cross-play: {result.gap()}")


def _cells(figure: dict[str, Any]) -> tuple[str, str]:
    from backroom.evaluate.statistics import Estimate

    if figure["mean"] is None:
        return "none", ""
    ends = (float("nan") if figure[end] is None else figure[end] for end in ("low", "high"))
    return f"{figure['mean']:.4g}", Estimate(figure["mean"], *ends).interval()


def _show(result: dict[str, Any]) -> None:
    from backroom.envs.engine.names import several, short_names

    out = console()
    options = ", ".join(f"{k}={v}" for k, v in result["options"].items())
    game = f"{result['game']}_v{result['version']}"
    out.print(f"{game} with {options}" if options else game, soft_wrap=True)
    out.print(
        f"{several(result['games'], 'game')}: {several(result['deals'], 'deal')}, "
        f"{several(result['rotations'], 'seating')} each; "
        f"seed {result['seed']}"
    )
    shared = {k for k, v in result.items() if isinstance(v, dict) and "mean" in v}
    table = table_of("agent", "figure", "mean", "95 % interval", wrapped=("figure",))
    short = short_names(agent["name"] for agent in result["agents"])
    for agent in result["agents"]:
        table.add_row(short[agent["name"]], "return", *_cells(agent))
        for name, figure in agent.items():
            if isinstance(figure, dict) and name not in shared:
                table.add_row("", name, *_cells(figure))
        for seat in agent["seats"]:
            table.add_row("", f"return as player_{seat['seat']}", *_cells(seat))
    for gap in result["differences"]:
        other = short[gap["other"]]
        table.add_row(short[gap["agent"]], f"return less that of {other}", *_cells(gap))
    for place, name in enumerate(sorted(shared, key=list(result).index)):
        table.add_row("all" if place == 0 else "", name, *_cells(result[name]))
    show_table(table)
