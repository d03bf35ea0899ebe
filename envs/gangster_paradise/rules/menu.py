"""What the player whose turn it is may begin, and how. R-numbers: README.md one folder up.

A chain is begun here, goes on in `chain.py` until it is whole, and takes effect in `effects.py`.
"""

import numpy as np

from ...engine.copying import copy_cells
from ...engine.game import State
from ...engine.jit import jit
from ..actions import (
    COLOUR_COUNT,
    END,
    ONE_MORE_DRAW,
    RESET,
    SHOW_CARD,
    SURRENDER,
    TO_SELL,
    TO_TRADE,
    USE_CARD,
    cards_from,
    statement,
    talk_from,
)
from ..hidden import known_row
from ..state import (
    ALIVE,
    BLACK,
    BUY,
    CHAINS,
    DECIDE,
    DRAW_AND_LAY,
    EVERYBODY,
    FENCE,
    FIELD_CARDS,
    HUSTLE,
    KILL,
    LIFE,
    LOOK,
    NEGOTIATE,
    NEXT_STEP,
    NEXT_TURN,
    NOTHING,
    PEEK,
    PICKUP,
    REACT,
    RECRUIT,
    REFUSALS,
    SEIZE,
    SELL,
    SHOOT,
    SPY,
    STATEMENTS,
    SURRENDERED,
    SWAP,
    TO_MENU,
    TRADE,
    WEAPON,
)
from .choices import (
    fits_field,
    fits_hand,
    fits_seat,
    goes_together,
    has_bullet,
    needs_bullet,
    purse,
)
from .hands import gather, lay, show
from .turns import ACTIONS, peaceful


@jit
def legal_menu(s: State, mask: np.ndarray) -> None:
    """R11, R12: end the turn, or begin one of the chains, as long as there are some left."""
    mask[END] = True
    if s.chains >= CHAINS:
        return
    seat, kinds = int(s.turn), int(s.kinds)
    uses, shows = cards_from(s, USE_CARD), cards_from(s, SHOW_CARD)
    usable, showable = mask[uses : uses + kinds], mask[shows : shows + kinds]
    hand, shown = s.hand[seat], s.known[known_row(s, EVERYBODY, seat)]
    for k in range(kinds):
        showable[k] = (s.showable[k] != 0) & (hand[k] > shown[k])  # R25
    for k in range(kinds):
        usable[k] = (hand[k] > 0) & (s.usage[k] != 0) & (s.usage[k] != REACT)
    for k in range(kinds):
        if usable[k]:
            usable[k] = can_use(s, k)
    weapons = 0
    for k in range(kinds):
        weapons += int((hand[k] > 0) & (s.sort_of[k] == WEAPON) & (s.cost[k] > 0))
    black = int(s.life_kind[BLACK])
    if s.life[seat] == BLACK and s.fate[seat] == ALIVE and not s.life_open[seat]:
        mask[shows + black] = s.showable[black] != 0  # R28
    mask[TO_TRADE] = (s.actions > 0 or s.free_trade != 0) and s.refusals < REFUSALS
    mask[TO_SELL] = s.actions > 0 and weapons > 0
    mask[RESET] = s.actions > 0
    mask[ONE_MORE_DRAW] = s.actions > 1
    mask[SURRENDER] = s.surrender != 0 and s.fate[seat] == ALIVE
    if s.talk and s.spoken < STATEMENTS:
        legal_talk(s, mask)


@jit
def legal_talk(s: State, mask: np.ndarray) -> None:
    """R26: whatever one likes, but that one holds a LIFE card is said by its colour."""
    first = talk_from(s)
    mask[first:] = True
    for colour in range(COLOUR_COUNT):
        if s.life_kind[colour] != NOTHING:
            mask[first + COLOUR_COUNT + int(s.life_kind[colour])] = False


@jit
def can_use(s: State, k: int) -> bool:
    """R14 to R16: whether the card of kind k, in hand, can be used now, and would do something."""
    if s.limit[k] > 0 and s.used[k] >= s.limit[k]:
        return False
    if s.price[k] > s.actions and not goes_together(s, k):
        return False
    effect = int(s.effect[k])
    if effect == SHOOT or effect == KILL:
        if peaceful(s) or (effect == SHOOT and needs_bullet(s, k, 0) and not has_bullet(s)):
            return False
    if effect == SHOOT or effect == KILL or effect == SPY or effect == LOOK:
        return any_seat(s, k)
    if effect == SWAP or effect == SEIZE:
        return any_seat(s, k)
    if effect == BUY:
        return any_on_field(s, k, purse(s))
    if effect == PICKUP:
        return any_on_field(s, k, 0)
    if effect == FENCE or effect == RECRUIT or effect == HUSTLE:
        return any_exchange(s, k)
    if effect == PEEK:
        return bool(s.deck_size > 0)
    return bool(effect != NEGOTIATE or not s.free_trade)


@jit
def any_seat(s: State, k: int) -> bool:
    """Whether anybody can be the target."""
    for seat in range(s.seats):
        if fits_seat(s, k, seat):
            return True
    return False


@jit
def any_on_field(s: State, k: int, budget: int) -> bool:
    """Whether there is anything to take from the field."""
    for j in range(s.kinds):
        if s.on_field[j] > 0 and fits_field(s, k, j, budget):
            return True
    return False


@jit
def any_exchange(s: State, k: int) -> bool:
    """Whether some own card can be given for some card of the field."""
    for own in range(s.kinds):
        if s.hand[s.turn, own] > 0 and fits_hand(s, k, own):
            for j in range(s.kinds):
                if s.on_field[j] > 0 and fits_field(s, k, j, int(s.cost[own])):
                    return True
    return False


@jit
def begin(s: State, action: int) -> int:
    """One of the things that `legal_menu` allows; returns what comes first.

    What has an effect at once and opens no chain leaves the player in the menu.
    """
    seat = int(s.turn)
    if action == END:
        return NEXT_TURN
    s.chains += 1
    if action == TO_TRADE:
        s.phase = TRADE
        return DECIDE
    if action == TO_SELL:
        s.phase = SELL
        return DECIDE
    if action == RESET:  # R23
        s.actions -= 1
        s.again = NOTHING
        gather(s)
        lay(s, FIELD_CARDS)
        return TO_MENU
    if action == ONE_MORE_DRAW:  # R24
        s.actions -= 2
        s.again = NOTHING
        s.committed = 1
        return DRAW_AND_LAY
    if action == SURRENDER:  # R58
        s.fate[seat] = SURRENDERED
        s.stirred = 1
        return NEXT_TURN
    if action >= talk_from(s):
        copy_cells(s.said[seat, 1], s.said[seat, 0])
        words = s.said[seat, 0]
        words[0], words[1], words[2], words[3] = statement(s, seat, action)
        s.spoken += 1
        return DECIDE
    k = int(action) - cards_from(s, USE_CARD)
    if k < s.kinds:
        s.card = k
        return NEXT_STEP
    show_card(s, seat, k - int(s.kinds))
    return DECIDE


@jit
def show_card(s: State, seat: int, k: int) -> None:
    """R25: one more card than all know of; R28: BLACK's LIFE, which gives actions at once."""
    if s.sort_of[k] == LIFE:
        s.life_open[seat] = 1
        s.actions += s.black_actions - ACTIONS
    else:
        show(s, seat, k, int(s.known[known_row(s, EVERYBODY, seat), k]) + 1)
