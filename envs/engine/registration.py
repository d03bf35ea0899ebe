"""The games that there are, here and in the registries of Gymnasium and PettingZoo.

A package outside of this suite adds a game by an entry point of the group `backroom.games`:

    [project.entry-points."backroom.games"]
    liars_dice = "backroom_liars_dice.rules:RULES"
"""

import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points

import gymnasium
import pettingzoo

from .game import Rules

GROUP = "backroom.games"
"""Entry points of this group name the `Rules` of games in other packages."""


def environment_id(rules: Rules) -> str:
    """The id in both registries, such as "backroom/TheGang-v0"."""
    name = "".join(word.capitalize() for word in rules.name.split("_"))
    return f"backroom/{name}-v{rules.version}"


def register(rules: Rules) -> None:
    """Let `gymnasium.make`, `gymnasium.make_vec` and `pettingzoo.make` know the game.

    PettingZoo has a registry since 1.27; before, its modules are the only way in.
    """
    name, game = environment_id(rules), {"game": rules.name}
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="backroom.envs:make_single",
            vector_entry_point="backroom.envs:make_vector",
            kwargs=game,
        )
    for kind, maker in (("aec", "make"), ("parallel", "make_parallel")):
        known = getattr(pettingzoo, f"{kind}_registry", None)
        if known is not None and name not in known:
            pettingzoo.register(kind, name, f"backroom.envs:{maker}", kwargs=game)


class Games(Mapping[str, Rules]):
    """The games by name, each in the registries too."""

    def __init__(self, own: Iterable[Rules]) -> None:
        """The suite's own games; others are looked for by `discover`."""
        self._games: dict[str, Rules] = {}
        self._waiting: list[EntryPoint] = []
        for rules in own:
            self._add(rules)

    def discover(self) -> None:
        """Look for games of installed packages; one that cannot be loaded gets a warning."""
        self._waiting = list(entry_points(group=GROUP))
        self._load()

    def _load(self) -> None:
        # A package may import this suite first thing, and so be half loaded itself: it has to wait.
        waiting, self._waiting = self._waiting, []
        for entry in waiting:
            if _half_loaded(entry.module):
                self._waiting.append(entry)
                continue
            try:
                rules = entry.load()
                if not isinstance(rules, Rules):
                    raise TypeError(f"{entry.value} is no Rules")
                self._add(rules)
            except Exception as error:  # other people's code, for whatever reason
                warnings.warn(f"the game {entry.name} of {entry.value}: {error!r}", stacklevel=2)

    def _add(self, rules: Rules) -> None:
        self._games[rules.name] = rules
        register(rules)

    def __getitem__(self, name: str) -> Rules:
        """The rules called `name`."""
        self._load()
        return self._games[name]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        self._load()
        return iter(self._games)

    def __len__(self) -> int:
        """How many there are."""
        self._load()
        return len(self._games)


def _half_loaded(module: str) -> bool:
    """Whether `module`, or a package that it is in, is being imported at this moment."""
    parts = module.split(".")
    names = (".".join(parts[: end + 1]) for end in range(len(parts)))
    specs = (getattr(sys.modules.get(name), "__spec__", None) for name in names)
    return any(getattr(spec, "_initializing", False) for spec in specs)
