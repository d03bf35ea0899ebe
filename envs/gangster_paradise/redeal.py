"""Other worlds that a seat cannot tell from the true one. R-numbers: README.md beside this file.

Nothing here depends on what the seat does not know: hidden places are emptied first, then filled.
What others have come to know of a third seat's cards is reduced to what all know (R27).
"""

import numpy as np

from ..engine.copying import copy_cells
from ..engine.game import State
from ..engine.jit import jit
from ..engine.rng import draw, mix, shuffle
from .hidden import known_row, sees_life, sees_picks
from .rules.chain import next_step
from .rules.choices import needs_bullet
from .rules.hands import count_in, learn
from .rules.looks import sight_kills
from .rules.setting import drop_chain
from .rules.victory import own_title
from .state import (
    ALIVE,
    ASK,
    BLACK,
    BLUE,
    CLASSES,
    CONSENT,
    DEAD,
    EVADE,
    EVERYBODY,
    GIVE,
    GRAY,
    KINDS,
    LIFE,
    MAX_CARDS,
    MENU,
    NOTHING,
    PICK,
    RED,
    REPICK,
    SWAP,
    TRADE,
)

TRIES = 500
"""So many worlds are drawn until one is found in which nobody has won already."""


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R27, R63: draw anew all that `player` does not know."""
    s.rng = mix(np.uint64(seed))
    cards, lives = np.zeros(MAX_CARDS, np.int8), np.zeros(8, np.int8)
    if s.player < 0:
        rest = int(s.deck_size)
        for i in range(min(2, rest)):
            rest -= int(s.deck_seen[i]) >> player & 1
        s.deck[:rest].sort()
        shuffle(s.deck[:rest], s)
        redraw_picks(s, player)
        return
    if player != s.turn:
        rewind(s)
    unseen = collect(s, player, cards)
    hidden = collect_lives(s, player, lives)
    for _ in range(TRIES):
        shuffle(cards[:unseen], s)
        shuffle(lives[:hidden], s)
        deal_lives(s, player, lives)
        deal_hands(s, player, cards[:unseen])
        if may_be_left_over(s) and may_be(s):
            break
    forget(s, player)
    redraw_picks(s, player)
    if s.phase == ASK and s.asking == CONSENT and player != s.turn:
        redraw_offers(s, player)


@jit
def rewind(s: State) -> None:
    """R12: of a chain under way its player alone knows the choices since the last effect."""
    if s.phase == MENU or s.phase > TRADE:
        return
    if not s.committed:
        drop_chain(s)
        s.phase = MENU
        return
    s.stage = 0
    if needs_bullet(s, s.card, s.shots):
        s.loaded = NOTHING
    next_step(s)


@jit
def collect(s: State, player: int, cards: np.ndarray) -> int:
    """All cards that `player` does not see, in order of kind; how many they are."""
    unseen = s.in_play - s.on_field - s.hand[player]
    top = int(s.deck_size) - 1
    for i in range(min(2, top + 1)):
        if int(s.deck_seen[i]) >> player & 1:
            unseen[s.deck[top - i]] -= 1
    size = 0
    for k in range(s.kinds):
        for _ in range(unseen[k]):
            cards[size] = k
            size += 1
    return size


@jit
def collect_lives(s: State, player: int, lives: np.ndarray) -> int:
    """All LIFE cards that `player` does not see, in order of colour; how many they are."""
    size = 0
    for colour in range(5):
        for seat in range(s.seats):
            if s.life[seat] == colour and not sees_life(s, player, seat):
                lives[size] = colour
                size += 1
        if s.spare == colour:
            lives[size] = colour
            size += 1
    return size


@jit
def deal_lives(s: State, player: int, lives: np.ndarray) -> None:
    """R3: `lives` to those whose LIFE `player` does not know, the last to the left-over one."""
    at = 0
    for seat in range(s.seats):
        if not sees_life(s, player, seat):
            s.life[seat] = lives[at]
            at += 1
    if s.spare != NOTHING:
        s.spare = lives[at]


@jit
def deal_hands(s: State, player: int, cards: np.ndarray) -> None:
    """Hands as `player` knows them to be at least, R8: classes too, then any; the rest is the deck.

    `cards` are shuffled; one that is dealt is marked.
    """
    dealt = np.zeros(cards.size, np.bool_)
    kinds, class_of = int(s.kinds), s.class_of
    for seat in range(s.seats):
        if seat != player:
            known = s.known[known_row(s, player, seat)]
            s.hand[seat] = 0
            for k in range(kinds):
                for _ in range(known[k]):
                    give_first(s, seat, k, cards, dealt)
    for seat in range(s.seats):
        if seat != player:
            known = s.known[known_row(s, player, seat)]
            for group in range(KINDS, KINDS + CLASSES):
                missing = int(known[group])
                for k in range(kinds):
                    if class_of[k] == group:
                        missing -= int(known[k])
                for _ in range(missing):
                    give_first(s, seat, group, cards, dealt)
    at = 0
    for seat in range(s.seats):
        if seat != player:
            for _ in range(int(s.held[seat]) - s.hand[seat].sum()):
                while dealt[at]:
                    at += 1
                dealt[at] = True
                s.hand[seat, cards[at]] += 1
    stack(s, player, cards, dealt)


@jit
def give_first(s: State, seat: int, group: int, cards: np.ndarray, dealt: np.ndarray) -> None:
    """The first card of a kind or class that is not dealt goes to `seat`."""
    class_of = s.class_of
    for i in range(cards.size):
        k = int(cards[i])
        if not dealt[i] and (k == group or class_of[k] == group):
            dealt[i] = True
            s.hand[seat, k] += 1
            return


@jit
def stack(s: State, player: int, cards: np.ndarray, dealt: np.ndarray) -> None:
    """The deck: what is not dealt, but for top cards that `player` has looked at (R41)."""
    top = int(s.deck_size) - 1
    at = 0
    for i in range(cards.size):
        if not dealt[i]:
            while top - at < 2 and at <= top and int(s.deck_seen[top - at]) >> player & 1:
                at += 1
            s.deck[at] = cards[i]
            at += 1


@jit
def may_be_left_over(s: State) -> bool:
    """R3: with 5 and 6 seats one RED, one BLUE and the BLACK are certainly in.

    So BLACK is never left over, and of two RED or BLUE only the second can be: half of the worlds
    in which one of them is left over are those of the first.
    """
    if s.seats == 4 or s.spare == NOTHING:
        return True
    if s.spare == RED or s.spare == BLUE:
        return bool(draw(s, 2) == 1)
    return bool(s.spare != BLACK)


@jit
def may_be(s: State) -> bool:
    """R48, R49, R53: whether the game would have come so far with these cards."""
    for seat in range(s.seats):
        if s.fate[seat] != DEAD and int(s.cleared[seat]) >> int(s.life[seat]) & 1:
            return False
        if s.fate[seat] != DEAD and s.life[seat] == GRAY:
            for p in range(s.seats):
                if int(s.outlived[seat]) >> p & 1 and s.life[p] != BLACK:
                    return False
        if own_title(s, seat) > 0:
            return False
    return True


@jit
def forget(s: State, player: int) -> None:
    """R27: others know of each other's hands what all know; of the own hand what they know."""
    for p in range(s.seats):
        if p != player:
            for seat in range(s.seats):
                if seat != player:
                    copy_cells(
                        s.known[known_row(s, p, seat)], s.known[known_row(s, EVERYBODY, seat)]
                    )
                    s.life_seen[p, seat] = 0


