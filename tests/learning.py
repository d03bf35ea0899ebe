"""What tests of training need."""

from backroom.envs import configure
from backroom.train.settings import PPOSettings, convert

KUHN = configure("kuhn")


def settings(kind=PPOSettings, **changes):
    """Settings of a training that takes a second."""
    plain = {
        "game": {"name": "kuhn"},
        "games": 32,
        "moves": 8,
        "layers": [16],
        "minibatch": 64,
        "threads": 1,
        "total_decisions": 2000,
        "evaluate_every": 1000,
        "evaluate_games": 20,
        "checkpoint_every": 500,
    }
    return convert(kind, {**plain, **changes})
