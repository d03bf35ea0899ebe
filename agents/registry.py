"""Agents by name, from files, and from other packages.

A package outside of this suite adds agents by entry points of the group `backroom.agents`, called
by game and name:

    [project.entry-points."backroom.agents"]
    "liars_dice.odds" = "backroom_liars_dice.agents:Odds"

Without that, `package.module:Class` names an agent of any module that can be imported.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from ..envs.engine.game import Game, find
from ..envs.engine.names import meant
from .base import Agent, RandomAgent
from .pretrained import elsewhere, pretrained, trained
from .seats import SeatsAgent, seat_files

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
    "gangster_paradise": {
        "collector": "gangster_paradise.players:Collector",
        "hunter": "gangster_paradise.players:Hunter",
        "trader": "gangster_paradise.players:Trader",
        "liar": "gangster_paradise.players:Liar",
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
    "gangster_paradise": ("liar",),
    "kuhn": ("ppo-1",),
    "the_gang": ("codebook", "clock"),
}
"""For each game the agents that people meet unless they ask for others: the first that can play the
options. RESULTS.md tells what each reaches."""

GROUP = "backroom.agents"
"""Entry points of this group name agents in other packages."""

FILES = {
    ".safetensors": "neural:NeuralAgent",
    ".zip": "sb3:Sb3Agent",
    ".npz": "caribbean_poker.strategy:Optimal",
}
"""For each kind of file the agent that it holds; each has `from_file(game, path, seed)`."""


def names(game: Game) -> list[str]:
    """The agents that can play `game` without a file: scripted ones, and trained ones shipped."""
    able = [name for name, where in _scripted(game.name).items() if _class(where).plays(game)]
    return ["random", *able, *pretrained(game)]


def about(game: Game) -> dict[str, str]:
    """What each of `names(game)` does, in a line: its class says it, or how it was trained."""
    kinds = {name: _class(where) for name, where in _scripted(game.name).items()}
    kinds["random"] = RandomAgent
    found = {}
    for name in names(game):
        line = (kinds[name].__doc__ or "") if name in kinds else trained(pretrained(game)[name])
        line = line.partition("\n")[0].partition(";")[0].rstrip(".")
        found[name] = line[:1].lower() + line[1:]
    return found


def strongest(game: Game) -> str:
    """The name of the strongest agent without a file that can play `game`."""
    able = names(game)
    return next((name for name in STRONGEST.get(game.name, ()) if name in able), "random")


@cache
def _scripted(game: str) -> dict[str, str]:
    """The scripted agents of a game by name, those of other packages too: "module:Class"."""
    own = {name: f"{__package__}.{where}" for name, where in SCRIPTED.get(game, {}).items()}
    found = {}
    for entry in entry_points(group=GROUP):
        owner, _, name = entry.name.partition(".")
        if owner == game and name:
            found[name] = entry.value
    return own | found


def load(spec: str, game: Game | str, seed: int = 0) -> Agent:
    """The agent that `spec` names: one of `names(game)`, or a file of weights.

    Args:
        spec: a name; or the path of a `.safetensors` file (this suite's policies), a `.zip` file
            (stable-baselines3), or a `.npz` file (strategies of `backroom solve`); or the folder
            that a training left; or `package.module:Class`, an `Agent` of one's own.
        game: the game that it is to play, or its name for its default options.
        seed: of its random generator.

    Raises:
        ValueError: if there is no such agent, or it cannot play this game.
    """
    if isinstance(game, str):
        game = find(game).configure()
    if spec == "random":
        return RandomAgent(game, seed)
    scripted = _scripted(game.name)
    if spec in scripted:
        return _class(scripted[spec])(game, seed)
    if ":" in spec and not Path(spec).exists():
        return _own(spec, game, seed)
    path = pretrained(game).get(spec) or Path(spec)
    if path.is_dir():
        path = _weights(path)
        if path.is_dir():
            return SeatsAgent.from_folder(game, path, seed)
    if path.suffix in FILES:
        if not path.is_file():
            raise ValueError(f"there is no file {spec}")
        try:
            kind = _class(f"{__package__}.{FILES[path.suffix]}")
        except ModuleNotFoundError as error:
            raise ValueError(
                f"{spec} needs {error.name}: install the extra, pip install 'backroom[train]'"
            ) from None
        agent: Agent = kind.from_file(game, path, seed)  # type: ignore[attr-defined]
        return agent
    if len(path.parts) > 1:
        raise ValueError(f"there is no file and no folder {spec}")
    if spec in (others := elsewhere(game)):
        raise ValueError(f"{spec} plays {game.name} only with {others[spec]}")
    raise ValueError(
        f"there is no agent {spec!r} for {game.name}{meant(spec, names(game))}; there are "
        f"{', '.join(names(game))}, files that end in {' or '.join(FILES)}, folders of trainings, "
        "and classes as MODULE:CLASS"
    )


def files_of(spec: str, game: Game) -> list[Path]:
    """The files that `load(spec, game)` reads weights from; none without any."""
    if spec == "random" or spec in _scripted(game.name):
        return []
    path = pretrained(game).get(spec) or Path(spec)
    if path.is_dir():
        return _policies(path)[:1] or seat_files(path)
    return [path] if path.suffix in FILES and path.is_file() else []


def _policies(run: Path) -> list[Path]:
    """The weights for all seats in a run's folder, one file for each kind of agent."""
    return [run / f"policy{ending}" for ending in FILES if (run / f"policy{ending}").is_file()]


def _weights(run: Path) -> Path:
    """The weights in a run's folder; the folder itself if there are some for each seat."""
    found = _policies(run)
    if not found and seat_files(run):
        return run
    if not found:
        raise ValueError(f"the folder {run} holds no trained policy")
    return found[0]


def _class(where: str) -> type[Agent]:
    module, _, name = where.partition(":")
    found: type[Agent] = getattr(import_module(module), name)
    return found


def _own(spec: str, game: Game, seed: int) -> Agent:
    """An agent of somebody's own module.

    Raises:
        ValueError: if there is no such module or class, or it is no agent for this game.
    """
    try:
        kind = _class(spec)
    except (ImportError, AttributeError, ValueError) as error:
        module, _, name = spec.partition(":")
        hint = f"; modules are named without .py: {module[:-3]}:{name}"
        raise ValueError(
            f"there is no agent {spec!r}: {error}{hint if module.endswith('.py') else ''}"
        ) from None
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise ValueError(f"{spec} is no subclass of backroom.agents.Agent")
    if kind.act is Agent.act and kind.probabilities is Agent.probabilities:
        raise ValueError(f"{spec} cannot play: it has neither act nor probabilities")
    if not kind.plays(game):
        raise ValueError(f"{spec} does not play {game.name} with these options")
    try:
        return kind(game, seed)
    except TypeError as error:
        raise ValueError(f"{spec} cannot be made from a game and a seed: {error}") from None
