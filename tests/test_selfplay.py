"""Self-play: who gets credit, and who decides."""

import numpy as np
import pytest
from learning import KUHN, settings

from backroom.agents import Agent, load
from backroom.envs import configure
from backroom.train import selfplay
from backroom.train.ppo import Learner
from backroom.train.selfplay import LEARNER, Moves, SelfPlay, credit


def one_game(players, rewards, done, values, discount=1.0, trace=1.0, decided=None):
    """`credit` for one game; advantages and whether they are known, one a move."""
    moves = Moves(
        np.array(players)[:, None],
        np.ones((len(players), 1), np.bool_) if decided is None else np.array(decided)[:, None],
        np.array(rewards, np.float32)[:, None],
        np.array(done, np.bool_)[:, None],
        np.array(values, np.float32)[:, None],
    )
    advantages, closed = credit(moves, discount, trace)
    return advantages[:, 0].tolist(), closed[:, 0].tolist()


LOST_ON_ANOTHERS_MOVE = {
    "players": [0, 1, 0, 1],
    "rewards": [(0, 0), (0, 0), (0, 0), (-1, 1)],
    "done": [0, 0, 0, 1],
    "values": [0.5, 0.2, 0.3, -0.1],
}


def test_a_seat_is_credited_with_what_it_earns_on_anothers_move():
    """Seat 0 loses 1 on seat 1's last move: -1 - 0.5 and -1 - 0.3; seat 1 wins 1."""
    advantages, closed = one_game(**LOST_ON_ANOTHERS_MOVE)
    assert advantages == pytest.approx([-1.5, 0.8, -1.3, 1.1])
    assert closed == [True] * 4


def test_discount_and_trace_run_from_one_own_decision_to_the_next():
    """t2: -1 - 0.3; t0: 0.9 * 0.3 - 0.5 + 0.9 * 0.8 * -1.3; t1: 0.9 * -0.1 - 0.2 + 0.72 * 1.1."""
    advantages, _ = one_game(**LOST_ON_ANOTHERS_MOVE, discount=0.9, trace=0.8)
    assert advantages == pytest.approx([-1.166, 0.502, -1.3, 1.1])


def test_rewards_between_two_own_decisions_belong_to_the_first():
    """Seat 0 earns 0.25 on its own move, 0.5 on seat 1's: both before it decides again."""
    advantages, _ = one_game(
        [0, 1, 0, 1],
        [(0.25, 0), (0.5, 0), (0, 0), (2, -2)],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        trace=0.0,
    )
    assert advantages == pytest.approx([0.75, 0, 2, -2])


def test_a_seat_that_moves_twice_in_a_row():
    advantages, _ = one_game(
        [1, 1, 0], [(0, 0), (0, 3), (5, -5)], [0, 0, 1], [0.5, 1, 2], discount=0.5, trace=0.0
    )
    assert advantages == pytest.approx([0.5 * 1 - 0.5, 3 - 5 - 1, 5 - 2])


def test_nothing_crosses_the_end_of_a_game():
    """The second game's rewards and values are not the first one's; its own are its own."""
    advantages, closed = one_game(
        [0, 1, 0, 1],
        [(0, 0), (1, -1), (0, 0), (7, -7)],
        [0, 1, 0, 1],
        [0.5, 0.5, 100, 100],
    )
    assert advantages == pytest.approx([0.5, -1.5, -93, -107])
    assert closed == [True] * 4


def test_where_the_moves_end_the_last_decision_of_each_seat_is_open():
    """Seat 0 decides again at t2, so t0 is closed by that value; t1 and t2 have no successor."""
    advantages, closed = one_game([0, 1, 0], [(0, 0), (0.5, 0), (9, 9)], [0, 0, 0], [0.1, 0.2, 0.7])
    assert closed == [True, False, False]
    assert advantages == pytest.approx([0.5 + 0.7 - 0.1, 0, 0])


def test_others_decisions_get_no_credit_but_their_moves_bring_rewards():
    advantages, closed = one_game(
        [0, 1, 1, 0],
        [(0, 0), (1, 0), (1, 0), (1, 0)],
        [0, 0, 0, 1],
        [0, 50, 50, 0],
        decided=[True, False, False, True],
        trace=0.0,
    )
    assert closed == [True, False, False, True]
    assert advantages == pytest.approx([2, 0, 0, 1])


