"""What can be wrong with a cluster is said in a sentence, and what is waited for too."""

import importlib
import subprocess
import sys
import threading
from concurrent.futures import Future

import pytest
from players import KUHN

from backroom.evaluate import ray_clusters
from backroom.evaluate.executors import opened
from backroom.evaluate.match import play_match
from backroom.evaluate.ray_clusters import ENDED

TAKES = """
import sys
import ray
from backroom.evaluate.executors import opened
@ray.remote(num_cpus=1)
class Taker:
    def there(self):
        return True
with opened("ray", address=sys.argv[1]):
    takers = [Taker.remote() for _ in range(2)]
    ray.get([taker.there.remote() for taker in takers])
    print("taken", flush=True)
    sys.stdin.read()
"""


def test_a_full_cluster_is_waited_for_in_words(two_nodes, monkeypatch):
    """Until another driver, which has taken all CPUs, leaves them."""
    command, pipe = [sys.executable, "-c", TAKES, two_nodes.address], subprocess.PIPE
    said = []
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as other:

        def say(text):
            said.append(text)
            other.stdin.close()

        assert other.stdout.readline() == b"taken\n"
        monkeypatch.setattr(ray_clusters, "_say", say)
        monkeypatch.setattr(ray_clusters, "WATCH", 0.1)
        with opened("ray", address=two_nodes.address) as executor:
            assert play_match(KUHN, ["random"], 5, executor=executor).games == 5
    assert said == ["all 2 CPUs of the cluster are taken: waiting for one"]


def test_that_nobody_is_left_to_work_is_said(two_nodes, monkeypatch):
    import ray

    heard, said = threading.Event(), []
    monkeypatch.setattr(ray, "cluster_resources", dict)
    monkeypatch.setattr(ray_clusters, "WATCH", 0.01)
    monkeypatch.setattr(ray_clusters, "_say", lambda text: (said.append(text), heard.set()))
    with opened("ray", address=two_nodes.address) as executor:
        executor.open.add(Future())
        assert heard.wait(60)
    assert said == ["no node of the cluster has a CPU: waiting for one that has"]


def test_another_version_of_ray_is_named(two_nodes, monkeypatch):
    import ray

    monkeypatch.setattr(ray._private.utils, "compute_version_info", lambda: ("1.2.3", "3.9.1"))
    with (
        pytest.raises(ConnectionError, match=r"Version mismatch: .* Ray: 1\.2\.3 Python: 3\.9\.1"),
        opened("ray", address=two_nodes.address),
    ):
        pass
    assert not ray.is_initialized()


def test_a_node_without_the_suite_is_named(two_nodes, tmp_path, monkeypatch):
    """In place of a machine on which nothing is installed: what is to be called is nowhere."""
    import ray

    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "nowhere.py").write_text("def perform(*args):\n    pass\n")
    nowhere = importlib.import_module("nowhere")
    (tmp_path / "nowhere.py").unlink()
    with opened("ray", address=two_nodes.address) as executor:
        executor._task = ray.remote(num_cpus=1)(nowhere.perform)
        with pytest.raises(
            ImportError,
            match=r"^the node at 127\.0\.0\.\d+ of the Ray cluster cannot run this suite: "
            r"ModuleNotFoundError: No module named 'nowhere'; install the same one everywhere$",
        ):
            play_match(KUHN, ["random"], 5, executor=executor)


LOSES = """
import os, sys
from backroom.evaluate.executors import opened
with opened("ray", 1):
    if sys.argv[1] == "lost":
        os._exit(1)  # as Ray does
"""


@pytest.mark.parametrize(("how", "code", "said"), [("lost", 1, ENDED), ("in order", 0, "")])
def test_a_process_that_is_ended_from_outside_is_spoken_for(how, code, said):
    pytest.importorskip("ray", reason="the extra ray is not installed")
    done = subprocess.run([sys.executable, "-c", LOSES, how], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr == (f"backroom: {said}\n" if said else "")
