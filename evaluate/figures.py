"""The games' own figures: what is counted in them, and what it is a share of."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..envs.engine.game import Game
from ..envs.gangster_paradise.state import COLOURS as GANGSTER_COLOURS
from ..envs.gangster_paradise.state import COOPERATION as GANGSTER_COOPERATION
from ..envs.gangster_paradise.state import TITLES as GANGSTER_TITLES
from .statistics import Estimate, ratio, share


class Figure(NamedTuple):
    """A figure of all who sit at a table: one statistic of the game over another, summed up."""

    name: str
    meaning: str
    top: str
    bottom: str | None = None
    """None: the number of records, one a deal and rotation."""
    share: bool = True
    """Whether each unit of `bottom` holds at most one of `top`."""


class SeatFigure(NamedTuple):
    """A figure of each seat, and so of the agent that sits there."""

    name: str
    meaning: str
    tally: Callable[[Game, np.ndarray], tuple[np.ndarray, np.ndarray]]
    """From the last states, records[B]: hits and trials, float64[B, P] each."""


def _cockroach_losses(game: Game, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    losses = states["losses"][:, : game.players].astype(np.float64)
    return losses, np.broadcast_to(states["games"][:, None].astype(np.float64), losses.shape)


def _gangster_wins(game: Game, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    wins = (states["titles"][:, : game.players] > 0).astype(np.float64)
    return wins, np.ones_like(wins)


FIGURES: dict[str, tuple[Figure, ...]] = {
    "kuhn": (
        Figure("called", "share of games in which both bet", "called"),
        Figure("checked", "share of games in which both passed", "checked"),
        Figure("folded", "share of games in which a bet was folded to", "folded"),
    ),
    "caribbean_poker": (
        Figure("call_rate", "share of hands that are called", "calls", "hands"),
        Figure("win_rate", "share of hands that beat a banker who qualifies", "wins", "hands"),
        Figure("loss_rate", "share of hands that are called and lost", "losses", "hands"),
        Figure(
            "qualify_rate", "share of rounds in which the banker qualifies", "qualified", "rounds"
        ),
        Figure("bonus_rate", "share of hands with a bonus bet", "bonus_bets", "hands"),
        Figure("mean_stake", "points staked a hand", "staked", "hands", False),
    ),
    "the_gang": (
        Figure("heist_success", "share of heists that succeed", "heist_successes", "heists"),
        Figure("game_win_rate", "share of games won", "game_win"),
        Figure("moves_per_heist", "moves in a heist", "moves", "heists", False),
        Figure(
            "taken_from_players",
            "share of moves that take a chip from a player",
            "takes_from_players",
            "moves",
        ),
    ),
    "gangster_paradise": (
        *(
            Figure(f"{c}_win_rate", f"share of {c} LIFE that win", f"{c}_wins", f"{c}_seats")
            for c in GANGSTER_COLOURS
        ),
        *(
            Figure(f"won_by_{t}", f"share of games with {t} as the best title", f"won_by_{t}")
            for t in GANGSTER_TITLES[:GANGSTER_COOPERATION]
        ),
        *(
            Figure(f"{what}_per_game", f"{what} in a game", what, share=False)
            for what in "rounds moves deaths shots looks purchases sales trades refusals".split()
        ),
    ),
    "cockroach_poker": (
        Figure("lie_rate", "share of claims that name another species", "lies", "claims"),
        Figure("call_accuracy", "share of calls that are right", "calls_right", "calls"),
        Figure("turns_per_game", "cards offered in a game", "turns", "games", False),
        Figure("passes_per_turn", "times a card is passed on", "passes", "turns", False),
        Figure(
            "four_of_a_kind", "share of games lost by many of a kind", "four_of_a_kind", "games"
        ),
        Figure("all_kinds", "share of games lost by one of each kind", "all_kinds", "games"),
        Figure("out_of_cards", "share of games lost by an empty hand", "out_of_cards", "games"),
    ),
}
"""By game; a game that is not here gets the mean of each of its statistics."""

SEAT_FIGURES: dict[str, tuple[SeatFigure, ...]] = {
    "cockroach_poker": (SeatFigure("loss_rate", "share of games lost", _cockroach_losses),),
    "gangster_paradise": (SeatFigure("win_rate", "share of games won", _gangster_wins),),
}


def counted(game: Game, states: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Hits and trials of each figure of a seat, float64[B, P] each, from the last states."""
    return {f.name: f.tally(game, states) for f in SEAT_FIGURES.get(game.name, ())}


def table_figures(game: Game, statistics: dict[str, np.ndarray]) -> dict[str, Estimate]:
    """The figures of a match by name, from `Rules.statistics`, float64[D, R] each."""
    known = FIGURES.get(game.name) or [
        Figure(name, f"{name} in a game", name, share=False) for name in statistics
    ]
    found = {}
    for figure in known:
        if figure.top not in statistics:  # these options leave it out
            continue
        tops = statistics[figure.top]
        bottoms = np.ones_like(tops) if figure.bottom is None else statistics[figure.bottom]
        interval = share if figure.share else ratio
        found[figure.name] = interval(tops.sum(axis=1), bottoms.sum(axis=1))
    return found
