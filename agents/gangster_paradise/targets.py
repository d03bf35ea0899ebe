"""What it is worth to use a card on a seat. R-numbers: envs/gangster_paradise/README.md."""

import numpy as np

from ...envs.gangster_paradise.state import CONTRABAND, KILL, LOOK, SEIZE, SHOOT, SPY, SWAP
from .enemies import NEVER, dies_if_seen, seen_chance
from .mind import Mind, shots, substitutes

SPOILS = 1.5
"""What is taken of the dead."""
SCRATCH = 0.2
"""A damage that does not kill counts so much of one that does."""
EFFORT = 0.4
"""What a shot must be worth."""
KNOWING = 2.0
"""What it is worth to learn a LIFE of which nothing is known."""
BETTER_OF_TWO = 1.3
"""How much better the better one of two random cards is than the mean."""


def seat_scores(mind: Mind, k: int) -> np.ndarray:
    """What it is worth to use card k on each seat, float64[B, n]; NEVER where it is not allowed."""
    effect = mind.cards.effect[k]
    if effect == SHOOT:
        scores = shooting(mind)
    elif effect == KILL:
        scores = np.where(mind.hate > 0, mind.aims.war * mind.hate + SPOILS, NEVER)
    elif effect == SPY:
        scores = np.maximum(
            looking(mind, int(mind.cards.numbers[k, 0])),
            taking(mind, int(mind.cards.numbers[k, 1])),
        )
    elif effect == LOOK:
        scores = looking(mind, int(mind.cards.numbers[k, 0]))
    elif effect == SWAP:
        scores = random_card(mind) - mind.loss.min(axis=1, keepdims=True)
    elif effect == SEIZE:
        scores = 0.5 * mind.hands[..., mind.cards.sort == CONTRABAND].sum(axis=2)
    else:
        scores = np.zeros_like(mind.hate)
    scores[:, 0] = NEVER
    return scores


def shooting(mind: Mind) -> np.ndarray:
    """R31: a damage to each seat, the likelier it dies in this turn the better."""
    left = shots(mind)[:, None] - substitutes(mind)
    kills = np.clip(left + 0.6, 0.05, 1.0)
    scores = mind.aims.war * mind.hate * (kills + SCRATCH) + kills * SPOILS - EFFORT
    return np.where(mind.hate > 0, scores, NEVER)


def looking(mind: Mind, picks: int) -> np.ndarray:
    """R34, R36, R48, R49: to know a LIFE, or to see somebody dead who dies of being seen."""
    seen = seen_chance(mind.cards, mind.view, np.full(len(mind.hate), picks))
    news = 1 - mind.chances.max(axis=2)
    deadly = dies_if_seen(mind.cards, mind.view, mind.chances)
    harm = np.where(mind.friend > 0.5, -1.0, 1.0)
    scores: np.ndarray = mind.aims.spying * seen * (KNOWING * news + SPOILS * harm * deadly)
    return scores


def random_card(mind: Mind) -> np.ndarray:
    """What a random card of each hand is worth, float64[B, n]."""
    gain = np.minimum(mind.gain, 20.0)[:, None]
    mean: np.ndarray = (mind.hands * gain).sum(axis=2) / (mind.view.held + 1)
    return mean * np.where(mind.friend > 0.7, 0.2, 1.0)


def taking(mind: Mind, picks: int) -> np.ndarray:
    """R34: to take the best of some random cards."""
    better = BETTER_OF_TWO if picks > 1 else 1.0
    return np.where(mind.view.held > 0, better * random_card(mind), NEVER)
