"""PettingZoo's way in to The Gang."""

from .engine.entry import EntryPoints

__all__ = ["env", "parallel_env", "raw_env"]

_games = EntryPoints("the_gang")
env = raw_env = _games.env
parallel_env = _games.parallel_env
