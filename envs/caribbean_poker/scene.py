"""Caribbean Poker in pieces that can be drawn."""

from ..engine.cards import cards_text
from ..engine.game import Game, State
from ..engine.poker import describe
from ..engine.scene import Card, Place, Scene, Stake, Zone, cards
from .render import banker, hand_text
from .rules import hand_strength, seat_strength
from .state import BETTING, BONUS, CALL, CALL_STAKE, DECIDING, FOLD, HAND, SHOWN, UP


def scene(game: Game, s: State, viewer: int | None) -> Scene:
    """R4, R5: no cards while seats bet; the banker's open one, and in the end all of them."""
    number = min(int(s.rounds) + 1, int(s.num_rounds))
    seen = range(game.players) if viewer is None else [viewer]
    net = " ".join(f"{s.result[seat]:+g}" for seat in seen)
    return Scene(
        chapter=f"round {number}" if s.num_rounds > 1 else ("bets", "cards", "result")[s.phase],
        status=_status(s),
        score=(("round", f"{number} of {s.num_rounds}"), ("won so far", net)),
        centre=(_banker(s, viewer),),
        places=tuple(_place(s, seat, viewer) for seat in range(game.players)),
        turn=int(s.player),
    )


def _banker(s: State, viewer: int | None) -> Zone:
    """R4 to R6."""
    if s.phase == SHOWN or (viewer is None and s.phase == DECIDING):
        return Zone(
            "banker", cards(cards_text(s.deck[:HAND].tolist())), banker(int(hand_strength(s, 0)))
        )
    if s.phase == DECIDING:
        return Zone("banker", (*[Card()] * UP, *cards(cards_text([int(s.deck[UP])]))))
    return Zone("banker", (Card(empty=True),) * HAND)


def _place(s: State, seat: int, viewer: int | None) -> Place:
    """R2 to R5: stakes, choice and, for those who may see them, cards of a seat."""
    if not s.playing[seat]:
        return Place(notes=("out of money",))
    stakes = [Stake(int(s.ante[seat]), "ante")] if s.ante[seat] else []
    if s.bonus[seat]:
        stakes.append(Stake(BONUS, "bonus"))
    if s.choice[seat] == CALL:
        stakes.append(Stake(CALL_STAKE * int(s.ante[seat]), "call"))
    zones = [Zone("bets", tuple(stakes))]
    if s.phase == BETTING:
        zones.append(Zone("hand", (Card(empty=True),) * HAND))
    elif viewer in (None, seat):
        held = describe(int(seat_strength(s, seat)))
        zones.append(Zone("hand", cards(hand_text(s, seat)), held))
    else:
        zones.append(Zone("hand", (Card(),) * HAND))
    notes = ["folded"] if s.choice[seat] == FOLD else []
    if s.bankroll:
        notes.append(f"money {s.money[seat]}")
    return Place(tuple(zones), tuple(notes))


def _status(s: State) -> str:
    if s.player < 0:
        return "the session is over"
    if s.phase == BETTING:
        return f"player_{s.player} is to bet an ante"
    return f"player_{s.player} is to call or to fold"
