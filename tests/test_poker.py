"""The strength of poker hands: known faults of other evaluators, and a readable oracle."""

import doctest
import random
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hands import DECKS

from backroom.envs.engine import poker, preflop
from backroom.envs.engine.cards import CARDS, JACK_CARD, cards_text, parse_cards, rank, suit
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import (
    CATEGORIES,
    FEWEST,
    MOST,
    MUSCLE,
    best_hand,
    category,
    describe,
    evaluate,
)


def name(cards):
    return CATEGORIES[category(best_hand(cards))]


def test_wheel_is_the_lowest_straight():
    wheel = best_hand("As 2d 3c 4h 5s Kd Kh")
    assert describe(wheel) == "straight, five high"
    assert best_hand("As Ad Kc Qh 9s") < wheel < best_hand("2s 3d 4c 5h 6s")


def test_four_ranks_in_a_row_and_an_ace_are_no_straight():
    assert name("Ac 7d 8h 9s Tc") == "high card"
    assert name("Ac 2d 3h 4s 5c") == "straight"


def test_hole_cards_do_not_break_a_tie_on_the_board():
    board = "Ts Jd Qh Kc As "
    assert best_hand(board + "2c 2d") == best_hand(board + "9c 9d")


def test_flushes_with_the_same_top_card_differ_below():
    board = "Qd Jd 9d 6d Kc "
    assert best_hand(board + "Qc 7d") > best_hand(board + "5d Ah")


def test_flushes_are_not_compared_by_their_sum():
    assert best_hand("Ks Ts 5s 4s 3s") > best_hand("Qd Td 7d 5d 4d")


def test_king_kicker_beats_queen_kicker():
    assert best_hand("7h 7d Kc 4s 2d") > best_hand("7c 7s Qc 4h 2h")


def test_all_five_cards_of_a_flush_count():
    assert best_hand("Ah 9h 7h 5h 3h") > best_hand("As 9s 7s 5s 2s")


def test_pairs_of_full_houses_with_equal_trips_count():
    rest = "2s 3s 2h 3h 3d"
    assert describe(best_hand("Ts Th" + rest)) == "full house, threes over tens"
    assert best_hand("Ts Th" + rest) > best_hand("9s 9h" + rest)


def test_flush_and_straight_of_different_cards_are_no_straight_flush():
    assert describe(best_hand("9c Th Jh Qh Kh 2h 3h")) == "flush, king queen jack ten three"
    assert describe(best_hand("Ac Qs Jc Tc 9c 8c 7c")) == "straight flush, jack high"


def test_king_high_straight_flush_is_not_royal():
    assert describe(best_hand("9h Th Jh Qh Kh")) == "straight flush, king high"


@pytest.mark.parametrize("cards", ["Kc Ad 2h 3s 4c", "Qc Kd Ah 2s 3c", "Jc Qd Kh As 2c"])
def test_straights_do_not_wrap_around(cards):
    assert name(cards) == "high card"


def test_suited_wheel_beats_a_plain_straight():
    assert best_hand("Ad 2d 3d 4d 5d") > best_hand("2d 3d 4d 5d 6c")


def test_eight_cards_are_a_hand():
    assert describe(best_hand("2c 3d 5h 7s 9c Jd Kh As")) == (
        "high card, ace, king jack nine seven kickers"
    )


@pytest.mark.parametrize(
    "cards, said",
    [
        ("7h 7s", "pair, sevens"),
        ("Ah Ks", "high card, ace, king kicker"),
        ("7h 7s 7d", "three of a kind, sevens"),
        ("7h 7s Kd", "pair, sevens, king kicker"),
        ("2h 4h 6h", "high card, six, four two kickers"),
        ("6h 6s Ad Ac", "two pair, aces and sixes"),
        ("6h 6s 6d 6c", "four of a kind, sixes"),
        ("6h 6s 6d Jc", "three of a kind, sixes, jack kicker"),
        ("2h 3h 4h 5h", "high card, five, four three two kickers"),
    ],
)
def test_fewer_than_five_cards_are_a_hand(cards, said):
    assert describe(best_hand(cards)) == said


def test_ten_written_with_two_digits_is_a_ten():
    assert best_hand("Jd 10d 9d 8d 7d") == best_hand("Jd Td 9d 8d 7d")
    assert name("Jd 10d 9d 8d 7d") == "straight flush"


def test_greater_is_better():
    ladder = [
        *["Ad Kd Qd Jd 9s", "2c 2d 3h 4s 5c", "2c 2d 3h 3s 4c", "2c 2d 2h 3s 4c", "Ac 2d 3h 4s 5c"],
        *["2c 3c 4c 5c 7c", "2c 2d 2h 3s 3c", "2c 2d 2h 2s 3c", "Ac 2c 3c 4c 5c", "Tc Jc Qc Kc Ac"],
    ]
    assert [name(cards) for cards in ladder] == list(CATEGORIES)
    strengths = [best_hand(cards) for cards in ladder]
    assert strengths == sorted(set(strengths)) and strengths[0] > 0
    assert strengths[-1] + MUSCLE < 2**31


