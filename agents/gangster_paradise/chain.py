"""The choices that follow the beginning of something. R-numbers: envs/gangster_paradise/README.md.

Each is made by the same scores that made it worth beginning, so that nothing is begun and left.
"""

import numpy as np

from ...envs.gangster_paradise.actions import (
    ABANDON,
    ASK_CARD,
    CHOOSE_CARD,
    DONE,
    GIVE_CARD,
    NO,
    PROPOSE,
    SEATS,
    TO_LOOK,
    TO_TAKE,
    YES,
)
from ...envs.gangster_paradise.state import (
    BUY,
    FENCE,
    FIELD,
    GIVE,
    GRAY,
    HAND,
    HUSTLE,
    LIFE,
    LOOT,
    MODE,
    ORDER,
    PAY,
    PICK,
    PURPLE,
    PUT_DOWN,
    RECRUIT,
    REPICK,
    SEAT,
    SELL,
    SHOT,
    TAKE_MONEY,
    TRADE,
)
from .deals import exchanges, purchases, sales
from .enemies import NEVER
from .mind import Mind
from .targets import looking, seat_scores, taking
from .trades import plans
from .view import pick

LEFT = -0.5
"""Of cancelling: what was begun was worth it, or nearly so."""
SURE = 5.0
"""Of what is to be done in any case."""


def weigh_chain(mind: Mind, phase: int) -> None:
    """Write what each choice of the phase is worth; enough is 0."""
    mind.scores[:, ABANDON] = LEFT
    mind.scores[:, DONE] = 0
    choose = slice(mind.block(CHOOSE_CARD), mind.block(CHOOSE_CARD) + mind.cards.kinds)
    if phase == SEAT:
        mind.scores[:, SEATS : SEATS + mind.cards.seats - 1] = _by_card(mind, seat_scores)[:, 1:]
    elif phase == MODE:
        _weigh_mode(mind)
    elif phase == SELL:
        _weigh_sale(mind, choose)
    elif phase == TRADE:
        _weigh_trade(mind)
    elif phase == ORDER:
        top, below = (pick(mind.gain, mind.view.deck_top[:, i]) for i in range(2))
        mind.scores[:, YES] = np.where(top > below, 1, 0)  # others draw first
        mind.scores[:, NO] = 0.5
    elif phase == PAY:
        mind.scores[:, DONE] = SURE
        mind.scores[:, choose] = 2 - 0.01 * mind.loss
    else:
        mind.scores[:, choose] = _weigh_cards(mind, phase)


def _by_card(mind: Mind, score: object) -> np.ndarray:
    """`score(mind, k)` for the card k that is in use in each row."""
    found: np.ndarray | None = None
    assert callable(score)
    for k in np.unique(mind.view.card):
        part = score(mind, int(k))
        mine = (mind.view.card == k)[:, None]
        found = part if found is None else np.where(mine, part, found)
    assert found is not None
    return found


def _weigh_mode(mind: Mind) -> None:
    """R34: to look at more cards, or to take one of fewer."""

    def look(mind: Mind, k: int) -> np.ndarray:
        return looking(mind, int(mind.cards.numbers[k, 0]))

    def take(mind: Mind, k: int) -> np.ndarray:
        return taking(mind, int(mind.cards.numbers[k, 1]))

    for action, score in ((TO_LOOK, look), (TO_TAKE, take)):
        mind.scores[:, action] = SURE + pick(_by_card(mind, score), mind.view.target)


def _weigh_sale(mind: Mind, choose: slice) -> None:
    """R22: cards of one name, as many as are best sold."""
    scores, number = sales(mind)
    begun = mind.view.stack.sum(axis=1, keepdims=True) > 0
    more = mind.view.stack < number
    mind.scores[:, choose] = np.where(begun, np.where(more, SURE, NEVER), scores)
    mind.scores[:, DONE] = np.where(begun[:, 0], 1, NEVER)


def _weigh_trade(mind: Mind) -> None:
    """R18: the plan with the best partner, item by item."""
    found, view, scores = plans(mind), mind.view, mind.scores
    rows = np.arange(len(view.hand))
    scores[:, SEATS : SEATS + mind.cards.seats - 1] = found.score[:, 1:]
    partner = view.partner
    open_ = partner >= 0
    scores[open_, SEATS : SEATS + mind.cards.seats - 1] = NEVER
    given, asked = (pick(view.offer[:, :, way].sum(axis=2), partner) for way in range(2))
    for column, size, kind in (
        (GIVE_CARD, 0, pick(found.give, partner)),
        (GIVE_CARD, 1, pick(found.more, partner)),
        (ASK_CARD, 0, pick(found.ask, partner)),
    ):
        so_far = given if column == GIVE_CARD else asked
        due = open_ & (kind >= 0) & (so_far == size)
        scores[rows[due], mind.block(column) + kind[due]] = SURE
    scores[:, PROPOSE] = np.where(open_, 1, NEVER)


def _weigh_cards(mind: Mind, phase: int) -> np.ndarray:
    """What each card is worth that may be chosen, float64[B, K]."""
    view = mind.view
    if phase == HAND:
        return _by_card(mind, exchanges)
    if phase == FIELD:
        bought = (mind.cards.effect[view.card] == BUY)[:, None]
        return np.where(bought, purchases(mind), _on_field(mind))
    if phase == SHOT:
        best = _by_card(mind, seat_scores).max(axis=1)[:, None]
        loaded: np.ndarray = best - 0.01 * np.minimum(mind.loss, 50.0)
        return loaded
    if phase == REPICK:
        shy = (view.colour == PURPLE) | (view.colour == GRAY)
        life = (mind.cards.sort == LIFE) & shy[:, None]
        return np.where(life, -NEVER, np.minimum(mind.loss, 50.0))
    if phase == GIVE:
        return -mind.loss - 0.3 * mind.cards.great
    if phase == PUT_DOWN:
        return -mind.loss
    if phase in (TAKE_MONEY, PICK, LOOT):
        return mind.gain + 0.01
    raise AssertionError(phase)


def _on_field(mind: Mind) -> np.ndarray:
    """What a card of the field is worth when the own one is given already, but not itself."""
    effect = mind.cards.effect[mind.view.card]
    same = np.arange(mind.cards.kinds) == mind.view.given[:, None]
    gain = np.where(same & np.isin(effect, (FENCE, RECRUIT, HUSTLE))[:, None], NEVER, mind.gain)
    return gain + 0.01
