"""What the scripted agents of The Gang have in common."""

from typing import ClassVar

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.jit import first_use
from ...envs.the_gang.roster import MODES
from ..base import Agent
from .cards import answer, propose
from .table import Tables, read, some


class TheGangAgent(Agent):
    """A convention: each seat plays by the same rule, from what it sees and nothing else."""

    modes: ClassVar[tuple[str, ...]] = MODES
    """Those that it can play."""
    waits: ClassVar[bool] = True
    """Whether it is the time of taking a chip that tells, so that it proposes only when it would
    pass."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Prepare to play `game`, with any options.

        Raises:
            ValueError: if it is another game, or in a mode that this agent does not play.
        """
        if game.name != "the_gang":
            raise ValueError(f"the agent {self.name} plays the_gang, not {game.name}")
        if not self.plays(game):
            modes, mode = " and ".join(self.modes), game.settings()["mode"]
            raise ValueError(f"the agent {self.name} plays only the mode {modes}, not {mode}")
        super().__init__(game, seed)

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether it can play The Gang in this mode."""
        return game.settings()["mode"] in cls.modes

    def choose(self, tables: Tables, actions: np.ndarray) -> None:
        """Write which chip the convention takes, or that it passes, into `actions`, int64[B]."""
        raise NotImplementedError

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """The action that the convention says; nothing is drawn."""
        actions = np.empty(len(observations), np.int64)
        with first_use(self.game.name, f"the agent {self.name}"):
            tables = read(self.game, observations, masks)
            if self.game.settings()["mode"] == "basic":
                self.choose(tables, actions)
            else:
                self._choose_with_cards(tables, observations, masks, actions)
        return actions

    def _choose_with_cards(
        self, tables: Tables, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray
    ) -> None:
        """Chips by the convention, all else as `cards` says."""
        parts = self.game.parts(observations)
        turn = parts["decision"][:, 0] > 0
        rows = np.flatnonzero(turn)
        chosen = np.empty(rows.size, np.int64)
        self.choose(some(tables, rows), chosen)
        actions[rows] = chosen
        propose(tables, parts, masks, actions, rows, waits=self.waits)
        answer(tables, parts, masks, actions, np.flatnonzero(~turn))

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """1 for the action that the convention says."""
        shares = np.zeros(masks.shape, np.float32)
        shares[np.arange(len(shares)), self.act(observations, masks, players)] = 1
        return shares
