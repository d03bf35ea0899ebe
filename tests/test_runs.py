"""Runs: what they leave, and that killed ones go on."""

import csv
import errno
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
import torch
from learning import KUHN, settings

from backroom.agents import load
from backroom.agents.neural import read
from backroom.evaluate.exploitability import exploitability
from backroom.train import checkpoints, runs
from backroom.train.ppo import Learner, train
from backroom.train.settings import (
    PPOSettings,
    convert,
)
from backroom.train.settings import load as load_settings

MIXED = {
    "opponents": {"self": 0.4, "past": 0.3, "random": 0.3},
    "past_every": 300,
    "past_size": 2,
    "average": 0.9,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nobody interrupted."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    result = train(settings(**MIXED), out)
    assert result.weights == out / "policy.safetensors"
    return out


def curve_of(out):
    with (out / "curve.csv").open(encoding="utf-8") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def assert_same_run(one, other):
    assert (one / "policy.safetensors").read_bytes() == (other / "policy.safetensors").read_bytes()
    assert curve_of(one) == curve_of(other)
    first, second = (
        checkpoints.read_tensors(out / "checkpoint/latest.safetensors") for out in (one, other)
    )
    assert first[0].keys() == second[0].keys()
    for name, array in first[0].items():
        assert array.tobytes() == second[0][name].tobytes(), name


@pytest.mark.parametrize("stop", [1, 4, 7])
def test_an_interrupted_run_goes_on_bit_for_bit(whole, tmp_path, monkeypatch, stop):
    """Stopped in the middle of an update, whatever had been done since the last checkpoint."""
    learn = Learner.learn

    def until(learner):
        if learner.updates == stop:
            learn(learner)
            raise KeyboardInterrupt
        return learn(learner)

    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", until)
        with pytest.raises(KeyboardInterrupt):
            train(settings(**MIXED), tmp_path)
    assert not (tmp_path / "policy.safetensors").exists()
    train(settings(**MIXED), tmp_path, resume=True)
    assert_same_run(whole, tmp_path)


def test_a_killed_process_loses_no_more_than_an_interval(whole, tmp_path):
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from backroom.train.ppo import train\n"
        "from backroom.train.settings import PPOSettings, convert\n"
        "import tomllib\n"
        "plain = tomllib.loads(Path(sys.argv[1]).read_text())\n"
        "train(convert(PPOSettings, plain), Path(sys.argv[2]))\n"
    )
    arguments = [sys.executable, "-c", script, str(whole / "settings.toml"), str(tmp_path)]
    process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    checkpoint = tmp_path / "checkpoint/latest.safetensors"
    end = time.monotonic() + 120
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert checkpoints.read_tensors(checkpoint)[1]["decisions"] >= 500
    train(settings(**MIXED), tmp_path, resume=True)
    assert_same_run(whole, tmp_path)


def test_a_finished_run_that_goes_on_is_left_as_it_is(whole, tmp_path):
    import shutil

    shutil.copytree(whole, tmp_path / "copy")
    result = train(settings(**MIXED), tmp_path / "copy", resume=True)
    assert result.decisions >= 2000
    assert_same_run(whole, tmp_path / "copy")


def test_what_a_run_leaves(whole):
    assert read(whole / "policy.safetensors").step >= 2000
    plain = tomllib.loads((whole / "settings.toml").read_text())
    assert convert(PPOSettings, plain) == settings(**MIXED)
    rows = curve_of(whole)
    assert [int(float(row["decisions"])) // 1000 for row in rows] == [1, 2]
    for row in rows:
        assert float(row["random.return.low"]) <= float(row["random.return"])
        assert 0 < float(row["exploitability"]) < 1
    assert (whole / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((whole / "tensorboard").glob("events*"))
    assert not list(whole.rglob("*.new"))
    agent = load(str(whole / "policy.safetensors"), KUHN)
    assert float(rows[-1]["exploitability"]) == pytest.approx(
        exploitability(KUHN, agent).exploitability, abs=1e-5
    )


def test_tensorboard_shows_what_was_measured(whole):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(whole / "tensorboard"))
    events.Reload()
    tags = events.Tags()["scalars"]
    assert {"train/kl", "train/entropy", "evaluation/exploitability"} <= set(tags)
    points = events.Scalars("evaluation/exploitability")
    rows = curve_of(whole)
    assert [p.step for p in points] == [int(float(row["decisions"])) for row in rows]
    assert [p.value for p in points] == pytest.approx(
        [float(row["exploitability"]) for row in rows]
    )


def test_other_settings_do_not_go_on(whole):
    for changes, name in (({"learning_rate": 0.5}, "learning_rate"), ({"seed": 3}, "seed")):
        with pytest.raises(ValueError, match=f"made with {name} = "):
            train(settings(**MIXED, **changes), whole, resume=True)
    with pytest.raises(ValueError, match="of kuhn_v0, not cockroach_poker"):
        train(settings(game={"name": "cockroach_poker"}), whole, resume=True)
    with pytest.raises(ValueError, match="holds a run already"):
        train(settings(**MIXED), whole)
    assert convert(PPOSettings, tomllib.loads((whole / "settings.toml").read_text())) == settings(
        **MIXED
    )


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "notes").write_text("of mine")
    with pytest.raises(ValueError, match="notes is a file, and a run wants a folder"):
        train(settings(), tmp_path / "notes")


