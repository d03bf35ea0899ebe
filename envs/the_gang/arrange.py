"""Explicit deals of The Gang, as text. R-numbers: README.md beside this file."""

from ..engine.cards import CARDS, JACK_CARD, parse_cards
from ..engine.game import Game, State
from ..engine.rng import draw
from .rules import lay_out, open_round
from .state import BOARD, HOLE


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """R3, R4, R13: put `cards` in place of those drawn for the heist that is about to begin.

    `hand0`, `hand1`, ... are two cards each, `board` is one to five, the flop's first, and `first`
    is the seat that starts each round. What is not named stays as drawn; a card that is named
    elsewhere is replaced by another, drawn from the state's stream.

    Raises:
        ValueError: if the heist has begun, or `cards` are no such deal.
    """
    if s.player < 0 or s.round_no > 0 or s.turns > 0:
        raise ValueError("cards are arranged before the first move of a heist, not later")
    first = _first(game, cards, int(s.first))
    given = _given(game, cards)
    drawn = [int(card) for card in (*s.hole[: game.players, :HOLE].ravel(), *s.board)]
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
    open_round(s, 0)


def _given(game: Game, cards: dict[str, str]) -> dict[int, int]:
    """The cards named, by their place in the deal: seat after seat, then the board."""
    starts = {f"hand{seat}": HOLE * seat for seat in range(game.players)}
    starts["board"] = HOLE * game.players
    given: dict[int, int] = {}
    for key, text in cards.items():
        if key == "first":
            continue
        if key not in starts:
            raise ValueError(f"a deal of the_gang has {', '.join(starts)}, first, but no {key!r}")
        named = parse_cards(text)
        least, most = (1, BOARD) if key == "board" else (HOLE, HOLE)
        if not least <= len(named) <= most:
            wanted = f"{least} to {most}" if least < most else most
            raise ValueError(f"{key} is {wanted} cards, not {len(named)}")
        given.update(enumerate(named, starts[key]))
    if JACK_CARD in given.values():
        raise ValueError("the jack without a suit, J*, is not in the deck")
    parse_cards(" ".join(text for key, text in cards.items() if key != "first"))  # no card twice
    return given


def _first(game: Game, cards: dict[str, str], drawn: int) -> int:
    text = cards.get("first", str(drawn))
    if text not in map(str, range(game.players)):
        raise ValueError(f"first is a seat from 0 to {game.players - 1}, not {text!r}")
    return int(text)
