"""A sweep on two nodes, one of which dies."""

import shutil
from functools import partial

from learning import KUHN, settings

from backroom.agents.pretrained import pretrained
from backroom.evaluate.executors import opened
from backroom.train import sweep
from backroom.train.sweep import train_stretch


def stuck(doomed, order):
    """Train a stretch; on a node that is doomed it has no end."""
    doomed.begin()
    return train_stretch(order)


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
    (tmp_path / "marks").mkdir()
    told = []
    with two_nodes.dying(tmp_path / "marks") as doomed:
        monkeypatch.setattr(sweep, "train_stretch", partial(stuck, doomed))
        with opened("ray", address=two_nodes.address) as executor:
            found = sweep.sweep(
                chosen,
                [1, 2, 3],
                tmp_path / "swept",
                executor=executor,
                tell=lambda *stretch: told.append(stretch),
            )
    assert doomed.begun() > len(told)
    assert found.weights == usual.weights
    assert len(set(found.weights.values())) == 3
    assert found.plain() == usual.plain()
