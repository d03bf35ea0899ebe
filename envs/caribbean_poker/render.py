"""Caribbean Poker as text."""

from ..engine.cards import cards_text
from ..engine.game import Game, State
from ..engine.poker import category, describe
from .rules import QUALIFYING, hand_strength, net, outcome, seat_strength
from .state import (
    BETTING,
    BONUS,
    CALL,
    CALL_STAKE,
    DECIDING,
    FOLD,
    FOLDED,
    HAND,
    LOST,
    OUTCOMES,
    SHOWN,
    TIED,
    UNQUALIFIED,
    UP,
    WON,
    seat_card,
)

_HIDDEN = "??"


def hand_text(s: State, seat: int) -> str:
    """The cards of a seat."""
    return cards_text(s.deck[seat_card(seat, 0) : seat_card(seat, HAND)].tolist())


def _seat(s: State, seat: int, viewer: int | None) -> str:
    """R2 to R5: stakes, choice and, for those who may see them, cards of a seat."""
    turn = ">" if s.player == seat else " "
    line = f"{turn} player_{seat}"
    if s.bankroll:
        line += f"  money {s.money[seat]}"
    if not s.playing[seat]:
        return line + "  out"
    if s.ante[seat]:
        line += f"  ante {s.ante[seat]}" + (f" + bonus {BONUS}" if s.bonus[seat] else "")
    if s.choice[seat] == CALL:
        line += f"  call {CALL_STAKE * s.ante[seat]}"
    elif s.choice[seat] == FOLD:
        line += "  folded"
    if s.phase == BETTING:
        return line
    if viewer in (None, seat):
        return f"{line}  {hand_text(s, seat)}  {describe(int(seat_strength(s, seat)))}"
    return line + "  " + " ".join([_HIDDEN] * HAND)


def table(game: Game, s: State, viewer: int | None) -> str:
    """R4, R5: no cards while seats bet; the banker's open one, and in the end all of them."""
    number = min(int(s.rounds) + 1, int(s.num_rounds))
    lines = [f"Caribbean Poker, round {number} of {s.num_rounds}"]
    if s.phase == SHOWN or (viewer is None and s.phase == DECIDING):
        cards = cards_text(s.deck[:HAND].tolist())
        lines.append(f"  banker  {cards}  {banker(int(hand_strength(s, 0)))}")
    elif s.phase == DECIDING:
        hidden = " ".join([_HIDDEN] * UP)
        lines.append(f"  banker  {hidden} {cards_text([int(s.deck[UP])])}")
    else:
        lines.append("  banker")
    lines += [_seat(s, seat, viewer) for seat in range(game.players)]
    if s.phase == SHOWN:
        seen = range(game.players) if viewer is None else [viewer]
        lines.append("net " + " ".join(f"{s.result[seat]:g}" for seat in seen))
    return "\n".join(lines)


def banker(strength: int) -> str:
    """R6: what the banker holds."""
    return describe(strength) + ("" if strength >= QUALIFYING else ", does not qualify")


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The move; the deal after the last bet; the showdown after the last choice."""
    mover = int(before.player)
    if before.phase == BETTING:
        said = [f"player_{mover} bets {game.actions[action]}"]
        if after.phase == DECIDING:
            said.append(f"five cards each; the banker shows {cards_text([int(after.deck[UP])])}")
        return said
    said = [f"player_{mover} {'calls' if action == CALL else 'folds'}"]
    if after.rounds > before.rounds:
        said += _showdown(game, before, action, viewer)
        if after.phase != SHOWN:
            said.append(f"round {after.rounds + 1} begins")
        if after.phase == DECIDING:
            said.append(f"five cards each; the banker shows {cards_text([int(after.deck[UP])])}")
    return said


def _showdown(game: Game, before: State, action: int, viewer: int | None) -> list[str]:
    """R5 to R10: what the banker held, and how the round ended for `viewer`."""
    held = int(hand_strength(before, 0))
    cards = cards_text(before.deck[:HAND].tolist())
    said = [f"the banker has {cards}: {banker(held)}"]
    for seat in range(game.players):
        if not before.playing[seat] or viewer not in (None, seat):
            continue
        own = int(seat_strength(before, seat))
        kind, ante = int(category(own)), int(before.ante[seat])
        choice = action if seat == before.player else int(before.choice[seat])
        result = int(outcome(choice, own, held))
        points = ante * int(net(result, int(before.call_odds[kind])))
        said.append(
            f"player_{seat} has {hand_text(before, seat)}: {describe(own)}; {OUTCOMES[result]}, "
            f"{points:+d}"
        )
        if before.bonus[seat]:
            said[-1] += f"; bonus {BONUS * (int(before.bonus_odds[kind]) - 1):+d}"
    return said


def statistics(game: Game, s: State) -> dict[str, float]:
    """Counts over the session and all seats: rounds by their end, bets, points."""
    ends = s.outcomes[: game.players].sum(axis=0)
    hands = ends.sum()
    return {
        "rounds": float(s.rounds),
        "qualified": float(s.qualified),
        "hands": float(hands),
        "calls": float(hands - ends[FOLDED]),
        "unqualified": float(ends[UNQUALIFIED]),
        "wins": float(ends[WON]),
        "ties": float(ends[TIED]),
        "losses": float(ends[LOST]),
        "bonus_bets": float(s.bonus_bets.sum()),
        "bonus_hits": float(s.bonus_hits.sum()),
        "staked": float(s.staked.sum()),
    }
