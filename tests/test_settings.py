"""Settings of a training: files, changes, and what is wrong with them."""

import tomllib

import pytest
from learning import settings

from backroom.train.ppo import Learner
from backroom.train.settings import (
    CONFIGS,
    PPOSettings,
    SB3Settings,
    convert,
    describe,
    to_toml,
)
from backroom.train.settings import load as load_settings


def test_each_game_has_a_file_that_can_be_run():
    files = sorted(CONFIGS.glob("*.toml"))
    assert {"kuhn.toml", "the_gang.toml", "cockroach_poker.toml"} <= {f.name for f in files}
    for file in files:
        found = load_settings(PPOSettings, file.stem)
        assert found.make_game().name == file.stem
        assert convert(PPOSettings, tomllib.loads(to_toml(found))) == found


def test_every_setting_is_described():
    for kind in (PPOSettings, SB3Settings):
        assert all(setting.description for setting in describe(kind))


def test_changes_of_settings():
    found = load_settings(
        PPOSettings,
        "cockroach_poker",
        None,
        [
            "total_decisions=2e6",
            "layers=[64, 32]",
            "entropy=(.1, 0)",
            "num_players=4",
            "game.cards_per_player=5",
            "opponents.runs/a/policy.safetensors=.5",
            "normalize=false",
            "activation=tanh",
        ],
    )
    assert found.total_decisions == 2_000_000
    assert found.layers == (64, 32)
    assert found.entropy == (0.1, 0)
    assert found.make_game().settings()["num_players"] == 4
    assert found.make_game().settings()["cards_per_player"] == 5
    assert found.opponents["runs/a/policy.safetensors"] == 0.5
    assert found.opponents["counting"] == 1
    assert found.normalize is False
    named = load_settings(PPOSettings, "kuhn", None, ["opponents={self=.5, runs/a=.25,'x:Y'=1}"])
    assert named.opponents == {"self": 0.5, "runs/a": 0.25, "x:Y": 1}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("total=1", "no setting 'total'.* there are game, seed"),
        ("total_decisions=0", "setting total_decisions: .*>= 1"),
        ("total_decisions=many", "setting total_decisions: Expected `int`"),
        ("layers=[]", "setting layers"),
        ("layers=[0]", "setting layers"),
        ("entropy=1", "setting entropy"),
        ("activation=sin", "setting activation"),
        ("average=1", "setting average"),
        ("seed.x=1", "no table of settings 'seed'"),
        ("hat.x=1", "no table of settings 'hat'"),
        ("total_decisions", "name=value"),
        ("=3", "name=value"),
        ("opponents.=3", "name=value"),
        ("game.num_players=3", "kuhn has no option 'num_players'"),
        ("opponents.self=-1", "setting opponents"),
        ("opponents=ppo-1", r"setting opponents: Expected a table, \{name=number\}, got `str`"),
        ("seed={[]: 1}", "setting seed: Expected `int`, got `str`"),
        ("seed={1: [2]}", "setting seed: Expected `int`, got `object`"),
        ("layers={[]}", "setting layers"),
        ("game={[]: 1}", "the game to train is kuhn"),
        ("opponents.self={{}}", "setting opponents"),
        (f"seed={'[' * 5000}", "setting seed"),
        (f"seed={'-' * 100_000}1", "setting seed"),
    ],
)
def test_what_is_wrong_with_a_setting_is_said(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        load_settings(PPOSettings, "kuhn", None, [change])


def test_what_is_wrong_with_a_file_is_said(tmp_path):
    path = tmp_path / "x.toml"
    for text, sentence in (
        ("x = [", "no readable TOML file"),
        ("colour = 1", "no setting 'colour'"),
        ('[game]\nname = "the_gang"', "is for the_gang, not kuhn"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=sentence):
            load_settings(PPOSettings, "kuhn", path)
    with pytest.raises(ValueError, match=r"none.toml cannot be read: No such file"):
        load_settings(PPOSettings, "kuhn", tmp_path / "none.toml")
    with pytest.raises(ValueError, match="no game 'chess'"):
        load_settings(PPOSettings, "chess")
    with pytest.raises(ValueError, match="kuhn: there is no part 'hat'"):
        Learner(settings(parts=["hat"]))
