"""What can happen in Caribbean Poker. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import CARDS, parse_cards
from ..engine.copying import copy_cells
from ..engine.game import Game, State
from ..engine.jit import jit
from ..engine.poker import EMPTY, add, best_hand, category, strength
from ..engine.rng import shuffle_first
from .state import (
    BETTING,
    BONUS,
    CALL,
    CALL_STAKE,
    DECIDING,
    FIRST_BET,
    FOLD,
    FOLDED,
    HAND,
    LOST,
    SHOWN,
    TIED,
    UNDECIDED,
    UNQUALIFIED,
    WON,
    seat_card,
)

QUALIFYING = best_hand("Ac Kd 4h 3s 2c")
"""R6: the weakest hand with an ace and a king; a pair or better is stronger, all others weaker."""


@jit
def hand_strength(s: State, first: int) -> int:
    """R11: the strength of the five cards from place `first` of the deck on."""
    hand = EMPTY
    for i in range(first, first + HAND):
        hand = add(hand, int(s.deck[i]))
    return strength(hand)


@jit
def seat_strength(s: State, seat: int) -> int:
    """R11: the strength of the hand of `seat`."""
    return hand_strength(s, seat_card(seat, 0))


@jit
def next_seat(s: State, after: int) -> int:
    """R2, R12: the first seat behind `after` that plays this round; -1 if there is none."""
    for seat in range(after + 1, s.seats):
        if s.playing[seat]:
            return seat
    return -1


@jit
def _begin_round(s: State) -> None:
    """R1, R2: a shuffled deck; no card is seen before all have bet."""
    shuffle_first(s.deck, HAND * (int(s.seats) + 1), s)
    s.ante[:] = 0
    s.bonus[:] = 0
    s.choice[:] = UNDECIDED
    s.phase = BETTING
    s.player = next_seat(s, -1)
    if s.fixed_ante:
        for seat in range(s.seats):
            if s.playing[seat]:
                _bet(s, seat, int(s.fixed_ante), False)
        s.phase = DECIDING


@jit
def deal(s: State) -> None:
    """R1, R12: a new session."""
    for card in range(CARDS):
        s.deck[card] = card
    s.money[:] = 0
    s.playing[:] = 0
    for seat in range(s.seats):
        s.money[seat] = s.bankroll
        s.playing[seat] = 1
    s.result[:] = 0
    s.rounds = 0
    s.last[:] = 0
    s.outcomes[:] = 0
    s.bonus_bets[:] = 0
    s.bonus_hits[:] = 0
    s.staked[:] = 0
    s.qualified = 0
    _begin_round(s)


@jit
def affords(s: State, seat: int, points: int) -> bool:
    """R12: whether `seat` can put `points` at stake."""
    return bool(s.bankroll == 0 or s.money[seat] >= points)


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R2, R3, R5, R12."""
    mask[:] = False
    if s.player < 0:
        return
    player = int(s.player)
    if s.phase == DECIDING:
        mask[FOLD] = True
        mask[CALL] = affords(s, player, CALL_STAKE * int(s.ante[player]))
        return
    for i in range(s.num_levels):
        ante = int(s.levels[i])
        mask[FIRST_BET + 2 * i] = affords(s, player, ante)
        mask[FIRST_BET + 2 * i + 1] = s.bonus_offered != 0 and affords(s, player, ante + BONUS)


@jit
def _stake(s: State, seat: int, points: int) -> None:
    """Put `points` of `seat` at stake."""
    s.staked[seat] += points
    if s.bankroll:
        s.money[seat] -= points


@jit
def _bet(s: State, seat: int, ante: int, bonus: bool) -> None:
    """R2, R3."""
    s.ante[seat] = ante
    s.bonus[seat] = bonus
    s.bonus_bets[seat] += bonus
    _stake(s, seat, ante + (BONUS if bonus else 0))


