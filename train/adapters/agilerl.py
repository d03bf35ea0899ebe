"""AgileRL: a game as its multi-agent algorithms want it, with masks as lists in the infos.

from backroom.envs import make_parallel
from backroom.train.adapters.agilerl import AgileRLEnv

env = AgileRLEnv(make_parallel("the_gang", num_players=3))
"""

from typing import Any

from backroom.envs import ParallelCardGameEnv

from .infos import Infos, MasksInInfos, Observations


class AgileRLEnv(MasksInInfos):
    """A parallel environment whose infos tell each agent's mask as a list (not an array).

    AgileRL begins the next game by itself, and throws away the infos of that `reset`: it plays the
    first move by the infos of the last step. So a game that ends is followed by a deal at once: the
    last infos hold the masks of the next game, which `reset` without arguments then hands out.
    """

    def __init__(self, table: ParallelCardGameEnv) -> None:
        """Wrap `table`."""
        super().__init__(table)
        self._next: tuple[Observations, Infos] | None = None

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Deal, or hand out what was dealt already; arguments as for `CardGameEnv`."""
        dealt, self._next = self._next, None
        if dealt is None or seed is not None or options:
            seen, infos = super().reset(seed, options)
            dealt = seen, _lists(infos)
        self.agents = self.possible_agents[:]
        return dealt

    def step(
        self, actions: dict[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play the mover's action; errors as for `ParallelCardGameEnv`."""
        if not self.agents:  # the next game is dealt already, but nobody was shown it
            raise RuntimeError("call reset() before step(): no game is under way")
        seen, rewards, terminations, truncations, infos = super().step(actions)
        infos = _lists(infos)
        if not self.agents:
            fresh, masks = super().reset()
            self.agents = []
            self._next = fresh, infos = fresh, _lists(masks)
        return seen, rewards, terminations, truncations, infos


def _lists(infos: Infos) -> Infos:
    return {agent: {"action_mask": info["action_mask"].tolist()} for agent, info in infos.items()}
