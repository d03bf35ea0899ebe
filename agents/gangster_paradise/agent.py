"""What the scripted agents of Gangster Paradise have in common."""

import numpy as np

from ...envs.engine.game import Game
from ...envs.engine.jit import first_use
from ...envs.gangster_paradise.state import ASK, MENU, NOTHING
from ..base import Agent
from .answers import weigh_answers
from .chain import weigh_chain
from .enemies import NEVER
from .menu import weigh_menu
from .mind import Mind
from .style import Style
from .view import cards_of, read, some

WIDTH = 0.1
"""What is worse than the best by less is played too, the rarer the worse."""


class GangsterParadiseAgent(Agent):
    """Plays by its `style`; see the modules of this package."""

    style = Style()

    def __init__(self, game: Game, seed: int = 0) -> None:
        """Prepare to play `game`, with any options.

        Raises:
            ValueError: if it is another game.
        """
        if game.name != "gangster_paradise":
            raise ValueError(f"the agent {self.name} plays gangster_paradise, not {game.name}")
        super().__init__(game, seed)
        with first_use(game.name, "the scripted agents"):
            self.cards = cards_of(game)

    def scores(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """What each action is worth, float64[B, A]; what is illegal is -inf."""
        view = read(self.game, observations, masks)
        scores = np.full(view.masks.shape, NEVER)
        phases = np.where(
            view.masks.sum(axis=1) > 1, view.phase, NOTHING
        )  # else there is no choice
        for phase in set(phases.tolist()) - {NOTHING}:
            rows = np.flatnonzero(phases == phase)
            mind = Mind(self.cards, self.style, some(view, rows))
            if phase == MENU:
                weigh_menu(mind)
            elif phase == ASK:
                weigh_answers(mind)
            else:
                weigh_chain(mind, int(phase))
            scores[rows] = mind.scores
        return np.where(view.masks, scores, -np.inf)

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """The distribution that `act` draws from, float32[B, A]: near the best of `scores`."""
        scores = self.scores(observations, masks)
        behind = scores.max(axis=1, keepdims=True) - scores
        weights = np.square(np.maximum(0, 1 - behind / WIDTH))
        weights /= weights.sum(axis=1, keepdims=True)
        shares: np.ndarray = weights.astype(np.float32)
        return shares
