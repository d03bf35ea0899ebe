"""The cards as data: a table, read from a file and checked. R-numbers: README.md beside this file.

Nothing about a single card is written in the rules: they know effects, and the few names that the
source itself names.
"""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .state import COLOURS, KINDS, LIFE_EFFECT, MAX_CARDS, MAX_PICKS

PUBLISHED = Path(__file__).parent / "cards.csv"
"""The table that comes with the game."""

COLUMNS = (
    "id english japanese kind cost basic advanced show use actions limit effect numbers counts_as "
    "grade note"
).split()
SORTS = ("life", "boss", "gangster", "money", "weapon", "specialist", "contraband")
USES = ("none", "reveal", "discard", "react")
GRADES = ("source", "public", "inferred", "house")
NEEDED = "red_life blue_life black_life the_boss gangster money gun bullet spy trickster".split()
"""R1: cards that the source's rules name."""


class Effect(NamedTuple):
    """What a card can do: how such a card is used, and the numbers that its line gives."""

    uses: tuple[str, ...]
    numbers: tuple[tuple[str, int, int], ...] = ()
    """Name, least, greatest."""


_ACT = ("reveal", "discard")
_LIFE = ("none",)
_PICKS = ("cards", 1, MAX_PICKS)
EFFECTS: dict[str, Effect] = {
    "none": Effect(("none",)),
    "buy": Effect(("discard",)),
    "shoot": Effect(_ACT, (("shots", 1, 9), ("shots a bullet", 0, 9), ("other targets", 0, 1))),
    "kill": Effect(_ACT),
    "spy": Effect(_ACT, (_PICKS, ("cards to take from", 1, MAX_PICKS))),
    "look": Effect(_ACT, (_PICKS, ("players", 1, 6))),
    "swap": Effect(_ACT),
    "peek": Effect(_ACT),
    "fence": Effect(_ACT),
    "recruit": Effect(_ACT),
    "hustle": Effect(_ACT),
    "pickup": Effect(_ACT, (("cost", 1, 9),)),
    "negotiate": Effect(_ACT),
    "seize": Effect(_ACT),
    "boost": Effect(_ACT, (("actions", 1, 3),)),
    "smoke": Effect(_ACT),
    "substitute": Effect(("react",)),
    "cancel": Effect(("react",)),
    "negate": Effect(("react",)),
    "lookout": Effect(("react",)),
    "counter": Effect(("react",)),
    "ammo": Effect(("none",), (("damage", 1, 3),)),
    **{colour: Effect(_LIFE) for colour in COLOURS},
}
"""By name, in the order of the numbers in `state`."""
assert list(EFFECTS).index("red") == LIFE_EFFECT
ONLY_ONE = ("cancel", "negate", "lookout", "counter")
"""Effects that a single line has: who is asked depends on where its cards may be."""


class Card(NamedTuple):
    """A line of the table."""

    id: str
    english: str
    japanese: str
    kind: str
    cost: int
    """0 for none."""
    basic: int
    """Copies in the basic set."""
    advanced: int
    """Copies that the advanced set adds."""
    show: bool
    """Whether it may be shown of one's own will."""
    use: str
    actions: int
    limit: int
    effect: str
    numbers: tuple[int, ...]
    counts_as: str
    grade: str
    note: str


