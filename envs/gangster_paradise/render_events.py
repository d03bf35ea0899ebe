"""What happened in Gangster Paradise, in sentences. R-numbers: README.md beside this file.

All that is told is what the two states show that `viewer` sees: the field, known hands, numbers.
"""

from functools import cache
from typing import Any

from ..engine.game import Game, State
from .actions import (
    CHOOSE_CARD,
    END,
    NO,
    ONE_MORE_DRAW,
    PROPOSE,
    RESET,
    SHOW_CARD,
    SURRENDER,
    YES,
    cards_from,
    talk_from,
)
from .hidden import sees_phase, sees_picks
from .options import table_of
from .state import (
    ALIVE,
    ASK,
    BOSS_SHOWN,
    COLOURS,
    CONSENT,
    DEAD,
    IT_DIES,
    ITS_LIFE,
    MENU,
    OWN_CARD,
    OWN_LIFE,
    TITLES,
    TRADE,
)

_CHOICES = {
    "use": ("begins to use", ""),
    "card": ("chooses", ""),
    "give": ("adds to the offer", ""),
    "ask": ("asks for", ""),
    "cancel": ("", "cancels it"),
    "done": ("", "is done"),
    "yes": ("", "swaps the two top cards of the deck"),
    "no": ("", "leaves the two top cards of the deck as they are"),
    "look": ("", "chooses to look"),
    "take": ("", "chooses to take a card"),
    "trade": ("", "thinks of a trade"),
    "sell": ("", "thinks of selling weapons"),
}
"""R12: choices of a chain by the action's first word: before a card, and without one."""
_REFUSALS = (
    "does not show THE BOSS",
    "does not cancel it",
    "does not counter BEAUTY",
    "does not negate the damage",
    "loses no substitute",
    "does not evade the look",
    "refuses the trade",
)
"""What who says no does not do, by what is asked."""


def name(seat: int) -> str:
    """What a seat is called."""
    return f"player_{seat}"


@cache
def _names(game: Game) -> tuple[str, ...]:
    return tuple(line.english for line in table_of(game.options))


@cache
def kind_numbers(game: Game) -> dict[str, int]:
    """The number of each kind of card, by its word in actions."""
    return {line.id: k for k, line in enumerate(table_of(game.options))}


def card(game: Game, k: int) -> str:
    """The English name of a kind of card."""
    return _names(game)[k]


def cards(game: Game, counts: Any) -> str:
    """Cards with their numbers: "2 MONEY, GUN"."""
    return ", ".join(
        f"{count} {name}" if count > 1 else name
        for count, name in zip(counts, _names(game), strict=False)
        if count > 0
    )


def said(game: Game, statements: Any) -> list[str]:
    """R26: statements, rows of the state's `said`, in words."""
    return [_said(game, *map(int, words)) for words in statements if words[0] >= 0]


