"""`backroom bench` and `backroom warm`."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .common import console

if TYPE_CHECKING:
    from backroom.envs import Game

ROOT = Path(__file__).resolve().parents[2]
"""Of a source checkout."""


def bench(ctx: typer.Context) -> None:
    """Measure the throughput of all games.

    Further options go to benchmarks/throughput.py.
    """
    script = ROOT / "benchmarks" / "throughput.py"
    if not script.is_file():
        raise ValueError("the benchmark is in the source checkout only: benchmarks/throughput.py")
    raise typer.Exit(subprocess.call([sys.executable, str(script), *ctx.args]))


def warm(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="Which games; else all.")
    ] = None,
) -> None:
    """Compile all rules now.

    Nothing has to wait for it later; what is compiled is kept until the source changes.
    """
    from backroom.envs import GAMES, configure
    from backroom.envs.engine.jit import COMPILED

    chosen = [configure(name) for name in games or GAMES]
    if not COMPILED:
        raise ValueError("NUMBA_DISABLE_JIT is set: there is nothing to compile")
    out = console()
    for game in chosen:
        for what, use in _uses(game):
            start = time.perf_counter()
            use()
            out.print(f"{game.name}: {what}, {time.perf_counter() - start:.1f} s")


def _uses(game: "Game") -> Iterator[tuple[str, Callable[[], Any]]]:
    """All that is compiled for a game, and a call that compiles it."""
    from backroom.agents import load, names
    from backroom.envs import make, make_single
    from backroom.envs.engine.batch import Batch
    from backroom.envs.engine.game import redeal
    from backroom.envs.engine.recorder import Recorder, play_game
    from backroom.evaluate.match import play_match

    def batch() -> None:
        games = Batch(game, 2)
        games.step(games.masks.argmax(axis=1))
        games.observe(games.players)

    def single() -> None:
        env = make(game)
        env.reset(seed=0)
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        env.observe(env.possible_agents[0])
        make_single(game).reset(seed=0)

    yield "the batch environment", batch
    yield "the single game", single
    yield "records", lambda: play_game(game, [load("random", game)] * game.players, 0)
    yield "search", lambda: redeal(Recorder(game, 0).state, 0, 1)
    for name in names(game):
        yield f"agent {name}", partial(play_match, game, [name], 1)
