"""Decks and names for tests of poker hands."""

import pytest

from backroom.envs.engine.cards import CARDS, JACK_CARD, rank, suit
from backroom.envs.engine.jit import COMPILED

compiled_only = pytest.mark.skipif(not COMPILED, reason="millions of hands: hours in plain Python")


DECKS = {
    "all": range(CARDS + 1),
    "one suit and jacks": [*range(2, CARDS, 4), 36, 37, 39, JACK_CARD],
    "two suits": [card for card in range(CARDS) if suit(card) < 2],
    "ranks around the jack": [card for card in range(CARDS + 1) if 7 <= rank(card) <= 12],
    "low ranks and aces": [card for card in range(CARDS) if rank(card) in (0, 1, 2, 3, 12)],
    "three ranks": [card for card in range(CARDS + 1) if rank(card) in (4, 9, 11)],
}
