"""Other worlds of The Gang that a seat cannot tell from the true one. R-numbers: README.md here.

Each world in which the seat would have seen the same is as likely as any other. So nothing here may
depend on what the seat does not know: hidden places are emptied first, then filled.
"""

import numpy as np

from ..engine.cards import CARDS, JACK_CARD, rank
from ..engine.game import State
from ..engine.jit import jit
from ..engine.poker import category
from ..engine.rng import mix, shuffle, shuffle_first
from .chips import following
from .heist import face_cards, sort_down, total
from .memory import recall
from .observation import passed_on
from .roster import (
    BASIC,
    CON_ARTIST,
    COORDINATOR,
    GETAWAY_DRIVER,
    HACKER,
    INVESTOR,
    MATH_WHIZ,
    SHUFFLED,
    stacked,
)
from .showdown import game_is_over, scanned, scanning
from .state import FLOP, HOLE_ROOM, MAX_SEATS, MOST_HOLE, NO_CARD, NOTHING, REDRAWN
from .strength import open_cards, strength_of

EMPTY = -2
"""A place for a card that is to be drawn."""


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R3, R4, R50: draw anew, from unseen cards, all that `player` does not know."""
    s.rng = mix(np.uint64(seed))
    if game_is_over(s):  # R14: all has been opened
        s.hole[:MAX_SEATS] = s.showdown_hole
    unseen = np.arange(CARDS).astype(np.int8)
    count = empty_places(s, player, unseen)
    if s.mode != BASIC:
        put_known(s, player)
        count = draw_declared(s, player, unseen[:count])
    shuffle(unseen[:count], s)
    rest = fill(s, unseen[:count])
    stack_deck(s, unseen[rest:count])
    if s.mode != BASIC:
        redraw_secrets(s, player)
        restack(s)
    if s.features:
        recall(s)


@jit
def is_open(s: State, player: int, seat: int) -> bool:
    """R3, R14, R41, R46: whether `player` sees the hole cards of `seat`."""
    return bool(seat == player or game_is_over(s) or (scanning(s) and seat != scanned(s)))


@jit
def empty_places(s: State, player: int, unseen: np.ndarray) -> int:
    """Empty all places that `player` cannot see; `unseen` keeps the cards never seen, in order.

    Returns how many they are.
    """
    seen = np.zeros(CARDS + 1, np.bool_)
    for seat in range(s.seats):
        look(s.hole[seat], is_open(s, player, seat), seen)
    shown = open_cards(s.round_no)
    look(s.board[:shown], True, seen)
    look(s.board[shown:], game_is_over(s), seen)
    if s.mode != BASIC:
        look(s.hole[REDRAWN], s.redrawer == player, seen)
        if s.exchanged != NO_CARD:
            if s.user == player:
                seen[s.exchanged] = True
            else:
                s.exchanged = EMPTY
        if s.picks[player] != NO_CARD:
            seen[s.picks[player]] = True
        if s.target == player and s.shown != NO_CARD:
            seen[s.shown] = True
        look(s.lost[player], True, seen)
    count = 0
    for card in range(CARDS):
        if not seen[card]:
            unseen[count] = card
            count += 1
    return count


@jit
def look(cards: np.ndarray, known: bool, seen: np.ndarray) -> None:
    """Mark `cards` as seen if they are known, else empty their places; the Jack is known to all."""
    for i in range(cards.size):
        if cards[i] >= 0 and cards[i] != JACK_CARD:
            if known:
                seen[cards[i]] = True
            else:
                cards[i] = EMPTY


@jit
def first_hand(s: State, seat: int) -> np.ndarray:
    """What `seat` held before any cards were drawn anew at the flop."""
    hand: np.ndarray = s.hole[REDRAWN if s.redrawer == seat else seat]
    return hand


@jit
def hand_when_used(s: State) -> np.ndarray:
    """What the user held when it used the specialist."""
    hand: np.ndarray = s.hole[REDRAWN if s.redrawer == s.user and s.used_in == 0 else s.user]
    return hand


@jit
def put(hand: np.ndarray, card: int) -> None:
    """Put `card` into the first empty place of `hand`, unless it lies there, or none is empty."""
    place = -1
    for i in range(hand.size - 1, -1, -1):
        if hand[i] == card:
            return
        if hand[i] == EMPTY:
            place = i
    if place >= 0:
        hand[place] = card


@jit
def put_known(s: State, player: int) -> None:
    """R28, R33, R36: cards that `player` knows to lie with others."""
    if s.specialist == COORDINATOR and passed_on(s):
        put(first_hand(s, following(s, player)), s.picks[player])
    if s.target == player and s.shown != NO_CARD:
        put(hand_when_used(s), s.shown)
    if s.specialist == CON_ARTIST:
        put_lost(s, player)


@jit
def put_lost(s: State, player: int) -> None:
    """R36: own cards that were dealt to others lie in any place of theirs that is not seen."""
    places = np.empty(MAX_SEATS * MOST_HOLE, np.int64)
    count = 0
    for seat in range(s.seats):
        for i in range(s.held):
            if first_hand(s, seat)[i] == EMPTY:
                places[count] = seat * s.held + i
                count += 1
    shuffle(places[:count], s)
    for card in s.lost[player]:
        if card != NO_CARD and not is_dealt(s, card):
            count -= 1
            first_hand(s, places[count] // s.held)[places[count] % s.held] = card


@jit
def is_dealt(s: State, card: int) -> bool:
    """Whether `card` lies in a hand that has been filled, or was discarded from one."""
    for seat in range(s.seats):
        for i in range(s.held):
            if s.hole[seat, i] == card or first_hand(s, seat)[i] == card:
                return True
    return False


@jit
def fits(s: State, seat: int, hand: np.ndarray) -> bool:
    """R29, R30, R31, R35: whether `hand` is what the seat has declared."""
    if s.specialist == INVESTOR:
        return bool(face_cards(hand, s.held) == s.declared[seat])
    if s.specialist == MATH_WHIZ:
        return bool(total(hand, s.held) == s.declared[seat])
    if s.specialist == GETAWAY_DRIVER:
        found = strength_of(s, hand, open_cards(s.used_in))
        return bool(category(found) == s.declared_category)
    count = 0
    for i in range(s.held):
        count += int(rank(hand[i]) == s.declared_rank)
    return bool(count == s.declared_count)


@jit
def has_declared(s: State, seat: int) -> bool:
    """R29, R30, R31, R35."""
    if s.specialist == INVESTOR or s.specialist == MATH_WHIZ:
        return True
    said = s.declared_category != NOTHING or s.declared_rank != NOTHING
    return bool(said and seat == s.user)


@jit
def draw_declared(s: State, player: int, unseen: np.ndarray) -> int:
    """Fill hidden hands whose seats have declared something, each from all that fit.

    Each is drawn by itself, until no two of them have a card in common: so all ways to fill them
    are as likely. Returns how many of `unseen` are left; these come first, least card first.
    """
    hidden = np.zeros(MAX_SEATS, np.bool_)
    for seat in range(s.seats):
        hidden[seat] = has_declared(s, seat) and hand_then(s, seat)[0] == EMPTY
    used = np.zeros(CARDS, np.bool_)
    clash = bool(hidden.any())
    while clash:
        used[:] = False
        clash = False
        for seat in range(s.seats):
            if hidden[seat]:
                hand = hand_then(s, seat)
                draw_fitting(s, seat, unseen, hand)
                for i in range(s.held):
                    clash |= used[hand[i]]
                    used[hand[i]] = True
    unseen.sort()
    count = 0
    for card in unseen:
        if not used[card]:
            unseen[count] = card
            count += 1
    return count


@jit
def hand_then(s: State, seat: int) -> np.ndarray:
    """What `seat` held when it declared something."""
    early = s.specialist == INVESTOR or s.specialist == MATH_WHIZ
    return first_hand(s, seat) if early else hand_when_used(s)


@jit
def draw_fitting(s: State, seat: int, unseen: np.ndarray, hand: np.ndarray) -> None:
    """Draw a `hand` from `unseen` that the seat's words fit; the true one does, so there are."""
    while True:
        shuffle_first(unseen, s.held, s)
        for i in range(s.held):
            hand[i] = unseen[i]
        if fits(s, seat, hand):
            return