def _said(game: Game, what: int, colour: int, kind: int, seat: int) -> str:
    if what == OWN_LIFE:
        return f'"my LIFE is {COLOURS[colour]}"'
    if what == OWN_CARD:
        return f'"I hold {card(game, kind)}"'
    if what == ITS_LIFE:
        return f'"{name(seat)} is {COLOURS[colour]}"'
    return f'"{name(seat)} should die"' if what == IT_DIES else f'"let us ally, {name(seat)}"'


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The action, as far as `viewer` sees it, and what became of it."""
    told = [_action(game, before, int(action), after, viewer)]
    told += _used(game, before, after)
    told += _trade(game, before, int(action), after, viewer)
    told += _picks(game, after, viewer)
    told += _hands(game, before, after, viewer)
    told += _deaths(before, after)
    if after.player < 0:
        told += _end(game, after)
    elif after.turn != before.turn or after.round_no != before.round_no:
        told.append(f"round {after.round_no}: it is the turn of {name(after.turn)}, who draws")
    return told


def _action(game: Game, s: State, action: int, after: State, viewer: int | None) -> str:
    """What the mover did: in the open, or for `viewer` unseen."""
    who, text = name(s.player), game.actions[action]
    if s.phase == ASK:
        return _answer(game, s, action)
    if s.phase == MENU and action == END:
        return f"{who} ends the turn"
    if s.phase == MENU and action == RESET:
        return f"{who} resets the field"
    if s.phase == MENU and action == ONE_MORE_DRAW:
        return f"{who} draws one more card"
    if s.phase == MENU and action == SURRENDER:
        return f"{who} surrenders"
    if s.phase == MENU and action >= talk_from(s):
        return f"{who} says: {said(game, after.said[s.player])[0]}"
    shows = cards_from(s, SHOW_CARD)
    if s.phase == MENU and shows <= action < shows + s.kinds:
        return f"{who} shows {card(game, action - shows)}"
    if s.phase == TRADE and action == PROPOSE:
        return f"{who} proposes a trade"
    if viewer in (None, s.player):
        return f"{who} {_choice(game, s, text)}"
    return f"{who} goes on" if sees_phase(s, int(viewer or 0)) else f"{who} considers"


def _choice(game: Game, s: State, text: str) -> str:
    """A choice that others do not see, by the text of the action."""
    word, _, what = text.partition(" ")
    if word == "seat":
        return f"chooses {name((int(s.player) + int(what)) % game.players)}"
    verb, plain = _CHOICES[word]
    if what:
        return f"{verb} {card(game, kind_numbers(game)[what])}"
    return plain


def _answer(game: Game, s: State, action: int) -> str:
    who = name(s.player)
    if action == YES:
        return f"{who} agrees to the trade"
    if action == NO:
        return f"{who} {_REFUSALS[s.asking]}"
    k = action - cards_from(s, CHOOSE_CARD)
    starts = " and starts" if s.asking == BOSS_SHOWN else ""
    return f"{who} answers with {card(game, k)}{starts}"


def _used(game: Game, before: State, after: State) -> list[str]:
    """R14: the card that took effect or may still be cancelled, and whom it is aimed at."""
    k = int(after.last_card)
    fresh = after.turn == before.turn and k >= 0
    if not fresh or (after.used[k] == before.used[k] and after.last_target == before.last_target):
        return []
    aim = f" on {name(after.last_target)}" if after.last_target >= 0 else ""
    return [f"{name(after.turn)} uses {card(game, k)}{aim}"]


def _trade(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """R18, R19: offers, as numbers or for those who take part as cards."""
    if before.phase == TRADE and action == PROPOSE:
        return [
            f"{name(after.turn)} offers {name(p)} {items(game, after, p, viewer)}"
            for p in range(game.players)
            if after.items[p].any()
        ]
    if before.phase == ASK and before.asking == CONSENT and after.player >= 0:
        done = after.accepted.sum() > before.accepted.sum()
        return ["the trade is carried out"] if done else []
    return []


def items(game: Game, s: State, partner: int, viewer: int | None) -> str:
    """R18, R19: what `partner` is offered for what, as numbers to those who do not take part."""

    def side(way: int) -> str:
        size = int(s.items[partner, way])
        if viewer in (None, partner, s.turn) and size:
            return " and ".join(card(game, int(k)) for k in s.offers[partner, way, :size])
        return f"{size} cards" if size != 1 else "1 card"

    return f"{side(0)} for {side(1)}"


def _picks(game: Game, s: State, viewer: int | None) -> list[str]:
    """R36: the cards picked from a hand, for those who see them."""
    if not s.picked or not (viewer is None or sees_picks(s, viewer)):
        return []
    picked = [card(game, int(k)) for k in s.picks[: s.picked]]
    return [f"picked from a hand: {', '.join(picked)}"]


def _hands(game: Game, before: State, after: State, viewer: int | None) -> list[str]:
    """What came to the field and left it, and how the hands changed that `viewer` sees."""
    told = []
    to_field = [
        max(0, int(a) - int(b)) for a, b in zip(after.on_field, before.on_field, strict=True)
    ]
    from_field = [
        max(0, int(b) - int(a)) for a, b in zip(after.on_field, before.on_field, strict=True)
    ]
    if any(to_field):
        told.append(f"to the field: {cards(game, to_field)}")
    if any(from_field):
        told.append(f"from the field: {cards(game, from_field)}")
    for seat in range(game.players):
        if viewer not in (None, seat):
            continue
        pairs = list(zip(after.hand[seat], before.hand[seat], strict=True))
        gained = [max(0, int(a) - int(b)) for a, b in pairs]
        lost = [max(0, int(b) - int(a)) for a, b in pairs]
        if any(gained):
            told.append(f"{name(seat)} gets {cards(game, gained)}")
        if any(lost):
            told.append(f"{name(seat)} parts with {cards(game, lost)}")
    return told


def _deaths(before: State, after: State) -> list[str]:
    return [
        f"{name(p)} dies: LIFE {COLOURS[after.life[p]]}"
        for p in range(before.seats)
        if before.fate[p] == ALIVE and after.fate[p] == DEAD
    ]


def _end(game: Game, s: State) -> list[str]:
    """R53, R62: who has won, and what all held."""
    won = [f"{name(p)} wins by {TITLES[s.titles[p]]}" for p in range(game.players) if s.titles[p]]
    lives = [f"{name(p)} is {COLOURS[s.life[p]]}" for p in range(game.players)]
    return [*(won or ["nobody wins"]), *lives]
