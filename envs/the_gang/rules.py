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
from .chips import end_turn, following, legal_chips, move_chip
from .heist import open_round, start_heist
from .roster import begin_stacks
from .showdown import game_is_over, guess, open_hands, score, unit
from .specialists import (
    ANSWERS,
    CHANGED,
    USE,
    answer,
    can_propose,
    choose_card,
    choose_rank,
    choose_target,
    legal_cards,
    legal_ranks,
    propose,
    use,
)
from .state import (
    ANSWER,
    CARD,
    CHIPS,
    END_OF_ROUND,
    END_OF_TURN,
    FIRST_ROUND,
    GAME,
    HEIST,
    HOLE_ROOM,
    NEXT_HEIST,
    NO_CARD,
    NOTHING,
    RANK,
    SCAN_RANK,
    SCORE,
    SHOWDOWN,
    TARGET,
    VAULTS,
)
from .strength import assess

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
    if start_heist(s, draw(s, s.seats)) == FIRST_ROUND:
        open_round(s, 0)


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
    """One action, and all that comes before somebody is to decide again."""
    s.moves += 1
    s.acts += 1
    then = act(s, action)
    if then == USE:
        then = use(s)
    if then == CHANGED:
        if s.features:
            assess(s, s.round_no)
        then = END_OF_TURN
    if then == END_OF_TURN:
        then = end_turn(s)
    if then == SHOWDOWN:
        then = open_hands(s)
    if then == SCORE:
        then = score(s)
    if then == NEXT_HEIST:
        then = start_heist(s, following(s, s.first))  # R13
    if then == END_OF_ROUND or then == FIRST_ROUND:
        open_round(s, s.round_no + 1 if then == END_OF_ROUND else 0)


@jit
def act(s: State, action: int) -> int:
    """What the action itself does; returns what comes next."""
    kind = int(action) - int(s.seats)
    if s.decision == CHIPS and kind < TO_PROPOSE:
        return move_chip(s, action)
    if s.decision == CHIPS:
        return propose(s)
    if s.decision == ANSWER:
        return answer(s, kind == TO_ANSWER)
    if s.decision == TARGET:
        return choose_target(s, kind - TO_SEAT + 1)
    if s.decision == CARD:
        return choose_card(s, kind - TO_CARD)
    if s.decision == RANK:
        return choose_rank(s, kind - TURNS)
    return guess(s, kind - (TURNS if s.decision == SCAN_RANK else TO_CATEGORY))


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
