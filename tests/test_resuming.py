"""Runs that go on: with what settings, how far, and what is refused."""

import itertools
import os
import shutil
import signal
import time

import pytest
from command import refused, run
from learning import KUHN, settings

from backroom.agents import load
from backroom.agents.neural import read
from backroom.agents.sb3 import read_card
from backroom.train import ppo, sb3
from backroom.train.settings import PPOSettings, SB3Settings
from backroom.train.settings import load as load_settings

SMALL = (
    "games=32 moves=8 layers=[16] minibatch=64 threads=1 evaluate_every=1000 evaluate_games=20 "
    "checkpoint_every=500"
).split()


def small(*changes):
    return ["--set", *SMALL, "evaluate_against=[]", *changes]


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "kuhn"
    run("train", "kuhn", "--out", out, *small("total_decisions=1000", "learning_rate=2e-3"))
    return out


@pytest.fixture
def copy(kuhn, tmp_path):
    return shutil.copytree(kuhn, tmp_path / "copy")


@pytest.mark.parametrize("module", [ppo, sb3])
def test_there_must_be_something_to_resume(module, tmp_path):
    for out in (tmp_path / "none", tmp_path):
        with pytest.raises(ValueError, match="holds no run to resume"):
            module.train(settings(module.KIND), out, resume=True)
    assert not list(tmp_path.iterdir())


def test_a_run_stopped_before_its_first_checkpoint_begins_anew(copy):
    shutil.rmtree(copy / "checkpoint")
    (copy / "policy.safetensors").unlink()
    run("train", "kuhn", "--out", copy, "--resume")
    assert read(copy / "policy.safetensors").step >= 1000


def test_a_run_goes_on_with_its_own_settings_and_may_be_extended(copy):
    before = (copy / "settings.toml").read_text()
    run("train", "kuhn", "--out", copy, "--resume")
    assert (copy / "settings.toml").read_text() == before
    run("train", "kuhn", "--out", copy, "--resume", "--set", "total_decisions=2000")
    assert read(copy / "policy.safetensors").step >= 2000
    longer = load_settings(PPOSettings, "kuhn", copy / "settings.toml")
    assert (longer.total_decisions, longer.learning_rate, longer.games) == (2000, 2e-3, 32)
    told = refused("train", "kuhn", "--out", copy, "--resume", "--set", "total_decisions=1500")
    assert "a run is extended by more of them, not cut to 1,500" in told
    told = refused("train", "kuhn", "--out", copy, "--resume", "--set", "learning_rate=1e-3")
    assert "was made with learning_rate = 0.002, not 0.001" in told


def test_the_default_folder_is_resumed_too(copy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    copy.rename(tmp_path / "kuhn-0")
    (tmp_path / "runs").mkdir()
    (tmp_path / "kuhn-0").rename(tmp_path / "runs" / "kuhn-0")
    run("train", "kuhn", "--resume")
    assert read(tmp_path / "runs/kuhn-0/policy.safetensors").step < 2000


def test_a_run_of_another_algorithm_is_not_resumed(copy):
    told = refused("train", "kuhn", "--out", copy, "--resume", "--algorithm", "sb3")
    assert told.endswith("holds a run of --algorithm ppo")


def test_a_finished_run_of_stable_baselines_is_not_trained_again(tmp_path, monkeypatch):
    out = tmp_path / "run"
    short = settings(SB3Settings, total_decisions=256, checkpoint_every=10_000)
    sb3.train(short, out)
    assert (
        read_card(out / "policy.zip").step == read_card(out / "checkpoint/latest.zip").step == 256
    )
    with monkeypatch.context() as patch:
        patch.setattr(sb3.MaskablePPO, "train", None)
        again = sb3.train(short, out, resume=True)
    assert [row["decisions"] for row in again.curve] == [256]
    longer = settings(SB3Settings, total_decisions=512, checkpoint_every=10_000)
    assert sb3.train(longer, out, resume=True).decisions == 512


def pressed(calls, learn):
    """`learn`, with Ctrl-C pressed in the midst of each call that `calls` names."""
    made = itertools.count(1)

    def learn_on(*args, **kwargs):
        if next(made) in calls:
            os.kill(os.getpid(), signal.SIGINT)
        return learn(*args, **kwargs)

    return learn_on


def test_a_run_that_was_stopped_goes_on_bit_for_bit(ctrl_c, tmp_path, monkeypatch, capsys):
    whole = settings(checkpoint_every=10_000)
    ppo.train(whole, tmp_path / "whole")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ppo.Learner, "learn", pressed({3}, ppo.Learner.learn))
        ppo.train(whole, tmp_path / "parts")
    told = capsys.readouterr().err
    assert "stopping after this update" in told and "--resume goes on from it" in told
    assert not (tmp_path / "parts/policy.safetensors").exists()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    ppo.train(whole, tmp_path / "parts", resume=True)
    weights = [(tmp_path / name / "policy.safetensors").read_bytes() for name in ("whole", "parts")]
    assert weights[0] == weights[1]


