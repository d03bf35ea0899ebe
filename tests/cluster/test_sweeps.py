"""A sweep on two nodes, one of which dies."""

import shutil
import threading
import time
from functools import partial

from learning import KUHN, settings
from marks import begun, mark

from backroom.agents.pretrained import pretrained
from backroom.evaluate.executors import opened
from backroom.train import sweep
from backroom.train.sweep import train_stretch


def marked(marks, order):
    """Train a stretch, and tell that it was begun; take long enough to be killed meanwhile."""
    mark(marks)
    stretch = train_stretch(order)
    time.sleep(1)
    return stretch


def test_a_node_dies_in_a_sweep(two_nodes, tmp_path, monkeypatch):
    """Also: the learner meets an agent in a file, which lies in no folder of the nodes."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(pretrained(KUHN)["ppo-1"], "other.safetensors")
    chosen = settings(
        opponents={"self": 0.4, "past": 0.3, "other.safetensors": 0.3},
        past_every=300,
        evaluate_against=["other.safetensors"],
    )
    usual = sweep.sweep(chosen, [1, 2, 3], tmp_path / "usual")
    marks, told = tmp_path / "marks", []
    marks.mkdir()
    killing = threading.Thread(target=two_nodes.kill_busy, args=(marks,))
    monkeypatch.setattr(sweep, "train_stretch", partial(marked, marks))

    def tell(seed, decisions):
        told.append(decisions)
        if len(told) == 1:
            killing.start()  # beside the sweep, which goes on to give the worker something to do

    with opened("ray", address=two_nodes.address) as executor:
        two_nodes.warm(executor)
        found = sweep.sweep(chosen, [1, 2, 3], tmp_path / "swept", executor=executor, tell=tell)
    killing.join()
    assert two_nodes.worker is None, "nobody died"
    assert begun(marks) >= len(told)  # more, unless the result was on its way when the node died
    assert found.weights == usual.weights
    assert len(set(found.weights.values())) == 3
    assert found.plain() == usual.plain()
