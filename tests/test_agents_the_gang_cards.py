"""The scripted agents of The Gang with challenges and specialists."""

from itertools import combinations

import numpy as np
import pytest

from backroom.agents import load, names
from backroom.agents.the_gang.clock import when_due
from backroom.agents.the_gang.quantile import chip_for
from backroom.agents.the_gang.table import own_percentile, percentile_of, read
from backroom.envs import configure, make_batch
from backroom.envs.engine.cards import parse_cards, rank
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import best_hand
from backroom.envs.the_gang.roster import CHALLENGES, MODES, SPECIALISTS
from backroom.envs.the_gang.state import CHIPS, DECISIONS

CARDS = (*CHALLENGES, *SPECIALISTS)
BOTH = pytest.mark.parametrize("name", ["quantile", "clock"])
ASKED = {
    "informant": {1, 2, 3},
    "getaway_driver": {1},
    "mastermind": {1, 4},
    "hacker": {1, 3},
    "coordinator": {3},
    "jack": {1, 3},
    "muscle": {1},
    "retina_scan": {5},
    "fingerprint_scan": {6},
}
"""By card: which decisions it brings, as `decision` numbers them."""
WORDS = "turn answer target card rank scan_rank scan_category".split()


def with_cards(*cards, n=3, mode="intermediate", **options):
    options = {"turns_per_round": 2, "episode": "heist", **options}
    return configure("the_gang", num_players=n, mode=mode, cards_in_force=cards, **options)


def random_turns(batch, agent, draws, steps):
    """Ask the agent wherever random play leads to; what was decided, as a set of numbers."""
    asked = set()
    for _ in range(steps):
        seen = batch.observations, batch.masks, batch.players
        kinds = batch.game.parts(batch.observations)["decision"].argmax(axis=1)
        if (kinds != CHIPS).any() or COMPILED or draws.random() < 0.02:
            actions = agent.act(*seen)
            assert batch.masks[np.arange(len(batch)), actions].all()
            asked |= set(kinds.tolist())
        chance = draws.random(batch.masks.shape) * (1 + 3 * at_last(batch))
        batch.step(np.where(batch.masks, chance, -1).argmax(axis=1))
    return asked


def at_last(batch):
    """The actions after the chips come more often: so that cards are used before long."""
    return np.arange(batch.masks.shape[1]) > batch.game.players + 1


@BOTH
@pytest.mark.parametrize("card", CARDS)
def test_each_decision_of_each_card_is_answered_legally(name, card):
    """Wherever random play leads to, with 3 to 6 seats."""
    n = 3 + CARDS.index(card) % 4
    seats = range(3, 7) if COMPILED else [n]
    for n in seats:
        game = with_cards(card, n=n, turns_per_round=1)
        agent, draws = load(name, game), np.random.default_rng(n)
        batch = make_batch(game, 20 if COMPILED else 1, seed=n)
        asked = random_turns(batch, agent, draws, 200)
        assert asked >= ASKED.get(card, set())


@BOTH
@pytest.mark.parametrize("n", range(3, 7))
@pytest.mark.parametrize("mode", MODES[1:])
def test_whole_games_are_played_in_all_modes(name, mode, n):
    """The batch refuses what is not legal. In plain Python only some moves."""
    game = configure("the_gang", num_players=n, mode=mode, deck_order="random", turns_per_round=1)
    batch, agent = make_batch(game, 200 if COMPILED else 1, seed=n), load(name, game)
    over = 0
    for _ in range(300 if COMPILED else 25):
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
        over += int(batch.done.sum())
    assert over > 0 or not COMPILED


def test_the_codebook_plays_basic_alone():
    game = with_cards("jack")
    assert names(game)[:3] == ["random", "quantile", "clock"] and "codebook" not in names(game)
    with pytest.raises(ValueError, match="codebook plays only the mode basic, not intermediate"):
        load("codebook", game)


@BOTH
def test_only_what_tells_of_this_heist_is_read(name):
    """Not the score, not the features, not the seat's number; and nothing is kept between calls."""
    game = with_cards("retina_scan", "informant", n=4, mode="advanced", features="strength")
    batch, draws = make_batch(game, 8 if COMPILED else 1, seed=2), np.random.default_rng(2)
    agent = load(name, game)
    for _ in range(60 if COMPILED else 20):
        seen = batch.observations, batch.masks, batch.players
        actions = agent.act(*seen)
        other = batch.observations.copy()
        for part in ("vaults", "alarms", "mover", "recent", "permanent", "percentile", "category"):
            game.parts(other)[part][:] = 0
        assert (agent.act(other, batch.masks, 0 * batch.players) == actions).all()
        assert (load(name, game, 9).act(*seen) == actions).all()
        chance = np.where(batch.masks, draws.random(batch.masks.shape), -1)
        batch.step(np.where(draws.random(len(batch)) < 0.5, actions, chance.argmax(axis=1)))
    assert set(vars(agent)) == {"game", "generator"}


