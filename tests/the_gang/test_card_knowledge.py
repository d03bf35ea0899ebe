"""What a seat knows by the cards of The Gang: redealt worlds keep all of it, and nothing else."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from playing import dealt, observed

from backroom.envs import configure
from backroom.envs.engine.cards import parse_cards
from backroom.envs.engine.game import Game, redeal, step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import best_hand, category

WORLDS = 4000 if COMPILED else 150


def arranged(cards: str, **deal: str) -> tuple[Game, Any]:
    """A heist of three seats with these cards in force, of which player_0 is the first."""
    game = configure(
        "the_gang",
        mode="intermediate",
        cards_in_force=cards.split(),
        episode="heist",
        turns_per_round=1,
        specialist_consent=False,
    )
    s = dealt(game, 1)[0]
    game.rules.arrange(game, s, {"first": "0", **deal})
    return game, s


def play(game: Game, s: Any, *texts: str) -> None:
    """Play these actions."""
    for text in texts:
        step(s, game.numbers[text])


def worlds(s: Any, player: int, count: int = WORLDS) -> list[Any]:
    """Redealt worlds of `player`."""
    found = []
    for seed in range(count):
        found.append(s.copy())
        redeal(found[-1], player, seed)
    return found


def hand(s: Any, seat: int) -> tuple[int, ...]:
    """The hole cards of a seat."""
    return tuple(card for card in s.hole[seat].tolist() if card >= 0)


def points(cards: tuple[int, ...]) -> int:
    """R35."""
    return sum((*range(2, 11), 10, 10, 10, 11)[card // 4] for card in cards)


def shares(left: list[int], first: Any, second: Any) -> np.ndarray:
    """How likely each card is in the first of two disjoint pairs, all that fit being as likely."""
    fitting = [pair for pair in combinations(left, 2) if second(pair)]
    found = np.zeros(52)
    for pair in combinations(left, 2):
        if first(pair):
            others = sum(not set(pair) & set(other) for other in fitting)
            found[list(pair)] += others
    return found / found.sum() * 2


@pytest.mark.parametrize("card", ["math_whiz", "investor"])
def test_worlds_in_which_all_words_are_true_are_as_likely(card):
    """R30, R35, R50: against all worlds, counted."""
    _, s = arranged(card, hand0="Ah 9d", hand1="Kc 5d", hand2="6h 3s")
    measure = points if card == "math_whiz" else lambda p: sum(9 <= c // 4 <= 11 for c in p)
    words = [measure(hand(s, seat)) for seat in range(3)]
    assert s.declared[:3].tolist() == words
    left = [c for c in range(52) if c not in hand(s, 0)]
    expected = shares(left, lambda p: measure(p) == words[1], lambda p: measure(p) == words[2])
    counts = np.zeros(52)
    for world in worlds(s, 0):
        assert [measure(hand(world, seat)) for seat in range(3)] == words
        counts[list(hand(world, 1))] += 1
    error = np.sqrt(np.maximum(expected * WORLDS, 1))
    assert (np.abs(counts - expected * WORLDS) / error).max() < 4.5


def test_a_declared_category_binds_the_hand_that_was_held_then():
    """R29, R50: after the flop and after a new hand too."""
    game, s = arranged(
        "getaway_driver", hand0="7c 7d", hand1="Kc Qd", hand2="2c 5s", board="9h 8h 3c"
    )
    play(game, s, "propose", "take 1", "take 2", "take 3")
    assert s.declared_category == 1
    for world in worlds(s, 1, WORLDS // 10):
        assert hand(world, 0)[0] // 4 == hand(world, 0)[1] // 4
    game, s = arranged(
        "getaway_driver motion_detector", hand0="7c 7d", hand1="Kc Qd", board="Jh 8h 3c"
    )
    play(game, s, "propose", "take 2", "take 3", "take 1")
    assert s.redrawer == 0
    seen = set()
    for world in worlds(s, 1, WORLDS // 10):
        old = world.hole[6, :2].tolist()
        assert old[0] // 4 == old[1] // 4
        seen.add(category(best_hand([*hand(world, 0), *world.board[:3].tolist()])))
    assert len(seen) > 1, "the new hand is free"


def test_a_declared_rank_is_held():
    """R31, R50."""
    game, s = arranged("mastermind", hand0="Qc Qd", hand1="Kc 4d")
    play(game, s, "propose", "rank Q")
    assert s.declared_count == 2
    for world in worlds(s, 1, WORLDS // 10):
        assert [card // 4 for card in hand(world, 0)] == [10, 10]


def test_a_card_that_was_shown_stays_known_until_it_is_discarded():
    """R28, R40, R50; nobody else learns it."""
    game, s = arranged("informant motion_detector", hand0="Ac 4d", hand1="Kh Qd", board="Jh 8h 3c")
    (ace,) = parse_cards("Ac")
    play(game, s, "propose", "show +1", "card 1")
    assert all(ace in hand(world, 0) for world in worlds(s, 1, 100))
    assert any(ace not in hand(world, 0) for world in worlds(s, 2, 100))
    assert game.parts(observed(game, s, 1))["shown"][ace] == 1
    assert not game.parts(observed(game, s, 2))["shown"].any()
    play(game, s, "take 2", "take 3", "take 1")
    assert s.redrawer == 0
    view = game.parts(observed(game, s, 1))
    assert view["gone"][ace] == 1 and view["shown"][ace] == 0
    for world in worlds(s, 1, 100):
        assert ace in world.hole[6] and ace not in hand(world, 0)


def test_a_card_that_was_passed_on_is_known_to_lie_to_the_left():
    """R33, R50; the left neighbour knows where it came from."""
    game, s = arranged("coordinator", hand0="Ac 4d", hand1="Kh Qd", hand2="9c 9d")
    play(game, s, "card 1", "card 1", "card 2")
    ace, king, nine = parse_cards("Ac Kh 9c")
    assert (ace in hand(s, 1), king in hand(s, 2), nine in hand(s, 0)) == (True, True, True)
    for world in worlds(s, 0, 100):
        assert ace in hand(world, 1) and world.picks[1] in hand(world, 2)
    kings = sum(king in hand(world, 2) for world in worlds(s, 0, 100))
    assert kings < 30, "player_0 knows nothing of that card"
    view = game.parts(observed(game, s, 0))
    assert np.flatnonzero(view["passed"]).tolist() == [ace]
    assert np.flatnonzero(view["received"]).tolist() == [nine]


def test_cards_that_the_con_artist_took_lie_with_others():
    """R36, R50."""
    deal = {"hand0": "Ac 4d", "hand1": "Kh Qd", "hand2": "9c 9d"}
    again = {"again0": "Kh 9c", "again1": "Ac 9d", "again2": "Qd 4d"}
    game, s = arranged("con_artist", **deal, **again)
    ace, four = parse_cards("Ac 4d")
    assert sorted(np.flatnonzero(game.parts(observed(game, s, 0))["lost"])) == [four, ace]
    homes = np.zeros(3)
    for world in worlds(s, 0):
        homes[[seat for seat in range(3) if ace in hand(world, seat)]] += 1
        assert {ace, four} <= {*hand(world, 1), *hand(world, 2)}
    assert homes[0] == 0 and abs(homes[1] - WORLDS / 2) < 4.5 * np.sqrt(WORLDS / 4)


def test_what_the_hacker_discarded_is_known_to_the_user_alone():
    """R32, R50."""
    game, s = arranged("hacker", hand0="Ac 4d", hand1="Kh Qd", draws="8s")
    ace, four, eight = parse_cards("Ac 4d 8s")
    play(game, s, "propose", "card 3")
    assert hand(s, 0) == (ace, eight) and s.exchanged == four
    assert all(world.exchanged == four for world in worlds(s, 0, 50))
    assert len({int(world.exchanged) for world in worlds(s, 1, 50)}) > 10
    assert game.parts(observed(game, s, 0))["gone"][four] == 1
    assert not game.parts(observed(game, s, 1))["gone"].any()


def test_hands_that_are_open_for_a_scan_stay_as_they_are():
    """R41, R50: only the scanned hand is drawn anew."""
    game, s = arranged("retina_scan", hand0="Ac 4d", hand1="Kh Qd", hand2="9c 9d")
    for _ in range(4):
        play(game, s, "take 1", "take 2", "take 3")
    view = game.parts(observed(game, s, 0))
    assert [int(row.sum()) for row in view["opened"]] == [2, 2, 0]
    scanned = {hand(world, 2) for world in worlds(s, 0, 50)}
    assert len(scanned) > 20
    assert all(hand(world, 1) == hand(s, 1) for world in worlds(s, 0, 50))


def test_shuffled_stacks_are_shuffled_below_what_is_drawn():
    """R23: nobody knows what comes next; in the rulebook's order all do."""
    for order, orders in (("random", 20), ("rulebook", 1)):
        game = configure("the_gang", mode="expert", deck_order=order)
        s = dealt(game, 3)[0]
        drawn = s.challenge_stack[:2].tolist()
        found = worlds(s, 0, 40)
        assert all(world.challenge_stack[:2].tolist() == drawn for world in found)
        assert len({world.challenge_stack.tobytes() for world in found}) >= orders
        if orders == 1:
            assert len({world.challenge_stack.tobytes() for world in found}) == 1


def test_options_of_cards_are_checked():
    """R22 to R25: with a sentence."""
    for options, sentence in (
        ({"cards_in_force": ["jack"]}, "needs a mode that has cards"),
        ({"mode": "advanced", "cards_in_force": ["jack", "muscle"]}, "one specialist at most"),
        ({"mode": "expert", "cards_in_force": ["jack"]}, "no specialists in the mode expert"),
        ({"mode": "advanced", "deck_order": ["quick_access"]}, "quick_access is taken out"),
        ({"mode": "advanced", "deck_order": ["jack", "jack"]}, "names a card twice"),
        ({"mode": "advanced", "cards_in_force": ["joker"]}, "cards_in_force"),
        ({"mode": "advanced", "cards_in_force": "jack, joker"}, "cards_in_force"),
        ({"mode": "advanced", "deck_order": "backwards"}, "deck_order"),
    ):
        with pytest.raises(ValueError, match=sentence):
            configure("the_gang", **options)
    named = configure("the_gang", mode="expert", cards_in_force="blackout, retina_scan")
    listed = configure("the_gang", mode="expert", cards_in_force=["blackout", "retina_scan"])
    assert named is listed
