"""Gangster Paradise in pieces that can be drawn. R-numbers: README.md beside this file."""

from collections.abc import Iterator
from typing import Any

from ..engine.game import Game, State
from ..engine.scene import Item, Named, Note, Pile, Place, Scene, Speech, Zone
from .card_table import SORTS
from .hidden import known_row, sees_chain, sees_life, sees_phase, sees_picks
from .render_events import card, items, name, said
from .state import (
    ALIVE,
    ASK,
    ASKED,
    BEAUTY,
    CHAINS,
    CLASSES,
    COLOURS,
    CONSENT,
    DEAD,
    EVADE,
    EVERYBODY,
    GIVE,
    HERO,
    KINDS,
    LIFE,
    LIFE_EFFECT,
    LOOT,
    MENU,
    PHASES,
    PICK,
    POINTS,
    PORNO,
    REPICK,
    STAND_IN,
    TITLES,
    TRADE,
)

_CLASSES = (("a weapon", "weapon"), ("BULLET or THE BOSS", ""), ("2-cost specialist", "specialist"))
"""R8: what is known of a card of a class, and its kind."""


def scene(game: Game, s: State, viewer: int | None) -> Scene:
    """R10 to R12, R27: the field, what is under way, and each seat with what `viewer` knows."""
    begun, over = bool(s.round_no), s.player < 0
    number = min(int(s.round_no), int(s.max_rounds))
    score = [("round", f"{number} of {s.max_rounds}")] if begun else []
    if begun and not over:
        score += [
            ("turn", name(s.turn)),
            ("actions left", str(s.actions)),
            ("things begun", f"{s.chains} of {CHAINS}"),
        ]
    score.append(("deck", _many(s.deck_size, "card")))
    return Scene(
        chapter=f"round {number}" if begun else "the start",
        status=_status(game, s, viewer),
        score=tuple(score),
        centre=(*_stock(game, s, viewer), *(() if over else _chain(game, s, viewer))),
        places=tuple(_place(game, s, seat, viewer) for seat in range(game.players)),
        turn=int(s.player),
    )


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def named_card(game: Game, s: State, k: int, count: int = 1, known: int = 0) -> Named:
    """A card of kind k, with its cost; LIFE with its colour."""
    kind = SORTS[s.sort_of[k]]
    if s.sort_of[k] == LIFE:
        kind += f" {COLOURS[s.effect[k] - LIFE_EFFECT]}"
    return Named(card(game, int(k)), kind, int(s.cost[k]), int(count), int(known))


def _counted(game: Game, s: State, counts: Any) -> tuple[Named, ...]:
    return tuple(named_card(game, s, k, counts[k]) for k in range(s.kinds) if counts[k] > 0)


def _stock(game: Game, s: State, viewer: int | None) -> Iterator[Zone]:
    """R10, R41: the field, and the top cards of the deck for those who have looked at them."""
    yield Zone("field", _counted(game, s, s.on_field))
    seen = [int(s.deck_seen[i]) if s.deck_size > i else 0 for i in range(2)]
    top = [int(s.deck[s.deck_size - 1 - i]) for i in range(2) if _among(seen[i], viewer)]
    if top:
        who = [name(p) for p in range(game.players) if seen[0] >> p & 1] if viewer is None else []
        note = f"seen by {', '.join(who)}" if who else ""
        yield Zone("top of the deck", tuple(named_card(game, s, k) for k in top), note)


def _among(seats: int, viewer: int | None) -> bool:
    """Whether `viewer` is one of those whose bits are set; of the spectator, whether any is."""
    return bool(seats if viewer is None else seats >> viewer & 1)


def _chain(game: Game, s: State, viewer: int | None) -> Iterator[Zone]:
    """R12, R14, R19, R36: what is under way, as far as `viewer` sees it."""
    own = viewer is None or viewer == s.turn
    sees = viewer is None or sees_chain(s, viewer)
    trading = s.phase == TRADE or (s.phase == ASK and s.asking == CONSENT)
    if s.phase != MENU and sees:
        if s.card >= 0:
            aim = f"on {name(s.target)}" if s.target >= 0 else ""
            yield Zone("in use", (named_card(game, s, s.card),), aim)
        hidden = (int(s.loaded),) if own else ()
        chosen = [k for k in (int(s.given), int(s.taken), *hidden) if k >= 0]
        paid = _counted(game, s, s.stack) if own and not trading else ()
        if chosen or paid:
            yield Zone("chosen", (*(named_card(game, s, k) for k in chosen), *paid))
    if picked := _picked(game, s, viewer):
        yield Zone("picked from a hand", picked)
    if s.phase == LOOT:
        yield Zone("to choose from", _counted(game, s, s.loot))
    if trading and sees and s.items.any():
        yield Zone("offers", tuple(_offers(game, s, viewer)))