@jit
def fill(s: State, cards: np.ndarray) -> int:
    """Fill the empty places with `cards` in their order; returns how many it took."""
    at = 0
    for seat in range(s.seats):
        at = fill_row(s.hole[seat], cards, at)
    at = fill_row(s.board, cards, at)
    if s.mode != BASIC:
        at = fill_row(s.hole[REDRAWN], cards, at)
        if s.exchanged == EMPTY:
            s.exchanged = cards[at]
            at += 1
        sort_down(s.hole[REDRAWN], HOLE_ROOM)
    for seat in range(s.seats):
        sort_down(s.hole[seat], HOLE_ROOM)
    sort_down(s.board, FLOP)
    return at


@jit
def fill_row(row: np.ndarray, cards: np.ndarray, at: int) -> int:
    """Fill the empty places of `row` with `cards` from place `at` on; where the next are."""
    for i in range(row.size):
        if row[i] == EMPTY:
            row[i] = cards[at]
            at += 1
    return at


@jit
def stack_deck(s: State, pile: np.ndarray) -> None:
    """Put all cards that have been drawn to the front of the deck, then the `pile`."""
    at = 0
    for seat in range(s.seats):
        at = stack_row(s, s.hole[seat], at)
    at = stack_row(s, s.board, at)
    if s.mode != BASIC:
        at = stack_row(s, s.hole[REDRAWN], at)
        if s.exchanged >= 0:
            s.deck[at] = s.exchanged
            at += 1
    s.deck[at : at + pile.size] = pile


