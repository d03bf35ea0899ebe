"""The solver: against trying out, against published figures, and against play."""

import itertools
import json
import re
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from playing import dealt, observed
from simple_poker import ranked
from typer.testing import CliRunner

from backroom.agents import load
from backroom.agents.caribbean_poker import strategy as files
from backroom.agents.neural import NeuralAgent, Policy
from backroom.envs import configure
from backroom.envs.caribbean_poker.rules import net, outcome
from backroom.envs.caribbean_poker.state import (
    CALL,
    FOLDED,
    LOST,
    TIED,
    UNQUALIFIED,
    UP,
    WON,
)
from backroom.envs.engine.cards import cards_text, parse_cards
from backroom.envs.engine.game import returns, step
from backroom.envs.engine.jit import COMPILED, jit
from backroom.envs.engine.poker import EMPTY, add, best_hand, strength
from backroom.evaluate.caribbean_poker import plot as plots
from backroom.evaluate.caribbean_poker import seen
from backroom.evaluate.caribbean_poker import solve as solver
from backroom.evaluate.caribbean_poker.counting import COMPLETIONS, count_completions, make_tables
from backroom.evaluate.caribbean_poker.results import DEALS, Judged, Range, Solution, plain
from backroom.evaluate.caribbean_poker.situations import hand_code, orbit, representatives
from backroom.evaluate.docs import ENVS
from backroom.train.cli import app

GAME = configure("caribbean_poker", fixed_ante=1)
RULES = ("three-rules", "akj83", "match", "pair", "ace-king", "caller", "folder")
compiled = pytest.mark.skipif(not COMPILED, reason="needs compiled rules")


def small_network():
    """Weights drawn at random: it calls here and there."""
    rng = np.random.default_rng(5)
    parts = ("ranks", "up_rank", "category")
    sizes = {"hidden.0": (8, 36), "policy": (2, 8), "value": (1, 8)}
    weights = {}
    for name, shape in sizes.items():
        weights[f"{name}.weight"] = rng.normal(size=shape).astype(np.float32)
        weights[f"{name}.bias"] = rng.normal(size=shape[0]).astype(np.float32)
    return NeuralAgent(GAME, Policy(GAME, parts, "tanh", weights), temperature=0)


@pytest.fixture(scope="module")
def tables():
    return make_tables()


@pytest.fixture(scope="module")
def solution():
    agents = [load(name, GAME) for name in (*RULES, "optimal", "random")]
    done = []
    found = solver.solve(GAME, [*agents, small_network()], done.append)
    assert sum(done) == solver.NUM_HANDS and len(done) > 100  # progress is told
    return found


def judged(solution: Solution, name: str) -> Judged:
    return next(found for found in solution.judged if found.name == name)


@jit
def try_out(own, used, up, counts):
    """What `count_completions` counts, by trying out all completions."""
    open_card = add(EMPTY, up)
    for a in range(52):
        if used >> a & 1 == 0:
            one = add(open_card, a)
            for b in range(a):
                if used >> b & 1 == 0:
                    two = add(one, b)
                    for c in range(b):
                        if used >> c & 1 == 0:
                            three = add(two, c)
                            for d in range(c):
                                if used >> d & 1 == 0:
                                    counts[outcome(CALL, own, strength(add(three, d)))] += 1


HANDS = (
    "As Kd Qh Jc 9s|9d",
    "As Kd Jh 8c 3s|3d",
    "2s 2d 3h 4c 5s|9d",
    "9s 9d 9h 9c 2s|Ad",
    "Ah Kh Qh Jh 9h|Th",
    "5c 4d 3h 2s Ac|6c",
    "7c 7d 2h 2s 3c|7h",
    "Tc Jc Qc Kc Ac|9c",
    "7c 5d 4h 3s 2c|Ks",
)


@compiled
@pytest.mark.parametrize("case", HANDS)
def test_counting_finds_what_trying_out_finds(tables, case):
    hand, _, up = case.partition("|")
    cards = [*sorted(parse_cards(hand)), *parse_cards(up)]
    counts, tried = np.zeros((1, 4), np.int32), np.zeros(5, np.int64)
    count_completions(np.array([cards], np.int8), tables[1], counts)
    try_out(best_hand(hand), sum(1 << card for card in cards), cards[5], tried)
    assert counts[0].tolist() == tried[[UNQUALIFIED, WON, TIED, LOST]].tolist()
    assert counts.sum() == COMPLETIONS == 163_185


