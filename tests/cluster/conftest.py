"""Two nodes of Ray on this machine, one of which can be killed."""

import time

import pytest

from backroom.evaluate.ray_executor import QUIET, loopback

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
        self._add(_system_config=HASTE)
        self.address = self.cluster.address
        self.mend()

    def _add(self, **arguments):
        for attempt in range(3):  # on a busy machine its parts wait for each other in vain
            try:
                return self.cluster.add_node(
                    node_ip_address="127.0.0.1",
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
        """Add a worker, if there is none."""
        if self.worker is None:
            self.worker = self._add()
            self.cluster.wait_for_nodes()

    def busy(self):
        """Whether the worker has work on all its CPUs; somebody must be connected."""
        from ray._private.state import available_resources_per_node

        free = available_resources_per_node().get(self.worker.node_id, {"CPU": 1})
        return not free.get("CPU", 0)

    def kill_busy(self, seconds=60):
        """Kill the worker in the middle of its work."""
        deadline = time.monotonic() + seconds
        while not self.busy() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert self.busy()
        self.kill()

    @staticmethod
    def retried(capsys, seconds=60):
        """Whether Ray has told that work of a dead node is done again."""
        said, deadline = "", time.monotonic() + seconds
        while "will be retried" not in said and time.monotonic() < deadline:
            said += capsys.readouterr().err
            time.sleep(0.05)
        return "will be retried" in said

    def end(self):
        """End all processes."""
        self.cluster.shutdown()


@pytest.fixture(scope="package")
def cluster(request):
    """A cluster for all tests; its parameter is the number of CPUs of a node, 1 unless told."""
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
