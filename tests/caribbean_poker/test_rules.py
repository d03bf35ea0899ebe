"""Settlement, sessions, options, and what seats see."""

import itertools

import numpy as np
import pytest
from playing import dealt, legal_mask, observed
from simple_poker import ODDS, qualifies, ranked, settled

from backroom.envs import configure, make, make_batch
from backroom.envs.caribbean_poker import rules
from backroom.envs.caribbean_poker.observation import renamed, suit_keys
from backroom.envs.caribbean_poker.rules import hand_strength, net, outcome
from backroom.envs.caribbean_poker.state import (
    CALL,
    FOLD,
    FOLDED,
    LOST,
    SHOWN,
    TIED,
    UNQUALIFIED,
    UP,
    WON,
)
from backroom.envs.engine.cards import cards_text, parse_cards
from backroom.envs.engine.game import redeal, returns, step
from backroom.envs.engine.jit import COMPILED

ROYAL, NOTHING = "As Ks Qs Js Ts", "7c 5d 4h 3s 2c"
WEAK = "Ac Kd 4h 3s 2c"

CASES = [
    (NOTHING, "Ac Qd Jh Ts 9d", FOLD, -1),
    (NOTHING, "Ac Qd Jh Ts 9d", CALL, 1),
    ("As Ks Qs Js Ts", "Kd Qd Jh Th 8s", CALL, 1),
    ("Ad Ks Qc Jh 9s", "Ac Kd Qh Js 8d", CALL, 3),
    ("Ad Ks Qc Jh 9s", "Ac Kd Qh Js 9d", CALL, 0),
    ("2d 2s 9c 8h 7s", WEAK, CALL, 3),
    ("4d 4s 3c 3h 7s", "Ac As Kh Qs 2c", CALL, 5),
    ("4d 4s 4c 3h 7s", "Ac As Kh Qs 2c", CALL, 7),
    ("4d 5s 6c 7h 8s", "Ac As Kh Qs 2c", CALL, 9),
    ("4d 5d 6d 7d 9d", "Ac As Kh Qs 2c", CALL, 11),
    ("4d 4s 4c 7h 7s", "Ac As Kh Qs 2c", CALL, 15),
    ("4d 4s 4c 4h 7s", "Ac As Kh Qs 2c", CALL, 41),
    ("4d 5d 6d 7d 8d", "Ac As Kh Qs 2c", CALL, 101),
    (ROYAL, "Ac Ad Kh Qd 2c", CALL, 201),
    ("Ad 2s 3c 4d 5h", "2c 3d 4h 5s 6d", CALL, -3),
    ("Kd Td 5d 4d 3d", "Qh Th 7h 5h 4h", CALL, 11),
    ("Ad 2s 3c 4d 5h", "2c 2d 3h 5s 6d", CALL, 9),
    ("Ad 2d 3d 4d 5d", "2c 3s 4h 5s 6h", CALL, 101),
    ("9h Th Jh Qh Kh", "2c 3s 4h 5s 6d", CALL, 101),
    ("Kd Ad 2s 3c 4d", "2c 2d 3h 5s 6d", CALL, -3),
]


def played(hand, banker, choice, **options):
    """The return of one seat and the last state."""
    game = configure("caribbean_poker", fixed_ante=1, **options)
    state = dealt(game, 0)[0]
    game.rules.arrange(game, state, {"banker": banker, "hand0": hand})
    step(state, choice)
    out = np.zeros(1, np.float32)
    returns(state, out)
    return float(out[0]), state


@pytest.mark.parametrize(("hand", "banker", "choice", "expected"), CASES)
def test_settlement(hand, banker, choice, expected):
    assert played(hand, banker, choice)[0] == expected
    assert settled(hand, banker, choice == CALL) == expected


def test_suits_never_rank():
    for suits in itertools.permutations("cdhs"):
        swap = str.maketrans("cdhs", "".join(suits))
        for hand, banker, choice, expected in CASES:
            assert played(hand.translate(swap), banker.translate(swap), choice)[0] == expected


@pytest.mark.parametrize("banker", [WEAK, "2c 2d 3s 4h 5d", "As 2d 3h 4c 5s", "Ac Kd Qh Js Td"])
def test_the_banker_qualifies(banker):
    _, state = played("9c 8d 7s 6h 4s", banker, CALL)
    assert state.qualified == 1 and state.outcomes[0, LOST] == 1


