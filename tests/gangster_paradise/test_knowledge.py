"""What seats know, and what they do not."""

import numpy as np
import pytest
from playing import dealt, legal_mask, observed, played

from backroom.envs import configure
from backroom.envs.engine.game import redeal, step
from backroom.envs.gangster_paradise import options
from backroom.envs.gangster_paradise.hidden import known_row
from backroom.envs.gangster_paradise.options import table_of
from backroom.envs.gangster_paradise.rules.victory import own_title
from backroom.envs.gangster_paradise.state import (
    ASK,
    BLACK,
    COLOURS,
    DEAD,
    EVERYBODY,
    GRAY,
    KILL,
    KINDS,
    LOOT,
    MENU,
    PURPLE,
    RED,
    SHOOT,
    STATE,
)
from backroom.evaluate.viewer.beliefs import life_shares

FOUR = configure("gangster_paradise", num_players=4)
SIX = configure("gangster_paradise", num_players=6)
HANDS = {"hand0": "red gun money", "hand1": "red", "hand2": "blue", "hand3": "black"}


def arranged(game, **cards):
    state = dealt(game, 3)[0]
    game.rules.arrange(game, state, {**HANDS, "starter": "0", **cards})
    return state


def play(game, state, *texts):
    for text in texts:
        number = game.numbers[text]
        assert legal_mask(game, state)[number], text
        step(state, number)


def worlds(game, count):
    """States from all over random games, with a seat each."""
    for seed in range(count):
        state, _ = played(game, seed, 17 * seed % 400)
        yield seed, state, seed % game.players


@pytest.mark.parametrize("game", [FOUR, SIX], ids=["four", "six"])
def test_a_world_is_as_likely_from_within_another(game):
    """A redeal depends on nothing that its seat does not know: not even through the true cards."""
    for seed, state, player in worlds(game, 40):
        first = state.copy()
        redeal(first, player, 7)
        other = state.copy()
        redeal(other, player, seed)
        redeal(other, player, 7)
        assert other.tobytes() == first.tobytes()


@pytest.mark.parametrize("game", [FOUR, SIX], ids=["four", "six"])
def test_another_world_keeps_what_is_known(game):
    """Sizes, cards in play, own cards, known cards; and nobody has won there yet."""
    kinds = len(table_of(game.options))
    for seed, state, player in worlds(game, 40):
        world = state.copy()
        redeal(world, player, seed)
        deck = np.bincount(world["deck"][: world["deck_size"]], minlength=KINDS)
        assert (world["hand"].sum(axis=0) + world["on_field"] + deck == state["in_play"]).all()
        assert (world["hand"].sum(axis=1) == state["held"]).all()
        assert (world["hand"][player] == state["hand"][player]).all()
        assert sorted([*world["life"], world["spare"]]) == sorted([*state["life"], state["spare"]])
        for seat in range(game.players):
            if seat == player:
                continue
            assert (
                world.known[known_row(world, player, seat), :kinds] <= world["hand"][seat, :kinds]
            ).all()
            for group in range(KINDS, KINDS + 3):
                members = world["class_of"] == group
                held = world["hand"][seat][members].sum()
                assert world.known[known_row(world, player, seat), group] <= held
            if state["life_open"][seat] or state["life_seen"][player, seat]:
                assert world["life"][seat] == state["life"][seat]
            if state["player"] >= 0:
                assert own_title(world, seat) == 0


@pytest.mark.parametrize("game", [FOUR, SIX], ids=["four", "six"])
def test_another_world_keeps_all_that_is_open(game):
    """Each cell of the record that the seat may see is as it was."""
    hidden = game.rules.hidden
    for seed, state, player in worlds(game, 100):
        world = state.copy()
        redeal(world, player, seed)
        for field in STATE.names:
            who = hidden.get(field)
            if callable(who):
                known = who(state, player)
            elif who == "owner":
                known = player
            else:
                known = slice(0 if who == "nobody" or field == "rng" else None)
            cells, others = np.atleast_1d(state[field]), np.atleast_1d(world[field])
            assert (cells[known] == others[known]).all(), (field, seed)


def test_deaths_that_did_not_happen_are_known():
    """Whose whole hand was seen and who lives on is not PURPLE, in no world of any seat."""
    game = configure("gangster_paradise")
    names = {"hand4": "purple", "hand1": "red", "hand2": "blue", "hand3": "black"}
    looks = {"hand0": "red detective spy", "field": "hero beauty lookout", "deck": "gun"}
    state = arranged(game, **names, **looks, round="2")
    play(game, state, "use detective", "seat +1")
    seen = set()
    for seed in range(60):
        world = state.copy()
        redeal(world, 2, seed)
        seen.add(COLOURS[world["life"][1]])
    assert seen == {"red", "black"} or seen == {"red", "blue", "black"}


