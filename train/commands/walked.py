"""`backroom solve` for games that are small enough to be walked."""

import json
from typing import TYPE_CHECKING, Any

import typer

from .common import console
from .games import show_table, table_of

if TYPE_CHECKING:
    from backroom.agents import Agent
    from backroom.envs import Game


def solve(game: "Game", agents: "list[Agent]", as_json: bool) -> None:
    """Work out the value of `game` and its best play, and how exploitable `agents` are."""
    from backroom.evaluate import exploitability as exact
    from backroom.evaluate.equilibrium import equilibrium

    tree = exact.walk(game)
    best = equilibrium(tree)
    found: dict[str, Any] = {
        "game": game.name,
        "options": game.settings(),
        "value": best.value,
        "positions": len(tree.movers),
        "information_sets": len(tree.owners),
        "exploitability": exact.solve(tree, best.policy).exploitability,
        "agents": [
            {"name": agent.name, **exact.solve(tree, exact.policy_of(tree, agent))._asdict()}
            for agent in agents
        ],
    }
    if as_json:
        typer.echo(json.dumps(found, allow_nan=False))
    else:
        _show(found)


def _show(found: dict[str, Any]) -> None:
    from backroom.envs.engine.names import several

    out = console()
    out.print(
        f"{found['game']}: {several(found['positions'], 'position')}, "
        f"{several(found['information_sets'], 'information set')}"
    )
    out.print(f"value for player_0, both at their best: {found['value']:.9f}")
    if not found["agents"]:
        return
    table = table_of("agent", "exploitability", "as player_0", "as player_1", "best responses")
    for agent in found["agents"]:
        table.add_row(
            agent["name"],
            f"{agent['exploitability']:.6f}",
            *(f"{value:+.6f}" for value in agent["values"]),
            " ".join(f"{value:+.6f}" for value in agent["best_responses"]),
        )
    show_table(table)
    out.print(
        "Exploitability: what a player who knows the agent wins from it, on average of the seats; "
        "0 for best play. Values: against itself."
    )