def test_a_damaged_checkpoint_gets_a_sentence(whole, tmp_path):
    checkpoint = tmp_path / "checkpoint/latest.safetensors"
    checkpoint.parent.mkdir()
    good = (whole / "checkpoint/latest.safetensors").read_bytes()
    for bad in (b"", good[:100], good[: len(good) // 2]):
        checkpoint.write_bytes(bad)
        with pytest.raises(ValueError, match="no readable checkpoint"):
            train(settings(**MIXED), tmp_path, resume=True)
    arrays, header = checkpoints.read_tensors(whole / "checkpoint/latest.safetensors")
    for gone in ("games.states", "network.policy.bias", "optimizer.policy.bias.exp_avg"):
        fewer = {k: v for k, v in arrays.items() if k != gone}
        checkpoints.write_tensors(checkpoint, fewer, header)
        with pytest.raises(ValueError, match="no checkpoint of this training"):
            train(settings(**MIXED), tmp_path, resume=True)


def altered(arrays, header):
    """A checkpoint in which one thing is of another kind, has gone, or is of another version."""
    firsts = {name.split(".")[0]: name for name in sorted(arrays)}
    assert set(firsts) == {"average", "games", "network", "optimizer", "past"}
    for name in firsts.values():
        yield {k: v for k, v in arrays.items() if k != name}, header
        for other in (np.stack([arrays[name]] * 2), arrays[name].astype(np.float16)):
            yield {**arrays, name: other}, header
    for changes in (
        *({"updates": None}, {"decisions": -1}, {"seconds": "long"}, {"curve": [None]}),
        *({"past": ["x"]}, {"settings": {}}, {"settings": {"game": {"name": "kuhn"}, "hat": 1}}),
        *({"record": header["record"][:-1]}, {"record": None}),
    ):
        yield arrays, {**header, **changes}
    for name in header:
        yield arrays, {k: v for k, v in header.items() if k != name}


def test_an_altered_checkpoint_gets_one_sentence_with_its_name(whole, tmp_path):
    """Also one that another version of the game has written, whose records look otherwise."""
    path, run = tmp_path / "x.safetensors", runs.Run(tmp_path, settings(**MIXED), "again")
    good = checkpoints.read_tensors(whole / "checkpoint/latest.safetensors")
    for bad in altered(*good):
        checkpoints.write_tensors(path, *bad)
        with pytest.raises(ValueError, match=rf"^{path} (is no checkpoint|was made with) [^\n]+$"):
            Learner(settings(**MIXED)).restore(path, run)
    checkpoints.write_tensors(path, *good)
    Learner(settings(**MIXED)).restore(path, run)


def test_a_file_is_the_old_one_or_the_new_one(tmp_path):
    path = tmp_path / "x"
    runs.write_atomically(path, lambda new: new.write_text("old"))

    def fail(new):
        new.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        runs.write_atomically(path, fail)
    assert path.read_text() == "old"


def test_a_full_disk_leaves_the_last_checkpoint_and_curve(whole, tmp_path, monkeypatch):
    path = tmp_path / "latest.safetensors"
    arrays, header = checkpoints.read_tensors(whole / "checkpoint/latest.safetensors")
    checkpoints.write_tensors(path, arrays, header)
    run = runs.Run(tmp_path, settings(**MIXED), "full")
    run.curve = [dict.fromkeys(("decisions", "seconds"), 1.0)]
    (tmp_path / "curve.csv").write_text("the last one")
    before = path.read_bytes()

    def torn(file, data):
        with file.open("wb") as half:
            half.write(data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "no space left")

    def short(writer, rows):
        writer.writerow(rows[0])
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(Path, "write_bytes", torn)
    monkeypatch.setattr(csv.DictWriter, "writerows", short)
    with pytest.raises(OSError, match="no space"):
        checkpoints.write_tensors(path, arrays, header)
    with pytest.raises(OSError, match="no space"):
        run.point(2, {})
    assert path.read_bytes() == before and (tmp_path / "curve.csv").read_text() == "the last one"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["curve.csv", path.name]


def test_global_generators_are_left_alone(tmp_path):
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002
    threads = torch.get_num_threads()
    train(settings(total_decisions=300), tmp_path)
    assert (torch.get_rng_state() == before[0]).all()
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002
    assert torch.get_num_threads() == threads


def test_progress_is_plain_lines_where_there_is_no_terminal(tmp_path, capsys):
    chosen = ["total_decisions=300", "games=32", "moves=8"]
    train(load_settings(PPOSettings, "kuhn", None, chosen), tmp_path / "x")
    said = capsys.readouterr().err
    assert "decisions in" in said
    assert "policy.safetensors" in said
    assert "\x1b" not in said


def test_one_seed_gives_one_result_and_another_another(whole, tmp_path):
    train(settings(**MIXED), tmp_path / "same")
    train(settings(**MIXED, seed=1), tmp_path / "other")
    assert_same_run(whole, tmp_path / "same")
    same, other = (read(out / "policy.safetensors").weights for out in (whole, tmp_path / "other"))
    assert (same["policy.weight"] != other["policy.weight"]).any()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_kuhn_is_learned(tmp_path, seed):
    """Self-play comes close to an equilibrium: uniform play can be exploited by 0.458."""
    chosen = load_settings(PPOSettings, "kuhn", None, [f"seed={seed}", "evaluate_games=100"])
    result = train(chosen, tmp_path / "run")
    agent = load(str(result.weights), KUHN)
    assert exploitability(KUHN, agent).exploitability < 0.05


@pytest.mark.parametrize(
    ("most", "told"),
    [
        (999, (1.0, "decisions")),
        (1000, (1e3, "thousand decisions")),
        (2.5e6, (1e6, "million decisions")),
    ],
)
def test_axes_of_short_runs_are_readable(most, told):
    assert runs.unit(most) == told
