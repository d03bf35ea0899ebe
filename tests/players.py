"""Players that tests of matches seat."""

import numpy as np

from backroom.agents import Agent, RandomAgent
from backroom.envs import configure

KUHN = configure("kuhn")


class Always(Agent):
    """Kuhn poker: always the same action."""

    def __init__(self, game, action, name):
        super().__init__(game)
        self.action, self.name = action, name

    def act(self, observations, masks, players):
        return np.full(len(masks), self.action, np.int64)


class Named(RandomAgent):
    def __init__(self, game, name):
        super().__init__(game)
        self.name = name


def bettor():
    return Always(KUHN, 1, "bettor")


def passer():
    return Always(KUHN, 0, "passer")


def named(game, *names):
    return [Named(game, name) for name in names]
