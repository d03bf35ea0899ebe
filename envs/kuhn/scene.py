"""Kuhn poker in pieces that can be drawn."""

from ..engine.game import Game, State
from ..engine.scene import Card, Place, Scene, Stake, Zone
from .rules import shown_down
from .state import ACTIONS, MAX_MOVES, PLAYERS, RANKS


def scene(game: Game, s: State, viewer: int | None) -> Scene:
    """R1 to R5: a card and chips before each, the pot between them."""
    return Scene(
        chapter="over" if s.player < 0 else f"move {s.moves + 1}",
        status=_status(s),
        score=(("moves", " ".join(ACTIONS[a] for a in s.history[: s.moves]) or "none"),),
        centre=(Zone("pot", (Stake(int(s.chips.sum())),)),),
        places=tuple(_place(s, seat, viewer) for seat in range(PLAYERS)),
        turn=int(s.player),
    )


def _place(s: State, seat: int, viewer: int | None) -> Place:
    open_ = viewer in (None, seat) or shown_down(s)
    card = Card(RANKS[s.deck[seat]] if open_ else "")
    return Place((Zone("card", (card,)), Zone("put in", (Stake(int(s.chips[seat])),))))


def _status(s: State) -> str:
    if s.player >= 0:
        facing = s.moves > 0 and ACTIONS[s.history[s.moves - 1]] == "bet"
        return f"player_{s.player} may {'call or fold' if facing else 'check or bet'}"
    if shown_down(s):
        return "showdown: the higher card takes the pot"
    return "a bet was folded to" if s.moves in range(1, MAX_MOVES + 1) else "broken off"
