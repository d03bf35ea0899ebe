"""Words in sentences: of a name that is not there, which was probably meant; things by number."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import groupby


def meant(word: object, known: Iterable[str]) -> str:
    """Which of `known` is closest to `word`, to be set behind it; nothing if none is close.

    >>> meant("Jack ", ["jack", "hacker"])
    ' (did you mean jack?)'
    >>> meant("ppo-9", ["random"])
    ''
    """
    by_folded = {_folded(name): name for name in known}
    close = get_close_matches(_folded(str(word)), by_folded, n=1)
    return f" (did you mean {by_folded[close[0]]}?)" if close else ""


def unknown(what: str, word: object, known: Iterable[str]) -> str:
    """A sentence: there is no `what` called `word`.

    >>> unknown("game", "kun", ["kuhn", "the_gang"])
    "there is no game 'kun' (did you mean kuhn?); there are kuhn, the_gang"
    """
    names = list(known)
    there = f"there are {', '.join(names)}" if names else "there are none"
    return f"there is no {what} {word!r}{meant(word, names)}; {there}"


def short_name(agent: str) -> str:
    """An agent for tables: a file of weights by its own name, a training by that of its folder.

    >>> [short_name(name) for name in ("ppo-1", "runs/a/policy.zip", "runs/b/", "w/c.safetensors")]
    ['ppo-1', 'a', 'b', 'c']
    """
    parts = [part for part in re.split(r"[\\/]", agent) if part]
    if len(parts) < 2 or re.search('[<>"]', agent):
        return agent
    last = re.sub(r"\.(safetensors|zip|npz)$", "", parts[-1])
    return parts[-2] if last == "policy" else last


def short_names(agents: Iterable[str]) -> dict[str, str]:
    """The short name of each agent; those that would have one in common keep their whole names.

    >>> short_names(["runs/a/policy.zip", "runs/b", "other/b", "random", "random"])
    {'runs/a/policy.zip': 'a', 'runs/b': 'runs/b', 'other/b': 'other/b', 'random': 'random'}
    """
    names = {agent: short_name(agent) for agent in dict.fromkeys(agents)}
    found = list(names.values())
    return {agent: agent if found.count(name) > 1 else name for agent, name in names.items()}


def in_turn(names: Iterable[str]) -> str:
    """Names in their order, those that follow on themselves once, with their number.

    >>> in_turn(["a", "b", "b", "a"])
    'a, b x2, a'
    """
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return ", ".join(name + (f" x{count}" if count > 1 else "") for name, count in runs)


def by_seat(names: Iterable[str]) -> str:
    """Names with their seats; neighbours of one name together.

    >>> by_seat(["a", "b", "b"])
    '0 a, 1-2 b'
    """
    runs, seat = [], 0
    for name, run in groupby(names):
        count = len(list(run))
        last = f"-{seat + count - 1}" if count > 1 else ""
        runs.append(f"{seat}{last} {name}")
        seat += count
    return ", ".join(runs)


def several(count: float, what: str, figure: str = "") -> str:
    """So many of `what`, in the singular if it is one; `figure` is a format of the number.

    >>> several(1, "seating"), several(0, "game"), several(1000, "run", ",")
    ('1 seating', '0 games', '1,000 runs')
    """
    return f"{count:{figure}} {what}{'' if count == 1 else 's'}"


def _folded(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")
