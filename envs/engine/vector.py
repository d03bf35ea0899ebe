"""Many games for one seat each, as a `gymnasium.vector` environment."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .aec import observation_space
from .checks import checked_count, checked_seed
from .game import Game
from .names import several
from .rng import seed_range
from .single import Player, SeatGames


class SingleSeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games, each for one seat, against given players, all stepped by few kernel calls.

    Episodes that end are dealt anew in the same step (`AutoresetMode.SAME_STEP`): the terminal
    observation stands in `infos["final_obs"]`, an array of objects as Gymnasium has it, None where
    no episode ended. Masks stand in the observation and in `action_masks()`, bool[B, A].
    An illegal action ends its episode, whose rewards then sum to the least return of the game.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seat: int | None = None,
        opponents: Player | Sequence[Player] | None = None,
        flatten: bool = False,
    ) -> None:
        """Prepare spaces; arguments as for `SingleSeatEnv`.

        Raises:
            TypeError, ValueError: if `num_envs` is no integer from 1 up, or an argument does not
                fit the game.
        """
        num_envs = checked_count("num_envs", num_envs)
        self.game, self.num_envs, self.flatten = game, num_envs, flatten
        self._games = SeatGames(game, num_envs, seat, opponents)
        space = observation_space(game, len(game.actions))
        self.single_observation_space = space["observation"] if flatten else space
        self.single_action_space = spaces.Discrete(len(game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal all games, game i from `seed` + i; there are no `options`.

        With a list, game i is dealt from `seed[i]`; where that is None, its stream goes on. All
        other chance follows from the first seed of the list.

        Raises:
            TypeError, ValueError: if a seed is no integer in [0, 2**64), or there is not one a
                game.
        """
        seeds = self._seeds(seed)
        first = next((s for s in seeds if s is not None), None)
        super().reset(seed=first)
        self._games.start(seeds, self.np_random)
        return self._observations(), {}

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play integers[B], one for each game, then the others until each learner is to decide.

        Raises:
            ValueError: if there are not B integers.
        """
        games, numbers = self._games, np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise ValueError(f"step wants {self.num_envs} integers, not {numbers!r}")
        rows = np.arange(self.num_envs)
        inside = (numbers >= 0) & (numbers < len(self.game.actions))
        legal = inside & games.masks[rows, np.where(inside, numbers, 0)]
        games.play(np.where(legal, numbers, -1))
        games.forfeit(~legal)
        rewards, done = games.rewards.copy(), games.done.copy()
        infos: dict[str, Any] = {}
        if done.any():
            infos = {"final_obs": self._finals(done), "_final_obs": done.copy()}
            infos |= {"final_info": {}, "_final_info": done.copy()}
            games.deal(done, self.np_random)
        return self._observations(), rewards, done, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> np.ndarray:
        """The legal actions, a fresh bool[B, A]."""
        return self._games.masks.copy()

    def _seeds(self, seed: Any) -> list[int | None]:
        """The seed of each game, None where there is none."""
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, np.ndarray):
            seed = seed.tolist()
        if not isinstance(seed, list | tuple):
            return list(seed_range(checked_seed(seed), self.num_envs).tolist())
        if len(seed) != self.num_envs:
            raise ValueError(f"reset wants {several(self.num_envs, 'seed')}, not {len(seed)}")
        return [None if s is None else checked_seed(s) for s in seed]

    def _observations(self) -> Any:
        return self._games.shown(slice(None), self.flatten)

    def _finals(self, done: np.ndarray) -> np.ndarray:
        finals = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(done).tolist():
            finals[i] = self._games.shown(i, self.flatten)
        return finals
