"""The scripted agents of Gangster Paradise: sense in positions made by hand, and in whole games."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from playing import legal_mask, observed

from backroom.agents import load
from backroom.agents.gangster_paradise.beliefs import colour_chances, expected_hands, unseen_cards
from backroom.agents.gangster_paradise.mind import Mind
from backroom.agents.gangster_paradise.style import PLAIN, Style
from backroom.agents.gangster_paradise.trades import plans
from backroom.agents.gangster_paradise.view import cards_of, read
from backroom.agents.gangster_paradise.worth import one_less, one_more, scale_of, worth
from backroom.envs import configure, make_batch
from backroom.envs.engine.game import deal, step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.rng import stream
from backroom.envs.gangster_paradise.actions import ABANDON, NO
from backroom.envs.gangster_paradise.arrange import arrange
from backroom.envs.gangster_paradise.hidden import known_row
from backroom.envs.gangster_paradise.state import ASK, BLACK, COLOURS, MENU, TITLES

AGENTS = ["collector", "hunter", "trader", "liar"]
EACH = pytest.mark.parametrize("name", AGENTS)
FIVE = configure("gangster_paradise", talk=False)
SIX = configure("gangster_paradise", num_players=6, talk=False)
TALK = configure("gangster_paradise", beginner=True)
ARMED = "gun bullet bullet gangster gangster"


def position(game, hands, seen=(), **cards):
    """The turn of seat 0 in round 4, or as `cards` say; `seen`: pairs (who, whose LIFE)."""
    states = game.blank(1)
    states["rng"] = stream(3)
    deal(states[0])
    given = {f"hand{p}": hand for p, hand in enumerate(hands)}
    arrange(game, states[0], given | {"starter": "0", "round": "4"} | cards)
    for who, whose in seen:
        states[0].life_seen[who, whose] = 1
    return states[0]


def played(game, agent, s):
    """The text of what the agent does in the state, and the state after that."""
    mask = legal_mask(game, s)
    view = observed(game, s, int(s.player))[None], mask[None], np.array([s.player])
    action = int(agent.act(*view)[0])
    step(s, action)
    return game.actions[action]


def turn(game, name, s, most=60):
    """What the agent does until another's turn begins; others answer no."""
    agent, seat, texts = load(name, game, 1), int(s.player), []
    while s.player >= 0 and s.turn == seat and len(texts) < most:
        if s.player == seat:
            texts.append(played(game, agent, s))
        else:
            step(s, NO)
    return texts


def act(game, s, *texts):
    for text in texts:
        action = game.actions.index(text)
        assert legal_mask(game, s)[action], text
        step(s, action)


def mind_of(game, s, style=PLAIN):
    style = Style() if style is PLAIN else style
    view = read(game, observed(game, s, int(s.player))[None], legal_mask(game, s)[None])
    return Mind(cards_of(game), style, view)


# Collecting


@pytest.mark.parametrize("name", ["collector", "trader", "liar"])
def test_the_fifth_gangster_is_bought(name):
    hands = [
        "red the_boss gangster gangster gangster gangster money",
        "blue",
        "black",
        "red",
        "blue",
    ]
    s = position(FIVE, hands, field="gangster killer")
    turn(FIVE, name, s)
    assert s.player < 0 and TITLES[s.titles[0]] == "virtue"


def test_the_fifth_gangster_is_asked_for():
    mine = "red the_boss gangster gangster gangster gangster hero beauty"
    s = position(FIVE, [mine, "blue gangster gangster", "black", "red", "blue"])
    s.known[known_row(s, 0, 1), s.gangster] = 2
    texts = turn(FIVE, "collector", s)
    assert texts[:3] == ["trade", "seat +1", "ask gangster"] or "ask gangster" in texts[:5]
    assert "give hero" in texts or "give beauty" in texts


def test_the_last_money_is_raised_by_a_sale():
    hands = [f"blue {'money ' * 6}gun", "red", "black", "red", "blue"]
    s = position(FIVE, hands, field="money")
    assert turn(FIVE, "collector", s)[:2] == ["sell", "card gun"]
    assert s.player < 0 and TITLES[s.titles[0]] == "money"


@EACH
def test_greatness_is_worth_all_money(name):
    hands = ["blue killer hero money money money", "red", "black", "red", "blue"]
    s = position(FIVE, hands, field="beauty gangster")
    turn(FIVE, name, s)
    assert s.player < 0 and TITLES[s.titles[0]] == "greatness"


