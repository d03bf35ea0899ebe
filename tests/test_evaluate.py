"""Matches: duplicate deals, rotated seats, and figures that are what they are called."""

import doctest
import json
import math
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from backroom.agents import Agent, RandomAgent
from backroom.envs import configure, make
from backroom.evaluate import crossplay, figures, match, report
from backroom.evaluate.crossplay import cross_play, heat_map
from backroom.evaluate.figures import FIGURES, SEAT_FIGURES, table_figures
from backroom.evaluate.match import Match, play_match, seat_agents
from backroom.evaluate.report import difference, plain
from backroom.evaluate.statistics import Estimate

KUHN = configure("kuhn")
WEIGHTS = "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"
"""SHA-256 of b"weights"."""


class Always(Agent):
    """Kuhn poker: always the same action."""

    def __init__(self, game, action, name):
        super().__init__(game)
        self.action, self.name = action, name

    def act(self, observations, masks, players):
        return np.full(len(masks), self.action, np.int64)


class Named(RandomAgent):
    def __init__(self, game, name):
        super().__init__(game)
        self.name = name


class Wrong(RandomAgent):
    """Answers with what it is told to."""

    name = "wrong"

    def __init__(self, game, answer):
        super().__init__(game)
        self.answer = answer

    def act(self, observations, masks, players):
        return self.answer(observations, masks, players)


def bettor():
    return Always(KUHN, 1, "bettor")


def passer():
    return Always(KUHN, 0, "passer")


def named(game, *names):
    return [Named(game, name) for name in names]


def same(first: Match, second: Match) -> bool:
    """Whether two matches went the same way, move by move."""
    one, two = first.played, second.played
    return (
        one.returns.tolist() == two.returns.tolist()
        and one.moves.tolist() == two.moves.tolist()
        and one.actions.tolist() == two.actions.tolist()
        and one.last.tobytes() == two.last.tobytes()
    )


@pytest.mark.parametrize("module", [match, report, figures, crossplay])
def test_examples(module):
    assert doctest.testmod(module).failed == 0


# Seats


@pytest.mark.parametrize(
    ("seats", "agents", "lineups"),
    [
        (3, ["a"], [[0, 0, 0]]),
        (3, ["a", "b"], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]),
        (3, ["a", "b", "c"], [[0, 1, 2], [2, 0, 1], [1, 2, 0]]),
        (2, ["a", "b"], [[0, 1], [1, 0]]),
        (2, ["a", "a"], [[0, 0]]),
        (4, ["a", "b", "a", "b"], [[0, 1, 0, 1], [1, 0, 1, 0]]),
    ],
)
def test_agents_take_seats_in_order_and_rotate(seats, agents, lineups):
    game = configure("cockroach_poker", num_players=seats)
    by_name = {name: Named(game, name) for name in agents}
    lineup = seat_agents(game, [by_name[name] for name in agents])
    assert lineup.seats.tolist() == lineups
    assert [who.name for who in lineup.who] == sorted(by_name)


def test_each_deal_is_played_in_each_rotation():
    game = configure("cockroach_poker")
    played = play_match(game, named(game, "a", "b", "c"), 6, 5, keep=True)
    assert (played.games, played.deals, played.lineup.rotations) == (6, 2, 3)
    records = list(played.records())
    assert [record.seed for record in records] == [5, 5, 5, 6, 6, 6]
    seatings = [[who.name for who in record.agents] for record in records]
    assert seatings == 2 * [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]]
    dealt = [next(record.states()).tobytes() for record in records]
    assert dealt[0] == dealt[1] == dealt[2] != dealt[3] == dealt[4] == dealt[5]


def test_deals_are_those_of_the_single_game(default_game, monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 2)
    game = default_game
    records = list(play_match(game, ["random"], 3, 40, keep=True).records())
    for number, record in enumerate(records):
        env = make(game)
        env.reset(seed=40 + number)
        assert next(record.states()).tobytes() == env.get_state().tobytes()
        record.verify()  # what was played on this deal is what was played on that seed