@jit
def step(s: State, action: int) -> None:
    """R2 to R5."""
    player = int(s.player)
    if s.phase == BETTING:
        number = action - FIRST_BET
        _bet(s, player, int(s.levels[number // 2]), number % 2 == 1)
    else:
        s.choice[player] = action
        if action == CALL:
            _stake(s, player, CALL_STAKE * int(s.ante[player]))
    s.player = next_seat(s, player)
    if s.player < 0 and s.phase == BETTING:  # R4
        s.phase = DECIDING
        s.player = next_seat(s, -1)
    elif s.player < 0:
        _settle_round(s)


@jit
def outcome(choice: int, own: int, banker: int) -> int:
    """R5 to R9: how a round ends for a seat whose hand has strength `own`."""
    if choice == FOLD:
        return FOLDED
    if banker < QUALIFYING:
        return UNQUALIFIED
    if own == banker:
        return TIED
    return WON if own > banker else LOST


@jit
def net(result: int, odds: int) -> int:
    """R5, R7 to R9: the net win of ante and call, in antes, at these odds of the call."""
    if result == FOLDED:
        return -1
    if result == UNQUALIFIED:
        return 1
    if result == TIED:
        return 0
    return 1 + CALL_STAKE * odds if result == WON else -1 - CALL_STAKE


@jit
def _settle_seat(s: State, seat: int, banker: int) -> None:
    """R5 to R10, R13: the stakes come back with what was won, or are lost."""
    own = seat_strength(s, seat)
    kind = category(own)
    ante = int(s.ante[seat])
    result = outcome(int(s.choice[seat]), own, banker)
    points = ante * net(result, int(s.call_odds[kind]))
    staked = ante * (1 if result == FOLDED else 1 + CALL_STAKE)
    if s.bonus[seat]:  # R10: for one, whatever became of the rest
        points += BONUS * (int(s.bonus_odds[kind]) - 1)
        staked += BONUS
        s.bonus_hits[seat] += s.bonus_odds[kind] > 0
    s.outcomes[seat, result] += 1
    s.result[seat] += points / ante if s.per_ante else float(points)
    if s.bankroll:
        s.money[seat] += staked + points


@jit
def _settle_round(s: State) -> None:
    """R5 to R13: settle with all seats; then the next round, or the end."""
    banker = hand_strength(s, 0)
    copy_cells(s.last, s.deck[:HAND])  # R5
    s.qualified += banker >= QUALIFYING
    left = 0
    for seat in range(s.seats):
        if s.playing[seat]:
            _settle_seat(s, seat, banker)
    s.rounds += 1
    if s.rounds < s.num_rounds:
        for seat in range(s.seats):  # R12
            s.playing[seat] = s.playing[seat] and affords(s, seat, int(s.levels[0]))
            left += s.playing[seat]
    if left:
        _begin_round(s)
    else:
        s.phase = SHOWN
        s.player = -1


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R13: net points of the rounds that are settled, or each round's net points over its ante."""
    for seat in range(s.seats):
        out[seat] = s.result[seat]


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """Put given cards in place of this round's.

    `banker`: five cards, the last of which is turned up (R4), such as "Ac Kd 4h 3s 2c"; `hand0`,
    `hand1`, ...: five cards for each seat.
    """
    keys = ["banker", *(f"hand{seat}" for seat in range(game.players))]
    if set(cards) != set(keys):
        raise ValueError(
            f"a deal of caribbean_poker has {', '.join(keys)}, not {', '.join(cards) or 'nothing'}"
        )
    for key in keys:
        if len(parse_cards(cards[key])) != HAND:
            raise ValueError(f"{key} is a hand of {HAND} cards, not {cards[key]!r}")
    dealt = parse_cards(" ".join(cards[key] for key in keys))
    if max(dealt) >= CARDS:
        raise ValueError("the deck has no jack without a suit")
    s.deck[:] = dealt + [card for card in range(CARDS) if card not in dealt]