def test_the_seventh_money_is_not_spent():
    hands = [f"red {'money ' * 6}", "blue", "black", "red", "blue"]
    s = position(FIVE, hands, field="gangster bullet")
    assert "use money" not in turn(FIVE, "collector", s)


# Hunting


def test_red_shoots_blue_and_not_red():
    hands = [f"red {ARMED}", "red gangster", "blue", "black", "purple"]
    s = position(FIVE, hands, seen=[(0, 1), (0, 2)])
    s.fate[3] = s.life_open[3] = 1
    texts = turn(FIVE, "hunter", s)
    assert texts[:3] == ["use gun", "card bullet", "seat +2"] and s.fate[2] == 1


@EACH
def test_nobody_shoots_its_own_colour(name):
    hands = [f"red {ARMED} killer", "red", "blue", "black", "purple"]
    s = position(FIVE, hands, seen=[(0, 1)])
    s.fate[2:] = 1
    s.life_open[2:] = 1
    texts = turn(FIVE, name, s)
    assert s.fate[1] == 0 and "use gun" not in texts


@EACH
def test_black_spares_gray_and_betrays_red(name):
    hands = [f"black {ARMED}", "gray", "red", "blue", "purple", "red"]
    s = position(SIX, hands, seen=[(0, 1), (0, 2)])
    texts = turn(SIX, name, s)
    assert "seat +2" in texts and "seat +1" not in texts and s.fate[2] == 1 and s.fate[1] == 0


@EACH
def test_black_makes_its_second_kill(name):
    hands = ["black gun bullet", "blue", "red", "red", "purple"]
    s = position(FIVE, hands, seen=[(0, 1)])
    s.fate[2] = s.life_open[2] = 1
    turn(FIVE, name, s)
    assert s.player < 0 and TITLES[s.titles[0]] == "betrayal"


@EACH
def test_no_second_victim_is_made_for_black(name):
    """BLUE dead already, BLACK alive: another BLUE would let BLACK win."""
    hands = [f"red {ARMED} killer", "blue", "blue", "black", "red"]
    s = position(FIVE, hands, seen=[(0, 1), (0, 2)])
    s.fate[2] = s.life_open[2] = 1
    turn(FIVE, name, s)
    assert s.fate[1] == 0


@EACH
def test_gray_never_shoots_black(name):
    hands = [f"gray {ARMED} killer", "black", "red", "blue", "purple", "red"]
    s = position(SIX, hands, seen=[(0, 1)])
    turn(SIX, name, s)
    assert s.fate[1] == 0


@EACH
def test_who_hides_does_not_shoot_strangers(name):
    for colour in ("purple", "gray"):
        hands = [f"{colour} {ARMED}", "black", "red", "blue", "red", "blue"]
        assert "use gun" not in turn(SIX, name, position(SIX, hands))


def test_the_hunter_spies_on_strangers_first():
    hands = ["red detective gun bullet", "blue", "black", "red", "purple"]
    s = position(FIVE, hands, seen=[(0, 1), (0, 3)])
    texts = turn(FIVE, "hunter", s)
    assert texts[texts.index("use detective") + 1] in ("seat +2", "seat +4")


# Trading


def offered(game, s, *texts):
    """Seat 0 proposes a trade to seat 1, which is asked."""
    act(game, s, "trade", "seat +1", *texts, "propose")
    assert s.player == 1 and s.phase == ASK


@EACH
def test_a_bad_offer_is_refused_and_a_good_one_accepted(name):
    hands = ["red tobacco hero bullet", "blue gangster gangster killer", "black", "red", "purple"]
    for gives, asks, answer in (
        ("tobacco", "killer", "no"),
        ("bullet", "gangster", "no"),
        ("hero", "gangster", "yes"),
    ):
        s = position(FIVE, hands)
        offered(FIVE, s, f"give {gives}", f"ask {asks}")
        assert played(FIVE, load(name, FIVE), s) == answer, (gives, asks)


def test_what_completes_anothers_set_is_not_given_away():
    mine = "red the_boss hero gangster gangster gangster gangster"
    for seen, answer in (((), "no"), ([(1, 0)], "yes")):  # but to a partner of one's colour it is
        s = position(FIVE, [mine, "red gangster", "black", "blue", "purple"], seen=seen)
        s.known[known_row(s, 1, 0)][[s.the_boss, s.gangster]] = 1, 4
        offered(FIVE, s, "give hero", "ask gangster")
        assert played(FIVE, load("trader", FIVE), s) == answer


