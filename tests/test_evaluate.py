"""Figures that are what they are called, and cross-play."""

import json
import math

import numpy as np
import pytest
from players import KUHN, bettor, named, passer

from backroom.envs import configure
from backroom.evaluate import report
from backroom.evaluate.crossplay import cross_play, heat_map
from backroom.evaluate.figures import FIGURES, SEAT_FIGURES, table_figures
from backroom.evaluate.match import play_match
from backroom.evaluate.report import difference, plain
from backroom.evaluate.seating import seat_agents
from backroom.evaluate.statistics import Estimate


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
