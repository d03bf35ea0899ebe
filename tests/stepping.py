"""What tests of environments need: actions, and all that a program can see."""

import pickle

import numpy as np


def legal_action(env, pick):
    mask = env.observe(env.agent_selection)["action_mask"]
    return int(pick.choice(np.flatnonzero(mask)))


def shown_mask(env):
    return env.observe(env.agent_selection)["action_mask"]


def pickled(env):
    return pickle.loads(pickle.dumps(env))
