"""The scripted agents of The Gang: what they reach, and that what a seat sees is all they use."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playing import label

from backroom.agents import load, names
from backroom.agents.the_gang.codebook import recall
from backroom.agents.the_gang.holdings import listed, new_lists
from backroom.agents.the_gang.quantile import chip_for
from backroom.agents.the_gang.table import hole_cards, open_board, own_percentile, read
from backroom.envs import configure, make_batch
from backroom.envs.engine.jit import COMPILED
from backroom.envs.the_gang.state import BOARD

AGENTS = ["quantile", "clock", "codebook"]
EACH = pytest.mark.parametrize("name", AGENTS)
TABLES = [
    configure("the_gang"),
    configure("the_gang", num_players=4, turns_per_round=1, round_end="consensus"),
    configure("the_gang", num_players=5, turns_per_round=1, features="strength"),
    configure("the_gang", num_players=5, turns_per_round=2),
    configure("the_gang", num_players=6, turns_per_round=16, round_end="consensus"),
]
EVERY_TABLE = pytest.mark.parametrize("game", TABLES, ids=label)
BUDGETS = (1, 2, 4, 8)


def heist(n, turns, **options):
    return configure("the_gang", num_players=n, turns_per_round=turns, episode="heist", **options)


def play(game, agent, heists, seed=1):
    """How many of `heists` heists succeed with `agent` at all seats."""
    games = min(heists, 1000)
    batch, won, count = make_batch(game, games, seed=seed), 0.0, np.zeros(games, np.int64)
    each = -(-heists // games)  # the first heists of each game: no short ones are preferred
    while count.min() < each:
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
        counted = batch.done & (count < each)
        won += (batch.rewards[counted, 0] > 0).sum()
        count += batch.done
    return won / (each * games)


def positions(game, mixed, games=64, moves=40, seed=0):
    """A batch after `moves` moves, each by one of the agents `mixed`, drawn for each move."""
    batch, draws = make_batch(game, games, seed=seed), np.random.default_rng(seed)
    agents = [load(name, game, seed) for name in mixed]
    for _ in range(moves):
        actions = [a.act(batch.observations, batch.masks, batch.players) for a in agents]
        batch.step(np.choose(draws.integers(len(agents), size=games), actions))
    return batch


# What they reach: heists that succeed, by seats and budgets 1, 2, 4, 8; of 20,000 each.

REACHED = {
    "quantile": {
        3: (0.6339, 0.6405, 0.6405, 0.6405),
        4: (0.4441, 0.4526, 0.4532, 0.4532),
        5: (0.3064, 0.3150, 0.3154, 0.3154),
        6: (0.2133, 0.2200, 0.2202, 0.2202),
    },
    "clock": {
        3: (0.8055, 0.9050, 0.9570, 0.9835),
        4: (0.6121, 0.7958, 0.9095, 0.9657),
        5: (0.4388, 0.6629, 0.8467, 0.9453),
        6: (0.2802, 0.5042, 0.7602, 0.9156),
    },
    "codebook": {
        3: (0.9928, 1, 1, 1),
        4: (0.9876, 1, 1, 1),
        5: (0.9867, 1, 1, 1),
        6: (0.9893, 1, 1, 1),
    },
}


@pytest.mark.skipif(not COMPILED, reason="thousands of heists")
@pytest.mark.parametrize("n", range(3, 7))
@EACH
def test_a_heist_succeeds_as_often_as_they_say(name, n):
    """With the two least budgets."""
    for turns in (1, 2):
        heists = 600 if name == "codebook" else 2000
        assert_reached(name, n, turns, heists)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="thousands of heists")
@pytest.mark.parametrize("n", range(3, 7))
@EACH
def test_more_turns_help_as_much_as_they_say(name, n):
    for turns in (4, 8):
        assert_reached(name, n, turns, 1000 if name == "codebook" else 4000)


def assert_reached(name, n, turns, heists):
    game = heist(n, turns)
    share = play(game, load(name, game), heists, seed=heists)
    expected = REACHED[name][n][BUDGETS.index(turns)]
    error = np.sqrt(expected * (1 - expected) * (1 / heists + 1 / 20_000))
    assert abs(share - expected) <= 4 * error + 0.5 / heists


@pytest.mark.parametrize("n", [3, 6])
def test_the_codebook_needs_two_turns_to_know_everything(n):
    """All heists succeed, and before the last chips are taken each list has one pair."""
    game = heist(n, 2)
    agent, batch = load("codebook", game), make_batch(game, 200 if COMPILED else 2, seed=3)
    over, sizes = np.zeros(len(batch), np.bool_), []
    while not over.all():
        tables = read(game, batch.observations, batch.masks)
        last = (tables.number == 3) & (tables.lap == 1) & (tables.first == 0) & ~over
        sizes += [
            listed(lists_of(tables, row), s).size for row in np.flatnonzero(last) for s in range(n)
        ]
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
        assert (batch.rewards[batch.done & ~over] == 1).all()
        over |= batch.done
    assert set(sizes) == {1}


# What they look at.


def test_they_are_known_by_name():
    game = configure("the_gang")
    assert names(game)[:4] == ["random", *AGENTS]
    assert [load(name, game).name for name in AGENTS] == AGENTS


@EACH
def test_no_other_game_is_played(name):
    agent = load(name, configure("the_gang"))
    with pytest.raises(ValueError, match=f"the agent {name} plays the_gang, not kuhn"):
        type(agent)(configure("kuhn"))


@EACH
@EVERY_TABLE
def test_they_play_what_is_legal_wherever_they_are(name, game):
    """Also after moves that the convention never makes; the batch refuses what is not legal."""
    games, moves = (64, 300) if COMPILED else (2, 12)
    batch = positions(game, [name, "random"], games, moves)
    assert batch.masks.any(axis=1).all()


@EACH
@EVERY_TABLE
def test_nothing_is_kept_between_calls(name, game):
    """Whatever was asked before and whoever stands beside: the same table, the same action."""
    games = 40 if COMPILED else 2
    batch = positions(game, [name], games, 31 if COMPILED else 3)
    seen = batch.observations, batch.masks, batch.players.astype(np.int64)
    agent = load(name, game)
    actions = agent.act(*seen)
    mixed = np.random.default_rng(1).permutation(games)
    assert (agent.act(*(array[mixed] for array in seen)) == actions[mixed]).all()
    alone = [load(name, game, row).act(*(array[row : row + 1] for array in seen)) for row in mixed]
    assert (np.concatenate(alone) == actions[mixed]).all()
    assert actions.dtype == np.int64 and actions.shape == (games,)
    shares = agent.probabilities(*seen)
    assert shares.dtype == np.float32 and (shares.argmax(1) == actions).all()
    assert (shares.sum(1) == 1).all() and set(vars(agent)) == {"game", "generator"}


@EACH
def test_only_cards_chips_and_moves_are_read(name):
    """Not the score, not the features, not the seat's number: only the parts that are needed."""
    game = configure("the_gang", features="strength")
    batch = positions(game, [name], 40 if COMPILED else 4, 31 if COMPILED else 5)
    agent, needed = load(name, game), {"hole", "board", "street", "round", "first", "lap", "chips"}
    actions = agent.act(batch.observations, batch.masks, batch.players)
    other = batch.observations.copy()
    for part in game.observation.names:
        if part not in needed | {"moves"}:
            game.parts(other)[part][:] = 0
    assert (agent.act(other, np.ones_like(batch.masks), 0 * batch.players) == actions).all()