def test_games_are_rounded_up_to_whole_deals():
    game = configure("cockroach_poker")
    assert play_match(game, named(game, "a", "b"), 10).games == 12
    assert play_match(game, named(game, "a"), 10).games == 10


def test_names_and_files(tmp_path):
    lineup = seat_agents(KUHN, ["random", "random"])
    assert [who.name for who in lineup.who] == ["random"]
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        seat_agents(KUHN, ["nobody"])
    with pytest.raises(ValueError, match="2 seats, not 3"):
        seat_agents(KUHN, ["random"] * 3)
    with pytest.raises(ValueError, match="2 seats, not 0"):
        seat_agents(KUHN, [])
    with pytest.raises(ValueError, match="two different agents are called a"):
        seat_agents(KUHN, named(KUHN, "a", "a"))


def test_weights_are_told_by_hash(tmp_path, monkeypatch):
    path = tmp_path / "policy.safetensors"
    path.write_bytes(b"weights")
    monkeypatch.setattr(match, "load", lambda spec, game: RandomAgent(game))
    monkeypatch.setattr(match, "pretrained", lambda game: {"shipped": path})
    assert seat_agents(KUHN, ["shipped"]).who[0].weights == WEIGHTS
    (who,) = seat_agents(KUHN, [str(path)]).who
    assert who.name == str(path)
    assert who.weights == WEIGHTS


# Play


def test_returns_go_to_the_agents_that_earned_them():
    """The bettor wins one chip each time: a pass, then a bet, then a pass; or a bet and a pass."""
    played = play_match(KUHN, [bettor(), passer()], 20)
    assert played.earned("bettor").tolist() == [1] * 10
    assert played.earned("passer").tolist() == [-1] * 10
    for seat in (0, 1):
        assert played.earned("bettor", seat).tolist() == [1] * 10
    assert played.played.moves.tolist() == [[2, 3]] * 10
    with pytest.raises(ValueError, match="'nobody' did not play; bettor, passer did"):
        played.earned("nobody")


def test_two_bettors_show_down():
    played = play_match(KUHN, [bettor()], 200, keep=True)
    for record in played.records():
        first, second, _ = next(record.states())["deck"].tolist()
        assert record.returns == ((2, -2) if first > second else (-2, 2))


def test_random_play_earns_what_it_must():
    """Player 0 wins 1 when its bet is folded to (1/4), loses 1 when it folds itself (1/8)."""
    (agent,) = report.report(play_match(KUHN, ["random"], 2000))["agents"]
    first, second = agent["seats"]
    assert first["low"] < 1 / 8 < first["high"]
    assert second["mean"] == -first["mean"]
    assert first["high"] - first["low"] < 0.15
    assert agent["mean"] == agent["low"] == agent["high"] == 0


def test_records_of_a_match_are_true(default_game):
    agents = named(default_game, "a", "b")[: default_game.players]
    played = play_match(default_game, agents, 4, 3, keep=True)
    records = list(played.records())
    for record, returns in zip(
        records, played.played.returns.reshape(played.games, -1), strict=True
    ):
        record.verify()
        assert list(record.returns) == pytest.approx(returns.tolist())
    with pytest.raises(ValueError, match="without keeping"):
        next(play_match(default_game, ["random"], 1).records())


def test_agents_get_what_the_mover_may_know_and_nothing_else():
    seen = []

    class Spy(RandomAgent):
        name = "spy"

        def act(self, observations, masks, players):
            assert {type(x) for x in (observations, masks, players)} == {np.ndarray}
            assert observations.dtype == np.int8
            assert masks.dtype == np.bool_
            assert masks.any(axis=1).all()
            seen.append((observations.copy(), players.copy()))
            return super().act(observations, masks, players)

    play_match(KUHN, [Spy(KUHN), passer()], 50)
    for observations, players in seen:
        seats = KUHN.parts(observations)["seat"]
        assert seats.argmax(axis=1).tolist() == players.tolist()


