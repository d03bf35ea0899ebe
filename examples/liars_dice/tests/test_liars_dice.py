"""A game in a package of its own satisfies what every game of the suite must."""

import pytest

from backroom.agents import names
from backroom.envs import GAMES, make
from backroom.envs.engine.testing import check
from backroom.evaluate.match import play_match
from backroom.evaluate.report import report


def test_it_is_a_game_like_any_other():
    """Masks, leaks, bounds, shells, texts: all in one call."""
    check(GAMES["liars_dice"])


@pytest.mark.parametrize(("bid", "loser"), [("bid 1x 3", 1), ("bid 2x 3", 0)])
def test_a_doubt(bid, loser):
    """R3, R4: one three is there, two are not."""
    env = make("liars_dice")
    env.reset(seed=0, options={"deal": {"dice": "3 6"}})
    first = env.possible_agents.index(env.agent_selection)
    for action in (bid, "doubt"):
        env.step(env.game.numbers[action])
    seat = (first + loser) % 2
    assert env.rewards[f"player_{seat}"] == -1
    assert env.rewards[f"player_{1 - seat}"] == 1


def test_odds_beat_chance():
    """The agent is found by its entry point, and plays better than at random."""
    game = GAMES["liars_dice"].configure(num_players=3)
    assert names(game) == ["random", "odds"]
    found = report(play_match(game, ["odds", "random"], 600, 0))["agents"]
    assert found[0]["low"] > found[1]["high"]
