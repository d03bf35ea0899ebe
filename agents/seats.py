"""A policy for each seat, as a training with separate policies leaves them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..envs.engine.game import Game
from .base import Agent
from .neural import NeuralAgent

PATTERN = "policy-{seat}.safetensors"
"""What the files of a run are called, seat by seat."""


def seat_files(run: Path) -> list[Path]:
    """The weights in the folder of a run with separate policies, by seat."""
    paths: list[Path] = []
    while (path := run / PATTERN.format(seat=len(paths))).is_file():
        paths.append(path)
    return paths


class SeatsAgent(Agent):
    """In each seat it plays the agent of that seat.

    Attributes:
        agents: the agents, by seat.
    """

    def __init__(
        self, game: Game, agents: Sequence[NeuralAgent], seed: int = 0, name: str = "seats"
    ) -> None:
        """Prepare to play.

        Raises:
            ValueError: if there is not one agent for each seat.
        """
        super().__init__(game, seed)
        if len(agents) != game.players:
            raise ValueError(f"{name} has {len(agents)} policies, one a seat, not {game.players}")
        self.agents, self.name = tuple(agents), name

    @classmethod
    def from_folder(cls, game: Game, run: Path, seed: int = 0) -> "SeatsAgent":
        """The policies in the folder of a run, named after it.

        Raises:
            ValueError: if there is not one for each seat, or one is damaged or cannot play `game`.
        """
        paths = seat_files(run)
        if len(paths) != game.players:
            raise ValueError(
                f"{run} holds a policy for each of {len(paths)} seats, and {game.name} is played "
                f"by {game.players} here: name one of the files, such as {paths[0]}"
            )
        return cls(game, [NeuralAgent.from_file(game, path) for path in paths], seed, run.name)

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """The distribution that `act` draws from, float32[B, A]."""
        shares = np.zeros(masks.shape, np.float32)
        for seat, agent in enumerate(self.agents):
            rows = np.flatnonzero(players == seat)
            if rows.size:
                shares[rows] = agent.probabilities(observations[rows], masks[rows], players[rows])
        return shares