def test_agents_cannot_change_the_game():
    """An agent that writes over all that it is given plays as one that does not."""

    class Vandal(Named):
        def act(self, observations, masks, players):
            actions = super().act(observations, masks, players)
            observations[:], masks[:], players[:] = 1, True, 0
            return actions

    game = configure("cockroach_poker")
    nice = play_match(game, [Named(game, "a"), Named(game, "b")], 9, keep=True)
    assert same(nice, play_match(game, [Vandal(game, "a"), Named(game, "b")], 9, keep=True))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda o, m, p: np.full(len(m), 2), r"as player_\d chose 2 of \[0, 1\]"),
        (lambda o, m, p: np.full(len(m), -1), r"as player_\d chose -1 of \[0, 1\]"),
        (lambda o, m, p: np.zeros(len(m) + 1, np.int64), "was to choose 5 whole numbers"),
        (lambda o, m, p: np.zeros(len(m)), "gave float64"),
        (lambda o, m, p: None, "gave object"),
        (lambda o, m, p: np.zeros((len(m), 1), np.int64), "was to choose"),
    ],
)
def test_wrong_answers_are_blamed_on_the_agent(answer, sentence):
    with pytest.raises(ValueError, match="agent 'wrong' .*" + sentence):
        play_match(KUHN, [Wrong(KUHN, answer)], 5)


def test_illegal_action_is_blamed_on_the_agent():
    """An action that the game has, but not now."""
    game = configure("cockroach_poker")
    call = game.numbers["call true"]

    def forging(observations, masks, players):
        masks[:] = True
        return np.full(len(masks), call)

    for answer in (forging, lambda o, m, p: np.full(len(m), call)):
        with pytest.raises(ValueError, match=rf"'wrong' as player_\d chose {call} of \[\d"):
            play_match(game, [Wrong(game, answer)], 5)


# The same result, always


class Backwards:
    """An executor that plays the last block first."""

    def map(self, function, blocks):
        results = [function(block) for block in reversed(list(blocks))]
        return reversed(results)


def test_blocks_may_be_played_in_any_order(monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 3)
    game = configure("cockroach_poker")
    agents = named(game, "a", "b")
    usual = play_match(game, agents, 12, 9, keep=True)
    assert same(usual, play_match(game, agents, 12, 9, keep=True, executor=Backwards()))
    assert not same(usual, play_match(game, agents, 12, 10, keep=True))


def test_processes_play_the_same(monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 50)
    usual = play_match(KUHN, ["random"], 120, 9, keep=True)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert same(usual, play_match(KUHN, ["random"], 120, 9, keep=True, executor=pool))


def test_only_the_seed_matters():
    """Neither what the agents did before, nor global generators, nor whether moves are kept."""
    agents = named(KUHN, "a", "b")
    first = play_match(KUHN, agents, 50, 3, keep=True)
    play_match(KUHN, agents, 7, 4)
    np.random.seed(1)  # noqa: NPY002
    second = play_match(KUHN, agents, 50, 3, keep=True)
    assert same(first, second)
    assert first.played.returns.tolist() == play_match(KUHN, agents, 50, 3).played.returns.tolist()


def test_agents_of_one_match_have_streams_of_their_own():
    seeds = []

    class Spy(Named):
        def seed(self, seed):
            seeds.append(seed)
            super().seed(seed)

    play_match(KUHN, [Spy(KUHN, "a"), Spy(KUHN, "b")], 4, 0)
    assert len(set(seeds)) == 2
    assert not set(seeds) & {0, 1, 2, 3}


def test_seeds_of_deals_go_round():
    records = list(play_match(KUHN, ["random"], 3, 2**64 - 2, keep=True).records())
    assert [record.seed for record in records] == [2**64 - 2, 2**64 - 1, 0]
    for record in records:
        record.verify()


