"""Answers to what a person is asked: see `choices.py`."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from ...envs.engine.scene import Item


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to a question."""

    text: str
    item: Item | None = None
    """The piece that it is about."""
    note: str = ""
    """What is to be known of it, such as its price, in few words."""
    then: str = ""
    """The question that it leads to, if that is another than usual."""
    place: int = 0
    """Answers stand by it; -1: at the end, apart from the others."""


Words: TypeAlias = tuple[tuple[str, ...], Callable[[int], tuple[Answer, ...]]]
"""Questions, and the answers that an action gives to them."""