@EACH
@pytest.mark.parametrize(
    "options", [{"features": "strength"}, {"reward": "order"}, {"episode": "heist"}], ids=str
)
def test_the_same_heist_is_played_the_same_way(name, options):
    games = [configure("the_gang", **o) for o in ({}, options)]
    batches = [make_batch(game, 20 if COMPILED else 2, seed=4) for game in games]
    agents = [load(name, game) for game in games]
    for _ in range(12 if COMPILED else 4):  # within the first heist: no round is shorter than this
        acts = [
            a.act(b.observations, b.masks, b.players) for a, b in zip(agents, batches, strict=True)
        ]
        assert (acts[0] == acts[1]).all()
        for batch in batches:
            batch.step(acts[0])


def test_the_own_percentile_is_that_of_the_feature():
    game = configure("the_gang", num_players=4, turns_per_round=1, features="strength")
    batch = positions(game, ["random"], 200 if COMPILED else 5, 23 if COMPILED else 19)
    tables = read(game, batch.observations, batch.masks)
    for row, (state, mover) in enumerate(zip(batch.states, batch.players, strict=True)):
        known = state["percentile"][mover, state["round_no"]]
        if state["round_no"] > 0:
            assert int(own_percentile(tables, row) * 2000 + 0.5) == known
        else:
            assert abs(own_percentile(tables, row) * 2000 - known) <= 2
    assert len(set(tables.number)) > 1


def test_cards_are_read_as_they_lie():
    game = configure("the_gang", num_players=5)
    batch = positions(game, ["random"], 100 if COMPILED else 5, 70 if COMPILED else 40)
    tables, board = read(game, batch.observations, batch.masks), np.zeros(BOARD, np.int8)
    for row, (state, mover) in enumerate(zip(batch.states, batch.players, strict=True)):
        assert hole_cards(tables.hole[row]) == tuple(state["hole"][mover, :2])
        shown = open_board(tables.board[row], tables.street[row], board)
        assert shown == (0, 3, 4, 5)[state["round_no"]]
        assert set(board[:3]) == set(state["board"][:3]) if shown else (board == -1).all()
        assert board[3:shown].tolist() == state["board"][3:shown].tolist()
        chips = state["chips"][state["round_no"], :5]
        assert tables.chips[row].tolist() == np.roll(chips, -mover).tolist()


