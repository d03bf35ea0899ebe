"""How heists and rounds of The Gang begin. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import CARDS, JACK, RANKS, rank
from ..engine.copying import copy_cells
from ..engine.game import State
from ..engine.jit import jit
from ..engine.rng import shuffle, shuffle_first
from .roster import (
    BASIC,
    BLACKOUT,
    CON_ARTIST,
    COORDINATOR,
    HASTY_GETAWAY,
    INVESTOR,
    LASER_TRIPWIRES,
    MATH_WHIZ,
    MOTION_DETECTOR,
    QUICK_ACCESS,
    SECURITY_CAMERAS,
    in_force,
)
from .roster import JACK as JACK_SPECIALIST
from .state import (
    BOARD,
    CARD,
    CHIPS,
    DECIDE,
    FIRST_ROUND,
    FLOP,
    HOLE,
    MAX_SEATS,
    MOST_DRAWN,
    MOST_HOLE,
    NO_CARD,
    NOTHING,
    REDRAWN,
)
from .strength import assess

ACE, KING = len(RANKS) - 1, len(RANKS) - 2


@jit
def start_heist(s: State, first: int) -> int:
    """R3: shuffle, as far as cards can be drawn, and deal; returns what comes next."""
    s.first = first
    s.chips[:] = 0
    s.history[:] = 0
    s.percentile[:] = 0
    s.category[:] = 0
    s.acts = 0
    s.held = HOLE
    for card in range(CARDS):
        s.deck[card] = card
    if s.mode == BASIC:
        shuffle_first(s.deck, HOLE * s.seats + BOARD, s)
    else:
        s.held = HOLE + int(in_force(s, SECURITY_CAMERAS))  # R47
        shuffle_first(s.deck, MOST_DRAWN, s)
    lay_out(s)
    return begin(s)


@jit
def lay_out(s: State) -> None:
    """R3, R47: two or three cards from the deck for each seat, then the five of the board."""
    s.hole[:] = NO_CARD
    s.drawn = 0
    for seat in range(s.seats):
        for i in range(s.held):
            s.hole[seat, i] = draw_card(s)
        sort_down(s.hole[seat], s.held)
    for i in range(BOARD):
        s.board[i] = draw_card(s)
    sort_down(s.board, FLOP)  # the order in which cards came tells nothing


@jit
def draw_card(s: State) -> int:
    """R3: the next card of the pile."""
    s.drawn += 1
    return int(s.deck[s.drawn - 1])


@jit
def sort_down(cards: np.ndarray, count: int) -> None:
    """Sort the first `count` of `cards`, greatest first, in place."""
    for i in range(1, count):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] < card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@jit
def begin(s: State) -> int:
    """R26: the specialists that act by themselves; returns what comes next."""
    if s.mode != BASIC:
        clear_cards(s)
        if s.specialist == INVESTOR:
            for seat in range(s.seats):
                s.declared[seat] = face_cards(s.hole[seat], s.held)
        elif s.specialist == MATH_WHIZ:
            for seat in range(s.seats):
                s.declared[seat] = total(s.hole[seat], s.held)
        elif s.specialist == CON_ARTIST:
            deal_again(s)
        elif s.specialist == COORDINATOR:
            s.round_no = 0
            s.turns = 0
            s.passes = 0
            s.decision = CARD
            s.player = s.first
            if s.features:
                assess(s, 0)
            return DECIDE
    return FIRST_ROUND


@jit
def clear_cards(s: State) -> None:
    """Nothing has come of this heist's cards yet."""
    s.decision = CHIPS
    s.proposer = NOTHING
    s.user = NOTHING
    s.used_in = 0
    s.holder = NOTHING
    s.target = NOTHING
    s.shown = NO_CARD
    s.declared[:] = NOTHING
    s.declared_category = NOTHING
    s.declared_rank = NOTHING
    s.declared_count = 0
    s.hacked = NO_CARD
    s.exchanged = NO_CARD
    s.picks[:] = NO_CARD
    s.lost[:] = NO_CARD
    s.redrawer = NOTHING
    s.rank_guesses[:] = NOTHING
    s.category_guesses[:] = NOTHING


@jit
def is_face(card: int) -> bool:
    """R30, R40, R44: jack, queen, king."""
    return bool(JACK <= rank(card) <= KING)


@jit
def face_cards(cards: np.ndarray, count: int) -> int:
    """R30: how many of the first `count` cards are jacks, queens, kings."""
    found = 0
    for i in range(count):
        found += int(is_face(cards[i]))
    return found


@jit
def total(cards: np.ndarray, count: int) -> int:
    """R35: the sum of the first `count` cards: J, Q, K are 10, an ace is 11."""
    found = 0
    for i in range(count):
        r = rank(cards[i])
        found += 11 if r == ACE else min(r + 2, 10)
    return found


@jit
def deal_again(s: State) -> None:
    """R36: all hole cards are shuffled and dealt again."""
    n, held = int(s.seats), int(s.held)
    pool = np.empty(MAX_SEATS * MOST_HOLE, np.int8)
    for seat in range(n):
        for i in range(held):
            pool[seat * held + i] = s.hole[seat, i]
    shuffle(pool[: n * held], s)
    exchange_hands(s, pool)


@jit
def exchange_hands(s: State, pool: np.ndarray) -> None:
    """R36: new hands from `pool`, seat after seat; each seat knows which of its own cards went."""
    held = int(s.held)
    for seat in range(s.seats):
        for i in range(held):
            s.lost[seat, i] = s.hole[seat, i]
            s.hole[seat, i] = pool[seat * held + i]
        sort_down(s.hole[seat], held)
        for i in range(held):
            for k in range(held):
                if s.lost[seat, i] == s.hole[seat, k]:
                    s.lost[seat, i] = NO_CARD
                    break
        sort_down(s.lost[seat], held)


@jit
def open_round(s: State, number: int) -> None:
    """R4, R5, R10: more of the board lies open, all chips in the centre; the first seat begins."""
    start = int(number)
    if s.challenges:
        if number == 0 and in_force(s, QUICK_ACCESS):  # R38
            number = 1
        elif number == 2 and in_force(s, HASTY_GETAWAY):  # R42
            number = 3
    s.round_no = number
    s.turns = 0
    s.passes = 0
    s.player = s.first
    if s.challenges:  # R48: in this order
        if number == 1:
            sense(s)
        if in_force(s, BLACKOUT):  # R45
            for earlier in range(number):
                s.chips[earlier] = 0
    if s.features:
        for each in range(start, number + 1):
            assess(s, each)


@jit
def sense(s: State) -> None:
    """R40, R44: a new hand for who took the weakest, or the strongest, white chip."""
    faces = face_cards(s.board, FLOP) > 0
    if faces and in_force(s, MOTION_DETECTOR):
        stars = 1
    elif not faces and in_force(s, LASER_TRIPWIRES):
        stars = int(s.seats)
    else:
        return
    for seat in range(s.seats):
        if s.chips[0, seat] == stars:
            redraw(s, seat)


@jit
def redraw(s: State, seat: int) -> None:
    """R40, R44: all hole cards are discarded, the Jack too, and as many drawn."""
    s.redrawer = seat
    copy_cells(s.hole[REDRAWN], s.hole[seat])
    for i in range(s.held):
        s.hole[seat, i] = draw_card(s)
    sort_down(s.hole[seat], s.held)
    if s.specialist == JACK_SPECIALIST and s.holder == seat:
        s.holder = NOTHING
