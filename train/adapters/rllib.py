"""RLlib: a game as its `MultiAgentEnv`, in which only the seat to move is asked.

    from ray.rllib.algorithms.ppo import PPOConfig
    from backroom.train.adapters.rllib import RLlibEnv

    game = {"game": "the_gang", "num_players": 3}
    PPOConfig().environment(RLlibEnv, env_config=game, disable_env_checking=True)

RLlib's masking module wants the keys `observations` and `action_mask`, both of float32.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from backroom.envs import make


class RLlibEnv(MultiAgentEnv):  # type: ignore[misc]
    """One game. Each step asks the seat to move; the end is told to all seats at once.

    A seat is handed what it has earned, on whosever move, with the first observation after an own
    action, or at the end: RLlib loses what comes with an agent's very first observation.
    An illegal action ends the game, as in `CardGameEnv`.

    Attributes:
        table: the PettingZoo environment that is played.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        """`config` names the `game`, and holds its options.

        Raises:
            ValueError: if there is no such game or option.
        """
        super().__init__()
        options = dict(config or {})
        if "game" not in options:
            raise ValueError('env_config names the game: {"game": "the_gang"}')
        self.table = make(options.pop("game"), **options)
        self.possible_agents = self.table.possible_agents[:]
        self.agents = self.possible_agents[:]
        self._under_way = False
        low, high = self.table.game.observation_bounds
        actions = len(self.table.game.actions)
        space = spaces.Dict(
            {
                "observations": spaces.Box(
                    low.astype(np.float32), high.astype(np.float32), dtype=np.float32
                ),
                "action_mask": spaces.Box(0, 1, (actions,), np.float32),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {a: spaces.Discrete(actions) for a in self.possible_agents}
        self._owed = dict.fromkeys(self.possible_agents, 0.0)
        self._acted: set[str] = set()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal; the observation of the seat to move. Arguments as for `CardGameEnv`."""
        self.table.reset(seed, options)
        self.agents = self.possible_agents[:]
        self._owed = dict.fromkeys(self.possible_agents, 0.0)
        self._acted.clear()
        self._under_way = True
        mover = self.table.agent_selection
        return {mover: self._seen(mover)}, {}

    def step(
        self, action_dict: Mapping[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Play the mover's action.

        Raises:
            RuntimeError: before `reset`, or when the game is over.
            ValueError: if it has none.
        """
        if not self._under_way:
            raise RuntimeError("call reset() before step(): no game is under way")
        mover = self.table.agent_selection
        if mover not in action_dict:
            raise ValueError(f"{mover} is to move, and no action of it came: {dict(action_dict)}")
        self.table.step(action_dict[mover])
        self._acted.add(mover)
        for agent, reward in self.table.rewards.items():
            self._owed[agent] += reward
        over = all(self.table.terminations.values())
        told = self.possible_agents if over else [self.table.agent_selection]
        paid = [agent for agent in told if over or agent in self._acted]
        rewards = {agent: self._owed[agent] if agent in paid else 0.0 for agent in told}
        self._owed.update(dict.fromkeys(paid, 0.0))
        ends = {"__all__": over, **(dict.fromkeys(told, True) if over else {})}
        if over:
            self.agents, self._under_way = [], False
        return {a: self._seen(a) for a in told}, rewards, ends, {"__all__": False}, {}

    def render(self) -> Any:
        """As `CardGameEnv.render`."""
        return self.table.render()

    def _seen(self, agent: str) -> dict[str, np.ndarray]:
        shown = self.table.observe(agent)
        return {
            "observations": shown["observation"].astype(np.float32),
            "action_mask": shown["action_mask"].astype(np.float32),
        }