def naive_credit(moves, discount, trace):
    """The definition, seat by seat and game by game, forwards."""
    players, decided, rewards, done, values = moves
    steps, games, seats = rewards.shape
    advantages, closed = np.zeros((steps, games)), np.zeros((steps, games), np.bool_)
    for g in range(games):
        for p in range(seats):
            own = [t for t in range(steps) if decided[t, g] and players[t, g] == p]
            chain = []
            for k, t in enumerate(own):
                later = own[k + 1] if k + 1 < len(own) else steps
                end = next((e for e in range(t, later) if done[e, g]), None)
                last = later - 1 if end is None else end
                earned = sum(rewards[u, g, p] for u in range(t, last + 1))
                following = 0.0 if end is not None or later == steps else values[later, g]
                known = end is not None or later < steps
                chain.append((t, earned + discount * following - values[t, g], known, end))
            ahead = 0.0
            for t, error, known, end in reversed(chain):
                ahead = (error + discount * trace * (0 if end is not None else ahead)) * known
                advantages[t, g], closed[t, g] = ahead, known
    return advantages, closed


def test_credit_is_what_the_definition_says_on_random_games():
    noise = np.random.default_rng(3)
    for _ in range(40):
        steps, games, seats = noise.integers(1, 12), 3, noise.integers(2, 5)
        moves = Moves(
            noise.integers(seats, size=(steps, games)),
            noise.random((steps, games)) < 0.8,
            noise.normal(size=(steps, games, seats)),
            noise.random((steps, games)) < 0.2,
            noise.normal(size=(steps, games)),
        )
        found, expected = credit(moves, 0.9, 0.7), naive_credit(moves, 0.9, 0.7)
        assert found[0] == pytest.approx(expected[0], abs=1e-5)
        assert (found[1] == expected[1]).all()


def weights_of_cells(inputs):
    return np.random.default_rng(8).normal(size=inputs.shape[1])


def by_observation(inputs, masks, players):
    """A learner whose actions and values follow from the observation alone."""
    score = inputs @ weights_of_cells(inputs)
    legal = masks.sum(axis=1)
    wanted = (np.abs(score * 1000).astype(np.int64)) % legal
    actions = (np.cumsum(masks, axis=1) <= wanted[:, None]).sum(axis=1)
    return actions, -np.abs(score).astype(np.float32), score.astype(np.float32)


def rows_of(parts):
    """Decisions as sorted tuples."""
    rows = []
    for d in parts:
        floats = np.stack([d.logs, d.advantages, d.targets], axis=1).round(4).tolist()
        for i in range(len(d.actions)):
            rows.append((bytes(d.inputs[i]), bytes(d.masks[i]), int(d.actions[i]), *floats[i]))
    return sorted(rows)


SEVERAL_HEISTS = {"turns_per_round": 1, "episode": "game"}
"""With rewards in the middle of a game: they may come while a decision is carried over."""


