"""BenchMARL: a game as a task, for all its algorithms that choose among discrete actions.

    from benchmarl.experiment import Experiment
    from backroom.train.adapters.benchmarl import BackroomTask

    Experiment(task=BackroomTask("the_gang", {"num_players": 3}), ...)

All seats are one group, "player"; those that are not to move can only wait.
"""

import multiprocessing
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from benchmarl.environments.common import TaskClass
from torchrl.data import Composite
from torchrl.envs import EnvBase, PettingZooWrapper, TransformedEnv
from torchrl.envs.transforms import DTypeCastTransform

from backroom.envs import configure, make_parallel

from .infos import MasksInInfos

GROUP = "player"


class BackroomTask(TaskClass):  # type: ignore[misc]
    """A game with its options: the task's name and its config."""

    def __init__(self, name: str, config: dict[str, Any] | None = None) -> None:
        """Play the game `name`, with the options `config`.

        Raises:
            ValueError: if there is no such game or option.
        """
        super().__init__(name, config or {})
        self.game = configure(name, **self.config)

    def get_env_fun(
        self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any
    ) -> Callable[[], EnvBase]:
        """What makes one game, its observations cast to the float32 that networks want.

        BenchMARL makes all its environments by one such function, from one seed: each deals from a
        seed of its own that follows from it.
        """
        built = 0

        def build() -> EnvBase:
            nonlocal built
            own = None if seed is None else seed_of(seed, built)
            built += 1
            env = PettingZooWrapper(MasksInInfos(make_parallel(self.game)), seed=own, device=device)
            cast = DTypeCastTransform(torch.int8, torch.float32, [(GROUP, "observation")])
            return TransformedEnv(env, cast)

        return build

    def supports_continuous_actions(self) -> bool:
        """It does not."""
        return False

    def supports_discrete_actions(self) -> bool:
        """It does."""
        return True

    def max_steps(self, env: EnvBase) -> int:
        """No game has more moves than this."""
        return int(self.game.facts.max_moves)

    def has_render(self, env: EnvBase) -> bool:
        """Videos are left alone: BenchMARL has one frame a step in mind, not a table."""
        return False

    def group_map(self, env: EnvBase) -> dict[str, list[str]]:
        """All seats in one group."""
        groups: dict[str, list[str]] = env.group_map
        return groups

    def observation_spec(self, env: EnvBase) -> Composite:
        """Of the observations alone."""
        return _only(env, "observation")

    def action_mask_spec(self, env: EnvBase) -> Composite | None:
        """Of the masks alone."""
        return _only(env, "action_mask")

    def info_spec(self, env: EnvBase) -> Composite | None:
        """Infos hold nothing but masks."""
        return None

    def state_spec(self, env: EnvBase) -> Composite | None:
        """Central critics are given the observations of all seats, which is all there is."""
        return None

    def action_spec(self, env: EnvBase) -> Composite:
        """The game's actions and "wait"."""
        return env.full_action_spec

    @staticmethod
    def env_name() -> str:
        """What BenchMARL calls these tasks together."""
        return "backroom"


def seed_of(seed: int, number: int) -> int:
    """The seed of an environment by its number, for each process another one.

    Processes are told apart by their names: each begins with the count of the one that began it.
    """
    process = multiprocessing.current_process().name.encode()
    entropy = np.random.SeedSequence([seed, number, *process])
    return int(entropy.generate_state(1, np.uint64)[0])


def _only(env: EnvBase, part: str) -> Composite:
    """The specification of one part of what is observed."""
    spec = env.observation_spec.clone()
    for key in [key for key in spec[GROUP].keys() if key != part]:
        del spec[GROUP][key]
    return spec
