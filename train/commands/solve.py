"""`backroom solve`: exact values, by enumeration."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import walked
from .common import GameName, Json, Set, console, game_of, names_of, progress
from .games import show_table, table_of

if TYPE_CHECKING:
    from backroom.agents import Agent
    from backroom.envs import Game

SOLVED = "caribbean_poker"

Judge = Annotated[
    list[str] | None,
    typer.Option("--agents", metavar="NAME...", help="Who is judged: names, or files of weights."),
]


def solve(
    game: GameName,
    agents: Judge = None,
    set_: Set = None,
    as_json: Json = False,
    temperature: Annotated[
        float | None,
        typer.Option(
            "--temperature",
            min=0,
            help="Of policy networks: 0 is their likeliest action, 1 as trained; else 0, and 1 for "
            "games in which best play mixes.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", help="Write the best strategy into this file, ending in .npz."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", help="Draw the calls with ace-king into this file (png, svg, pdf)."),
    ] = None,
    seen: Annotated[
        int | None,
        typer.Option(
            "--seen",
            min=2,
            max=5,
            help="Also the value for who sees so many of the banker's cards, which only a leak can "
            "reach. With 2 that takes some seconds, with 3 minutes, with more ten or so.",
        ),
    ] = None,
) -> None:
    """Work out a game's best play; judge agents exactly.

    Nothing is played: all deals are counted. Agents that mix are judged by their probabilities.
    """
    from backroom.agents import load
    from backroom.evaluate.exploitability import DEALS

    chosen = game_of(game, set_)
    if chosen.name != SOLVED and chosen.name not in DEALS:
        solvable = " and ".join(sorted({SOLVED, *DEALS}))
        raise ValueError(f"only {solvable} can be solved exactly, not {chosen.name}")
    if chosen.name != SOLVED and (save or plot or seen):
        raise ValueError(f"--save, --plot and --seen are for {SOLVED}")
    _check_targets(save, plot)
    judged = [load(name, chosen) for name in names_of(agents)] if agents else []
    for agent in judged:
        if hasattr(agent, "temperature"):
            usual = 0.0 if chosen.name == SOLVED else 1.0
            agent.temperature = usual if temperature is None else temperature
    if chosen.name != SOLVED:
        walked.solve(chosen, judged, as_json)
        return
    found = _count(chosen, judged, save, plot)
    if seen:
        found["seen"] = _see(chosen, seen)
    if as_json:
        typer.echo(json.dumps(found, allow_nan=False))
    else:
        _show(found)


def _count(
    game: "Game", judged: "list[Agent]", save: Path | None, plot: Path | None
) -> dict[str, Any]:
    """The best play and the `judged`, as plain data; files are written if they are wanted."""
    from backroom.agents.caribbean_poker.strategy import save as save_strategy
    from backroom.evaluate.caribbean_poker.plot import plot as draw
    from backroom.evaluate.caribbean_poker.results import plain
    from backroom.evaluate.caribbean_poker.solve import NUM_HANDS
    from backroom.evaluate.caribbean_poker.solve import solve as run

    with progress(f"{game.name}: hands", NUM_HANDS) as tell:
        solution = run(game, judged, tell)
    if save:
        save_strategy(save, solution.strategy)
    if plot:
        draw(solution, plot)
    return plain(solution)


def _check_targets(save: Path | None, plot: Path | None) -> None:
    """Make sure that files can be written there, before work is done for them."""
    from backroom.envs.engine.files import check_target

    for path, endings in ((save, (".npz",)), (plot, (".png", ".svg", ".pdf"))):
        if path is None:
            continue
        if path.suffix not in endings:
            raise ValueError(f"{path} should end in {' or '.join(endings)}")
        check_target(path)


def _see(game: "Game", seen: int) -> dict[str, Any]:
    """What a round is worth to one who sees more of the banker's cards than the open one."""
    from backroom.evaluate.caribbean_poker.counting import HANDS
    from backroom.evaluate.caribbean_poker.seen import value_seeing

    with progress(f"{game.name}: {seen} cards seen", HANDS) as tell:
        value = value_seeing(game, seen, tell)
    return {"cards": seen, "value": float(value), "value_exact": str(value)}


def _show(found: dict[str, Any]) -> None:
    out = console()
    odds = "-".join(map(str, found["options"]["call_paytable"]))
    out.print(f"{found['game']}, odds of the call {odds}: {found['deals']:,} deals", soft_wrap=True)
    out.print(f"value               {found['value']:.9f} antes = {found['value_exact']}")
    out.print(f"standard deviation  {found['standard_deviation']:.6f}")
    out.print(f"folds               {found['fold_rate']:.9f}")
    out.print(f"banker qualifies    {found['qualify_rate']:.9f}")
    if found["bonus"]:
        bonus = found["bonus"]
        out.print(f"bonus bet           hit {bonus['hit']:.6f}, value {bonus['value']:.6f} a point")
    if seen := found.get("seen"):
        out.print(
            f"who sees {seen['cards']} cards    {seen['value']:+.9f} antes = {seen['value_exact']}"
        )
    _show_range(found["range"], found["deals"], out)
    if found["agents"]:
        _show_agents(found["agents"], out)


def _show_range(rows: list[dict[str, Any]], deals: int, out: Any) -> None:
    ends = ("folded", "not_qualified", "won", "tied", "lost")
    out.print("\nThe best play, by hand: per cent of all deals, and what they add to the value")
    heads = (end.replace("not_qualified", "no hand") for end in ends)
    table = table_of("hand", *heads, "value")
    for row in rows:
        shares = (f"{100 * row[name] / deals:.5f}"[:7] for name in ends)
        table.add_row(row["hand"], *shares, f"{row['value_share']:+.4f}")
    show_table(table)


def _show_agents(agents: list[dict[str, Any]], out: Any) -> None:
    table = table_of("agent", "value", "regret", "deviation", "folds")
    for agent in agents:
        table.add_row(
            agent["name"],
            f"{agent['value']:.9f}",
            f"{agent['regret']:.9f}",
            f"{agent['standard_deviation']:.6f}",
            f"{agent['fold_rate']:.9f}",
        )
    show_table(table)
    out.print("Where they differ from the best play: shares of all rounds, and regrets")
    table = table_of("agent", "hands", "wrong", "by calls", "by folds")
    for agent in agents:
        for group, part in agent["differences"].items():
            table.add_row(
                agent["name"],
                group,
                f"{part['share']:.6f}",
                f"{part['regret_of_calls']:.9f}",
                f"{part['regret_of_folds']:.9f}",
            )
    show_table(table)