# Percentiles.


@pytest.mark.parametrize("cards", [("muscle",), ("security_cameras",), ("hacker",)], ids=str)
def test_the_own_percentile_is_that_of_the_feature(cards):
    game = with_cards(*cards, features="strength")
    batch = make_batch(game, 30 if COMPILED else 1, seed=5)
    draws, compared = np.random.default_rng(5), 0
    for _ in range(40):
        chance = draws.random(batch.masks.shape) * (1 + 3 * at_last(batch))
        batch.step(np.where(batch.masks, chance, -1).argmax(axis=1))
        tables = read(game, batch.observations, batch.masks)
        last_of_plain = COMPILED or compared < 3
        for row, state in enumerate(batch.states):
            if state["decision"] == CHIPS and state["round_no"] > 0 and last_of_plain:
                known = state["percentile"][state["player"], state["round_no"]]
                assert int(own_percentile(tables, row) * 2000 + 0.5) == known
                compared += 1
    assert compared >= 3


def view(game, **shown):
    """An observation, int8[1, O]: cards as text, seats and chips by number, and masks, all true."""
    observation = np.zeros((1, game.observation.itemsize), np.int8)
    parts = game.parts(observation)
    board = parse_cards(shown.pop("board", ""))
    parts["board"][0, board] = 1
    for i, card in enumerate(board[3:]):
        parts["street"][0, i, [card // 4, 13 + card % 4]] = 1
    for part in ("round", "first", "lap"):
        parts[part][0, shown.pop(part, 3 if part == "round" else 0)] = 1
    parts["decision"][0, WORDS.index(shown.pop("decision", "turn"))] = 1
    for number, chips in shown.pop("chips", {3: (2, 3, 1)}).items():
        for seat, stars in enumerate(chips):
            parts["chips"][0, number, seat, stars - 1] = int(stars > 0)
    for name in shown.pop("cards", ()):
        part = "challenges" if name in CHALLENGES else "specialist"
        parts[part][0, (CHALLENGES if part == "challenges" else SPECIALISTS).index(name)] = 1
    for seat, cards in shown.pop("opened", {}).items():
        parts["opened"][0, seat, parse_cards(cards)] = 1
    for part, value in shown.items():
        cells = parts[part][0]
        if isinstance(value, str):
            cells[parse_cards(value)] = 1
        elif isinstance(value, tuple):
            cells[:] = value
        else:
            cells[value] = 1
    return observation, np.ones((1, len(game.actions)), np.bool_), np.zeros(1, np.int64)


def says(game, name="clock", **shown):
    return game.actions[load(name, game).act(*view(game, **shown))[0]]


def test_sums_that_were_declared_shift_the_percentile():
    """The mean over the seats of the share that is beaten of what each may hold: counted anew."""
    game = with_cards("math_whiz")
    board, own = "2c 7d 9h Js Qs", "9c Kd"
    sums = (19, 20, 7)
    seen = view(
        game, board=board, hole=own, cards=["math_whiz"], declared=tuple(s + 1 for s in sums)
    )
    common = parse_cards(board)
    mine, taken = best_hand(common + parse_cards(own)), {*common, *parse_cards(own)}
    left = [card for card in range(52) if card not in taken]
    worth = {card: (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)[rank(card)] for card in left}
    shares = []
    for total in sums:
        hands = [h for h in combinations(left, 2) if worth[h[0]] + worth[h[1]] == total]
        values = np.array([best_hand([*common, *h]) for h in hands])
        shares.append((np.mean(values < mine) + np.mean(values <= mine)) / 2)
    assert own_percentile(read(game, seen[0], seen[1]), 0) == pytest.approx(np.mean(shares))


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("investor", {"declared": (1, 1, 1)}),  # nobody has a face card
        ("mastermind", {"user": 1, "declared_rank": 0, "declared_count": 0}),  # a two
        ("getaway_driver", {"user": 1, "declared_category": 0, "used_in": 3}),  # a high card
    ],
)
def test_a_hand_stands_better_if_another_is_known_to_be_weak(card, told):
    game = with_cards(card)
    table = {"board": "3c 7d 9h Js Qs", "hole": "9c 4d", "cards": [card]}
    shares = []
    for more in ({}, told):
        seen = view(game, **table, **more)
        shares.append(own_percentile(read(game, seen[0], seen[1]), 0))
    assert shares[1] > shares[0] + 0.02


