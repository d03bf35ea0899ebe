"""Who does the work: processes, errors, what is taken back; tests/cluster has Ray."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from multiprocessing import connection
from pathlib import Path

import pytest
from command import PLAIN, refused, run
from players import KUHN, named

from backroom.agents import RandomAgent
from backroom.evaluate import match, ray_clusters, ray_executor
from backroom.evaluate.crossplay import cross_play
from backroom.evaluate.executors import Here, Processes, in_order, opened
from backroom.evaluate.match import play_match


class Dies(RandomAgent):
    name = "dies"

    def act(self, observations, masks, players):
        os._exit(3)


class Lazy(Future):
    """What came of a number: nothing before it is asked for, and of 7 an error."""

    def __init__(self, pool, number):
        super().__init__()
        self.pool, self.number = pool, number

    def result(self, timeout=None):
        self.pool.open.remove(self)
        if self.number == 7:
            raise ValueError("seven")
        return self.number


class Recorded:
    """Stands for a pool, and knows what is begun and not asked for."""

    def __init__(self):
        self.open = []
        self.most = 0

    def submit(self, number):
        self.open.append(Lazy(self, number))
        self.most = max(self.most, len(self.open))
        return self.open[-1]


def test_results_come_in_order_and_few_are_begun():
    pool = Recorded()
    assert list(in_order(pool.submit, ((k,) for k in range(6)), 3)) == list(range(6))
    assert pool.most == 3
    assert list(in_order(pool.submit, [], 3)) == []


def test_what_is_not_needed_is_taken_back():
    for stop in (lambda results: next(results), list):
        pool = Recorded()
        results = in_order(pool.submit, ((k,) for k in range(5, 20)), 4)
        if stop is list:
            with pytest.raises(ValueError, match="seven"):
                stop(results)
        else:
            stop(results)
            results.close()
        assert pool.open and all(future.cancelled() for future in pool.open)


def test_here():
    with opened("local") as executor:
        assert executor is None
    own = Here()
    with opened(own) as executor:
        assert executor is own
    assert own.submit(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(ZeroDivisionError):
        own.submit(divmod, 7, 0)


def test_processes_play_the_same_records(monkeypatch):
    """Several blocks from different processes, as game states that know their names."""
    monkeypatch.setattr(match, "BLOCK", 6)
    agents = named(KUHN, "a", "b")
    usual = play_match(KUHN, agents, 20, 9, keep=True, think=True)
    with opened("process", 2) as executor:
        assert isinstance(executor, Processes)
        played = play_match(KUHN, agents, 20, 9, keep=True, think=True, executor=executor)
        assert list(played.records()) == list(usual.records())
        crossed = cross_play(KUHN, agents, 12, 9, executor=executor)
    assert crossed.earned.tolist() == cross_play(KUHN, agents, 12, 9).earned.tolist()


def test_an_agent_that_fails_is_named():
    class Fails(RandomAgent):
        name = "fails"

        def act(self, observations, masks, players):
            raise KeyError("no\nsuch  thing")

    with pytest.raises(ValueError, match=r"^agent 'fails' failed: KeyError: 'no\\nsuch thing'$"):
        play_match(KUHN, [Fails(KUHN)], 3)


def test_a_process_that_dies_gets_a_sentence():
    with (
        pytest.raises(ChildProcessError, match="a worker process died"),
        opened("process", 1) as executor,
    ):
        play_match(KUHN, [Dies(KUHN)], 3, executor=executor)


def test_an_agent_that_cannot_be_sent_gets_a_sentence():
    """And the processes play on with others."""
    agent = RandomAgent(KUHN)
    agent.lock = threading.Lock()
    with opened("process", 1) as executor:
        for told in (play_match, cross_play):
            with pytest.raises(
                ValueError, match=r"^an agent cannot be sent .*_thread\.lock.*; the"
            ):
                told(KUHN, [agent, "ppo-1"], 3, executor=executor)
        assert play_match(KUHN, ["random"], 5, executor=executor).games == 5


def test_what_a_dead_process_read_is_closed_once(monkeypatch):
    """Not by the pool and by its thread at the same time, here made to take long over it."""

    def close(end):
        time.sleep(0.2)
        os.close(end.fileno())  # of a number that is closed already: an error

    monkeypatch.setattr(connection.Connection, "_close", close)
    test_a_process_that_dies_gets_a_sentence()


def children(pid):
    """The processes that `pid` has begun and that have not ended."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.add(int(path.parent.name))
    return found


