"""Words in sentences: of a name that is not there, which was probably meant; things by number."""

from collections.abc import Iterable
from difflib import get_close_matches


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


def several(count: float, what: str, figure: str = "") -> str:
    """So many of `what`, in the singular if it is one; `figure` is a format of the number.

    >>> several(1, "seating"), several(0, "game"), several(1000, "run", ",")
    ('1 seating', '0 games', '1,000 runs')
    """
    return f"{count:{figure}} {what}{'' if count == 1 else 's'}"


def _folded(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")
