"""The contract of a game: six verbs over one record, and the facts about it.

A game is a NumPy record dtype (what a state is) and six functions (what can happen to it and what
can be known of it). The verbs below find a state's game by its dtype: in Python at the call, in
compiled code at compile time. So a kernel that is written once over these verbs serves every game,
at the speed of a kernel written for that game alone.

The number of seats and all other options lie in the record too, as fields that `deal` leaves alone,
so that one compiled kernel serves every setting. `Rules` is a game before its options are chosen,
`Game` is one with them: it knows the actions, the observation and the bounds that they imply.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from .jit import fingerprint
from .names import meant, unknown
from .options import check_words, parsed, refusal

State: TypeAlias = Any
"""One record of a game's dtype. Each has the fields `player` (to move, -1 when over), `seats` (how
many play) and `rng` (the random stream, see `rng.py`, which no player knows). Large ones may have
`shared_bytes` and `seat_bytes`, see `fetching.py`."""

Visible: TypeAlias = Literal["owner", "nobody"] | Callable[[State, int], np.ndarray]
"""Who sees a hidden field: its owner (indexed by seat), nobody, or the cells where a function of
the state and a seat says True."""


CACHE_LINE, LARGE = 64, 512
"""Bytes that a processor fetches at once; bytes of a record that is padded to whole lines."""


def record(fields: list[Any]) -> np.dtype[Any]:
    """A dtype whose records have their fields as attributes, in Python as in compiled code.

    Called from another package it adds a field, always 0, whose name is a hash of that package. A
    LARGE record ends with a field `padding`, always 0, so that games beside each other do not share
    a line of the cache: what is written in one of them does not touch the other.

    Raises:
        ValueError: if a field is called like an attribute of every record, such as `round`: plain
            Python would find that one, and compiled code the field.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"a field of a record cannot be called {name!r}: NumPy uses the name")
    # A game of another package: its kernels in the cache are those of these very sources.
    if mark := fingerprint(sys._getframe(1).f_globals["__name__"]):
        fields = [*fields, (f"sources_{mark}", "i1")]
    size = np.dtype(fields).itemsize
    if size >= LARGE and size % CACHE_LINE:
        fields = [*fields, ("padding", "i1", CACHE_LINE - size % CACHE_LINE)]
    return np.dtype((np.record, fields))


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a game, with their defaults, types and ranges; each game has its own."""


class Part(NamedTuple):
    """A named part of an observation: int8 cells from `low` to `high`."""

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    low: int = 0


class Facts(NamedTuple):
    """What a game's options imply."""

    players: int
    """Seats."""
    actions: tuple[str, ...]
    """The text of each action; the text's place is the action's number."""
    parts: tuple[Part, ...]
    """The observation, in the order in which `observe` writes it."""
    bounds: tuple[float, float]
    """Least and greatest return of a player."""
    max_moves: int
    """No game has more moves than this."""
    canvas: tuple[int, int]
    """Columns and lines that every table of this game fits into, as text."""


