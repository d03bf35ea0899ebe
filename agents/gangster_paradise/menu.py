"""What to begin in a turn. R-numbers: envs/gangster_paradise/README.md."""

import numpy as np

from ...envs.gangster_paradise.actions import (
    END,
    ONE_MORE_DRAW,
    RESET,
    SHOW_CARD,
    TO_SELL,
    TO_TRADE,
    USE_CARD,
)
from ...envs.gangster_paradise.state import (
    BLACK,
    BOOST,
    BUY,
    DISCARD,
    FENCE,
    HUSTLE,
    KILL,
    LOOK,
    NEGOTIATE,
    PEEK,
    PICKUP,
    RECRUIT,
    SEIZE,
    SHOOT,
    SMOKE,
    SPY,
    SWAP,
    WEAPON,
)
from .deals import exchanges, purchases, sales
from .enemies import NEVER
from .mind import Mind, draw_worth, purse, shots
from .talk import say
from .targets import seat_scores
from .trades import plans

ON_SEATS = (SHOOT, KILL, SPY, LOOK, SWAP, SEIZE)
FREE = 0.9
"""More actions are taken first, if there is anything to do with them."""
IDLE = 0.05
"""A look at the deck."""
FRESH = 0.3
"""A new field, for who has money and finds nothing to buy."""
TWO_ACTIONS = 0.6
"""What a drawn card counts, as it costs two actions."""
REVOLT = 3.0
"""BLACK shows its LIFE for one more action, when that may be the last one that it needs."""


def weigh_menu(mind: Mind) -> None:
    """Write what each beginning is worth; the end of the turn is 0."""
    masks, scores, use = mind.view.masks, mind.scores, mind.block(USE_CARD)
    scores[:, END] = 0
    buy, trade = purchases(mind).max(axis=1), plans(mind).score.max(axis=1)
    trade = np.where(mind.view.actions > 0, mind.style.trade * trade, trade)
    for k in range(mind.cards.kinds):
        if masks[:, use + k].any():
            scores[:, use + k] = _use(mind, k, buy, trade)
    scores[:, TO_TRADE] = trade
    scores[:, TO_SELL] = sales(mind)[0].max(axis=1)
    drawn = draw_worth(mind)
    fresh = (purse(mind) > 0) & (buy < FRESH) & (mind.view.actions > 1)
    scores[:, RESET] = np.where(fresh, FRESH, NEVER)
    scores[:, ONE_MORE_DRAW] = TWO_ACTIONS * drawn
    _revolt(mind)
    say(mind)


def _use(mind: Mind, k: int, buy: np.ndarray, trade: np.ndarray) -> np.ndarray:
    """What using card k is worth, float64[B]."""
    cards, effect = mind.cards, mind.cards.effect[k]
    spent = mind.loss[:, k] if cards.usage[k] == DISCARD else np.zeros(len(buy))
    score: np.ndarray = np.full(len(buy), NEVER)
    if effect == BUY:
        score = buy
    elif effect in ON_SEATS:
        score = seat_scores(mind, k).max(axis=1) - spent
    elif effect in (FENCE, RECRUIT, HUSTLE):
        score = exchanges(mind, k).max(axis=1)
    elif effect == PICKUP:
        fits = (cards.sort == WEAPON) & (cards.cost == cards.numbers[k, 0])
        score = np.where(fits & (mind.view.field > 0), mind.gain, NEVER).max(axis=1)
    elif effect == BOOST:
        score = np.full(len(buy), FREE)
    elif effect == SMOKE:
        score = draw_worth(mind) - spent
    elif effect == NEGOTIATE:
        score = np.where(trade > 0, trade + 0.1, NEVER)
    elif effect == PEEK:
        score = np.full(len(buy), IDLE)
    return score


def _revolt(mind: Mind) -> None:
    """R28: BLACK comes out to make its last kill."""
    view, kind = mind.view, int(mind.cards.life_kind[BLACK])
    if kind < 0:
        return
    near = (mind.hate > 8).any(axis=1) & (shots(mind) > view.actions) & (view.actions == 1)
    column = mind.block(SHOW_CARD) + kind
    mind.scores[:, column] = np.where(near & (mind.style.war > 1), REVOLT, NEVER)
