"""The window in the terminal, by its keys."""

import asyncio

import msgspec
import pytest
from playing import begun, recorded
from textual.widgets import Input, OptionList, Static

from backroom.agents import RandomAgent
from backroom.envs import configure
from backroom.envs.engine.record import Who
from backroom.envs.engine.recorder import Recorder
from backroom.envs.engine.render import SUITS
from backroom.evaluate.viewer.beliefs import Bar
from backroom.evaluate.viewer.reel import live, reel
from backroom.evaluate.viewer.window import Window, bar, bar_lines, thoughts


def shown(window, name):
    """What stands there, cards with letters in place of signs."""
    text = str(window.query_one(f"#{name}", Static).render())
    return text.translate({ord(sign): letter for letter, (sign, _) in SUITS.items()})


def piloted(source, act, size=(120, 40)):
    """Open a window on `source` and let `act(window, pilot)` use it."""

    async def run():
        window = Window(source)
        async with window.run_test(size=size) as pilot:
            await act(window, pilot)

    asyncio.run(run())


def test_steps_and_viewpoints(default_game):
    record = begun(default_game)
    count = len(record.moves)

    async def act(window, pilot):
        game = default_game
        states = list(record.states())
        assert game.rules.table(game, states[0], None) in shown(window, "table")
        await pilot.press("right", "right")
        assert window.step == 2
        assert game.rules.table(game, states[2], None).strip() in shown(window, "table")
        await pilot.press("1")
        assert game.rules.table(game, states[2], 1).strip() in shown(window, "table") or (
            game.players == 1
        )
        await pilot.press("a", "left")
        assert (window.step, window.viewer) == (1, None)
        await pilot.press("end")
        assert window.step == count
        assert "earned" in shown(window, "table")
        await pilot.press("right")
        assert window.step == count
        await pilot.press("home")
        assert window.step == 0
        await pilot.press("9")  # there is no such seat
        assert window.viewer is None

    piloted(reel(record), act)


def rows(window):
    """The lines of the screen, cards with letters in place of signs."""
    lines = ("".join(s.text for s in strip) for strip in window.screen._compositor.render_strips())
    return [
        line.translate({ord(sign): letter for letter, (sign, _) in SUITS.items()}) for line in lines
    ]


@pytest.mark.parametrize(("name", "step"), [("the_gang", 60), ("cockroach_poker", 30), ("kuhn", 2)])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_small_terminal_shows_whole_rows(name, step, size):
    record = recorded(configure(name))
    names = [f"/home/her/runs/{run}/policy.zip" for run in ("fox", "badger", "badger")]
    agents = tuple(Who(name=name) for name in names[: len(record.agents)])
    record = msgspec.structs.replace(record, agents=agents)

    async def act(window, pilot):
        await pilot.press("g", *str(step), "enter")
        await pilot.pause()
        shown = rows(window)
        for line in (
            record.configured().rules.table(record.configured(), states[step], None).split("\n")
        ):
            assert any(row[1:].startswith(line) for row in shown)
        assert "0 fox, 1 badger" in shown[0] or "0 fox, 1-2 badger" in shown[0]
        assert shown[-1].rstrip().endswith("q quit")
        assert any(f"{step} player_" in row for row in shown)  # the log
        await pilot.resize_terminal(200, 50)
        await pilot.pause()
        assert not window.query_one("#body").has_class("stacked")

    states = list(record.states())
    piloted(reel(record), act, size)


def test_bars_and_labels_give_way():
    bars = (Bar("offer rat to player_0 as bat", 0.5, "50%"), Bar("pass", 0.25, "5%", 1.0))
    for room in (200, 40, 30, 16):
        lines = bar_lines(bars, room)
        assert max(map(len, lines)) <= room
        assert len({line.index("█") for line in lines}) == 1
    assert lines[0].startswith("off…bat")


def test_rounds_log_and_jump():
    record = recorded(configure("the_gang", episode="heist"))

    async def act(window, pilot):
        await pilot.press("end")
        log = window.query_one("#log", OptionList)
        assert log.option_count == len(record.moves) + 1
        await pilot.press("home", "down")
        flop = window.step
        assert flop > 0 and "flop" in shown(window, "place")
        await pilot.press("up")
        assert window.step == 0
        await pilot.press("g", "7", "enter")
        assert window.step == 7
        assert not window.query_one("#go", Input).has_class("open")
        assert log.highlighted == 7
        await pilot.click("#log", offset=(3, 0))
        assert window.step < 20

    piloted(reel(record), act)


def test_it_plays_a_live_game_at_a_speed():
    game = configure("kuhn")
    table = Recorder(game, 3)

    async def act(window, pilot):
        assert window.reel.steps == 0
        for _ in range(4):
            await pilot.press("plus")
        assert window.pace == 8
        await pilot.press("minus")
        assert window.pace == 4
        await pilot.press("space")
        assert window.playing and "playing" in shown(window, "place")
        await pilot.pause(2)
        assert window.reel.over and window.step == window.reel.steps and not window.playing
        await pilot.press("space", "space")
        assert window.step == 0 and not window.playing

    piloted(live(table, ["random"] * 2, [RandomAgent(game)] * 2), act)
    assert table.over


def test_thoughts_are_bars(kuhn):
    source = reel(kuhn)
    source.finish()
    text = thoughts(source.seen[None][1])
    assert "player_0 drew it from" in text
    assert f"> bet  {12 * '█'}{4 * '░'} 75%" in text
    assert "player_0 expected to earn +0.50" in text
    assert thoughts(source.seen[1][1]) == ""
    assert bar(0, 0.5, 4) == "░░┃░"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_record_in_a_window(kuhn, seat):
    async def act(window, pilot):
        await pilot.press("right", "a", "1")
        assert window.viewer == seat
        assert f"player_{seat} knows" in shown(window, "place")

    piloted(reel(kuhn.seen_by(seat)), act)
