"""Sweeps over seeds: in stretches, stopped and gone on with, summed up."""

import csv
import hashlib
import json
import os
from concurrent.futures import Executor

import numpy as np
import pytest
from command import refused, run
from learning import settings

from backroom.agents import load
from backroom.evaluate.executors import Here, opened
from backroom.evaluate.statistics import mean
from backroom.train import checkpoints, ppo, runs
from backroom.train.settings import SB3Settings
from backroom.train.sweep import named_weights, sweep, swept
from backroom.train.sweep_report import mean_curve

CHOSEN = settings(opponents={"self": 0.4, "past": 0.3, "random": 0.3}, past_every=300, average=0.9)
SMALL = (
    "games=32 moves=8 layers=[16] minibatch=64 evaluate_every=1000 evaluate_games=20 "
    "checkpoint_every=500 total_decisions=1000"
).split()


def curve_of(folder):
    with (folder / "curve.csv").open(encoding="utf-8") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A sweep in this thread, and its folder."""
    out = tmp_path_factory.mktemp("sweeps") / "whole"
    return sweep(CHOSEN, [2, 5], out), out


def test_a_run_in_stretches_is_the_run(whole, tmp_path):
    """What a training in one go leaves: weights, curve, memory of the optimiser, open games."""
    summary, out = whole
    ppo.train(settings(**{**kept(), "seed": 5}), tmp_path / "run")
    one, other = out / "seed-5", tmp_path / "run"
    weights = (one / "policy.safetensors").read_bytes()
    assert weights == (other / "policy.safetensors").read_bytes()
    assert summary.weights[5] == hashlib.sha256(weights).hexdigest()
    assert curve_of(one) == curve_of(other)
    first, second = (
        checkpoints.read_tensors(folder / "checkpoint/latest.safetensors")[0]
        for folder in (one, other)
    )
    assert {k: a.tobytes() for k, a in first.items()} == {k: a.tobytes() for k, a in second.items()}
    assert len(list((one / "tensorboard").glob("events*"))) > 2
    assert (one / "curve.png").exists() and (one / "settings.toml").exists()


def kept():
    return {name: getattr(CHOSEN, name) for name in ("opponents", "past_every", "average")}


def test_a_training_stops_where_it_is_told(tmp_path):
    result = ppo.train(CHOSEN, tmp_path, until=700)
    assert 700 <= result.decisions < 1000
    assert not result.weights.exists() and result.curve == []
    header = checkpoints.read_tensors(tmp_path / "checkpoint/latest.safetensors")[1]
    assert header["decisions"] == result.decisions
    rate = CHOSEN.learning_rate * (1 - result.decisions / CHOSEN.total_decisions)
    learner = ppo.Learner(CHOSEN)
    learner.restore(tmp_path / "checkpoint/latest.safetensors", runs.Run(tmp_path, CHOSEN, "x"))
    assert learner.learn()["learning_rate"] == pytest.approx(rate), "the schedule is the budget's"


def test_processes_learn_the_same(whole, tmp_path):
    with opened("process", 2) as executor:
        found = sweep(CHOSEN, [2, 5], tmp_path, executor=executor)
    assert found.weights == whole[0].weights
    assert found.plain() == whole[0].plain()


@pytest.mark.parametrize("after", [1, 5])
def test_a_stopped_sweep_goes_on(whole, tmp_path, after):
    told = []

    def stop(seed, decisions):
        told.append(seed)
        if len(told) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(CHOSEN, [2, 5], tmp_path, tell=stop)
    assert swept(tmp_path) == [2, 5] and not (tmp_path / "summary.json").exists()
    with pytest.raises(ValueError, match="holds a sweep already"):
        sweep(CHOSEN, [2, 5], tmp_path)
    found = sweep(CHOSEN, [2, 5], tmp_path, resume=True, tell=lambda *_: told.append(0))
    assert found.weights == whole[0].weights
    assert len(told) == 8, "each of four stretches of two runs, once"
    again = sweep(CHOSEN, [2, 5], tmp_path, resume=True, tell=lambda *_: pytest.fail("trained"))
    assert again == found


def test_a_driver_that_dies_while_it_writes_loses_no_run(whole, tmp_path, monkeypatch):
    """All files of a stretch but the checkpoint are there: the stretch is done again."""
    replace, written = os.replace, []

    def dying(source, target):
        if "latest.safetensors" in str(target) and "seed-2" in str(target):
            written.append(target)
            if len(written) == 3:
                raise SystemExit
        replace(source, target)

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(os, "replace", dying)
        sweep(CHOSEN, [2, 5], tmp_path)
    assert sweep(CHOSEN, [2, 5], tmp_path, resume=True).weights == whole[0].weights


def test_what_is_summed_up(whole):
    summary, out = whole
    told = json.loads((out / "summary.json").read_text())
    assert told == json.loads(json.dumps(summary.plain()))
    assert [entry["seed"] for entry in told["runs"]] == [2, 5]
    assert "seed" not in told["settings"] and told["settings"]["average"] == 0.9
    for name, values in summary.figures.items():
        last = [curve_of(out / f"seed-{seed}")[-1][name] for seed in (2, 5)]
        assert values == [float(value) for value in last]
        assert summary.means[name] == mean(np.array(values))
    assert told["figures"]["exploitability"]["low"] < told["figures"]["exploitability"]["mean"]
    assert (out / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_the_mean_of_curves_is_taken_where_all_are():
    def curve(*points):
        return [{"decisions": x, "a": y} for x, y in points]

    x, y = mean_curve({1: curve((0, 0), (10, 10)), 2: curve((4, 0), (12, 8))}, "a")
    assert (x.tolist(), y.tolist()) == ([4, 10], [2, 8])


def test_agents_in_files_are_sent_along(tmp_path, monkeypatch):
    """Named from the current folder, by file or as a run; other machines do not have them."""
    monkeypatch.chdir(tmp_path)
    short = settings(total_decisions=300, evaluate_against=[])
    ppo.train(short, tmp_path / "runs/old")
    for name in ("runs/old", "runs/old/policy.safetensors"):
        chosen = settings(total_decisions=600, opponents={"self": 0.5, name: 0.5})
        sent = named_weights(chosen)
        assert list(sent) == ["runs/old/policy.safetensors"]
        weights = sweep(chosen, [1], tmp_path / "here" / name).weights
        far = sweep(chosen, [1], tmp_path / "far" / name, executor=Distant(tmp_path))
        assert far.weights == weights
    for name in (str(tmp_path / "runs/old"), "../x/policy.safetensors", "random"):
        assert named_weights(settings(evaluate_against=[name])) == {}


class Distant(Executor):
    """An executor of one's own, where a file of this machine is not to be found."""

    def __init__(self, folder):
        self.folder = folder

    def submit(self, function, /, *args):
        (self.folder / "runs").rename(self.folder / "hidden")
        try:
            return Here().submit(function, *args)
        finally:
            (self.folder / "hidden").rename(self.folder / "runs")


