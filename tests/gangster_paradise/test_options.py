"""Options, set-ups, deals."""

import numpy as np
import pytest
from playing import dealt

from backroom.envs import configure
from backroom.envs.gangster_paradise.state import COLOURS, KINDS

LIVES = {4: "rrbbk", 5: "rrbbkp", 6: "rrbbkpg", 7: "rrbbkpg"}
LETTERS = "rbkpg"


@pytest.mark.parametrize("seats", [4, 5, 6, 7])
def test_set_up(seats):
    """R3 to R8, over many deals: who may have which LIFE, and what is in each hand."""
    game = configure("gangster_paradise", num_players=seats)
    spares = set()
    for seed in range(60):
        s = dealt(game, seed)[0]
        lives = [*s["life"][:seats], *([s["spare"]] if s["spare"] >= 0 else [])]
        assert sorted(LETTERS[c] for c in lives) == sorted(LIVES[seats])
        spares.add(COLOURS[s["spare"]] if s["spare"] >= 0 else None)
        assert (s["held"][:seats] == 6).all() and s["on_field"].sum() == 5
        for seat in range(seats):
            hand = s["hand"][seat]
            assert hand[s["gangster"]] >= 1 and hand[s["money"]] >= 1
            for group in range(KINDS, KINDS + 3):
                assert hand[s["class_of"] == group].sum() >= 1
        assert s["on_field"][s["spy"]] >= 1 and s["on_field"][s["trickster"]] == 1
        assert s["in_play"][s["gangster"]] <= seats + 5
    expected = {
        4: {"red", "blue", "black"},
        5: {"red", "blue", "purple"},
        6: {"red", "blue", "purple", "gray"},
        7: {None},
    }
    assert spares == expected[seats]


def test_the_beginners_game():
    game = configure("gangster_paradise", beginner=True)
    s = dealt(game, 1)[0]
    assert sorted(s["life"][:5]) == [0, 0, 1, 1, 2] and s["spare"] == -1
    assert len([a for a in game.actions if a.startswith("use ")]) == 20


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"beginner": True, "num_players": 4}, "beginner is for 5 seats, not 4"),
        ({"cards": "basic"}, "5 seats need purple_life 1 times, but the set has it 0 times"),
        ({"cards": "basic", "num_players": 7}, "7 seats need purple_life 1 times"),
        ({"cards": "no such file"}, "the card table no such file cannot be read"),
        ({"black_actions": 9}, "black_actions"),
    ],
)
def test_what_does_not_go_together(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        configure("gangster_paradise", **options)


HANDS = {"hand0": "red gun", "hand1": "red", "hand2": "blue", "hand3": "black"}


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ({"hand0": "pink"}, "hand0: a LIFE is one of red, blue, black"),
        ({"hand0": "red sword"}, "hand0: a card is one of the_boss, gangster"),
        ({"hand0": "red red_life"}, "hand0: a card is one of the_boss"),
        ({"hand0": "red killer killer"}, "more cards killer than there are, 1"),
        ({"hand2": "red"}, "more LIFE cards red than there are"),
        ({"starter": "4"}, "starter is a number from 0 to 3, not '4'"),
        ({"starter": "0", "round": "0"}, "round is a number from 1 to 30, not '0'"),
        ({"round": "2"}, "a deal with a round has a starter"),
        ({"field": "katana"}, "field: a card is one of"),
        ({"spare": "green"}, "spare: a LIFE is one of"),
        ({"board": "gun"}, "not 'board'"),
    ],
)
def test_deals_that_are_none(cards, sentence):
    game = configure("gangster_paradise", num_players=4)
    with pytest.raises(ValueError, match=sentence):
        game.rules.arrange(game, dealt(game, 1)[0], {**HANDS, **cards})


def test_a_deal_names_all_hands():
    game = configure("gangster_paradise", num_players=4)
    with pytest.raises(ValueError, match="the deal lacks hand3"):
        game.rules.arrange(game, dealt(game, 1)[0], {k: HANDS[k] for k in list(HANDS)[:3]})


def test_somebody_has_black_at_five():
    game = configure("gangster_paradise")
    hands = {"hand0": "red", "hand1": "red", "hand2": "blue", "hand3": "blue", "hand4": "purple"}
    with pytest.raises(ValueError, match="somebody has BLACK"):
        game.rules.arrange(game, dealt(game, 1)[0], hands)


def test_the_stream_decides_the_rest():
    """Cards that a deal does not name come from the state's stream."""
    game = configure("gangster_paradise", num_players=4)
    decks = []
    for seed in (1, 1, 2):
        state = dealt(game, seed)[0]
        game.rules.arrange(game, state, HANDS)
        decks.append(state["deck"].tolist())
    assert decks[0] == decks[1] != decks[2]
    assert np.array_equal(np.sort(decks[0]), np.sort(decks[2]))
