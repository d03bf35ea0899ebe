"""What a record says of its own layout, so that only what is needed is asked for ahead of time."""

import numpy as np
import pytest
from playing import dealt, legal_mask, observed

from backroom.envs import configure
from backroom.envs.engine.game import step
from backroom.envs.gangster_paradise.hidden import known_row
from backroom.envs.gangster_paradise.state import EVERYBODY, GROUPS, MAX_SEATS, STATE


@pytest.mark.parametrize("seats", range(4, MAX_SEATS + 1))
def test_what_a_seat_knows_lies_in_its_own_part(seats):
    """Behind what all need, one seat after the other; each hand has a row of its own."""
    state = dealt(configure("gangster_paradise", num_players=seats), 1)[0]
    start = STATE.fields["known"][1]
    rows = [known_row(state, p, seat) for p in range(EVERYBODY, seats) for seat in range(seats)]
    places = [start + int(row) * GROUPS for row in rows]
    assert places == list(range(start, start + len(rows) * GROUPS, GROUPS))
    assert state.seat_bytes == seats * GROUPS
    assert state.shared_bytes == start + state.seat_bytes  # EVERYBODY's rows come first
    own = int(state.shared_bytes) + np.arange(seats) * int(state.seat_bytes)
    assert places[seats::seats] == own.tolist()
    assert own[-1] + state.seat_bytes <= STATE.itemsize


@pytest.mark.parametrize("seats", [4, 7])
def test_a_look_needs_no_other_part(seats):
    """Whatever the rest holds, the mover sees the same and may do the same."""
    game = configure("gangster_paradise", num_players=seats)
    state, pick = dealt(game, 2)[0], np.random.default_rng(2)
    for _ in range(200):
        mask, player = legal_mask(game, state), int(state.player)
        states = np.array([state])
        changed, cells = states[0], states.view(np.uint8)
        own = int(state.shared_bytes) + player * int(state.seat_bytes)
        rest = np.ones(len(cells), np.bool_)
        rest[: int(state.shared_bytes)] = rest[own : own + int(state.seat_bytes)] = False
        cells[rest] = 77
        assert changed.tobytes() != state.tobytes()
        assert (observed(game, changed, player) == observed(game, state, player)).all()
        assert (legal_mask(game, changed) == mask).all()
        step(state, int(pick.choice(np.flatnonzero(mask))))
        if state.player < 0:
            state = dealt(game, int(pick.integers(1000)))[0]
