"""The table of Gangster Paradise in pieces that can be drawn. R-numbers: README.md beside this."""

from typing import Any

from ..engine.game import Game, State
from ..engine.scene import Note, Pile, Place, Scene, Speech, Zone
from .hidden import sees_life
from .render import status
from .render_events import card, said
from .state import ALIVE, COLOURS, DEAD, EVERYBODY


def scene(game: Game, s: State, viewer: int | None) -> Scene:
    """R10 to R12, R27: the field, and each seat with what `viewer` knows of it."""
    number = min(int(s.round_no), int(s.max_rounds))
    return Scene(
        chapter=f"round {number}" if number else "the start",
        status=" ".join(status(game, s, viewer)),
        score=(("round", f"{number} of {s.max_rounds}"), ("deck", str(s.deck_size))),
        centre=(Zone("field", _piles(game, s.on_field)),),
        places=tuple(_place(game, s, seat, viewer) for seat in range(game.players)),
        turn=int(s.player),
    )


def _piles(game: Game, counts: Any) -> tuple[Pile, ...]:
    return tuple(Pile(card(game, k), int(count)) for k, count in enumerate(counts) if count)


def _place(game: Game, s: State, seat: int, viewer: int | None) -> Place:
    kinds = int(s.kinds)
    sees = viewer is None or sees_life(s, viewer, seat)
    life = Note(f"{COLOURS[s.life[seat]]}" if sees else "?")
    if viewer in (None, seat) or s.player < 0:
        held = _piles(game, s.hand[seat, :kinds])
    else:
        held = _piles(game, s.known[viewer, seat, :kinds])
        hidden = int(s.held[seat]) - sum(pile.count for pile in held)
        held += (Pile(count=hidden),) if hidden > 0 else ()
    words = tuple(Speech(seat, said(game, s, seat, int(what) - 1)) for what in s.said[seat] if what)
    zones = [Zone("LIFE", (life,)), Zone("hand", held)]
    if s.player >= 0 and viewer in (None, seat):
        zones.append(
            Zone("known to all", _piles(game, s.known[EVERYBODY, seat, :kinds]), small=True)
        )
    if words:
        zones.append(Zone("said last", words))
    fate = [] if s.fate[seat] == ALIVE else ["dead" if s.fate[seat] == DEAD else "surrendered"]
    first = ["first"] if s.round_no and s.starter == seat else []
    shown = ["LIFE shown"] if s.life_open[seat] and s.fate[seat] == ALIVE and s.player >= 0 else []
    return Place(tuple(zones), (*fate, *first, *shown))
