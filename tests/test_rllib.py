"""What of training by RLlib needs no Ray; the rest is in `tests/frameworks`."""

import json
import sys

import numpy as np
import pytest
from command import refused, run
from learning import KUHN, settings

from backroom.agents import load
from backroom.agents.neural import save
from backroom.agents.seats import PATTERN
from backroom.envs import configure, make_batch
from backroom.evaluate.exploitability import exploitability
from backroom.train.ppo import Learner
from backroom.train.runs import FILES_OF
from backroom.train.settings import PPOSettings, RLlibSettings, convert
from backroom.train.settings import load as load_settings


def test_the_settings_are_those_of_ppo_and_four_more():
    ours, theirs = load_settings(PPOSettings, "the_gang"), load_settings(RLlibSettings, "the_gang")
    for name in PPOSettings.__struct_fields__:
        assert getattr(ours, name) == getattr(theirs, name)
    more = set(RLlibSettings.__struct_fields__) - set(PPOSettings.__struct_fields__)
    assert more == {"policies", "runners", "learners", "cores"}


@pytest.mark.parametrize("change", [{"policies": "both"}, {"runners": -1}, {"cores": 0}])
def test_bad_values_are_named(change):
    with pytest.raises(ValueError, match=f"setting {next(iter(change))}"):
        convert(RLlibSettings, {"game": {"name": "kuhn"}, **change})


@pytest.mark.parametrize("algorithm", ["ppo", "sb3"])
def test_an_address_is_for_rllib(algorithm, tmp_path):
    told = refused(
        *("train", "kuhn", "--algorithm", algorithm, "--address", "auto", "--out", tmp_path / "a")
    )
    assert f"--address is for --algorithm rllib: {algorithm} trains on this machine alone" in told
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("algorithm", FILES_OF)
def test_settings_are_shown_without_what_trains(algorithm, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(f"backroom.train.{algorithm}")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, f"backroom.train.{algorithm}", None)
    assert "total_decisions" in run("train", "kuhn", "--algorithm", algorithm, "--show").stdout


def test_without_ray_the_extra_is_named(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.startswith("backroom.train.rllib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ray", None)
    told = refused("train", "kuhn", "--algorithm", "rllib", "--out", tmp_path / "a")
    assert "training needs RLlib: install the extra, pip install 'backroom[rllib]'" in told


def test_runs_of_different_ways_do_not_share_a_folder(tmp_path):
    checkpoint = tmp_path / FILES_OF["rllib"][0]
    checkpoint.parent.mkdir()
    checkpoint.touch()
    (tmp_path / "settings.toml").write_text('[game]\nname = "kuhn"\n')
    assert "holds a run already" in refused("train", "kuhn", "--out", tmp_path)
    told = refused("train", "kuhn", "--out", tmp_path, "--resume")
    assert "holds a run of --algorithm rllib" in told


@pytest.fixture
def seats(tmp_path):
    """A folder with a policy for each of two seats, both drawn by chance, and different."""
    folder = tmp_path / "run"
    folder.mkdir()
    for seat in range(2):
        save(folder / PATTERN.format(seat=seat), Learner(settings(seed=seat)).policy())
    return folder


def test_each_seat_plays_its_own_policy(seats):
    agent = load(str(seats), KUHN)
    assert agent.name == "run"
    batch = make_batch("kuhn", 300, seed=3)
    batch.step(batch.masks.argmax(axis=1))
    players = np.arange(300) % 2
    shares = agent.probabilities(batch.observations, batch.masks, players)
    for seat in range(2):
        alone = load(str(seats / f"policy-{seat}.safetensors"), KUHN)
        assert alone.name == f"run-{seat}"
        rows = players == seat
        own = alone.probabilities(batch.observations, batch.masks, players)
        np.testing.assert_array_equal(shares[rows], own[rows])
        assert (shares[~rows] != own[~rows]).any()
    actions = agent.act(batch.observations, batch.masks, players)
    assert batch.masks[np.arange(300), actions].all()
    assert exploitability(KUHN, agent).exploitability > 0


def test_the_folder_is_an_agent_of_the_command_too(seats):
    record = seats.parent / "games.jsonl"
    played = ("--games", "10", "--record", record, "--json")
    told = json.loads(run("evaluate", "kuhn", "--agents", seats, "random", *played).stdout)
    assert [agent["name"] for agent in told["agents"]] == [str(seats), "random"]
    run("verify", record)


def test_a_game_with_other_seats_is_refused_in_a_sentence(seats):
    (seats / "policy-1.safetensors").unlink()
    with pytest.raises(
        ValueError, match="holds a policy for each of 1 seats, and kuhn is played by 2"
    ):
        load(str(seats), KUHN)
    three = configure("cockroach_poker", num_players=3)
    with pytest.raises(ValueError, match=r"name one of the files, such as .*policy-0\.safetensors"):
        load(str(seats), three)
