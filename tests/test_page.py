"""The page in a real browser, by clicking; and what its file holds."""

import json
import re
import time

import msgspec
import numpy as np
import pytest
from command import ROOT, refused, run
from pictures import FOLDER, SHOWN, browser_path, photographed, started_browser, write_shown
from PIL import Image
from playing import recorded
from playwright.sync_api import expect

from backroom.agents import RandomAgent
from backroom.envs import configure
from backroom.envs.engine.record import Who
from backroom.envs.engine.record_file import write_records
from backroom.envs.engine.recorder import Recorder, play_game
from backroom.evaluate.viewer import page as pages
from backroom.evaluate.viewer.page import MODULES, write_page

WEB = ROOT / "evaluate" / "viewer" / "web"
needs_browser = pytest.mark.skipif(
    browser_path() is None, reason="there is no browser: apt-get install chromium"
)


@pytest.fixture(scope="module")
def browser():
    with started_browser() as started:
        yield started


@pytest.fixture
def opened(browser):
    """Opens pages; fails if one complains or asks for anything but its own file."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    complaints = []

    def open_(path, address=""):
        view = context.new_page()
        view.on("console", lambda message: complaints.append(message.text))
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on(
            "request",
            lambda asked: (
                None if asked.url.startswith(path.as_uri()) else complaints.append(asked.url)
            ),
        )
        view.goto(path.as_uri() + address)
        view.wait_for_selector(".felt")
        return view

    yield open_
    context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def gang(tmp_path_factory):
    """A page of two games of The Gang, and the first one's record."""
    game = configure("the_gang", episode="heist")
    records = [recorded(game, 7), recorded(game, 8)]
    path = tmp_path_factory.mktemp("pages") / "gang.html"
    assert write_page(path, records) == 2
    return path, records


def step_of(view):
    return int(view.inner_text("#step").split("/")[0])


def current(view):
    return int(view.get_attribute("#log [aria-current]", "data-step"))


@needs_browser
def test_steps_by_clicks_and_keys(opened, gang):
    path, records = gang
    last = len(records[0].moves)
    view = opened(path)
    assert step_of(view) == 0 and view.inner_text("#log [aria-current] .line") == "the deal"
    view.click("#forward")
    view.keyboard.press("ArrowRight")
    assert step_of(view) == 2 == current(view)
    assert view.url.endswith("#2")
    view.click("#back")
    view.keyboard.press("ArrowLeft")
    assert step_of(view) == 0
    view.keyboard.press("End")
    assert step_of(view) == last
    assert view.is_disabled("#forward")
    view.keyboard.press("Home")
    assert step_of(view) == 0
    view.click("#last")
    assert step_of(view) == last
    assert "earned: player_0" in view.inner_text("#agents")
    view.click("#first")
    assert not view.is_visible("#agents")  # nobody wants to know the end before it comes
    view.click("#log li:nth-child(5) button")
    assert step_of(view) == 4 == current(view)
    view.fill("#slider", "3")
    assert step_of(view) == 3


@needs_browser
def test_rounds_lead_to_their_first_step(opened, gang):
    path, _ = gang
    view = opened(path)
    names = view.locator("#chapters button").all_inner_texts()
    assert names[:2] == ["pre-flop", "flop"]
    assert view.inner_text("#chapters span") == "heist 1"
    view.click("#chapters button:nth-child(2)")
    flop = step_of(view)
    assert flop > 0
    assert view.locator(".centre .zone").first.locator(".card:not(.empty)").count() == 3
    view.keyboard.press("ArrowUp")
    assert step_of(view) == 0
    view.keyboard.press("ArrowDown")
    assert step_of(view) == flop


@needs_browser
def test_it_plays_at_a_speed_and_pauses(opened, gang):
    path, _ = gang
    view = opened(path)
    view.select_option("#speed", "8")
    view.keyboard.press(" ")
    assert view.get_attribute("#play", "aria-label") == "pause"
    expect(view.locator("#step")).to_have_text(re.compile(r"^[3-9] "))
    view.click("#play")
    stopped = step_of(view)
    view.wait_for_timeout(400)
    assert step_of(view) == stopped >= 3
    view.keyboard.press("-")
    assert view.input_value("#speed") == "4"


