"""Explicit deals of Gangster Paradise, as text. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import Game, State
from ..engine.rng import shuffle
from .options import table_of
from .rules.turns import begin_turn, to_menu
from .state import BLACK, COLOURS, LIFE, NOTHING


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """R3, R7, R9: put given cards in place of the drawn ones.

    `hand0`, `hand1`, ... for all seats: a colour, then the names of cards. May be given: `field`,
    names of cards, else it is empty; `deck`, names of its top cards in order, the others lie
    below, shuffled; `starter`, who then begins without having shown THE BOSS; `round`, in which
    the game is then; `spare`, the colour of the LIFE that is left over.

    Nothing is known of hands that are named.

    Raises:
        ValueError: if `cards` are no such deal, or the game has begun.
    """
    if s.round_no > 0 or s.asked > 0 or s.player < 0:
        raise ValueError("cards are arranged before the first move, not later")
    _check_keys(game, cards)
    names = [card.id for card in table_of(game.options)]
    starter = _number(cards, "starter", game.players - 1, None)
    number = _number(cards, "round", int(s.max_rounds), 1)
    if starter is None and "round" in cards:
        raise ValueError("a deal with a round has a starter")
    hands = [cards[f"hand{p}"].split() for p in range(game.players)]
    lives = [_colour(f"hand{p}", hand[0] if hand else "") for p, hand in enumerate(hands)]
    _set_lives(s, lives, cards.get("spare"))
    held = [_kinds(s, f"hand{p}", hand[1:], names) for p, hand in enumerate(hands)]
    field = _kinds(s, "field", cards.get("field", "").split(), names)
    top = _kinds(s, "deck", cards.get("deck", "").split(), names)
    rest = _rest(s, [*field, *top, *(k for hand in held for k in hand)], names)
    _lay_out(s, held, field, [*rest, *reversed(top)])
    if starter is not None:
        s.starter = s.turn = starter
        s.round_no = number
        begin_turn(s)
        to_menu(s)
        s.stirred = 0


def _check_keys(game: Game, cards: dict[str, str]) -> None:
    hands = [f"hand{p}" for p in range(game.players)]
    allowed = [*hands, "field", "deck", "starter", "round", "spare"]
    for key in cards:
        if key not in allowed:
            raise ValueError(f"a deal of gangster_paradise has {', '.join(allowed)}, not {key!r}")
    for key in hands:
        if key not in cards:
            raise ValueError(f"the deal lacks {key}: a colour and cards, as in 'red gun bullet'")


def _number(cards: dict[str, str], key: str, greatest: int, default: int | None) -> int | None:
    text = cards.get(key)
    if text is None:
        return default
    least = default or 0
    if not text.strip().isdecimal() or not least <= int(text) <= greatest:
        raise ValueError(f"{key} is a number from {least} to {greatest}, not {text!r}")
    return int(text)


def _colour(key: str, text: str) -> int:
    if text not in COLOURS:
        raise ValueError(f"{key}: a LIFE is one of {', '.join(COLOURS)}, not {text!r}")
    return COLOURS.index(text)


def _kinds(s: State, key: str, words: list[str], names: list[str]) -> list[int]:
    for word in words:
        if word not in names or s.sort_of[names.index(word)] == LIFE:
            fitting = [name for k, name in enumerate(names) if s.sort_of[k] != LIFE]
            raise ValueError(f"{key}: a card is one of {', '.join(fitting)}, not {word!r}")
    return [names.index(word) for word in words]


def _set_lives(s: State, lives: list[int], spare: str | None) -> None:
    """R3: the LIFE cards of the set: those named lie where they are named, one may be left over."""
    rest = [int(colour) for colour in s.life[: s.seats]]
    if s.spare == NOTHING:
        if spare is not None:
            raise ValueError("spare: with these options no LIFE is left over")
        named = lives
    else:
        rest.append(int(s.spare))
        named = lives if spare is None else [*lives, _colour("spare", spare)]
    for colour in named:
        if colour not in rest:
            raise ValueError(f"the deal names more LIFE cards {COLOURS[colour]} than there are")
        rest.remove(colour)
    left = named[-1] if spare is not None else (rest or [NOTHING])[0]
    if left == BLACK and s.seats > 4:
        raise ValueError("with so many seats somebody has BLACK")
    s.life[: s.seats] = lives
    s.spare = left


def _rest(s: State, named: list[int], names: list[str]) -> list[int]:
    """The cards that are not named, shuffled."""
    rest = [k for k in range(s.kinds) for _ in range(s.in_play[k])]
    for k in named:
        if k not in rest:
            raise ValueError(f"the deal names more cards {names[k]} than there are, {s.in_play[k]}")
        rest.remove(k)
    tray = np.array(rest, np.int8)
    shuffle(tray, s)
    return [int(k) for k in tray]


def _lay_out(s: State, held: list[list[int]], field: list[int], deck: list[int]) -> None:
    s.hand[:] = 0
    s.on_field[:] = 0
    s.known[:] = 0
    for seat, hand in enumerate(held):
        s.held[seat] = len(hand)
        for k in hand:
            s.hand[seat, k] += 1
    for k in field:
        s.on_field[k] += 1
    s.deck[:] = 0
    s.deck[: len(deck)] = deck
    s.deck_size = len(deck)