@cache
def load(path: Path = PUBLISHED) -> tuple[Card, ...]:
    """The card table in the file `path`, read once.

    Raises:
        ValueError: with a sentence that names the file and the line, if it is no table of cards.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(f"the card table {path} cannot be read: {reason}") from None
    lines = [(i, line) for i, line in enumerate(text.splitlines(), 1) if line[:1] not in ("#", "")]
    rows = list(csv.reader(line for _, line in lines))
    if not rows or rows[0] != COLUMNS:
        raise ValueError(f"{path}: the first line names the columns: {','.join(COLUMNS)}")
    cards = []
    for (number, _), row in zip(lines[1:], rows[1:], strict=False):
        try:
            cards.append(_card(row))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    try:
        _check(cards)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    return tuple(cards)


def _card(row: list[str]) -> Card:
    """A line, checked by itself."""
    if len(row) != len(COLUMNS):
        raise ValueError(f"a card has {len(COLUMNS)} cells, not {len(row)}")
    cells = {name: cell.strip() for name, cell in zip(COLUMNS, row, strict=True)}
    if not cells["id"].isidentifier() or cells["id"] != cells["id"].lower():
        raise ValueError(f"an id is lower-case letters, digits and _, not {cells['id']!r}")
    name = cells["id"]
    _among(name, "kind", cells["kind"], SORTS)
    _among(name, "show", cells["show"], ("yes", "no"))
    _among(name, "use", cells["use"], USES)
    _among(name, "effect", cells["effect"], tuple(EFFECTS))
    _among(name, "counts_as", cells["counts_as"], ("", "bullet"))
    _among(name, "grade", cells["grade"], GRADES)
    effect = EFFECTS[cells["effect"]]
    if cells["use"] not in effect.uses:
        raise ValueError(
            f"{name}: use is {' or '.join(effect.uses)} with the effect {cells['effect']}, "
            f"not {cells['use']!r}"
        )
    if (cells["kind"] == "life") != (cells["effect"] in COLOURS):
        raise ValueError(f"{name}: LIFE cards, and no others, have a colour as their effect")
    return Card(
        **{key: cells[key] for key in ("id", "english", "japanese", "kind", "use", "effect")},
        **{key: cells[key] for key in ("counts_as", "grade", "note")},
        cost=_number(name, "cost", cells["cost"] or "0", 0, 9),
        basic=_number(name, "basic", cells["basic"], 0, 20),
        advanced=_number(name, "advanced", cells["advanced"], 0, 20),
        show=cells["show"] == "yes",
        actions=_number(name, "actions", cells["actions"], 0, 3),
        limit=_number(name, "limit", cells["limit"], 0, 9),
        numbers=_numbers(name, cells["effect"], cells["numbers"].split()),
    )


def _among(name: str, column: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        listed = ", ".join(choice or "(empty)" for choice in choices)
        raise ValueError(f"{name}: {column} is one of {listed}, not {value!r}")


def _number(name: str, column: str, text: str, least: int, greatest: int) -> int:
    if not text.isdecimal() or not least <= int(text) <= greatest:
        raise ValueError(f"{name}: {column} is a number from {least} to {greatest}, not {text!r}")
    return int(text)


def _numbers(name: str, effect: str, texts: list[str]) -> tuple[int, ...]:
    wanted = EFFECTS[effect].numbers
    if len(texts) != len(wanted):
        listed = ", ".join(what for what, _, _ in wanted) or "none"
        raise ValueError(f"{name}: the numbers of the effect {effect} are: {listed}")
    return tuple(
        _number(name, w[0], text, w[1], w[2]) for w, text in zip(wanted, texts, strict=True)
    )


def _check(cards: list[Card]) -> None:
    """Whether the lines make a game together."""
    names = [card.id for card in cards]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the card {name} has two lines")
    for name in NEEDED:
        if name not in names:
            raise ValueError(f"there is no line for the card {name}, which the rules name")
    by_id = {card.id: card for card in cards}
    for name, sort, effect in (
        ("the_boss", "boss", None),
        ("gangster", "gangster", "substitute"),
        ("money", "money", "buy"),
        ("gun", "weapon", "shoot"),
        ("bullet", "weapon", "ammo"),
    ):
        card = by_id[name]
        if card.kind != sort or effect not in (None, card.effect):
            also = f" with the effect {effect}" if effect else ""
            raise ValueError(f"the card {name} is of the kind {sort}{also}")
    for effect in (*ONLY_ONE, *COLOURS):
        having = [card.id for card in cards if card.effect == effect]
        if len(having) > 1:
            raise ValueError(f"the effect {effect} is on one line only, not {' and '.join(having)}")
    for colour in COLOURS[:3]:
        if by_id[f"{colour}_life"].effect != colour:
            raise ValueError(f"the card {colour}_life has the effect {colour}")
    if len(cards) > KINDS:
        raise ValueError(f"a table has at most {KINDS} lines, not {len(cards)}")
    total = sum(card.basic + card.advanced for card in cards)
    if total > MAX_CARDS:
        raise ValueError(f"a table has at most {MAX_CARDS} cards, not {total}")
