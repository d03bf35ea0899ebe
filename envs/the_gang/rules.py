"""What can happen in The Gang. R-numbers: README.md beside this file.

Actions with n seats: 0 to n - 1 take a chip, n return, n + 1 pass; then, where there are cards, 13
ranks and 10 categories; then, where there are specialists, propose, agree, decline, four own cards,
n - 1 seats to show one to.
"""

import numpy as np

from ..engine.cards import RANKS
from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import CATEGORIES
from ..engine.rng import draw
from .chips import legal_chips, move_chip
from .heist import start_heist
from .roster import begin_stacks
from .showdown import game_is_over, guess, unit
from .specialists import (
    ANSWERS,
    answer,
    can_propose,
    choose_card,
    choose_rank,
    choose_target,
    legal_cards,
    legal_ranks,
    propose,
)
from .state import (
    ANSWER,
    CARD,
    CHIPS,
    GAME,
    HEIST,
    HOLE_ROOM,
    NO_CARD,
    NOTHING,
    RANK,
    SCAN_RANK,
    TARGET,
    VAULTS,
)

TURNS = 2
"""Return and pass, after as many chips as seats."""
TO_CATEGORY = TURNS + len(RANKS)
"""This and the next: where kinds of action begin, after as many chips as seats."""
TO_PROPOSE = TO_CATEGORY + len(CATEGORIES)
TO_ANSWER = TO_PROPOSE + 1
TO_CARD = TO_ANSWER + ANSWERS
TO_SEAT = TO_CARD + HOLE_ROOM


@jit
def deal(s: State) -> None:
    """R2; R13: the first seat of the first heist comes from the stream."""
    s.vaults = 0
    s.alarms = 0
    s.ordered = 0
    s.moves = 0
    s.steals = 0
    s.proposals = 0
    s.uses = 0
    s.showdown_hole[:] = NO_CARD
    s.showdown_board[:] = NO_CARD
    s.showdown_chips[:] = 0
    s.showdown_strength[:] = 0
    s.showdown_guess[:] = NOTHING
    begin_stacks(s)
    start_heist(s, draw(s, s.seats))


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R6 to R12; R27 to R34; R41, R46: what the decision allows."""
    n = int(s.seats)
    mask[:] = False
    if s.player < 0:
        return
    if s.decision == CHIPS:
        legal_chips(s, mask)
        if s.specialist and can_propose(s):
            mask[n + TO_PROPOSE] = True
    elif s.decision == ANSWER:
        mask[n + TO_ANSWER : n + TO_CARD] = True
    elif s.decision == TARGET:
        mask[n + TO_SEAT :] = True
    elif s.decision == CARD:
        legal_cards(s, mask[n + TO_CARD : n + TO_SEAT])
    elif s.decision == RANK:
        legal_ranks(s, mask[n + TURNS : n + TO_CATEGORY])
    elif s.decision == SCAN_RANK:
        mask[n + TURNS : n + TO_CATEGORY] = True
    else:
        mask[n + TO_CATEGORY : n + TO_PROPOSE] = True


@jit
def step(s: State, action: int) -> None:
    """One action; the rounds, showdowns and heists that it ends and begins."""
    s.moves += 1
    s.acts += 1
    kind = int(action) - int(s.seats)
    if s.decision == CHIPS and kind < TO_PROPOSE:
        move_chip(s, action)
    elif s.decision == CHIPS:
        propose(s)
    elif s.decision == ANSWER:
        answer(s, kind == TO_ANSWER)
    elif s.decision == TARGET:
        choose_target(s, kind - TO_SEAT + 1)
    elif s.decision == CARD:
        choose_card(s, kind - TO_CARD)
    elif s.decision == RANK:
        choose_rank(s, kind - TURNS)
    elif s.decision == SCAN_RANK:
        guess(s, kind - TURNS)
    else:
        guess(s, kind - TO_CATEGORY)


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R1, R18: the same for all seats."""
    heists = int(s.vaults) + int(s.alarms)
    if s.reward == HEIST:
        out[:] = int(s.vaults) - int(s.alarms)
    elif s.reward == GAME:
        out[:] = 0
        if game_is_over(s):
            out[:] = 1 if s.vaults == VAULTS or (s.one_heist and s.vaults > 0) else -1
    else:
        out[:] = (2 * int(s.ordered) - heists * unit(s)) / unit(s)
