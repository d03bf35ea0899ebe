"""Whatever is played, each card is in exactly one place, and what is known of hands is true.

`BACKROOM_GAMES=100000 pytest tests/gangster_paradise/test_conservation.py` plays as many games with
each number of seats and each set; without it some hundreds, in plain Python one.
"""

import os

import numpy as np
import pytest
from playing import dealt, legal_mask

from backroom.envs import configure
from backroom.envs.engine.game import deal, legal, step
from backroom.envs.engine.jit import COMPILED, jit
from backroom.envs.engine.rng import STREAM, draw
from backroom.envs.gangster_paradise.hidden import known_row
from backroom.envs.gangster_paradise.state import EVERYBODY, KINDS, MAX_SEATS, STATE

GAMES = int(os.environ.get("BACKROOM_GAMES", "500" if COMPILED else "1"))
EVERY = 5 if COMPILED else 60
"""What is known is looked at after so many moves."""
TABLES = [
    {"num_players": 4},
    {"num_players": 4, "cards": "advanced", "spare_weapons": "deck", "surrender": True},
    {"num_players": 5, "beginner": True, "one_more_draw": "hand_to_field"},
    {"num_players": 5, "hero_limit": 2, "killer_ignores_substitutes": False},
    {"num_players": 6, "gray_safe_from_black": False, "sight_kills_in_round_1": True},
    {"num_players": 7, "dead_can_set_win": True, "beauty_discards_target": False},
]

LOST, CLAIMED, NO_MOVE, ENDLESS = 1, 2, 3, 4


@jit
def wrong(s, counted):
    """What is wrong with the cards of a state; 0 for nothing. `counted` is int64[KINDS]."""
    counted[:] = 0
    for i in range(s.deck_size):
        counted[s.deck[i]] += 1
    for k in range(KINDS):
        counted[k] += int(s.on_field[k]) - int(s.in_play[k])
    if s.on_field.min() < 0 or s.hand.min() < 0:
        return LOST
    for seat in range(s.seats):
        held = 0
        for k in range(KINDS):
            held += int(s.hand[seat, k])
            counted[k] += int(s.hand[seat, k])
        if held != s.held[seat]:
            return LOST
    for k in range(KINDS):
        if counted[k] != 0:
            return LOST
    return 0


@jit
def untrue(s):
    """Whether somebody is said to know of a card that is not there."""
    for p in range(EVERYBODY, s.seats):
        for seat in range(s.seats):
            if p == seat:
                continue
            in_class = np.zeros(3, np.int64)
            for k in range(KINDS):
                if s.known[known_row(s, p, seat), k] > s.hand[seat, k]:
                    return CLAIMED
                if s.class_of[k] >= 0:
                    in_class[s.class_of[k] - KINDS] += int(s.hand[seat, k])
            for c in range(3):
                if s.known[known_row(s, p, seat), KINDS + c] > in_class[c]:
                    return CLAIMED
    return 0


@jit
def play_all(s, chance, mask, games, most):
    """Play random games; what went wrong first (0 for nothing), and in which game."""
    counted = np.zeros(KINDS, np.int64)
    for game in range(games):
        deal(s)
        moves = 0
        while s.player >= 0:
            legal(s, mask)
            count = mask.sum()
            if count == 0:
                return NO_MOVE, game
            k = draw(chance, count)
            action = 0
            while k > 0 or not mask[action]:
                k -= mask[action]
                action += 1
            step(s, action)
            moves += 1
            fault = wrong(s, counted)
            if fault == 0 and moves % EVERY == 0:
                fault = untrue(s)
            if fault:
                return fault, game
            if moves > most:
                return ENDLESS, game
    return 0, games


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_cards_are_conserved(options):
    game = configure("gangster_paradise", **options)
    state, chance = game.blank(1), np.zeros(1, STREAM)
    state["rng"], chance["rng"] = 5, 6
    mask = np.zeros(len(game.actions), np.bool_)
    found = play_all(state[0], chance[0], mask, GAMES, game.facts.max_moves)
    assert found == (0, GAMES)


def test_the_measures_see_what_is_wrong():
    state = dealt(configure("gangster_paradise"), 1)[0]
    counted = np.zeros(KINDS, np.int64)
    assert wrong(state, counted) == untrue(state) == 0
    lost = state.copy()
    lost["on_field"][int(state["spy"])] += 1
    assert wrong(lost, counted) == LOST
    claimed = state.copy()
    claimed.known[known_row(claimed, 0, 1), int(state["money"])] = 9
    assert untrue(claimed) == CLAIMED
    assert (
        STATE["hand"].shape == (MAX_SEATS, KINDS)
        and legal_mask(configure("gangster_paradise"), state).any()
    )