def test_when_black_is_dead_no_gray_lives():
    state = arranged(
        SIX,
        hand0="red gun bullet",
        hand1="gray",
        hand2="black",
        hand3="blue",
        hand4="red",
        hand5="blue",
        field="hero beauty lookout",
        deck="spy",
        round="2",
        spare="purple",
    )
    play(SIX, state, "use gun", "card bullet", "seat +2")
    for seed in range(40):
        world = state.copy()
        redeal(world, 3, seed)
        alive = [COLOURS[world["life"][p]] for p in range(6) if world["fate"][p] == 0]
        assert "gray" not in alive and "black" not in alive


def test_a_refused_trade_tells_nothing_of_the_partners_hand():
    """Whether the partner could not, or did not want to: the proposer and others see the same."""
    views = {}
    for hand in ("red spy", "red gun"):
        state = arranged(FOUR, hand1=hand, deck="bullet detective hustler")
        play(FOUR, state, "trade", "seat +1", "ask spy", "give money", "propose")
        could = legal_mask(FOUR, state)[FOUR.numbers["yes"]]
        assert could == (hand == "red spy")
        before = state.copy()
        play(FOUR, state, "no")
        for seat in (0, 2, 3):
            told = FOUR.rules.events(FOUR, before, FOUR.numbers["no"], state, seat)
            views.setdefault(seat, []).append((observed(FOUR, state, seat).tolist(), told))
    for seat, (one, other) in views.items():
        assert one == other, seat


def test_an_offer_tells_others_only_how_many_cards():
    for gives in ("give gun", "give money"):
        state = arranged(FOUR, deck="bullet")
        play(FOUR, state, "trade", "seat +1", gives, "propose")
        view = observed(FOUR, state, 2)
        if gives == "give gun":
            first = view
    assert view.tolist() == first.tolist()


def test_masks_and_movers_tell_no_colour():
    """The same play by hands that differ in LIFE alone: the same masks, but for BLACK's LIFE."""
    for seed in range(20):
        states = []
        for lives in (("red", "blue", "black", "red"), ("black", "red", "blue", "blue")):
            hands = {f"hand{p}": f"{life} money gangster" for p, life in enumerate(lives)}
            state = arranged(FOUR, **hands)
            state["rng"] = seed
            states.append(state)
        states[1]["deck"] = states[0]["deck"]
        pick = np.random.default_rng(seed)
        shown = [k for k, text in enumerate(FOUR.actions) if text == "show black_life"]
        for _ in range(30):
            masks = [legal_mask(FOUR, state) for state in states]
            for mask in masks:
                mask[shown] = False
            assert (masks[0] == masks[1]).all()
            assert states[0]["player"] == states[1]["player"]
            looks = [k for k, t in enumerate(FOUR.actions) if t.startswith("use spy")]
            masks[0][looks] = False
            action = int(pick.choice(np.flatnonzero(masks[0])))
            for state in states:
                step(state, action)
            if states[0]["player"] < 0 or states[0]["deaths"] or states[1]["player"] < 0:
                break


def test_no_damage_in_round_1_but_by_the_last():
    """R13, over random games: weapons and KILLER are in no mask of the others."""
    game = configure("gangster_paradise", num_players=7, bullet_needed=False)
    state = dealt(game, 0)[0]
    arms = [k for k in range(KINDS) if state["effect"][k] in (SHOOT, KILL)]
    first = game.numbers["use red_life"]
    allowed = 0
    for seed in range(15):
        state, pick = dealt(game, seed)[0], np.random.default_rng(seed)
        while state["player"] >= 0 and state["round_no"] < 2:
            mask = legal_mask(game, state)
            last = (state["starter"] + game.players - 1) % game.players
            if state["phase"] == MENU and mask[[first + k for k in arms]].any():
                assert state["turn"] == last
                allowed += 1
            step(state, int(pick.choice(np.flatnonzero(mask))))
        assert state["deaths"] <= state["shots_fired"] + 7
    assert allowed


def test_what_all_know_is_known_to_each():
    for _, state, _ in worlds(SIX, 30):
        for p in range(SIX.players):
            for seat in range(SIX.players):
                if p != seat:
                    assert (
                        state.known[known_row(state, p, seat)]
                        >= state.known[known_row(state, EVERYBODY, seat)]
                    ).all()


def test_black_alone_may_show_its_life():
    state = arranged(FOUR)
    assert "show black_life" not in [
        FOUR.actions[a] for a in np.flatnonzero(legal_mask(FOUR, state))
    ]
    state = arranged(FOUR, hand0="black", hand3="blue")
    assert state["life"][0] == BLACK
    assert legal_mask(FOUR, state)[FOUR.numbers["show black_life"]]