def _picked(game: Game, s: State, viewer: int | None) -> tuple[Item, ...]:
    """R36: the picked cards; to who does not see them backs, while they are dealt with."""
    if viewer is None or sees_picks(s, viewer):
        return tuple(named_card(game, s, k) for k in s.picks[: s.picked])
    busy = s.phase in (PICK, GIVE, REPICK) or (s.phase == ASK and s.asking == EVADE)
    return (Pile(count=int(s.picked)),) if busy and s.picked else ()


def _offers(game: Game, s: State, viewer: int | None) -> Iterator[Speech]:
    """R18, R19: what each partner is offered and asked for, and who has agreed."""
    for p in range(game.players):
        if s.items[p].any():
            agreed = " - agreed" if s.phase == ASK and s.agreed[p] else ""
            yield Speech(int(s.turn), items(game, s, p, viewer) + agreed, p)


def _status(game: Game, s: State, viewer: int | None) -> str:
    """Who decides, and on what, as far as `viewer` sees that."""
    if s.player < 0:
        won = [f"{name(p)} by {TITLES[s.titles[p]]}" for p in range(game.players) if s.titles[p]]
        return f"over: {', '.join(won)}" if won else "over: nobody wins"
    who = name(s.player)
    if s.phase == ASK:
        return f"{who} is asked to {ASKED[s.asking]}{about(game, s)}"
    if viewer is not None and not sees_phase(s, viewer):
        return f"{who} considers"
    return f"{who} decides on {PHASES[s.phase]}"


def about(game: Game, s: State) -> str:
    """What the question is about: that is open to all."""
    if s.asking in (BEAUTY, PORNO):
        verb = ", that is BEAUTY against" if s.asking == PORNO else ""
        return f"{verb} {card(game, int(s.subject))} of {name(s.subject_user)}"
    if s.asking == HERO:
        return f" to {name(s.last_target)}" if s.last_target >= 0 else ""
    if s.asking == STAND_IN:
        more = f", {s.hits} damages are to come" if s.hits > 1 else ""
        return f" for the damage{more}"
    if s.asking == EVADE:
        return f" of {name(s.turn)}"
    return f" of {name(s.turn)}" if s.asking == CONSENT else ""


def _place(game: Game, s: State, seat: int, viewer: int | None) -> Place:
    """R27: what `viewer` knows of a seat, and what it has said."""
    zones = [_life(game, s, seat, viewer)]
    held = int(s.held[seat])
    zones.append(Zone("hand", _hand(game, s, seat, viewer), _many(held, "card"), True))
    words = tuple(Note(text) for text in said(game, s.said[seat]))
    if words:
        zones.append(Zone("said last", words, small=True))
    notes = []
    if s.fate[seat] != ALIVE:
        notes.append("dead" if s.fate[seat] == DEAD else "surrendered")
    if s.round_no and s.player >= 0:
        notes += ["turn"] if s.turn == seat else []
        notes += ["first"] if s.starter == seat else []
    if s.titles[seat]:
        notes.append(_many(POINTS[s.titles[seat]], "point"))
    return Place(tuple(zones), tuple(notes))


def _life(game: Game, s: State, seat: int, viewer: int | None) -> Zone:
    """R3, R28, R52: the LIFE, or what all know that it is not."""
    if viewer is None or sees_life(s, viewer, seat):
        shown = int(s.life_open[seat] and s.player >= 0)
        return Zone("LIFE", (named_card(game, s, s.life_kind[s.life[seat]], known=shown),))
    barred = [c for k, c in enumerate(COLOURS) if s.cleared[seat] >> k & 1]
    return Zone("LIFE", (Named(kind="life"),), f"not {' or '.join(barred)}" if barred else "")


def _hand(game: Game, s: State, seat: int, viewer: int | None) -> tuple[Item, ...]:
    """R8, R27: the cards that `viewer` knows of, with how many of them all know; backs for others.

    Of a class it may be known that there is a card, and not which.
    """
    whole = viewer in (None, seat) or s.player < 0
    row = s.hand[seat] if viewer is None or whole else s.known[known_row(s, viewer, seat)]
    openly = [0] * KINDS if s.player < 0 else s.known[known_row(s, EVERYBODY, seat)]
    found: list[Item] = [
        named_card(game, s, k, row[k], min(int(openly[k]), int(row[k])))
        for k in range(s.kinds)
        if row[k] > 0
    ]
    if whole:
        return tuple(found)
    left = int(s.held[seat]) - sum(int(row[k]) for k in range(s.kinds))
    for group in range(CLASSES):
        more = class_left(s, row, group)
        if more > 0:
            found.append(Named(*_CLASSES[group], count=more))
            left -= more
    if left > 0:
        found.append(Pile(count=left))
    return tuple(found)


def class_left(s: State, known: Any, group: int) -> int:
    """R8: how many cards of a class a row of `known` holds besides those known by name."""
    kinds = (k for k in range(s.kinds) if s.class_of[k] == KINDS + group)
    return max(0, int(known[KINDS + group]) - sum(int(known[k]) for k in kinds))