@dataclass(frozen=True, eq=False)
class Rules:
    """A game before its options are chosen. The functions are described at the verbs below."""

    name: str
    title: str
    """What people call it."""
    version: int
    """Raised by any change to deals, legal actions, observations or returns."""
    options: type[Options]
    state: np.dtype[Any]
    hidden: Mapping[str, Visible]
    """Fields of the state, besides `rng`, that not all may see."""
    facts: Callable[[Any], Facts]
    """From the options."""
    setup: Callable[[Any, State], None]
    """Write the options into a record, and nothing else: the fields that `deal` leaves alone."""
    deal: Callable[..., None]
    legal: Callable[..., None]
    step: Callable[..., None]
    returns: Callable[..., None]
    observe: Callable[..., None]
    redeal: Callable[..., None]
    arrange: Callable[..., None]
    """`arrange(game, state, cards)`: put `cards`, a deal as text by name, in place of the drawn
    ones in a state just dealt; ValueError with a sentence if they make no deal."""
    table: Callable[..., str]
    """`table(game, state, viewer)`: the table as text, as seat `viewer` sees it, or the spectator
    (None), who sees all."""
    events: Callable[..., list[str]]
    """`events(game, before, action, after, viewer)`: what happened, a sentence each, as `viewer`
    sees it."""
    statistics: Callable[..., dict[str, float]]
    """`statistics(game, state)`: the game's own figures of a game that is over, by name, such as
    successes and attempts."""
    scene: Callable[..., Any] | None = None
    """`scene(game, state, viewer)`: the table as `viewer` sees it in pieces that can be drawn, a
    `scene.Scene`; None: there is only the text."""

    @property
    def id(self) -> str:
        """Name and version: `kuhn_v0`."""
        return f"{self.name}_v{self.version}"

    def __post_init__(self) -> None:
        """Let the verbs find this game by its dtype, and `find` by its name."""
        if self.name in _RULES and _RULES[self.name].state != self.state:
            raise ValueError(f"there is a game called {self.name} already")
        _RULES[self.name] = self
        _VERBS[self.state] = _VERBS[from_dtype(self.state)] = self

    def configure(self, **options: Any) -> "Game":
        """The game with `options`; the same object for the same options.

        Raises:
            ValueError: with a sentence that names the option, if one is unknown or out of range.
        """
        known = self.options.__struct_fields__
        for name in options:
            if name not in known:
                others = f"it has {', '.join(known)}" if known else "it has none at all"
                raise ValueError(
                    f"{self.name} has no option {name!r}{meant(name, known)}; {others}"
                )
        types = {field.name: field.type for field in msgspec.structs.fields(self.options)}
        plain = {name: parsed(value, types[name]) for name, value in options.items()}
        for name, value in plain.items():
            check_words(f"{self.name}: option {name}", value, types[name])
        try:
            chosen = msgspec.convert(plain, self.options, strict=False)
        except msgspec.ValidationError as error:
            text = str(error)
            if where := re.search(r" - at `\$\.(\w+)", text):
                given = option_text(options[where[1]]) or "''"
                text = refusal(where[1], given, types[where[1]])
            if re.search(r"\bR\d", text):
                text += f"; the rules by number: envs/{self.name}/README.md"
            raise ValueError(f"{self.name}: {text}") from None
        return _configured(self, chosen)


@dataclass(frozen=True, eq=False)
class Game:
    """A game with its options: all that shells, agents and tests know of it."""

    rules: Rules
    options: Options
    facts: Facts = field(repr=False)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.facts.players

    @property
    def actions(self) -> tuple[str, ...]:
        """The text of each action."""
        return self.facts.actions

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest return of a player."""
        return self.facts.bounds

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each action, by its text."""
        return MappingProxyType({text: number for number, text in enumerate(self.actions)})

    @cached_property
    def observation(self) -> np.dtype[Any]:
        """The observation as a dtype of named int8 parts."""
        return np.dtype([(part.name, "i1", part.shape) for part in self.facts.parts])

    @property
    def observation_size(self) -> int:
        """Cells in an observation."""
        return self.observation.itemsize

    @cached_property
    def observation_bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest value of each cell: int8[O] each."""
        sizes = [int(np.prod(part.shape)) for part in self.facts.parts]
        low, high = (
            np.repeat(np.array([getattr(p, end) for p in self.facts.parts], np.int8), sizes)
            for end in ("low", "high")
        )
        return low, high

    def parts(self, observations: np.ndarray) -> np.ndarray:
        """Observations int8[..., O] by name, without a copy: `game.parts(observations)["card"]`.

        Raises:
            ValueError: if they have another size or type.
        """
        cells = np.ascontiguousarray(observations)
        if cells.dtype != np.int8 or cells.shape[-1:] != (self.observation_size,):
            raise ValueError(
                f"observations of {self.described()} are int8[..., {self.observation_size}], not "
                f"{cells.dtype}{list(cells.shape)}"
            )
        return cells.view(self.observation)[..., 0]

    def blank(self, count: int) -> np.ndarray:
        """`count` records with the options written in, not yet dealt."""
        states = np.zeros(count, self.rules.state)
        if count:
            states["player"] = -1
            states["seats"] = self.players
            self.rules.setup(self.options, states[0])
            states[1:] = states[0]
        return states

    def owns(self, state: State) -> bool:
        """Whether `state` is a record of this game with these options."""
        if getattr(state, "dtype", None) != self.rules.state:
            return False
        same = state.copy()
        same["seats"] = self.players
        self.rules.setup(self.options, same)
        return bool(same.tobytes() == state.tobytes())

    def settings(self) -> dict[str, Any]:
        """The options as plain data."""
        plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self.options))
        return plain  # as JSON has it: lists, no tuples

    def changed(self) -> dict[str, Any]:
        """The options that differ from the default, as plain data."""
        usual = self.rules.configure().settings()
        return {name: value for name, value in self.settings().items() if value != usual[name]}

    def described(self) -> str:
        """The game's name and the options that differ from the default, for messages.

        >>> from backroom.envs import configure
        >>> configure("kuhn").described()
        'kuhn with its default options'
        >>> configure("cockroach_poker", num_players=4).described()
        'cockroach_poker with num_players=4'
        """
        changed = [f"{name}={option_text(value)}" for name, value in self.changed().items()]
        return f"{self.name} with {' '.join(changed) or 'its default options'}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles of a game are the game itself."""
        return _restore, (self.name, self.settings())

    def __deepcopy__(self, memo: Any) -> "Game":
        """The game itself: nothing in it changes."""
        return self