@needs_browser
def test_a_seat_sees_its_own_hand_alone(opened, gang):
    path, _ = gang
    view = opened(path, "#5")
    assert view.locator(".place .card.back").count() == 0
    view.keyboard.press("1")
    assert view.url.endswith("#5&seat=1")
    assert view.locator(".place .card.back").count() == 4
    assert view.locator('[data-seat="1"] .card.back').count() == 0
    assert view.locator(".place.own").get_attribute("data-seat") == "1"
    view.click('#seats [data-viewer="2"]')
    assert view.locator('[data-seat="2"] .card.back').count() == 0
    view.keyboard.press("9")  # there is no such seat
    assert view.url.endswith("#5&seat=2")
    view.keyboard.press("a")
    assert view.url.endswith("#5")
    assert view.locator(".place .card.back").count() == 0


@needs_browser
def test_an_address_leads_to_game_seat_and_step(opened, gang):
    path, records = gang
    view = opened(path, "#7&game=1&seat=2")
    assert step_of(view) == 7
    assert view.input_value("#games") == "1"
    assert view.get_attribute('#seats [aria-pressed="true"]', "data-viewer") == "2"
    view.evaluate("location.hash = '#3'")
    expect(view.locator("#games")).to_have_value("0")
    assert step_of(view) == 3
    view.keyboard.press("]")
    assert view.input_value("#games") == "1" and step_of(view) == 0
    view.keyboard.press("[")
    assert view.input_value("#games") == "0"
    view.select_option("#games", "1")
    assert view.inner_text("#step") == f"0 / {len(records[1].moves)}"
    for nonsense in ("#", "#x", "#-1", "#99999&game=7&seat=9", "#1&seat=%00"):
        assert opened(path, nonsense).locator(".place").count() == 3


@needs_browser
def test_bars_show_what_a_move_was_drawn_from(opened, tmp_path, kuhn):
    path = tmp_path / "kuhn.html"
    write_page(path, [kuhn])
    view = opened(path, "#1")
    rows = view.locator("#move .bar-row").all_inner_texts()
    assert [row.split() for row in rows] == [["bet", "75%"], ["pass", "25%"]]
    assert view.inner_text("#move .chosen .label") == "bet"
    assert "expected to earn +0.50" in view.inner_text("#move")
    view.keyboard.press("1")
    assert view.locator("#move .bar-row").count() == 0
    assert view.inner_text("#move .event") == "player_0 bets"


@needs_browser
def test_odds_are_told_in_words_and_agents_by_short_names(opened, tmp_path):
    game = configure("cockroach_poker")
    paths = ("runs/liar 2/policy.safetensors", "C:\\nets\\old.zip", "runs/bold/")
    table = Recorder(game, 7, agents=[Who(name=name) for name in paths])
    offers = [
        a for a in np.flatnonzero(table.view()[1][0]) if game.actions[a].endswith(":stink_bug")
    ]
    shares = np.zeros(len(game.actions))
    shares[offers] = 1 / len(offers)
    mover = table.player
    table.play(int(offers[0]), shares)
    write_page(tmp_path / "page.html", [table.record()])
    view = opened(tmp_path / "page.html", "#1")
    short = view.locator(".place h3 small")
    assert set(short.all_inner_texts()) == {"liar 2", "old", "bold"}
    assert {name.get_attribute("title") for name in short.all()} == set(paths)
    chosen = view.inner_text("#move .chosen .label")
    assert re.fullmatch(r"offer [a-z ]+ to player_\d as stink bug", chosen)
    assert f"What player_{mover} drew it from" in view.inner_text("#move")
    view.keyboard.press("Home")
    assert not view.is_visible("#move")  # nothing has happened


@needs_browser
@pytest.mark.parametrize("name", SHOWN)
def test_the_log_and_whole_words_are_in_sight(opened, tmp_path, name):
    path = tmp_path / "page.html"
    write_shown(name, path)
    view = opened(path, SHOWN[name][2])
    for width, height in ((1280, 860), (1280, 720), (1920, 1080)):
        view.set_viewport_size({"width": width, "height": height})
        log, controls = (view.locator(x).bounding_box() for x in ("#log", "#controls"))
        assert log["height"] > 90 and log["y"] + log["height"] <= controls["y"]
        cut = """(found) => found.filter((e) => e.clientWidth && e.scrollWidth > e.clientWidth)
                 .map((e) => e.textContent)"""
        assert view.locator("#chapters button, .pile .name").evaluate_all(cut) == []


