"""What the solver finds: how rounds end, by hand; values for any odds; where agents play worse."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from ...agents.caribbean_poker.strategy import Strategy
from ...envs.caribbean_poker.rules import net
from ...envs.caribbean_poker.state import CALL_STAKE, FOLDED, HAND, KINDS, OUTCOMES, UNQUALIFIED
from ...envs.engine.cards import CARDS, RANKS
from ...envs.engine.game import Game
from ...envs.engine.poker import CATEGORIES
from .counting import COMPLETIONS, HANDS

DEALS = HANDS * (CARDS - HAND) * COMPLETIONS
"""Deals of both hands with the open card told apart: 19,933,230,517,200."""

GROUPS = ("no pair, no ace-king", "ace-king", "pair or better")
WORST = 10
"""Differences from the best play that are listed one by one."""


@dataclass
class Range:
    """How the rounds of one way to play end, over all deals.

    Attributes:
        deals: float64[10, 5]: numbers of deals by category of the seat's hand, the weakest first,
            and by outcome, as in `OUTCOMES`. Whole numbers below 2**53, and so exact, unless the
            player mixes.
        odds: of the call, by category.
    """

    odds: tuple[int, ...]
    deals: np.ndarray = field(default_factory=lambda: np.zeros((KINDS, len(OUTCOMES))))

    def nets(self) -> list[list[int]]:
        """What each cell of `deals` earns, in antes."""
        return [[int(net(end, odds)) for end in range(len(OUTCOMES))] for odds in self.odds]

    def moment(self, power: int) -> Fraction:
        """The mean of the `power`-th power of what a round earns, in antes."""
        total = sum(
            Fraction(float(count)) * earned**power
            for row, nets in zip(self.deals, self.nets(), strict=True)
            for count, earned in zip(row, nets, strict=True)
        )
        return Fraction(total) / DEALS

    @property
    def value(self) -> Fraction:
        """The mean of what a round earns, in antes."""
        return self.moment(1)

    @property
    def deviation(self) -> float:
        """The standard deviation of what a round earns, in antes."""
        return sqrt(self.moment(2) - self.value**2)

    def share(self, end: int) -> float:
        """The share of rounds that end so."""
        return float(self.deals[:, end].sum() / DEALS)

    @property
    def stake(self) -> float:
        """The mean of what is staked in a round, in antes: the call's stake with what is called."""
        return 1 + CALL_STAKE * (1 - self.share(FOLDED))

    @property
    def risk(self) -> float:
        """The element of risk: the mean loss over the mean stake."""
        return -float(self.value) / self.stake

    def add(self, end: int, kinds: np.ndarray, deals: np.ndarray) -> None:
        """Count `deals`, float64[N], of hands of the categories `kinds` that end so."""
        self.deals[:, end] += np.bincount(kinds, deals, KINDS)


@dataclass
class Difference:
    """Where an agent does not play best; regrets are in antes a round, over all rounds.

    Attributes:
        calls: by group of hands, what calls cost that should be folds.
        folds: what folds cost that should be calls.
        wrong: the share of rounds, by group, in which it does the wrong thing.
        worst: the greatest mistakes: what they cost whenever they are made, hand, open card, what
            is best.
    """

    calls: np.ndarray = field(default_factory=lambda: np.zeros(len(GROUPS)))
    folds: np.ndarray = field(default_factory=lambda: np.zeros(len(GROUPS)))
    wrong: np.ndarray = field(default_factory=lambda: np.zeros(len(GROUPS)))
    worst: list[tuple[float, str, str, str]] = field(default_factory=list)


@dataclass
class Judged:
    """An agent's exact result.

    Attributes:
        name: what tables call it.
        range: how its rounds end.
        difference: where it does not play best.
        ace_king: with an ace and a king and no pair, the deals in which it calls: float64[2048,
            13], by the set of the other three ranks (bit 0 is the 2, bit 10 the queen) and the
            rank of the open card. One for each own hand and open card.
    """

    name: str
    range: Range
    difference: Difference = field(default_factory=Difference)
    ace_king: np.ndarray = field(default_factory=lambda: np.zeros((1 << 11, len(RANKS))))


