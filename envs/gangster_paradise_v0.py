"""PettingZoo's way in to Gangster Paradise Requiem."""

from .engine.entry import EntryPoints

__all__ = ["env", "parallel_env", "raw_env"]

_games = EntryPoints("gangster_paradise")
env = raw_env = _games.env
parallel_env = _games.parallel_env
