"""Training by RLlib: what is exported plays alike, and what is lost is made good."""

import re
import shutil
import signal
import subprocess
import sys
from itertools import count

import numpy as np
import pytest
import ray
import torch
from ray.cluster_utils import Cluster

from backroom.agents import load
from backroom.agents.neural import cells, save
from backroom.agents.pretrained import pretrained
from backroom.envs import Batch, configure
from backroom.evaluate.ray_clusters import loopback
from backroom.train import rllib, rllib_cluster
from backroom.train.checkpoints import read_tensors, write_tensors
from backroom.train.ppo import read_parts
from backroom.train.rllib_algorithm import config_of
from backroom.train.rllib_module import MASK, SEEN, from_module, policies_of, policy_names
from backroom.train.rllib_runner import terms
from backroom.train.runs import Run
from backroom.train.settings import RLlibSettings, convert, to_toml

CHECKPOINT, *WEIGHTS = rllib.FILES
PPO_1 = pretrained(configure("kuhn"))["ppo-1"]


def settings(**changes):
    plain = {
        "game": {"name": "kuhn"},
        "games": 32,
        "moves": 8,
        "layers": [16],
        "minibatch": 64,
        "threads": 1,
        "runners": 0,
        "total_decisions": 2000,
        "evaluate_every": 500,
        "evaluate_games": 20,
        "checkpoint_every": 500,
    }
    return convert(RLlibSettings, {**plain, **changes})


LEAGUE = {
    "policies": "separate",
    "opponents": {"self": 1.0, "past": 1.0, "random": 1.0},
    "past_every": 300,
    "past_size": 2,
}


@pytest.fixture(scope="module")
def here():
    """A Ray of this machine alone, for all trainings that ask for no other."""
    with rllib.on_ray(settings(runners=2), None):
        yield


@pytest.mark.parametrize("policies", ["shared", "separate"])
def test_what_is_exported_plays_as_the_module(policies, tmp_path):
    game = configure("cockroach_poker", num_players=3, cards_per_player=4)
    chosen = settings(
        game={"name": game.name, **game.settings()}, policies=policies, without=["games_left"]
    )
    names = policy_names(chosen, game)
    modules = config_of(chosen, game).rl_module_spec.build()
    weights = {name: from_module(modules[name].get_state()) for name in names}
    for name, policy in policies_of(chosen, game, weights, 7).items():
        save(tmp_path / f"{name}.safetensors", policy)
    agent = load(str(tmp_path), game)
    batch = Batch(game, 200, 1, 3)
    seen = 0
    for _ in range(12):
        observations, masks = batch.observations.copy(), batch.masks.copy()
        players = batch.players.astype(np.int64)
        told = agent.probabilities(observations, masks, players)
        assert (told[~masks] == 0).all()
        for seat in range(game.players):
            rows = np.flatnonzero(players == seat)
            module = modules[names[seat if len(names) > 1 else 0]]
            inputs = observations[rows][:, cells(game, read_parts(chosen, game))]
            shown = {SEEN: torch.from_numpy(inputs), MASK: torch.from_numpy(masks[rows])}
            logits = module.forward_exploration({"obs": shown})["action_dist_inputs"]
            np.testing.assert_allclose(told[rows], logits.softmax(1).detach(), atol=1e-6)
            seen += len(rows)
        batch.step(agent.act(observations, masks, players))
    assert seen == 12 * 200


def test_a_run_with_a_league_and_a_policy_a_seat(here, tmp_path):
    result = rllib.train(settings(**LEAGUE), tmp_path)
    assert result.weights == tmp_path and 2000 <= result.decisions < 2000 + 32 * 8
    assert load(str(tmp_path), "kuhn").name == tmp_path.name
    assert load(str(tmp_path / "policy-1.safetensors"), "kuhn").name == f"{tmp_path.name}-1"
    assert [row["decisions"] // 500 for row in result.curve] == [1, 2, 3, 4]
    arrays, header = read_tensors(tmp_path / CHECKPOINT)
    assert header["decisions"] == result.decisions and header["past_count"] == 6
    kept = {name.split(".")[1] for name in arrays if name.startswith("past.")}
    assert kept == {"0", "1"} and len(header["past"]) == 2
    for seat in (0, 1):
        bias = load(str(tmp_path), "kuhn").agents[seat].policy.weights["policy.bias"]
        np.testing.assert_array_equal(bias, arrays[f"network.policy-{seat}.policy.bias"])


def test_a_run_repeats_and_runners_deal_other_games(here, tmp_path):
    found = []
    for number, runners in enumerate((0, 0, 2)):
        chosen = settings(total_decisions=500, runners=runners)
        path = rllib.train(chosen, tmp_path / str(number)).weights
        found.append(load(str(path), "kuhn").policy.weights["policy.weight"])
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0] != found[2]).any()


