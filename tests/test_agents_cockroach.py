"""The scripted agents of Cockroach Poker: what they are sure of, how they mix, who beats whom."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from playing import dealt, label, legal_mask, observed, variants

from backroom.agents import load, names
from backroom.envs import GAMES, configure, make_batch
from backroom.envs.cockroach_poker.state import (
    ANSWERING,
    CLAIMS_FALSE,
    CLAIMS_TRUE,
    COPIES,
    OFFERING,
    SPECIES,
    call_action,
    read_action,
)
from backroom.envs.engine.game import step
from backroom.envs.engine.jit import COMPILED
from backroom.evaluate.match import play_match

AGENTS = ["honest", "counting", "bluffer"]
EACH = pytest.mark.parametrize("name", AGENTS)
TABLES = [
    *variants(GAMES["cockroach_poker"]),
    configure("cockroach_poker", num_players=4),
    configure("cockroach_poker", num_players=5),
]


def arranged(game, *actions, tally=None, **cards):
    """A state that starts from `cards`, after `actions` given as text."""
    state = dealt(game, 1)[0]
    game.rules.arrange(game, state, cards)
    if tally is not None:
        state.tally[: game.players] = tally
    for text in actions:
        step(state, game.numbers[text])
    return state


def shares(name, game, state):
    """The agent's probabilities in one state, by the text of the action; zeros are left out."""
    agent, player = load(name, game), int(state["player"])
    rows = (observed(game, state, player)[None], legal_mask(game, state)[None], np.array([player]))
    found = agent.probabilities(*rows)[0]
    return {game.actions[a]: float(found[a]) for a in np.flatnonzero(found)}


def piles(**counts):
    """Cards as text: `piles(rat=2, fly=1)` is "rat rat fly"."""
    return " ".join(" ".join([species] * count) for species, count in counts.items())


THREE = configure("cockroach_poker")