@jit
def stack_row(s: State, row: np.ndarray, at: int) -> int:
    """Put the cards of `row`, but for the Jack, into the deck from place `at` on."""
    for card in row:
        if card >= 0 and card != JACK_CARD:
            s.deck[at] = card
            at += 1
    return at


@jit
def redraw_secrets(s: State, player: int) -> None:
    """R28, R32, R33, R36: what others know of their own cards and `player` does not."""
    if s.shown != NO_CARD and player not in (s.user, s.target):
        s.shown = hand_when_used(s)[draw_place(s)]
    if s.specialist == HACKER and s.hacked != NO_CARD and player != s.user:
        redraw_hacked(s)
    if s.specialist == COORDINATOR:
        redraw_picks(s, player)
    if s.specialist == CON_ARTIST:
        redraw_lost(s, player)


@jit
def draw_place(s: State) -> int:
    """A place of a hand."""
    places = np.arange(s.held)
    shuffle_first(places, 1, s)
    return int(places[0])


@jit
def redraw_hacked(s: State) -> None:
    """R32: any card that the user had in hand may be the drawn one."""
    cards = np.empty(HOLE_ROOM, np.int8)
    hand = hand_when_used(s)
    count = 0
    for card in hand:
        if card != NO_CARD:
            cards[count] = card
            count += 1
    if s.exchanged != NO_CARD:
        cards[count] = s.exchanged
        count += 1
    shuffle_first(cards[:count], 1, s)
    s.hacked = cards[0]


@jit
def redraw_picks(s: State, player: int) -> None:
    """R33: others may have chosen any card; once passed, it lies in the left neighbour's hand."""
    there = passed_on(s)
    for seat in range(s.seats):
        left = following(s, seat)
        if seat != player and s.picks[seat] != NO_CARD and not (there and left == player):
            s.picks[seat] = first_hand(s, left if there else seat)[draw_place(s)]


@jit
def redraw_lost(s: State, player: int) -> None:
    """R36: any way in which the others' hands may have lain before they were dealt again."""
    n, held = int(s.seats), int(s.held)
    mine = np.zeros(CARDS, np.bool_)
    kept = held
    for card in s.lost[player]:
        if card != NO_CARD:
            mine[card] = True
            kept -= 1
    own = first_hand(s, player)[:held].copy()
    shuffle_first(own, kept, s)
    for i in range(kept):
        mine[own[i]] = True
    pool = np.empty(MAX_SEATS * MOST_HOLE, np.int8)
    count = 0
    for seat in range(n):
        for card in first_hand(s, seat)[:held]:
            if not mine[card]:
                pool[count] = card
                count += 1
    shuffle(pool[:count], s)
    for seat in range(n):
        if seat == player:
            continue
        for i in range(held):
            count -= 1
            card = pool[count]
            s.lost[seat, i] = card
            for other in first_hand(s, seat)[:held]:
                if other == card:
                    s.lost[seat, i] = NO_CARD
        sort_down(s.lost[seat], held)


@jit
def restack(s: State) -> None:
    """R23: the order of shuffled cards that nobody has drawn yet is unknown."""
    if s.order == SHUFFLED and not s.given:
        restack_from(s, s.challenge_stack[: stacked(s)], s.challenges_drawn)
        restack_from(s, s.specialist_stack, s.specialists_drawn)


@jit
def restack_from(s: State, stack: np.ndarray, drawn: int) -> None:
    """Shuffle the cards of `stack` below the first `drawn`."""
    rest = stack[drawn:]
    rest.sort()
    shuffle(rest, s)