@pytest.mark.parametrize(
    ("game", "options"), [("kuhn", {}), ("cockroach_poker", {}), ("the_gang", SEVERAL_HEISTS)]
)
def test_short_stretches_bring_the_same_decisions_as_one_long_one(game, options):
    """Open decisions are carried over, however often; with trace 0 nothing else differs."""
    game = configure(game, **options)
    found = []
    for moves in (96, 3, 1):
        play = SelfPlay(game, 5, moves, seed=11)
        chance = np.random.default_rng(0)
        found.append(
            rows_of([play.collect(by_observation, chance, 0.9, 0.0) for _ in range(96 // moves)])
        )
    assert len(found[0]) > 5 * 96 // 2
    assert found[0] == found[1] == found[2]


def test_every_decision_is_learned_from_once():
    play = SelfPlay(KUHN, 20, 8, seed=1)
    chance = np.random.default_rng(0)
    closed = sum(len(play.collect(by_observation, chance, 1.0, 0.95).actions) for _ in range(30))
    assert closed + play._rows.decided[:2].sum() >= 30 * 8 * 20 - 2 * 20
    assert 30 * 8 * 20 - closed <= 2 * 20


class LastLegal(Agent):
    """Plays the last legal action, as no learner here does."""

    def act(self, observations, masks, players):
        return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], axis=1)


def first_legal(inputs, masks, players):
    return masks.argmax(axis=1), np.zeros(len(masks), np.float32), np.zeros(len(masks), np.float32)


@pytest.fixture
def last_legal(monkeypatch):
    monkeypatch.setattr(
        selfplay, "load", lambda name, game: LastLegal(game) if name == "last" else load(name, game)
    )


def test_decisions_know_their_seats():
    def by_seat(inputs, masks, players):
        assert players.dtype == np.int64
        return masks.argmax(axis=1), players.astype(np.float32), np.zeros(len(masks), np.float32)

    play = SelfPlay(configure("cockroach_poker"), 20, 15, seed=2)
    for _ in range(3):  # decisions that are carried over keep theirs
        decisions = play.collect(by_seat, np.random.default_rng(0), 1.0, 0.95)
        np.testing.assert_array_equal(decisions.logs, decisions.players)
        assert set(decisions.players) == {0, 1, 2}


def test_former_selves_can_be_any_agents():
    game = configure("cockroach_poker")
    play = SelfPlay(game, 16, 40, opponents={"past": 1.0}, seed=2)
    play.meet([LastLegal(game)])
    decisions = play.collect(first_legal, np.random.default_rng(0), 1.0, 0.95)
    assert ((play.tables == LEARNER).sum(axis=1) == 1).all()
    assert 16 * 40 / 8 < len(decisions.actions) < 16 * 40 / 2


def test_others_decide_for_themselves_and_are_not_learned_from(last_legal):
    game = configure("cockroach_poker")
    play = SelfPlay(game, 16, 40, opponents={"last": 1.0}, seed=2)
    chance = np.random.default_rng(0)
    decisions = play.collect(first_legal, chance, 1.0, 0.95)
    assert ((play.tables == LEARNER).sum(axis=1) == 1).all()
    assert (decisions.actions == decisions.masks.argmax(axis=1)).all()
    chose = decisions.masks.sum(axis=1) > 1
    assert chose.any()
    # 16 games * 40 moves, the learner in one of three seats
    assert 16 * 40 / 8 < len(decisions.actions) < 16 * 40 / 2


def test_tables_are_drawn_by_shares_and_only_when_a_game_is_dealt(last_legal):
    play = SelfPlay(
        configure("cockroach_poker"), 800, 1, opponents={"self": 0.5, "last": 0.5}, seed=2
    )
    chance = np.random.default_rng(0)
    play.collect(first_legal, chance, 1.0, 0.95)
    learners = (play.tables == LEARNER).sum(axis=1)
    assert set(learners) == {1, 2, 3}
    # one seat always, each of the two others by half: 1/4, 1/2, 1/4
    assert np.bincount(learners, minlength=4)[1:] / 800 == pytest.approx(
        [0.25, 0.5, 0.25], abs=0.06
    )
    assert (play.tables == LEARNER).mean(axis=0) == pytest.approx([2 / 3] * 3, abs=0.06)
    play = SelfPlay(KUHN, 400, 1, opponents={"self": 0.5, "last": 0.5}, seed=2)
    play.collect(first_legal, chance, 1.0, 0.95)
    changed = 0
    for _ in range(6):
        before = play.tables.copy()
        play.collect(first_legal, chance, 1.0, 0.95)
        assert (play.tables == before)[~play.batch.done].all()
        changed += (play.tables != before).any(axis=1).sum()
    assert changed > 100


def test_former_selves_sit_at_the_table_and_the_oldest_go(monkeypatch):
    learner = Learner(settings(opponents={"past": 1.0}, past_size=2, games=50))
    play, chance = learner.play, np.random.default_rng(0)
    play.collect(first_legal, chance, 1.0, 0.95)
    assert (play.tables == LEARNER).all()  # none there yet
    for step in range(3):
        play.remember(learner.policy()._replace(step=step))
    assert [policy.step for policy in play.past] == [2, 1]
    for _ in range(5):
        play.collect(first_legal, chance, 1.0, 0.95)
    assert set(np.unique(play.tables)) == {LEARNER, 1, 2}
    assert ((play.tables == LEARNER).sum(axis=1) == 1).all()


def test_shares_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="share above 0"):
        SelfPlay(KUHN, 2, 2, opponents={"self": 0.0})
    with pytest.raises(ValueError, match="no agent 'nobody'"):
        SelfPlay(KUHN, 2, 2, opponents={"nobody": 1.0})


def test_returns_are_those_of_the_learners_seats(last_legal):
    """Against one that always bets, one that always passes loses its ante in each game."""
    play = SelfPlay(KUHN, 50, 30, opponents={"last": 1.0}, seed=2)
    play.collect(first_legal, np.random.default_rng(0), 1.0, 0.95)
    assert play.finished == play.seats > 100
    assert play.returns == -play.seats