def test_royal_flush_is_a_category_of_its_own():
    assert name("Ts Js Qs Ks As 9s 8s") == "royal flush"
    assert name("9s Ts Js Qs Ks 8s Ah") == "straight flush"
    assert len(CATEGORIES) == len(set(CATEGORIES)) == 10


def test_suitless_jack_is_not_wild():
    assert describe(best_hand("Tc Qh Kd As J*")) == "straight, ace high"
    assert name("Tc Qh Kd 8s J*") == "high card"


def test_suitless_jack_makes_no_flush():
    for letter in "cdhs":
        four = " ".join(r + letter for r in "TQKA")
        assert name(four + " J*") == "straight"
        assert name(four + " 2" + letter + " J*") == "flush"  # the five without it
        assert name(four + " J" + letter + " J*") == "royal flush"


def test_five_jacks_are_four_with_a_jack_kicker():
    jacks = "Jc Jd Jh Js J*"
    assert describe(best_hand(jacks)) == "four of a kind, jacks, jack kicker"
    assert best_hand(jacks) == best_hand(jacks + " Tc 9c 2d") > best_hand("Jc Jd Jh Js Tc")
    for better in ("Qc", "Kd", "Ah"):
        assert best_hand(jacks + better) == best_hand("Jc Jd Jh Js " + better) > best_hand(jacks)


@pytest.mark.parametrize(
    "cards, category_name",
    [
        ("J* Jc", "pair"),
        ("J* Jc Jd", "three of a kind"),
        ("J* Jc Jd Jh", "four of a kind"),
        ("J* Jc 2d 2h", "two pair"),
        ("J* Jc 2d 2h 2s", "full house"),
    ],
)
def test_suitless_jack_is_one_more_jack(cards, category_name):
    assert name(cards) == category_name


def test_flush_and_full_house_in_eight_cards_are_a_full_house():
    assert describe(best_hand("As Ah Ad Ks Kh Qs Js 2s")) == "full house, aces over kings"


def test_more_that_only_eight_cards_can_hold():
    assert describe(best_hand("As Ah Ad Ac Ks Qs Js 2s")) == "four of a kind, aces, king kicker"
    assert name("As 2s 3s 4s 5s 5h 5d 5c") == "straight flush"
    assert describe(best_hand("3s 3h 3d 3c 9s 9h 9d 9c")) == "four of a kind, nines, three kicker"
    assert describe(best_hand("3s 3h 3d 9s 9h 9d Kc Kd")) == "full house, nines over kings"
    assert (
        describe(best_hand("3s 3h 5d 5s 9h 9d Kc Kd")) == "two pair, kings and nines, five kicker"
    )


def test_muscle_beats_every_other_hand_of_the_same_category():
    assert best_hand("2c 2d 3h 4s 5c", muscle=True) > best_hand("8c 8d Ah Ks Qc")
    assert best_hand("2c 2d 3h 3s 4c") > best_hand("Ac Ad Kh Qs Jc", muscle=True)
    assert best_hand("2c 2d", muscle=True) > best_hand("2h 2s")  # no tie with Muscle
    assert best_hand("Tc Jc Qc Kc Ac", muscle=True) > best_hand("Td Jd Qd Kd Ad")
    assert category(best_hand("Tc Jc Qc Kc Ac", muscle=True)) == len(CATEGORIES) - 1
    assert describe(best_hand("7h 7s", muscle=True)) == "pair, sevens, with Muscle"


@pytest.mark.parametrize("cards", ["7h 7h", "Ah Kd Qs Jc 9d 2c Ah", "J* J*", [5, 6, 5]])
def test_the_same_card_twice_is_refused(cards):
    with pytest.raises(ValueError, match="occurs twice in"):
        best_hand(cards)


@pytest.mark.parametrize("cards", ["", "Ah", [], "2c3c4c5c6c7c8c9cTc", range(9)])
def test_hands_of_other_sizes_are_refused(cards):
    with pytest.raises(ValueError, match=r"a hand is 2 to 8 cards, not [019]"):
        best_hand(cards)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="is no card"):
        best_hand("Ah 1d")
    with pytest.raises(ValueError, match="from 0 to 52, not 53"):
        best_hand([1, 53])
    with pytest.raises(TypeError, match="from 0 to 52, not 'Ah'"):
        best_hand(["Ah", "Kd"])
    for number in (0, -1, MUSCLE, 10 << 24 | 5 << 16):
        with pytest.raises(ValueError, match="is not the strength of a hand"):
            describe(number)


