"""Frames: what a viewpoint may know after each move, as plain data that any viewer draws.

A frame is made for one seat or for a spectator, who sees all, by the same door as the text of a
table (`Rules.table`, `Rules.scene`, `Rules.events`). So a page that holds the frames of a seat, or
a server that sends them to it, holds nothing that this seat may not know.

As JSON a frame is

    {"step": 17, "events": ["player_1 takes white 2 from the centre"], "scene": {...},
     "table": "...",
     "panels": [{"title": "...", "bars": [{"label": "...", "share": 0.5, "text": "50 %"}]}],
     "move": {"player": 1, "text": "take 2", "odds": [["take 2", 0.8], ["pass", 0.2]],
              "value": 0.3}}

with a scene of `envs/engine/scene.py`; what is empty is left out.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ...envs.engine.game import Game, State
from ...envs.engine.record import Move, View, first_view, next_view
from ...envs.engine.scene import Scene
from .beliefs import Panel, panels


class Made(msgspec.Struct, frozen=True, omit_defaults=True):
    """The move that led to a frame, if the viewer may know what it was drawn from."""

    player: int
    text: str
    odds: tuple[tuple[str, float], ...] = ()
    """What the player drew from, the likeliest first."""
    value: float | None = None
    """What the player expected still to earn."""


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a viewer may know after a move."""

    step: int
    """Moves made before; of a record that is cut to a seat, those that the seat noticed."""
    scene: Scene
    table: str
    """The scene as text."""
    events: tuple[str, ...] = ()
    panels: tuple[Panel, ...] = ()
    move: Made | None = None


def first_frame(game: Game, state: State, viewer: int | None, beliefs: bool = True) -> Frame:
    """What `viewer` sees once the cards are dealt, with its `beliefs` if they are wanted."""
    found = panels(game, state, viewer) if beliefs else ()
    return _frame(game, 0, first_view(game, state, viewer), -1, found)


def next_frame(
    game: Game,
    step: int,
    before: State,
    move: Move,
    after: State,
    viewer: int | None,
    beliefs: bool = True,
) -> Frame | None:
    """What `viewer` sees of `move`, number `step` from 1; None if that is nothing at all."""
    view = next_view(game, before, move, after, viewer)
    if view is None:
        return None
    found = panels(game, after, viewer) if beliefs else ()
    return _frame(game, step, view, int(before.player), found)


def kept_frame(game: Game, step: int, view: View, seat: int) -> Frame:
    """A frame of a record that is cut down to what `seat` saw."""
    return _frame(game, step, view, seat, ())


def _frame(game: Game, step: int, view: View, player: int, beliefs: tuple[Panel, ...]) -> Frame:
    made = None
    if move := view.move:
        odds = sorted((move.probabilities or {}).items(), key=lambda pair: -pair[1])
        told = tuple((spoken(text, player, game.players), share) for text, share in odds)
        made = Made(player, spoken(move.text, player, game.players), told, move.value)
    return Frame(step, view.scene, view.table, view.events, beliefs, made)


def spoken(action: str, seat: int, seats: int) -> str:
    """The text of an action of `seat` for people: other seats by name, words for signs.

    >>> spoken("offer stink_bug>+2:rat", 1, 3)
    'offer stink bug to player_0 as rat'
    >>> spoken("pass +1:stink_bug", 1, 3)
    'pass to player_2 as stink bug'
    >>> spoken("show +1", 2, 3)
    'show player_0'
    """

    def named(found: re.Match[str]) -> str:
        return f"player_{(seat + int(found[1])) % seats}"

    text = re.sub(r"[ >](\+\d+):(.+)$", r" to \1 as \2", action.replace("_", " "))
    return re.sub(r"(?<= )\+(\d+)\b", named, text)


def plain(part: Any) -> Any:
    """A frame, or a part of one, as JSON has it."""
    return msgspec.to_builtins(part)


LIKELIEST = 5
"""So many probabilities are printed."""


def lines(frame: Frame, odds: bool) -> Iterator[str]:
    """What happened as text, and with `odds` what it was drawn from, as far as it is known."""
    yield from (f"* {event}" for event in frame.events)
    if odds and frame.move and frame.move.odds:
        shares = [f"{text} {p:.2f}" for text, p in frame.move.odds[:LIKELIEST]]
        more = ", ..." if len(frame.move.odds) > LIKELIEST else ""
        yield f"  drawn from: {', '.join(shares)}{more}"
    if odds and frame.move and frame.move.value is not None:
        yield f"  player_{frame.move.player} expected to earn {frame.move.value:+.2f}"
