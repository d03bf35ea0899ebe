"""The Gang as text. R-numbers: README.md beside this file."""

from itertools import pairwise
from typing import Any

from ..engine.cards import cards_text
from ..engine.game import Game, State
from ..engine.poker import describe
from .render_cards import (
    action_text,
    automatic_events,
    card_lines,
    effects,
    flop_events,
    guess_events,
    in_force_text,
    seat_notes,
    shown_hand,
)
from .roster import BASIC
from .showdown import alarms_to_lose
from .state import BOARD, CHIPS, COLOURS, FLOP, NO_CARD, ROUNDS, STREETS, VAULTS
from .strength import open_cards


def _cards(cards: Any) -> str:
    return cards_text(card for card in cards if card != NO_CARD)


def _board(cards: Any, shown: int) -> str:
    """The community cards by street, a line for each that lies face down."""
    texts = [*cards_text(cards[:shown]).split(), *["--"] * (BOARD - shown)]
    return " | ".join((" ".join(texts[:FLOP]), *texts[FLOP:]))


def _star(chip: int) -> str:
    return str(chip) if chip else "."


def opened(s: State) -> list[int]:
    """R14: the seats in the order in which they opened their hands."""
    return sorted(range(s.seats), key=lambda seat: int(s.showdown_chips[seat]))


def wrong(s: State) -> tuple[int, int] | None:
    """R16: the first seat whose hand was weaker than the one opened before it, behind that one."""
    order = opened(s)
    for before, after in pairwise(order):
        if s.showdown_strength[after] < s.showdown_strength[before]:
            return before, after
    return None


def _seat_line(s: State, seat: int, viewer: int | None) -> str:
    turn = ">" if s.player == seat else " "
    chips = "".join(f"{_star(s.chips[number, seat]):>8}" for number in range(ROUNDS))
    begins = "  first" if s.first == seat else ""
    notes = seat_notes(s, seat) if s.mode != BASIC else []
    note = f"  ({', '.join(notes)})" if notes else ""
    return f"{turn} player_{seat}{chips}   {shown_hand(s, seat, viewer)}{begins}{note}"


def _last_showdown(s: State) -> list[str]:
    """R14: what was opened last, a line a seat."""
    if s.showdown_board[0] == NO_CARD:
        return []
    lines = [f"last showdown: {_board(s.showdown_board, BOARD)}"]
    lines += [f"  {_hand(s, seat)}" for seat in opened(s)]
    return lines


def _hand(s: State, seat: int) -> str:
    hole = _cards(s.showdown_hole[seat])
    return f"red {s.showdown_chips[seat]}  player_{seat}  {hole}  {named(s, seat)}"


def named(s: State, seat: int) -> str:
    """R14: what the seat opened last."""
    return describe(int(s.showdown_strength[seat]))


def lap_text(s: State) -> str:
    """R12: how much of the budget of this round is used."""
    if s.player < 0:
        return "over"
    lap = int(s.turns) // int(s.seats) + 1
    return f"lap {lap} of {s.turns_per_round}" if lap <= s.turns_per_round else "last lap"


def table(game: Game, s: State, viewer: int | None) -> str:
    """R2 to R14: the score, the board, the chips in the centre and before each seat, the hands.

    Hands that `viewer` may not see are `?? ??`. The last showdown, open to all, stays below.
    """
    number, n = int(s.round_no), int(s.seats)
    taken = {int(chip) for chip in s.chips[number]}
    centre = [str(stars) for stars in range(1, n + 1) if stars not in taken]
    lines = [
        f"The Gang   vaults {s.vaults} of {VAULTS}   alarms {s.alarms} of {alarms_to_lose(s)}",
        f"round {number + 1} of {ROUNDS} ({STREETS[number]}), {lap_text(s)}",
        f"board: {_board(s.board, open_cards(number))}",
        f"{COLOURS[number]} chips in the centre: {' '.join(centre) or 'none'}",
        " " * 10 + "".join(f"{colour:>8}" for colour in COLOURS),
    ]
    lines += [_seat_line(s, seat, viewer) for seat in range(n)]
    if s.mode != BASIC:
        lines += card_lines(s, viewer)
    return "\n".join(lines + _last_showdown(s))


