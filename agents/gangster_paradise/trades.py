"""Which trade to propose, and whether to agree to one. R-numbers: envs/gangster_paradise/README.md.

A plan for a partner asks for one card and gives one or two; or gives one to a friend for nothing.
"""

from typing import NamedTuple

import numpy as np

from ...envs.gangster_paradise.state import LIFE
from .enemies import NEVER
from .mind import Mind
from .view import pick, pick_last
from .worth import DEAD_SHARE, one_less, one_more, worth

DENIED = 0.25
"""What others gain counts so much against a trade, unless they are friends;"""
FATAL = 10.0
"""and all of what goes beyond that: it wins them the game."""
PROFIT = 0.4
"""What a partner is offered beyond what it loses."""
TRUSTED = 0.75
"""Who is a friend with such a chance is given presents."""
FOLLOWED = 3
"""After a refusal the next best card is asked for; so many take turns."""
LIKELY = 0.02
"""Nobody is asked for what it holds with less chance."""
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
    theirs = one_more(mind.cards, mind.plain, mind.hands, mind.view.round)
    theirs_less = one_less(mind.cards, mind.plain, mind.hands, mind.view.round)
    swaps = _swaps(mind, theirs, theirs_less)
    presents = _presents(mind, theirs)
    better = presents.score > swaps.score
    found = Plans(*(np.where(better, p, s) for p, s in zip(presents, swaps, strict=True)))
    found.score[:, 0] = NEVER
    return found


def _swaps(mind: Mind, theirs: np.ndarray, theirs_less: np.ndarray) -> Plans:
    """Something of theirs for something of one's own that is worth more to them."""
    held = np.minimum(mind.hands, 1.0)
    ask = _wish(mind, held, theirs_less)[:, :, None]
    price = np.take_along_axis(theirs_less, ask, axis=2) + PROFIT
    costs = _costs(mind, theirs, ask)
    own = costs < -NEVER
    enough = np.where(theirs >= price, costs, -NEVER)
    give = enough.argmin(axis=2)[:, :, None]
    alone = np.take_along_axis(enough, give, axis=2) < -NEVER
    best = np.where(own, theirs - 0.5 * costs, NEVER).argmax(axis=2)[:, :, None]
    give = np.where(alone, give, best)
    rest = price - np.take_along_axis(theirs, best, axis=2)
    two = (mind.view.hand > 1)[:, None] | (np.arange(mind.cards.kinds) != best)
    second = np.where(own & two & (theirs >= rest), costs, -NEVER)
    more = second.argmin(axis=2)[:, :, None]
    possible = alone | (np.take_along_axis(second, more, axis=2) < -NEVER)
    more = np.where(alone, -1, more)
    gained = _gained(mind, ask, give, more) - _foe(mind) * _denied(_both(theirs, give, more))
    hope = np.take_along_axis(held, ask, axis=2)[..., 0] / (1 + SULKING * mind.view.refused)
    score = np.where(possible[..., 0] & (gained > 0), hope * gained, NEVER)
    return Plans(score=score, ask=ask[..., 0], give=give[..., 0], more=more[..., 0])


def _denied(theirs: np.ndarray) -> np.ndarray:
    """What it costs that a foe gains so much."""
    cost: np.ndarray = DENIED * np.clip(theirs, 0, FATAL) + np.maximum(theirs - FATAL, 0)
    return cost


def _foe(mind: Mind) -> np.ndarray:
    """How likely a seat's win is none of one's own, float64[B, n]."""
    found: np.ndarray = np.maximum(0, 1 - mind.friend)
    return found


def _wish(mind: Mind, held: np.ndarray, theirs_less: np.ndarray) -> np.ndarray:
    """The kind to ask each seat for, int64[B, n]; after refusals the next best."""
    wanted = held * (np.minimum(mind.gain, 20.0)[:, None] - 0.5 * theirs_less)
    wanted = np.where((mind.cards.sort == LIFE) | (held < LIKELY), NEVER, wanted)
    order = np.argsort(-wanted, axis=2, kind="stable")
    found: np.ndarray = pick_last(order, mind.view.refused % FOLLOWED)
    return found


def _costs(mind: Mind, theirs: np.ndarray, ask: np.ndarray) -> np.ndarray:
    """What giving each kind costs, float64[B, n, K]; -NEVER of what is not to be given."""
    kinds, great = np.arange(mind.cards.kinds), mind.cards.great
    costs = mind.loss[:, None] + _foe(mind)[..., None] * _denied(theirs)
    same = (kinds == ask) | (great[ask] & great)  # part of the set that is asked for
    return np.where((mind.view.hand > 0)[:, None] & ~same, costs, -NEVER)


def _gained(mind: Mind, ask: np.ndarray, give: np.ndarray, more: np.ndarray) -> np.ndarray:
    """What the own hand is worth more after the trade, float64[B, n]."""
    kinds, view = np.arange(mind.cards.kinds), mind.view
    hand = view.hand[:, None]
    after = hand + (kinds == ask) - (kinds == give) - (kinds == more)
    now = worth(mind.cards, mind.scale, hand, view.round)
    share = np.where(view.alive[:, :1], 1.0, DEAD_SHARE)
    gained: np.ndarray = share * (worth(mind.cards, mind.scale, after, view.round) - now)
    return gained


def _both(theirs: np.ndarray, give: np.ndarray, more: np.ndarray) -> np.ndarray:
    """What the partner gains by what it is given, float64[B, n]."""
    second = np.where(more < 0, 0, np.take_along_axis(theirs, np.maximum(more, 0), axis=2))
    total: np.ndarray = (np.take_along_axis(theirs, give, axis=2) + second)[..., 0]
    return total


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
    own = worth(cards, mind.scale, view.hand + gets - gives, view.round)
    own = own - worth(cards, mind.scale, view.hand, view.round)
    hands = pick(mind.hands, turn)
    after = np.maximum(hands + gives - gets, 0)
    theirs = worth(cards, mind.plain, after, view.round) - worth(
        cards, mind.plain, hands, view.round
    )
    friend = pick(mind.friend, turn)
    share = np.where(view.alive[:, 0], 1.0, 0.0)
    shared = friend * np.maximum(theirs, 0) - (1 - friend) * _denied(theirs)
    agreed: np.ndarray = share * own + shared - mind.style.margin * (1 - friend)
    return agreed
