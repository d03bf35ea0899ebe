"""One game at a time with all agents acting at once, for PettingZoo's parallel API."""

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from .aec import CardGameEnv, Illegal, Observation, observation_space
from .checks import checked_action, checked_agent
from .game import Game


class ParallelCardGameEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """All seats act in each step; those not to move have one legal action, the last: "wait".

    The seat to move never may wait. So masks are never all zero, which is what frameworks want.
    An illegal action, a wait out of turn or a move out of turn is treated as `illegal` says (see
    `CardGameEnv`); of several offenders the first in the order of seats is blamed.

    Attributes:
        game: the game that is played, with its options.
        wait: the number of the action "wait".
    """

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        illegal: Illegal = "terminate",
        viewer: int | None = None,
    ) -> None:
        """Prepare spaces; arguments and errors as for `CardGameEnv`."""
        self._game = CardGameEnv(game, render_mode, illegal, viewer)
        self.game, self.render_mode, self.illegal = game, render_mode, illegal
        self.wait = len(game.actions)
        self.metadata = {**self._game.metadata, "is_parallelizable": True}
        self.possible_agents = self._game.possible_agents[:]
        self.agents: list[str] = []
        space = observation_space(game, self.wait + 1)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {a: spaces.Discrete(self.wait + 1) for a in self.possible_agents}
        self.state_space = self._game.state_space

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation and the action mask; the same space for every agent.

        Raises:
            ValueError: if there is no such agent.
        """
        return self.observation_spaces[checked_agent(agent, self.possible_agents)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The game's actions and "wait".

        Raises:
            ValueError: if there is no such agent.
        """
        return self.action_spaces[checked_agent(agent, self.possible_agents)]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal: each agent's observation and an empty info; arguments as for `CardGameEnv`."""
        self._game.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play the mover's action; all others must wait.

        Raises:
            RuntimeError: before `reset`, or when the game is over.
            ValueError: if an agent has no action; or if one is illegal and `illegal="raise"`.
        """
        if not self.agents:
            raise RuntimeError("call reset() before step(): no game is under way")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise ValueError(f"step wants an action of every agent; {missing} have none")
        present = self.agents
        self._play({agent: checked_action(actions[agent]) for agent in present})
        rewards = dict(self._game.rewards)
        terminations = dict(self._game.terminations)
        observations = self._observations()
        if all(terminations.values()):
            self.agents = []
        return (
            observations,
            rewards,
            terminations,
            dict.fromkeys(present, False),
            {agent: {} for agent in present},
        )

    def _play(self, numbers: dict[str, int]) -> None:
        """Play the mover's action, or deal with the first in the order of seats who offends."""
        mover = self._game.agent_selection
        legal = self._game.observe(mover)["action_mask"]
        fine = {agent: number == self.wait for agent, number in numbers.items()}
        fine[mover] = 0 <= numbers[mover] < self.wait and bool(legal[numbers[mover]])
        offender = next((agent for agent in numbers if not fine[agent]), None)
        if offender is None or (offender == mover and numbers[mover] != self.wait):
            self._game.step(numbers[mover])
        elif self.illegal == "raise":
            may = "not wait" if offender == mover else "only wait"
            raise ValueError(f"{offender} may {may} now")
        else:
            self._game.forfeit(offender)

    def state(self) -> np.ndarray:
        """The observations of all seats, in a row, int8[P * O]."""
        return self._game.state()

    def render(self) -> str | np.ndarray | None:
        """As `CardGameEnv.render`."""
        return self._game.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _observations(self) -> dict[str, Observation]:
        observations = {}
        for agent in self.possible_agents:
            shown = self._game.observe(agent)
            idle = not shown["action_mask"].any()
            mask = np.append(shown["action_mask"], np.int8(idle))
            observations[agent] = {"observation": shown["observation"], "action_mask": mask}
        return observations