def test_a_friend_gets_what_it_lacks():
    hands = ["red gangster gangster", "red the_boss", "black", "blue", "purple"]
    s = position(FIVE, hands, seen=[(0, 1)])
    s.known[known_row(s, 0, 1)][[s.the_boss, s.gangster]] = 1, 4
    s.hand[1, s.gangster] = s.held[1] = 4
    s.held[1] += 1
    texts = turn(FIVE, "trader", s)
    assert texts[:4] == ["trade", "seat +1", "give gangster", "propose"]


@EACH
def test_a_plan_gains_by_what_is_known(name):
    """Nothing is asked of hands that surely do not hold it, nothing is given that is not held."""
    game, seen = FIVE, 0
    batch, agent = make_batch(game, 32 if COMPILED else 4, seed=4), load(name, game, 5)
    for _ in range(120 if COMPILED else 40):
        rows = np.flatnonzero(batch.masks.sum(axis=1) > 1)
        view = read(game, batch.observations[rows], batch.masks[rows])
        mind = Mind(agent.cards, agent.style, view)
        found = plans(mind)
        real = np.argwhere(found.score > 0)
        for row, seat in real:
            ask, give, more = (int(part[row, seat]) for part in found[1:])
            assert seat > 0 and view.hand[row, give] > 0
            assert ask < 0 or mind.hands[row, seat, ask] > 0
            assert more < 0 or view.hand[row, more] > (more == give)
            seen += 1
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
    assert seen > 20


# Answers


@EACH
def test_substitutes_and_heroes_save_their_holder(name):
    hands = ["red gun bullet bullet", "blue gangster", "black", "red", "purple hero"]
    s = position(FIVE, hands)
    act(FIVE, s, "use gun", "card bullet", "seat +4")
    while s.phase == ASK and s.player != 4:
        step(s, NO)
    assert played(FIVE, load(name, FIVE), s) == "card hero"
    s = position(FIVE, hands)
    act(FIVE, s, "use gun", "card bullet", "seat +1")
    while s.phase == ASK and not (s.player == 1 and legal_mask(FIVE, s).sum() > 1):
        step(s, NO)
    assert played(FIVE, load(name, FIVE), s) == "card gangster"


@EACH
def test_purple_cancels_a_look_and_others_do_not(name):
    for colour, answer in (("purple", "card beauty"), ("blue", "no")):
        other = "blue" if colour == "purple" else "purple"
        s = position(FIVE, ["red detective", f"{colour} beauty", "black", "red", other])
        act(FIVE, s, "use detective", "seat +1")
        assert s.player == 1
        assert played(FIVE, load(name, FIVE), s) == answer


# Talk


def test_the_liar_says_what_helps_it_once():
    for colour in ("red", "blue", "black"):
        rest = ["red", "red", "blue", "blue", "black"]
        rest.remove(colour)
        hands = [f"{colour} gun bullet", *rest]
        s = position(TALK, hands, seen=[(0, 1)])
        texts = turn(TALK, "liar", s)
        claims = [t for t in texts if t in {f"say {c}" for c in COLOURS}]
        assert claims == [f"say {colour}"] or (
            colour == "black" and claims[0] in ("say red", "say blue")
        )
        assert sum(t.startswith("say") for t in texts) <= 2


@pytest.mark.parametrize("name", ["collector", "hunter", "trader"])
def test_the_others_say_nothing(name):
    s = position(TALK, ["red", "blue", "black", "red", "blue"])
    assert not any(t.startswith("say") for t in turn(TALK, name, s))


def test_statements_are_weighed_by_what_is_known_of_the_speaker():
    s = position(TALK, ["red", "blue", "black", "red", "blue"], seen=[(1, 0)])
    cards = cards_of(TALK)

    def black(listens):
        view = read(TALK, observed(TALK, s, 1)[None], legal_mask(TALK, s)[None])
        return colour_chances(cards, view, listens)[0, 2, BLACK]  # of seat 3

    before = black(True)
    act(TALK, s, "say +3 black")
    believed = black(True)
    act(TALK, s, "say +1 black")  # which seat 1 knows to be a lie
    assert believed > before
    assert black(True) == pytest.approx(before) and black(False) == pytest.approx(before)


