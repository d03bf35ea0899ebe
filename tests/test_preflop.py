"""Three hole cards before the flop, against comparison one by one."""

import hashlib
import random
from collections import defaultdict
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from backroom.envs.engine import equity, preflop
from backroom.envs.engine.cards import CARDS, parse_cards, rank, suit
from backroom.envs.engine.jit import COMPILED, jit
from backroom.envs.engine.poker import best_hand, evaluate
from backroom.envs.engine.preflop import EQUITY3, PERCENTILE3, cell3, percentile3

HOLDINGS = list(combinations(range(CARDS), 3))


def at(text):
    return percentile3(*parse_cards(text))


def by_cell():
    """All holdings by where the table has them."""
    found = defaultdict(list)
    for three in HOLDINGS:
        found[cell3(*three)].append(three)
    return found


# The table.


def test_the_table_is_the_one_that_the_source_names():
    """Else compiled code of an older table would be taken from the cache."""
    assert hashlib.sha256(preflop.TABLE3.read_bytes()).hexdigest() == preflop.TABLE3_SHA256


def test_a_cell_is_all_that_an_exchange_of_suits_makes_of_a_hand():
    """1755 classes, as many as there are flops."""

    def exchanged(three):
        return {
            tuple(sorted(rank(card) * 4 + suits[suit(card)] for card in three))
            for suits in permutations(range(4))
        }

    cells = by_cell()
    assert len(cells) == 1755
    for hands in cells.values():
        assert exchanged(hands[0]) == set(hands)


def test_three_hole_cards_may_come_in_any_order():
    for three in random.Random(5).sample(list(combinations(range(CARDS + 1), 3)), 300):
        assert len({percentile3(*np.array(order, np.int8)) for order in permutations(three)}) == 1


def test_cells_that_no_hand_has_are_empty():
    cells = by_cell()
    unused = [cell for cell in np.ndindex(PERCENTILE3.shape) if cell not in cells]
    assert len(unused) == 13**3 - 1755
    assert not any(EQUITY3[cell] or PERCENTILE3[cell] for cell in unused)
    assert all(EQUITY3[cell] and PERCENTILE3[cell] for cell in cells)


def test_equities_and_percentiles_have_a_mean_of_one_half():
    """Each comparison of two holdings gives one point in all."""
    assert np.mean([EQUITY3[cell3(*three)] for three in HOLDINGS]) == pytest.approx(0.5, abs=1e-9)
    assert np.mean([percentile3(*three) for three in HOLDINGS]) == pytest.approx(0.5, abs=1e-12)


def test_the_best_and_the_worst():
    """No other holding has three aces left; eleven other 7 3 2 of three suits share no card."""
    assert at("As Ah Ad") == 1
    assert at("7h 3d 2c") == 11 / 2 / comb(49, 3) == min(percentile3(*three) for three in HOLDINGS)


def test_percentiles_compare_equities():
    values = {three: EQUITY3[cell3(*three)] for three in HOLDINGS}
    assert len(set(values.values())) == 1755  # nine places tell all starting hands apart
    for own in random.Random(6).sample(HOLDINGS, 30):
        others = [value for three, value in values.items() if not {*own} & {*three}]
        points = sum(2 * (value < values[own]) + (value == values[own]) for value in others)
        assert len(others) == comb(49, 3)
        assert percentile3(*own) == pytest.approx(points / (2 * comb(49, 3)), abs=1e-12)


def test_the_percentiles_in_the_table_are_those_of_its_equities():
    points = equity.percentile_points3(EQUITY3)
    assert points.dtype == np.uint16
    assert (PERCENTILE3 == points / (2 * comb(49, 3))).all()


def test_equities_of_equal_hands_give_half_a_point_each():
    """With one equity for all, each holding ties with all that it may meet."""
    points = equity.percentile_points3(np.ones((13, 13, 13)))
    assert {points[cell] for cell in by_cell()} == {comb(49, 3)}


@jit
def points_of(own, deals):
    """Two for each deal that `own`, int8[3], wins, one for a tie; deals are boards and threes."""
    mine, theirs = np.empty(8, np.int8), np.empty(8, np.int8)
    mine[5:] = own
    points = 0
    for deal in deals:
        mine[:5] = deal[:5]
        theirs[:] = deal
        a, b = evaluate(mine), evaluate(theirs)
        points += int(a > b) + int(a >= b)
    return points


HANDS = """As Ad Ac; As Ah Kh; As Ks Qs; Ac Kd Qh; Ks Kd 2c; Ks Kd 2d; Js Ts 9h; Js Th 9s; Jh Ts 9s;
8c 8d 8h; 7c 7d 6h; 7c 7d 6c; 5c 4c 3c; Ah 7h 2h; Ah 7h 2c; Ah 7c 2h; Ac 7h 2h; 7c 4d 2h; 2c 2d 2h;
4c 3d 2h; 4c 3d 2d; 4d 3d 2c; 4d 3c 2d; Qs Qd Jc; Qs Jd Jc; Qs Jd Js"""