_RULES: dict[str, Rules] = {}
_VERBS: dict[Any, Rules] = {}


def option_text(value: Any) -> str:
    """An option's value, as plain data, in the way in which `configure` reads it as text.

    >>> option_text(True), option_text(["jack", "hacker"]), option_text([])
    ('true', 'jack,hacker', '[]')
    """
    if isinstance(value, list | tuple):
        return ",".join(map(option_text, value)) or "[]"
    return str(value).lower() if isinstance(value, bool | None) else str(value)


@cache
def _configured(rules: Rules, options: Options) -> Game:
    return Game(rules, options, rules.facts(options))


def find(name: str) -> Rules:
    """The rules called `name`.

    Raises:
        ValueError: if there is no such game; the sentence lists those that there are.
    """
    if name not in _RULES:
        raise ValueError(unknown("game", name, sorted(_RULES)))
    return _RULES[name]


def _restore(name: str, settings: dict[str, Any]) -> Game:
    return find(name).configure(**settings)


def deal(state: State) -> None:
    """Start a game in `state`, fresh but for options and stream: set `rng` before to choose it."""
    _VERBS[state.dtype].deal(state)


def legal(state: State, mask: np.ndarray) -> None:
    """Write the legal actions of the player to move into `mask`, bool[A]; none after the end."""
    _VERBS[state.dtype].legal(state, mask)


def step(state: State, action: int) -> None:
    """Play a legal `action`."""
    _VERBS[state.dtype].step(state, action)


def returns(state: State, out: np.ndarray) -> None:
    """Write each player's return so far into `out`, float32[P]."""
    _VERBS[state.dtype].returns(state, out)


def observe(state: State, player: int, observation: np.ndarray) -> None:
    """Write all that `player` may know into `observation`, int8[O], at any time."""
    _VERBS[state.dtype].observe(state, player, observation)


def redeal(state: State, player: int, seed: int) -> None:
    """Draw anew, from `seed`, all that `player` does not know, in agreement with what they know.

    The stream is new too: what chance will do in the true game cannot be foreseen in `state`.
    """
    _VERBS[state.dtype].redeal(state, player, seed)


# The same verbs for compiled code. Numba calls these with types and compiles what they return.


@overload(deal)
def _deal(state):  # type: ignore[no-untyped-def]
    verb = _VERBS[state].deal
    return lambda state: verb(state)


@overload(legal)
def _legal(state, mask):  # type: ignore[no-untyped-def]
    verb = _VERBS[state].legal
    return lambda state, mask: verb(state, mask)


@overload(step)
def _step(state, action):  # type: ignore[no-untyped-def]
    verb = _VERBS[state].step
    return lambda state, action: verb(state, action)


@overload(returns)
def _returns(state, out):  # type: ignore[no-untyped-def]
    verb = _VERBS[state].returns
    return lambda state, out: verb(state, out)


@overload(observe)
def _observe(state, player, observation):  # type: ignore[no-untyped-def]
    verb = _VERBS[state].observe
    return lambda state, player, observation: verb(state, player, observation)


@overload(redeal)
def _redeal(state, player, seed):  # type: ignore[no-untyped-def]
    verb = _VERBS[state].redeal
    return lambda state, player, seed: verb(state, player, seed)