def test_learners_share_the_steps(here, tmp_path):
    for total in (300, 600):
        chosen = settings(**LEAGUE, learners=2, total_decisions=total)
        result = rllib.train(chosen, tmp_path, resume=total > 300)
    assert 600 <= result.decisions < 600 + 32 * 8
    arrays, header = read_tensors(tmp_path / CHECKPOINT)
    assert header["updates"] > 1
    assert all(np.isfinite(array).all() for array in arrays.values())


class StopError(Exception):
    pass


def stopped_after(updates, monkeypatch):
    """In place of a kill: the training stops, with whatever is on the disk."""
    numbers = count(1)

    def tell(run, decisions):
        if next(numbers) == updates:
            raise StopError

    monkeypatch.setattr(Run, "tell", tell)


def test_a_stopped_run_goes_on_and_can_be_extended(here, tmp_path, monkeypatch):
    chosen = settings(**LEAGUE)
    with monkeypatch.context() as patch, pytest.raises(StopError):
        stopped_after(8, patch)
        rllib.train(chosen, tmp_path)
    before = read_tensors(tmp_path / CHECKPOINT)
    learner, run = rllib.Learner(chosen, print), Run(tmp_path, chosen, "again")
    learner.restore(tmp_path / CHECKPOINT, run)
    learner.save(tmp_path / "again.safetensors", run)
    learner.algorithm.stop()
    after = read_tensors(tmp_path / "again.safetensors")
    assert before[0].keys() == after[0].keys()
    assert any(name.endswith("exp_avg_sq") for name in before[0])
    for name, array in before[0].items():
        np.testing.assert_array_equal(array, after[0][name], err_msg=name)
    assert before[1]["updates"] == after[1]["updates"] > 0
    with pytest.raises(ValueError, match="holds a run already"):
        rllib.train(chosen, tmp_path)
    with pytest.raises(ValueError, match="was made with policies = separate"):
        rllib.train(settings(**{**LEAGUE, "policies": "shared"}), tmp_path, resume=True)
    result = rllib.train(settings(**LEAGUE, total_decisions=2500), tmp_path, resume=True)
    assert 2500 <= result.decisions < 2500 + 32 * 8
    points = [row["decisions"] for row in result.curve]
    assert points == sorted(set(points)) and [p // 500 for p in points] == [1, 2, 3, 4, 5]


def test_damaged_checkpoints_are_refused_in_a_sentence(here, tmp_path):
    chosen = settings(total_decisions=500)
    rllib.train(chosen, tmp_path)
    path = tmp_path / CHECKPOINT
    arrays, header = read_tensors(path)
    for gone in ("network.policy.hidden.0.bias", "optimizer.policy.policy.bias.exp_avg"):
        write_tensors(path, {k: v for k, v in arrays.items() if k != gone}, header)
        with pytest.raises(ValueError, match="is no checkpoint of this training"):
            rllib.train(chosen, tmp_path, resume=True)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="is no readable checkpoint"):
        rllib.train(chosen, tmp_path, resume=True)


def test_settings_that_do_not_fit_are_refused_before_ray_is_begun(tmp_path):
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        rllib.train(settings(opponents={"nobody": 1.0}), tmp_path)
    if ray.is_initialized():
        ray.shutdown()
    with pytest.raises(ConnectionError, match=r"no Ray cluster answers at 127\.0\.0\.1:9"):
        rllib.train(settings(), tmp_path, address="127.0.0.1:9")


@pytest.fixture
def two_nodes(monkeypatch):
    """A head and a worker with a core each, on loopback; the worker can be killed."""
    if ray.is_initialized():
        ray.shutdown()
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    with loopback():
        cluster = Cluster()
        node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False}
        node["object_store_memory"] = 100 * 2**20
        haste = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000}
        cluster.add_node(**node, _system_config=haste)
        cluster.worker = cluster.add_node(**node)
        cluster.like = node
        cluster.wait_for_nodes()
        yield cluster
        ray.shutdown()
        cluster.shutdown()


