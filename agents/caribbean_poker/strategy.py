"""The exact optimal strategy of Caribbean Poker, from a small file that the solver makes.

    backroom solve caribbean_poker --save agents/caribbean_poker/optimal.npz

A file holds for each category of hands what to do with most of them, and the hands that differ,
each with a bit for every open card. It holds numbers only; nothing in it is ever executed.
"""

import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...envs.caribbean_poker.state import FIRST_BET, KINDS
from ...envs.engine.cards import CARDS
from ...envs.engine.files import drafted
from ...envs.engine.game import Game
from .thumb import CallingAgent

FORMAT = 1
OPTIMAL = Path(__file__).with_name("optimal.npz")
"""The strategy for the default odds of the call."""
MAX_HANDS = 200_000
"""No strategy names more hands: there are fewer, up to an exchange of suits."""

_RANKS, _SUITS = CARDS // 4, 4
_BITS = 1 << (_RANKS * (_SUITS - 1 - np.arange(CARDS) % 4) + np.arange(CARDS) // 4).astype(np.int64)
"""Of each card its bit in the code of a hand: 13 bits a suit, the first suit highest."""


class Strategy(NamedTuple):
    """When to call, in all situations."""

    paytable: np.ndarray
    """The odds of the call for which this is best, royal flush first: int64[10]."""
    usual: np.ndarray
    """Whether to call with hands that are not listed, by category, high card first: bool[10]."""
    hands: np.ndarray
    """The codes of the hands listed, ascending: int64[N]."""
    calls: np.ndarray
    """Whether to call with each, by the open card: bool[N, 52], suits named as observed."""
    value: float
    """What a round is worth, in antes."""
    categories: np.ndarray
    """How many of the 2,598,960 hands there are of each category, high card first: int64[10]."""

    def look_up(self, codes: np.ndarray, kinds: np.ndarray, ups: np.ndarray) -> np.ndarray:
        """Whether to call, bool[B], with hands of `codes` and categories against open cards."""
        found: np.ndarray = self.usual[kinds]
        if self.hands.size:
            places = np.searchsorted(self.hands, codes).clip(max=self.hands.size - 1)
            listed = self.hands[places] == codes
            found = np.where(listed, self.calls[places, ups], found)
        return found


def save(path: Path, strategy: Strategy) -> None:
    """Write `strategy` into the file `path`, whole or not at all.

    Raises:
        OSError: with a sentence, if it cannot be written.
    """
    plain = strategy._asdict() | {"calls": np.packbits(strategy.calls, axis=1), "format": FORMAT}
    with drafted(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, **plain)


def read(path: Path) -> Strategy:
    """The strategy in the file `path`.

    Raises:
        ValueError: with a sentence, if the file is damaged or holds something else.
        OSError: if it cannot be read.
    """
    path = Path(path)
    if path.is_file() and not zipfile.is_zipfile(path):
        raise ValueError(f"{path} holds no strategy that can be read: it is no .npz file")
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            if not isinstance(file, np.lib.npyio.NpzFile) or file["format"] != FORMAT:
                raise ValueError("it has another format")
            arrays: dict[str, Any] = {name: file[name] for name in Strategy._fields}
        packed = arrays["calls"]
        arrays["calls"] = np.unpackbits(packed, axis=1, count=CARDS).astype(np.bool_)
        arrays["value"] = float(arrays["value"])
        strategy = Strategy(**arrays)
        _check(strategy)
    except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} holds no strategy that can be read: {error}") from None
    return strategy


def _check(strategy: Strategy) -> None:
    """ValueError unless the arrays have the shapes that `Strategy` tells."""
    count = strategy.hands.size
    shapes = {
        "paytable": ((KINDS,), np.int64),
        "usual": ((KINDS,), np.bool_),
        "hands": ((count,), np.int64),
        "calls": ((count, CARDS), np.bool_),
        "categories": ((KINDS,), np.int64),
    }
    for name, (shape, kind) in shapes.items():
        array = getattr(strategy, name)
        if array.shape != shape or array.dtype != kind:
            raise ValueError(f"{name} is no {np.dtype(kind)}{list(shape)}")
    if count > MAX_HANDS or (np.diff(strategy.hands) <= 0).any():
        raise ValueError("its hands are not in ascending order")


class Optimal(CallingAgent):
    """Folds and calls as is best in each round, by a strategy that the solver has worked out.

    It antes the least unless a round is worth something, and makes the bonus bet if that is: with
    the default odds neither is so.
    """

    name = "optimal"

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether the strategy that is shipped is for the odds of `game`."""
        default = game.rules.configure()
        return bool(game.settings()["call_paytable"] == default.settings()["call_paytable"])

    def __init__(self, game: Game, seed: int = 0, strategy: Strategy | None = None) -> None:
        """Prepare to play `strategy`, or the one that is shipped.

        Raises:
            ValueError: if it is another game, or the strategy is for other odds of the call.
        """
        super().__init__(game, seed)
        self.strategy = read(OPTIMAL) if strategy is None else strategy
        odds = self.strategy.paytable.tolist()
        settings = game.settings()
        if odds != settings["call_paytable"]:
            raise ValueError(
                f"this strategy is for the call_paytable {odds}; for another, make one by "
                f"`backroom solve caribbean_poker --set call_paytable=... --save FILE.npz`"
            )
        bonus = settings["bonus_paytable"]
        categories = self.strategy.categories
        self._bonus = bonus is not None and categories @ bonus[::-1] > categories.sum()

    @classmethod
    def from_file(cls, game: Game, path: Path, seed: int = 0) -> "Optimal":
        """The agent that plays the strategy in the file `path`, named after the file.

        Raises:
            ValueError: if the file is damaged or for other odds.
        """
        agent = cls(game, seed, read(path))
        agent.name = Path(path).stem
        return agent

    def calls(self, observations: np.ndarray) -> np.ndarray:
        """Whether to call, as the strategy says."""
        parts = self.game.parts(observations)
        codes = parts["hand"].astype(np.int64) @ _BITS
        kinds, ups = parts["category"].argmax(axis=1), parts["up"].argmax(axis=1)
        return self.strategy.look_up(codes, kinds, ups)

    def bets(self, masks: np.ndarray) -> np.ndarray:
        """The least ante, or the greatest if a round is worth something; likewise the bonus bet."""
        legal = np.array(masks[:, FIRST_BET:])
        with_bonus = np.arange(legal.shape[1]) % 2 == 1
        wanted = legal & (with_bonus == self._bonus)
        legal = np.where(wanted.any(axis=1, keepdims=True), wanted, legal)
        if self.strategy.value > 0:
            greatest: np.ndarray = FIRST_BET + legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
            return greatest
        least: np.ndarray = FIRST_BET + legal.argmax(axis=1)
        return least
