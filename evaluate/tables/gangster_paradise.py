"""What a person may play at Gangster Paradise, in words. R-numbers: the game's README."""

from collections.abc import Callable

from ...envs.engine.game import Game, State
from ...envs.engine.names import several
from ...envs.engine.scene import Item
from ...envs.gangster_paradise.render_events import items, kind_numbers, name
from ...envs.gangster_paradise.rules.choices import goes_together, purse
from ...envs.gangster_paradise.scene import about, named_card
from ...envs.gangster_paradise.state import (
    ALIVE,
    ASK,
    ASKED,
    BUY,
    COLOURS,
    CONSENT,
    FIELD,
    GIVE,
    HAND,
    KILL,
    LOOK,
    LOOT,
    MENU,
    MODE,
    NOBODY,
    ORDER,
    PAY,
    PICK,
    PUT_DOWN,
    REPICK,
    SEAT,
    SEIZE,
    SELL,
    SHOOT,
    SHOT,
    SPY,
    STAND_IN,
    SWAP,
    TAKE_MONEY,
    TRADE,
)
from .answers import Answer, Words

AIMS = {
    SHOOT: "shoot at whom?",
    KILL: "kill whom?",
    SPY: "look into whose hand?",
    LOOK: "look into whose hand?",
    SWAP: "take a card from whom?",
    SEIZE: "search whose hand?",
}
"""Questions by the effect of a card that is aimed at somebody."""
LAST = {"cancel": "cancel", "end": "end the turn", "done": "done"}
"""Words that stand apart from all other answers."""


def gangster_words(game: Game, s: State) -> Words:
    """What an action does is asked first, then with what, or of whom something is said."""
    speak = {MENU: _menu, TRADE: _trade, ASK: _asked}.get(int(s.phase), _choice)
    asked, answer = speak(game, s)

    def reply(action: int) -> tuple[Answer, ...]:
        word, *rest = game.actions[action].split()
        if word in LAST:
            return (Answer(LAST[word], place=-1),)
        return answer(word, rest)

    return (asked, "Which?", "What?"), reply


Reply = Callable[[str, list[str]], tuple[Answer, ...]]
"""Answers by the words of an action's text, the first of them and the others."""


def _piece(game: Game, s: State, word: str) -> tuple[str, Item]:
    """A card by the word for it in an action: its name, and how it is drawn."""
    piece = named_card(game, s, kind_numbers(game)[word])
    return piece.name, piece


def _cost(count: int) -> str:
    return "free" if count == 0 else several(count, "action")


def _menu(game: Game, s: State) -> tuple[str, Reply]:
    """R11: what to begin."""
    whole = {
        "trade": Answer("trade", note=_cost(0 if s.free_trade else 1), place=1),
        "sell": Answer("sell weapons", note=_cost(1), place=1),
        "reset": Answer("reset the field", note=_cost(1), place=1),
        "draw": Answer("draw one more card", note=_cost(2), place=1),
        "surrender": Answer("surrender", place=-1),
    }
    first = {
        "use": Answer("use", note="a card", then="Use which card?"),
        "show": Answer("show", note="a card, free", then="Show all which card?", place=2),
        "say": Answer("say", note="free", then="Say what?", place=2),
    }

    def answer(word: str, rest: list[str]) -> tuple[Answer, ...]:
        if word in whole:
            return (whole[word],)
        if word == "say":
            return (first[word], *_statement(game, s, rest))
        text, piece = _piece(game, s, rest[0])
        k = kind_numbers(game)[rest[0]]
        note = ""
        if word == "use":
            note = _cost(0 if goes_together(s, k) else int(s.price[k]))
        return first[word], Answer(text, piece, note)

    return f"Your turn, {several(s.actions, 'action')} left", answer


def _statement(game: Game, s: State, rest: list[str]) -> tuple[Answer, ...]:
    """R26: of whom something is said, and what."""
    if rest[0] == "hold":
        text, piece = _piece(game, s, rest[1])
        return Answer("I hold", then="I hold \N{HORIZONTAL ELLIPSIS}"), Answer(text, piece)
    who = "my LIFE" if len(rest) == 1 else _seat(game, s, rest[0])
    what = {"die": "should die", "ally": "let us ally"}.get(rest[-1], f"is {rest[-1]}")
    piece_of = None
    if rest[-1] in COLOURS:
        kind = int(s.life_kind[COLOURS.index(rest[-1])])
        piece_of = named_card(game, s, kind) if kind >= 0 else None
    return Answer(who, then=f"{who} \N{HORIZONTAL ELLIPSIS}"), Answer(what, piece_of)


