"""PettingZoo's way in to Caribbean Poker."""

from .engine.entry import EntryPoints

__all__ = ["env", "parallel_env", "raw_env"]

_games = EntryPoints("caribbean_poker")
env = raw_env = _games.env
parallel_env = _games.parallel_env
