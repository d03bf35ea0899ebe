"""Cards as numbers and as text."""

import doctest
from itertools import pairwise

import numpy as np
import pytest

from backroom.envs.engine import cards as module
from backroom.envs.engine.cards import (
    CARDS,
    JACK,
    JACK_CARD,
    NO_SUIT,
    RANKS,
    SUITS,
    card_text,
    cards_text,
    distinct,
    parse_card,
    parse_cards,
    rank,
    suit,
)
from backroom.envs.engine.rng import STREAM, shuffle, shuffle_first

ALL = range(CARDS + 1)


def test_examples_in_the_docstrings():
    found = doctest.testmod(module)
    assert found.failed == 0 < found.attempted


def test_every_card_has_its_own_text_which_reads_back():
    texts = [card_text(card) for card in ALL]
    assert len(set(texts)) == CARDS + 1
    assert [parse_card(text) for text in texts] == list(ALL)
    assert parse_cards(" ".join(texts)) == parse_cards("".join(texts)) == list(ALL)
    assert cards_text(ALL) == " ".join(texts)


def test_rank_and_suit_of_every_card():
    for card in range(CARDS):
        assert card_text(card) == RANKS[rank(card)] + SUITS[suit(card)]
        assert rank(np.int8(card)) * 4 + suit(np.int8(card)) == card
    assert rank(JACK_CARD) == rank(np.int8(JACK_CARD)) == JACK == rank(parse_card("Jc"))
    assert suit(JACK_CARD) == suit(np.int8(JACK_CARD)) == NO_SUIT not in range(4)


@pytest.mark.parametrize("suit_letter", SUITS)
def test_ten_is_read_in_both_ways(suit_letter):
    ten = parse_card("T" + suit_letter)
    assert rank(ten) == RANKS.index("T") and SUITS[suit(ten)] == suit_letter
    assert parse_card("10" + suit_letter) == parse_card("t" + suit_letter.upper()) == ten
    assert card_text(ten) == "T" + suit_letter


def test_cards_with_and_without_spaces_are_the_same():
    assert parse_cards("Ah Kd 10c") == parse_cards("AhKd10c") == parse_cards(" ahkdTc\n")
    assert parse_cards("10d10cJ*9s") == [33, 32, 52, 31]
    assert parse_cards("") == []


NONSENSE = [
    "",
    "A",
    "h",
    "1h",
    "0h",
    "11h",
    "010d",
    "100d",
    "Ax",
    "hA",
    "Ahh",
    "A h",
    "A♠",
    "*",
    "J**",
]
NONSENSE += ["-1", "33", "4\u017f", "Kd ", "\u0663h"]  # a long s, an Arabic 3


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_no_card(text):
    with pytest.raises(ValueError, match="is no card: a card is a rank"):
        parse_card(text)


@pytest.mark.parametrize(
    "text", ["Ah K", "AhK", "1h", "AhKd1", "Ah,Kd", "10", "Ah 1 0d", "Q*", "AhJ"]
)
def test_nonsense_is_not_among_cards(text):
    with pytest.raises(ValueError, match="is no card: a card is a rank"):
        parse_cards(text)


@pytest.mark.parametrize("text", ["7h 7h", "7h7H", "Td 2c 10d", "J* Jc J*"])
def test_the_same_card_twice_is_refused(text):
    with pytest.raises(ValueError, match=r"the card (7h|Td|J\*) occurs twice in"):
        parse_cards(text)


def test_a_suitless_jack_is_not_the_same_as_a_jack():
    assert parse_cards("Jc Jd Jh Js J*") == [36, 37, 38, 39, 52]


@pytest.mark.parametrize("card", [-1, 53, np.int8(-1), 1000])
def test_numbers_beyond_the_deck_are_refused(card):
    for check in (card_text, lambda number: distinct([number])):
        with pytest.raises(ValueError, match="an integer from 0 to 52, not"):
            check(card)


@pytest.mark.parametrize("card", [1.0, "Ah", None, True, np.bool_(False)])
def test_what_is_no_integer_is_refused(card):
    for check in (card_text, lambda number: distinct([number])):
        with pytest.raises(TypeError, match="an integer from 0 to 52, not"):
            check(card)


def test_distinct_gives_plain_integers_in_order():
    kept = distinct(np.array([51, 3, 52], np.int8))
    assert kept == [51, 3, 52] and all(type(card) is int for card in kept)


@pytest.mark.parametrize("seed", range(50))
def test_no_deck_yields_a_card_twice(seed):
    stream = np.zeros(1, STREAM)[0]
    stream.rng = seed
    deck, first = np.arange(CARDS, dtype=np.int8), np.arange(CARDS, dtype=np.int8)
    shuffle(deck, stream)
    shuffle_first(first, 27, stream)
    for cards in (deck, first):
        assert cards_text(distinct(cards)) and sorted(cards) == list(range(CARDS))
        assert any(a > b for a, b in pairwise(cards))
