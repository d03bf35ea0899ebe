"""The set-up of Gangster Paradise. R-numbers: README.md one folder up."""

from ...engine.copying import copy_cells
from ...engine.game import State
from ...engine.jit import jit
from ...engine.rng import shuffle
from ..hidden import known_row
from ..state import (
    ALIVE,
    ASK,
    BLACK,
    BLUE,
    BOSS_SHOWN,
    EVERYBODY,
    GRAY,
    KINDS,
    LIFE,
    NOTHING,
    PURPLE,
    RED,
    WEAPON,
)
from .hands import draw_card, lay

DECK_SHARE = 5
"""R4: so many GANGSTER and MONEY go into the deck, at most."""
BULLET_SHARE = 4
"""R6: so many BULLET go into the deck, at most."""
FIRST_FIELD = 3
"""R7: so many cards are laid beside SPY and TRICKSTER."""


@jit
def deal(s: State) -> None:
    """R3 to R8: the set-up; then R9: who has THE BOSS may show it."""
    clear(s)
    deal_lives(s)
    count_cards(s)
    deal_hands(s)
    lay(s, FIRST_FIELD)
    for seat in range(s.seats):
        draw_card(s, seat)
    s.phase = ASK
    s.asking = BOSS_SHOWN
    s.player = 0


@jit
def clear(s: State) -> None:
    """Nothing lies anywhere, nothing is known, nothing has happened."""
    s.hand[:] = 0
    s.held[:] = 0
    s.on_field[:] = 0
    s.deck[:] = 0
    s.deck_size = 0
    s.deck_seen[:] = 0
    s.known[:] = 0
    s.life[:] = NOTHING
    s.spare = NOTHING
    s.life_open[:] = 0
    s.life_seen[:] = 0
    s.cleared[:] = 0
    s.outlived[:] = 0
    s.fate[:] = ALIVE
    s.starter = s.turn = 0
    s.round_no = 0
    s.actions = s.free_trade = s.chains = s.refusals = s.spoken = s.together = 0
    s.used[:] = 0
    s.negated[:] = 0
    s.evaded[:] = 0
    s.again = s.last_card = s.last_target = NOTHING
    s.asked = 0
    s.subject = s.subject_user = NOTHING
    s.picks[:] = NOTHING
    s.picked = 0
    s.agreed[:] = 0
    s.said[:] = NOTHING
    s.accepted[:] = 0
    s.refused[:] = 0
    s.stirred = s.over_how = 0
    s.titles[:] = 0
    s.moves = s.deaths = s.shots_fired = s.looks = s.purchases = s.sales = 0
    drop_chain(s)


@jit
def drop_chain(s: State) -> None:
    """No chain of decisions is under way."""
    s.stage = s.committed = s.mode = s.stacked = s.worth = s.shots = s.hits = 0
    s.card = s.target = s.given = s.taken = s.loaded = s.partner = NOTHING
    s.stack[:] = 0
    s.loot[:] = 0
    s.offers[:] = NOTHING
    s.items[:] = 0


@jit
def deal_lives(s: State) -> None:
    """R3: cards that are certainly in, then those of which one may be left over; `deck` is a tray.

    The one that is left over is the last of the shuffled second part.
    """
    n, tray = int(s.seats), s.deck
    tray[0], tray[1], tray[2], tray[3], tray[4] = RED, BLUE, BLACK, RED, BLUE
    tray[5], tray[6] = PURPLE, GRAY
    if n == 4:
        shuffle(tray[:5], s)
    elif n == 5 and not s.beginner:
        shuffle(tray[3:6], s)
    elif n == 6:
        shuffle(tray[3:7], s)
    if n < 7 and not s.beginner:
        s.spare = tray[n]
    shuffle(tray[:n], s)
    copy_cells(s.life, tray[:n])


@jit
def count_cards(s: State) -> None:
    """R4 to R6: how many cards of each kind are not put back into the box."""
    n = int(s.seats)
    for k in range(s.kinds):
        count = int(s.copies[k])
        if k == s.gangster or k == s.money:
            count = min(count, n + DECK_SHARE)
        elif k == s.bullet:
            count = min(count, n - 1 + BULLET_SHARE)
        elif s.sort_of[k] == WEAPON and not s.spare_weapons:
            count = min(count, mixed(s, k))
        s.in_play[k] = 0 if s.sort_of[k] == LIFE else count


@jit
def mixed(s: State, k: int) -> int:
    """R5: how many of the weapon k are in the mix that is dealt."""
    if s.class_of[k] != KINDS:
        return 0
    if k != s.gun:
        return 1
    count = int(s.seats)
    for j in range(s.kinds):
        count -= int(s.class_of[j] == KINDS and j != s.gun)
    return count


@jit
def deal_hands(s: State) -> None:
    """R4 to R8: six cards each; all others are the deck, but for SPY and TRICKSTER."""
    n = int(s.seats)
    for seat in range(n):
        s.hand[seat, s.gangster] += 1
        s.hand[seat, s.money] += 1
        s.held[seat] += 2
    for group in range(KINDS, KINDS + 3):
        size = 0
        for k in range(s.kinds):
            if s.class_of[k] == group:
                count = int(s.in_play[k])
                if group == KINDS:
                    count = mixed(s, k)
                elif k == s.bullet:
                    count = n - 1
                for _ in range(count):
                    s.deck[size] = k
                    size += 1
        shuffle(s.deck[:size], s)
        for seat in range(n):
            s.hand[seat, s.deck[seat]] += 1
            s.held[seat] += 1
    s.on_field[s.spy] += 1
    s.on_field[s.trickster] += 1
    stack_rest(s)
    for p in range(EVERYBODY, s.seats):
        for seat in range(n):
            known = s.known[known_row(s, p, seat)]
            known[s.gangster] = known[s.money] = 1
            known[KINDS:] = 1


@jit
def stack_rest(s: State) -> None:
    """R7: all cards in play that lie in no hand and not on the field are shuffled, as the deck."""
    size = 0
    for k in range(s.kinds):
        count = int(s.in_play[k]) - int(s.on_field[k])
        for seat in range(s.seats):
            count -= int(s.hand[seat, k])
        for _ in range(count):
            s.deck[size] = k
            size += 1
    s.deck[size:] = 0
    s.deck_size = size
    shuffle(s.deck[:size], s)