@pytest.mark.parametrize("banker", ["Ac Qd Jh Ts 9d", "Kc Qd Jh Ts 8d"])
def test_the_banker_does_not_qualify(banker):
    _, state = played("9c 8c 7s 6h 4s", banker, CALL)
    assert state.qualified == 0 and state.outcomes[0, UNQUALIFIED] == 1


def wrong_rules():
    """Faults of settlement, by name, as functions of how a round ends and the odds."""
    changes = {
        "a tie is won": {TIED: lambda odds: 1 + 2 * odds},
        "a tie is lost": {TIED: lambda odds: -3},
        "the call is paid though the banker does not qualify": {
            UNQUALIFIED: lambda odds: 1 + 2 * odds
        },
        "the ante comes back if the banker does not qualify": {UNQUALIFIED: lambda odds: 0},
        "odds on the ante's stake": {WON: lambda odds: 1 + odds},
        "the ante is not paid": {WON: lambda odds: 2 * odds},
    }
    return changes


@pytest.mark.parametrize("name", wrong_rules())
def test_each_known_fault_of_settlement_fails_a_case(name, monkeypatch):
    change = wrong_rules()[name]

    def faulty(end, odds):
        return change[end](odds) if end in change else net(end, odds)

    if not COMPILED:  # compiled rules cannot be changed; there, what they would do is worked out
        monkeypatch.setattr(rules, "net", faulty)
    failed = 0
    for hand, banker, choice, expected in CASES:
        earned, state = played(hand, banker, choice)
        if COMPILED:
            assert earned == expected
            earned = faulty(int(state.outcomes[0].argmax()), ODDS[ranked(hand)[0]])
        failed += earned != expected
    assert failed


def test_random_deals_are_settled_as_the_simple_way_tells():
    game = configure("caribbean_poker", num_players=3, fixed_ante=1)
    out, ends = np.zeros(3, np.float32), set()
    for seed in range(300):
        state = dealt(game, seed)[0]
        cards = [cards_text(state.deck[5 * i : 5 * i + 5].tolist()) for i in range(4)]
        choices = [CALL, CALL, FOLD]
        for choice in choices:
            step(state, choice)
        returns(state, out)
        expected = [
            settled(hand, cards[0], c == CALL) for hand, c in zip(cards[1:], choices, strict=True)
        ]
        assert out.tolist() == expected
        assert (hand_strength(state, 0) >= hand_strength(state, 5)) == (
            ranked(cards[0]) >= ranked(cards[1])
        )
        assert state.qualified == qualifies(cards[0])
        ends |= set(np.flatnonzero(state.outcomes.sum(axis=0)).tolist())
    assert ends >= {FOLDED, UNQUALIFIED, WON, LOST}


def test_outcomes_of_equal_hands():
    """Ties are too rare to be seen in play."""
    strength = 1 << 25
    assert outcome(CALL, strength, strength) == TIED
    assert outcome(CALL, strength + 1, strength) == WON
    assert outcome(CALL, strength - 1, strength) == LOST
    assert outcome(FOLD, strength, strength) == FOLDED
    assert outcome(CALL, strength, 0) == UNQUALIFIED