def test_progress_tells_all_games(monkeypatch):
    monkeypatch.setattr(match, "BLOCK", 8)
    told = []
    agents = named(KUHN, "a", "b")
    play_match(KUHN, agents, 30, progress=told.append)
    assert sum(told) == 30
    assert len(told) > 4, "games that have ended are told while others go on"
    told.clear()
    play_match(KUHN, agents, 30, progress=told.append, executor=Backwards())
    assert told == [8, 8, 8, 6]


@pytest.mark.parametrize("games", [0, -5])
def test_no_games(games):
    with pytest.raises(ValueError, match="at least one game"):
        play_match(KUHN, ["random"], games)


# Figures


def test_report_is_json_with_all_that_is_promised():
    game = configure("cockroach_poker")
    found = report.report(play_match(game, named(game, "a", "b"), 30, 7))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["game"] == "cockroach_poker"
    assert found["options"]["num_players"] == 3
    assert (found["games"], found["deals"], found["rotations"], found["seed"]) == (30, 10, 3, 7)
    for agent in found["agents"]:
        assert agent["low"] <= agent["mean"] <= agent["high"]
        assert [seat["seat"] for seat in agent["seats"]] == [0, 1, 2]
        for name in ("loss_rate", "lie_rate", "call_accuracy"):
            assert set(agent[name]) == {"mean", "low", "high"}
    (gap,) = found["differences"]
    assert (gap["agent"], gap["other"]) == ("a", "b")
    assert [seat["seat"] for seat in found["seats"]] == [0, 1, 2]


def test_seats_that_an_agent_never_took_are_left_out():
    game = configure("cockroach_poker", num_players=4)
    a, b = named(game, "a", "b")
    lineup = seat_agents(game, [a, b])._replace(seats=np.array([[0, 1, 1, 1], [1, 0, 1, 1]]))
    played = play_match(game, [a, b], 8)
    kept = played.played._replace(
        returns=played.played.returns[:, :2],
        counts={k: (h[:, :2], o[:, :2]) for k, (h, o) in played.played.counts.items()},
    )
    found = report.report(played._replace(lineup=lineup, played=kept))
    assert [seat["seat"] for seat in found["agents"][0]["seats"]] == [0, 1]


def test_heist_success_is_the_share_of_heists():
    game = configure("the_gang")
    played = play_match(game, ["random"], 12, 1, keep=True)
    found = report.report(played)
    heists = wins = successes = 0
    for record in played.records():
        for last in record.states():  # noqa: B007
            pass
        successes += int(last["vaults"])
        heists += int(last["vaults"] + last["alarms"])
        wins += last["vaults"] == 3
    assert found["heist_success"]["mean"] == pytest.approx(successes / heists)
    assert found["game_win_rate"]["mean"] == wins / 12
    assert found["agents"][0]["heist_success"] == found["heist_success"]
    assert 0 < found["heist_success"]["low"] < successes / heists < found["heist_success"]["high"]


def test_a_figure_that_the_options_leave_out_is_left_out():
    game = configure("the_gang", episode="heist")
    found = report.report(play_match(game, ["random"], 4))
    assert "game_win_rate" not in found
    assert "heist_success" in found


@pytest.mark.parametrize("num_games", [1, 2])
def test_loss_rate_is_the_share_of_games_lost(num_games):
    """From the returns: -1 for a loss, 1/2 for each game that another of three lost."""
    game = configure("cockroach_poker", num_games=num_games)
    played = play_match(game, named(game, "a", "b"), 18, 2)
    found = report.report(played)
    for agent in found["agents"]:
        expected = (1 - 2 * agent["mean"] / num_games) / 3
        assert agent["loss_rate"]["mean"] == pytest.approx(expected)
        assert agent["loss_rate"]["low"] < expected < agent["loss_rate"]["high"]
    a, b = (agent["loss_rate"]["mean"] for agent in found["agents"])
    assert a + 2 * b == pytest.approx(1)


