"""Two nodes of Ray on this machine, one of which can be killed."""

import time
from pathlib import Path

import pytest
from marks import node

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

    def warm(self, executor, seconds=60):
        """Wait until the worker works: its first process takes seconds, in which the head is fast.

        The next work is then shared by both.
        """
        deadline = time.monotonic() + seconds
        while self.worker.node_id not in list(executor.map(node, range(4))):
            assert time.monotonic() < deadline, "the worker never began"

    def busy(self):
        """Processes of the worker that do something: Ray writes it into their titles."""
        (raylet,) = self.worker.all_processes["raylet"]
        found = set()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                title = (folder / "cmdline").read_bytes()
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:  # it has ended
                continue
            if int(parent) == raylet.process.pid and title.startswith(b"ray::"):
                if not title.startswith(b"ray::IDLE"):
                    found.add(int(folder.name))
        return found

    def kill_busy(self, marks, seconds=60):
        """Kill the worker in the middle of what it does, as `mark` has told in a folder."""
        deadline = time.monotonic() + seconds
        while not self.busy() & {int(path.suffix[1:]) for path in marks.iterdir()}:
            assert time.monotonic() < deadline, "the worker never began"
            time.sleep(0.02)
        time.sleep(0.05)
        self.kill()

    def end(self):
        """End all processes."""
        self.cluster.shutdown()


@pytest.fixture(scope="module")
def cluster(request):
    """A cluster for the tests of a module; its parameter: CPUs of a node, 1 unless told."""
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