@needs_browser
def test_all_of_a_table_of_six_is_in_sight(opened, tmp_path):
    """The last showdown lies below the table; the list of games shows a whole line."""
    game = configure("the_gang", num_players=6)
    record = play_game(game, [RandomAgent(game)] * 6, 1)
    names = [Who(name=f"runs/{name}/policy.zip") for name in ("fox", "badger", "stoat", "marten")]
    agents = (*names, names[0], names[1])
    record = msgspec.structs.replace(record, agents=agents)
    write_page(tmp_path / "page.html", [record, record])
    step = next(k for k, s in enumerate(record.states()) if s.showdown_strength.any()) + 5
    for seat in ("all", "2"):
        view = opened(tmp_path / "page.html", f"#{step}&seat={seat}")
        view.set_viewport_size({"width": 1400, "height": 900})
        beside, controls = (view.locator(x).bounding_box() for x in (".beside", "#controls"))
        assert beside["y"] + beside["height"] <= controls["y"]
    assert "marten" in view.inner_text("#games option:checked")
    free = """(list) => {
      const room = list.clientWidth, whole = list.cloneNode(true);
      whole.style.maxWidth = "none";
      list.after(whole);
      const wanted = whole.clientWidth;
      whole.remove();
      return room >= wanted;
    }"""
    assert view.locator("#games").evaluate(free)


@needs_browser
def test_light_and_dark_and_the_keys(opened, gang):
    view = opened(gang[0])
    paper = "getComputedStyle(document.body).backgroundColor"
    light = view.evaluate(paper)
    view.click("#theme")
    dark = view.evaluate(paper)
    assert light != dark
    view.keyboard.press("t")
    assert view.evaluate(paper) == light
    view.emulate_media(color_scheme="dark")
    view.reload()
    assert view.evaluate(paper) == dark
    view.keyboard.press("?")
    assert "one step on" in view.inner_text("#keys")
    view.keyboard.press("Escape")
    assert not view.is_visible("#keys")


@needs_browser
@pytest.mark.parametrize("name", SHOWN)
def test_nothing_is_wider_than_a_phone(opened, tmp_path, name):
    path = tmp_path / "page.html"
    write_shown(name, path)
    view = opened(path, SHOWN[name][2])
    for width, height in ((390, 844), (1280, 720), (1920, 1080)):
        view.set_viewport_size({"width": width, "height": height})
        assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert view.locator(".felt").is_visible()


@needs_browser
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_looks_as_it_did(browser, tmp_path, name):
    """Compared small, and with room for other fonts; `python tests/pictures.py` writes them."""
    path = tmp_path / "page.html"
    write_shown(name, path)
    now = photographed(browser, name, path).astype(int)
    then = np.asarray(Image.open(FOLDER / f"{name}.png").convert("RGB")).astype(int)
    assert now.shape == then.shape
    assert np.abs(now - then).mean() < 6
    others = [
        np.asarray(Image.open(FOLDER / f"{o}.png").convert("RGB")) for o in SHOWN if o != name
    ]
    assert all(np.abs(now - other).mean() > 9 for other in others)


@needs_browser
def test_it_opens_in_under_a_second(browser, tmp_path):
    """Twenty games in one file; the quickest of three openings, as the machine may be busy."""
    game = configure("the_gang", episode="heist")
    path = tmp_path / "many.html"
    write_page(path, [recorded(game, seed % 3) for seed in range(20)])
    context = browser.new_context()
    view = context.new_page()
    taken = []
    for _ in range(3):
        view.goto("about:blank")
        begin = time.perf_counter()
        view.goto(path.as_uri())
        view.wait_for_selector(".felt")
        taken.append(time.perf_counter() - begin)
    assert min(taken) < (1 if path.stat().st_size < 5e6 else 2)
    context.close()


