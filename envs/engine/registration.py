"""The games in the registries of Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

from .game import Rules


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