def test_figures_of_kuhn():
    found = report.report(play_match(KUHN, [bettor(), passer()], 10))
    assert found["folded"]["mean"] == 1
    assert found["folded"]["low"] < 0.7
    assert found["called"]["mean"] == found["checked"]["mean"] == 0


def test_figures_name_statistics_that_exist():
    for name, listed in FIGURES.items():
        game = configure(name)
        played = play_match(game, ["random"], 2)
        for figure in listed:
            assert figure.top in played.played.statistics
            assert figure.bottom is None or figure.bottom in played.played.statistics
        assert set(played.played.counts) == {f.name for f in SEAT_FIGURES.get(name, ())}


def test_a_game_without_figures_gets_means(monkeypatch):
    monkeypatch.delitem(FIGURES, "kuhn")
    found = table_figures(KUHN, {"called": np.array([[1.0], [0.0], [0.0], [1.0]])})
    assert found["called"].mean == 0.5
    assert found["called"].low < 0 < 1 < found["called"].high


def test_nothing_to_count_is_none():
    game = configure("cockroach_poker")
    zeros = dict.fromkeys(("lies", "claims"), np.zeros((5, 1)))
    assert plain(table_figures(game, zeros)["lie_rate"]) == {
        "mean": None,
        "low": None,
        "high": None,
    }
    assert plain(Estimate(1, -math.inf, math.inf)) == {"mean": 1, "low": None, "high": None}


def test_differences_are_paired_by_deal():
    played = play_match(KUHN, [bettor(), passer()], 20)
    assert difference(played, "bettor", played, "passer") == Estimate(2, 2, 2)
    random = play_match(KUHN, ["random", bettor()], 400, 1)
    there = difference(random, "random", random, "bettor")
    back = difference(random, "bettor", random, "random")
    assert there == pytest.approx((-back.mean, -back.high, -back.low))
    assert there.mean == pytest.approx(2 * random.earned("random").mean())


def test_differences_between_matches_on_the_same_deals():
    """The same cards against the same opponent: luck falls out of the difference."""
    first = play_match(KUHN, [passer(), bettor()], 100)
    second = play_match(KUHN, [bettor(), passer()], 100)
    assert difference(second, "bettor", first, "passer") == Estimate(2, 2, 2)
    other = play_match(KUHN, [bettor(), passer()], 100, 1)
    with pytest.raises(ValueError, match="the same deals"):
        difference(first, "passer", other, "passer")


# Cross-play


def test_cross_play():
    result = cross_play(KUHN, [bettor(), passer()], 40)
    assert result.matrix().tolist() == [[0, 1], [-1, 0]]
    assert result.cell(0, 1) == Estimate(1, 1, 1)
    assert result.gap() == Estimate(0, 0, 0)
    found = result.plain()
    assert json.loads(json.dumps(found)) == found
    assert found["agents"] == ["bettor", "passer"]
    assert found["deals"] == 20


def test_gap_is_what_is_lost_among_strangers():
    result = cross_play(KUHN, named(KUHN, "a", "b"), 100)
    loss = result._replace(earned=result.earned - (1 - np.eye(2))[:, :, None])
    assert loss.gap().mean == pytest.approx(1 + result.gap().mean)
    assert all(math.isnan(end) for end in cross_play(KUHN, ["random"], 4).gap())


def test_cross_play_wants_different_agents():
    with pytest.raises(ValueError, match="different agents, not random, random"):
        cross_play(KUHN, ["random", "random"])
    with pytest.raises(ValueError, match="not none"):
        cross_play(KUHN, [])


def test_heat_map(tmp_path):
    from matplotlib.image import imread

    path = tmp_path / "cross.png"
    heat_map(cross_play(KUHN, [bettor(), passer(), *named(KUHN, "a")], 40), path)
    pixels = imread(path)
    assert min(pixels.shape[:2]) > 200
    assert len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 20
