"""Matches on two nodes, one of which dies."""

import os
import pickle
import signal
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from players import KUHN, Named, bettor

from backroom.agents import RandomAgent, load
from backroom.agents.neural import NeuralAgent
from backroom.agents.pretrained import pretrained
from backroom.envs import configure
from backroom.evaluate import match, ray_executor
from backroom.evaluate.crossplay import cross_play
from backroom.evaluate.executors import opened
from backroom.evaluate.match import play_match
from backroom.evaluate.report import report


class Stuck(RandomAgent):
    """Random play, which on a node that is doomed ends no block."""

    name = "stuck"

    def __init__(self, game, doomed):
        super().__init__(game)
        self.doomed, self.home = doomed, os.getpid()

    def seed(self, seed):
        super().seed(seed)
        if os.getpid() != self.home:
            self.doomed.begin()


class Fails(RandomAgent):
    """In the second block."""

    name = "fails"

    def act(self, observations, masks, players):
        if len(masks) < 4:
            raise KeyError("nothing\nhere")
        return super().act(observations, masks, players)


class Cheats(RandomAgent):
    name = "cheats"

    def act(self, observations, masks, players):
        return np.full(len(masks), 7)


class Dies(RandomAgent):
    name = "dies"

    def act(self, observations, masks, players):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_node_dies_in_a_match(two_nodes, tmp_path, monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 4)
    with two_nodes.dying(tmp_path) as doomed:
        play = partial(play_match, KUHN, [Stuck(KUHN, doomed)], 40, 3, keep=True, think=True)
        usual = play()
        with opened("ray", address=two_nodes.address) as executor:
            played = play(executor=executor)
    assert doomed.begun() > 10
    assert list(played.records()) == list(usual.records())
    assert report(played) == report(usual)


def test_a_node_dies_in_cross_play(two_nodes, tmp_path, monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 4)
    with two_nodes.dying(tmp_path) as doomed:
        play = partial(cross_play, KUHN, [Stuck(KUHN, doomed), bettor()], 32, 3)
        usual = play()
        with opened("ray", address=two_nodes.address) as executor:
            played = play(executor=executor)
    assert doomed.begun() > 4 + 2 * 8
    assert played.earned.tolist() == usual.earned.tolist()
    assert played.plain() == usual.plain()


@pytest.fixture(scope="module")
def players():
    """An agent of each kind: PyTorch, a file, a script, a class that is installed nowhere."""
    game = configure("cockroach_poker", num_players=3)
    file = pretrained(game)["ppo-1"]
    torch = NeuralAgent.from_file(game, file, backend="torch")
    torch.name = "torch"
    return game, [[torch, str(file), "counting"], [Named(game, "mine"), torch]]


def test_all_ways_give_the_same(two_nodes, players, monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 24)
    game, tables = players
    usual = [play_match(game, table, 60, 8, keep=True, think=True) for table in tables]
    for way, address in (("process", None), ("ray", two_nodes.address)):
        with opened(way, None if address else 2, address) as executor:
            for table, expected in zip(tables, usual, strict=True):
                played = play_match(game, table, 60, 8, keep=True, think=True, executor=executor)
                assert played.played.returns.tobytes() == expected.played.returns.tobytes()
                assert list(played.records()) == list(expected.records())
                assert report(played) == report(expected)


def test_errors_are_the_same_sentence(two_nodes, monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 4)
    for agent, sentence in (
        (Fails(KUHN), r"^agent 'fails' failed: KeyError: 'nothing\\nhere'$"),
        (Cheats(KUHN), r"^agent 'cheats' as player_0 chose 7 of \[0, 1\]$"),
    ):
        with pytest.raises(ValueError, match=sentence):
            play_match(KUHN, [agent], 7)
        with opened("ray", address=two_nodes.address) as executor:
            with pytest.raises(ValueError, match=sentence):
                play_match(KUHN, [agent], 7, executor=executor)
            assert play_match(KUHN, ["random"], 7, executor=executor).games == 7
        with opened("process", 1) as executor, pytest.raises(ValueError, match=sentence):
            play_match(KUHN, [agent], 7, executor=executor)


def test_who_kills_its_process_is_not_retried_forever(two_nodes, monkeypatch):
    monkeypatch.setattr(ray_executor, "RETRIES", 1)
    with (
        opened("ray", address=two_nodes.address) as executor,
        pytest.raises(ConnectionError, match=r"^the Ray cluster failed: .*died"),
    ):
        play_match(KUHN, [Dies(KUHN)], 4, executor=executor)


def test_a_cluster_that_one_works_with_is_left_alone(two_nodes):
    import ray

    ray.init(two_nodes.address, log_to_driver=False, configure_logging=False)
    for address in (None, "auto", two_nodes.address):
        with opened("ray", address=address) as executor:
            assert play_match(KUHN, ["random"], 5, executor=executor).games == 5
        assert ray.is_initialized()
    with (
        pytest.raises(ValueError, match="works with another Ray cluster already"),
        opened("ray", address="127.0.0.1:1"),
    ):
        pass


def test_the_address_may_stand_in_the_environment(two_nodes, monkeypatch):
    import ray

    monkeypatch.setenv("RAY_ADDRESS", two_nodes.address)
    with opened("ray") as executor:
        assert ray.get_runtime_context().gcs_address == two_nodes.address
        assert executor.workers == 2
        assert executor.submit(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(ValueError, match="a cluster has the CPUs that it has"), opened("ray", 2):
        pass


def test_a_ray_of_our_own_is_on_loopback_and_ends(capfd):
    """Also: nothing is said, and what Ray does to the process is undone."""
    import ray

    before = signal.getsignal(signal.SIGTERM), dict(os.environ)
    with opened("ray", 1) as executor:
        (node,) = ray.nodes()
        assert node["NodeManagerAddress"] == "127.0.0.1"
        assert executor.workers == 1
        folder = Path(ray._private.worker._global_node.get_session_dir_path()).name
        assert processes(folder)
        assert play_match(KUHN, ["random"], 5, executor=executor).games == 5
    assert not ray.is_initialized()
    deadline = time.monotonic() + 30
    while processes(folder) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not processes(folder)
    assert capfd.readouterr() == ("", "")
    assert (signal.getsignal(signal.SIGTERM), dict(os.environ)) == before


def processes(word):
    """Processes that were started with `word` in their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [path.parent.name] if word.encode() in path.read_bytes() else []
        except OSError:
            continue
    return found


def test_an_agent_that_cannot_be_sent_gets_a_sentence():
    agent = RandomAgent(KUHN)
    agent.lock = threading.Lock()
    with pytest.raises(ValueError, match=r"^an agent cannot be sent .*_thread\.lock.*; the"):
        ray_executor.pickled(agent.act)


def test_code_that_is_installed_nowhere_is_sent_along():
    sent = ray_executor.pickled(Named(KUHN, "mine").act)
    assert b"players" in sent and len(sent) > 500
    names = {module.__name__ for module in ray_executor.loose_modules()}
    assert "players" in names
    assert not names & {"numpy", "json", "backroom.envs", "ray", "pytest"}
    agent = load("ppo-1", KUHN)
    assert len(ray_executor.pickled(agent.act)) < 1.5 * len(pickle.dumps(agent))