@pytest.mark.parametrize("choice", [FOLD, CALL])
@pytest.mark.parametrize(
    ("hand", "banker", "bonus"),
    [
        ("Kd Td 5d 4d 3d", "Ac As Kh Qs 2c", 490),
        ("Kd Td 5d 4d 3d", "Ac Qd Jh Ts 9h", 490),
        (ROYAL, "Ac Qd Jh Td 9h", 499_990),
        ("4d 4s 4c 7h 7s", "Ac As Kh Qs 2c", 990),
        ("4d 5s 6c 7h 8s", "Ac As Kh Qs 2c", -10),
    ],
)
def test_the_bonus_does_not_care_for_the_rest(choice, hand, banker, bonus):
    game = configure("caribbean_poker")
    state = dealt(game, 0)[0]
    game.rules.arrange(game, state, {"banker": banker, "hand0": hand})
    step(state, game.numbers["ante 1 + bonus"])
    step(state, choice)
    assert state.result[0] == played(hand, banker, choice)[0] + bonus
    assert (state.bonus_bets[0], state.bonus_hits[0]) == (1, bonus > 0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"num_players": 0}, "num_players"),
        ({"num_players": 8}, "num_players"),
        ({"ante_levels": (5, 1)}, "in ascending order, not 5, 1"),
        ({"ante_levels": (1, 1)}, "in ascending order"),
        ({"ante_levels": ()}, "ante_levels"),
        ({"ante_levels": (0, 5)}, "ante_levels"),
        ({"ante_levels": (1001,)}, "ante_levels"),
        ({"ante_levels": "1,x"}, "ante_levels"),
        ({"fixed_ante": 1001}, "fixed_ante"),
        ({"bankroll": 4, "ante_levels": (5,)}, "4 does not cover the least ante, 5"),
        ({"bankroll": 0}, "bankroll"),
        ({"bankroll": 1_000_001}, "bankroll"),
        ({"call_paytable": (1,) * 9}, "call_paytable"),
        ({"call_paytable": None}, "call_paytable"),
        ({"bonus_paytable": (1,) * 11}, "bonus_paytable"),
        ({"bonus_paytable": (-1,) * 10}, "bonus_paytable"),
        ({"reward": "coins"}, "reward"),
        ({"num_rounds": 0}, "num_rounds"),
    ],
)
def test_impossible_options_are_named(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        configure("caribbean_poker", **options)


def test_text_and_numbers_are_the_same_options():
    game = configure("caribbean_poker", ante_levels="1, 5", bonus_paytable="none")
    assert game is configure("caribbean_poker", ante_levels=[1, 5], bonus_paytable=None)
    assert game is configure("caribbean_poker", **game.settings())
    default = configure("caribbean_poker")
    assert default is configure("caribbean_poker", bankroll="none")
    assert default is configure("caribbean_poker", bankroll=None)
    assert configure("caribbean_poker", bankroll="30").settings()["bankroll"] == 30
    assert not legal_mask(game, dealt(game, 0)[0])[[3, 5]].any()


@pytest.mark.parametrize(
    "cards",
    [
        {"banker": WEAK},
        {"banker": WEAK, "hand0": "Ac 2d 3d 4d 5d"},
        {"banker": WEAK, "hand0": "2d 3d 4d 5d"},
        {"banker": WEAK, "hand0": "2d 3d 4d 5d J*"},
        {"banker": WEAK, "hand0": "2d 3d 4d 5d 6d", "hand1": "7d 8d 9d Td Jd"},
    ],
)
def test_impossible_deals_are_refused(cards):
    game = configure("caribbean_poker")
    state = dealt(game, 0)[0]
    before = state.tobytes()
    with pytest.raises(ValueError):
        game.rules.arrange(game, state, cards)
    assert state.tobytes() == before


def test_a_session_ends_in_exact_ruin():
    hand = "7c 5d 4c 3d 2s"
    _, state = played(hand, WEAK, CALL, bankroll=3, num_rounds=50)
    assert (state.money[0], state.player, state.rounds) == (0, -1, 1)
    value, state = played(hand, WEAK, CALL, bankroll=4, num_rounds=50)
    assert (value, state.money[0], state.rounds) == (-3, 0, 1) and state.player == 0
    assert legal_mask(state_game(4), state).tolist() == [True, False]


def state_game(bankroll):
    return configure("caribbean_poker", fixed_ante=1, bankroll=bankroll, num_rounds=50)


@pytest.mark.parametrize("seed", range(20))
def test_money_is_what_was_brought_and_what_was_won(seed):
    """In points and without rest, between any two moves."""
    game = configure("caribbean_poker", num_players=3, bankroll=60, num_rounds=20)
    state, pick = dealt(game, seed)[0], np.random.default_rng(seed)
    while state.player >= 0:
        mask = legal_mask(game, state)
        step(state, int(pick.choice(np.flatnonzero(mask))))
        called = (state.choice == CALL) & (state.phase != SHOWN)
        at_stake = 0 if state.phase == SHOWN else state.ante * (1 + 2 * called) + 10 * state.bonus
        own = (state.money + at_stake)[:3]
        assert (own == 60 + state.result[:3]).all() and (state.money >= 0).all()
    assert state.rounds == 20 or (state.money[:3] == 0).all()


def test_no_bonus_bet_that_the_money_does_not_cover():
    game = configure("caribbean_poker", bankroll=10)
    legal = {game.actions[i] for i in np.flatnonzero(legal_mask(game, dealt(game, 0)[0]))}
    assert legal == {"ante 1", "ante 5", "ante 10"}


def test_the_bankers_hidden_cards_never_leave_the_engine():
    """Whatever the banker's four hidden cards are, all that the player is given is the same."""
    game = configure("caribbean_poker", fixed_ante=1)
    hand, up = "Ac Kd 8h 3s 2c", "9d"
    seen = set()
    for hidden in ("Qc Jd Th 7s", "Ad Ah As Ks", "2d 2h 2s 3d", "Jh Qh Ts 8s"):
        env = make(game, render_mode="ansi", viewer=0)
        env.reset(seed=1, options={"deal": {"banker": f"{hidden} {up}", "hand0": hand}})
        view, *rest = env.last()
        seen.add((view["observation"].tobytes(), view["action_mask"].tobytes(), str(rest)))
        seen.add((env.render(), str(env.infos)))
    assert len(seen) == 2


def test_seats_do_not_see_each_others_cards_after_the_end():
    game = configure("caribbean_poker", num_players=2, fixed_ante=1)
    state = dealt(game, 4)[0]
    step(state, CALL)
    before = state.copy()
    step(state, CALL)
    other = cards_text(state.deck[10:15].tolist())
    assert other not in game.rules.table(game, state, 0)
    assert not any(other in line for line in game.rules.events(game, before, CALL, state, 0))
    assert other in game.rules.table(game, state, 1)
    world = state.copy()
    redeal(world, 0, 5)
    assert (world.deck[:10] == state.deck[:10]).all()
    assert sorted(world.deck) == list(range(52)) and (world.deck[10:] != state.deck[10:]).any()


def test_a_redeal_keeps_what_is_seen_and_draws_the_rest_evenly():
    game = configure("caribbean_poker", num_players=2, fixed_ante=1)
    state = dealt(game, 4)[0]
    counts = np.zeros((52, 52), int)
    for seed in range(600):
        world = state.copy()
        redeal(world, 1, seed)
        counts[np.arange(52), world.deck] += 1
    known = [UP, *range(10, 15)]
    assert (counts[known, state.deck[known]] == 600).all()
    drawn = np.delete(np.delete(counts, known, axis=0), state.deck[known], axis=1)
    assert drawn.sum() == 46 * 600
    assert 0 < drawn.min() and drawn.max() < 40  # 13 are expected


def test_suits_are_renamed_and_nothing_else():
    """The same look for hands that differ by suits alone, another look for all others."""
    game = configure("caribbean_poker", fixed_ante=1)

    def look(cards):
        state = dealt(game, 0)[0]
        hand, up = cards[:5], cards[5]
        rest = [c for c in range(52) if c not in cards]
        deal = {"banker": cards_text([*rest[:4], up]), "hand0": cards_text(hand)}
        game.rules.arrange(game, state, deal)
        names = [renamed(suit_keys(state, 0), suit) for suit in range(4)]
        assert sorted(names) == [0, 1, 2, 3]
        return observed(game, state, 0).tobytes()

    pick = np.random.default_rng(0)
    for _ in range(30):
        cards = pick.permutation(52)[:6].tolist()
        looks = {
            look([4 * (c // 4) + suits[c % 4] for c in cards])
            for suits in itertools.permutations(range(4))
        }
        assert len(looks) == 1
        other = pick.permutation(52)[:6].tolist()
        if sorted(c // 4 for c in cards[:5]) != sorted(c // 4 for c in other[:5]):
            assert look(other) not in looks
    pairs = {look(parse_cards("Ac Kc 8d 3h 2s " + up)) for up in ("9c", "9d", "9h", "9s")}
    assert len(pairs) == 4
    assert look(parse_cards("Ac Ad 8h 3h 2h 9c")) == look(parse_cards("Ac Ad 8h 3h 2h 9d"))


def test_batches_play_the_same_session():
    batch = make_batch("caribbean_poker", 64, seed=3, num_players=2, bankroll=30, num_rounds=5)
    pick, seen = np.random.default_rng(0), 0
    for _ in range(200):
        batch.step(np.array([pick.choice(np.flatnonzero(mask)) for mask in batch.masks]))
        seen += int(batch.done.sum())
    assert seen > 64


def test_statistics_count_all():
    game = configure("caribbean_poker", num_players=3, num_rounds=4, fixed_ante=2)
    state, pick = dealt(game, 2)[0], np.random.default_rng(0)
    while state.player >= 0:
        step(state, int(pick.integers(2)))
    found = game.rules.statistics(game, state)
    assert (found["rounds"], found["hands"]) == (4, 12)
    ends = ("unqualified", "wins", "ties", "losses")
    assert found["calls"] == sum(found[name] for name in ends) > 0
    assert found["staked"] == 2 * (12 + 2 * found["calls"])