@pytest.mark.parametrize(("seats", "own"), [(4, 0), (5, 0), (6, 4)])
def test_worlds_leave_over_what_the_set_up_leaves_over(seats, own):
    """R3: the exact shares, over all ways to deal the LIFE cards, against 400 other worlds."""
    game = configure("gangster_paradise", num_players=seats)
    seed = next(k for k in range(200) if dealt(game, k)[0].life[0] == own)
    state = dealt(game, seed)[0]
    pool = options.lives(game.options)
    shares = life_shares(pool, (own, *[-1] * (seats - 1)), (0,) * seats)
    counts = np.zeros(5)
    for chance in range(400):
        world = state.copy()
        redeal(world, 0, chance)
        counts[world.spare] += 1
    for colour in range(5):
        left = pool[colour] - sum(share[colour] for share in shares)
        error = np.sqrt(max(left * (1 - left), 0) / 400)
        assert counts[colour] / 400 == pytest.approx(left, abs=4 * error + 1e-9)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_what_a_partner_gave_is_known_to_stay_whatever_else_was_traded(seat):
    """R27: not so by the numbers of the seats; all cards of a trade move at once."""
    others = [p for p in range(4) if p != seat]
    colours = dict(zip((seat, *others), ("red", "red", "blue", "black"), strict=True))
    cards = {seat: " money gun", others[0]: " spy"}
    hands = {f"hand{p}": colours[p] + cards.get(p, "") for p in range(4)}
    state = dealt(FOUR, 3)[0]
    FOUR.rules.arrange(FOUR, state, {**hands, "starter": str(seat), "round": "2"})
    deals = {
        (others[0] - seat) % 4: ("give money", "ask spy"),
        (others[1] - seat) % 4: ("give gun",),
    }
    play(FOUR, state, "trade")
    for offset in sorted(deals):
        play(FOUR, state, f"seat +{offset}", *deals[offset])
    play(FOUR, state, "propose", "yes", "yes")
    spy = [card.id for card in table_of(FOUR.options)].index("spy")
    assert state.hand[seat, spy] == 1
    assert state.known[known_row(state, others[0], seat), spy] == 1


def test_gray_that_lives_on_knows_who_has_seen_it():
    """R49: all but BLACK would have killed it."""
    state = dealt(SIX, 3)[0]
    hands = {
        "hand0": "black detective",
        "hand1": "gray",
        **{f"hand{p}": colour for p, colour in enumerate(("red", "red", "blue", "purple"), 2)},
    }
    rest = {"field": "hero beauty lookout", "deck": "money", "spare": "blue"}
    SIX.rules.arrange(SIX, state, {**hands, **rest, "starter": "0", "round": "2"})
    play(SIX, state, "use detective", "seat +1")
    assert state.life_seen[0, 1] and state.life_seen[1, 0]
    for chance in range(20):
        world = state.copy()
        redeal(world, 1, chance)
        assert world.life[0] == BLACK


def test_greatness_is_won_when_its_round_begins_though_nothing_is_drawn():
    """R56, R53: with all cards in hands."""
    state = dealt(FOUR, 3)[0]
    names = [card.id for card in table_of(FOUR.options)]
    rest = [name for k, name in enumerate(names) for _ in range(state.in_play[k])]
    rest = [name for name in rest if name not in ("killer", "hero", "beauty")]
    few = {"money": 4, "gangster": 4}
    shares = [[], [], []]
    for c in rest:
        open_to = next(k for k in (1, 2, 0) if shares[k].count(c) < few.get(c, 99))
        shares[open_to].append(c)
    hands = {
        "hand0": " ".join(["red", *shares[0]]),
        "hand1": "red killer hero beauty",
        "hand2": " ".join(["blue", *shares[1]]),
        "hand3": " ".join(["black", *shares[2]]),
    }
    FOUR.rules.arrange(FOUR, state, {**hands, "starter": "0", "round": "2"})
    assert state.deck_size == 0 and state.on_field.sum() == 0
    play(FOUR, state, "end", "end", "end")
    assert state.player == 3
    play(FOUR, state, "end")
    assert state.player < 0 and state.round_no == 3


def worlds_of(state, player, tries=80):
    """Other worlds of `player`."""
    for chance in range(tries):
        world = state.copy()
        redeal(world, player, chance)
        yield world


def drawn_kinds(state, player, tries=60):
    """Which kinds are picked in other worlds of `player`; how many cards are."""
    found, sizes = set(), set()
    for world in worlds_of(state, player, tries):
        sizes.add(int(world.picked))
        found |= {int(k) for k in world.picks[: world.picked]}
    return found, sizes


