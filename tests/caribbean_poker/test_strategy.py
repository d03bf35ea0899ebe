"""What the solver's command refuses, and the files that hold its strategies."""

import numpy as np
import pytest
from typer.testing import CliRunner

from backroom.agents import load, names
from backroom.agents.caribbean_poker import strategy as files
from backroom.envs import configure
from backroom.envs.caribbean_poker.state import KINDS
from backroom.train.cli import app

GAME = configure("caribbean_poker", fixed_ante=1)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["the_gang"], "only caribbean_poker and kuhn can be solved exactly, not the_gang"),
        (["kuhn", "--seen", "2"], "--save, --plot and --seen are for caribbean_poker"),
        (["caribbean_poker", "--save", "x.txt"], "x.txt should end in .npz"),
        (["caribbean_poker", "--plot", "nowhere/x.png"], "nowhere: there is no such folder"),
        (["caribbean_poker", "--save", "folder.npz"], "folder.npz: this is no ordinary file"),
        (["caribbean_poker", "--seen", "6"], "Invalid value for '--seen'"),
        (
            ["caribbean_poker", "--set", "bankroll=2"],
            "bankroll should be none, or from 3 on, not 2",
        ),
        (
            ["caribbean_poker", "--set", "bankroll=29", "ante_levels=10,20"],
            "bankroll should be none, or from 30 on, not 29",
        ),
        (["caribbean_poker", "--agents", "nobody"], "there is no agent 'nobody'"),
        (["caribbean_poker", "--set", "num_players=2"], "with one seat"),
    ],
)
def test_the_command_refuses(args, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.npz").mkdir()
    result = CliRunner().invoke(app, ["solve", *args])
    assert result.exit_code == 2 and sentence in result.stderr


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 torn", b"no zip file at all"])
def test_a_damaged_strategy_is_refused(tmp_path, content):
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="holds no strategy that can be read: it is no"):
        load(str(path), GAME)


@pytest.mark.parametrize("name", files.Strategy._fields)
def test_a_strategy_of_wrong_shapes_is_refused(tmp_path, name):
    good = files.read(files.OPTIMAL)._asdict()
    good["calls"] = np.packbits(good["calls"], axis=1)
    for wrong in ({k: v for k, v in good.items() if k != name}, good | {name: np.zeros(3)}):
        np.savez(tmp_path / "x.npz", format=files.FORMAT, **wrong)
        with pytest.raises(ValueError, match="holds no strategy that can be read"):
            files.read(tmp_path / "x.npz")


def test_a_strategy_belongs_to_its_odds():
    other = configure("caribbean_poker", call_paytable=(200, 50, 20, 7, 5, 4, 3, 2, 1, 1))
    with pytest.raises(ValueError, match=r"this strategy is for the call_paytable \[100, 50"):
        load("optimal", other)
    assert "optimal" in names(GAME) and "optimal" not in names(other)
    assert "pair" in names(other)


def test_a_bonus_bet_is_made_if_it_is_worth_something():
    masks = np.ones((1, 20), np.bool_)
    masks[0, :2] = False
    cards = np.zeros((1, 159), np.int8)
    for odds, text in (
        ((50_000, 0, 0, 0, 300, 0, 0, 0, 0, 0), "ante 1"),
        ((3,) * 10, "ante 1 + bonus"),
    ):
        game = configure("caribbean_poker", bonus_paytable=odds)
        action = load("optimal", game).act(cards, masks, np.zeros(1, np.int64))[0]
        assert game.actions[action] == text
    rich = files.read(files.OPTIMAL)._replace(value=0.5)
    game = configure("caribbean_poker")
    action = files.Optimal(game, strategy=rich).act(cards, masks, np.zeros(1, np.int64))[0]
    assert game.actions[action] == "ante 1000"


def test_categories_of_the_file_are_those_of_all_hands():
    counts = files.read(files.OPTIMAL).categories.tolist()
    assert counts == [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]
    assert len(counts) == KINDS


def test_a_strategy_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    path, good = tmp_path / "x.npz", files.read(files.OPTIMAL)
    files.save(path, good)
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise OSError("the disk is full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="the disk is full"):
        files.save(path, good)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
