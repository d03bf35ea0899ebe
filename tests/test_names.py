"""What is said of names, words and options that are not there."""

import pytest

from backroom.agents import load
from backroom.envs import configure
from backroom.envs.engine.game import option_text
from backroom.envs.engine.names import meant, unknown


def test_what_was_probably_meant():
    assert meant("the-gang", ["kuhn", "the_gang"]) == " (did you mean the_gang?)"
    assert meant("zzz", ["kuhn", "the_gang"]) == meant("x", []) == ""
    assert unknown("card", "x", []) == "there is no card 'x'; there are none"


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