def test_what_only_one_seat_knows_does_not_shift_it():
    """R28: all are to reckon alike."""
    game = with_cards("informant")
    table = {"board": "3c 7d 9h Js Qs", "hole": "9c 4d", "cards": ["informant"], "user": 1}
    shares = set()
    for more in ({}, {"shown": "Qd", "target": 0}):
        seen = view(game, **table, **more)
        shares.add(own_percentile(read(game, seen[0], seen[1]), 0))
    assert len(shares) == 1


def test_the_jack_counts_as_a_hole_card():
    game = with_cards("jack")
    seen = view(game, board="3c 7d 9h Js Jc", hole="4d", cards=["jack"], holder=0)
    tables = read(game, seen[0], seen[1])
    assert own_percentile(tables, 0) > 0.6  # with three jacks, of a seat that all know has one
    assert percentile_of(tables, 0, np.array([10, 1], np.int8)) < 0.3


# Chips.


def test_a_black_chip_is_not_stolen():
    chips, free, black = np.array([0, 2, 3]), np.ones(3, np.bool_), np.array([True, False, True])
    assert chip_for(0.6, chips, free, True) == 2 and chip_for(0.6, chips, black, True) == 1
    game = with_cards("ventilation_shaft", turns_per_round=2)
    table = {"hole": "As Ah", "round": 0, "chips": {0: (0, 3, 0)}, "cards": ["ventilation_shaft"]}
    moved = np.zeros((3, 4, 3), np.int8)
    moved[1, 0, 0] = 3  # the next seat took it in this lap: it is in the same slice
    observation, masks, players = view(game, **table)
    game.parts(observation)["moves"][0] = moved
    agent = load("clock", game)
    assert game.actions[agent.act(observation, masks, players)[0]] == "take 3"
    masks[0, 2] = False
    assert game.actions[agent.act(observation, masks, players)[0]] == "take 2"
    assert when_due(0.99, 0, 2, np.array([0, 3, 0]), np.array([False, False, False])) == 2


# Guesses.

SCAN = {"board": "7c 7d 7h 2s 3c", "hole": "Ac Ad", "opened": {0: "Ac Ad", 2: "Kc Qd"}}


@BOTH
def test_the_rank_that_all_evidence_points_to_is_named(name):
    """Only the fourth seven is no weaker than sevens full of aces."""
    game = with_cards("retina_scan", "fingerprint_scan")
    found = [
        says(game, name, **SCAN, decision=decision, cards=["retina_scan", "fingerprint_scan"])
        for decision in ("scan_rank", "scan_category")
    ]
    assert found == ["rank 7", "category four of a kind"]


WEAK = {
    "board": "2s 7d 9h Js Qs",
    "hole": "3c 4d",
    "opened": {0: "3c 4d", 2: "5c 4h"},
    "decision": "scan_rank",
}


def test_the_chips_before_a_hand_make_those_likelier_that_should_have_taken_them():
    """Strong at the end, by the queen of the river; but who was strong before has a nine."""
    game = with_cards("retina_scan")
    assert says(game, **WEAK, cards=["retina_scan"]) == "rank Q"
    strong_before = {1: (2, 3, 1), 2: (2, 3, 1), 3: (2, 3, 1)}
    assert says(game, **WEAK, chips=strong_before, cards=["retina_scan"]) == "rank 9"


def test_a_declared_rank_is_named():
    game = with_cards("retina_scan", "mastermind")
    told = {"user": 1, "declared_rank": 6, "declared_count": 0, "used_in": 3}
    assert says(game, **WEAK, **told, cards=["retina_scan", "mastermind"]) == "rank 8"


def test_a_declared_category_is_named():
    game = with_cards("fingerprint_scan", "getaway_driver")
    told = {"user": 1, "declared_category": 4, "used_in": 3}  # a straight
    scan = {**WEAK, "decision": "scan_category", "cards": ["fingerprint_scan", "getaway_driver"]}
    assert says(game, **scan, **told) == "category straight"


def test_the_jack_of_the_scanned_hand_is_named():
    game = with_cards("retina_scan", "jack")
    assert says(game, **WEAK, cards=["retina_scan", "jack"], holder=1) == "rank J"


def test_a_card_that_only_this_seat_knows_is_named():
    """R28 a shown card, R33 a passed one, R36 a lost one that lies nowhere."""
    game = with_cards("retina_scan", "informant")
    told = {"user": 1, "target": 0, "shown": "6h"}
    assert says(game, **WEAK, **told, cards=["retina_scan", "informant"]) == "rank 6"
    game = with_cards("retina_scan", "coordinator")
    assert says(game, **WEAK, passed="6h", cards=["retina_scan", "coordinator"]) == "rank 6"
    game = with_cards("retina_scan", "con_artist")
    table = {**WEAK, "cards": ["retina_scan", "con_artist"]}
    assert says(game, **table, lost="6h 5c") == "rank 6"  # the five lies open
    assert says(game, **table, lost="5c") == says(game, **table) != "rank 6"