@needs_browser
def test_nothing_of_a_record_is_read_as_markup(opened, tmp_path):
    game = configure("kuhn")
    bad = '</script><img src=x onerror="document.title=1">'
    table = Recorder(game, 7, agents=[Who(name=bad), Who(name="<!-- data -->")])
    table.play(1)
    path = tmp_path / "page.html"
    write_page(path, [table.record()], title=bad)
    view = opened(path, "#1")
    assert view.locator("img").count() == 0
    assert view.title() == bad
    assert bad in view.inner_text('[data-seat="0"] h3')
    assert "<!-- data -->" in view.inner_text('[data-seat="1"] h3')


def blocks(path):
    """The data of a page, by the name of the block."""
    found = re.findall(
        r'<script type="application/json" id="([^"]*)">(.*?)</script>', path.read_text()
    )
    return {name: json.loads(text) for name, text in found}


def test_a_page_of_one_seat_holds_nothing_else(tmp_path):
    """Not a card that the seat has not seen stands anywhere in the file."""
    game = configure("the_gang", episode="heist")
    table = Recorder(game, 1, {"hand0": "Ah Ad", "hand1": "7c 2d", "hand2": "Ks Qs"})
    table.play(game.numbers["take 1"])
    path = tmp_path / "page.html"
    for source in (table.record(), table.record().seen_by(1)):
        write_page(path, [source], 1)
        found = blocks(path)
        assert list(found["data-0"]["views"]) == ["1"]
        assert list(found["data"][0]["returns"]) == ["1"]
        text = json.dumps(found)
        assert "7c" in text and "2d" in text
        for card in ("Ah", "Ad", "Ks", "Qs"):
            assert card not in text
        for secret in ("seed", "deal", "hash"):
            assert f'"{secret}"' not in text


def test_a_page_asks_for_nothing():
    """No address in it leads anywhere, and its policy forbids all that could be loaded."""
    for path in WEB.iterdir():
        text = path.read_text()
        assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"@import|fetch\(|XMLHttpRequest|innerHTML|eval\(", text)
    assert "default-src 'none'" in (WEB / "page.html").read_text()


def test_modules_can_be_put_into_one():
    """Each is listed after those that it imports, and no two define the same name."""
    assert {path.name for path in WEB.glob("*.js")} == set(MODULES)
    names = []
    for place, module in enumerate(MODULES):
        text = (WEB / module).read_text()
        for wanted in re.findall(r'from "\./(.*?)";', text):
            assert wanted in MODULES[:place], f"{module} imports {wanted}"
        names += re.findall(r"^(?:export )?(?:function|const|let|class) (\w+)", text, flags=re.M)
    assert len(names) == len(set(names))
    assert "import " not in pages.script() and "\nexport " not in pages.script()


def test_watch_writes_a_page(tmp_path, kuhn):
    records, path = tmp_path / "games.jsonl", tmp_path / "games.html"
    write_records(records, [kuhn, kuhn.seen_by(0), kuhn])
    assert run("watch", records, "--html", path, "--game", "0").stdout == (
        f"{path}: 1 game to open in a browser\n"
    )
    assert run("watch", records, "--html", path, "--seat", "0").stdout.startswith(
        f"{path}: 3 games"
    )
    assert [list(b["views"]) for n, b in blocks(path).items() if n != "data"] == [["0"]] * 3
    before = path.read_text()
    assert refused("watch", records, "--html", path, "--seat", "1") == (
        "the record holds only what seat 0 saw"
    )
    assert path.read_text() == before
    run("watch", "kuhn", "--html", path, "--seed", "4")
    assert blocks(path)["data"][0]["title"] == "Kuhn poker"
    assert "no such folder" in refused("watch", "kuhn", "--html", tmp_path / "no" / "x.html")


def test_a_page_has_not_too_many_games(tmp_path, monkeypatch, kuhn):
    monkeypatch.setattr(pages, "MOST_GAMES", 2)
    with pytest.raises(ValueError, match="at most 2 games"):
        write_page(tmp_path / "x.html", [kuhn] * 3)
    with pytest.raises(ValueError, match="at most 2 games, not 9"):
        pages.check_games(9)
    with pytest.raises(ValueError, match="no game to show"):
        write_page(tmp_path / "x.html", [])
    assert list(tmp_path.iterdir()) == []