@pytest.mark.parametrize("player", [0, 2])
def test_cards_that_may_be_evaded_may_be_life(player):
    """R36, R47: LIFE is drawn as any other card; nobody but its owner knows yet."""
    game = configure("gangster_paradise")
    lives = {"hand1": "red lookout gun", "hand2": "blue", "hand3": "black", "hand4": "purple"}
    rest = {"field": "hero beauty", "deck": "bullet"}
    state = arranged(game, hand0="red detective", **lives, **rest, round="2")
    play(game, state, "use detective", "seat +1")
    assert state.phase == ASK and state.player == 1
    found, sizes = drawn_kinds(state, player)
    assert sizes == {2}
    assert found >= set(state.life_kind[[RED, BLACK, PURPLE]])
    for world in worlds_of(state, player):
        assert not world.life_seen[0, 1]


def test_a_look_that_is_over_left_as_many_cards_in_other_worlds():
    """R36: how many cards were picked is open; LIFE may be among them where it does not kill."""
    game = configure("gangster_paradise")
    lives = {"hand1": "red gun money spy", "hand2": "blue", "hand3": "black", "hand4": "purple"}
    rest = {"field": "hero beauty lookout", "deck": "bullet"}
    state = arranged(game, hand0="red detective", **lives, **rest, round="2")
    play(game, state, "use detective", "seat +1")
    assert state.picked == 2
    found, sizes = drawn_kinds(state, 2)
    assert sizes == {2}
    assert found & set(state.life_kind[[RED, BLACK]])
    assert state.life_kind[PURPLE] not in found


def test_who_dies_of_being_seen_was_seen_in_every_world():
    """R48: the others of the picked cards are among those that were laid down."""
    game = configure("gangster_paradise")
    lives = {"hand1": "purple gun money", "hand2": "blue", "hand3": "black", "hand4": "red"}
    rest = {"field": "hero beauty lookout", "deck": "bullet"}
    for seed in range(20):
        state = arranged(game, hand0="red spy", **lives, **rest, round="2")
        state.rng = seed
        play(game, state, "use spy", "seat +1", "look")
        assert state.fate[1] == DEAD and state.phase == LOOT
        found, sizes = drawn_kinds(state, 2, 10)
        assert sizes == {3}
        names = [card.id for card in table_of(game.options)]
        assert {names[k] for k in found} == {"purple_life", "gun", "money"}


def test_who_lives_on_though_wholly_seen_is_gray_only_if_black_looked():
    """R49: by every world of a third seat, also once two have looked."""
    hands = {"hand0": "red detective", "hand1": "blue spy", "hand2": "red", "hand3": "black"}
    rest = {"hand4": "purple", "hand5": "gray", "field": "hero beauty lookout", "deck": "gun spy"}
    state = dealt(SIX, 3)[0]
    SIX.rules.arrange(SIX, state, {**hands, **rest, "starter": "0", "round": "2", "spare": "blue"})
    play(SIX, state, "use detective", "seat +2")
    seen = set()
    for world in worlds_of(state, 4):
        seen.add(COLOURS[world.life[2]])
        assert world.life[2] != GRAY or world.life[0] == BLACK
    assert "gray" in seen and "purple" not in seen
    play(SIX, state, "end", "use spy", "seat +1", "look")
    assert all(world.life[2] != GRAY for world in worlds_of(state, 4))


def test_who_saw_gray_die_is_not_black():
    """R49, R27: BLACK alone may see it, as all know."""
    hands = {"hand0": "red detective", "hand1": "gray", "hand2": "red", "hand3": "black"}
    rest = {"hand4": "purple", "hand5": "blue", "field": "hero beauty lookout", "deck": "gun"}
    state = dealt(SIX, 3)[0]
    SIX.rules.arrange(SIX, state, {**hands, **rest, "starter": "0", "round": "2"})
    play(SIX, state, "use detective", "seat +1")
    assert state.fate[1] == DEAD
    assert SIX.parts(observed(SIX, state, 2))["cleared"][4].tolist() == [0, 0, 1, 0, 0]
    assert all(world.life[0] != BLACK for world in worlds_of(state, 2))


def test_after_two_deaths_of_red_and_blue_nobody_who_lives_is_black():
    """R59, R27: else the game would be over; who surrenders then was not BLACK either."""
    game = configure("gangster_paradise", num_players=4, surrender=True)
    rest = {"field": "hero beauty", "spare": "black"}
    state = arranged(game, hand0="red gun gun bullet bullet", hand3="blue", **rest, round="2")
    play(game, state, "use gun", "card bullet", "seat +1")
    assert state.fate[1] == DEAD
    play(game, state, "use gun", "card bullet", "seat +2")
    assert state.fate[2] == DEAD
    assert state.cleared[0] >> BLACK & 1 and state.cleared[3] >> BLACK & 1
    play(game, state, "end", "end", "end")
    assert all(world.spare == BLACK for world in worlds_of(state, 1, 20))
