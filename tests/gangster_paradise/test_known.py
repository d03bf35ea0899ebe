"""What the record says is known of hands, of the deck and of LIFE, against a second reading.

`gangster_crowd.py` tells from the rules what follows from what each has seen.
`BACKROOM_POSITIONS=1000000` compares as many positions.
"""

import os

import numpy as np
import pytest
from gangster_crowd import Crowd, Hand
from gangster_paradise.test_second_reading import TABLES, chosen, rich
from playing import dealt, legal_mask

from backroom.envs import configure
from backroom.envs.engine.game import step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.gangster_paradise import state as words
from backroom.envs.gangster_paradise.hidden import known_row
from backroom.envs.gangster_paradise.options import table_of

POSITIONS = int(os.environ.get("BACKROOM_POSITIONS", "1000" if COMPILED else "400"))
"""Compared for each table, at least."""
GAME = configure("gangster_paradise", num_players=4)


def recorded(s, n):
    """What the record says, in the same order; of the own hand nothing."""
    rows = [[known_row(s, o, p) for p in range(n)] for o in range(-1, n)]
    found = s.known[np.array(rows, int)].astype(int)
    for p in range(n):
        found[p + 1, p] = 0
    return found


def life_of(s, n):
    """What the record says of LIFE: open, seen, barred by name, who lived on seen by whom."""
    open_to_all = {p for p in range(n) if s.life_open[p]}
    seen = {(p, q) for p in range(n) for q in range(n) if s.life_seen[p, q]}
    hidden = [p for p in range(n) if p not in open_to_all]
    barred = {p: {c for k, c in enumerate(words.COLOURS) if s.cleared[p] >> k & 1} for p in hidden}
    outlived = {p: {q for q in range(n) if s.outlived[p] >> q & 1} for p in hidden}
    return open_to_all, seen, barred, outlived


def texts_of(game, s):
    return [game.actions[a] for a in np.flatnonzero(legal_mask(game, s))]


def play(options, exact, positions):
    """Random games: the record, who watches it, and the text of the step before."""
    game, pick = configure("gangster_paradise", **options), np.random.default_rng(2)
    count = 0
    while count < positions:
        by_rules = pick.random() < 0.5
        s = dealt(game, count)[0] if by_rules else rich(game, pick)
        crowd, text = Crowd(game, s, by_rules, exact), ""
        while s.player >= 0:
            yield s, crowd, text
            count += 1
            before, text = s.copy(), chosen(texts_of(game, s), pick)
            step(s, game.numbers[text])
            crowd.follow(before, text, s)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_what_is_known_is_what_is_certain(options):
    for s, crowd, text in play(options, False, POSITIONS):
        n = crowd.n
        assert (recorded(s, n) == crowd.rows()).all(), text
        assert life_of(s, n) == crowd.life(), text
        tops = range(min(2, int(s.deck_size)))
        for p in range(n) if s.phase != words.ORDER else ():
            known = [i for i in tops if s.deck_seen[i] >> p & 1]
            assert [crowd.deck[p][i] for i in known] == [
                crowd.name(s.deck[s.deck_size - 1 - i]) for i in known
            ]
            assert len(known) == min(len(crowd.deck[p]), len(tops)), text