def alive(pids):
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_command(ctrl_c, number):
    """After Ctrl-C, which goes to all, and when the command is killed and can tell nobody.

    At once, while the workers still import: they must not answer Ctrl-C even then.
    """
    command = [sys.executable, "-m", "backroom.train", "evaluate", "kuhn", "--games", "4000000"]
    playing = subprocess.Popen(
        [*command, "--executor", "process", "--workers", "2"],
        env=PLAIN,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    workers = set()
    try:
        deadline = time.monotonic() + 120
        while len(workers) < 3 and time.monotonic() < deadline:  # one more tracks resources
            workers = children(playing.pid)
            time.sleep(0.05)
        if number == signal.SIGINT:
            os.killpg(playing.pid, number)
        else:
            os.kill(playing.pid, number)
        out, said = playing.communicate(timeout=60)
        if number == signal.SIGINT:
            assert (playing.returncode, out, said) == (130, "", "backroom: stopped\n")
        while alive(workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(workers) >= 3 and not alive(workers)
    finally:
        playing.kill()
        for pid in alive(workers):
            os.kill(pid, signal.SIGKILL)


WAITING = """
import time
from backroom.evaluate.executors import opened

if __name__ == "__main__":
    with opened("process", 1) as pool:
        pool.submit(time.sleep, 0).result()
        busy = pool.submit(time.sleep, 1000)
        for _ in range(4):
            pool.submit(len, bytes(8_000_000))
        while not busy.running():
            time.sleep(0.01)
        {then}
"""


@pytest.mark.parametrize(
    ("then", "error"),
    [
        ("time.sleep(1); raise KeyboardInterrupt", "KeyboardInterrupt"),
        (
            "time.sleep(1); next(iter(pool._processes.values())).kill(); busy.result()",
            "ChildProcessError: a worker process died",
        ),
    ],
)
def test_what_waits_for_a_worker_keeps_nobody(then, error, tmp_path):
    """Arguments larger than a pipe, for workers that are no more."""
    script = tmp_path / "waiting.py"
    script.write_text(WAITING.format(then=then))
    done = subprocess.run(
        [sys.executable, script], env=PLAIN, capture_output=True, text=True, timeout=60
    )
    assert done.stderr.splitlines()[-1].startswith(error)


@pytest.mark.parametrize(
    ("arguments", "kind", "sentence"),
    [
        (("thread",), ValueError, "there is no executor 'thread'"),
        (("process", 0), ValueError, "workers is an integer and at least 1, not 0"),
        (("process", 1.5), TypeError, "workers is an integer and at least 1, not 1.5"),
        (("local", 2), ValueError, "the executor local has one worker"),
        (("process", None, "a:1"), ValueError, "it needs the executor ray"),
    ],
)
def test_ways_that_are_none(arguments, kind, sentence):
    with pytest.raises(kind, match=sentence), opened(*arguments):
        pass
    if arguments == ("thread",):
        with pytest.raises(ValueError, match=sentence):
            play_match(KUHN, ["random"], 5, executor="thread")


TWO = ("--agents", "random", "ppo-1")


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    sentence = "the executor ray needs Ray: install the extra, pip install 'backroom[ray]'"
    assert refused("evaluate", "kuhn", "--executor", "ray") == sentence
    assert refused("crossplay", "kuhn", *TWO, "--address", "10.0.0.5:6379") == sentence


@pytest.mark.parametrize(
    "address",
    ["", "10.0.0.5", ":6379", "10.0.0.5:", "a:70000", "ray://a:1", "a:b", "a:-1", "http://a:1"],
)
def test_what_is_no_address(address):
    pytest.importorskip("ray", reason="the extra ray is not installed")
    told = refused("evaluate", "kuhn", "--address", address)
    assert told == f"an address is HOST:PORT of a Ray cluster's head, or auto, not '{address}'"


def test_the_address_in_the_environment_is_named(monkeypatch):
    pytest.importorskip("ray", reason="the extra ray is not installed")
    monkeypatch.setenv("RAY_ADDRESS", "ray://a:1")
    told = refused("evaluate", "kuhn", "--executor", "ray")
    assert told == (
        "an address is HOST:PORT of a Ray cluster's head, or auto, not 'ray://a:1' "
        "(of $RAY_ADDRESS)"
    )
    assert run("evaluate", "kuhn", "--games", 10).stdout  # who works here does not ask for it


@pytest.mark.parametrize(("mode", "hint"), [(None, "set RAY_AUTH_MODE=token"), ("token", "")])
def test_a_token_that_may_be_asked_for_is_named(tmp_path, monkeypatch, mode, hint):
    """Of something that answers and cannot be joined; Ray's own error says nothing of it."""
    pytest.importorskip("ray", reason="the extra ray is not installed")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    if mode:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").touch()

    def refuse(address):
        raise ConnectionError("Failed to\nconnect")

    monkeypatch.setattr(ray_clusters, "_init", refuse)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        told = refused("evaluate", "kuhn", "--address", address)
    assert told.startswith(f"no Ray cluster can be joined at {address}: Failed to connect")
    assert told.endswith(hint or "connect")


def test_nobody_answers():
    pytest.importorskip("ray", reason="the extra ray is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    begun = time.monotonic()
    told = refused("evaluate", "kuhn", "--executor", "ray", "--address", address)
    assert told == f"no Ray cluster answers at {address}: Connection refused"
    assert time.monotonic() - begun < 20


def test_options_of_the_command_that_do_not_go_together():
    for options, told in (
        (["--executor", "local", "--workers", "2"], "the executor local has one worker"),
        (["--executor", "process", "--address", "a:1"], "it needs the executor ray"),
    ):
        assert told in refused("evaluate", "kuhn", *options)
    assert "Invalid value for '--workers'" in run("evaluate", "kuhn", "--workers", 0, code=2).stderr
    assert (
        "'thread' is not one of" in run("evaluate", "kuhn", "--executor", "thread", code=2).stderr
    )


def test_the_command_plays_the_same_with_processes(tmp_path):
    options = ["crossplay", "kuhn", "--agents", "random", "ppo-1", "--games", 10, "--json"]
    usual = json.loads(run(*options).stdout)
    assert json.loads(run(*options, "--executor", "process", "--workers", 1).stdout) == usual


def test_another_version_on_a_node_is_refused():
    with pytest.raises(ValueError, match="has another version of backroom than this machine"):
        ray_executor.perform(b"", "of another time")
