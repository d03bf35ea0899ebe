"""A table as plain data, for whatever draws it: a page, a picture, a window.

A scene is made of a few kinds of pieces that card games share, lying in named zones: some in the
middle, some before each seat. So whoever draws them needs to know no game, and a new game that is
told in these pieces is drawn at once. A scene is made for one viewer and, like the table as text,
holds nothing that this viewer may not know.
"""

import msgspec
import numpy as np

from .game import Game, State, observe


class _Plain(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What all parts of a scene have in common."""


class Card(_Plain, frozen=True, tag="card"):
    """A playing card, or its place."""

    text: str = ""
    """As `cards.card_text`; a rank alone for a card without a suit; nothing: it lies face down."""
    empty: bool = False
    """Only the place of a card that is to come."""


class Chip(_Plain, frozen=True, tag="chip"):
    """A chip with stars."""

    colour: str
    """A word, such as white."""
    stars: int = 0
    """0: only the place of a chip."""
    locked: bool = False
    """Whether nobody may take it away."""


class Pile(_Plain, frozen=True, tag="pile"):
    """Cards of one kind, known by its name alone."""

    name: str = ""
    """Nothing: the cards lie face down."""
    count: int = 1
    danger: bool = False
    """Whether the pile is about to decide the game."""


class Named(_Plain, frozen=True, tag="named"):
    """Cards that have a name of their own, and no suit."""

    name: str = ""
    """Nothing: it lies face down, and only its kind is known."""
    kind: str = ""
    """A word that many cards share, such as weapon; a second one, such as a colour, may follow."""
    cost: int = 0
    """0: there is none."""
    count: int = 1
    known: int = 0
    """So many of them all players know to be here."""


class Stake(_Plain, frozen=True, tag="stake"):
    """An amount at stake."""

    amount: int
    name: str = ""


class Role(_Plain, frozen=True, tag="role"):
    """A card that changes the rules."""

    name: str
    kind: str
    meaning: str = ""


class Speech(_Plain, frozen=True, tag="speech"):
    """What a seat has said of something that lies here."""

    seat: int
    text: str
    to: int = -1


class Note(_Plain, frozen=True, tag="note"):
    """Words."""

    text: str


Item = Card | Chip | Pile | Named | Stake | Role | Speech | Note


class Zone(_Plain, frozen=True):
    """A named place with pieces in it."""

    name: str
    items: tuple[Item, ...] = ()
    note: str = ""
    """What they are together, such as a pair of aces."""
    small: bool = False
    """Whether it matters less than the others."""


class Place(_Plain, frozen=True):
    """What lies before a seat."""

    zones: tuple[Zone, ...] = ()
    notes: tuple[str, ...] = ()
    """Short ones: first, folded, out."""


class Scene(_Plain, frozen=True):
    """A table as a viewer sees it."""

    chapter: str = ""
    """The part of the game that this is, such as a round: it stands over the timeline."""
    status: str = ""
    """What is to be done now."""
    score: tuple[tuple[str, str], ...] = ()
    """Names and values."""
    centre: tuple[Zone, ...] = ()
    places: tuple[Place, ...] = ()
    """By seat."""
    aside: tuple[Zone, ...] = ()
    """What lies beside the table, such as the last showdown."""
    turn: int = -1
    """The seat to move, -1 when the game is over."""
    text: str = ""
    """The table as text, if the game tells no more than that."""


def scene(game: Game, state: State, viewer: int | None) -> Scene:
    """The table as seat `viewer` sees it, or a spectator (None), who sees all.

    A game that knows no scenes shows its table as text and, to a seat, the parts of its observation
    that are not empty.
    """
    if game.rules.scene:
        made: Scene = game.rules.scene(game, state, viewer)
        return made
    seats = range(game.players)
    return Scene(
        places=tuple(Place(_parts(game, state, s) if s == viewer else ()) for s in seats),
        turn=int(state.player),
        text=game.rules.table(game, state, viewer),
    )


def _parts(game: Game, state: State, seat: int) -> tuple[Zone, ...]:
    """What a seat observes, by the names of the parts."""
    cells = np.zeros(game.observation_size, np.int8)
    observe(state, seat, cells)
    parts = game.parts(cells)
    return tuple(
        Zone(part.name, note=" ".join(map(str, np.ravel(parts[part.name]))))
        for part in game.facts.parts
        if parts[part.name].any()
    )


def cards(text: str) -> tuple[Card, ...]:
    """Cards that stand in a text, `??` for one that lies face down, `--` for a place.

    >>> cards("Ah ?? --")
    (Card(text='Ah', empty=False), Card(text='', empty=False), Card(text='', empty=True))
    """
    return tuple(
        Card(empty=True) if word == "--" else Card("" if word == "??" else word)
        for word in text.split()
    )
