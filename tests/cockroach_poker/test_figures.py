"""Uniformly random play against figures that an independent program found in 40,000 games each.

A card, a target and a species are drawn uniformly; a receiver who may pass the card on does so half
of the time, with or without a look, and else calls "true" or "false", each half of the time.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

from backroom.envs import configure
from backroom.envs.cockroach_poker.state import (
    ANSWERING,
    KINDS,
    OFFERING,
    call_action,
    look_action,
    offer_action,
    pass_action,
)
from backroom.envs.engine.game import State, deal, step
from backroom.envs.engine.jit import COMPILED, jit
from backroom.envs.engine.rng import STREAM, draw, mix

GAMES = 40_000 if COMPILED else 40
THEIR_GAMES = 40_000
Z = 4.0
"""Standard errors that are allowed."""


class Figures(NamedTuple):
    options: dict[str, Any]
    four: float | None
    all_kinds: float | None
    empty: float | None
    turns: float
    turns_sd: float | None
    passes: float | None
    starter_loses: float


def capped(cards: int, *figures: float) -> Figures:
    four, kinds, empty, turns, starter = figures
    options = {"num_players": 4, "cards_per_player": cards}
    return Figures(options, four, kinds, empty, turns, None, None, starter)


OPEN: dict[str, Any] = {"all_kinds": False}
BONUS: dict[str, Any] = {"starter_bonus_card": True}
TABLE = [
    Figures({"num_players": 2}, 0.649, 0.351, 0, 21.2, 5.1, 0, 0.500),
    Figures({"num_players": 3}, 0.6515, 0.3484, 0, 28.8, 6.9, 14.4, 0.329),
    Figures({"num_players": 4}, 0.647, 0.331, 0.023, 34.6, 8.7, 26.0, 0.255),
    Figures({"num_players": 5}, 0.4615, 0.205, 0.3335, 37.5, 8.5, 32.8, 0.238),
    Figures({"num_players": 6}, 0.276, 0.088, 0.636, 37.6, 8.1, 35.2, 0.223),
    Figures({"num_players": 2, **OPEN}, 1, 0, 0, 23.8, 6.6, 0, 0.498),
    Figures({"num_players": 3, **OPEN}, 0.997, 0, 0.003, 32.0, 8.8, 16.0, 0.324),
    Figures({"num_players": 4, **OPEN}, 0.877, 0, 0.123, 37.9, 10.1, 28.4, 0.264),
    Figures({"num_players": 5, **OPEN}, 0.500, 0, 0.500, 38.8, 8.7, 33.9, 0.246),
    Figures({"num_players": 6, **OPEN}, 0.281, 0, 0.719, 38.0, 8.1, 35.6, 0.228),
    Figures({"num_players": 5, **BONUS}, 0.483, 0.223, 0.294, 37.9, 8.8, 33.1, 0.208),
    Figures({"num_players": 6, **BONUS}, 0.296, 0.100, 0.604, 38.4, 8.3, 36.0, 0.172),
    capped(6, 0.027, 0, 0.973, 16.9, 0.364),
    capped(8, 0.099, 0.012, 0.888, 23.1, 0.343),
    capped(10, 0.251, 0.083, 0.667, 28.6, 0.314),
    Figures(
        {"num_players": 2, "cards_per_player": 27, "four_of_a_kind": 5, **OPEN},
        *(0.963, 0, 0.037, 35.5, 8.2, 0, 0.502),
    ),
]


@jit
def choose(s: State, chance: State) -> int:
    """An action of the policy above."""
    seats = int(s.seats)
    claim = draw(chance, KINDS)
    if s.phase == OFFERING:
        at, card = draw(chance, int(s.hand_size[s.player])), 0
        while at >= s.hand[s.player, card]:
            at -= s.hand[s.player, card]
            card += 1
        return offer_action(seats, card, 1 + draw(chance, seats - 1), claim)
    if s.phase == ANSWERING:
        if s.chain == seats - 1 or draw(chance, 2) == 0:
            return call_action(seats, draw(chance, 2) == 0)
        if draw(chance, 2) == 0:
            return look_action(seats)
    at = draw(chance, seats - 1 - int(s.chain))
    target = 1
    while s.handled[(s.player + target) % seats] != 0 or at > 0:
        if s.handled[(s.player + target) % seats] == 0:
            at -= 1
        target += 1
    return pass_action(seats, target, claim)


@jit
def play(states: np.ndarray, chance: State) -> None:
    for i in range(states.shape[0]):
        s = states[i]
        s.rng = mix(np.uint64(i))
        deal(s)
        while s.player >= 0:
            step(s, choose(s, chance))


def near(mean: float, theirs: float, sd: float, rounding: float) -> bool:
    return abs(mean - theirs) <= rounding + Z * sd * math.sqrt(1 / GAMES + 1 / THEIR_GAMES)


def share_is(share: float, theirs: float) -> bool:
    return near(share, theirs, math.sqrt(max(theirs * (1 - theirs), 1e-4)), 0.0005)


@pytest.mark.parametrize("row", TABLE if COMPILED else TABLE[:5], ids=lambda row: str(row.options))
def test_random_play_gives_the_known_figures(row: Figures) -> None:
    game = configure("cockroach_poker", **row.options)
    states = game.blank(GAMES)
    play(states, np.ones(1, STREAM)[0])
    shares = states["ends"].mean(0)
    assert np.isclose(shares.sum(), 1)
    for share, theirs in zip(shares, (row.four, row.all_kinds, row.empty), strict=True):
        assert theirs is None or share_is(share, theirs)
    turns, passes = states["turns"], states["passes"]
    assert near(turns.mean(), row.turns, turns.std(), 0.05)
    assert turns.max() * (2 * game.players - 2) <= game.facts.max_moves
    if row.turns_sd is not None:  # the error of a standard deviation is about sd / sqrt(2 n)
        assert near(turns.std(), row.turns_sd, row.turns_sd, 0.05)
    if row.passes is not None:
        assert near(passes.mean(), row.passes, passes.std(), 0.05)
    lost = states["losses"][np.arange(GAMES), states["starter"]]
    assert share_is(lost.mean(), row.starter_loses)
