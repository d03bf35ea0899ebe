"""How many hands there are of each category."""

from math import comb

import numpy as np
import pytest
from hands import compiled_only

from backroom.envs.engine.cards import CARDS
from backroom.envs.engine.jit import jit
from backroom.envs.engine.poker import (
    EMPTY,
    add,
    category,
    evaluate,
    strength,
)

COUNTS = {  # high card, pair, ... royal flush
    5: [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4],
    6: [6612900, 9730740, 2532816, 732160, 361620, 205792, 165984, 14664, 1656, 188],
    7: [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 37260, 4324],
    8: [
        *[53476080, 236092500, 257760900, 38493000, 67072620],
        *[50850320, 45652128, 2529262, 546480, 64860],
    ],
}


EACH = [5, pytest.param(6, marks=pytest.mark.slow), 7, pytest.param(8, marks=pytest.mark.slow)]


@jit
def next_choice(chosen, end):
    """The next combination of numbers below `end`, in lexical order, in place; False after all."""
    for i in range(chosen.size - 1, -1, -1):
        if chosen[i] < end - chosen.size + i:
            chosen[i] += 1
            for j in range(i + 1, chosen.size):
                chosen[j] = chosen[j - 1] + 1
            return True
    return False


@jit
def count_categories(size):
    counts = np.zeros(10, np.int64)
    chosen = np.arange(size - 3)
    more = True
    while more:
        hand = EMPTY
        for card in chosen:
            hand = add(hand, card)
        for a in range(chosen[-1] + 1, 52):
            one = add(hand, a)
            for b in range(a + 1, 52):
                two = add(one, b)
                for c in range(b + 1, 52):
                    counts[category(strength(add(two, c)))] += 1
        more = next_choice(chosen, 52)
    return counts


@jit
def all_of_five():
    strengths = np.empty(2598960, np.int32)
    chosen = np.arange(5)
    for n in range(strengths.size):
        strengths[n] = evaluate(chosen)
        next_choice(chosen, 52)
    return strengths


@compiled_only
@pytest.mark.parametrize("size", EACH)
def test_each_category_occurs_as_often_as_it_should(size):
    assert sum(COUNTS[size]) == comb(CARDS, size)
    assert count_categories(size).tolist() == COUNTS[size]


@compiled_only
def test_five_cards_have_7462_strengths():
    assert np.unique(all_of_five()).size == 7462
