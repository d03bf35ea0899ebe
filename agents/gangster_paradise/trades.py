"""Which trade to propose, and whether to agree to one. R-numbers: envs/gangster_paradise.

A plan for a partner asks for one card and gives one or two; or gives one to a friend for nothing.
"""

from typing import NamedTuple

import numpy as np

from ...envs.gangster_paradise.state import LIFE
from .enemies import NEVER
from .mind import Mind
from .style import PLAIN
from .view import pick
from .worth import one_less, one_more, worth

DENIED = 0.25
"""What others gain counts so much against a trade, unless they are friends."""
PROFIT = 0.4
"""What a partner is offered beyond what it loses."""
TRUSTED = 0.75
"""Who is a friend with such a chance is given presents."""
FOLLOWED = 3
"""After a refusal the next best card is asked for; so many take turns."""
SULKING = 0.4
"""How much each refusal lessens hope."""


class Plans(NamedTuple):
    """A trade with each seat, [B, n]; kinds are -1 for none."""

    score: np.ndarray
    ask: np.ndarray
    give: np.ndarray
    more: np.ndarray
    """A second card to give."""


def plans(mind: Mind) -> Plans:
    """The best trades with each seat."""
    theirs = one_more(mind.cards, PLAIN, mind.hands, mind.view.round)
    theirs_less = one_less(mind.cards, PLAIN, mind.hands, mind.view.round)
    swaps = _swaps(mind, theirs, theirs_less)
    presents = _presents(mind, theirs)
    better = presents.score > swaps.score
    found = Plans(*(np.where(better, p, s) for p, s in zip(presents, swaps, strict=True)))
    found.score[:, 0] = NEVER
    return found


def _swaps(mind: Mind, theirs: np.ndarray, theirs_less: np.ndarray) -> Plans:
    """Something of theirs for something of one's own that is worth more to them."""
    view, kinds = mind.view, mind.cards.kinds
    held = np.minimum(mind.hands, 1.0)
    wanted = held * (np.minimum(mind.gain, 20.0)[:, None] - 0.5 * theirs_less)
    wanted = np.where((mind.cards.sort == LIFE) | (held < 0.02), NEVER, wanted)
    order = np.argsort(-wanted, axis=2, kind="stable")[:, :, :FOLLOWED]
    turn = np.minimum(view.refused % FOLLOWED, order.shape[2] - 1)
    ask = np.take_along_axis(order, turn[:, :, None], axis=2)
    price = np.take_along_axis(theirs_less, ask, axis=2) + PROFIT
    foe = np.maximum(0, 1 - mind.friend)[:, :, None]
    costs = mind.loss[:, None] + DENIED * foe * np.minimum(theirs, 20.0)
    own = (view.hand > 0)[:, None] & (np.arange(kinds) != ask)
    costs = np.where(own, costs, -NEVER)
    enough = np.where(theirs >= price, costs, -NEVER)
    give = enough.argmin(axis=2)[:, :, None]
    alone = np.take_along_axis(enough, give, axis=2) < -NEVER
    best = np.where(own, theirs - 0.5 * costs, NEVER).argmax(axis=2)[:, :, None]
    rest = price - np.take_along_axis(theirs, best, axis=2)
    other = own & ((np.arange(kinds) != best) | (view.hand > 1)[:, None]) & (theirs >= rest)
    second = np.where(other, costs, -NEVER)
    more = second.argmin(axis=2)[:, :, None]
    total = np.take_along_axis(costs, np.where(alone, give, best), axis=2)
    total = total + np.where(alone, 0, np.take_along_axis(second, more, axis=2))
    hope = np.take_along_axis(held, ask, axis=2) / (1 + SULKING * view.refused[:, :, None])
    gained = np.take_along_axis(np.minimum(mind.gain, 20.0)[:, None].repeat(len(hope[0]), 1), ask, 2)
    score = np.where(gained > total, hope * (gained - total), NEVER)
    return Plans(
        score=score[..., 0],
        ask=ask[..., 0],
        give=np.where(alone, give, best)[..., 0],
        more=np.where(alone, -1, more)[..., 0],
    )


def _presents(mind: Mind, theirs: np.ndarray) -> Plans:
    """What a friend has more use for."""
    friend = mind.friend[:, :, None]
    worth_it = friend * theirs - np.minimum(mind.loss, 50.0)[:, None] - PROFIT
    sure = (friend >= TRUSTED) & mind.view.alive[:, :, None] & (mind.view.hand > 0)[:, None]
    worth_it = np.where(sure, worth_it, NEVER)
    give, none = worth_it.argmax(axis=2), np.full(mind.friend.shape, -1)
    hope = 1 + SULKING * mind.view.refused
    return Plans(score=worth_it.max(axis=2) / hope, ask=none, give=give, more=none)


def consent(mind: Mind) -> np.ndarray:
    """What agreeing to the trade on the table is worth, float64[B]."""
    cards, view, turn = mind.cards, mind.view, mind.view.turn
    gets, gives = view.offer[:, 0, 0], view.offer[:, 0, 1]
    own = worth(cards, mind.aims, view.hand + gets - gives, view.round)
    own = own - worth(cards, mind.aims, view.hand, view.round)
    hands = pick(mind.hands, turn)
    after = np.maximum(hands + gives - gets, 0)
    theirs = worth(cards, PLAIN, after, view.round) - worth(cards, PLAIN, hands, view.round)
    friend = pick(mind.friend, turn)
    share = np.where(view.alive[:, 0], 1.0, 0.0)
    shared = friend * np.maximum(theirs, 0) - DENIED * (1 - friend) * np.maximum(theirs, 0)
    agreed: np.ndarray = share * own + shared - mind.style.margin * (1 - friend)
    return agreed