@EACH
def test_a_claim_is_doubted_when_all_of_the_species_are_in_sight(name):
    """In the own hand and in all piles together; the record of the claimant does not matter."""
    cards = {
        "hand0": piles(bat=3, fly=2, spider=2),
        "hand1": piles(rat=3, frog=2),
        "hand2": piles(bat=2, spider=2),
        "faceup0": piles(rat=2),
        "faceup1": piles(rat=1, fly=2),
        "faceup2": piles(rat=2, frog=2),
        "starter": "0",
    }
    praised = [[9, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    for tally in (None, praised):
        state = arranged(THREE, "offer bat>+1:rat", tally=tally, **cards)
        assert shares(name, THREE, state) == {"call false": 1}
    state = arranged(THREE, "offer bat>+1:fly", **cards)
    assert shares(name, THREE, state).get("call true", 0) > 0


@EACH
def test_a_claim_of_another_who_passed_the_card_on_is_doubted_too(name):
    cards = {
        "hand0": piles(bat=3, fly=2, spider=2),
        "hand1": piles(frog=2),
        "hand2": piles(rat=6, spider=2),
        "faceup1": piles(rat=2),
        "starter": "0",
    }
    for way in (["look"], []):
        state = arranged(THREE, "offer bat>+1:bat", *way, "pass +1:rat", **cards)
        assert shares(name, THREE, state) == {"call false": 1}


@pytest.mark.parametrize(("claim", "call"), [("rat", "call true"), ("fly", "call false")])
@EACH
def test_a_card_is_called_when_nothing_else_is_left(name, claim, call):
    """All cards that are no rats lie face up, so it is a rat."""
    others = [species for species in SPECIES if species != "rat"]
    cards = {
        "hand0": "rat rat",
        "hand1": "rat",
        "hand2": "",
        "faceup0": piles(**dict.fromkeys(others, 3)),
        "faceup1": piles(**dict.fromkeys(others, 3)),
        "faceup2": piles(**dict.fromkeys(others, 2)),
        "starter": "0",
    }
    lying = [[0, 9, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    for tally in (None, lying):
        state = arranged(THREE, f"offer rat>+1:{claim}", tally=tally, **cards)
        assert shares(name, THREE, state) == {call: 1}


@pytest.mark.parametrize("game", TABLES, ids=label)
@EACH
def test_what_is_certain_is_called_wherever_it_occurs(game, name):
    """And nothing that cannot be: a lie that all can see is never told."""
    batch, agent = make_batch(game, 64 if COMPILED else 2, seed=3), load(name, game, 4)
    other = load("random", game, 5)
    draws, certain = np.random.default_rng(6), 0
    for _ in range(80 if COMPILED else 30):
        now = (batch.observations, batch.masks, batch.players)
        found, parts = agent.probabilities(*now), game.parts(batch.observations)
        public = COPIES - parts["faceup"].sum(axis=1, dtype=np.int64)
        unseen = public - parts["hand"] - parts["card"]
        for row in np.flatnonzero(parts["phase"][:, ANSWERING]):
            claim = parts["chain_claim"][row][parts["chain_seat"][row].any(axis=1)][-1].argmax()
            if unseen[row, claim] == 0:
                assert found[row, call_action(game.players, False)] == 1
                certain += 1
            elif unseen[row].sum() == unseen[row, claim]:
                assert found[row, call_action(game.players, True)] == 1
                certain += 1
        for row in np.flatnonzero(parts["phase"][:, OFFERING]):
            for action in np.flatnonzero(found[row]):
                _, card, _, claim = read_action(game.players, int(action))
                assert card == claim or public[row, claim] > 0
        acts = [player.act(*now) for player in (agent, other)]
        batch.step(np.where(draws.random(len(batch)) < 0.5, *acts))
    assert certain > 0 or game is not THREE or not COMPILED


TWO = configure("cockroach_poker", num_players=2)
PENNIES = {
    "hand0": "rat",
    "hand1": "",
    "faceup0": piles(bat=3, fly=2, frog=2, scorpion=3),
    "faceup1": piles(rat=2, bat=1, spider=3, frog=3),
    "starter": "0",
}
"""Whoever takes the last card has no card to offer, and loses."""


def test_the_last_two_play_matching_pennies():
    """Half truth, half lies that could be true; so the game is worth nothing to either."""
    found = shares("counting", TWO, arranged(TWO, **PENNIES))
    assert found["offer rat>+1:rat"] == pytest.approx(0.5, abs=1e-6)
    assert all(0 < share < 0.2 for text, share in found.items() if text != "offer rat>+1:rat")
    assert len(found) == 8
    games = 20_000 if COMPILED else 100
    batch = make_batch(TWO, games, seed=1)
    batch.set_states(np.repeat(np.atleast_1d(arranged(TWO, **PENNIES)), games))
    agents = [load("counting", TWO, seed) for seed in (2, 3)]
    for agent in agents:
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
    assert batch.done.all()
    assert abs((batch.rewards[:, 0] < 0).mean() - 0.5) < 4 * 0.5 / games**0.5


def test_the_last_two_of_three_play_it_too():
    """Who has looked passes on to the last one, and each species is the end of who takes it."""
    empty = {**PENNIES, "hand2": "", "faceup2": piles(scorpion=1)}
    found = shares("counting", THREE, arranged(THREE, "offer rat>+1:frog", "look", **empty))
    assert found["pass +1:rat"] == pytest.approx(0.5, abs=1e-6) and len(found) == 8


MIDDLE = {
    "hand0": piles(bat=2, fly=2, spider=2, cockroach=2),
    "hand1": piles(rat=2, frog=2, scorpion=2),
    "hand2": piles(stink_bug=3, scorpion=2, fly=1),
    "faceup0": piles(rat=2, frog=1),
    "faceup1": piles(fly=2, bat=2),
    "faceup2": piles(frog=2, spider=1),
    "starter": "0",
}


def test_counting_reads_a_record_that_is_no_luck():
    """Of others only; half true and half false is no reason to believe or doubt anything."""

    def answers(true, false):
        tally = np.zeros((3, 4), np.int64)
        tally[0, CLAIMS_TRUE], tally[0, CLAIMS_FALSE] = true, false
        state = arranged(THREE, "offer bat>+1:fly", tally=tally, **MIDDLE)
        return shares("counting", THREE, state)

    assert answers(9, 0)["call true"] == 1
    assert answers(0, 9).get("call true", 0) == 0
    assert answers(5, 5) == answers(4, 5) == answers(0, 0)
    for name in ("honest", "bluffer"):
        tally = np.zeros((3, 4), np.int64)
        unread = shares(name, THREE, arranged(THREE, "offer bat>+1:fly", **MIDDLE))
        tally[0] = 9, 0, 0, 0
        state = arranged(THREE, "offer bat>+1:fly", tally=tally, **MIDDLE)
        assert shares(name, THREE, state) == unread


@EACH
def test_the_fourth_of_a_kind_goes_where_three_are(name):
    """And nothing that would end the giver's own game, if something else will do."""
    cards = {**MIDDLE, "faceup1": piles(fly=3), "faceup2": piles(bat=1)}
    found = shares(name, THREE, arranged(THREE, **cards))
    assert all(text.startswith("offer fly>+1:") for text in found)
    cards = {**MIDDLE, "faceup0": piles(fly=3), "faceup1": piles(fly=3, bat=3)}
    cards["hand2"] = piles(stink_bug=3)
    found = shares(name, THREE, arranged(THREE, **cards))
    assert not any(text.startswith("offer fly") for text in found)
    assert sum(share for text, share in found.items() if text.startswith("offer bat>+1:")) > 0.25


def test_a_card_that_hurts_another_more_than_the_giver_is_passed_on():
    """Seats 1 and 2 have no cards and lose by any; seat 0 does not."""
    cards = {**MIDDLE, "hand1": "", "hand2": ""}
    found = shares("counting", THREE, arranged(THREE, "offer cockroach>+1:cockroach", **cards))
    assert found.pop("look") > 0.8
    assert len(found) == 8 and all(text.startswith("pass +1:") for text in found)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_honest_players_tell_the_truth_and_trust(seats):
    game = configure("cockroach_poker", num_players=seats)
    played = play_match(game, ["honest"], 200 if COMPILED else 3, seed=1).played.statistics
    assert played["claims"].sum() > 0 and played["lies"].sum() == 0
    assert played["looks"].sum() == played["passes"].sum() == 0
    assert np.array_equal(played["calls_right"], played["calls"])


def test_an_honest_player_who_has_looked_tells_the_truth():
    state = arranged(THREE, "offer bat>+1:fly", "look", **MIDDLE)
    assert shares("honest", THREE, state) == {"pass +1:bat": 1}


@pytest.mark.parametrize(("name", "least", "most"), [("bluffer", 0.75, 1), ("counting", 0.45, 0.6)])
def test_how_often_they_lie(name, least, most):
    played = play_match(THREE, [name], 300 if COMPILED else 9, seed=2).played.statistics
    assert least < played["lies"].sum() / played["claims"].sum() < most


def loss_rate(match, name):
    """Share of games that each of the agent's seats lost, and four standard errors of it."""
    n = match.game.players
    lost = (1 / (n - 1) - match.earned(name)) * (n - 1) / n
    return lost.mean(), 4 * lost.std(ddof=1) / len(lost) ** 0.5


MATCHES = [
    # who plays alone, who at all other seats, how many seats, and the loss rate that was found
    # in 10,000 deals (3 seats) or 3,000 (5 seats): its 95 % interval reaches .009 at most
    ("counting", "random", 3, 0.001),
    ("counting", "honest", 3, 0.020),
    ("counting", "bluffer", 3, 0.110),
    ("honest", "counting", 3, 0.659),
    ("bluffer", "counting", 3, 0.548),
    ("bluffer", "honest", 3, 0.052),
    ("honest", "bluffer", 3, 0.799),
    ("counting", "bluffer", 5, 0.038),
    ("bluffer", "counting", 5, 0.372),
]


@pytest.mark.skipif(not COMPILED, reason="thousands of games")
@pytest.mark.parametrize(("alone", "against", "seats", "expected"), MATCHES)
def test_who_loses_to_whom(alone, against, seats, expected):
    """In 3,000 games: each deal is played with the one at every seat in turn."""
    game = configure("cockroach_poker", num_players=seats)
    rate, error = loss_rate(play_match(game, [alone, against], 3000, seed=7), alone)
    assert abs(rate - expected) <= error + 0.01


def test_they_are_known_by_name():
    assert names(THREE)[:4] == ["random", *AGENTS]


MOVES = """
import sys
sys.path.insert(0, {tests!r})
from backroom.agents import load
from backroom.envs import configure, make_batch
for options in ({{}}, {{"num_players": 6}}, {{"num_players": 2, "four_of_a_kind": 7}}):
    game = configure("cockroach_poker", **options)
    for name in ("honest", "counting", "bluffer"):
        batch, agent = make_batch(game, 3, seed=1), load(name, game, 2)
        for _ in range(40):
            shares = agent.probabilities(batch.observations, batch.masks, batch.players)
            actions = agent.act(batch.observations, batch.masks, batch.players)
            print(name, actions.tolist(), hash(shares.tobytes()))
            batch.step(actions)
"""


def test_compiled_agents_play_as_plain_ones():
    code = MOVES.format(tests=str(Path(__file__).parent))
    played = {
        subprocess.run(
            [sys.executable, "-W", "error", "-W", "ignore:overflow:RuntimeWarning", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": plain, "PYTHONHASHSEED": "0"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for plain in ("0", "1")
    }
    assert len(played) == 1 and played.pop().count("\n") == 360