# The codebook's lists.


def lists_of(tables, row):
    """What all seats may hold, in turn order, as the mover of `row` has followed the heist."""
    lists, board = new_lists(tables.moves.shape[1]), np.zeros(BOARD, np.int8)
    open_board(tables.board[row], tables.street[row], board)
    first, number = int(tables.first[row]), int(tables.number[row])
    recall(lists, tables.moves[row], first, number, board)
    return lists


@pytest.mark.parametrize("turns", [1, 2])
def test_all_seats_keep_the_same_lists(turns):
    """Each seat's own pair is always in its list, and the lists are the same to all who look."""
    game = configure("the_gang", num_players=4, turns_per_round=turns)
    batch = positions(game, ["codebook"], 30 if COMPILED else 2, 21 if COMPILED else 9)
    views = [
        read(game, batch.observe(np.full(len(batch), seat, np.int8)), batch.masks)
        for seat in range(4)
    ]
    for row, state in enumerate(batch.states):
        kept = [lists_of(view, row) for view in views]
        for place in range(4):
            keys = listed(kept[0], place)
            assert all((listed(other, place) == keys).all() for other in kept)
            high, low = state["hole"][(state["first"] + place) % 4, :2].astype(int)
            assert high * (high - 1) // 2 + low in keys & 2047
            assert (np.diff(keys) > 0).all()


def test_a_list_is_never_empty():
    """Not even after moves that the convention never makes."""
    game = configure("the_gang", num_players=3, turns_per_round=6)
    for moves in range(3, 90 if COMPILED else 12, 6):
        batch = positions(game, ["random"], 30 if COMPILED else 2, moves, seed=moves)
        tables = read(game, batch.observations, batch.masks)
        for row in range(len(batch)):
            lists = lists_of(tables, row)
            assert all(listed(lists, seat).size for seat in range(3))


def test_the_first_digit_is_the_quarter_that_a_pair_is_in():
    """Three seats without a chip can take 1, 2 or 3 or pass: four parts of all 1326 pairs."""
    game, spoken = heist(3, 1), []
    agent, observation = load("codebook", game), make_batch(game, 1).observations.copy()
    for cards in ((4, 1), (25, 20), (44, 1), (51, 50)):  # 3 2, 8 7, K 2, A A
        game.parts(observation)["hole"] = 0
        game.parts(observation)["hole"][0, cards] = 1
        spoken += [game.actions[agent.act(observation, np.ones((1, 5), bool), np.zeros(1, int))[0]]]
    assert spoken == ["take 1", "take 2", "take 3", "pass"]


@pytest.mark.parametrize("n", [3, 5])
@pytest.mark.parametrize("turns", [1, 3])
def test_the_codebook_ends_no_round_early(n, turns):
    """So it plays the same whatever ends a round."""
    ends = ("all_hold", "consensus")
    batches = [make_batch(heist(n, turns, round_end=end), 30 if COMPILED else 1) for end in ends]
    agents = [load("codebook", batch.game) for batch in batches]
    for _ in range(4 * n * turns):
        acts = [
            a.act(b.observations, b.masks, b.players) for a, b in zip(agents, batches, strict=True)
        ]
        assert (acts[0] == acts[1]).all()
        for batch in batches:
            assert not batch.done.any()
            batch.step(acts[0])


# Both modes.

MOVES = """
import sys
sys.path.insert(0, {tests!r})
import numpy as np
from backroom.agents import load
from backroom.envs import configure, make_batch
for name in ("quantile", "clock", "codebook"):
    game = configure("the_gang", num_players=4, turns_per_round=1)
    batch, agent = make_batch(game, 2, seed=8), load(name, game)
    for _ in range(30):
        actions = agent.act(batch.observations, batch.masks, batch.players)
        print(*actions)
        batch.step(actions)
"""


@pytest.mark.skipif(not COMPILED, reason="needs compiled rules")
def test_compiled_agents_play_as_plain_ones():
    code = MOVES.format(tests=str(Path(__file__).parent))
    played = {
        subprocess.run(
            [sys.executable, "-W", "error", "-W", "ignore:overflow:RuntimeWarning", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for plain in ("0", "1")
    }
    assert len(played) == 1 and played.pop().count("\n") == 90


def test_a_chip_is_stolen_by_whom_it_fits_better():
    """Chip 2 of three is held: what is free decides who should have it."""
    low_free, high_free, white = np.array([0, 2, 3]), np.array([0, 1, 2]), np.ones(3, np.bool_)
    assert [chip_for(p, low_free, white, True) for p in (0.6, 0.4)] == [2, 1]
    assert [chip_for(p, high_free, white, True) for p in (0.6, 0.4)] == [3, 2]
    assert chip_for(0.52, low_free, white, True) == 1  # within the margin
