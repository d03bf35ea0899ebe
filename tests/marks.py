"""Work in the middle of which its node dies: nothing here depends on who is how fast."""

import time
from pathlib import Path
from typing import NamedTuple

SECONDS = 300
"""In which everything has long happened, on however busy a machine."""


class Doomed(NamedTuple):
    """Work that the node of the name `node` never ends; the others wait until it has begun some.

    So something is under way on that node as soon as `begun` tells of it, until it is killed.
    """

    marks: Path
    """A folder that all processes see."""
    node: str

    def begin(self):
        """Tell that something is begun, wherever this runs, and wait for the other node."""
        import ray

        here = ray.get_runtime_context().get_node_id()
        (self.marks / f"{time.time_ns()}.{here}").touch()
        if here == self.node:
            time.sleep(SECONDS)  # until it is killed
            raise TimeoutError("nobody killed this node")
        deadline = time.monotonic() + SECONDS
        while not self.begun(self.node):
            if time.monotonic() > deadline:
                raise TimeoutError("the other node never began anything")
            time.sleep(0.02)

    def begun(self, node="*"):
        """How often something was begun, on one node or on all."""
        return len(list(self.marks.glob(f"*.{node}")))
