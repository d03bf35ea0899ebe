"""Explicit deals of The Gang, as text. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.cards import CARDS, JACK_CARD, parse_cards
from ..engine.game import Game, State
from ..engine.rng import draw
from .heist import begin, exchange_hands, lay_out, open_round
from .roster import BASIC, CON_ARTIST
from .state import BOARD, FIRST_ROUND, FLOP, MOST_HOLE


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """R3, R4, R13: put `cards` in place of those drawn for the heist that is about to begin.

    `hand0`, `hand1`, ... are two cards each (three with Security Cameras), as dealt before any
    specialist acts; `board` is one to five, the flop's first; `first` is the seat that starts each
    round; in modes with cards `draws` is one to four, those that are drawn from the pile later.
    With the Con Artist `again0`, `again1`, ... are the hands of all seats once dealt again (R36).
    What is not named stays as drawn; a card that is named elsewhere is replaced by another, drawn
    from the state's stream.

    Raises:
        ValueError: if the heist has begun, or `cards` are no such deal.
    """
    if s.player < 0 or s.acts > 0:
        raise ValueError("cards are arranged before the first move of a heist, not later")
    first = _first(game, cards, int(s.first))
    again = {key: text for key, text in cards.items() if key.startswith("again")}
    given = _given(game, s, {key: cards[key] for key in cards if key not in again})
    pool = _again(s, again, given) if again else None
    drawn = _drawn(s)
    named = set(given.values())
    free = [card for card in range(CARDS) if card not in named.union(drawn)]
    dealt = []
    for slot, card in enumerate(drawn):
        if slot in given:
            dealt.append(given[slot])
        elif card in named:
            dealt.append(free.pop(int(draw(s, len(free)))))
        else:
            dealt.append(card)
    s.deck[:] = dealt + [card for card in range(CARDS) if card not in dealt]
    s.first = first
    lay_out(s)
    then = begin(s)
    if pool is not None:
        lay_out(s)
        exchange_hands(s, pool)
    if then == FIRST_ROUND:
        open_round(s, 0)


def _again(s: State, hands: dict[str, str], given: dict[int, int]) -> np.ndarray:
    """R36: the hands after the second deal, seat after seat, int8[seats * held]."""
    if s.specialist != CON_ARTIST:
        raise ValueError("hands are dealt again with the Con Artist only")
    if set(hands) != {f"again{seat}" for seat in range(s.seats)}:
        raise ValueError("again0, again1, ... name the hands of all seats, or none")
    named = [parse_cards(hands[f"again{seat}"]) for seat in range(s.seats)]
    pool = [card for hand in named for card in hand]
    first_deal = {given.get(slot) for slot in range(s.held * s.seats)}
    if any(len(hand) != s.held for hand in named) or set(pool) != first_deal:
        raise ValueError("again0, again1, ... share out the cards of hand0, hand1, ... anew")
    return np.array(pool, np.int8)


def _pile(s: State) -> int:
    """Cards of the pile that may be drawn later."""
    return 0 if s.mode == BASIC else MOST_HOLE + 1


def _drawn(s: State) -> list[int]:
    """The cards as they were dealt: seat after seat, the board, then those to be drawn later."""
    cards = [int(card) for card in s.deck]
    hands = [sorted(_cut(cards, s.held * k, s.held), reverse=True) for k in range(s.seats)]
    board = s.held * s.seats
    flop = sorted(_cut(cards, board, FLOP), reverse=True)
    rest = _cut(cards, board + FLOP, BOARD - FLOP + _pile(s))
    return [*(card for hand in hands for card in hand), *flop, *rest]


def _cut(cards: list[int], at: int, count: int) -> list[int]:
    return cards[int(at) : int(at) + int(count)]


def _given(game: Game, s: State, cards: dict[str, str]) -> dict[int, int]:
    """The cards named, by their place in the deal."""
    held, n = int(s.held), game.players
    sizes = {f"hand{seat}": (held * seat, held, held) for seat in range(n)}
    sizes["board"] = (held * n, 1, BOARD)
    if pile := _pile(s):
        sizes["draws"] = (held * n + BOARD, 1, pile)
    given: dict[int, int] = {}
    for key, text in cards.items():
        if key == "first":
            continue
        if key not in sizes:
            raise ValueError(f"a deal of the_gang has {', '.join(sizes)}, first, but no {key!r}")
        named = parse_cards(text)
        start, least, most = sizes[key]
        if not least <= len(named) <= most:
            wanted = f"{least} to {most}" if least < most else most
            raise ValueError(f"{key} is {wanted} cards, not {len(named)}")
        given.update(enumerate(named, start))
    if JACK_CARD in given.values():
        raise ValueError("the jack without a suit, J*, is not in the deck")
    parse_cards(" ".join(text for key, text in cards.items() if key != "first"))  # no card twice
    return given


def _first(game: Game, cards: dict[str, str], drawn: int) -> int:
    text = cards.get("first", str(drawn))
    if text not in map(str, range(game.players)):
        raise ValueError(f"first is a seat from 0 to {game.players - 1}, not {text!r}")
    return int(text)