def _seat(game: Game, s: State, word: str) -> str:
    """A word such as "+2" for people."""
    return name((int(s.player) + int(word)) % game.players)


def _hand_of(s: State, seat: int) -> str:
    """What everybody sees of a player that may be chosen."""
    cards = several(s.held[seat], "card")
    return cards if s.fate[seat] == ALIVE else f"dead, {cards}"


def _chosen_seat(game: Game, s: State, word: str, before: str = "") -> Answer:
    seat = (int(s.player) + int(word)) % game.players
    return Answer(before + name(seat), note=_hand_of(s, seat), place=2 if before else 0)


def _trade(game: Game, s: State) -> tuple[str, Reply]:
    """R18: an offer, item by item."""
    who = name(s.partner)
    offers = [
        f"{name(p)}: {items(game, s, p, int(s.turn))}"
        for p in range(game.players)
        if s.items[p].any()
    ]
    asked = "Trade with whom?"
    if s.partner != NOBODY:
        asked = f"Your offer to {'; '.join(offers)}" if offers else f"Your offer to {who}"
    first = {
        "give": Answer("give", then=f"Give which card to {who}?"),
        "ask": Answer("ask for", then=f"Ask {who} for which card?"),
    }

    def answer(word: str, rest: list[str]) -> tuple[Answer, ...]:
        if word == "propose":
            return (Answer("propose it", place=1),)
        if word == "seat":
            return (_chosen_seat(game, s, rest[0], "and " if s.partner != NOBODY else ""),)
        text, piece = _piece(game, s, rest[0])
        return first[word], Answer(text, piece)

    return asked, answer


def _asked(game: Game, s: State) -> tuple[str, Reply]:
    """R19, R45: an answer."""
    asked = f"You are asked to {ASKED[s.asking]}{about(game, s)}"
    if s.asking == CONSENT:
        asked = f"{name(s.turn)} offers you {items(game, s, int(s.player), int(s.player))}"
    refusal = {CONSENT: "refuse", STAND_IN: "no: lose the LIFE"}.get(int(s.asking), "no")

    def answer(word: str, rest: list[str]) -> tuple[Answer, ...]:
        if word in ("yes", "no"):
            return (Answer("agree" if word == "yes" else refusal),)
        return (Answer(*_piece(game, s, rest[0])),)

    return asked, answer


def _choice(game: Game, s: State) -> tuple[str, Reply]:
    """R14 and on: what a card's use asks for, before its effect and after."""
    words = {"yes": "swap them", "no": "leave them so"}
    if s.phase == MODE:
        look, take = (int(n) for n in s.numbers[s.card, :2])
        words = {"look": f"look at {look} cards", "take": f"look at {take}, take one"}

    def answer(word: str, rest: list[str]) -> tuple[Answer, ...]:
        if word == "seat":
            return (_chosen_seat(game, s, rest[0]),)
        if word == "card":
            return (Answer(*_piece(game, s, rest[0])),)
        return (Answer(words[word]),)

    return _question(game, s), answer


def _question(game: Game, s: State) -> str:
    """What is asked, by phase."""
    card = named_card(game, s, int(s.card)).name if s.card >= 0 else ""
    target, phase = name(s.last_target), int(s.phase)
    if phase == FIELD:
        if s.effect[s.card] == BUY:
            return f"Buy what? You can pay {purse(s)}"
        return f"{card}: take which card of the field?"
    if phase == PAY:
        price = named_card(game, s, int(s.taken))
        return f"Pay for {price.name}: {s.stacked} of {price.cost} so far"
    if phase == ORDER:
        top, below = (named_card(game, s, int(s.deck[s.deck_size - 1 - i])).name for i in range(2))
        return f"The deck's top card is {top}, the next {below}"
    return {
        SEAT: f"{card}: {AIMS.get(int(s.effect[s.card]), 'whom?')}",
        MODE: f"{card}: what do you want of {name(s.target)}?",
        HAND: f"{card}: put which card on the field?",
        SHOT: f"{card}: shoot with what?",
        SELL: f"Sell which weapons? {s.stacked} so far",
        TAKE_MONEY: f"Pick up money, {s.worth} at most",
        GIVE: f"Give which card to {target}?",
        PICK: f"Take which card of {target}?",
        LOOT: f"Take one of the cards of {target}?",
        REPICK: "Put which card back?",
        PUT_DOWN: "Lay which card on the field?",
    }[phase]
