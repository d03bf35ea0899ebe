"""Learning: one script an algorithm, settings as files, and the command line."""

import os

if __name__ != "backroom.train":
    raise ImportError(f"import this package as backroom.train, not {__name__}")

# PyTorch's threads would spin while they wait, and take the cores from whoever shares the machine.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