class Bonus(NamedTuple):
    """What the bonus bet is worth, exactly."""

    hit: Fraction
    """How often it is hit."""
    value: Fraction
    """The mean net win of a point that is bet. The stake never comes back: odds are for one."""
    to_one: Fraction
    """The same if the stake came back with a win, which would be too generous by `hit`."""


@dataclass
class Solution:
    """The best play, and what other agents reach.

    Attributes:
        game: with the odds that were solved.
        optimal: the best play.
        judged: the agents, in order.
        ace_king: all deals of those that `Judged.ace_king` counts the calls of.
        qualify_rate: the share of rounds in which the banker qualifies.
        strategy: the best play, as agents load it.
    """

    game: Game
    optimal: Judged
    judged: list[Judged]
    ace_king: np.ndarray
    qualify_rate: Fraction
    strategy: Strategy

    def bonus(self) -> Bonus | None:
        """What the bonus bet is worth; None if there is none."""
        settings = self.game.settings()
        odds = settings["bonus_paytable"]
        if odds is None or settings["fixed_ante"]:
            return None
        pairs = list(zip(self.strategy.categories.tolist(), odds[::-1], strict=True))
        hit = Fraction(sum(count for count, odd in pairs if odd), HANDS)
        value = Fraction(sum(count * odd for count, odd in pairs), HANDS) - 1
        return Bonus(hit, value, value + hit)


def plain(solution: Solution) -> dict[str, Any]:
    """The solution as plain data, for JSON."""
    best = solution.optimal.range
    bonus = solution.bonus()
    return {
        "game": solution.game.rules.id,
        "options": solution.game.settings(),
        "deals": DEALS,
        **figures(best),
        "value_exact": str(best.value),
        "qualify_rate": float(solution.qualify_rate),
        "bonus": bonus and {name: float(value) for name, value in bonus._asdict().items()},
        "range": _rows(best),
        "agents": [_judged(judged, best.value) for judged in solution.judged],
    }


def figures(found: Range) -> dict[str, float]:
    """Value, deviation, the shares of rounds by their end, and what is staked."""
    names = ("not_qualified_rate", "win_rate", "tie_rate", "loss_rate")
    return {
        "value": float(found.value),
        "standard_deviation": found.deviation,
        "fold_rate": found.share(FOLDED),
        **{name: found.share(end) for end, name in enumerate(names, UNQUALIFIED)},
        "mean_stake": found.stake,
        "element_of_risk": found.risk,
    }


def _rows(found: Range) -> list[dict[str, Any]]:
    """The whole range: for each category of hands the numbers of deals by their end."""
    rows = []
    for kind in reversed(range(KINDS)):
        counts = found.deals[kind]
        earned = sum(c * n for c, n in zip(counts.tolist(), found.nets()[kind], strict=True))
        ends = dict(zip((name.replace(" ", "_") for name in OUTCOMES), counts, strict=True))
        rows.append(
            {
                "hand": CATEGORIES[kind],
                "deals": int(counts.sum()),
                **{name: round(float(count)) for name, count in ends.items()},
                "value_share": earned / DEALS,
            }
        )
    return rows


def _judged(judged: Judged, best: Fraction) -> dict[str, Any]:
    """An agent's figures, its regret, and where it is from."""
    found: dict[str, Any] = {"name": judged.name, **figures(judged.range)}
    found["value_exact"] = str(judged.range.value)
    found["regret"] = float(best - judged.range.value)
    where = judged.difference
    found["differences"] = {
        group: {
            "share": float(where.wrong[i]),
            "regret_of_calls": float(where.calls[i]),
            "regret_of_folds": float(where.folds[i]),
        }
        for i, group in enumerate(GROUPS)
    }
    names = ("regret", "hand", "open_card", "best")
    found["worst"] = [dict(zip(names, row, strict=True)) for row in where.worst]
    return found
