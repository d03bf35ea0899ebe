"""What cards are worth, to oneself and to others. R-numbers: envs/gangster_paradise/README.md.

A hand is worth what its cards can do, and how far it is on the way to a set that wins. The second
part grows with the square of the way, so whoever has more of a set wants more of it: that is what
trades live on.
"""

from typing import NamedTuple

import numpy as np

from ...envs.gangster_paradise.rules.victory import GANGSTERS, GREAT_ROUND, GREATS, MONEYS
from ...envs.gangster_paradise.state import (
    AMMO,
    BOOST,
    BUY,
    CANCEL,
    COUNTER,
    FENCE,
    HUSTLE,
    KILL,
    LIFE_EFFECT,
    LOOK,
    LOOKOUT,
    NEGATE,
    NEGOTIATE,
    NONE,
    PEEK,
    PICKUP,
    RECRUIT,
    SEIZE,
    SHOOT,
    SMOKE,
    SPY,
    SUBSTITUTE,
    SWAP,
)
from .style import Aims
from .view import Cards

WIN = 50.0
"""Of a whole set."""
BOSS_STEPS = 1.5
"""THE BOSS is worth so many GANGSTER on the way to virtue."""
WAYS = (0.25, 0.12, 1.0)
"""Weights of the squared way to virtue, money, greatness."""
DEAD_SHARE = 0.1
"""What cards are worth to the dead, who lose them soon, and to no set."""

_USE = {
    **{
        NONE: (0.2, 1),
        BUY: (0.8, 3),
        SHOOT: (0.6, 2),
        KILL: (2.2, 1),
        SPY: (1.0, 2),
        LOOK: (1.0, 1),
    },
    **{SWAP: (0.5, 1), PEEK: (0.3, 1), FENCE: (0.6, 1), RECRUIT: (0.8, 1), HUSTLE: (0.8, 1)},
    **{PICKUP: (0.5, 1), NEGOTIATE: (0.4, 1), SEIZE: (0.3, 1), BOOST: (0.5, 1), SMOKE: (0.4, 1)},
    **{SUBSTITUTE: (1.2, 2), CANCEL: (1.8, 1), NEGATE: (2.2, 1), LOOKOUT: (0.4, 1)},
    **{COUNTER: (0.2, 1), AMMO: (0.6, 3)},
}
"""By effect: what such a card is worth for its use, and how many of them are."""
_VALUE = np.array([_USE.get(e, (0.0, 0))[0] for e in range(LIFE_EFFECT + 5)])
_MOST = np.array([_USE.get(e, (0.0, 0))[1] for e in range(LIFE_EFFECT + 5)])
_WAR, _SAFE, _SPYING = (
    np.isin(np.arange(len(_VALUE)), effects)
    for effects in ((SHOOT, KILL, AMMO), (SUBSTITUTE, NEGATE, CANCEL, LOOKOUT), (SPY, LOOK))
)


class Scale(NamedTuple):
    """By what B players weigh cards."""

    aims: Aims
    uses: np.ndarray
    """float64[B, K]: what a card of each kind is worth for its use."""


def scale_of(cards: Cards, aims: Aims) -> Scale:
    """How players with such aims weigh the cards."""
    value, effect = _VALUE[cards.effect], cards.effect
    for bent, weight in ((_WAR, aims.war), (_SAFE, aims.safety), (_SPYING, aims.spying)):
        value = value * np.where(bent[effect], weight, 1)
    return Scale(aims, value)


def _virtue(gangsters: np.ndarray, boss: np.ndarray) -> np.ndarray:
    way = np.minimum(gangsters, GANGSTERS) + BOSS_STEPS * np.minimum(boss, 1)
    whole = (gangsters >= GANGSTERS) & (boss >= 1)
    found: np.ndarray = WAYS[0] * np.square(way) + WIN * whole
    return found


def _wealth(money: np.ndarray) -> np.ndarray:
    found: np.ndarray = WAYS[1] * np.square(np.minimum(money, MONEYS)) + WIN * (money >= MONEYS)
    return found


def _greatness(greats: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """R56: a whole set wins from round 3 on; one round before, it is as good as won."""
    whole = (greats >= GREATS) & (rounds >= GREAT_ROUND - 1)
    found: np.ndarray = WAYS[2] * np.square(np.minimum(greats, GREATS)) + WIN * whole
    return found


def _weights(aims: Aims, rounds: np.ndarray, inner: int) -> list[np.ndarray]:
    """Those of the three sets, and the rounds, with `inner` more dimensions."""
    return [array.reshape(-1, *[1] * inner) for array in (*aims[:3], rounds)]


def sets(cards: Cards, aims: Aims, hands: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """How far hands, [B, ..., K], are on the way to a set, float64[B, ...]; rounds: int64[B]."""
    virtue, wealth, greatness, rounds = _weights(aims, rounds, hands.ndim - 2)
    way: np.ndarray = (
        virtue * _virtue(hands[..., cards.gangster], hands[..., cards.boss])
        + wealth * _wealth(hands[..., cards.money])
        + greatness * _greatness(hands[..., cards.great].sum(axis=-1), rounds)
    )
    return way


def worth(cards: Cards, scale: Scale, hands: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """What hands, [B, ..., K], are worth, float64[B, ...]."""
    used = _inner(scale.uses, hands) * np.minimum(hands, _MOST[cards.effect])
    total: np.ndarray = used.sum(axis=-1) + sets(cards, scale.aims, hands, rounds)
    return total


def one_more(cards: Cards, scale: Scale, hands: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """What one card more of each kind is worth to hands [B, ..., K]; the same shape."""
    return _step(cards, scale, hands, rounds, 0)


def one_less(cards: Cards, scale: Scale, hands: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """What the last card of each kind is worth to hands [B, ..., K], if they have one."""
    return _step(cards, scale, hands, rounds, 1)


def _inner(uses: np.ndarray, hands: np.ndarray) -> np.ndarray:
    """`uses`, [B, K], in as many dimensions as `hands`."""
    return uses.reshape(len(uses), *[1] * (hands.ndim - 2), uses.shape[1])


def _step(
    cards: Cards, scale: Scale, hands: np.ndarray, rounds: np.ndarray, back: int
) -> np.ndarray:
    """What the card after `hands` is worth, each kind for itself, with `back` fewer of it."""
    most = _MOST[cards.effect]
    low = np.maximum(hands - back, 0)
    steps: np.ndarray = _inner(scale.uses, hands) * (
        np.minimum(low + 1, most) - np.minimum(low, most)
    )
    virtue, wealth, greatness, rounds = _weights(scale.aims, rounds, hands.ndim - 2)
    gangsters, boss, money = (hands[..., k] for k in (cards.gangster, cards.boss, cards.money))
    fewer = np.maximum(gangsters - back, 0)
    steps[..., cards.gangster] += virtue * (_virtue(fewer + 1, boss) - _virtue(fewer, boss))
    fewer = np.maximum(boss - back, 0)
    steps[..., cards.boss] += virtue * (_virtue(gangsters, fewer + 1) - _virtue(gangsters, fewer))
    fewer = np.maximum(money - back, 0)
    steps[..., cards.money] += wealth * (_wealth(fewer + 1) - _wealth(fewer))
    fewer = np.maximum(hands[..., cards.great].sum(axis=-1) - back, 0)
    grown = greatness * (_greatness(fewer + 1, rounds) - _greatness(fewer, rounds))
    steps[..., cards.great] += grown[..., None]
    return steps