def test_a_second_ctrl_c_stops_at_once(ctrl_c, tmp_path, monkeypatch, capsys):
    def twice(self):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)

    monkeypatch.setattr(ppo.Learner, "learn", twice)
    with pytest.raises(KeyboardInterrupt):
        ppo.train(settings(), tmp_path / "run")
    assert not (tmp_path / "run/checkpoint").exists()
    monkeypatch.undo()
    ppo.train(settings(), tmp_path / "run", resume=True)
    assert "there is no checkpoint yet: beginning anew" in capsys.readouterr().err


def test_stable_baselines_stops_with_a_checkpoint_too(ctrl_c, tmp_path, monkeypatch):
    long = settings(SB3Settings, total_decisions=2048, checkpoint_every=10_000)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(sb3.MaskablePPO, "train", pressed({2}, sb3.MaskablePPO.train))
        sb3.train(long, tmp_path)
    assert read_card(tmp_path / "checkpoint/latest.zip").step == 512
    assert sb3.train(long, tmp_path, resume=True).decisions == 2048


def test_all_settings_are_shown_and_nothing_is_trained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, more in ((PPOSettings, ()), (SB3Settings, ("--algorithm", "sb3"))):
        text = run("train", "kuhn", "--show", *more, "--set", "seed=31").stdout
        assert "31" in text
        for name in kind.__struct_fields__:
            assert f"\n {name} " in text
    assert not list(tmp_path.iterdir())


def test_the_gang_reads_its_cards_and_does_without_strength(tmp_path):
    """Its file of settings leaves parts out, so that what options add is read."""
    for option, part, there in (
        ("mode=advanced", "challenges", True),
        ("features=raw", "percentile", False),
        ("features=strength", "percentile", True),
    ):
        chosen = load_settings(PPOSettings, "the_gang", changes=[option])
        parts = ppo.read_parts(chosen, chosen.make_game())
        assert (part in parts) == there
        assert "vaults" not in parts and "hole" in parts


def test_parts_and_what_is_left_out():
    game = KUHN
    every = tuple(part.name for part in game.facts.parts)
    assert ppo.read_parts(settings(), game) == every
    assert ppo.read_parts(settings(without=["seat"]), game) == ("card", "history")
    assert ppo.read_parts(settings(parts=["history", "card"], without=["hat"]), game) == every[1:]
    for wrong, sentence in ((every, "leaves out all"), (("hat",), "there is no part 'hat'")):
        with pytest.raises(ValueError, match=sentence):
            ppo.read_parts(settings(without=wrong), game)


def test_a_run_is_an_agent(kuhn, tmp_path):
    agent = load(str(kuhn), KUHN)
    assert agent.name == "kuhn"
    assert "kuhn" in run("evaluate", "kuhn", "--agents", kuhn, "--games", "10").stdout
    with pytest.raises(ValueError, match="holds no trained policy"):
        load(str(tmp_path), KUHN)
