"""Two nodes of Ray on this machine, one of which can be killed."""

import threading
from contextlib import contextmanager

import pytest
from marks import Doomed

from backroom.evaluate.ray_clusters import QUIET, loopback

STORE = 100 * 2**20
"""Bytes of shared memory a node."""
HASTE = {"health_check_initial_delay_ms": 1000, "health_check_period_ms": 1000}
"""The head asks more often whether a node is alive: a dead one is found in seconds."""


class TwoNodes:
    """A head and a worker on loopback; nothing is connected to them.

    Attributes:
        address: for `--address`.
        worker: the node that can be killed.
    """

    def __init__(self, cpus):
        from ray.cluster_utils import Cluster

        self.cpus = cpus
        self.cluster = Cluster()
        self.worker = None
        self.hosts = 1
        self._add("127.0.0.1", _system_config=HASTE)
        self.address = self.cluster.address
        self.mend()

    def _add(self, host, **arguments):
        for attempt in range(3):  # on a busy machine its parts wait for each other in vain
            try:
                return self.cluster.add_node(
                    node_ip_address=host,
                    num_cpus=self.cpus,
                    object_store_memory=STORE,
                    include_dashboard=False,
                    **arguments,
                )
            except Exception:
                if attempt == 2:
                    raise

    def kill(self):
        """Kill the worker with all that runs there, without a word."""
        self.cluster.remove_node(self.worker, allow_graceful=False)
        self.worker = None

    def mend(self):
        """Add a worker, if there is none.

        It has an address of its own, which no other had: whoever joins the cluster works through
        the node of its own address, which must be the one that is not killed.
        """
        if self.worker is None:
            self.hosts += 1
            self.worker = self._add(f"127.0.0.{self.hosts}")
            self.cluster.wait_for_nodes()

    @contextmanager
    def dying(self, marks):
        """Work in the middle of which the worker is killed; `marks` is a folder for it."""
        doomed, ended = Doomed(marks, self.worker.node_id), threading.Event()

        def kill():
            while not ended.wait(0.05):
                if doomed.begun(doomed.node):
                    self.kill()
                    return

        killing = threading.Thread(target=kill)
        killing.start()
        try:
            yield doomed
        finally:
            ended.set()
            killing.join()
        assert self.worker is None, "nobody died"
        assert doomed.begun(doomed.node) == 1

    def end(self):
        """End all processes."""
        self.cluster.shutdown()


@pytest.fixture(scope="package")
def cluster(request):
    """A cluster for the tests of this folder; its parameter: CPUs of a node, 1 unless told."""
    ray = pytest.importorskip("ray", reason="the extra ray is not installed")
    with pytest.MonkeyPatch.context() as patch, loopback():
        for name, value in QUIET.items():
            patch.setenv(name, value)
        patch.delenv("RAY_ADDRESS", raising=False)
        nodes = TwoNodes(getattr(request, "param", 1))
        try:
            yield nodes
        finally:
            ray.shutdown()
            nodes.end()


@pytest.fixture
def two_nodes(cluster):
    """Two nodes that are alive; who needs more CPUs parametrises `cluster`, indirectly."""
    import ray

    cluster.mend()
    yield cluster
    ray.shutdown()  # of a test that failed