@pytest.mark.parametrize("hand", HANDS.replace("\n", " ").split("; "))
def test_equities_are_those_of_dealing(hand):
    """Boards and other holdings at random; allowed are 4.5 standard errors, .007 compiled."""
    own = np.array(parse_cards(hand), np.int8)
    deck = np.setdiff1d(np.arange(CARDS, dtype=np.int8), own)
    n = 100_000 if COMPILED else 1000
    chance = np.random.default_rng([7, *own.tolist()])
    deals = deck[chance.random((n, deck.size)).argsort(axis=1)[:, :8]]
    share = points_of(own, deals) / (2 * n)
    assert share == pytest.approx(EQUITY3[cell3(*own)], abs=4.5 * 0.5 / n**0.5)


def test_starting_hands_in_an_order_that_needs_no_table():
    assert at("As Ac Kh") > at("Ks Kc Ah") > at("Qs Qc Jh") > at("As 7c 2h") > at("4s 3d 2c")
    for better, worse in [
        ("As Ks Qs", "As Ks Qd"),
        ("As Ks Qd", "As Kh Qd"),
        ("9c 9d 4d", "9c 9d 4h"),
    ]:
        assert at(better) > at(worse)


def test_a_suitless_jack_is_a_jack_of_another_suit():
    for jack, plain in [
        ("J* 8c 2c", "Jd 8c 2c"),
        ("J* 8c 2d", "Jh 8c 2d"),
        ("J* Jc 2c", "Jd Jc 2c"),
        ("J* Jc 2d", "Jh Jc 2d"),
        ("J* Jc Jd", "Jh Jc Jd"),
        ("J* Ac Kc", "Js Ac Kc"),
    ]:
        assert at(jack) == at(plain)


# How the table is computed.


def sweep(board, unused):
    """The points that the sweep gives on one board, without the `unused` cards."""
    hand, used = equity._dealt(np.array(board, np.int8))
    keys, points = np.empty(22_100, np.int64), np.zeros((13, 13, 13), np.int64)
    count = equity._sorted_triples(hand, used | sum(1 << card for card in unused), keys)
    seen, both = np.empty(CARDS, np.int64), np.empty((CARDS, CARDS), np.int64)
    equity._add_points_of_three(keys[:count], 3, seen, both, points)
    return points


def test_all_games_of_a_tiny_deck():
    """Every board, holding and other holding of eleven cards, with the hands that lie open."""
    deck = parse_cards("Tc Jc Qc Kc Ac Td Jd Qd 9d 8d Th")
    unused = [card for card in range(CARDS) if card not in deck]
    found, expected = np.zeros((13, 13, 13), np.int64), np.zeros((13, 13, 13), np.int64)
    for board in combinations(deck, 5):
        found += sweep(board, unused)
        left = [card for card in deck if card not in board]
        values = {three: best_hand([*board, *three]) for three in combinations(left, 3)}
        for mine, theirs in permutations(values, 2):
            if not {*mine} & {*theirs}:
                points = (values[mine] > values[theirs]) + (values[mine] >= values[theirs])
                expected[cell3(*mine)] += 3 * points
    assert found.any() and (found == expected).all()


@pytest.mark.parametrize("board", ["Td 4h Th 9c 2s", "6s 7s 8s 9s Ts", "Jc Js Jd 2c 2d"])
def test_points_of_a_board_are_those_of_comparing(board):
    """With fourteen cards left, most holdings share cards, one or two."""
    cards = parse_cards(board)
    left = random.Random(board).sample([card for card in range(CARDS) if card not in cards], 14)
    unused = [card for card in range(CARDS) if card not in left]
    values = {three: best_hand([*cards, *three]) for three in combinations(left, 3)}
    expected = np.zeros((13, 13, 13), np.int64)
    for mine, value in values.items():
        others = [v for three, v in values.items() if not {*mine} & {*three}]
        expected[cell3(*mine)] += 3 * sum((value > v) + (value >= v) for v in others)
    assert (sweep(cards, unused) == expected).all()


@pytest.mark.skipif(not COMPILED, reason="millions of boards")
def test_boards_stand_for_all_boards():
    boards, weights = np.zeros((134_459, 5), np.int8), np.zeros(134_459, np.int64)
    assert equity._list_boards(boards, weights) == 134_459
    assert weights.sum() == comb(CARDS, 5) and set(weights.tolist()) == {4, 12, 24}
    assert len({tuple(board) for board in boards.tolist()}) == 134_459
    assert (np.diff(boards.astype(int), axis=1) < 0).all()
