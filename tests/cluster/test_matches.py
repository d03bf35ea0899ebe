"""Matches on two nodes, one of which dies."""

import time

import ray
from players import KUHN

from backroom.agents import RandomAgent
from backroom.evaluate import match
from backroom.evaluate.executors import opened
from backroom.evaluate.match import play_match


class Slow(RandomAgent):
    """Random play that takes its time, and tells in a folder where it begins a block."""

    name = "slow"

    def __init__(self, game, folder):
        super().__init__(game)
        self.folder = folder

    def seed(self, seed):
        super().seed(seed)
        if ray.is_initialized():
            node = ray.get_runtime_context().get_node_id()
            (self.folder / f"{node}-{time.time_ns()}").touch()

    def act(self, observations, masks, players):
        if ray.is_initialized():
            time.sleep(0.1)
        return super().act(observations, masks, players)


def test_a_node_dies_in_a_match(two_nodes, tmp_path, monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 4)
    agents = [Slow(KUHN, tmp_path)]
    usual = play_match(KUHN, agents, 40, 3, keep=True)
    dying = two_nodes.worker.node_id
    done = []

    def progress(games):
        done.append(games)
        if len(done) == 2:
            deadline = time.monotonic() + 60
            while not list(tmp_path.glob(f"{dying}-*")) and time.monotonic() < deadline:
                time.sleep(0.02)
            two_nodes.kill()

    with opened("ray", address=two_nodes.address) as executor:
        played = play_match(KUHN, agents, 40, 3, keep=True, executor=executor, progress=progress)
    assert sum(done) == 40
    assert list(played.records()) == list(usual.records())
    begun = len(list(tmp_path.iterdir()))
    assert begun > 10, "no block was begun twice"
