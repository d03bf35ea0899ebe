"""What can happen in Cockroach Poker. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import Game, State
from ..engine.jit import jit
from ..engine.names import several
from ..engine.rng import draw
from .state import (
    ALL,
    ANSWERING,
    CALL_TRUE,
    CALLS_RIGHT,
    CALLS_WRONG,
    CLAIMS_FALSE,
    CLAIMS_TRUE,
    COPIES,
    EMPTY,
    FOUR,
    KINDS,
    LOOK,
    LOOKED,
    OFFER,
    OFFERING,
    PASS,
    SPECIES,
    call_action,
    look_action,
    pass_action,
    read_action,
)


@jit
def draw_card(s: State, left: int) -> int:
    """A card drawn from the `left` cards that lie aside."""
    at = draw(s, left)
    card = 0
    while at >= s.aside[card]:
        at -= s.aside[card]
        card += 1
    s.aside[card] -= 1
    return card


@jit
def draw_hand(s: State, seat: int, count: int) -> None:
    """Give `seat` `count` cards drawn from those aside, in place of its hand."""
    left = 0
    for card in range(KINDS):
        left += int(s.aside[card])
        s.hand[seat, card] = 0
    for i in range(count):
        s.hand[seat, draw_card(s, left - i)] += 1
    s.hand_size[seat] = count


@jit
def clear_flight(s: State) -> None:
    """No card is in flight, and nobody has said anything of one."""
    s.phase = OFFERING
    s.flight = -1
    s.chain = 0
    s.knows[:] = 0
    s.handled[:] = 0
    s.chain_seat[:] = 0
    s.chain_claim[:] = 0
    s.chain_looked[:] = 0


@jit
def _deal_game(s: State) -> None:
    """R1, R2, R3: cards to all, a bonus card to the starter; the rest stays aside."""
    s.aside[:] = COPIES
    s.faceup[:] = 0
    s.tally[:] = 0
    for seat in range(s.seats):
        draw_hand(s, seat, int(s.cards) + (s.bonus if seat == s.starter else 0))
    clear_flight(s)
    s.player = s.starter


@jit
def deal(s: State) -> None:
    """R3: the starter of the first game is drawn."""
    s.games = 0
    s.losses[:] = 0
    s.ends[:] = 0
    s.turns = s.passes = s.looks = 0
    s.calls = s.calls_right = s.claims = s.lies = 0
    s.starter = draw(s, int(s.seats))
    _deal_game(s)


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R4, R5, R8, R9, R10."""
    mask[:] = False
    if s.player < 0:
        return
    seats, player = int(s.seats), int(s.player)
    if s.phase == OFFERING:  # R4: any of one's cards, to anybody, as any species
        block = KINDS * (seats - 1)
        for card in range(KINDS):
            if s.hand[player, card] > 0:
                mask[card * block : (card + 1) * block] = True  # a slice is one fast write
        return
    if s.phase == ANSWERING:  # R9: not after a look
        mask[call_action(seats, True)] = True
        mask[call_action(seats, False)] = True
        mask[look_action(seats)] = s.chain < seats - 1  # R10
    for target in range(1, seats):
        seat = player + target
        if s.handled[seat - seats if seat >= seats else seat] == 0:  # R10
            first = pass_action(seats, target, 0)
            mask[first : first + KINDS] = True  # R8


@jit
def step(s: State, action: int) -> None:
    """R4, R5, R8, R9."""
    seats = int(s.seats)
    does, card, target, claim = read_action(seats, action)
    if does == OFFER:
        s.hand[s.player, card] -= 1
        s.hand_size[s.player] -= 1
        s.flight = card
        s.knows[s.player] = 1
        s.turns += 1
        _name(s, (s.player + target) % seats, claim)
    elif does == PASS:
        s.passes += 1
        _name(s, (s.player + target) % seats, claim)
    elif does == LOOK:
        s.knows[s.player] = 1
        s.phase = LOOKED
        s.looks += 1
    else:
        _turn_up(s, does == CALL_TRUE)


@jit
def _name(s: State, receiver: int, claim: int) -> None:
    """R4, R8: the mover names a species and `receiver` is to answer."""
    s.chain_seat[s.chain] = s.player
    s.chain_claim[s.chain] = claim
    s.chain_looked[s.chain] = s.phase == LOOKED
    s.chain += 1
    s.handled[s.player] = 1
    s.player = receiver
    s.phase = ANSWERING


@jit
def _turn_up(s: State, said: bool) -> None:
    """R5, R6, R7, R11: the mover says whether the last claim is true, and the card is turned up."""
    card, caller, last = int(s.flight), int(s.player), int(s.chain) - 1
    right = said == (s.chain_claim[last] == card)
    for i in range(s.chain):
        false = s.chain_claim[i] != card
        s.tally[s.chain_seat[i], CLAIMS_FALSE if false else CLAIMS_TRUE] += 1
        s.claims += 1
        s.lies += false
    s.tally[caller, CALLS_RIGHT if right else CALLS_WRONG] += 1
    s.calls += 1
    s.calls_right += right
    taker = int(s.chain_seat[last]) if right else caller
    s.faceup[taker, card] += 1
    clear_flight(s)
    s.player = taker
    _judge(s, taker, card)


