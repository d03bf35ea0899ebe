"""What a match says: each agent's figures with their intervals, ready for a table or for JSON."""

import math
from itertools import combinations
from typing import Any

import numpy as np

from .figures import table_figures
from .match import Match
from .statistics import Estimate, mean, share


def report(match: Match) -> dict[str, Any]:
    """All figures of a match, as plain data that JSON can hold; what is not known is None.

    Keys: `game`, `version`, `options`, `games`, `deals`, `rotations`, `seed`, `moves`; `agents`: of
    each its `name`, `weights`, mean return with interval (`mean`, `low`, `high`), `seats` with the
    same for each seat, and its own figures; `seats`: mean return by seat, whoever sat there;
    `differences`: of each two agents the mean difference of their returns on the same deal; and the
    table's own figures, such as `heist_success`, which stand with each agent too.
    """
    table = {
        name: plain(estimate)
        for name, estimate in table_figures(match.game, match.played.statistics).items()
    }
    return {
        "game": match.game.name,
        "version": match.game.rules.version,
        "options": match.game.settings(),
        "games": match.games,
        "deals": match.deals,
        "rotations": match.lineup.rotations,
        "seed": match.seed,
        "moves": int(match.played.moves.sum()),
        "agents": [_agent(match, k) | table for k in range(len(match.names))],
        "seats": [
            {"seat": seat, **plain(_mean(match, match.played.returns[..., seat].mean(axis=1)))}
            for seat in range(match.game.players)
        ],
        "differences": [
            {"agent": first, "other": second, **plain(difference(match, first, match, second))}
            for first, second in combinations(match.names, 2)
        ],
        **table,
    }


def difference(match: Match, name: str, other: Match, other_name: str) -> Estimate:
    """How much more `name` earns in `match` than `other_name` in `other`, deal by deal.

    The two matches may be one and the same.

    Raises:
        ValueError: if they were not played on the same deals.
    """
    same = (match.game, match.seed, match.deals) == (other.game, other.seed, other.deals)
    if not same:
        raise ValueError("a difference needs matches of one game on the same deals")
    low, high = match.game.bounds
    return mean(match.earned(name) - other.earned(other_name), (low - high, high - low))


def plain(estimate: Estimate) -> dict[str, float | None]:
    """An estimate as data; None for what is not finite."""
    return {
        name: value if math.isfinite(value) else None for name, value in estimate._asdict().items()
    }


def _mean(match: Match, values: np.ndarray) -> Estimate:
    return mean(values, match.game.bounds)


def _agent(match: Match, k: int) -> dict[str, Any]:
    who = match.lineup.who[k]
    return {
        "name": who.name,
        "weights": who.weights,
        **plain(_mean(match, match.earned(who.name))),
        "seats": [
            {
                "seat": seat,
                **plain(_mean(match, match.earned(who.name, seat))),
                **_seat_figures(match, who.name, seat),
            }
            for seat in range(match.game.players)
            if match.places(who.name, seat).any()
        ],
        **_seat_figures(match, who.name),
    }


def _seat_figures(match: Match, name: str, seat: int | None = None) -> dict[str, Any]:
    places = match.places(name, seat)
    return {
        figure: plain(share(hits[:, places].sum(axis=1), of[:, places].sum(axis=1)))
        for figure, (hits, of) in match.played.counts.items()
    }
