"""The names that PettingZoo's tools look for in a module: `env`, `raw_env`, `parallel_env`."""

from typing import Any

from .aec import CardGameEnv, Illegal
from .game import find
from .parallel import ParallelCardGameEnv


class EntryPoints:
    """Factories of one game's environments.

    They take the game's options, and `render_mode`, `illegal` and `viewer`, as keywords. `env`
    checks actions and order of calls itself, so `raw_env` is the same environment.
    """

    def __init__(self, name: str) -> None:
        """For the game called `name`."""
        self.name = name

    def env(
        self,
        render_mode: str | None = None,
        illegal: Illegal = "terminate",
        viewer: int | None = None,
        **options: Any,
    ) -> CardGameEnv:
        """One game for the agent-environment cycle."""
        return CardGameEnv(find(self.name).configure(**options), render_mode, illegal, viewer)

    def parallel_env(
        self,
        render_mode: str | None = None,
        illegal: Illegal = "terminate",
        viewer: int | None = None,
        **options: Any,
    ) -> ParallelCardGameEnv:
        """One game for the parallel API."""
        game = find(self.name).configure(**options)
        return ParallelCardGameEnv(game, render_mode, illegal, viewer)
