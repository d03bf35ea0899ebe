"""What an agent thinks of a position before it weighs anything."""

from functools import cached_property

import numpy as np

from ...envs.gangster_paradise.actions import SEATS
from ...envs.gangster_paradise.state import BUY, SHOOT, SUBSTITUTE
from .beliefs import colour_chances, expected_hands, unseen_cards
from .enemies import NEVER, friends, hatred
from .style import PLAIN, Style, aims_of
from .view import Cards, View
from .worth import DEAD_SHARE, Scale, one_less, one_more, scale_of


class Mind:
    """Of B positions; each thought is thought when it is needed, once.

    Attributes:
        scores: float64[B, A], to be filled in.
    """

    def __init__(self, cards: Cards, style: Style, view: View) -> None:
        """Begin to think of the positions of `view`."""
        self.cards, self.style, self.view = cards, style, view
        self.aims = aims_of(style, view.colour)
        self.scores = np.full(view.masks.shape, NEVER)

    def block(self, block: int) -> int:
        """The first action of a block of cards."""
        return SEATS + self.cards.seats - 1 + block * self.cards.kinds

    @cached_property
    def scale(self) -> Scale:
        """By what the observers weigh cards."""
        return scale_of(self.cards, self.aims)

    @cached_property
    def plain(self) -> Scale:
        """By what the others are taken to weigh them."""
        return scale_of(self.cards, PLAIN)

    @cached_property
    def chances(self) -> np.ndarray:
        """float64[B, n, 5]: how likely each seat is of each colour."""
        return colour_chances(self.cards, self.view, self.style.listens)

    @cached_property
    def friend(self) -> np.ndarray:
        """float64[B, n]: how likely a seat's win is a win of one's own."""
        return friends(self.view, self.chances)

    @cached_property
    def hate(self) -> np.ndarray:
        """float64[B, n]: what a seat's death is worth."""
        return hatred(self.cards, self.view, self.chances)

    @cached_property
    def pool(self) -> np.ndarray:
        """float64[B, K]: cards that lie unseen in hands and in the deck."""
        return unseen_cards(self.cards, self.view)

    @cached_property
    def hands(self) -> np.ndarray:
        """float64[B, n, K]: what seats may hold."""
        return expected_hands(self.view, self.pool)

    @cached_property
    def gain(self) -> np.ndarray:
        """float64[B, K]: what one more card is worth."""
        more = one_more(self.cards, self.scale, self.view.hand, self.view.round)
        gained: np.ndarray = self._share * more
        return gained

    @cached_property
    def loss(self) -> np.ndarray:
        """float64[B, K]: what one card less costs; -NEVER of what is not in hand."""
        lost = self._share * one_less(self.cards, self.scale, self.view.hand, self.view.round)
        return np.where(self.view.hand > 0, lost, -NEVER)

    @property
    def _share(self) -> np.ndarray:
        return np.where(self.view.alive[:, :1], 1.0, DEAD_SHARE)


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
