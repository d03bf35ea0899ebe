"""Matches: duplicate deals, rotated seats, the same result always."""

import doctest
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from players import KUHN, Named, bettor, named, passer

from backroom.agents import RandomAgent, load, registry
from backroom.envs import configure, make
from backroom.evaluate import crossplay, figures, match, report, seating
from backroom.evaluate.match import Match, play_match
from backroom.evaluate.seating import seat_agents

WEIGHTS = "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c"
"""SHA-256 of b"weights"."""


class Wrong(RandomAgent):
    """Answers with what it is told to."""

    name = "wrong"

    def __init__(self, game, answer):
        super().__init__(game)
        self.answer = answer

    def act(self, observations, masks, players):
        return self.answer(observations, masks, players)


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
    monkeypatch.setattr(seating, "load", lambda spec, game: RandomAgent(game))
    monkeypatch.setattr(registry, "pretrained", lambda game: {"shipped": path})
    assert seat_agents(KUHN, ["shipped"]).who[0].weights == WEIGHTS
    for place in (path, tmp_path):  # the file, and the folder of the run
        (who,) = seat_agents(KUHN, [str(place)]).who
        assert who.name == str(place)
        assert who.weights == WEIGHTS


def test_of_a_policy_for_each_seat_all_weights_count(tmp_path, monkeypatch):
    monkeypatch.setattr(seating, "load", lambda spec, game: RandomAgent(game))
    (tmp_path / "policy-0.safetensors").write_bytes(b"wei")
    (tmp_path / "policy-1.safetensors").write_bytes(b"ghts")
    assert seat_agents(KUHN, [str(tmp_path)]).who[0].weights == WEIGHTS


@pytest.mark.parametrize("name", ["random", "agents", "none.safetensors"])
def test_what_has_no_weights_has_no_hash(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").mkdir()
    assert seating.identify(KUHN, name).weights is None


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


@pytest.mark.parametrize("options", [{"num_players": 4}, {"cards_per_player": 5}])
def test_agents_of_another_game_are_refused(options):
    """Also of other options with which observations are as long: it would count other cards."""
    game, other = configure("cockroach_poker"), configure("cockroach_poker", **options)
    (said,) = (f"{name}={value}" for name, value in options.items())
    for table in ([load("counting", other)], [load("random", game), load("random", other)]):
        with pytest.raises(ValueError, match=rf"^agent '\w+' was made for .* {said}, not for"):
            play_match(game, table, 3)
        with pytest.raises(ValueError, match=rf"^agent '\w+' was made for .* {said}, not for"):
            crossplay.cross_play(game, ["honest", table[-1]], 3)


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


def test_agents_draw_anew_in_each_block(monkeypatch):
    """Else the same chances would come with the first deal of each."""
    seeds = []

    class Told(RandomAgent):
        name = "told"

        def seed(self, seed):
            super().seed(seed)
            seeds.append(seed)

    monkeypatch.setattr(match, "BLOCK", 4)
    agent = Told(KUHN)
    seeds.clear()
    play_match(KUHN, [agent, "ppo-1"], 40, 3)
    assert len(set(seeds)) == len(seeds) == 10


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
    with pytest.raises(ValueError, match="games is an integer and at least 1"):
        play_match(KUHN, ["random"], games)
