"""A sweep on two nodes, one of which dies."""

import shutil

from learning import KUHN, settings

from backroom.agents.pretrained import pretrained
from backroom.evaluate.executors import opened
from backroom.train.sweep import sweep


def test_a_node_dies_in_a_sweep(two_nodes, tmp_path, monkeypatch, capsys):
    """Also: the learner meets an agent in a file, which lies in no folder of the nodes."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(pretrained(KUHN)["ppo-1"], "other.safetensors")
    chosen = settings(
        opponents={"self": 0.4, "past": 0.3, "other.safetensors": 0.3},
        past_every=300,
        evaluate_against=["other.safetensors"],
    )
    usual = sweep(chosen, [1, 2, 3], tmp_path / "usual")
    told = []

    def tell(seed, decisions):
        told.append(seed)
        if len(told) == 1:
            two_nodes.kill_busy()

    with opened("ray", address=two_nodes.address) as executor:
        found = sweep(chosen, [1, 2, 3], tmp_path / "swept", executor=executor, tell=tell)
        assert two_nodes.retried(capsys)
    assert found.weights == usual.weights
    assert len(set(found.weights.values())) == 3
    assert found.plain() == usual.plain()
    assert len(told) == 12