# Beliefs and values


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_colours_of_strangers_are_those_of_all_set_ups(n):
    """Against all orders of all sets of LIFE that R3 allows."""
    game = configure("gangster_paradise", num_players=n, talk=False)
    batch, cards = make_batch(game, 3, seed=8), cards_of(game)
    sure, drawn, left = {
        4: ([], [0, 0, 1, 1, 2], 1),
        5: ([0, 1, 2], [0, 1, 3], 1),
        6: ([0, 1, 2], [0, 1, 3, 4], 1),
        7: ([0, 0, 1, 1, 2, 3, 4], [], 0),
    }[n]
    worlds = Counter()
    for k in range(max(1, len(drawn))):
        rest = drawn[:k] + drawn[k + 1 :] if left else drawn
        for order in set(permutations([*sure, *rest])):
            same = np.prod([np.prod(range(1, order.count(c) + 1)) for c in range(5)])
            worlds[order] += int(same)
    for game_number in range(3):
        view = read(game, batch.observations[[game_number]], batch.masks[[game_number]])
        known = [int(c) for c in np.where(view.lives[0].any(1), view.lives[0].argmax(1), -1)]
        fits = {
            o: w
            for o, w in worlds.items()
            if all(k in (-1, c) for k, c in zip(known, o, strict=True))
        }
        exact = np.zeros((n, 5))
        for order, weight in fits.items():
            exact[np.arange(n), order] += weight
        exact /= exact.sum(axis=1, keepdims=True)
        assert np.allclose(colour_chances(cards, view, False)[0], exact)


def test_expected_hands_have_as_many_cards_as_seats_hold():
    batch, cards = make_batch(SIX, 8, seed=9), cards_of(SIX)
    draws = np.random.default_rng(1)
    for _ in range(60):
        view = read(SIX, batch.observations, batch.masks)
        hands = expected_hands(view, unseen_cards(cards, view))
        assert np.allclose(hands.sum(axis=2)[:, 1:], view.held[:, 1:], atol=1e-9)
        batch.step(np.where(batch.masks, draws.random(batch.masks.shape), -1).argmax(axis=1))


def test_steps_are_differences_of_worth():
    cards, draws = cards_of(SIX), np.random.default_rng(2)
    scale = scale_of(cards, PLAIN)
    hands = draws.integers(0, 5, (20, cards.kinds))
    rounds = draws.integers(1, 6, 20)
    now = worth(cards, scale, hands, rounds)
    more, less = one_more(cards, scale, hands, rounds), one_less(cards, scale, hands, rounds)
    for k in range(cards.kinds):
        after, before = hands.copy(), hands.copy()
        after[:, k] += 1
        before[:, k] -= 1
        assert np.allclose(worth(cards, scale, after, rounds) - now, more[:, k])
        held = hands[:, k] > 0
        lost = now - worth(cards, scale, before, rounds)
        assert np.allclose(lost[held], less[held, k])


# Whole games


@EACH
@pytest.mark.parametrize("n", [4, 7])
def test_what_is_begun_is_finished(name, n):
    """Hardly anything is cancelled, and no turn runs out of chains."""
    game = configure("gangster_paradise", num_players=n)
    size = 64 if COMPILED else 3
    batch, agent = make_batch(game, size, seed=n), load(name, game, n)
    begun = cancelled = full = over = 0
    for _ in range(400 if COMPILED else 60):
        parts = game.parts(batch.observations)
        phase = parts["phase"].argmax(axis=1)
        actions = agent.act(batch.observations, batch.masks, batch.players)
        cancelled += ((actions == ABANDON) & (phase != MENU)).sum()
        begun += (phase == MENU).sum()
        full += (parts["chains"][:, 0] >= 11).sum()
        batch.step(actions)
        over += batch.done.sum()
    assert cancelled <= 0.01 * begun and full <= 0.01 * begun
    assert over > 0 or not COMPILED


def test_agents_are_for_this_game_only():
    from backroom.agents.gangster_paradise.players import Hunter

    with pytest.raises(ValueError, match=r"^the agent hunter plays gangster_paradise, not kuhn$"):
        Hunter(configure("kuhn"))


def test_other_options_do_not_stop_an_agent():
    options = {
        "bullet_needed": False,
        "gangster_cost": 0,
        "surrender": True,
        "dead_can_set_win": True,
    }
    game = configure(
        "gangster_paradise", one_more_draw="hand_to_field", cards="advanced", **options
    )
    batch = make_batch(game, 16 if COMPILED else 2, seed=1)
    agents = [load(name, game, 2) for name in AGENTS]
    for i in range(200 if COMPILED else 40):
        batch.step(agents[i % 4].act(batch.observations, batch.masks, batch.players))
