"""Who plays: random and scripted agents, policy networks.

>>> from backroom.agents import load
>>> from backroom.envs import configure
>>> load("random", configure("kuhn")).name
'random'
"""

if __name__ != "backroom.agents":  # a second copy would register twice
    raise ImportError(f"import this package as backroom.agents, not {__name__}")

from .base import Agent, RandomAgent
from .registry import load, names

__all__ = ["Agent", "RandomAgent", "load", "names"]
