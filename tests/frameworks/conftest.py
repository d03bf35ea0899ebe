"""What the checks of all frameworks share."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from backroom.envs import configure

sys.path.insert(0, str(Path(__file__).parent))  # ledger.py: `pythonpath` holds tests/ alone
from ledger import Ledger

EXAMPLES = Path(__file__).parents[2] / "examples" / "frameworks"
EPISODES = 1000
SHORT = [
    configure("kuhn"),
    configure("cockroach_poker", num_players=3, cards_per_player=2),
]
"""Games of few moves, at whose end all seats are paid; in the second some never come to decide."""


@pytest.fixture(params=SHORT, ids=lambda game: game.name)
def short(request):
    """A game that is quickly over."""
    return request.param


@pytest.fixture
def ledger(monkeypatch):
    """What the engine says of all games of the test."""
    book = Ledger()
    book.watch(monkeypatch)
    return book


@pytest.fixture
def conserved(ledger, record_property):
    """A check that sums of rewards, game by game, are the engine's; and nothing illegal came."""

    def check(sums, episodes=EPISODES):
        games = ledger.games[: len(sums)]
        assert len(sums) >= episodes
        assert len(ledger.games) - len(sums) in (0, 1), "games were lost"
        np.testing.assert_allclose(sums, games, atol=1e-4)
        assert np.abs(games).sum() > 0
        assert ledger.illegal == 0
        record_property("episodes", len(sums))
        record_property("illegal", ledger.illegal)

    return check


@pytest.fixture
def run_example(record_property, tmp_path):
    """Run an example as a user would; its last line, which the table quotes."""

    def run(name, *arguments):
        command = [sys.executable, str(EXAMPLES / f"with_{name}.py"), *map(str, arguments)]
        env = {**os.environ, "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stderr[-3000:]
        line = done.stdout.strip().splitlines()[-1]
        record_property("reached", line)
        return line

    return run
