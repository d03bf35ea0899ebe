"""What a browser and the server say to each other: a JSON object each, told apart by its `type`.

A link begins with `hello`, which holds the seat's key. From then on the server sends an `update`
whenever there is something new to see. Numbers and texts from the network have limits here, and
what is not written here is not understood.
"""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ..viewer.beliefs import Panel
from .table import Hint, RefusedError, Update

LONGEST = 4096
"""Bytes of a message from a browser."""

Count = Annotated[int, Meta(ge=-1, lt=2**31)]
Text = Annotated[str, Meta(max_length=200)]


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What all messages to the server have in common."""


class Hello(_Asked, frozen=True, tag="hello"):
    """Let me see the table with this key; of game `number` I have the frames up to `step`."""

    key: Text
    number: Count = -1
    step: Count = -1


class Play(_Asked, frozen=True, tag="play"):
    """Play this, at the table as it was at that step."""

    action: Text
    number: Count
    step: Count


class AskHint(_Asked, frozen=True, tag="hint"):
    """What would you do in my place?"""


class AskBeliefs(_Asked, frozen=True, tag="beliefs"):
    """What can I believe of the table?"""


class AskRecord(_Asked, frozen=True, tag="record"):
    """Give me the game that is over, as I saw it."""


class Skip(_Asked, frozen=True, tag="skip"):
    """Do not wait between moves until a person is to move."""


class Again(_Asked, frozen=True, tag="again"):
    """Deal the next game."""


Asked: TypeAlias = Hello | Play | AskHint | AskBeliefs | AskRecord | Skip | Again


class _Told(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type"):
    """What all messages to browsers have in common."""


class Welcome(_Told, frozen=True, tag="welcome"):
    """What the table is; the first message."""

    title: str
    game: str
    names: tuple[str, ...]
    """Who sits where, by seat."""
    people: tuple[int, ...]
    """The seats of people."""
    seat: int | None
    """One's own; none for the spectator."""
    hints: str | None
    """Who gives hints."""


class Present(_Told, frozen=True, tag="present"):
    """The seats of people who are there."""

    seats: tuple[int, ...]


class TellUpdate(_Told, frozen=True, tag="update"):
    """What is new at the table."""

    update: Update


class TellHint(_Told, frozen=True, tag="hint"):
    """What an agent would do; of game `number` at `step`, as the viewer counts."""

    hint: Hint
    number: int
    step: int


class TellBeliefs(_Told, frozen=True, tag="beliefs"):
    """What can be believed of the table; of game `number` at `step`, as the viewer counts."""

    panels: tuple[Panel, ...]
    number: int
    step: int


class TellRecord(_Told, frozen=True, tag="record"):
    """A game as the seat saw it: a line of a file of records."""

    name: str
    """For the file."""
    line: str


class Sorry(_Told, frozen=True, tag="sorry"):
    """Why something asked for is not done."""

    sentence: str


Told: TypeAlias = Welcome | Present | TellUpdate | TellHint | TellBeliefs | TellRecord | Sorry

_DECODER = msgspec.json.Decoder(Asked)


def understood(text: str | bytes | None) -> Asked:
    """What a browser asks for.

    Raises:
        RefusedError: if it is nothing that is written here.
    """
    if not isinstance(text, str):
        raise RefusedError("a message is text, not bytes")
    if len(text) > LONGEST:
        raise RefusedError(f"a message is at most {LONGEST} characters long")
    try:
        return _DECODER.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise RefusedError("this message is not understood") from None


def encoded(told: Told) -> str:
    """A message as it is sent."""
    return msgspec.json.encode(told).decode()
