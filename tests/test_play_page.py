"""The page on which people play, in a real browser, by clicking."""

import json
import time
from contextlib import ExitStack

import pytest
from pictures import browser_path, started_browser
from playwright.sync_api import expect
from serving import seated
from test_tables import KUHN, table_of

from backroom.agents import RandomAgent
from backroom.envs import configure
from backroom.envs.engine.record import Who, parse
from backroom.evaluate.tables.server import links
from backroom.evaluate.tables.table import Table, lay

pytestmark = pytest.mark.skipif(
    browser_path() is None, reason="there is no browser: apt-get install chromium"
)
KEEP_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...args) { super(...args); window.sockets.push(this); }
};
"""


@pytest.fixture(scope="module")
def browser():
    with started_browser() as started:
        yield started


@pytest.fixture
def open_table(browser):
    """Serves tables and opens pages of their viewers; fails if a page complains."""
    complaints = []
    with ExitStack() as stack:
        contexts = []

        def serve(*tables, **settings):
            sit = stack.enter_context(seated(*tables, **settings))

            def open_(viewer=0, table=0, width=1366, height=768):
                context = browser.new_context(viewport={"width": width, "height": height})
                contexts.append(context)
                context.add_init_script(KEEP_SOCKETS)
                view = context.new_page()
                view.on("console", lambda message: complaints.append(message.text))
                view.on("pageerror", lambda error: complaints.append(str(error)))
                host, port = sit.address.split(":")
                view.goto(links(sit.rooms[table], host, int(port))[viewer])
                return view

            return open_

        yield serve
        for context in contexts:
            context.close()
    assert complaints == []


def test_a_game_of_kuhn_by_clicking(open_table, tmp_path):
    table = table_of(hinter=RandomAgent(KUHN, 0))
    view = open_table(table)()
    expect(view.locator("#title")).to_have_text("Kuhn poker")
    expect(view.locator("#who")).to_have_text("you are player_0")
    expect(view.locator(".place.own h3")).to_contain_text("you")
    view.click("#ask-hint")
    expect(view.locator("#hint")).to_contain_text("Hint: random would play")
    expect(view.locator("#hint .bar-row")).to_have_count(2)
    view.click("text=odds")
    expect(view.locator("#panels")).to_contain_text("There is nothing to reckon here.")
    view.click(".choice[data-answer=check]")
    expect(view.locator(".choice[data-answer=call]")).to_be_visible()
    expect(view.locator("#hint")).to_be_hidden()
    assert view.title() == "your turn · Kuhn poker"
    view.click(".choice[data-answer=call]")
    won = table.seat_record(0)().earned
    expect(view.locator("#choices")).to_contain_text(f"you earned {won:+g}")
    expect(view.locator("#log li")).to_have_count(4)
    with view.expect_download() as download:
        view.click("text=save what you saw")
    assert download.value.suggested_filename == "kuhn-seat-0-game-1.jsonl"
    assert parse(download.value.path().read_text()) == table.seat_record(0)()
    view.click("text=new game")
    expect(view.locator(".choice[data-answer=bet]")).to_be_visible()
    expect(view.locator("#log li")).to_have_count(1)
    assert table.number == 1 and len(table.finished) == 1


def test_a_heist_of_the_gang_by_clicking(open_table):
    """The first chip that is offered, until the hands are opened."""
    game = configure("the_gang", episode="heist")
    table = lay(game, (1,), ["random"], 4)
    view = open_table(table)(1)
    for _ in range(game.facts.max_moves):
        expect(view.locator(".choice").first).to_be_visible()
        if view.locator(".choice.again").is_visible():
            break
        before = view.locator("#log li").count()
        view.locator(".choice").first.click()
        expect(view.locator("#log li")).not_to_have_count(before)
    expect(view.locator("#choices")).to_contain_text("The game is over: you earned")
    expect(view.locator(".beside")).to_contain_text("last showdown")
    assert table.over
    table.records()[0].verify()


def test_an_offer_of_cockroach_poker_by_keys_and_back(open_table):
    table = lay(configure("cockroach_poker"), (0, 1, 2), seed=3)
    mover = table.player
    view = open_table(table)(mover)
    expect(view.locator(".question")).to_contain_text("Offer which card?")
    view.keyboard.press("1")
    expect(view.locator(".question")).to_contain_text("To whom?")
    view.keyboard.press("Backspace")
    expect(view.locator(".question b")).to_have_text("Offer which card?")
    for key in "12":
        view.keyboard.press(key)
    expect(view.locator(".question .given")).to_have_count(2)
    expect(view.locator(".choice .animal")).to_have_count(8)
    view.click('.choice[data-answer="stink bug"]')
    expect(view.locator("#log li")).to_have_count(2)
    expect(view.locator("#choices")).to_have_text(f"waiting for player_{table.player}")
    assert view.locator(".speech q").inner_text() == "it is a stink bug"


def test_two_people_each_in_their_own_browser(open_table):
    table = table_of((0, 1), seed=11)
    open_ = open_table(table)
    one = open_(0)
    expect(one.locator("#who")).to_contain_text("player_1 is not here yet")
    two = open_(1)
    expect(one.locator("#who")).to_contain_text("player_1 is here")
    expect(two.locator("#choices")).to_have_text("waiting for player_0")
    one.keyboard.press("1")
    expect(two.locator(".choice")).to_have_count(2)
    two.keyboard.press("1")
    for view in (one, two):
        expect(view.locator("#choices")).to_contain_text("The game is over")
    cards = [view.locator(".place.own .card").get_attribute("aria-label") for view in (one, two)]
    assert cards[0] != cards[1]
    two.keyboard.press("n")
    for view in (one, two):
        expect(view.locator("#log li")).to_have_count(1)
    two.context.close()
    expect(one.locator("#who")).to_contain_text("player_1 is not here yet")


def until(page, true):
    """Wait until the expression `true` holds: asked from outside, since pages may not evaluate."""
    end = time.monotonic() + 20
    while not page.evaluate(true):
        assert time.monotonic() < end, f"never: {true}"
        page.wait_for_timeout(20)


def test_a_page_that_was_cut_off_goes_on(open_table):
    table = table_of((0, 1))
    open_ = open_table(table)
    one, two = open_(0), open_(1)
    expect(one.locator(".choice")).to_have_count(2)
    one.evaluate("window.sockets.at(-1).close()")
    expect(one.locator("#link")).to_have_text("")
    until(one, "window.sockets.length == 2")
    one.keyboard.press("1")
    expect(two.locator(".choice")).to_have_count(2)
    two.reload()
    expect(two.locator("#log li")).to_have_count(2)
    expect(two.locator(".choice")).to_have_count(2)
    two.keyboard.press("2")
    expect(one.locator(".choice[data-answer=fold]")).to_be_visible()
    expect(one.locator("#log li")).to_have_count(3)


def test_looking_back_while_the_game_waits(open_table):
    view = open_table(table_of())()
    expect(view.locator(".choice")).to_have_count(2)
    view.keyboard.press("1")
    expect(view.locator("#log li")).to_have_count(3)
    view.keyboard.press("ArrowLeft")
    expect(view.locator("#choices")).to_have_text("Looking back at step 1 of 2")
    view.keyboard.press("2")  # plays nothing while the table is another one
    view.keyboard.press("ArrowLeft")
    expect(view.locator("#log [aria-current]")).to_have_text("0the deal")
    view.click("text=back to the game")
    expect(view.locator(".choice")).to_have_count(2)
    view.locator("#log button").nth(1).click()
    view.keyboard.press("End")
    expect(view.locator(".choice")).to_have_count(2)


def test_a_wrong_link_says_so(open_table):
    view = open_table(table_of())()
    expect(view.locator(".choice")).to_have_count(2)
    view.goto(view.url.split("#")[0] + "#nonsense")
    view.reload()
    expect(view.locator("#choices")).to_have_text(
        "this link opens no table here; ask the host for yours"
    )
    expect(view.locator("#link")).to_have_text("closed")


def test_pauses_are_skipped_by_a_click(open_table):
    view = open_table(table_of(), pace=30.0)()
    view.click(".choice[data-answer=check]")
    expect(view.locator("#choices")).to_have_text("player_1 (always) thinks")
    view.click("#skip")
    expect(view.locator(".choice[data-answer=call]")).to_be_visible()


def test_what_cannot_be_done_is_said(open_table):
    """In words, even where somebody has sent markup."""
    open_ = open_table(table_of((0, 1)))
    view = open_(0)
    expect(view.locator(".choice")).to_have_count(2)
    message = json.dumps({"type": "play", "action": "<b>x</b>", "number": 0, "step": 0})
    view.evaluate("message => window.sockets.at(-1).send(message)", message)
    expect(view.locator("#sorry")).to_contain_text("'<b>x</b>' is nothing that is played here")
    assert view.locator("#sorry b").count() == 0
    expect(view.locator(".choice")).to_have_count(2)


def test_nothing_that_is_told_becomes_markup(open_table):
    """Not even the name of an agent, which may be that of a file."""
    name = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    table = Table(KUHN, {1: RandomAgent(KUHN)}, [Who(name="person"), Who(name=name)], 3)
    view = open_table(table)()
    expect(view.locator(".place small").first).to_have_text(name)
    assert view.locator("img, #stage script").count() == 0
    assert view.title() == "your turn · Kuhn poker"


def test_spectators_see_all_cards_and_have_no_buttons(open_table):
    view = open_table(table_of(spectated=True), spectated=True)(None)
    expect(view.locator("#who")).to_contain_text("you see all, as a spectator")
    expect(view.locator("#stage .card.back")).to_have_count(0)
    expect(view.locator("#choices")).to_have_text("waiting for player_0")
    expect(view.locator(".choice")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1366])
def test_all_fits_on_a_phone_and_a_laptop(open_table, width):
    """Nothing is cut off at the side, and the own cards are there without scrolling."""
    height = 844 if width < 500 else 768
    tables = [lay(configure(name), (0, 1, 2), seed=1) for name in ("the_gang", "cockroach_poker")]
    open_ = open_table(*tables)
    for number, table in enumerate(tables):
        view = open_(table.player, number, width, height)
        expect(view.locator(".choice").first).to_be_visible()
        assert view.evaluate("document.documentElement.scrollWidth") <= width
        hand = view.locator("#hand").bounding_box()
        own = view.locator(".place.own .zones").bounding_box()
        assert own["y"] + own["height"] <= hand["y"] + 1
        assert hand["y"] + hand["height"] <= height + 1


def test_keys_are_explained_and_the_light_changes(open_table):
    view = open_table(table_of())()
    expect(view.locator(".choice")).to_have_count(2)
    view.keyboard.press("?")
    expect(view.locator("#keys")).to_contain_text("hint")
    view.keyboard.press("1")  # plays nothing while the list is open
    view.keyboard.press("Escape")
    expect(view.locator("#log li")).to_have_count(1)
    before = view.evaluate("getComputedStyle(document.body).backgroundColor")
    view.keyboard.press("t")
    assert view.evaluate("getComputedStyle(document.body).backgroundColor") != before
    assert json.loads(view.evaluate("JSON.stringify(localStorage)")) == {}


def test_prices_pieces_and_the_next_question_are_shown(open_table):
    table = lay(configure("gangster_paradise"), range(5), seed=3)
    while "end" not in table.update(table.player).choices.actions:
        table.play(table.player, "no")
    view = open_table(table)(table.player)
    expect(view.locator(".question b")).to_have_text("Your turn, 2 actions left")
    expect(view.locator(".choice[data-answer=trade] .note")).to_have_text("1 action")
    expect(view.locator(".choice").last).to_have_attribute("data-answer", "end the turn")
    view.click(".choice[data-answer=say]")
    expect(view.locator(".question b")).to_have_text("Say what?")
    view.click(".choice[data-answer='I hold']")
    expect(view.locator(".choice[data-answer=GUN] .named .name")).to_have_text("GUN")
    expect(view.locator(".choice[data-answer=GUN] .text")).to_have_count(0)
    view.click(".choice[data-answer=GUN]")
    expect(view.locator("#move")).to_contain_text('says: "I hold GUN"')
