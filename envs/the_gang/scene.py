"""The Gang in pieces that can be drawn. R-numbers: README.md beside this file."""

from ..engine.cards import cards_text
from ..engine.game import Game, State
from ..engine.scene import Card, Chip, Item, Note, Place, Role, Scene, Zone, cards
from .chips import is_black
from .render import lap_text, named, opened, wrong
from .render_cards import ASKED, known_lines, seat_notes, shown_hand, title
from .roster import (
    BASIC,
    BLACKOUT,
    CHALLENGES,
    HASTY_GETAWAY,
    MEANINGS,
    QUICK_ACCESS,
    SPECIALISTS,
    STACK,
    in_force,
)
from .showdown import alarms_to_lose
from .state import BOARD, CHIPS, COLOURS, NO_CARD, ROUNDS, STREETS, VAULTS
from .strength import open_cards

_ORANGE = COLOURS.index("orange")


def scene(game: Game, s: State, viewer: int | None) -> Scene:
    """R2 to R14, R22: the score, the board, chips, hands, the cards in force; the last showdown."""
    heist, number = int(s.vaults) + int(s.alarms) + (s.player >= 0), int(s.round_no)
    known = known_lines(s, viewer) if s.mode != BASIC else []
    return Scene(
        chapter=f"heist {heist}, {STREETS[number]}",
        status=_status(s),
        score=(
            ("vaults", f"{s.vaults} of {VAULTS}"),
            ("alarms", f"{s.alarms} of {alarms_to_lose(s)}"),
            ("round", f"{number + 1} of {ROUNDS}, {lap_text(s)}"),
        ),
        centre=_centre(s, tuple(Note(line) for line in known)),
        places=tuple(_place(s, seat, viewer) for seat in range(game.players)),
        aside=_showdown(s),
        turn=int(s.player),
    )


def _status(s: State) -> str:
    if s.player < 0:
        return "over"
    if s.decision != CHIPS:
        return f"player_{s.player} decides {ASKED[s.decision]}"
    return f"player_{s.player} may move a chip"


def _board(board: list[int], shown: int) -> tuple[Card, ...]:
    """R4: the flop lies ordered."""
    texts = [*cards_text(board[:shown]).split(), *["--"] * (BOARD - shown)]
    return cards(" ".join(texts))


def _centre(s: State, known: tuple[Item, ...]) -> tuple[Zone, ...]:
    number = int(s.round_no)
    colour, taken = COLOURS[number], {int(chip) for chip in s.chips[number]}
    left = tuple(
        Chip(colour, stars, is_black(s, stars))
        for stars in range(1, int(s.seats) + 1)
        if stars not in taken
    )
    zones = [
        Zone("board", _board(s.board.tolist(), int(open_cards(number)))),
        Zone(f"{colour} chips in the centre", left, "" if left else "none"),
    ]
    if roles := _roles(s):
        zones.append(Zone("in force", roles))
    if known:
        zones.append(Zone("known besides", known))
    return tuple(zones)


def _roles(s: State) -> tuple[Item, ...]:
    """R22: the cards of this heist."""
    names = [(CHALLENGES[k - 1], f"challenge {k}") for k in range(1, STACK + 1) if in_force(s, k)]
    if s.specialist:
        names.append((SPECIALISTS[s.specialist - 1], f"specialist {s.specialist}"))
    return tuple(Role(title(name), kind, MEANINGS[name]) for name, kind in names)


def _place(s: State, seat: int, viewer: int | None) -> Place:
    """R5, R38, R42, R45: the chips of all rounds that have some; R3: the hand."""
    chips = tuple(
        Chip(COLOURS[number], stars, bool(number == s.round_no and stars and is_black(s, stars)))
        for number, stars in enumerate(s.chips[:, seat].tolist())
        if not (number == 0 and in_force(s, QUICK_ACCESS))
        and not (number == _ORANGE and in_force(s, HASTY_GETAWAY))
        and not (number < s.round_no and in_force(s, BLACKOUT))
    )
    hand = cards(shown_hand(s, seat, viewer))
    notes = ["first"] if s.first == seat else []
    if s.mode != BASIC:
        notes += seat_notes(s, seat)
    return Place((Zone("hand", hand), Zone("chips", chips)), tuple(notes))


def _showdown(s: State) -> tuple[Zone, ...]:
    """R14 to R16: what was opened last, in the order of the red chips."""
    if s.showdown_board[0] == NO_CARD:
        return ()
    zones = [Zone("last showdown: the board", _board(s.showdown_board.tolist(), BOARD))]
    pair = wrong(s)
    for seat in opened(s):
        hole = cards(cards_text(card for card in s.showdown_hole[seat] if card != NO_CARD))
        chip = Chip(COLOURS[-1], int(s.showdown_chips[seat]))
        late = " - out of order" if pair and pair[1] == seat else ""
        zones.append(Zone(f"player_{seat}", (chip, *hole), named(s, seat) + late))
    return tuple(zones)
