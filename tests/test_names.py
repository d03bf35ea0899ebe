"""What is said of names, words and options that are not there."""

import pytest

from backroom.agents import load
from backroom.envs import configure, make, make_single
from backroom.envs.engine.game import option_text
from backroom.envs.engine.names import meant, several, unknown


def test_what_was_probably_meant():
    assert meant("the-gang", ["kuhn", "the_gang"]) == " (did you mean the_gang?)"
    assert meant("zzz", ["kuhn", "the_gang"]) == meant("x", []) == ""
    assert unknown("card", "x", []) == "there is no card 'x'; there are none"


def test_one_is_singular():
    assert [several(n, "deal") for n in (0, 1, 2)] == ["0 deals", "1 deal", "2 deals"]
    with pytest.raises(ValueError, match=r"^kuhn with 2 seats needs 1 opponent, not 2$"):
        make_single("kuhn", opponents=["random", "random"])
    with pytest.raises(ValueError, match="hand2 has 1 card, but player_2 is dealt 2"):
        make("cockroach_poker", cards_per_player=2).reset(
            options={"deal": {"hand0": "rat fly", "hand1": "bat bat", "hand2": "bat"}}
        )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"mode": "expart"},
            "option mode: .*'expart' .did you mean expert.*; there are basic, int",
        ),
        ({"mode": "advanced", "cards_in_force": "Jack"}, "'Jack' .did you mean jack"),
        ({"mode": "advanced", "cards_in_force": ["jack", "hakcer"]}, "did you mean hacker"),
        ({"mode": "advanced", "deck_order": "rulebok"}, "option deck_order: .*'rulebok'"),
        ({"num_player": 4}, "no option 'num_player' .did you mean num_players"),
        ({"mode": "expert", "cards_in_force": "jack"}, "R25.*by number: envs/the_gang/README.md"),
    ],
)
def test_options_that_are_not_there(options, sentence):
    with pytest.raises(ValueError, match=f"^the_gang.*{sentence}"):
        configure("the_gang", **options)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("cockroach_poker", {"num_players": 9}, "option num_players takes 2 to 6, not 9"),
        ("cockroach_poker", {"num_players": None}, "option num_players takes 2 to 6, not none"),
        ("cockroach_poker", {"num_players": ""}, "option num_players takes 2 to 6, not ''"),
        ("cockroach_poker", {"all_kinds": "so"}, "option all_kinds takes true, false, not so"),
        ("gangster_paradise", {"cards": 5}, "option cards takes str, not 5"),
        (
            "caribbean_poker",
            {"call_paytable": "1,2"},
            "option call_paytable takes 10 values, each 0 to 1000, not 1,2",
        ),
        (
            "caribbean_poker",
            {"ante_levels": [0, 1]},
            "option ante_levels takes 1 to 20 values, each 1 to 1000, not 0,1",
        ),
    ],
)
def test_values_that_an_option_does_not_take(name, options, sentence):
    with pytest.raises(ValueError, match=f"^{name}: {sentence}$"):
        configure(name, **options)


def test_lists_as_text():
    wanted = configure("the_gang", mode="advanced", cards_in_force=["jack", "blackout"])
    for text in ("jack,blackout", " [jack, blackout] ", "('jack', \"blackout\")"):
        assert configure("the_gang", mode="advanced", cards_in_force=text) is wanted


def test_options_as_text_are_read_again(default_game):
    texts = {name: option_text(value) for name, value in default_game.settings().items()}
    assert configure(default_game.name, **texts) is default_game


def test_games_and_agents_that_are_not_there():
    with pytest.raises(ValueError, match=r"no game 'the gang' \(did you mean the_gang\?\); there"):
        configure("the gang")
    with pytest.raises(ValueError, match=r"no agent 'clok' for the_gang \(did you mean clock"):
        load("clok", "the_gang")
    with pytest.raises(ValueError, match=r"^ppo-1 plays the_gang only with features=strength$"):
        load("ppo-1", "the_gang")


def test_a_game_may_be_named():
    assert load("codebook", "the_gang").game is configure("the_gang")
