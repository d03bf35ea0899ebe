"""Kuhn poker as text."""

from ..engine.game import Game, State
from .rules import shown_down
from .state import ACTIONS, BET, PASS, PLAYERS, RANKS


def _card(s: State, seat: int, viewer: int | None) -> str:
    shown = viewer is None or viewer == seat or shown_down(s)
    return RANKS[s.deck[seat]] if shown else "?"


def table(game: Game, s: State, viewer: int | None) -> str:
    """Cards, chips and moves; R5: after a showdown both cards are open."""
    lines = ["Kuhn poker"]
    for seat in range(PLAYERS):
        turn = ">" if s.player == seat else " "
        lines.append(f"{turn} player_{seat}  card {_card(s, seat, viewer)}  chips {s.chips[seat]}")
    lines.append("moves: " + " ".join(ACTIONS[a] for a in s.history[: s.moves]))
    return "\n".join(lines)


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The move, and the showdown if there is one."""
    called = before.moves > 0 and before.history[before.moves - 1] == BET
    if called:
        verb = "calls" if action == BET else "folds"
    else:
        verb = "bets" if action == BET else "checks"
    said = [f"player_{before.player} {verb}"]
    if after.player < 0 and (action == BET or not called):
        cards = ", ".join(f"player_{p} has {RANKS[after.deck[p]]}" for p in range(PLAYERS))
        said.append(f"showdown: {cards}")
    return said


def statistics(game: Game, s: State) -> dict[str, float]:
    """Shares of games: both bet; both passed; a bet was folded to."""
    passed = s.chips[0] == s.chips[1] and s.history[0] == PASS and s.moves == 2
    return {
        "called": float(s.chips[0] == 2 and s.chips[1] == 2),
        "checked": float(passed),
        "folded": float(s.chips[0] != s.chips[1]),
    }
