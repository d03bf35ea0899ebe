"""Values of a round for who sees more of the banker's cards: against trying out, and published."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from simple_poker import settled

from backroom.envs import configure
from backroom.envs.engine.cards import cards_text, parse_cards
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import best_hand
from backroom.evaluate.caribbean_poker import seen

GAME = configure("caribbean_poker")
compiled = pytest.mark.skipif(not COMPILED, reason="needs compiled rules")


@pytest.fixture(scope="module")
def ranked():
    return seen.by_strength()


@compiled
def test_the_hands_stand_by_strength(ranked):
    assert len(ranked.strengths) == 7462 and ranked.first[-1] == len(ranked.hands) == 2_598_960
    for kind in (0, 1000, 7461):
        for hand in ranked.hands[[ranked.first[kind], ranked.first[kind + 1] - 1]]:
            assert best_hand(cards_text(hand.tolist())) == ranked.strengths[kind]


@compiled
@pytest.mark.parametrize("hand", ["Ac Kd Jh 8c 3s", "7c 5d 4h 3s 2c", "9s 9d 9h 9c 2s"])
def test_counting_finds_what_trying_out_finds(ranked, hand):
    odds = np.array(GAME.settings()["call_paytable"][::-1])
    sums, change = np.zeros(seen.SETS, np.int32), np.zeros(7462, np.int64)
    seen.earned(best_hand(hand), odds, ranked.strengths, change)
    seen.add_to_sums(change, ranked, sums)
    own = sorted(parse_cards(hand))
    rest = [card for card in range(52) if card not in own]
    pick = np.random.default_rng(0)
    for count in (2, 3, 4, 5):
        sets = list(itertools.combinations(rest, count))
        out = np.zeros(len(sets), np.int64)
        seen.call_sums(np.array(own, np.int8), sums, count, out)
        tried = pick.choice(len(sets), {2: 1, 3: 3}.get(count, 20), replace=False)
        # sets stand by their greater cards, and by the lowest last
        places = {cards: i for i, cards in enumerate(sorted(sets, key=lambda s: s[::-1]))}
        for number in tried.tolist():
            cards = sets[number]
            others = [card for card in rest if card not in cards]
            expected = sum(
                settled(hand, cards_text([*cards, *more]), True)
                for more in itertools.combinations(others, 5 - count)
            )
            assert out[places[cards]] == expected


@compiled
def test_who_sees_the_open_card_alone_plays_best():
    assert seen.value_seeing(GAME, 1) == Fraction(-142_031_221, 2_718_662_100)


@compiled
def test_what_one_hidden_card_is_worth():
    """Published is a loss of 1.74 %, by a strategy for people; this is the best."""
    done = []
    value = seen.value_seeing(GAME, 2, done.append)
    assert value == Fraction(-2_558_246_932, 415_275_635_775) > Fraction(-174, 10_000)
    assert sum(done) == 2_598_960


@compiled
@pytest.mark.slow
def test_what_two_hidden_cards_are_worth():
    """Published is a win of 11.57 %."""
    value = seen.value_seeing(GAME, 3)
    assert value == Fraction(397_558_091_753, 3_322_205_086_200) > Fraction(1157, 10_000)


@pytest.mark.parametrize(
    ("game", "count"), [("caribbean_poker", 0), ("caribbean_poker", 6), ("kuhn", 2)]
)
def test_what_cannot_be_seen_is_refused(game, count):
    with pytest.raises(ValueError, match="seen are 1 to 5 of the banker's cards"):
        seen.value_seeing(configure(game), count)
