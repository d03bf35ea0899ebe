"""Gangster Paradise under its scripted agents: the balance of colours and titles, and matches."""

from collections.abc import Iterable

from ..envs import configure
from ..envs.gangster_paradise.options import lives
from ..envs.gangster_paradise.state import COLOURS, COOPERATION, TITLES
from .cells import Cell, all_measured, measured

BALANCE_GAMES, MATRIX_GAMES = 1_000, 750
GANGSTERS = ("collector", "hunter", "trader", "liar")
BALANCE = {
    **{f"{colour}_win_rate": f"{colour} wins" for colour in COLOURS},
    **{f"won_by_{title}": f"by {title}" for title in TITLES[1:COOPERATION]},
    "won_by_nothing": "nobody wins",
    "rounds_per_game": "rounds",
    "moves_per_game": "moves",
}
"""Figures of the balance of Gangster Paradise, and their columns."""


def balance() -> Iterable[Cell]:
    """Who wins by colour, by which title, and how long games are."""
    for row, agents in (*((name, [name]) for name in ("random", *GANGSTERS)), ("mixed", GANGSTERS)):
        for seats in (7, 6, 5, 4):
            game = configure("gangster_paradise", num_players=seats)
            counts = lives(game.options)  # type: ignore[arg-type]
            missing = {f"{c}_win_rate" for c, n in zip(COLOURS, counts, strict=True) if not n}
            where = {
                figure: (f"{row}, {seats} seats", column)
                for figure, column in BALANCE.items()
                if figure not in missing
            }
            yield from all_measured(game, list(agents), where, BALANCE_GAMES)


def matrix() -> Iterable[Cell]:
    """Every agent alone at a table of each."""
    game = configure("gangster_paradise")
    for name in ("random", *GANGSTERS):
        for other in ("random", *GANGSTERS):
            agents = [name] if name == other else [name, other]
            place = (name, f"among four {other}")
            yield measured(game, agents, "win_rate", MATRIX_GAMES, place)
