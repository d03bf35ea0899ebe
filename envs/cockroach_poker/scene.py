"""Cockroach Poker in pieces that can be drawn."""

from ..engine.game import Game, State
from ..engine.names import several
from ..engine.scene import Pile, Place, Scene, Speech, Zone
from .render import knows, name, status
from .state import KINDS


def scene(game: Game, s: State, viewer: int | None) -> Scene:
    """R17: piles, hands and what was said of the card in flight; cards aside are never shown."""
    number = min(int(s.games) + 1, int(s.num_games))
    lost = " ".join(str(count) for count in s.losses[: s.seats])
    return Scene(
        chapter=f"game {number}" if s.num_games > 1 else f"card {max(1, int(s.turns))}",
        status=status(s),
        score=(("game", f"{number} of {s.num_games}"), ("games lost by seat", lost)),
        centre=_flight(s, viewer),
        places=tuple(_place(s, seat, viewer) for seat in range(game.players)),
        turn=int(s.player),
    )


def _flight(s: State, viewer: int | None) -> tuple[Zone, ...]:
    """The card in flight and all that was said of it."""
    if s.flight < 0:
        return (Zone("card in flight", note="none"),)
    said = []
    for i in range(s.chain):
        to = s.chain_seat[i + 1] if i + 1 < s.chain else s.player
        looked = "having looked: " if s.chain_looked[i] else ""
        words = f'{looked}"it is a {name(s.chain_claim[i])}"'
        said.append(Speech(int(s.chain_seat[i]), words, int(to)))
    card = Pile(name(s.flight)) if knows(s, viewer) else Pile()
    return (Zone("card in flight", (card,)), Zone("what is said of it", tuple(said)))


def _place(s: State, seat: int, viewer: int | None) -> Place:
    faceup, hand = s.faceup[seat], s.hand[seat]
    kinds = int((faceup > 0).sum())
    piles = tuple(
        Pile(name(k), int(faceup[k]), bool(faceup[k] == s.four - 1))
        for k in range(KINDS)
        if faceup[k]
    )
    if viewer in (None, seat):
        held = tuple(Pile(name(k), int(hand[k])) for k in range(KINDS) if hand[k])
    else:
        held = (Pile(count=int(s.hand_size[seat])),) if s.hand_size[seat] else ()
    notes = [f"{kinds} of {KINDS} species"] if s.all_kinds and kinds else []
    return Place(
        (Zone("face up", piles), Zone("hand", held, several(int(s.hand_size[seat]), "card"), True)),
        tuple(notes),
    )