@jit
def _judge(s: State, taker: int, card: int) -> None:
    """R12, R13, R14: whether `taker` has lost the game with `card`, and what comes then."""
    kinds = 0
    for kind in range(KINDS):
        kinds += s.faceup[taker, kind] > 0
    if s.faceup[taker, card] >= s.four:  # R12
        s.ends[FOUR] += 1
    elif s.all_kinds and kinds == KINDS:  # R13
        s.ends[ALL] += 1
    elif s.hand_size[taker] == 0:  # R14: the taker would have to offer
        s.ends[EMPTY] += 1
    else:
        return
    s.losses[taker] += 1
    s.games += 1
    if s.games == s.num_games:
        s.player = -1
    else:
        s.starter = taker  # R16
        _deal_game(s)


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R15, R16: -1 a game lost, 1 / (seats - 1) a game that another lost, of the games over."""
    seats, games = int(s.seats), int(s.games)
    for seat in range(seats):
        lost = int(s.losses[seat])
        out[seat] = (games - lost) / (seats - 1) - lost


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """Put given cards in place of the drawn ones; the rest goes aside.

    `hand0`, `hand1`, ...: a hand for each seat, such as "rat rat fly"; `starter`: the seat that
    offers first, if not the one drawn. With `faceup0`, ... the game starts in the middle: these
    cards lie before the seats already, and hands may be smaller, and differ in size.

    Raises:
        ValueError: with a sentence, if that makes no game; the state is as before then.
    """
    starter = _starter(game, s, cards)
    hands = [_counts(cards, f"hand{seat}") for seat in range(game.players)]
    faceup = [_counts(cards, f"faceup{seat}", "") for seat in range(game.players)]
    _check_arranged(s, starter, hands, faceup, any(key.startswith("faceup") for key in cards))
    s.aside[:] = COPIES - np.sum(hands + faceup, axis=0)
    s.faceup[: game.players] = faceup
    s.hand[: game.players] = hands
    s.hand_size[: game.players] = np.sum(hands, axis=1)
    s.tally[:] = 0
    clear_flight(s)
    s.player = s.starter = starter


def _starter(game: Game, s: State, cards: dict[str, str]) -> int:
    """The seat that offers first; before that, whether all keys of `cards` are known."""
    seats = range(game.players)
    for key in cards:
        if key != "starter" and key not in [f"{w}{p}" for w in ("hand", "faceup") for p in seats]:
            raise ValueError(
                f"a deal of {game.players} seats has hand0 to hand{game.players - 1}, faceup0 to "
                f"faceup{game.players - 1} and starter, not {key!r}"
            )
    starter = cards.get("starter", str(s.starter)).strip()
    if starter not in map(str, seats):
        raise ValueError(f"starter is a seat from 0 to {game.players - 1}, not {starter!r}")
    return int(starter)


def _counts(cards: dict[str, str], key: str, default: str | None = None) -> list[int]:
    """How many cards of each species the text of `key` names."""
    text = cards.get(key, default)
    if text is None:
        raise ValueError(f"the deal lacks {key}: each seat needs a hand, such as 'rat rat fly'")
    for word in text.split():
        if word not in SPECIES:
            raise ValueError(f"{key}: a card is one of {', '.join(SPECIES)}, not {word!r}")
    return [text.split().count(species) for species in SPECIES]


def _check_arranged(
    s: State, starter: int, hands: list[list[int]], faceup: list[list[int]], late: bool
) -> None:
    """R1, R2, R12, R13, R14: whether a game may start, or if `late` go on, from these cards."""
    total = [sum(counts) for counts in zip(*hands, *faceup, strict=True)]
    for species, count in zip(SPECIES, total, strict=True):
        if count > COPIES:
            raise ValueError(
                f"there are {COPIES} cards of a species, but the deal has {count} {species}"
            )
    for seat, (hand, pile) in enumerate(zip(hands, faceup, strict=True)):
        size = int(s.cards) + (int(s.bonus) if seat == starter else 0)
        if sum(hand) > size or (sum(hand) < size and not late):
            raise ValueError(
                f"hand{seat} has {several(sum(hand), 'card')}, but player_{seat} is dealt {size}"
                + (" or, with cards face up, fewer" if late else "")
            )
        if max(pile) >= s.four or (s.all_kinds and min(pile) > 0):
            raise ValueError(f"with faceup{seat}, player_{seat} has lost before the first offer")
    if not any(hands[starter]):
        raise ValueError(f"player_{starter} is to offer but hand{starter} is empty")