@pytest.mark.parametrize("options", TABLES[:2], ids=str)
def test_what_is_known_is_true_in_all_worlds(options):
    """All that could be certain is little more: what groups of cards have to do with each other."""
    positions = less = 0
    for s, crowd, text in play(options, True, POSITIONS // 5):
        known, certain = recorded(s, crowd.n), crowd.rows()
        assert (known <= certain).all(), text
        for (_, p), hand in crowd.hands.items():
            truth = hand.counts(tuple(crowd.bag(s.hand[p]).elements()))
            assert hand.size == s.held[p] and any(hand.counts(bag) <= truth for bag in hand.bags)
        positions += 1
        less += int((known < certain).any())
    assert less < 0.05 * positions, (less, positions)


def test_possible_hands_are_those_that_can_be():
    """R27: a small hand, against a list of all hands, over random cards that come, go or stay."""
    classes, pick = {"a": "#", "b": "#"}, np.random.default_rng(4)
    for _ in range(300):
        true = sorted(pick.choice(["a", "b", "c"], 2))
        hand = Hand(classes, true, 2, exact=True)
        worlds = {tuple(true)}
        for _ in range(5):
            card, what = str(pick.choice(["a", "b", "c"])), pick.integers(4)
            if what == 0:  # a card that nobody sees comes
                hand.receive([()], 1)
                true.append(card)
                worlds = {tuple(sorted((*w, c))) for w in worlds for c in "abc"}
            elif what == 1 and true:  # one goes
                hand.send(1)
                true.remove(str(pick.choice(true)))
                worlds = {w[:k] + w[k + 1 :] for w in worlds for k in range(len(w))}
            elif what == 2 and card in true:  # one that is seen goes
                hand.leave(card)
                true.remove(card)
                cut = {w: w.index(card) for w in worlds if card in w}
                worlds = {w[:k] + w[k + 1 :] for w, k in cut.items()}
            elif what == 3 and card in true:  # one is shown
                hand.see([card])
                worlds = {w for w in worlds if card in w}
            least = hand.least()
            for c in "abc":
                assert least[c] == min(w.count(c) for w in worlds)
            assert least["#"] == min(w.count("a") + w.count("b") for w in worlds)


def arranged(hands, *texts):
    """A game of four in round 2 that seat 0 begins, after some actions; and the names of cards."""
    colours = ("red", "red", "blue", "black")
    s = dealt(GAME, 3)[0]
    cards = {f"hand{p}": f"{colours[p]} {hand}" for p, hand in enumerate(hands)}
    GAME.rules.arrange(
        GAME, s, {**cards, "starter": "0", "round": "2", "field": "hero beauty", "deck": "money"}
    )
    for text in texts:
        assert text in texts_of(GAME, s), text
        step(s, GAME.numbers[text])
    return s, [card.id for card in table_of(GAME.options)]


def test_who_lost_a_card_to_the_trickster_knows_that_another_came_back():
    """R38, R27: of two GUNs one was taken, and the one given is not that."""
    hands = ("trickster gun", "gun", "", "")
    s, names = arranged(hands, "use trickster", "seat +1", "card gun")
    assert s.hand[0, names.index("gun")] == s.hand[1, names.index("gun")] == 1
    assert s.known[known_row(s, 1, 0), names.index("gun")] == 1


@pytest.mark.parametrize(("watcher", "other", "went"), [(1, 2, ["spy", "money"]), (2, 1, ["gun"])])
def test_what_is_known_to_have_come_here_did_not_go_there(watcher, other, went):
    """R20, R27: who knows all that was given away, and got some of it, knows who got the rest."""
    shown = ("show gun", "show spy", "show money")
    deal = ("seat +1", "give gun", "seat +2", "give spy", "give money", "propose", "yes", "yes")
    s, names = arranged(("gun spy", "", "", ""), *shown, "trade", *deal)
    for name in went:
        assert s.known[known_row(s, watcher, other), names.index(name)] == 1


def test_what_comes_in_a_trade_is_not_what_leaves():
    """R20, R27: the only card of a hand, which all have seen, is where it went."""
    s, names = arranged(
        ("gun", "spy", "", ""), "trade", "seat +1", "ask spy", "seat +2", "give gun"
    )
    for p in (words.EVERYBODY, 0, 2, 3):
        s.known[known_row(s, p, 1), names.index("spy")] = 1
    for text in ("propose", "yes", "yes"):
        step(s, GAME.numbers[text])
    for p in (words.EVERYBODY, 1, 2, 3):
        assert s.known[known_row(s, p, 0), names.index("spy")] == 1


def test_who_agrees_holds_all_that_was_asked_for():
    """R19, R27: two cards of a name, though the other partner may still refuse."""
    deal = ("trade", "seat +1", "ask gun", "ask gun", "seat +2", "give money", "propose", "yes")
    s, names = arranged(("money", "gun gun", "", ""), *deal)
    assert s.player == 2
    assert s.known[known_row(s, 0, 1), names.index("gun")] == 2


def test_who_was_not_wholly_seen_may_be_purple():
    """R27: of three cards two were seen; that LIFE was among them the others do not know."""
    seen = 0
    for seed in range(8):
        s, _ = arranged(("detective", "gun gun", "", ""))
        s.rng = seed
        step(s, GAME.numbers["use detective"])
        step(s, GAME.numbers["seat +1"])
        seen += int(s.life_seen[0, 1])
        assert s.outlived[1] == s.cleared[1] == 0
    assert seen


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_spies_and_shots_tell_what_life_is_not(safe, first):
    """R27, R48, R49, R59: a turn or two of somebody well armed, against hands of few cards."""
    options = {"gray_safe_from_black": safe, "sight_kills_in_round_1": first, "talk": False}
    game, pick = configure("gangster_paradise", num_players=6, **options), np.random.default_rng(5)
    for deal in range(40):
        colours = list(pick.permutation(["red", "blue", "black", "purple", "gray", "red"]))
        hands = [
            "detective spy gun gun bullet bullet tipster",
            "spy",
            "",
            "gun",
            "money",
            "porno",
        ]
        cards = {f"hand{p}": f"{colours[p]} {hand}" for p, hand in enumerate(hands)}
        cards |= {"starter": "0", "round": str(1 + deal % 2), "field": "hero beauty lookout"}
        s = dealt(game, deal)[0]
        game.rules.arrange(game, s, cards)
        crowd = Crowd(game, s, False)
        for _ in range(40):
            if s.player < 0:
                break
            assert (recorded(s, 6) == crowd.rows()).all()
            assert life_of(s, 6) == crowd.life()
            legal = texts_of(game, s)
            uses = [t for t in legal if t.startswith(("use ", "seat ")) or t == "look"]
            before, text = s.copy(), chosen(uses or legal, pick)
            step(s, game.numbers[text])
            crowd.follow(before, text, s)
