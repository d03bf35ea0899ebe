"""What the rules of every game must satisfy."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import ALL_VARIANTS, dealt, label, observed, played

from backroom.envs import GAMES
from backroom.envs.engine import testing
from backroom.envs.engine.game import record

EVERY_VARIANT = pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)
SEEDS, MOVES = st.integers(0, 2**32), st.integers(0, 120)


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_nothing_leaks(game, seed, moves):
    testing.check_leaks(game, seed, moves)


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_a_redealt_state_tells_nothing_and_can_be_played_to_the_end(game, seed, moves):
    testing.check_redeal(game, seed, moves)


def test_a_redeal_draws_the_unknown_anew_and_seats_see_different_things(game):
    testing.check_worlds(game)


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_a_deal_forgets_the_last_game(game, seed, moves):
    testing.check_deal(game, seed, moves)


def test_a_game_knows_its_records(game):
    """Whatever was played, the options in the record are still those that were written there."""
    for moves in (0, 1, 30, 90):
        state, _ = played(game, 4, moves)
        assert game.owns(state)
        state["seats"] += 1
        assert not game.owns(state)
    assert not game.owns(np.zeros(1, np.int8)[0])


@EVERY_VARIANT
@given(seed=SEEDS)
def test_a_whole_game(game, seed):
    """Masks are never empty before the end, cells and returns keep their bounds, games end."""
    testing.check_game(game, seed)


def test_the_facts_are_true(game):
    testing.check_facts(game)
    assert [game.numbers[text] for text in game.actions] == list(range(len(game.actions)))
    assert game.observation.names == tuple(p.name for p in game.facts.parts)
    named = game.parts(observed(game, dealt(game, 1)[0], 0))
    assert sum(named[name].size for name in named.dtype.names) == game.observation_size


def test_the_table_fits_its_canvas_and_events_tell_what_happened(game):
    for seed in (2, 9):
        testing.check_texts(game, seed)


def test_shells_play_one_game(game):
    testing.check_shells(game, 3)


def test_options_are_checked(rules):
    with pytest.raises(ValueError, match="has no option"):
        rules.configure(no_such_option=1)
    if "num_players" in rules.options.__struct_fields__:
        for wrong in (0, 99, "many", None):
            with pytest.raises(ValueError, match="num_players"):
                rules.configure(num_players=wrong)


def test_nonsense_deals_are_refused(default_game):
    for nonsense in ({"": ""}, {"hand0": "x"}, {"deck": "J J J"}, {"colour": "red"}):
        with pytest.raises(ValueError):
            default_game.rules.arrange(default_game, dealt(default_game, 1)[0], nonsense)


FINGERPRINT = """
import hashlib, sys, warnings
sys.path.insert(0, {tests!r})
import numpy as np
from playing import dealt, legal_mask, observed, variants
from backroom.envs import GAMES
from backroom.envs.engine.game import redeal, returns, step
digest = hashlib.sha256()
for game in variants(GAMES[{name!r}]):
    out = np.zeros(game.players, np.float32)
    for seed in range(3):
        state, pick = dealt(game, seed)[0], np.random.default_rng(seed)
        for move in range(150):
            if state["player"] < 0:
                break
            mask = legal_mask(game, state)
            step(state, int(pick.choice(np.flatnonzero(mask))))
            returns(state, out)
            digest.update(state.tobytes() + mask.tobytes() + out.tobytes())
            if move % 5 == 0:
                for p in range(game.players):
                    digest.update(observed(game, state, p).tobytes())
                    other = state.copy()
                    redeal(other, p, move)
                    digest.update(other.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.skipif("os.environ.get('NUMBA_DISABLE_JIT') == '1'", reason="needs compiled rules")
def test_compiled_rules_are_the_plain_ones(rules):
    """Small integers wrap in plain Python and widen in compiled code: no rule may depend on it."""
    code = FINGERPRINT.format(tests=str(Path(__file__).parent), name=rules.name)
    prints = {
        subprocess.run(
            [sys.executable, "-W", "error", "-W", "ignore:overflow:RuntimeWarning", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for plain in ("0", "1")
    }
    assert len(prints) == 1 and prints.pop().strip()


def test_a_field_is_not_called_like_an_attribute_of_numpy():
    with pytest.raises(ValueError, match="'round'"):
        record([("round", "i1")])


def test_there_are_games():
    assert set(GAMES) >= {"kuhn"}