@compiled
@pytest.mark.parametrize(
    ("hand", "up", "value"),
    [
        ("As Kd Qh Jc 9s", "9d", -0.788161),
        ("As Kd Qh Jc 9s", "Tc", -0.976799),
        ("As Kd Qh Jc 9s", "Ad", -0.533848),
        ("As Kd Qh 8c 4s", "7d", -0.997659),
        ("As Kd Qh 8c 4s", "9d", -1.015369),
        ("As Kd Jh 8c 3s", "8d", -0.861770),
        ("As Kd Jh 8c 3s", "5d", -1.037369),
        ("2s 2d 3h 4c 5s", "9d", -0.965916),
        ("As Qd Jh Tc 9s", "9d", -1.034672),
        ("9s 9d 9h 9c 2s", "Ad", 29.225168),
    ],
)
def test_the_value_of_single_calls(tables, hand, up, value):
    cards = np.array([[*sorted(parse_cards(hand)), *parse_cards(up)]], np.int8)
    counts = np.zeros((1, 4), np.int32)
    count_completions(cards, tables[1], counts)
    odds = GAME.settings()["call_paytable"][::-1][ranked(hand)[0]]
    ends = zip(counts[0].tolist(), (UNQUALIFIED, WON, TIED, LOST), strict=True)
    found = sum(count * net(end, odds) for count, end in ends) / COMPLETIONS
    assert round(found, 6) == value
    state = dealt(GAME, 0)[0]
    rest = [card for card in range(52) if card not in cards[0]]
    banker = cards_text([*rest[:4], cards[0, 5]])
    GAME.rules.arrange(GAME, state, {"banker": banker, "hand0": hand})
    view = observed(GAME, state, 0)[None]
    best = load("optimal", GAME).act(view, np.ones((1, 2), bool), np.zeros(1, np.int64))
    assert (best[0] == CALL) == (value > -1)


@compiled
def test_hands_that_stand_for_others(tables):
    hands, orbits = representatives(tables[0])
    assert len(hands) == solver.NUM_HANDS and orbits.sum() == 2_598_960
    assert set(orbits.tolist()) == {4, 12, 24}


