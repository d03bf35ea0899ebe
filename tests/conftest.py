import os
import signal

import hypothesis
import numba
import numpy as np
import pytest
from playing import ALL_VARIANTS, OWN, label

from backroom.envs import configure
from backroom.envs.engine.record import Who
from backroom.envs.engine.recorder import Recorder

# Ray keeps the token of a Ray of its own as long as the process lives, in which other tests join
# clusters that have none.
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
os.environ.setdefault("RAY_worker_niceness", "0")  # at Ray's 15 other tests leave them no time

hypothesis.settings.register_profile("compiled", max_examples=100, deadline=None)
hypothesis.settings.register_profile("plain", max_examples=10, deadline=None)
hypothesis.settings.load_profile("plain" if numba.config.DISABLE_JIT else "compiled")


@pytest.fixture(params=OWN.values(), ids=OWN)
def rules(request):
    return request.param


@pytest.fixture(params=ALL_VARIANTS, ids=label)
def game(request):
    """Each game with each option changed in turn."""
    return request.param


@pytest.fixture
def ctrl_c():
    """Ctrl-C is answered, here and by processes that are begun; in the background it may not be."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def kuhn():
    """A record: player_0 bets with the king, player_1 folds the jack."""
    table = Recorder(configure("kuhn"), 7, agents=[Who(name="a", weights="ff"), Who(name="b")])
    table.play(1, np.array([0.25, 0.75]), value=0.5)
    table.play(0)
    return table.record()


@pytest.fixture
def default_game(rules):
    return rules.configure()
