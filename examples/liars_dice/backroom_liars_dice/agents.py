"""Who plays liar's dice."""

import numpy as np
from scipy.stats import binom

from backroom.agents import Agent

from .rules import FACES


class Odds(Agent):
    """Doubts what is unlikely by its own die; else makes the likeliest bid that it may."""

    name = "odds"

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """All on one action, float32[B, A]."""
        parts = self.game.parts(observations)
        others = self.game.players - 1
        bids = np.arange(FACES * self.game.players)
        own = parts["die"][:, bids % FACES]
        missing = bids // FACES + 1 - own  # dice that the others must show
        true = binom.sf(missing - 1, others, 1 / FACES)
        worth = np.zeros(masks.shape)
        worth[:, 1:] = true
        worth[:, 0] = 1 - (parts["bid"] * true).sum(axis=1)
        best = np.where(masks, worth, -1).argmax(axis=1)
        shares = np.zeros(masks.shape, np.float32)
        shares[np.arange(len(best)), best] = 1
        return shares
