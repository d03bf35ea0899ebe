"""What a seat may know in Gangster Paradise. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.copying import row_copy
from ..engine.game import State
from ..engine.jit import jit
from .hidden import known_row, sees_chain, sees_life, sees_phase, sees_picks
from .state import (
    ASK,
    ASKED,
    BEAUTY,
    CLASSES,
    COLOURS,
    CONSENT,
    EVERYBODY,
    KINDS,
    PHASES,
    PORNO,
    SAYINGS,
    STATEMENTS,
    TRADE,
)

COLOUR_COUNT, PHASE_COUNT = len(COLOURS), len(PHASES)
_copy_kinds = row_copy(KINDS)
ASKED_COUNT, SAYING_COUNT = len(ASKED), len(SAYINGS)


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R27: the own cards, what lies open, what has been learnt and said.

    The parts stand in the order of `parts.parts`; seats are counted from `player` on.
    """
    observation[:] = 0
    player = int(player)
    at = _cards(s, player, observation)
    at = _seats(s, player, observation, at)
    at = _turn(s, player, observation, at)
    at = _chain(s, player, observation, at)
    at = _trade(s, player, observation, at)
    if s.talk:
        _said(s, player, observation, at)


@jit
def _place(s: State, player: int, seat: int) -> int:
    """How many seats after `player` `seat` is; -1 for nobody."""
    if seat < 0:
        return -1
    steps = int(seat) - player
    return steps if steps >= 0 else steps + int(s.seats)


@jit
def _one(cells: np.ndarray, at: int, place: int, size: int) -> int:
    """One-hot `place` in `size` cells, zeros for -1; where the next part begins.

    Without a branch, which a processor could not predict: for -1 the first cell is written, as 0.
    And with an unsigned index, so that no cells are counted from the end.
    """
    cells[np.uint64(at + max(0, int(place)))] = int(place) >= 0
    return at + int(size)


@jit
def _counts(cells: np.ndarray, at: int, counts: np.ndarray, kinds: int) -> int:
    """Cards of each kind; where the next part begins.

    Room for KINDS is copied, a fixed length, and what comes next is written later: there are no
    cards from `kinds` on.
    """
    _copy_kinds(cells, at, counts)
    return at + kinds


@jit
def _cards(s: State, player: int, cells: np.ndarray) -> int:
    """`life` to `deck_top`. Returns where the next part begins, as do those below."""
    kinds = int(s.kinds)
    at = _one(cells, 0, s.life[player], COLOUR_COUNT)
    at = _counts(cells, at, s.hand[player], kinds)
    at = _counts(cells, at, s.on_field, kinds)
    cells[at] = s.deck_size
    at += 1
    for i in range(2):  # R41
        place = -1
        if s.deck_size > i and int(s.deck_seen[i]) >> player & 1:
            place = int(s.deck[int(s.deck_size) - 1 - i])
        at = _one(cells, at, place, kinds)
    return at


@jit
def _seats(s: State, player: int, cells: np.ndarray, at: int) -> int:
    """`hand_size` to `open`."""
    n, kinds = int(s.seats), int(s.kinds)
    fates = at + n
    lives = fates + 3 * n
    cleared = lives + COLOUR_COUNT * n
    shown = cleared + COLOUR_COUNT * n
    known = shown + n
    seat = player
    for i in range(n):
        cells[at + i] = s.held[seat]
        cells[fates + 3 * i + int(s.fate[seat])] = 1
        cells[lives + COLOUR_COUNT * i + int(s.life[seat])] = sees_life(s, player, seat)
        if s.cleared[seat]:
            for colour in range(COLOUR_COUNT):
                cells[cleared + COLOUR_COUNT * i + colour] = int(s.cleared[seat]) >> colour & 1
        cells[shown + i] = s.life_open[seat]
        knower = EVERYBODY if i == 0 else player
        known = _counts(cells, known, s.known[known_row(s, knower, seat)], kinds)
        seat = seat + 1 if seat + 1 < n else 0
    for i in range(n):
        holds = s.known[known_row(s, EVERYBODY if i == 0 else player, seat)]
        for c in range(CLASSES):
            cells[known + c] = holds[KINDS + c]
        known += CLASSES
        seat = seat + 1 if seat + 1 < n else 0
    for _ in range(n):
        known = _counts(cells, known, s.known[known_row(s, EVERYBODY, seat)], kinds)
        seat = seat + 1 if seat + 1 < n else 0
    return known


