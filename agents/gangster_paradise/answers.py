"""Reactions to what others do, and answers to what they ask.

R-numbers: envs/gangster_paradise/README.md.
"""

import numpy as np

from ...envs.gangster_paradise.actions import CHOOSE_CARD, NO, YES
from ...envs.gangster_paradise.state import (
    BEAUTY,
    BLACK,
    BOSS_SHOWN,
    CONSENT,
    EVADE,
    GRAY,
    HERO,
    KILL,
    LOOK,
    NEGATE,
    PORNO,
    PURPLE,
    SPY,
    STAND_IN,
)
from .mind import Mind
from .trades import consent
from .view import pick

NEAR = 3
"""Who holds THE BOSS shows it to start, with so many GANGSTER."""
DEAR = 0.6
"""Who is a friend with such a chance is helped."""


def weigh_answers(mind: Mind) -> None:
    """Write what each answer is worth; NO is 0."""
    view, scores, first = mind.view, mind.scores, mind.block(CHOOSE_CARD)
    scores[:, NO] = 0
    scores[:, YES] = np.where(view.asked == CONSENT, consent(mind), 0)
    says = np.full(len(view.hand), -1.0)
    for asked, wish in (
        (BOSS_SHOWN, view.hand[:, mind.cards.gangster] >= NEAR),
        (BEAUTY, _cancels(mind)),
        (PORNO, np.ones(len(says), np.bool_)),
        (HERO, _protects(mind)),
        (STAND_IN, np.ones(len(says), np.bool_)),
        (EVADE, np.ones(len(says), np.bool_)),
    ):
        says = np.where((view.asked == asked) & wish, 1.0, says)
    cards = says[:, None] - 0.001 * np.minimum(mind.loss, 50.0)  # the cheapest substitute
    scores[:, first : first + mind.cards.kinds] = cards


def _protects(mind: Mind) -> np.ndarray:
    """R50: a HERO for oneself or a friend, bool[B]."""
    dear = pick(mind.friend, mind.view.target) >= DEAR
    found: np.ndarray = (mind.view.target == 0) & mind.view.alive[:, 0] | dear
    return found


def _cancels(mind: Mind) -> np.ndarray:
    """R46: who kills oneself or a friend, or looks at one who dies of it; a HERO in one's way."""
    view, effect = mind.view, mind.cards.effect[mind.view.subject]
    me = (view.target == 0) & view.alive[:, 0]
    dear = pick(mind.friend, view.target) >= DEAR
    by_black = pick(view.lives, view.subject_user)[:, BLACK]
    shy = (view.colour == PURPLE) | ((view.colour == GRAY) & ~by_black)
    looks = np.isin(effect, (SPY, LOOK)) & me & shy & (view.round > 1)
    kills = (effect == KILL) & (me | (dear & (view.target > 0)))
    blocked = (effect == NEGATE) & (view.turn == 0) & (pick(mind.hate, view.target) > 1)
    found: np.ndarray = looks | kills | blocked
    return found
