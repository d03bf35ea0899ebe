"""What every agent is."""

import numpy as np

from ..envs.engine.game import Game
from ..envs.engine.single import RandomPlayer


def sample(shares: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """An action a row, int64[B], drawn from `shares`, float[B, A]; never one of share 0."""
    sums = np.cumsum(shares, axis=1, dtype=np.float64)
    sums /= sums[:, -1:]  # exactly 1 from the last legal action on, above all that is drawn
    actions: np.ndarray = (sums <= generator.random((len(sums), 1))).sum(axis=1)
    return actions


class Agent:
    """A player of one game: it chooses from observations and masks alone.

    One agent plays any number of games and seats at once, so it keeps nothing between calls but
    its random generator. It never holds an environment or a state.

    Attributes:
        game: the game with the options that the agent plays.
        name: what tables call it, unless it was named by a text, as with `--agents`: then that.
    """

    name = "agent"

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Prepare to play `game`.

        Raises:
            ValueError: if the agent cannot play this game or these options.
        """
        self.game = game
        self.generator = np.random.default_rng(seed)

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether the agent can play its game with the options of `game`."""
        return True

    def seed(self, seed: int) -> None:
        """Begin the random generator anew; a seed of an environment tells nothing of it."""
        self.generator = np.random.default_rng(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """Choose a legal action in each of B games: drawn from `probabilities`, unless overridden.

        Args:
            observations: int8[B, O], each as the player to move sees it.
            masks: bool[B, A], the legal actions, at least one in each row.
            players: int[B], the seats to move.

        Returns:
            int64[B].
        """
        shares = self.probabilities(observations, masks, players)
        if shares is None:
            raise NotImplementedError(f"{type(self).__name__} tells neither act nor probabilities")
        return sample(shares, self.generator)

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray | None:
        """The distribution that `act` draws from, float32[B, A], or None if it is not known."""
        return None

    def value(self, observations: np.ndarray) -> np.ndarray | None:
        """What the movers are expected still to earn, float32[B], or None if it is not known."""
        return None


class RandomAgent(Agent):
    """A uniformly random legal action."""

    name = "random"

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Begin the stream at `seed`."""
        super().__init__(game, seed)
        self._player = RandomPlayer(seed)

    def seed(self, seed: int) -> None:
        """Begin the stream anew."""
        self._player.seed(seed)

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """One of the legal actions of each game."""
        return self._player.act(observations, masks, players)

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """The same for each legal action."""
        masks = np.asarray(masks, np.float32)
        shares: np.ndarray = masks / masks.sum(axis=1, keepdims=True)
        return shares
