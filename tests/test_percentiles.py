"""How a hand stands among all others: percentiles, and before the flop."""

import random
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hands import DECKS, compiled_only

from backroom.envs.engine import equity, preflop
from backroom.envs.engine.cards import CARDS, JACK_CARD, parse_cards, rank, suit
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import (
    EMPTY,
    add,
    best_hand,
    percentiles,
)


def naive_percentile(board, own):
    """By comparing with every other holding, one by one."""
    mine = best_hand([*board, *own])
    left = [card for card in range(CARDS) if card not in board and card not in own]
    others = [best_hand([*board, *two]) for two in combinations(left, len(own))]
    return sum((other < mine) + (other == mine) / 2 for other in others) / len(others)


def shares(board, *holes):
    shown = len(parse_cards(board))
    cards = np.array(parse_cards(board) + [51] * (5 - shown), np.int8)
    out = np.full(len(holes), np.nan)
    percentiles(cards, shown, np.array([parse_cards(hole) for hole in holes], np.int8), out)
    return out.tolist()


def test_nobody_beats_a_royal_flush_on_the_board():
    assert shares("Ts Js Qs Ks As", "2c 2d", "Ad Ac", "9s 8s") == [0.5, 0.5, 0.5]


def test_the_best_holding_beats_all_and_does_not_meet_itself():
    assert shares("Ts Js Qs 2c 2d", "Ks As", "2h 2s") == [1.0, (990 - 3) / 990]  # Ks9s, KsAs, 9s8s


@pytest.mark.parametrize("shown", [3, 4, 5])
@pytest.mark.parametrize("deck", ["all", "one suit and jacks"])
def test_percentiles_are_the_naive_ones(shown, deck):
    chance = random.Random(f"{shown} {deck}")
    for _ in range(5 if COMPILED else 1):
        pool = [card for card in DECKS[deck] if card != JACK_CARD]
        dealt = chance.sample(pool, 13)
        board, holes = np.array(dealt[:5], np.int8), np.array(dealt[5:], np.int8).reshape(4, 2)
        holes[3, 0] = JACK_CARD
        out = np.zeros(4, np.float32)
        percentiles(board, shown, holes, out)
        expected = [naive_percentile(dealt[:shown], hole.tolist()) for hole in holes]
        assert out.tolist() == np.array(expected, np.float32).tolist()


def test_percentiles_of_three_hole_cards():
    board, holes = "Ts Js 2s 2c 2d", ["9s 8s 7h", "Ac Ad 3h", "J* Jc Jd"]
    found = shares(board, *holes)
    for hole, share in zip(holes, found, strict=True):
        assert share == naive_percentile(parse_cards(board), parse_cards(hole))


def test_percentiles_fit_those_of_the_other_holdings():
    """The mean over all holdings is one half: each comparison gives one point in all."""
    board = np.array(parse_cards("Td 4h Th 9c 2s"), np.int8)
    left = [card for card in range(CARDS) if card not in board]
    holes = np.array(list(combinations(left, 2)), np.int8)
    out = np.zeros(len(holes))
    percentiles(board, 5, holes, out)
    assert out.mean() == pytest.approx(0.5, abs=1e-12)


def test_equities_are_the_published_ones():
    for cards, percent in [
        ("As Ac", 85.204),
        ("As Ks", 67.045),
        ("3d 2c", 32.303),
        ("7d 2c", 34.584),
    ]:
        assert preflop.EQUITY[preflop.cell(*parse_cards(cards))] == pytest.approx(
            percent / 100, abs=1e-5
        )


def test_equities_of_all_holdings_have_a_mean_of_one_half():
    holdings = list(combinations(range(CARDS), 2))
    assert np.mean([preflop.EQUITY[preflop.cell(*two)] for two in holdings]) == pytest.approx(
        0.5, abs=1e-6
    )
    assert np.mean([preflop.percentile(*two) for two in holdings]) == pytest.approx(0.5)


def test_percentiles_before_the_flop_compare_equities():
    assert len(np.unique(preflop.EQUITY)) == 169
    assert preflop.percentile(*parse_cards("As Ac")) == 1224.5 / 1225  # the other two aces tie
    assert preflop.percentile(*parse_cards("3d 2c")) == 3.5 / 1225  # seven other 3 2 of two suits
    holdings = {two: preflop.EQUITY[preflop.cell(*two)] for two in combinations(range(CARDS), 2)}
    for own, mine in random.Random(4).sample(sorted(holdings.items()), 100):
        others = [value for two, value in holdings.items() if not {*own} & {*two}]
        points = sum((value < mine) + (value == mine) / 2 for value in others)
        assert len(others) == 1225
        assert preflop.percentile(*own) == pytest.approx(points / 1225, abs=1e-12)


def test_hole_cards_before_the_flop_may_come_in_any_order():
    for a, b in combinations(range(CARDS + 1), 2):
        assert preflop.percentile(a, b) == preflop.percentile(np.int8(b), np.int8(a))
    assert preflop.percentile(*parse_cards("J* Jc")) == preflop.percentile(*parse_cards("Jd Jc"))
    assert preflop.percentile(*parse_cards("J* 2c")) == preflop.percentile(*parse_cards("Jd 2c"))


def test_points_of_a_board_are_those_of_its_percentiles():
    """The sweep by strength that makes the table, against one-by-one comparison."""
    board = parse_cards("Td 4h Th 9c 2s")
    hand = EMPTY
    for card in board:
        hand = add(hand, card)
    keys, points = np.empty(CARDS * CARDS, np.int64), np.zeros((13, 13), np.int64)
    count = equity._sorted_holdings(hand, sum(1 << card for card in board), keys)
    equity._add_points(keys[:count], 3, np.empty(CARDS, np.int64), points)
    holes = np.array([(key >> 6 & 63, key & 63) for key in keys[:count].tolist()], np.int8)
    out = np.zeros(count)
    percentiles(np.array(board, np.int8), 5, holes, out)
    expected = np.zeros((13, 13))
    for hole, share in zip(holes.tolist(), out, strict=True):
        expected[preflop.cell(*hole)] += 3 * 2 * comb(45, 2) * share
    assert points.tolist() == expected.round(6).tolist()


def test_arrangements_of_suits_count_every_board_once():
    chance = random.Random(3)
    for _ in range(20):
        cards = chance.sample(range(CARDS), 5)
        alike = {
            tuple(sorted(rank(c) * 4 + suits[suit(c)] for c in cards))
            for suits in permutations(range(4))
        }
        counts = []
        for board in alike:
            hand = EMPTY
            for card in board:
                hand = add(hand, card)
            counts.append(equity._arrangements(hand))
        assert sorted(counts) == [0] * (len(alike) - 1) + [len(alike)]


@compiled_only
@pytest.mark.slow
def test_the_table_of_equities_is_what_its_command_computes():
    assert (preflop.EQUITY == equity.compute_equity().round(6)).all()
