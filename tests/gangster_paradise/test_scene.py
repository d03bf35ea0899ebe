"""The table in pieces, and what can be believed of it."""

import pytest
from playing import dealt, legal_mask

from backroom.envs import configure
from backroom.envs.engine.game import step
from backroom.envs.engine.scene import Named, Pile, scene
from backroom.evaluate.viewer.beliefs import life_shares, panels

GAME = configure("gangster_paradise", num_players=4)
HANDS = {
    "hand0": "red gun money money spy",
    "hand1": "red gangster the_boss",
    "hand2": "blue hero",
    "hand3": "black",
}


@pytest.fixture
def table():
    state = dealt(GAME, 3)[0]
    GAME.rules.arrange(
        GAME, state, {**HANDS, "field": "bullet", "deck": "gangster", "starter": "0"}
    )
    return state


def play(state, *texts):
    for text in texts:
        assert legal_mask(GAME, state)[GAME.numbers[text]], text
        step(state, GAME.numbers[text])


def zones(items, name):
    return [zone for zone in items if zone.name == name]


def hand(state, seat, viewer):
    (zone,) = zones(scene(GAME, state, viewer).places[seat].zones, "hand")
    return zone.items


def life(state, seat, viewer):
    (zone,) = zones(scene(GAME, state, viewer).places[seat].zones, "LIFE")
    return zone.items[0]


def centre(state, viewer, name):
    return [zone.items for zone in zones(scene(GAME, state, viewer).centre, name)]


def test_a_hand_is_known_to_its_owner_and_lies_face_down_for_others(table):
    own = hand(table, 1, 1)
    assert own == (Named("THE BOSS", "boss"), Named("GANGSTER", "gangster", 1))
    assert hand(table, 1, None) == own
    assert hand(table, 1, 2) == (Pile(count=2),)


def test_a_card_that_is_shown_lies_open_for_all(table):
    play(table, "show money")
    money = next(item for item in hand(table, 0, 0) if item.name == "MONEY")
    assert (money.count, money.known) == (2, 1)
    shown, rest = hand(table, 0, 3)
    assert (shown.name, shown.count, shown.known) == ("MONEY", 1, 1)
    assert rest.count == int(table.held[0]) - 1


def test_a_life_is_seen_by_those_who_know_it(table):
    assert life(table, 3, 3) == life(table, 3, None) == Named("BLACK LIFE", "life black")
    assert life(table, 3, 0) == Named(kind="life")
    table.life_seen[0, 3] = 1
    assert life(table, 3, 0).name == "BLACK LIFE"
    assert life(table, 3, 1).name == ""


def test_of_a_class_it_is_known_that_there_is_a_card():
    """R8: after the deal all know a GANGSTER, a MONEY and three classes in each hand."""
    state = dealt(GAME, 5)[0]
    names = {item.name for item in hand(state, 1, 2) if isinstance(item, Named)}
    assert names == {"GANGSTER", "MONEY", "a weapon", "BULLET or THE BOSS", "2-cost specialist"}


def test_a_card_in_use_is_seen_when_it_takes_effect(table):
    """R12: what is chosen before, the player whose turn it is sees, and the spectator."""
    play(table, "use spy", "seat +1")
    assert [len(centre(table, v, "in use")) for v in (None, 0, 1, 2)] == [1, 1, 0, 0]
    assert scene(GAME, table, 1).status == "player_0 considers"
    play(table, "look")
    assert len(centre(table, 1, "in use")) == 1
    assert scene(GAME, table, 1).status.endswith("cancel the specialist SPY of player_0")


def test_an_offer_is_told_as_cards_to_those_who_take_part(table):
    play(table, "trade", "seat +2", "give money", "ask hero")
    assert centre(table, 1, "offers") == centre(table, 2, "offers") == []
    play(table, "propose")
    told = {v: centre(table, v, "offers")[0][0].text for v in (None, 0, 1, 2)}
    assert told[None] == told[0] == told[2] == "MONEY for HERO"
    assert told[1] == "1 card for 1 card"


def test_lives_are_weighed_by_all_ways_to_deal_them():
    """R3: of five seats one each has RED, BLUE, BLACK; of RED, BLUE, PURPLE one is left over."""
    pool, nothing = (2, 2, 1, 1, 0), (0,) * 5
    (first, *_) = life_shares(pool, (-1,) * 5, nothing)
    assert first == pytest.approx((1 / 3, 1 / 3, 1 / 5, 2 / 15, 0))
    others = life_shares(pool, (2, -1, -1, -1, -1), nothing)
    assert others[0] == (0, 0, 1, 0, 0)
    assert others[1] == pytest.approx((5 / 12, 5 / 12, 0, 1 / 6, 0))
    barred = life_shares((2, 2, 1, 0, 0), (2, -1, -1, -1, -1), (0, 1, 1, 0, 0))
    assert barred[3] == (1, 0, 0, 0, 0)


def test_panels_tell_who_knows_what(table):
    table.life_seen[0, 3] = table.life_seen[2, 3] = 1
    knowers, _ = panels(GAME, table, None)
    assert [bar.text for bar in knowers.bars] == ["nobody", "nobody", "nobody", "seats 0, 2"]
    table.life_seen[2, 1] = 1
    assert panels(GAME, table, None)[0].bars[1].text == "seat 2"
    assert knowers.bars[3].share == pytest.approx(2 / 3)
    lives, cards = panels(GAME, table, 0)
    assert (lives.bars[-1].share, lives.bars[-1].text) == (1, "black")
    assert cards.bars[0].text == "0 of 2"
