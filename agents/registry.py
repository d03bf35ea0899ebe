"""Agents by name, and from files."""

from importlib import import_module
from pathlib import Path

from ..envs.engine.game import Game
from .base import Agent, RandomAgent
from .pretrained import pretrained

SCRIPTED: dict[str, dict[str, str]] = {
    "caribbean_poker": {
        "optimal": "caribbean_poker.strategy:Optimal",
        "three-rules": "caribbean_poker.thumb:ThreeRules",
        "akj83": "caribbean_poker.thumb:Akj83",
        "match": "caribbean_poker.thumb:Match",
        "ace-king": "caribbean_poker.thumb:AceKing",
        "pair": "caribbean_poker.thumb:Pair",
        "caller": "caribbean_poker.thumb:Caller",
        "folder": "caribbean_poker.thumb:Folder",
    },
    "cockroach_poker": {
        "honest": "cockroach_poker:HonestAgent",
        "counting": "cockroach_poker:CountingAgent",
        "bluffer": "cockroach_poker:BlufferAgent",
    },
    "the_gang": {
        "quantile": "the_gang.quantile:QuantileAgent",
        "clock": "the_gang.clock:ClockAgent",
        "codebook": "the_gang.codebook:CodebookAgent",
    },
}
"""For each game the module and class of its scripted agents by name: "module:Class"."""

STRONGEST: dict[str, tuple[str, ...]] = {
    "caribbean_poker": ("optimal",),
    "cockroach_poker": ("ppo-1", "counting"),
    "kuhn": ("ppo-1",),
    "the_gang": ("codebook", "clock"),
}
"""For each game the agents that people meet unless they ask for others: the first that can play the
options. RESULTS.md tells what each reaches."""

FILES = {
    ".safetensors": "neural:NeuralAgent",
    ".zip": "sb3:Sb3Agent",
    ".npz": "caribbean_poker.strategy:Optimal",
}
"""For each kind of file the agent that it holds; each has `from_file(game, path, seed)`."""


def names(game: Game) -> list[str]:
    """The agents that can play `game` without a file: scripted ones, and trained ones shipped."""
    scripted = SCRIPTED.get(game.name, {})
    able = [name for name, where in scripted.items() if _class(where).plays(game)]
    return ["random", *able, *pretrained(game)]


def strongest(game: Game) -> str:
    """The name of the strongest agent without a file that can play `game`."""
    able = names(game)
    return next((name for name in STRONGEST.get(game.name, ()) if name in able), "random")


def load(spec: str, game: Game, seed: int = 0) -> Agent:
    """The agent that `spec` names: one of `names(game)`, or a file of weights.

    Args:
        spec: a name; or the path of a `.safetensors` file (this suite's policies), a `.zip` file
            (stable-baselines3), or a `.npz` file (strategies of `backroom solve`).
        game: the game that it is to play.
        seed: of its random generator.

    Raises:
        ValueError: if there is no such agent, or it cannot play this game.
    """
    if spec == "random":
        return RandomAgent(game, seed)
    scripted = SCRIPTED.get(game.name, {})
    if spec in scripted:
        return _class(scripted[spec])(game, seed)
    path = pretrained(game).get(spec) or Path(spec)
    if path.suffix in FILES:
        if not path.is_file():
            raise ValueError(f"there is no file {spec}")
        agent: Agent = _class(FILES[path.suffix]).from_file(game, path, seed)  # type: ignore[attr-defined]
        return agent
    raise ValueError(
        f"there is no agent {spec!r} for {game.name}; there are {', '.join(names(game))}, "
        f"and files that end in {' or '.join(FILES)}"
    )


def _class(where: str) -> type[Agent]:
    module, _, name = where.partition(":")
    found: type[Agent] = getattr(import_module(f".{module}", __package__), name)
    return found
