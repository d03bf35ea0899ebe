"""PettingZoo's way in to Kuhn poker."""

from .engine.entry import EntryPoints

__all__ = ["env", "parallel_env", "raw_env"]

_games = EntryPoints("kuhn")
env = raw_env = _games.env
parallel_env = _games.parallel_env
