"""Masks in infos, for frameworks that look for them there: SuperSuit, AgileRL.

from backroom.envs import make_parallel
from backroom.train.adapters.infos import MasksInInfos

env = MasksInInfos(make_parallel("cockroach_poker"))
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from backroom.envs import ParallelCardGameEnv
from backroom.envs.engine.checks import checked_agent

Infos = dict[str, dict[str, Any]]
Observations = dict[str, np.ndarray]


class MasksInInfos(ParallelEnv[str, np.ndarray, int]):  # type: ignore[misc]
    """A parallel environment whose observations are plain vectors, int8[O].

    Each agent's mask, int8[A] with "wait" as its last action, stands in its info as `action_mask`,
    after `reset` and after every step, the last one too.

    Attributes:
        table: the environment that is wrapped.
    """

    def __init__(self, table: ParallelCardGameEnv) -> None:
        """Wrap `table`."""
        self.table = table
        self.metadata, self.render_mode = table.metadata, table.render_mode
        self.possible_agents = table.possible_agents[:]
        self.agents: list[str] = []
        one: Any = table.observation_space(self.possible_agents[0])
        self.observation_spaces = dict.fromkeys(self.possible_agents, one["observation"])
        self.action_spaces = table.action_spaces

    def observation_space(self, agent: str) -> spaces.Box:
        """What a seat sees; the same space for every agent.

        Raises:
            ValueError: if there is no such agent.
        """
        space: spaces.Box = self.observation_spaces[checked_agent(agent, self.possible_agents)]
        return space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The game's actions and "wait"."""
        return self.table.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Deal; arguments as for `CardGameEnv`."""
        seen, _ = self.table.reset(seed, options)
        self.agents = self.table.agents
        return _parted(seen)

    def step(
        self, actions: dict[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the mover's action; errors as for `ParallelCardGameEnv`."""
        seen, rewards, terminations, truncations, _ = self.table.step(actions)
        self.agents = self.table.agents
        observations, infos = _parted(seen)
        return observations, rewards, terminations, truncations, infos

    def state(self) -> np.ndarray:
        """The observations of all seats, in a row, int8[P * O]."""
        return self.table.state()

    def render(self) -> str | np.ndarray | None:
        """As `CardGameEnv.render`."""
        return self.table.render()

    def close(self) -> None:
        """Nothing is held open."""


def _parted(seen: dict[str, dict[str, np.ndarray]]) -> tuple[Observations, Infos]:
    observations = {agent: shown["observation"] for agent, shown in seen.items()}
    infos = {agent: {"action_mask": shown["action_mask"]} for agent, shown in seen.items()}
    return observations, infos
