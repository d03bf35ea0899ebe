"""What an agent thinks of a position before it weighs anything."""

from typing import NamedTuple

import numpy as np

from ...envs.gangster_paradise.actions import SEATS
from ...envs.gangster_paradise.state import BUY, SHOOT, SUBSTITUTE
from .beliefs import colour_chances, expected_hands
from .enemies import NEVER, friends, hatred
from .style import PLAIN, Aims, Style, aims_of
from .view import Cards, View
from .worth import DEAD_SHARE, Scale, one_less, one_more, scale_of


class Mind(NamedTuple):
    """Of B positions."""

    cards: Cards
    style: Style
    view: View
    aims: Aims
    scale: Scale
    """Of the observers."""
    plain: Scale
    """That of which the others are taken to be."""
    chances: np.ndarray
    """float64[B, n, 5]: colours of seats."""
    friend: np.ndarray
    """float64[B, n]: how likely a seat's win is a win of one's own."""
    hate: np.ndarray
    """float64[B, n]: what a seat's death is worth."""
    hands: np.ndarray
    """float64[B, n, K]: what seats may hold."""
    pool: np.ndarray
    """float64[B, K]: cards that lie unseen."""
    gain: np.ndarray
    """float64[B, K]: what one more card is worth."""
    loss: np.ndarray
    """float64[B, K]: what one card less costs; -NEVER of what is not in hand."""
    scores: np.ndarray
    """float64[B, A], to be filled in."""

    def block(self, block: int) -> int:
        """The first action of a block of cards."""
        return SEATS + self.cards.seats - 1 + block * self.cards.kinds


def think(cards: Cards, style: Style, view: View) -> Mind:
    """All that is thought of the positions of `view`."""
    aims = aims_of(style, view.colour)
    scale = scale_of(cards, aims)
    chances = colour_chances(cards, view, style.listens)
    hands, pool = expected_hands(cards, view)
    own = view.hand.astype(np.float64)
    share = np.where(view.alive[:, :1], 1.0, DEAD_SHARE)
    gain = share * one_more(cards, scale, own, view.round)
    loss = share * one_less(cards, scale, own, view.round)
    return Mind(
        cards=cards,
        style=style,
        view=view,
        aims=aims,
        scale=scale,
        plain=scale_of(cards, PLAIN),
        chances=chances,
        friend=friends(view, chances),
        hate=hatred(cards, view, chances),
        hands=hands,
        pool=pool,
        gain=gain,
        loss=np.where(view.hand > 0, loss, -NEVER),
        scores=np.full(view.masks.shape, NEVER),
    )


def substitutes(mind: Mind) -> np.ndarray:
    """How many damages seats may ward off with cards, float64[B, n]."""
    count: np.ndarray = mind.hands[..., mind.cards.effect == SUBSTITUTE].sum(axis=2)
    return count


def shots(mind: Mind) -> np.ndarray:
    """How many damages the own weapons and bullets are good for, float64[B]."""
    cards, hand = mind.cards, mind.view.hand
    weapons = cards.effect == SHOOT
    bullets = hand[:, cards.damage > 0].sum(axis=1)
    loaded = weapons & (cards.numbers[:, 1] > 0)
    barrels = (hand * cards.numbers[:, 0])[:, loaded].sum(axis=1)
    blades = hand[:, weapons & ~loaded].sum(axis=1)
    damages: np.ndarray = np.minimum(bullets, barrels) + blades.astype(np.float64)
    return damages


def purse(mind: Mind) -> np.ndarray:
    """R30: what can be paid, int64[B]."""
    total: np.ndarray = mind.view.hand[:, mind.cards.effect == BUY].sum(axis=1)
    return total


def draw_worth(mind: Mind) -> np.ndarray:
    """What a card of the deck is worth, float64[B]."""
    total = np.maximum(mind.pool.sum(axis=1), 1)
    mean: np.ndarray = (mind.pool * np.minimum(mind.gain, 10)).sum(axis=1) / total
    return mean