def test_cards_come_as_text_or_as_any_numbers():
    numbers = parse_cards("Ah Kd 9c")
    same = [numbers, tuple(numbers), iter(numbers), np.array(numbers, np.int8), "AhKd9c"]
    assert len({best_hand(cards) for cards in same}) == 1
    assert type(best_hand(numbers)) is int


@pytest.mark.parametrize("module", [poker, preflop])
def test_examples_in_the_docstrings(module):
    found = doctest.testmod(module)
    assert found.failed == 0 < found.attempted


def naive_five(cards):
    """Category and ranks that tell, from 2 to 14, of at most five cards."""
    ranks = sorted((rank(card) + 2 for card in cards), reverse=True)
    groups = []
    for r, count in Counter(ranks).items():
        groups += [(4, r), (1, r)] if count == 5 else [(count, r)]
    groups.sort(reverse=True)
    shape, told = [count for count, _ in groups], tuple(r for _, r in groups)
    suits = [suit(card) for card in cards]
    flush = len(cards) == 5 and len(set(suits)) == 1 and suits[0] < 4
    top = 0
    if ranks == [14, 5, 4, 3, 2]:
        top = 5
    elif len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4:
        top = ranks[0]
    if flush and top:
        return ("royal flush" if top == 14 else "straight flush"), (top,)
    if shape[0] == 4:
        return "four of a kind", told
    if shape == [3, 2]:
        return "full house", told
    if flush:
        return "flush", told
    if top:
        return "straight", (top,)
    if shape[0] == 3:
        return "three of a kind", told
    if shape[:2] == [2, 2]:
        return "two pair", told
    return ("pair" if shape[0] == 2 else "high card"), told


def naive(cards, muscle=False):
    """What the strength of `cards` stands for, in the order of its parts."""
    fives = combinations(cards, min(5, len(cards)))
    kind, told = max(
        (CATEGORIES.index(kind), told) for kind, told in (naive_five(five) for five in fives)
    )
    return kind, muscle, told


def decoded(value):
    digits = [value >> at & 15 for at in (16, 12, 8, 4, 0)]
    assert digits == sorted(digits, key=lambda digit: digit == 0)  # zeros come last
    return value >> 24, bool(value >> 20 & 15), tuple(digit for digit in digits if digit)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("size", range(FEWEST, MOST + 1))
def test_random_hands_are_what_a_naive_evaluator_says(size, deck):
    chance = random.Random(f"{size} {deck}")
    for _ in range(400 if COMPILED else 60):
        cards, muscle = chance.sample(DECKS[deck], size), chance.random() < 0.5
        assert decoded(best_hand(cards, muscle=muscle)) == naive(cards, muscle), cards_text(cards)


@pytest.mark.parametrize("size", [2, 3])
def test_all_hands_of_two_and_three_cards_are_what_a_naive_evaluator_says(size):
    for cards in combinations(range(CARDS + 1), size):
        assert decoded(evaluate(np.array(cards, np.int8))) == naive(cards), cards_text(cards)


@pytest.mark.parametrize("size", range(FEWEST, MOST + 1))
def test_exactly_one_of_less_equal_greater_holds(size):
    chance = random.Random(size)
    seen = Counter()
    for _ in range(300):
        hands = [(chance.sample(DECKS["three ranks"], size), chance.random() < 0.5) for _ in "ab"]
        a, b = ((best_hand(cards, muscle=m), naive(cards, m)) for cards, m in hands)
        compared = a[0] < b[0], a[0] == b[0], a[0] > b[0]
        assert sum(compared) == 1
        assert compared == (a[1] < b[1], a[1] == b[1], a[1] > b[1])
        seen[compared] += 1
    assert len(seen) == 3  # also ties


@pytest.mark.parametrize("size", [5, 7, 8])
def test_suits_are_alike(size):
    chance = random.Random(size)
    for _ in range(30):
        for deck in ("all", "one suit and jacks"):
            cards = chance.sample(DECKS[deck], size)
            relabelled = {
                best_hand([c if c == JACK_CARD else rank(c) * 4 + suits[suit(c)] for c in cards])
                for suits in permutations(range(4))
            }
            assert relabelled == {best_hand(cards)}


def test_the_order_of_cards_does_not_matter():
    chance = random.Random(1)
    for _ in range(200):
        cards = chance.sample(range(CARDS + 1), 7)
        assert best_hand(cards) == best_hand(sorted(cards)) == best_hand(cards[::-1])


def test_names_are_those_of_the_strengths():
    chance = random.Random(2)
    for _ in range(100_000 if COMPILED else 3000):
        value = best_hand(chance.sample(range(CARDS + 1), chance.randint(FEWEST, MOST)))
        assert describe(value).split(",")[0] == CATEGORIES[category(value)]
