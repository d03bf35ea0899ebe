"""What to say: R26 in envs/gangster_paradise/README.md.

Who is RED or BLUE says so, and looks for others of its colour; all others say that they are what
most seem to be. Then the seat that one would rather see dead is called BLACK. Nothing is said
again as long as it stands.
"""

import numpy as np

from ...envs.gangster_paradise.actions import ABOUT
from ...envs.gangster_paradise.state import BLACK, BLUE, COLOURS, RED
from .beliefs import COLOUR_CELLS, OTHERS_LIFE, OWN_LIFE
from .mind import Mind

CLAIM, ACCUSE = 20.0, 15.0
"""Talk comes before all else: it costs nothing."""
GRUDGE = 0.3
"""Nobody is accused for less."""


def claimed(mind: Mind) -> np.ndarray:
    """The colour that one gives as one's own, int64[B]: the claim that stands, if there is one."""
    view, cells = mind.view, slice(COLOUR_CELLS, COLOUR_CELLS + len(COLOURS))
    likely = mind.chances[:, 1:].sum(axis=1)
    popular = np.where(likely[:, RED] >= likely[:, BLUE], RED, BLUE)
    colour = np.where(view.colour <= BLUE, view.colour, popular)
    before = view.said[:, 0, :, cells] & view.said[:, 0, :, OWN_LIFE, None]
    stands = before.any(axis=1)
    found: np.ndarray = np.where(stands.any(axis=1), stands.argmax(axis=1), colour)
    return found


def say(mind: Mind) -> None:
    """Write the scores of what is worth saying."""
    view, n = mind.view, mind.cards.seats
    if not mind.style.talks or not view.said.shape[2]:
        return
    rows, first = np.arange(len(view.hand)), mind.block(5)
    own = view.said[:, 0]
    silent = ~own[..., OWN_LIFE].any(axis=1)
    mind.scores[rows[silent], first + claimed(mind)[silent]] = CLAIM
    known = mind.view.lives.any(axis=2)
    worst = np.where(known, -1.0, mind.hate)
    victim = worst.argmax(axis=1)
    about = own[..., OTHERS_LIFE, None] & own[..., -n:]
    told = about[rows, :, victim].any(axis=1)
    accuse = (worst.max(axis=1) > GRUDGE) & ~told & (victim > 0)
    start = first + len(COLOURS) + mind.cards.kinds
    column = start + (victim - 1) * ABOUT + BLACK
    mind.scores[rows[accuse], column[accuse]] = ACCUSE