def test_a_node_dies_and_the_run_ends_with_its_budget(two_nodes, tmp_path, monkeypatch):
    said, tell, updates = [], Run.tell, count(1)

    def kill_once(run, decisions):
        tell(run, decisions)
        if next(updates) == 4:
            two_nodes.remove_node(two_nodes.worker, allow_graceful=False)

    monkeypatch.setattr(Run, "tell", kill_once)
    monkeypatch.setattr(Run, "say", lambda run, text: said.append(text))
    # An agent from a file that is nowhere but here, in a folder that no runner begins in.
    shutil.copy(PPO_1, tmp_path / "friend.safetensors")
    monkeypatch.chdir(tmp_path)
    opponents = {"self": 1.0, "friend.safetensors": 1.0}
    chosen = settings(runners=2, total_decisions=4000, opponents=opponents)
    result = rllib.train(chosen, tmp_path, address=two_nodes.address)
    assert "1 of 2 runners play" in said and "0 of 2 runners play" not in said
    assert 4000 <= result.decisions < 4000 + 32 * 8
    assert [row["decisions"] // 500 for row in result.curve] == list(range(1, 9))
    assert load(str(tmp_path), "kuhn").policy.step == result.decisions
    assert read_tensors(tmp_path / CHECKPOINT)[1]["decisions"] == result.decisions
    two_nodes.add_node(**two_nodes.like)
    two_nodes.wait_for_nodes()
    for many, told in (
        ({"runners": 9}, "2 cores on 2 machines, too few for 9 runners and 0 learners of 1"),
        ({"cores": 2}, "2 cores on 2 machines, too few for 1 runners and 0 learners of 2"),
    ):
        with pytest.raises(ValueError, match=told):
            rllib.train(
                settings(**{"runners": 1, **many}), tmp_path / "x", address=two_nodes.address
            )
    old = {**terms(settings()), "suite": "of last year"}
    monkeypatch.setattr(rllib_cluster, "terms", lambda settings: old)
    with pytest.raises(ValueError, match="has another version of backroom than this one"):
        rllib.train(settings(), tmp_path / "other", address=two_nodes.address)


LEARNING = {"evaluate_against": [], "total_decisions": 4000}
EVERY = 500
UPDATE = 32 * 8


def went_on(folder, chosen, address=None):
    """Resume a run that has failed, and look at what it leaves: no point is lost or doubled."""
    at = read_tensors(folder / CHECKPOINT)[1]["decisions"]
    result = rllib.train(chosen, folder, resume=True, address=address)
    points = [int(row["decisions"]) for row in result.curve]
    assert [point // EVERY for point in points] == list(range(1, 9))
    assert 4000 <= result.decisions < 4000 + UPDATE
    assert load(str(folder), "kuhn").policy.step == result.decisions
    left = {path.relative_to(folder).parts[0] for path in folder.rglob("*") if path.is_file()}
    assert left == {
        *("settings.toml", "curve.csv", "curve.png", "tensorboard", "checkpoint", *WEIGHTS[:1])
    }
    return at


def test_a_node_of_a_learner_dies_and_the_run_can_be_resumed(two_nodes, tmp_path, monkeypatch):
    """Two learners, one a node, since each has one core; the other one is left without its mate."""
    reached, tell = [], Run.tell

    def kill_once(run, decisions):
        tell(run, decisions)
        reached.append(decisions)
        if len(reached) == 6:
            two_nodes.remove_node(two_nodes.worker, allow_graceful=False)

    chosen = settings(learners=2, **LEARNING)
    with monkeypatch.context() as patch, pytest.raises(ConnectionError) as raised:
        patch.setattr(Run, "tell", kill_once)
        rllib.train(chosen, tmp_path, address=two_nodes.address)
    assert re.fullmatch(
        r"[12] of 2 learners are lost, with their machine or alone; "
        "--resume goes on from the last checkpoint",
        str(raised.value),
    )
    assert not ray.is_initialized()
    alone = settings(learners=1, **LEARNING)  # on what is left
    assert went_on(tmp_path, alone, two_nodes.address) > reached[-1] - EVERY - UPDATE


def test_a_driver_that_is_killed_leaves_nothing_running(two_nodes, tmp_path):
    """And a run that goes on from its last checkpoint."""
    chosen = settings(runners=1, learners=1, **LEARNING)
    out, config = tmp_path / "a run", tmp_path / "settings.toml"  # a blank in the path
    config.write_text(to_toml(chosen))
    command = [sys.executable, "-m", "backroom.train", "train", "kuhn", "--algorithm", "rllib"]
    command += ["--config", str(config), "--out", str(out), "--address", two_nodes.address]
    driver = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    said = []
    for line in driver.stderr:  # until the second evaluation: then a checkpoint is written
        said.append(line)
        if "decisions:" in line and sum("decisions:" in one for one in said) == 2:
            break
    driver.kill()
    assert driver.wait() == -signal.SIGKILL, said
    before = (out / "curve.csv").read_text().splitlines()
    last = int(float(before[-1].split(",")[0]))
    assert not (out / WEIGHTS[0]).exists()
    assert went_on(out, chosen, two_nodes.address) > last - EVERY - UPDATE


def test_a_full_cluster_is_waited_for_in_words(two_nodes, tmp_path, monkeypatch):
    """Until who has taken the cores leaves them."""
    ray.init(two_nodes.address, log_to_driver=False, configure_logging=False)
    taken = [Taker.options(num_cpus=1).remote() for _ in range(2)]
    ray.get([taker.there.remote() for taker in taken])
    said = []

    def say(run, text):
        said.append(text)
        if text.startswith("waiting"):
            for taker in taken:
                ray.kill(taker)

    monkeypatch.setattr(Run, "say", say)
    rllib.train(settings(runners=1, total_decisions=300), tmp_path, address=two_nodes.address)
    assert said[0] == "waiting for 1 free cores of the Ray cluster, of which 0 are free now"


@ray.remote
class Taker:
    def there(self):
        return True
