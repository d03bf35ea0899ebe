"""What the rules of every game must satisfy."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import ALL_VARIANTS, dealt, label, legal_mask, observed, played

from backroom.envs import GAMES
from backroom.envs.engine.game import deal, legal, observe, record, redeal, returns, step

EVERY_VARIANT = pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)
SEEDS, MOVES = st.integers(0, 2**32), st.integers(0, 120)


def seen(game, state, player):
    """Observation and mask of `player`, as the verbs write them over whatever was there before."""
    written = []
    for garbage in (77, 78):
        observation = np.full(game.observation_size, garbage, np.int8)
        mask = np.full(len(game.actions), garbage == 77)
        observe(state, player, observation)
        legal(state, mask)
        written.append([*observation, *(mask if player == state["player"] else ())])
    assert written[0] == written[1], "observe and legal must write every cell"
    return written[0]


def scrambled(game, state, player, noise):
    """A copy of `state`, all changed that `player` may not see."""
    other = state.copy()
    other["rng"] = noise.integers(2**63)
    for field, who in game.rules.hidden.items():
        cells = np.atleast_1d(state[field])
        if callable(who):
            known = who(state, player)
        else:
            known = np.zeros(cells.shape, np.bool_)
            if who == "owner":
                known[player] = True
        mixed = cells.copy()
        mixed[~known] = noise.permutation(cells[~known])
        other[field] = mixed.reshape(np.shape(state[field]))
    return other


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_nothing_leaks(game, seed, moves):
    """What a seat sees does not change when all that it may not see does."""
    state, _ = played(game, seed, moves)
    noise = np.random.default_rng(seed)
    for player in range(game.players):
        before = seen(game, state, player)
        table = game.rules.table(game, state, player)
        redealt = state.copy()
        redeal(redealt, player, seed + 1)
        assert seen(game, redealt, player) == before
        assert game.rules.table(game, redealt, player) == table
        other = scrambled(game, state, player, noise)
        assert seen(game, other, player) == before


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_a_redealt_state_tells_nothing_of_the_stream(game, seed, moves):
    state, _ = played(game, seed, moves)
    other = state.copy()
    other["rng"] += np.uint64(1)
    redeal(state, 0, 5)
    redeal(other, 0, 5)
    assert state.tobytes() == other.tobytes()


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_a_redealt_state_can_be_played_to_the_end(game, seed, moves):
    state, actions = played(game, seed, moves)
    pick = np.random.default_rng(seed)
    redeal(state, int(pick.integers(game.players)), seed)
    out = np.zeros(game.players, np.float32)
    for _ in range(game.facts.max_moves - len(actions)):
        if state["player"] < 0:
            break
        mask = legal_mask(game, state)
        assert mask.any()
        step(state, int(pick.choice(np.flatnonzero(mask))))
        returns(state, out)
        assert out.min() >= game.bounds[0] - 1e-5 and out.max() <= game.bounds[1] + 1e-5
    assert state["player"] == -1 and not legal_mask(game, state).any()


def test_a_redeal_draws_the_unknown_anew(game):
    """Different seeds give different hidden cards: a search sees more than one world."""
    state, _ = played(game, 3, 1)
    worlds = set()
    for seed in range(20):
        world = state.copy()
        redeal(world, 0, seed)
        world["rng"] = 0
        worlds.add(world.tobytes())
    assert len(worlds) > 1


@EVERY_VARIANT
@given(seed=SEEDS, moves=MOVES)
def test_a_deal_forgets_the_last_game(game, seed, moves):
    fresh = dealt(game, 5)[0]
    used, _ = played(game, seed, moves)
    used["rng"] = game.blank(1)[0]["rng"]
    blank = game.blank(1)[0]
    deal(blank)
    deal(used)
    assert used.tobytes() == blank.tobytes()
    assert fresh["player"] >= 0


def test_a_game_knows_its_records(game):
    """Whatever was played, the options in the record are still those that were written there."""
    for moves in (0, 1, 30, 90):
        state, _ = played(game, 4, moves)
        assert game.owns(state)
        state["seats"] += 1
        assert not game.owns(state)
    assert not game.owns(np.zeros(1, np.int8)[0])


def test_seats_see_different_things(game):
    """Each seat is given its own view."""
    state = dealt(game, 11)[0]
    views = {observed(game, state, p).tobytes() for p in range(game.players)}
    assert len(views) == game.players


@EVERY_VARIANT
@given(seed=SEEDS)
def test_a_whole_game(game, seed):
    """Masks are never empty before the end, cells and returns keep their bounds, games end."""
    state = dealt(game, seed)[0]
    low, high = game.observation_bounds
    pick, out, moves = np.random.default_rng(seed), np.zeros(game.players, np.float32), 0
    while state["player"] >= 0:
        assert 0 <= state["player"] < game.players
        mask = legal_mask(game, state)
        assert mask.any()
        if moves % 7 == 0:
            for player in range(game.players):
                view = observed(game, state, player)
                assert (view >= low).all() and (view <= high).all()
        step(state, int(pick.choice(np.flatnonzero(mask))))
        moves += 1
        assert moves <= game.facts.max_moves
        returns(state, out)
        assert out.min() >= game.bounds[0] - 1e-5 and out.max() <= game.bounds[1] + 1e-5
    assert not legal_mask(game, state).any()
    for player in range(game.players):
        view = observed(game, state, player)
        assert (view >= low).all() and (view <= high).all()


def test_action_texts_are_their_numbers(game):
    assert len(game.numbers) == len(game.actions)
    for number, text in enumerate(game.actions):
        assert game.numbers[text] == number
        assert text == text.strip() and text.isprintable()


def test_the_facts_are_true(game):
    assert sum(int(np.prod(p.shape)) for p in game.facts.parts) == game.observation_size
    assert len({p.name for p in game.facts.parts}) == len(game.facts.parts)
    for part in game.facts.parts:
        assert -128 <= part.low <= part.high <= 127 and part.meaning
    assert game.observation.names == tuple(p.name for p in game.facts.parts)
    named = game.parts(observed(game, dealt(game, 1)[0], 0))
    assert sum(named[name].size for name in named.dtype.names) == game.observation_size


def test_the_table_fits_its_canvas(game):
    columns, lines = game.facts.canvas
    for moves in range(0, 60, 7):
        state, _ = played(game, 2, moves)
        for viewer in (None, 0, game.players - 1):
            text = game.rules.table(game, state, viewer)
            assert text.count("\n") < lines and max(map(len, text.split("\n"))) <= columns


def test_events_tell_what_happened(game):
    """Every move is told to everybody, in plain sentences."""
    state, actions = dealt(game, 9)[0], played(game, 9, 40)[1]
    for action in actions:
        before = state.copy()
        step(state, action)
        for viewer in (None, *range(game.players)):
            told = game.rules.events(game, before, action, state, viewer)
            assert told and all(isinstance(line, str) and line for line in told)


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
