"""Options, actions as numbers and text, given deals, and cases that random play hardly meets."""

import re
from typing import Any

import numpy as np
import pytest

from backroom.envs import configure
from backroom.envs.cockroach_poker.state import (
    SPECIES,
    call_action,
    look_action,
    offer_action,
    pass_action,
    read_action,
)
from backroom.envs.engine.game import Game, deal, legal, observe, returns, step
from backroom.envs.engine.rng import stream


def dealt(seed: int = 0, **options: Any) -> tuple[Game, Any]:
    game = configure("cockroach_poker", **options)
    s = game.blank(1)[0]
    s.rng = stream(seed)
    deal(s)
    return game, s


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"num_players": 1}, "num_players"),
        ({"num_players": 7}, "num_players"),
        ({"num_players": 5, "cards_per_player": 13}, "at most 12 cards each, not 13"),
        ({"num_players": 2, "cards_per_player": 33}, "cards_per_player"),
        ({"cards_per_player": -1}, "cards_per_player"),
        ({"num_players": 4, "starter_bonus_card": True}, "no card is over"),
        ({"num_players": 2, "starter_bonus_card": True}, "no card is over"),
        ({"four_of_a_kind": 1}, "four_of_a_kind"),
        ({"four_of_a_kind": 9}, "four_of_a_kind"),
        ({"num_games": 0}, "num_games"),
        ({"hand_size": 4}, "hand_size"),
    ],
)
def test_impossible_options_are_named(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        configure("cockroach_poker", **options)


@pytest.mark.parametrize("seats", range(2, 7))
def test_actions_have_the_numbers_that_the_readme_tells(seats: int) -> None:
    game = configure("cockroach_poker", num_players=seats)
    others = range(1, seats)
    assert len(set(game.actions)) == len(game.actions) == 72 * (seats - 1) + 3
    number = 0
    for card, name in enumerate(SPECIES):
        for target in others:
            for claim, named in enumerate(SPECIES):
                assert game.actions[number] == f"offer {name}>+{target}:{named}"
                assert offer_action(seats, card, target, claim) == number
                assert tuple(read_action(seats, number)) == (0, card, target, claim)
                number += 1
    for does, text in enumerate(("call true", "call false", "look"), 1):
        assert game.actions[number] == text
        assert tuple(read_action(seats, number)) == (does, -1, -1, -1)
        number += 1
    assert call_action(seats, True) == game.numbers["call true"]
    assert call_action(seats, False) == game.numbers["call false"]
    assert look_action(seats) == game.numbers["look"]
    for target in others:
        for claim, named in enumerate(SPECIES):
            assert game.actions[number] == f"pass +{target}:{named}"
            assert pass_action(seats, target, claim) == number
            assert tuple(read_action(seats, number)) == (4, -1, target, claim)
            number += 1
    assert number == len(game.actions)


def test_sizes_depend_on_nothing_but_the_seats() -> None:
    plain = configure("cockroach_poker", num_players=3)
    for options in (
        {"cards_per_player": 2, "starter_bonus_card": True},
        {"four_of_a_kind": 2, "all_kinds": False, "num_games": 9},
    ):
        game = configure("cockroach_poker", num_players=3, **options)
        assert game.actions == plain.actions
        assert game.observation == plain.observation


@pytest.mark.parametrize(
    ("options", "bounds", "moves"),
    [
        ({"num_players": 2}, (-1, 1), 43 * 2),
        ({"num_players": 3}, (-1, 0.5), 63 * 4),
        ({"num_players": 5}, (-1, 0.25), 60 * 8),
        ({"num_players": 5, "starter_bonus_card": True}, (-1, 0.25), 61 * 8),
        ({"num_players": 6, "num_games": 4}, (-4, 0.8), 4 * 60 * 10),
        ({"num_players": 3, "cards_per_player": 2}, (-1, 0.5), 6 * 4),
        ({"num_players": 2, "four_of_a_kind": 2, "all_kinds": False}, (-1, 1), 17 * 2),
    ],
)
def test_bounds(options: dict[str, Any], bounds: tuple[float, float], moves: int) -> None:
    game = configure("cockroach_poker", **options)
    assert game.bounds == pytest.approx(bounds)
    assert game.facts.max_moves == moves


def longest_game(game: Game, s: Any) -> int:
    """Turns of a game whose two players together try to go on as long as they can."""
    turns = 0
    while s.player >= 0:
        turns += 1
        offerer = int(s.player)
        cards = [c for c in np.argsort(-s.hand[offerer]) if s.hand[offerer, c] > 0]
        free = []
        for taker in (offerer, 1 - offerer):
            kept = 7 - taker  # each goes without one species
            safe = [c for c in cards if c != kept and s.faceup[taker, c] < 3]
            free += [(s.hand_size[taker], int(c), taker) for c in safe]
        _, card, taker = max(free) if free else (0, int(cards[0]), offerer)
        step(s, offer_action(2, card, 1, card))
        step(s, call_action(2, taker == offerer))
    return turns


def test_two_seats_play_at_most_43_turns_and_can_come_close() -> None:
    turns = []
    for seed in range(20):
        game, s = dealt(seed, num_players=2)
        turns.append(longest_game(game, s))
        assert 2 * turns[-1] <= game.facts.max_moves
    assert max(turns) >= 40


def test_a_turn_in_which_all_look_and_pass_has_as_many_moves_as_the_bound_allows() -> None:
    for seats in range(3, 7):
        game, s = dealt(num_players=seats, cards_per_player=1)
        moves = 0
        mask = np.zeros(len(game.actions), np.bool_)
        while s.turns == 0 or s.flight >= 0:
            legal(s, mask)
            look = look_action(seats)
            step(s, look if mask[look] else int(np.flatnonzero(mask)[-1]))
            moves += 1
        assert moves * seats == game.facts.max_moves


def test_with_two_seats_look_and_pass_are_never_legal() -> None:
    rng = np.random.default_rng(0)
    for seed in range(5):
        game, s = dealt(seed, num_players=2)
        mask = np.zeros(len(game.actions), np.bool_)
        while s.player >= 0:
            legal(s, mask)
            assert not mask[look_action(2) :].any()
            step(s, int(rng.choice(np.flatnonzero(mask))))
        assert s.looks == s.passes == 0


def test_both_sets_at_once_are_one_loss() -> None:
    # no card can complete both under any option: four_of_a_kind is at least two
    _, s = dealt(num_players=3)
    s.four = 1
    seat = int(s.player)
    card = int(np.flatnonzero(s.hand[seat])[0])
    s.faceup[seat] = np.arange(8) != card
    step(s, offer_action(3, card, 1, card))
    step(s, call_action(3, True))
    out = np.zeros(3, np.float32)
    returns(s, out)
    assert s.player == -1 and s.losses.sum() == s.ends.sum() == 1
    assert sorted(out.tolist()) == [-1, 0.5, 0.5] and out[seat] == -1


def test_state_can_be_seen_when_a_game_is_broken_off() -> None:
    game, s = dealt(num_players=4)
    step(s, offer_action(4, int(np.flatnonzero(s.hand[s.player])[0]), 1, 0))
    s.player = -1  # what a shell does after an illegal action
    observation = np.full(game.observation_size, 99, np.int8)
    observe(s, 0, observation)
    parts = game.parts(observation[None])[0]
    assert not parts["turn"].any() and not parts["phase"].any() and not parts["open"].any()
    mask = np.ones(len(game.actions), np.bool_)
    legal(s, mask)
    assert not mask.any()
    assert game.rules.table(game, s, 0).splitlines()[-1].startswith("over")


@pytest.mark.parametrize("seats", range(2, 7))
def test_tables_fit_the_canvas(seats: int) -> None:
    game, s = dealt(num_players=seats, num_games=2)
    columns, lines = game.facts.canvas
    mask = np.zeros(len(game.actions), np.bool_)
    most = 0
    while s.games < 1:
        legal(s, mask)
        look = look_action(seats)
        step(s, look if mask[look] else int(np.flatnonzero(mask)[-1]))
        for viewer in (None, *range(seats)):
            text = game.rules.table(game, s, viewer).splitlines()
            most = max(most, len(text))
            assert max(map(len, text)) <= columns
    assert most == lines


def test_table_shows_piles_hands_and_claims() -> None:
    game, s = dealt(num_players=3, cards_per_player=2)
    deal_ = {"hand0": "rat bat", "hand1": "fly", "hand2": "frog", "faceup2": "fly fly"}
    game.rules.arrange(game, s, {**deal_, "starter": "0"})
    step(s, game.numbers["offer bat>+1:stink_bug"])
    step(s, game.numbers["look"])
    step(s, game.numbers["pass +1:fly"])
    lines = game.rules.table(game, s, 1).splitlines()
    assert lines[2].split() == ["player_0", "face", "up", *"........"]
    assert lines[3].split() == ["1", "in", "hand", *"????????"]
    assert lines[5].split() == ["1", "in", "hand", *"...1...."]
    assert lines[6].split() == [">", "player_2", "face", "up", *"...2...."]
    assert lines[8:] == [
        'player_0 to player_1: "it is a stink bug"',
        'player_1 to player_2: looks, "it is a fly"',
        "the card in flight is a bat",
        "player_2 is to call",
    ]
    assert "in flight" not in game.rules.table(game, s, 2)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ({"hand0": "rat fly", "hand1": "bat bat"}, "lacks hand2"),
        ({"hand0": "rat fly", "hand1": "bat bat", "hand2": "bat"}, "hand2 has 1 card,"),
        ({"hand0": "rat fly", "hand1": "bat bat", "hand2": "bat bat bat"}, "hand2 has 3 cards"),
        ({"hand0": "rat cat", "hand1": "bat bat", "hand2": "bat bat"}, "not 'cat'"),
        ({"hand0": "rat fly", "hand1": "", "hand2": "fly", "faceup1": "bat " * 4}, "has lost"),
        (
            {"hand0": "fly", "hand1": "", "hand2": "", "faceup0": " ".join(SPECIES)},
            "has lost",
        ),
        (
            {
                "hand0": "fly fly",
                "hand1": "fly fly",
                "hand2": "",
                **{f"faceup{seat}": "fly " * 3 for seat in range(2)},
            },
            "deal has 10 fly",
        ),
        ({"hand0": "", "hand1": "fly", "hand2": "fly", "faceup1": "fly"}, "hand0 is empty"),
        ({"hand0": "fly fly fly", "hand1": "", "hand2": "", "faceup1": ""}, "hand0 has 3 cards"),
        ({"hand3": "rat fly"}, "'hand3'"),
        ({"deck": "rat"}, "'deck'"),
        ({"hand0": "rat fly", "hand1": "", "hand2": "", "starter": "3"}, "not '3'"),
        ({"hand0": "rat fly", "hand1": "", "hand2": "", "starter": "x"}, "not 'x'"),
    ],
)
def test_deals_that_make_no_game_change_nothing(cards: dict[str, str], sentence: str) -> None:
    game, s = dealt(num_players=3, cards_per_player=2)
    before = s.copy()
    with pytest.raises(ValueError, match=re.escape(sentence)):
        game.rules.arrange(game, s, {"starter": "0", **cards})
    assert s.tobytes() == before.tobytes()


