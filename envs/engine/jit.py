"""The one room for Numba's settings, and for the cache of compiled rules.

Rules are plain functions under `@jit`. With NUMBA_DISABLE_JIT=1 they run as plain Python: step
through them in a debugger, measure their coverage.

Numba's own cache watches only the file that a function is written in, not the rules that it calls
(numba/numba#1833): after an edit it would go on playing the old ones. So the cache lies outside the
tree in folders named by a hash of source text: a game's own functions by the engine and that game,
so that an edit in one game recompiles no other; what knows no game (cards, poker) by the engine;
kernels shared by all games by every source file of their room and of those that it imports; those
of other packages by all of this and by their own sources. A game of another package is played by
shared kernels too: `fingerprint` in its record's type keeps apart what was compiled before an edit.
"""

import hashlib
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
import numba.core.config

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.core.config
COMPILED = not _CONFIG.DISABLE_JIT
"""False when rules run as plain Python."""

_ENVS = Path(__file__).resolve().parents[1]
_ROOMS = ("envs", "agents", "evaluate", "train")
"""Each imports only from those before it."""
_LEAVES = {"rng", "cards", "copying", "poker", "preflop", "equity", "threads"}
"""Modules of the engine whose functions call no verb, and so depend on no game."""
_USED: set[tuple[str, str]] = set()
"""Games and kernels that this process has used."""
_OUTSIDE = "outside "
"""Begins the owner of what is no part of this suite."""
_OURS = re.compile(r"[a-z0-9_]+-[0-9a-f]{16}")
"""What a folder of the cache is called; nothing else in its home is ever removed."""
_KEEP = 30 * 24 * 3600
"""Seconds that a folder of the cache outlives its last use."""


def cache_home() -> Path:
    """The folder of all caches: `$BACKROOM_CACHE`, else `$XDG_CACHE_HOME/backroom`."""
    if own := os.environ.get("BACKROOM_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "backroom"


def _digest(places: list[Path]) -> str:
    """A hash of all sources in folders, and of single files."""
    text = hashlib.sha256()
    for place in places:
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for path in files if place.exists() else ():
            name = path.relative_to(place.parent)
            text.update(bytes(name) + b"\0" + path.read_bytes() + b"\0")
    return text.hexdigest()[:16]


@cache
def _folder(owner: str) -> str:
    """The cache of a game's own functions, of the engine's leaves, or of a room: see `_owner`.

    Nothing if it cannot be written. Then Numba must not look for a place of its own: it would keep
    functions beside their sources, and play old rules.
    """
    name = owner
    if owner in _ROOMS:
        folders = [_ENVS.parent / room for room in _ROOMS[: _ROOMS.index(owner) + 1]]
    elif owner.startswith(_OUTSIDE):
        place = _place(owner.removeprefix(_OUTSIDE))
        if place is None:
            return ""
        folders = [place, *(_ENVS.parent / room for room in _ROOMS)]
        name = "outside"
    else:
        folders = [_ENVS / name for name in ("engine", owner)]
    try:
        folder = cache_home() / f"{name}-{_digest(folders)}"
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        _sweep(folder.parent)
        writable = os.access(folder, os.W_OK)
    except (OSError, RuntimeError):  # a home that is read-only, or that nobody knows
        writable = False
    return str(folder) if writable else ""


def _sweep(home: Path) -> None:
    """Remove the caches of sources that nobody has used for a month."""
    for old in home.iterdir():
        if _OURS.fullmatch(old.name) and old.is_dir() and time.time() - old.stat().st_mtime > _KEEP:
            shutil.rmtree(old, ignore_errors=True)


def _owner(module: str) -> str:
    """The game whose package a function of `module` stands in; "engine" if it calls no game.

    Else the room, whose kernels all games share; for code from elsewhere the package or file there.
    """
    _, _, inside = module.rpartition("backroom.")
    room, _, rest = inside.partition(".")
    name, _, leaf = rest.partition(".")
    if room == "envs" and leaf and (name != "engine" or leaf in _LEAVES):
        return name
    if module.startswith("backroom.") and room in _ROOMS:
        return room
    return _OUTSIDE + module.partition(".")[0]


def _place(package: str) -> Path | None:
    """Where the sources of another package lie: its folder, or the one file; None if nobody knows.

    A notebook has none, and what is typed at a prompt.
    """
    file = getattr(sys.modules.get(package), "__file__", None)
    if not file or not Path(file).is_file():
        return None
    path = Path(file).resolve()
    return path.parent if path.name == "__init__.py" else path


def fingerprint(module: str) -> str:
    """A hash of the package that `module` belongs to, if it is none of this suite; else nothing.

    What nobody can hash is taken for new each time, so that it is never found in the cache.
    """
    owner = _owner(module)
    if not owner.startswith(_OUTSIDE):
        return ""
    place = _place(owner.removeprefix(_OUTSIDE))
    return _digest([place]) if place else secrets.token_hex(8)


@overload
def jit(fn: F) -> F: ...
@overload
def jit(*, cache: bool = True, **options: Any) -> Callable[[F], F]: ...
def jit(fn: Any = None, *, cache: bool = True, **options: Any) -> Any:
    """Compile `fn`; checkers see the signature that `fn` was written with.

    A function that calls itself, and all that call it, need `cache=False`: loaded from the cache,
    recursion crashes the process (numba/numba#6061).

    Raises:
        TypeError: if a cached function names itself.
    """
    if fn is None:
        return partial(jit, cache=cache, **options)
    if cache and fn.__name__ in fn.__code__.co_names:
        raise TypeError(f"{fn.__qualname__} calls itself: use cache=False here and in its callers")
    folder = _folder(_owner(fn.__module__))
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = folder  # read once, when the decorator runs
    try:
        return numba.njit(fn, cache=cache and bool(folder), error_model="numpy", **options)
    finally:
        _CONFIG.CACHE_DIR = before


@cache
def suite_hash() -> str:
    """A hash of all sources of this suite: what has the same one plays and learns the same."""
    return _digest([_ENVS.parent / room for room in _ROOMS])


@contextmanager
def first_use(game: str, kernels: str) -> Iterator[None]:
    """Say once on standard error that `kernels` of `game` are being compiled, and how long it took.

    Silent when plain Python runs, and when an earlier process has filled the cache.
    """
    if not COMPILED or (game, kernels) in _USED:
        yield
        return
    _USED.add((game, kernels))
    folder = _folder("envs")
    done = Path(folder or os.devnull) / f"{game}.{kernels}.compiled"
    if folder and done.exists():
        yield
        return
    how = "once for this machine" if folder else "again each time: the cache cannot be written"
    print(f"backroom: compiling {kernels} of {game}, {how} ...", file=sys.stderr)
    start = time.perf_counter()
    yield
    print(f"backroom: compiled in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    try:
        done.touch()
    except OSError:
        pass
