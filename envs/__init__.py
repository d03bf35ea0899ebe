"""Card games as environments.

`make("the_gang")` is one game for PettingZoo, `make_batch("the_gang", 4096)` thousands at once;
`make_parallel` and `make_single` are the same game as a PettingZoo parallel environment and as a
Gymnasium environment for one seat, `make_vector` many of those as a `gymnasium.vector` environment.
All take the game's options as keywords.
"""

if __name__ != "backroom.envs":  # a second copy of the games would compile and register twice
    raise ImportError(f"import this package as backroom.envs, not {__name__}")

from collections.abc import Sequence
from typing import Any

from . import caribbean_poker, cockroach_poker, gangster_paradise, kuhn, the_gang
from .engine.aec import CardGameEnv, Illegal
from .engine.batch import Batch
from .engine.game import Game, Rules, find
from .engine.parallel import ParallelCardGameEnv
from .engine.registration import Games
from .engine.single import Player, SingleSeatEnv
from .engine.vector import SingleSeatVectorEnv

GAMES = Games(
    [
        kuhn.RULES,
        caribbean_poker.RULES,
        cockroach_poker.RULES,
        the_gang.RULES,
        gangster_paradise.RULES,
    ]
)
"""All games by name: the suite's own, and those of installed packages."""

__all__ = [
    "GAMES",
    "Batch",
    "CardGameEnv",
    "Game",
    "ParallelCardGameEnv",
    "Rules",
    "SingleSeatEnv",
    "SingleSeatVectorEnv",
    "configure",
    "make",
    "make_batch",
    "make_parallel",
    "make_single",
    "make_vector",
]


def configure(game: str | Game, **options: Any) -> Game:
    """`game` with `options`.

    Raises:
        ValueError: if there is no such game or option, or a value is out of range.
    """
    if isinstance(game, Game):
        return game.rules.configure(**{**game.settings(), **options}) if options else game
    return find(game).configure(**options)


def make(
    game: str | Game,
    *,
    render_mode: str | None = None,
    illegal: Illegal = "terminate",
    viewer: int | None = None,
    **options: Any,
) -> CardGameEnv:
    """One game for PettingZoo's agent-environment cycle; see `CardGameEnv`."""
    return CardGameEnv(configure(game, **options), render_mode, illegal, viewer)


def make_parallel(
    game: str | Game,
    *,
    render_mode: str | None = None,
    illegal: Illegal = "terminate",
    viewer: int | None = None,
    **options: Any,
) -> ParallelCardGameEnv:
    """One game for PettingZoo's parallel API, with an action "wait"; see `ParallelCardGameEnv`."""
    return ParallelCardGameEnv(configure(game, **options), render_mode, illegal, viewer)


def make_batch(
    game: str | Game, games: int, *, threads: int = 1, seed: int = 0, **options: Any
) -> Batch:
    """`games` games at once, on `threads` threads; see `Batch`."""
    return Batch(configure(game, **options), games, threads, seed)


def make_single(
    game: str | Game,
    *,
    seat: int | None = None,
    opponents: Player | Sequence[Player] | None = None,
    flatten: bool = False,
    render_mode: str | None = None,
    illegal: Illegal = "terminate",
    **options: Any,
) -> SingleSeatEnv:
    """One seat of a game for Gymnasium; see `SingleSeatEnv`."""
    chosen = configure(game, **options)
    return SingleSeatEnv(chosen, seat, opponents, flatten, render_mode, illegal)


def make_vector(
    game: str | Game,
    num_envs: int,
    *,
    seat: int | None = None,
    opponents: Player | Sequence[Player] | None = None,
    flatten: bool = False,
    **options: Any,
) -> SingleSeatVectorEnv:
    """One seat in each of many games for `gymnasium.vector`; see `SingleSeatVectorEnv`."""
    return SingleSeatVectorEnv(configure(game, **options), num_envs, seat, opponents, flatten)


GAMES.discover()
