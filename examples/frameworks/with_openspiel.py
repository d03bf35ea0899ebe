"""OpenSpiel's regret minimisation learns to bluff in a small Cockroach Poker, and plays ours.

python examples/frameworks/with_openspiel.py [iterations]
"""

import sys

import pyspiel

from backroom.agents import load
from backroom.evaluate.match import play_match
from backroom.evaluate.statistics import mean
from backroom.train.adapters.openspiel import SpielAgent


def main(iterations: int = 1000) -> None:
    """Train, then seat what was learned beside an agent of this suite that never lies."""
    small = pyspiel.load_game("backroom_cockroach_poker")
    solver = pyspiel.ExternalSamplingMCCFRSolver(small, 7)
    for _ in range(iterations):
        solver.run_iteration()
    game = small.variant.game
    learned = SpielAgent(small, solver.average_policy(), seed=7)
    match = play_match(game, [learned, load("honest", game)], games=1000, seed=7)
    reached = mean(match.earned("openspiel"))
    print(f"return against honest play after {iterations} iterations: {reached}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