def _chip_move(before: State, action: int) -> str:
    """R6 to R10: the move as a sentence."""
    n, seat, number = int(before.seats), int(before.player), int(before.round_no)
    colour, own = COLOURS[number], int(before.chips[number, seat])
    if action == n + 1:
        return f"player_{seat} passes"
    if action == n:
        return f"player_{seat} returns {colour} {own} to the centre"
    owners = [p for p in range(n) if before.chips[number, p] == action + 1]
    source = f"player_{owners[0]}" if owners else "the centre"
    back = f" and puts {colour} {own} back" if own else ""
    return f"player_{seat} takes {colour} {action + 1} from {source}{back}"


def _showdown(before: State, after: State) -> list[str]:
    """R14 to R17: hands in the order in which they are opened, and what comes of them."""
    said = [
        f"player_{seat} opens red {after.showdown_chips[seat]}: "
        f"{_cards(after.showdown_hole[seat])}, {named(after, seat)}"
        for seat in opened(after)
    ]
    pair = wrong(after)
    if pair:
        said.append(f"player_{pair[1]} is weaker than player_{pair[0]}: out of order")
    said += guess_events(after)
    if after.vaults > before.vaults:
        said.append(f"a vault is opened: {after.vaults} of {VAULTS}")
    else:
        said.append(f"an alarm goes off: {after.alarms} of {alarms_to_lose(after)}")
    return said


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The move, the cards that are turned over, the showdown, the next heist, the game's end."""
    chips = before.decision == CHIPS and action < before.seats + 2
    if chips:
        said = [_chip_move(before, action)]
    else:
        said = [action_text(game, before, action, viewer), *effects(before, after, viewer)]
    heist_over = before.vaults + before.alarms < after.vaults + after.alarms
    if heist_over:
        said += _showdown(before, after)
    if after.player < 0:
        return [*said, "the heist is over" if after.one_heist else _result(after)]
    if heist_over:
        return said + _new_heist(after, viewer)
    if after.round_no > before.round_no:
        said += _new_round(after, open_cards(before.round_no), viewer)
    return said


def _new_heist(s: State, viewer: int | None) -> list[str]:
    """R3, R13, R22, R26: the cards in force, the hands, what specialists did by themselves."""
    said = [f"a new heist begins with player_{s.first}"]
    if s.challenges or s.specialist:
        said.append(f"in force: {in_force_text(s)}")
    said += automatic_events(s)
    said += [
        f"player_{seat} is dealt {_cards(s.hole[seat])}"
        for seat in range(s.seats)
        if viewer in (None, seat)
    ]
    return said + (_new_round(s, 0, viewer) if s.round_no > 0 else [])


def _new_round(s: State, shown: int, viewer: int | None) -> list[str]:
    """R4: the cards that are turned over, after `shown` others; R48: what follows on the flop."""
    number = int(s.round_no)
    streets = [STREETS[k] for k in range(1, number + 1) if open_cards(k) > shown]  # R42: two
    verb = "are" if len(streets) > 1 else "is"
    opened = cards_text(s.board[shown : open_cards(number)])
    said = [f"round {number + 1}: the {' and the '.join(streets)} {verb} {opened}"]
    return said + (flop_events(s, viewer) if s.challenges else [])


def _result(s: State) -> str:
    """R17."""
    return "the gang wins the game" if s.vaults == VAULTS else "the gang loses the game"


def statistics(game: Game, s: State) -> dict[str, float]:
    """Heists played and succeeded, moves, chips taken away; the game won, if it has several."""
    figures = {
        "heists": float(s.vaults + s.alarms),
        "heist_successes": float(s.vaults),
        "moves": float(s.moves),
        "takes_from_players": float(s.steals),
    }
    if s.mode != BASIC:
        figures["proposals"] = float(s.proposals)
        figures["specialists_used"] = float(s.uses)
    if not s.one_heist:
        figures["game_win"] = float(s.vaults == VAULTS)
    return figures
