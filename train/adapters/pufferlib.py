"""PufferLib: thousands of games for one seat each, as one native `PufferEnv`.

    import pufferlib.vector
    from backroom.train.adapters.pufferlib import SeatGamesPuffer, cut

    games = pufferlib.vector.make(SeatGamesPuffer, env_kwargs={"game": game, "games": 1024})

PufferLib copies observations, rewards and ends between processes in buffers of one type each, and
has no place for masks of actions: so an observation's mask follows it in the same row.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pufferlib import PufferEnv

from backroom.envs import Game, make_vector
from backroom.envs.engine.checks import checked_count, checked_seed
from backroom.envs.engine.single import Player


class SeatGamesPuffer(PufferEnv):  # type: ignore[misc]
    """Each of PufferLib's agents plays one seat of a game of its own, against given players.

    A row is int8[O + A]: the observation, then the mask; `cut` parts them. A game that ends is
    dealt anew in the same step. An illegal action ends its game, as in `make_vector`; its rewards
    then sum to the least return there is. All arrays are PufferLib's buffers, overwritten by each
    step.

    Attributes:
        game: the game that is played.
    """

    def __init__(
        self,
        game: Game,
        games: int = 1024,
        seat: int | None = None,
        opponents: Player | Sequence[Player] | None = None,
        buf: Any = None,
        seed: int | None = 0,
    ) -> None:
        """Prepare `games` games.

        Args:
            game: what is played, with its options.
            games: PufferLib's number of agents.
            seat: the learner's; None: drawn for each game.
            opponents: as for `make_vector`; None: random players.
            buf: PufferLib's buffers, from its vector environments.
            seed: of all chance, together with that of `reset`; None: drawn anew each time.

        Raises:
            TypeError, ValueError: if an argument does not fit the game.
        """
        games = checked_count("games", games)
        self._games = make_vector(game, games, seat=seat, opponents=opponents, flatten=True)
        self.game, self.num_agents = game, games
        low, high = game.observation_bounds
        ends = np.zeros(len(game.actions), np.int8), np.ones(len(game.actions), np.int8)
        self.single_observation_space = spaces.Box(
            np.concatenate([low, ends[0]]), np.concatenate([high, ends[1]]), dtype=np.int8
        )
        self.single_action_space = spaces.Discrete(len(game.actions))
        self._seed = None if seed is None else checked_seed(seed)
        self._dealt = False
        self._returns = np.zeros(games)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, float]]]:
        """Deal all games; without a `seed`, after the first time, their streams go on.

        PufferLib counts up seeds from one environment to the next, and in several processes gives
        some of them twice here, though not at the beginning. So both seeds are mixed: no two of its
        environments play the same games.
        """
        known = [s for s in (self._seed, seed) if s is not None]
        goes_on = seed is None and self._dealt
        seen, _ = self._games.reset(seed=None if goes_on or not known else _mixed(known))
        self._dealt = True
        self.rewards[:] = self._returns[:] = 0
        self.terminals[:] = self.truncations[:] = False
        self.masks[:] = True  # rows that count: all do
        self._show(seen)
        return self.observations, []

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict[str, float]]]:
        """Play integers[games], one each; the infos tell the mean return of games that ended.

        Raises:
            ValueError: if there are not as many integers as games.
        """
        seen, rewards, done, _, _ = self._games.step(np.asarray(actions).reshape(-1))
        self._show(seen)
        self.rewards[:], self.terminals[:] = rewards, done
        self._returns += rewards
        infos = [{"return": float(self._returns[done].mean())}] if done.any() else []
        self._returns[done] = 0
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """There is nothing to close."""

    def _show(self, seen: np.ndarray) -> None:
        self.observations[:, : seen.shape[1]] = seen
        self.observations[:, seen.shape[1] :] = self._games.action_masks()


def _mixed(seeds: list[int]) -> int:
    """One seed that follows from all, far from those that follow from their neighbours.

    Raises:
        TypeError, ValueError: if one is no integer in [0, 2**64).
    """
    entropy = np.random.SeedSequence([checked_seed(seed) for seed in seeds])
    return int(entropy.generate_state(1, np.uint64)[0])


def cut(rows: Any, game: Game) -> tuple[Any, Any]:
    """The observations [B, O] and the masks [B, A], int8, in rows [B, O + A]; arrays or tensors."""
    return rows[:, : game.observation_size], rows[:, game.observation_size :]