@jit
def redraw_picks(s: State, player: int) -> None:
    """R34 to R38: cards picked from a hand that `player` does not see, drawn anew from it."""
    if s.picked == 0 or sees_picks(s, player):
        return
    seat, target = int(s.turn), int(s.last_target)
    given = s.phase == GIVE  # R38: the one card that was taken is in the other hand
    evading = s.phase == REPICK or (s.phase == ASK and s.asking == EVADE)
    died = s.fate[target] == DEAD and s.held[target] == 0  # else it could not have been looked at
    cards = s.loot.copy() if died else s.hand[seat if given else target].copy()
    life = int(s.life_kind[s.life[target]])
    if s.effect[s.last_card] != SWAP and (died or s.fate[target] == ALIVE):
        barred = not evading and not died and s.picked <= cards.sum()
        cards[life] = int(not (barred and lives_unseen(s, seat, target)))
    drawn = np.zeros(KINDS, np.int8)
    for i in range(s.picked):
        k = life if died and i == 0 else draw_kind(s, cards, drawn)
        drawn[k] += 1
        s.picks[i] = k
        if given:
            learn(s, target, seat, k, 1)
        elif not evading and not died:
            has_seen(s, seat, target, k, int(drawn[k]))


@jit
def lives_unseen(s: State, seat: int, target: int) -> bool:
    """R34, R48, R49: whether `seat` did not see LIFE: else it went on otherwise."""
    return bool((s.phase == PICK and s.picked == 1) or sight_kills(s, seat, target))


@jit
def has_seen(s: State, seat: int, target: int, k: int, count: int) -> None:
    """R27: what `seat` knows of `target`, and GRAY of it, since it has seen a card of kind k."""
    if s.sort_of[k] != LIFE:
        learn(s, seat, target, k, count)
        return
    s.life_seen[seat, target] = 1
    if s.life[target] == GRAY and (s.round_no > 1 or s.sight_first):
        s.life_seen[target, seat] = 1


@jit
def draw_kind(s: State, hand: np.ndarray, minus: np.ndarray) -> int:
    """The kind of a card drawn from `hand` less the cards `minus`, which leave one at least."""
    left = int(hand.sum()) - int(minus.sum())
    at = draw(s, left)
    for k in range(s.kinds):
        at -= int(hand[k]) - int(minus[k])
        if at < 0:
            return k
    return NOTHING


@jit
def redraw_offers(s: State, player: int) -> None:
    """R19: what others are offered and asked for, from the hands that it would come from."""
    seat = int(s.turn)
    s.stack[:] = 0
    for i in range(s.items[player, 0]):
        s.stack[s.offers[player, 0, i]] += 1
    for partner in range(s.seats):
        if partner == player:
            continue
        asked = np.zeros(KINDS, np.int8)
        for i in range(s.items[partner, 0]):
            k = draw_kind(s, s.hand[seat], s.stack)
            s.stack[k] += 1
            s.offers[partner, 0, i] = k
            learn(s, partner, seat, k, count_in(s.offers[partner, 0], i + 1, k))
        for i in range(s.items[partner, 1]):
            k = draw_kind(s, s.hand[partner], asked)
            asked[k] += 1
            s.offers[partner, 1, i] = k
            if s.agreed[partner]:
                learn(s, seat, partner, k, int(asked[k]))