def test_given_deal_replaces_the_drawn_one() -> None:
    game, s = dealt(num_players=3, cards_per_player=2, starter_bonus_card=True)
    step(s, int(offer_action(3, int(np.flatnonzero(s.hand[s.player])[0]), 1, 0)))
    cards = {"hand0": "rat fly", "hand1": "stink_bug rat rat", "hand2": "bat bat", "starter": "1"}
    game.rules.arrange(game, s, cards)
    assert s.player == s.starter == 1 and s.flight == -1 and s.phase == s.chain == 0
    assert s.hand_size[:3].tolist() == [2, 3, 2]
    assert s.hand[1].tolist() == [0, 2, 0, 0, 0, 0, 0, 1]
    assert s.aside.tolist() == [8, 5, 6, 7, 8, 8, 8, 7]
    # with cards face up, hands may be smaller
    cards = {"hand0": "rat", "hand1": "", "hand2": "bat bat", "faceup1": "fly fly fly frog"}
    game.rules.arrange(game, s, {**cards, "starter": "0"})
    assert s.faceup[1].tolist() == [0, 0, 0, 3, 1, 0, 0, 0]
    assert s.hand_size[:3].tolist() == [1, 0, 2]
    assert s.aside.tolist() == [8, 7, 6, 5, 7, 8, 8, 8]
