"""What a player of Kuhn poker may know."""

import numpy as np

from ..engine.game import State
from ..engine.jit import jit
from ..engine.rng import draw, mix
from .rules import shown_down
from .state import ACTIONS, CARDS, PLAYERS


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R1: one's own card; R3: all that was played. The parts stand in the order of PARTS."""
    observation[:] = 0
    observation[player] = 1
    at = PLAYERS
    observation[at + s.deck[player]] = 1
    at += CARDS
    for i in range(s.moves):
        observation[at + i * len(ACTIONS) + s.history[i]] = 1


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R1: the two cards that `player` does not see, in either order; R5: none after a showdown."""
    s.rng = mix(np.uint64(seed))
    other = 1 - player
    if not shown_down(s) and draw(s, 2) == 1:
        s.deck[other], s.deck[2] = s.deck[2], s.deck[other]