def test_who_names_another_rank_knows_more():
    game = with_cards("retina_scan", "informant")
    table = {**WEAK, "cards": ["retina_scan", "informant"]}
    usual = says(game, **table)
    named = np.zeros((3, 13), np.int8)
    named[2, 4] = 1
    guessed = {"first": 2, "rank_guesses": tuple(map(tuple, named))}
    assert says(game, **table, **guessed) == "rank 6" != usual


# Specialists.


def test_proposals_come_in_the_round_before_the_red_chips():
    """The Hacker, by a hand that is worth much more than the chip of the round before says."""
    game = with_cards("hacker", turns_per_round=4)
    hand = {"board": "7c 2d 9h Ks", "hole": "9c 4d", "cards": ["hacker"], "lap": 0}
    table = {**hand, "round": 2, "chips": {1: (1, 3, 2)}}
    assert says(game, **table) == "propose" == says(game, "quantile", **table)
    fits = {**table, "chips": {1: (3, 1, 2)}}
    assert says(game, **fits) != "propose"
    asked = np.zeros((3, 4, 5), np.int8)
    asked[0, 2, 0] = 6  # n + 3: a proposal
    assert says(game, **table, moves=tuple(map(tuple, asked.tolist()))) != "propose"
    assert says(game, **{**table, "board": "7c 2d 9h Ks 3c", "round": 3}) != "propose"
    with_chip = {**table, "chips": {1: (1, 3, 2), 2: (1, 0, 0)}}
    assert says(game, "quantile", **with_chip) == "propose"


def test_who_will_be_scanned_uses_what_tells():
    """R31 with R41: the strongest proposes, and declines what others propose."""
    game = with_cards("retina_scan", "mastermind")
    table = {"board": "7c 2d 9h Ks 3c", "cards": ["retina_scan", "mastermind"], "chips": {}}
    strong, weak = {**table, "hole": "9c 9d"}, {**table, "hole": "5h 4d"}
    assert says(game, "quantile", **strong, lap=0) == "propose"
    assert says(game, "quantile", **weak, lap=0) != "propose"
    assert says(game, **strong, decision="answer", proposer=1) == "decline"
    assert says(game, **weak, decision="answer", proposer=1) == "agree"
    alone = {**strong, "cards": ["mastermind"]}
    assert says(game, **alone, decision="answer", proposer=1) == "agree"


def test_the_discard_leaves_a_hand_that_lies_in_its_place():
    """Chip 1: keep the weakest; chip 3: the strongest. Cards are counted from the greatest."""
    game = with_cards("hacker")
    table = {"board": "7c 2d 9h Ks", "hole": "9c 5d 4h", "cards": ["hacker"], "user": 0}
    table |= {"decision": "card", "round": 2}
    assert says(game, **table, chips={1: (3, 1, 2)}) in {"card 2", "card 3"}
    assert says(game, **table, chips={1: (1, 3, 2)}) == "card 1"


def test_the_jack_is_never_discarded():
    game = with_cards("jack")
    table = {"board": "7c 2d 9h Ks", "hole": "9d 4h", "cards": ["jack"], "user": 0, "holder": 0}
    table |= {"decision": "card", "round": 2}
    assert {says(game, **table, chips={1: (k, 0, 0)}) for k in (1, 2, 3)} <= {"card 2", "card 3"}


def test_a_pair_is_kept_and_the_lowest_card_passed_on():
    game, table = with_cards("coordinator"), {"decision": "card", "cards": ["coordinator"]}
    assert says(game, hole="Kc 4d", round=0, chips={}, **table) == "card 2"
    assert says(game, hole="Kc 4d 4h", round=0, chips={}, **table) == "card 1"


def test_a_card_is_shown_to_the_seat_with_the_neighbouring_chip():
    """On the side that the hand leans to; of an ace and a two, the ace tells of a strong hand."""
    game = with_cards("informant", n=4)
    table = {"board": "7c 2d 9h Ks", "cards": ["informant"], "round": 2, "user": 0}
    table |= {"chips": {1: (2, 1, 4, 3)}}
    assert says(game, **table, hole="9c Kd", decision="target") == "show +3"
    assert says(game, **table, hole="5c 4d", decision="target") == "show +1"
    assert says(game, **table, hole="Kd 3c", decision="card") == "card 1"
    assert says(game, **{**table, "chips": {}}, hole="Kd 3c", decision="target") == "show +1"


def test_the_rank_is_declared_that_says_most():
    game = with_cards("mastermind")
    table = {"board": "7c 2d 9h Ks", "cards": ["mastermind"], "decision": "rank", "round": 2}
    assert says(game, **table, hole="Kd 3c") == "rank K"
    assert len(WORDS) == DECISIONS
