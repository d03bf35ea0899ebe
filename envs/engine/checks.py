"""Checks of what comes from outside: each gives the value back, or one sentence on it."""

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np


def whole(value: Any) -> int | None:
    """`value` as an int, whatever kind of integer it is; None if it is none, as True and 1.0.

    >>> whole(np.int8(3)), whole(True), whole(1.0)
    (3, None, None)
    """
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def checked_choice(what: str, value: Any, choices: tuple[Any, ...]) -> Any:
    """`value` if it is one of `choices`, else a ValueError that names `what`."""
    if value not in choices:
        raise ValueError(f"{what} is one of {_listed(choices)}, not {value!r}")
    return value


def _listed(choices: Iterable[Any]) -> str:
    return ", ".join(map(repr, choices))


def checked_agent(agent: Any, agents: list[str]) -> str:
    """`agent` if it is one of `agents`, else a ValueError that lists those."""
    if agent not in agents:
        raise ValueError(f"there is no agent {agent!r}; there are {agents}")
    return str(agent)


def checked_action(action: Any) -> int:
    """`action` as an int, else a TypeError."""
    number = whole(action)
    if number is None:
        raise TypeError(f"an action is an integer, not {action!r}")
    return number


def checked_count(what: str, value: Any) -> int:
    """`value` as an int from 1 up, else a TypeError or ValueError that names `what`."""
    number = whole(value)
    sentence = f"{what} is an integer and at least 1, not {value!r}"
    if number is None:
        raise TypeError(sentence)
    if number < 1:
        raise ValueError(sentence)
    return number


def checked_seat(what: str, seat: Any, players: int) -> int:
    """`seat`, one of `players`, as an int; else a TypeError or ValueError that names `what`.

    >>> checked_seat("seat", np.int64(1), 2)
    1
    """
    return _seat(seat, players, f"{what} is one of {_listed(range(players))}, not {seat!r}")


def checked_viewer(what: str, seat: Any, players: int) -> int | None:
    """As `checked_seat`, but None is allowed, for nobody or all."""
    if seat is None:
        return None
    return _seat(
        seat, players, f"{what} is one of {_listed((None, *range(players)))}, not {seat!r}"
    )


def _seat(seat: Any, players: int, sentence: str) -> int:
    number = whole(seat)
    if number is None:
        raise TypeError(sentence)
    if not 0 <= number < players:
        raise ValueError(sentence)
    return number


def checked_seed(seed: Any) -> int:
    """`seed` as an int in [0, 2**64), else a TypeError or ValueError.

    >>> checked_seed(7)
    7
    """
    number = whole(seed)
    sentence = f"a seed is an integer from 0 to 2**64 - 1, not {seed!r}"
    if number is None:
        raise TypeError(sentence)
    if not 0 <= number < 2**64:
        raise ValueError(sentence)
    return number