def test_an_orbit_is_what_exchanges_of_suits_make():
    pick = np.random.default_rng(0)
    for _ in range(40):
        cards = pick.permutation(52)[:5].tolist()
        alike = {
            hand_code(np.array([4 * (c // 4) + suits[c % 4] for c in cards], np.int8))
            for suits in itertools.permutations(range(4))
        }
        assert [len(alike)] == [size for size in map(orbit, alike) if size]


def test_agents_are_shown_what_the_game_shows():
    """The situation that stands for a deal looks as the deal does."""
    seat, pick = solver.Seat(GAME, load("random", GAME)), np.random.default_rng(1)
    for seed in range(40):
        state = dealt(GAME, seed)[0]
        seen = observed(GAME, state, 0)
        own, up = GAME.parts(seen)["hand"], GAME.parts(seen)["up"]
        cards = [*np.flatnonzero(own).tolist(), int(up.argmax())]
        view = np.zeros((1, GAME.observation_size), np.int8)
        solver._look(seat._states[0], np.array([cards], np.int8), view)
        assert view[0].tobytes() == seen.tobytes()
        assert cards[5] // 4 == state.deck[UP] // 4
        assert orbit(hand_code(np.array(pick.permutation(cards[:5]), np.int8)))


# Ground truths: the values as they are published, or as they follow from the rules.


@compiled
def test_the_best_play(solution):
    best = solution.optimal.range
    assert DEALS == 19_933_230_517_200 == best.deals.sum()
    assert best.value == Fraction(-142_031_221, 2_718_662_100)
    assert best.value * DEALS == -1_041_372_912_372
    assert f"{float(best.value):.9f}" == "-0.052243058"
    assert f"{best.deviation:.6f}" == "2.242950"
    assert f"{best.share(FOLDED):.9f}" == "0.477745239"
    ends = [f"{best.share(end):.9f}" for end in (UNQUALIFIED, WON, TIED, LOST)]
    assert ends == ["0.227384820", "0.158067512", "0.000016135", "0.136786294"]
    assert solution.qualify_rate == Fraction(205, 364)


@compiled
def test_the_best_play_never_folds_a_pair_or_calls_without_ace_and_king(solution):
    assert (solution.optimal.range.deals[1:, FOLDED] == 0).all()
    folder, ace_king = judged(solution, "folder"), judged(solution, "ace-king")
    assert folder.difference.folds[0] == 0 and ace_king.difference.wrong[0] == 0
    called = solution.optimal.ace_king.sum() / solution.ace_king.sum()
    assert solution.ace_king.sum() == 167_280 * 47
    assert f"{100 * called:.4f}" == "36.4056"


@compiled
@pytest.mark.parametrize(
    ("name", "value", "deviation", "called", "risk", "total"),
    [
        ("optimal", "-0.052243058", "2.242950", "0.522254761", "2.55529", -1_041_372_912_372),
        ("three-rules", "-0.052245308", "2.243569", "0.522904907", "2.55377", -1_041_417_758_724),
        ("akj83", "-0.053163254", "2.245074", "0.523940345", "2.59601", -1_059_715_400_580),
        ("match", "-0.053336910", "2.240621", "0.519364374", "2.61618", -1_063_176_931_284),
        ("pair", "-0.054696207", "2.220501", "0.498822606", "2.73803", -1_090_272_101_460),
        ("ace-king", "-0.056819701", "2.282780", "0.563186813", "2.67214", -1_132_600_203_540),
        ("caller", "-0.166072445", "2.674414", "1.000000000", "5.53575", -3_310_360_338_060),
        ("folder", "-1.000000000", "0.000000", "0.000000000", "100.00000", -DEALS),
    ],
)
def test_published_strategies(solution, name, value, deviation, called, risk, total):
    found = judged(solution, name).range
    assert found.value * DEALS == total
    assert f"{float(found.value):.9f}" == value
    assert f"{found.deviation:.6f}" == deviation
    assert f"{1 - found.share(FOLDED):.9f}" == called
    figures = next(row for row in plain(solution)["agents"] if row["name"] == name)
    assert f"{100 * figures['element_of_risk']:.5f}" == risk
    assert f"{figures['mean_stake']:.6f}" == f"{1 + 2 * float(called):.6f}"
    assert figures["regret"] == pytest.approx(float(solution.optimal.range.value - found.value))


@compiled
def test_an_agent_that_mixes_is_judged_by_its_probabilities(solution):
    found = judged(solution, "random").range
    assert f"{float(found.value):.6f}" == "-0.583036"
    assert found.share(FOLDED) == 0.5


@compiled
def test_regrets_are_told_apart(solution):
    for found in solution.judged:
        regret = float(solution.optimal.range.value - found.range.value)
        where = found.difference
        assert where.calls.sum() + where.folds.sum() == pytest.approx(regret, abs=1e-12)
        assert (where.wrong.sum() > 0) == (regret > 0) == bool(where.worst)
    worst = judged(solution, "match").difference.worst
    assert [row[0] for row in worst] == sorted((row[0] for row in worst), reverse=True)
    assert all(re.fullmatch(r"A. K. .. .. ..", hand) for _, hand, _, _ in worst)


@compiled
def test_a_network_is_judged_as_it_plays(solution):
    """In play, its mean is the exact one within the noise: 4 standard errors."""
    found = judged(solution, "neural").range
    assert 0.01 < found.share(FOLDED) < 0.99
    agent, rounds = small_network(), 40_000
    states = GAME.blank(rounds)
    out, views = np.zeros((rounds, 1), np.float32), []
    for i in range(rounds):
        states[i] = dealt(GAME, i)[0]
        views.append(observed(GAME, states[i], 0))
    chosen = agent.act(np.array(views), np.ones((rounds, 2), bool), np.zeros(rounds, int))
    for i in range(rounds):
        step(states[i], int(chosen[i]))
        returns(states[i], out[i])
    error = found.deviation / sqrt(rounds)
    assert abs(out.mean() - float(found.value)) < 4 * error
    assert abs((chosen != CALL).mean() - found.share(FOLDED)) < 0.01


@compiled
@pytest.mark.parametrize(
    ("odds", "value", "risk"),
    [
        ("200-50-20-7-5-4-3-2-1-1", "-0.052074899", "2.5471"),
        ("100-50-25-10-7-5-3-2-1-1", "-0.037036782", "1.8115"),
        ("100-50-20-5-7-4-3-2-1-1", "-0.051193049", "2.5039"),
        ("1-1-1-1-1-1-1-1-1-1", "-0.186516764", "9.1228"),
    ],
)
def test_other_odds_for_the_same_play(solution, odds, value, risk):
    """The risk of the second is published; the others' are the values over the mean stake."""
    table = tuple(int(odd) for odd in reversed(odds.split("-")))
    found = Range(table, solution.optimal.range.deals)
    assert f"{float(found.value):.9f}" == value
    assert f"{100 * found.risk:.4f}" == risk
    if value == "-0.037036782":
        assert f"{found.deviation:.6f}" == "2.354782"


class Faulty(Range):
    """A range that is settled by a wrong rule."""

    def __init__(self, right, end, earned):
        super().__init__(right.odds, right.deals)
        self.end, self.earned = end, earned

    def nets(self):
        wrong = super().nets()
        for row, odds in zip(wrong, self.odds, strict=True):
            row[self.end] = self.earned(odds)
        return wrong


@compiled
@pytest.mark.parametrize(
    ("end", "earned", "signature"),
    [
        (TIED, lambda odds: 1 + 2 * odds, "-0.052190717"),
        (TIED, lambda odds: -3, "-0.052291463"),
        (UNQUALIFIED, lambda odds: 1 + 2 * odds, "0.508140814"),
        (UNQUALIFIED, lambda odds: 0, "-0.279627878"),
        (WON, lambda odds: 1 + odds, "-0.277447423"),
        (WON, lambda odds: 2 * odds, "-0.210310570"),
    ],
)
def test_each_known_fault_has_its_signature(solution, end, earned, signature):
    """What the value would be if one rule were wrong, so that a wrong value names its cause."""
    faulty = Faulty(solution.optimal.range, end, earned)
    assert f"{float(faulty.value):.9f}" == signature


@compiled
def test_who_sees_all_of_the_bankers_cards_earns_more(solution):
    """The bound that only a leak can pass: calls wherever they do not lose."""
    seeing = Faulty(judged(solution, "caller").range, LOST, lambda odds: -1)
    assert f"{float(seeing.value):.10f}" == "0.6428158362"


@compiled
@pytest.mark.parametrize(
    ("odds", "hit", "value", "to_one"),
    [
        ("50000-5000-500-100-50-0-0-0-0-0", "0.003661", "-0.491412", "-0.487750"),
        ("0-0-100-75-50-0-0-0-0-0", "0.003646", "-0.769677", "-0.766031"),
        ("0-0-500-250-100-0-0-0-0-0", "0.003646", "-0.323268", "-0.319622"),
        ("10000-1000-500-100-0-0-0-0-0-0", "0.001696", "-0.706652", "-0.704956"),
        ("10000-1000-500-100-50-10-0-0-0-0", "0.007586", "-0.569135", "-0.561549"),
        ("1000-200-100-20-15-10-7-0-0-0", "0.028715", "-0.726243", "-0.697528"),
        ("5000-1000-300-100-50-20-8-0-0-0", "0.028715", "-0.416576", "-0.387861"),
        ("1000-500-200-50-25-20-8-3-0-0", "0.076254", "-0.432214", "-0.355961"),
    ],
)
def test_the_bonus_bet(solution, odds, hit, value, to_one):
    game = configure("caribbean_poker", bonus_paytable=odds.replace("-", ","))
    found = Solution(game, *(getattr(solution, f) for f in FIELDS)).bonus()
    assert [f"{float(figure):.6f}" for figure in found] == [hit, value, to_one]


def test_a_bonus_bet_that_pays_from_a_pair_of_fives_on():
    """A published one, to one, with an edge of 7.39 %; odds by category tell no pairs apart."""
    counts = files.read(files.OPTIMAL).categories.tolist()
    counts[1] = counts[1] * 10 // 13  # of 13 ranks, from 5 to ace
    odds = (-1, 1, 2, 3, 4, 5, 7, 20, 50, 100)
    won = sum(count * odd for count, odd in zip(counts[1:], odds[1:], strict=True))
    lost = 2_598_960 - sum(counts[1:])
    assert f"{100 * (lost - won) / 2_598_960:.2f}" == "7.39"


FIELDS = ("optimal", "judged", "ace_king", "qualify_rate", "strategy")


@compiled
@pytest.mark.parametrize("options", [{"bonus_paytable": None}, {"fixed_ante": 1}])
def test_without_a_bonus_bet_it_has_no_value(solution, options):
    game = configure("caribbean_poker", **options)
    assert Solution(game, *(getattr(solution, f) for f in FIELDS)).bonus() is None


@compiled
def test_the_readme_tells_these_values(solution):
    text = (ENVS / "caribbean_poker" / "README.md").read_text()
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .* \| (-[0-9.]+) \|$", text, re.M)
    assert {name for name, _ in rows} == {*RULES, "optimal"}
    for name, value in rows:
        assert f"{float(judged(solution, name).range.value):.9f}" == f"{float(value):.9f}"
    assert str(solution.optimal.range.value).replace("/", " / ") in text
    assert f"{DEALS:,}" in text and f"{solution.optimal.range.deviation:.6f}" in text


# The file of the strategy, the picture, the command.


@compiled
def test_the_strategy_that_is_shipped_is_what_the_solver_finds(solution, tmp_path):
    files.save(tmp_path / "best.npz", solution.strategy)
    assert (tmp_path / "best.npz").stat().st_size < 50_000
    shipped, found = files.read(files.OPTIMAL), files.read(tmp_path / "best.npz")
    for mine, theirs in zip(shipped, found, strict=True):
        assert np.array_equal(mine, theirs)
    assert [path.name for path in tmp_path.iterdir()] == ["best.npz"]
    assert load(str(tmp_path / "best.npz"), GAME).name == "best"
    assert judged(solution, "optimal").difference.wrong.sum() == 0


@compiled
def test_the_picture_shows_the_shares_that_are_called(solution, tmp_path):
    best = plots.shares(solution, solution.optimal)
    assert best.shape == (164, 13) and ((best >= 0) & (best <= 1)).all()
    assert plots.shares(solution, judged(solution, "caller")).min() == 1
    match = plots.shares(solution, judged(solution, "match"))
    for row, ranks in enumerate(plots.kickers()):
        assert np.flatnonzero(match[row]).tolist() == sorted([*ranks, 11, 12])
    plots.plot(solution, tmp_path / "x.svg")
    assert (tmp_path / "x.svg").stat().st_size > 10_000


@compiled
def test_the_command(solution, tmp_path, monkeypatch):
    asked = []

    def solve(game, agents, progress):
        asked.append((game, [agent.name for agent in agents]))
        return solution

    monkeypatch.setattr(solver, "solve", solve)
    args = ["solve", "caribbean_poker", "--set", "fixed_ante=1", "--agents", "pair", "match"]
    paths = ["--save", str(tmp_path / "a.npz"), "--plot", str(tmp_path / "a.png")]
    result = CliRunner().invoke(app, [*args, "--json", *paths])
    found = json.loads(result.stdout)
    assert asked == [(GAME, ["pair", "match"])]
    assert {path.name for path in tmp_path.iterdir()} == {"a.npz", "a.png"}
    assert found["value_exact"] == "-142031221/2718662100" and found["deals"] == DEALS
    assert found["value"] == float(solution.optimal.range.value)
    assert found["standard_deviation"] == solution.optimal.range.deviation
    assert found["fold_rate"] == solution.optimal.range.share(FOLDED)
    assert found["qualify_rate"] == 205 / 364
    assert sum(row["deals"] for row in found["range"]) == DEALS
    assert sum(row["value_share"] for row in found["range"]) == pytest.approx(found["value"])
    text = CliRunner().invoke(app, args).stdout
    assert "-0.052243058" in text and "three-rules" in text


@compiled
def test_the_command_tells_what_a_leak_would_be_worth(solution, monkeypatch):
    asked = []

    def value_seeing(game, count, progress):
        asked.append((game, count))
        return Fraction(-1, 8)

    monkeypatch.setattr(solver, "solve", lambda game, agents, progress: solution)
    monkeypatch.setattr(seen, "value_seeing", value_seeing)
    args = ["solve", "caribbean_poker", "--seen", "2"]
    found = json.loads(CliRunner().invoke(app, [*args, "--json"]).stdout)
    assert found["seen"] == {"cards": 2, "value": -0.125, "value_exact": "-1/8"}
    text = CliRunner().invoke(app, args).stdout
    assert "who sees 2 cards    -0.125000000 antes = -1/8" in text
    assert asked == [(configure("caribbean_poker"), 2)] * 2
