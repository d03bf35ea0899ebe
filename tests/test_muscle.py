"""Percentiles with Muscle, and of three hole cards with the suitless jack."""

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from backroom.envs.engine.cards import CARDS, JACK_CARD, parse_cards
from backroom.envs.engine.poker import best_hand, percentiles


def compared(board, own, muscle=False):
    """The percentile by comparing with every other holding, one by one."""
    mine = best_hand([*board, *own], muscle=muscle)
    left = [card for card in range(CARDS) if card not in board and card not in own]
    others = [best_hand([*board, *held]) for held in combinations(left, len(own))]
    return sum((other < mine) + (other == mine) / 2 for other in others) / len(others)


def shares(board, holes, muscle):
    cards = np.array(board, np.int8)
    out = np.full(len(holes), np.nan)
    percentiles(cards, len(board), np.array(holes, np.int8), out, muscle)
    return out.tolist()


def test_muscle_beats_equal_hands_and_better_ones_of_its_category():
    royal = parse_cards("Ts Js Qs Ks As")
    holes = [parse_cards(hole) for hole in ("2c 2d", "Ad Ac", "9s 8s")]
    assert shares(royal, holes, 1) == [0.5, 1.0, 0.5]
    assert shares(royal, holes, -1) == [0.5, 0.5, 0.5]


def test_muscle_beats_no_better_category():
    """A pair of twos with it stands below two pair: below all that the flop makes of the others."""
    board, own = parse_cards("Kc 8d 2h"), parse_cards("2c 3d")
    left = [card for card in range(CARDS) if card not in board and card not in own]
    better = sum(
        best_hand([*board, *two]) >= best_hand("3c 3d 2c 2d") for two in combinations(left, 2)
    )
    assert shares(board, [own], 0) == [1 - better / comb(47, 2)]


@pytest.mark.parametrize("shown", [3, 4, 5])
@pytest.mark.parametrize("held", [2, 3])
def test_percentiles_with_muscle_are_the_compared_ones(held, shown):
    chance = random.Random(f"{held} {shown}")
    dealt = chance.sample([card for card in range(CARDS) if card % 4 < 2], shown + 3 * held - 1)
    board = dealt[:shown]
    rest = [*dealt[shown:], JACK_CARD]
    holes = [rest[seat * held : (seat + 1) * held] for seat in range(3)]
    expected = [[compared(board, hole, muscle) for hole in holes] for muscle in (False, True)]
    assert shares(board, holes, -1) == expected[0]
    for seat in range(3):
        one = [expected[other == seat][other] for other in range(3)]
        assert shares(board, holes, seat) == one
        assert one[seat] >= expected[0][seat]


def test_four_jacks_and_the_suitless_one():
    """It is a fifth jack: a kicker below king and above ten, and no card of a flush."""
    board = parse_cards("Jc Jd 9s 3s 2s")
    holes = [parse_cards(hole) for hole in ("Js Jh J*", "Js 4c J*", "8s 4c J*")]
    assert shares(board, holes, -1) == [compared(board, hole) for hole in holes]