@jit
def _turn(s: State, player: int, cells: np.ndarray, at: int) -> int:
    """`round` to `refused`."""
    n, kinds = int(s.seats), int(s.kinds)
    cells[at] = s.round_no
    at += 1
    begun = s.round_no > 0
    at = _one(cells, at, _place(s, player, s.starter) if begun else -1, n)
    at = _one(cells, at, _place(s, player, s.turn) if begun else -1, n)
    at = _one(cells, at, _place(s, player, s.player), n)
    cells[at] = s.actions
    cells[at + 1] = s.chains
    cells[at + 2] = s.refusals
    cells[at + 3] = s.spoken
    cells[at + 4] = s.free_trade
    at += 5
    at = _counts(cells, at, s.used, kinds)
    at = _one(cells, at, s.again, kinds)
    last = at + 2 * n
    _one(cells, last, s.last_card, kinds)
    _one(cells, last + kinds, _place(s, player, s.last_target), n)
    accepted = last + kinds + n
    refused = accepted + n * n
    seat = player
    for i in range(n):
        cells[at + i] = s.negated[seat]
        cells[at + n + i] = begun and s.evaded[seat] == s.round_no
        agreed, declined, other = s.accepted[seat], s.refused[seat], player
        for j in range(i * n, i * n + n):
            cells[np.uint64(accepted + j)] = agreed[np.uint64(other)]
            cells[np.uint64(refused + j)] = declined[np.uint64(other)]
            other = other + 1 if other + 1 < n else 0
        seat = seat + 1 if seat + 1 < n else 0
    return refused + n * n


@jit
def _chain(s: State, player: int, cells: np.ndarray, at: int) -> int:
    """`phase` to `picks`: R12, R14, R36."""
    n, kinds = int(s.seats), int(s.kinds)
    asking = s.player >= 0 and s.phase == ASK
    at = _one(cells, at, s.phase if sees_phase(s, player) else -1, PHASE_COUNT)
    at = _one(cells, at, s.asking if asking else -1, ASKED_COUNT)
    if sees_chain(s, player):
        _one(cells, at, s.card, kinds)
        _one(cells, at + kinds, _place(s, player, s.target), n)
        cells[at + kinds + n] = s.mode
        _one(cells, at + kinds + n + 1, s.given, kinds)
        _one(cells, at + 2 * kinds + n + 1, s.taken, kinds)
    at += 3 * kinds + n + 1
    if player == s.turn:
        _one(cells, at, s.loaded, kinds)
        _counts(cells, at + kinds, s.stack, kinds)
    at += 2 * kinds
    cells[at] = s.worth
    cells[at + 1] = s.shots
    cells[at + 2] = s.hits
    at += 3
    if asking and (s.asking == BEAUTY or s.asking == PORNO):
        _one(cells, at, s.subject, kinds)
        _one(cells, at + kinds, _place(s, player, s.subject_user), n)
    at += kinds + n
    at = _counts(cells, at, s.loot, kinds)
    if sees_picks(s, player):
        for i in range(s.picked):
            cells[at + int(s.picks[i])] += 1
    return at + kinds


@jit
def _trade(s: State, player: int, cells: np.ndarray, at: int) -> int:
    """`offer` to `agreed`: R18, R19."""
    n, kinds = int(s.seats), int(s.kinds)
    own = player == s.turn
    asked = s.player >= 0 and s.phase == ASK and s.asking == CONSENT
    if not asked and not (own and s.phase == TRADE):
        return at + n * (2 * kinds + 4)
    sizes = at + 2 * n * kinds
    for seat in range(n):
        i = _place(s, player, seat)
        for way in range(2):
            cells[sizes + 2 * i + way] = s.items[seat, way]
            if own or seat == player:
                for j in range(s.items[seat, way]):
                    cells[at + (2 * i + way) * kinds + int(s.offers[seat, way, j])] += 1
    at = sizes + 2 * n
    if own:
        _one(cells, at, _place(s, player, s.partner), n)
    for seat in range(n):
        cells[at + n + _place(s, player, seat)] = s.agreed[seat] if asked else 0
    return at + 2 * n


@jit
def _said(s: State, player: int, cells: np.ndarray, at: int) -> None:
    """R26: `said`. What a statement does not name is written where its saying is: one branch."""
    n, kinds = int(s.seats), int(s.kinds)
    cards = SAYING_COUNT + COLOUR_COUNT
    seats = cards + kinds
    seat = player
    for _ in range(n):
        for i in range(STATEMENTS):
            words = s.said[np.uint64(seat), np.uint64(i)]
            saying, colour, card, told = int(words[0]), int(words[1]), int(words[2]), int(words[3])
            if saying >= 0:
                place = told - player if told >= player else told - player + n
                cells[np.uint64(at + saying)] = 1
                cells[np.uint64(at + (SAYING_COUNT + colour if colour >= 0 else saying))] = 1
                cells[np.uint64(at + (cards + card if card >= 0 else saying))] = 1
                cells[np.uint64(at + (seats + place if told >= 0 else saying))] = 1
            at += seats + n
        seat = seat + 1 if seat + 1 < n else 0
