"""Playing cards as small integers, and as text.

A card is an int8: `rank * 4 + suit`, with ranks 0 to 12 for 2 to A and suits 0 to 3 for clubs,
diamonds, hearts, spades. 52 more is a jack without a suit, which some games add to the deck.
As text a card is its rank and its suit, such as `Td` (`10d` is read too); the jack without a suit
is `J*`.
"""

import operator
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from .jit import jit

RANKS, SUITS = "23456789TJQKA", "cdhs"
CARDS = len(RANKS) * len(SUITS)
"""Cards of a deck: 0 to 51."""

JACK = RANKS.index("J")
"""The rank of jacks."""

JACK_CARD = CARDS
"""A jack without a suit."""

NO_SUIT = len(SUITS)
"""What `suit` says of the jack without one."""

_ONE = re.compile(r"J\*|(?P<rank>10|[2-9TJQKA])(?P<suit>[CDHS])", re.IGNORECASE | re.ASCII)
_FORM = "a card is a rank (2 to 9, T or 10, J, Q, K, A) and a suit (c, d, h, s), or J*"


@jit
def rank(card: int) -> int:
    """The rank of `card`, 0 to 12 for 2 to A."""
    return JACK if card == JACK_CARD else int(card) >> 2


@jit
def suit(card: int) -> int:
    """The suit of `card`, 0 to 3 for clubs, diamonds, hearts, spades; 4 for the suitless jack."""
    return NO_SUIT if card == JACK_CARD else int(card) & 3


def card_text(card: int) -> str:
    """The text of `card`.

    >>> card_text(33), card_text(JACK_CARD)
    ('Td', 'J*')

    Raises:
        TypeError: if `card` is no integer.
        ValueError: if it is not from 0 to 52.
    """
    number = _checked(card)
    return "J*" if number == JACK_CARD else RANKS[number // 4] + SUITS[number % 4]


def cards_text(cards: Iterable[int]) -> str:
    """The texts of `cards`, with spaces between.

    >>> cards_text([48, 33])
    'Ac Td'
    """
    return " ".join(card_text(card) for card in cards)


def parse_card(text: str) -> int:
    """The card that `text` stands for; upper and lower case are alike.

    >>> parse_card("Td"), parse_card("10d"), parse_card("J*")
    (33, 33, 52)

    Raises:
        ValueError: if `text` is no card.
    """
    match = _ONE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no card: {_FORM}")
    return _card(match)


def parse_cards(text: str) -> list[int]:
    """The cards that `text` names, in its order, with or without spaces between them.

    >>> parse_cards("Ac 10d") == parse_cards("AcTd") == [48, 33]
    True

    Raises:
        ValueError: if a part of `text` is no card, or a card occurs twice.
    """
    cards = []
    for word in text.split():
        at = 0
        while at < len(word):
            match = _ONE.match(word, at)
            if match is None:
                raise ValueError(f"{word[at:]!r} in {text!r} is no card: {_FORM}")
            cards.append(_card(match))
            at = match.end()
    return distinct(cards)


def distinct(cards: Iterable[Any]) -> list[int]:
    """`cards` as a list, checked.

    >>> distinct(np.array([48, 33], np.int8))
    [48, 33]

    Raises:
        TypeError: if one is no integer.
        ValueError: if one is not from 0 to 52, or occurs twice.
    """
    checked = [_checked(card) for card in cards]
    for i, card in enumerate(checked):
        if card in checked[:i]:
            raise ValueError(f"the card {card_text(card)} occurs twice in {cards_text(checked)}")
    return checked


def _card(match: re.Match[str]) -> int:
    if match["rank"] is None:
        return JACK_CARD
    letter = "T" if match["rank"] == "10" else match["rank"].upper()
    return RANKS.index(letter) * 4 + SUITS.index(match["suit"].lower())


def _checked(card: Any) -> int:
    if isinstance(card, bool | np.bool_):
        raise TypeError(f"a card is an integer from 0 to {JACK_CARD}, not {card!r}")
    try:
        number = operator.index(card)
    except TypeError:
        raise TypeError(f"a card is an integer from 0 to {JACK_CARD}, not {card!r}") from None
    if not 0 <= number <= JACK_CARD:
        raise ValueError(f"a card is an integer from 0 to {JACK_CARD}, not {number}")
    return number
