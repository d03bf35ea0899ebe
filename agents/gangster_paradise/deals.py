"""What there is to gain at the field: buying, selling, exchanging.

R-numbers: envs/gangster_paradise/README.md.
"""

import numpy as np

from ...envs.gangster_paradise.state import (
    BUY,
    CONTRABAND,
    FENCE,
    GANGSTER,
    HUSTLE,
    MONEY,
    RECRUIT,
    WEAPON,
)
from .enemies import NEVER
from .mind import Mind, purse
from .worth import worth

MOST_SOLD = 4
"""So many weapons of a name are sold at once, at most."""


def _worth_after(mind: Mind, hands: np.ndarray) -> np.ndarray:
    """What `hands`, int64[B, K], are worth beyond the own one, float64[B]."""
    now = worth(mind.cards, mind.scale, mind.view.hand, mind.view.round)
    after: np.ndarray = worth(mind.cards, mind.scale, hands, mind.view.round) - now
    return after


def purchases(mind: Mind) -> np.ndarray:
    """R30: what each card of the field is worth beyond its price, float64[B, K]."""
    cards, hand, can_pay = mind.cards, mind.view.hand, purse(mind)
    scores = np.full(mind.gain.shape, NEVER)
    fake = [k for k in range(cards.kinds) if cards.effect[k] == BUY and k != cards.money]
    for cost in sorted({int(c) for c in cards.cost if c > 0}):
        kinds = cards.cost == cost
        rest, after = np.full(len(hand), cost), hand.copy()
        for k in [*fake, cards.money]:
            paid = np.minimum(rest, hand[:, k])
            after[:, k] -= paid
            rest -= paid
        price = -_worth_after(mind, after)[:, None]
        possible = (can_pay >= cost)[:, None] & (mind.view.field[:, kinds] > 0)
        scores[:, kinds] = np.where(possible, mind.gain[:, kinds] - price, NEVER)
    return scores


def with_money(mind: Mind, hands: np.ndarray, worth_of: np.ndarray) -> np.ndarray:
    """R22: `hands`, int64[B, K], after money of the field is picked up for `worth_of`, int64[B]."""
    rest, after = worth_of.copy(), hands.copy()
    kinds = [k for k in range(mind.cards.kinds) if mind.cards.sort[k] == MONEY]
    for k in sorted(kinds, key=lambda k: k != mind.cards.money):
        found = np.minimum(rest, mind.view.field[:, k])
        after[:, k] += found
        rest -= found
    return after


def sales(mind: Mind) -> tuple[np.ndarray, np.ndarray]:
    """R22: what selling each kind of weapon is worth, float64[B, K], and how many, int64[B, K]."""
    cards, hand = mind.cards, mind.view.hand
    scores = np.full(mind.gain.shape, NEVER)
    number = np.zeros(mind.gain.shape, np.int64)
    for k in np.flatnonzero((cards.sort == WEAPON) & (cards.cost > 0)):
        for count in range(1, min(MOST_SOLD, int(hand[:, k].max(initial=0))) + 1):
            after = with_money(mind, hand, np.full(len(hand), count * cards.cost[k]))
            after[:, k] -= count
            score = np.where(hand[:, k] >= count, _worth_after(mind, after), NEVER)
            better = score > scores[:, k]
            scores[better, k] = score[better]
            number[better, k] = count
    return scores, number


def exchanges(mind: Mind, k: int) -> np.ndarray:
    """R40, R42, R43: what giving each own card for the effect of card k is worth, float64[B, K]."""
    cards, hand, field = mind.cards, mind.view.hand, mind.view.field
    effect, scores = cards.effect[k], np.full(mind.gain.shape, NEVER)
    for own in range(cards.kinds):
        spare = hand[:, own] > (own == k)
        if effect == HUSTLE:
            if cards.sort[own] not in (WEAPON, CONTRABAND):
                continue
            after = with_money(mind, hand, np.full(len(hand), max(1, int(cards.cost[own]))))
            after[:, own] -= 1
            score = _worth_after(mind, after)
        elif cards.cost[own] == 0:
            continue
        else:
            fits = np.zeros(cards.kinds, np.bool_)
            if effect == RECRUIT:
                fits = cards.sort == GANGSTER
            elif effect == FENCE:
                fits = (cards.cost > 0) & (cards.cost <= cards.cost[own])
            fits[own] = False  # the same card again
            found = np.where(fits & (field > 0), mind.gain, NEVER).max(axis=1)
            score = found - mind.loss[:, own]
        scores[:, own] = np.where(spare, score, NEVER)
    return scores