def test_stable_baselines_runs_in_one_go(tmp_path):
    chosen = settings(SB3Settings, total_decisions=512, checkpoint_every=256)
    told = []
    found = sweep(chosen, [1, 2], tmp_path, "sb3", tell=lambda *args: told.append(args))
    assert told == [(1, 512), (2, 512)]
    assert load(str(tmp_path / "seed-2"), chosen.make_game()).name == "seed-2"
    again = sweep(chosen, [1, 2], tmp_path, "sb3", True, tell=lambda *_: pytest.fail("trained"))
    assert again.figures == found.figures


def test_seeds_and_folders_that_make_no_sweep(tmp_path):
    for seeds, told in (([], "not none"), ([1, 1], "not 1 1"), ([-1], "setting seed")):
        with pytest.raises(ValueError, match=told):
            sweep(CHOSEN, seeds, tmp_path)
    with pytest.raises(ValueError, match="holds no sweep to resume"):
        sweep(CHOSEN, [1], tmp_path, resume=True)
    assert not list(tmp_path.iterdir())


def test_the_command(tmp_path):
    out = tmp_path / "sweep"
    shown = run("sweep", "kuhn", "--seeds", 3, 4, "--out", out, "--set", *SMALL)
    assert "exploitability" in shown.stdout and "seed 4" in shown.stdout
    assert "2 runs of 1,000 decisions" in shown.stderr
    assert "threads = 1" in (out / "seed-3/settings.toml").read_text()
    before = json.loads((out / "summary.json").read_text())
    going_on = ["sweep", "kuhn", "--out", out, "--resume", "--json"]
    found = json.loads(run(*going_on, "--seeds", 5).stdout)
    assert [entry["seed"] for entry in found["runs"]] == [3, 4, 5]
    assert found["runs"][:2] == before["runs"]
    more = json.loads(run(*going_on, "--set", "total_decisions=1500").stdout)
    assert all(entry["decisions"] >= 1500 for entry in more["runs"])
    told = refused("sweep", "kuhn", "--out", out, "--set", "seed=3")
    assert told == "the seeds of a sweep are told by --seeds, not by --set"
    assert "holds a sweep already" in refused("sweep", "kuhn", "--out", out, "--seeds", 3)
    assert "no sweep to resume" in refused("sweep", "kuhn", "--out", tmp_path / "x", "--resume")
    assert "there is no game" in refused("sweep", "kuhnn")
