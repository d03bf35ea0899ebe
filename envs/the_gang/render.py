"""The Gang as text. R-numbers: README.md beside this file."""

from itertools import pairwise
from typing import Any

from ..engine.cards import cards_text
from ..engine.game import Game, State
from ..engine.poker import describe
from .rules import game_is_over
from .state import ALARMS, BOARD, COLOURS, FLOP, NO_CARD, ROUNDS, STREETS, VAULTS
from .strength import open_cards


def _cards(cards: Any) -> str:
    return cards_text(card for card in cards if card != NO_CARD)


def _board(cards: Any, shown: int) -> str:
    """The community cards by street, a line for each that lies face down."""
    texts = [*cards_text(cards[:shown]).split(), *["--"] * (BOARD - shown)]
    return " | ".join((" ".join(texts[:FLOP]), *texts[FLOP:]))


def _star(chip: int) -> str:
    return str(chip) if chip else "."


def _opened(s: State) -> list[int]:
    """R14: the seats in the order in which they opened their hands."""
    return sorted(range(s.seats), key=lambda seat: int(s.showdown_chips[seat]))


def _wrong(s: State) -> tuple[int, int] | None:
    """R16: the first seat whose hand was weaker than the one opened before it, behind that one."""
    order = _opened(s)
    for before, after in pairwise(order):
        if s.showdown_strength[after] < s.showdown_strength[before]:
            return before, after
    return None


def _seat_line(s: State, seat: int, viewer: int | None) -> str:
    turn = ">" if s.player == seat else " "
    chips = "".join(f"{_star(s.chips[number, seat]):>8}" for number in range(ROUNDS))
    known = viewer in (None, seat) or game_is_over(s)
    hole = s.showdown_hole[seat] if game_is_over(s) else s.hole[seat]
    begins = "  first" if s.first == seat else ""
    return f"{turn} player_{seat}{chips}   {_cards(hole) if known else '?? ??'}{begins}"


def _last_showdown(s: State) -> list[str]:
    """R14: what was opened last, a line a seat."""
    if s.showdown_board[0] == NO_CARD:
        return []
    lines = [f"last showdown: {_board(s.showdown_board, BOARD)}"]
    lines += [f"  {_hand(s, seat)}" for seat in _opened(s)]
    return lines


def _hand(s: State, seat: int) -> str:
    hole = _cards(s.showdown_hole[seat])
    return f"red {s.showdown_chips[seat]}  player_{seat}  {hole}  {_named(s, seat)}"


def _named(s: State, seat: int) -> str:
    return describe(int(s.showdown_strength[seat]))


def table(game: Game, s: State, viewer: int | None) -> str:
    """R2 to R14: the score, the board, the chips in the centre and before each seat, the hands.

    Hands that `viewer` may not see are `?? ??`. The last showdown, open to all, stays below.
    """
    number, n = int(s.round_no), int(s.seats)
    taken = {int(chip) for chip in s.chips[number]}
    centre = [str(stars) for stars in range(1, n + 1) if stars not in taken]
    lap = min(int(s.turns) // n + 1, int(s.turns_per_round) + 1)
    laps = f"lap {lap} of {s.turns_per_round}" if lap <= s.turns_per_round else "last lap"
    if s.player < 0:
        laps = "over"
    lines = [
        f"The Gang   vaults {s.vaults} of {VAULTS}   alarms {s.alarms} of {ALARMS}",
        f"round {number + 1} of {ROUNDS} ({STREETS[number]}), {laps}",
        f"board: {_board(s.board, open_cards(number))}",
        f"{COLOURS[number]} chips in the centre: {' '.join(centre) or 'none'}",
        " " * 10 + "".join(f"{colour:>8}" for colour in COLOURS),
    ]
    lines += [_seat_line(s, seat, viewer) for seat in range(n)]
    return "\n".join(lines + _last_showdown(s))


def _move(before: State, action: int) -> str:
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
        f"{_cards(after.showdown_hole[seat])}, {_named(after, seat)}"
        for seat in _opened(after)
    ]
    wrong = _wrong(after)
    if wrong:
        said.append(f"player_{wrong[1]} is weaker than player_{wrong[0]}: out of order")
    if after.vaults > before.vaults:
        said.append(f"a vault is opened: {after.vaults} of {VAULTS}")
    else:
        said.append(f"an alarm goes off: {after.alarms} of {ALARMS}")
    return said


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The move, the cards that are turned over, the showdown, the next heist, the game's end."""
    said = [_move(before, action)]
    heist_over = before.vaults + before.alarms < after.vaults + after.alarms
    if heist_over:
        said += _showdown(before, after)
    if after.player < 0:
        said.append("the heist is over" if after.one_heist else _result(after))
    elif heist_over:
        said.append(f"a new heist begins with player_{after.first}")
        said += [
            f"player_{seat} is dealt {_cards(after.hole[seat])}"
            for seat in range(after.seats)
            if viewer in (None, seat)
        ]
    elif after.round_no > before.round_no:
        number = int(after.round_no)
        opened = cards_text(after.board[open_cards(before.round_no) : open_cards(number)])
        said.append(f"round {number + 1}: the {STREETS[number]} is {opened}")
    return said


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
    if not s.one_heist:
        figures["game_win"] = float(s.vaults == VAULTS)
    return figures
