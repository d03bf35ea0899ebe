"""A game in the terminal: the table as text, step by step or at a speed, from any viewpoint."""

from collections.abc import Callable
from itertools import pairwise
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.timer import Timer
from textual.widgets import Footer, Header, Input, OptionList, Static
from textual.widgets.option_list import Option

from ...envs.engine.names import by_seat, several, short_names
from ...envs.engine.render import BACK, CARD_TOKEN, FACE, SUITS
from .beliefs import Bar
from .frames import Frame
from .reel import Reel

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Moves a second."""
WIDTH, NARROW = 16, 4
"""Columns of a bar, usually and at least."""
SIDE = 34
"""Columns of what stands beside the table, at least."""
ROOM = 200
"""Columns for bars where nothing is short of room."""
LIKELIEST = 8
HELP = (
    "left, right: a step back, on · up, down: to the round before, the next · Home, End · space: "
    "play · + -: speed · digits: what a seat knows · a: all · g: go to a step · q: quit"
)


def bar(share: float, mark: float | None = None, width: int = WIDTH) -> str:
    """A share as a bar, with a mark if there is one.

    >>> bar(0.5, 1.0, 8)
    '████░░░┃'
    """
    cells = ["█" if (k + 0.5) / width <= share else "░" for k in range(width)]
    if mark is not None:
        cells[min(width - 1, int(mark * width))] = "┃"
    return "".join(cells)


def bar_lines(bars: tuple[Bar, ...], room: int = ROOM) -> list[str]:
    """Bars with their labels, below each other, in `room` columns: bars give way, then labels.

    >>> bar_lines((Bar("a long label", 0.5, "50%"),), 16)
    ['a l…bel ██░░ 50%']
    """
    wide = max((len(b.label) for b in bars), default=0)
    left = room - max((len(b.text) for b in bars), default=0) - 2
    width = max(NARROW, min(WIDTH, left - wide))
    wide = max(1, min(wide, left - width))
    labels = [_shortened(b.label, wide) for b in bars]
    return [
        f"{label:<{wide}} {bar(b.share, b.mark, width)} {b.text}"
        for label, b in zip(labels, bars, strict=True)
    ]


def _shortened(label: str, room: int) -> str:
    """Both ends of what is too long: actions begin alike, and end differently."""
    end = room // 2
    return label if len(label) <= room else f"{label[: room - end - 1]}…{label[len(label) - end :]}"


def thoughts(frame: Frame, room: int = ROOM) -> str:
    """What the last move was drawn from, and what can be believed, in `room` columns."""
    lines: list[str] = []
    if frame.move and frame.move.odds:
        lines.append(f"player_{frame.move.player} drew it from")
        bars = tuple(
            Bar(f"> {text}" if text == frame.move.text else f"  {text}", p, f"{p:.0%}")
            for text, p in frame.move.odds[:LIKELIEST]
        )
        lines += bar_lines(bars, room)
    if frame.move and frame.move.value is not None:
        lines.append(f"player_{frame.move.player} expected to earn {frame.move.value:+.2f}")
    for panel in frame.panels:
        lines += ["", panel.title, *bar_lines(panel.bars, room)]
        if panel.note:
            lines.append(panel.note)
    return "\n".join(lines).strip("\n")


def coloured(table: str) -> Text:
    """A table with its cards as cards, in four colours, and the line of the seat to move marked."""
    text = Text()
    for line in table.split("\n"):
        at, drawn = 0, Text(style="bold" if line.startswith(">") else "")
        for match in CARD_TOKEN.finditer(line):
            drawn.append(line[at : match.start()])
            drawn.append_text(_card(match[0]))
            at = match.end()
        drawn.append(line[at:] + "\n")
        text.append_text(drawn)
    return text


def _card(token: str) -> Text:
    if token == "--":
        return Text(token, "dim")
    if token == "??":
        return Text(token, f"{_hex(FACE)} on {_hex(BACK)}")
    sign, colour = SUITS.get(token[1], ("*", (107, 74, 18)))
    return Text(token[0] + sign, f"bold {_hex(colour)} on {_hex(FACE)}")


def _hex(colour: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


class Body(Horizontal):
    """All between head and foot; calls `changed` when it has another size."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """Of the window."""
        super().__init__(id="body")
        self._changed = changed

    def on_resize(self) -> None:
        """Let the window arrange it."""
        self._changed()


class Window(App[None]):
    """Shows a reel; a live game is played on when its end is reached."""

    CSS = """
    #table { padding: 0 1; height: auto; min-height: 12; }
    #left { width: 2fr; }
    #right { width: 1fr; min-width: 34; border-left: solid $primary; }
    #body.stacked { layout: vertical; }
    #body.stacked #left { width: 100%; height: auto; max-height: 75%; }
    #body.stacked #table { min-height: 0; }
    #body.stacked #right { layout: horizontal; width: 100%; height: 1fr; }
    #body.stacked #right { border-left: none; border-top: solid $primary; }
    #body.stacked #thoughts, #body.stacked #log { width: 1fr; max-height: 100%; }
    #thoughts { padding: 0 1; height: auto; max-height: 70%; }
    #log { height: 1fr; border: none; }
    #place { padding: 0 1; background: $primary; color: $text; height: 1; }
    #go { display: none; }
    #go.open { display: block; }
    """
    BINDINGS: ClassVar = [
        Binding("left", "turn(-1)", "back", priority=True),
        Binding("right", "turn(1)", "on", priority=True),
        Binding("up", "chapter(-1)", "round", priority=True),
        Binding("down", "chapter(1)", "round", priority=True, show=False),
        Binding("home", "begin", "start", priority=True, show=False),
        Binding("end", "finish", "end", priority=True, show=False),
        Binding("space", "play", "play", priority=True),
        Binding("plus,equals_sign", "speed(1)", "faster", show=False),
        Binding("minus", "speed(-1)", "slower", show=False),
        Binding("a", "see(-1)", "all"),
        *(
            Binding(str(seat), f"see({seat})", "seat", show=seat == 0, key_display="0-9")
            for seat in range(10)
        ),
        Binding("g", "ask", "go to"),
        Binding("question_mark", "keys", "keys"),
        Binding("q", "quit", "quit"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, reel: Reel, pause: float = 1.0) -> None:
        """Begin at the deal; `pause` is the time between two moves while it plays."""
        super().__init__()
        self.reel = reel
        self.viewer = next(iter(reel.seen))
        self.step, self.pace = 0, 1 / pause if pause else SPEEDS[-1]
        self.playing = False
        self._entries = -1
        self._widest = 0
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Table and thoughts beside the log."""
        yield Header()
        yield Static(id="place")
        with Body(self._show):
            with VerticalScroll(id="left", can_focus=False):
                yield Static(id="table", markup=False)
            with Vertical(id="right"):
                yield Static(id="thoughts", markup=False)
                yield OptionList(id="log")
        yield Input(placeholder="step", id="go", type="integer")
        yield Footer()

    def on_mount(self) -> None:
        """Show the deal."""
        self.title = self.reel.game.rules.title
        short = short_names(self.reel.agents)
        self.sub_title = by_seat(short[name] for name in self.reel.agents)
        self.query_one("#log", OptionList).focus()
        self._show()

    def _go(self, step: int) -> None:
        while self.reel.steps < step and self.reel.advance():
            pass
        self.step = max(0, min(step, self.reel.steps))
        self._show()

    def _show(self) -> None:
        frame = self.reel.frame(self.viewer, self.step)
        who = "all" if self.viewer is None else f"what player_{self.viewer} knows"
        total = f" of {self.reel.steps}" if self.reel.over else ""
        state = f"playing, {several(self.pace, 'move', 'g')} a second" if self.playing else "paused"
        self.query_one("#place", Static).update(
            f"step {self.step}{total}   {frame.scene.chapter}   seen: {who}   {state}"
        )
        text = coloured(frame.table)
        text.append("\n" + "\n".join(f"* {event}" for event in frame.events))
        if self.reel.over and self.step == self.reel.steps:
            text.append("\n\n" + "\n".join(self.reel.end()))
        self.query_one("#table", Static).update(text)
        self.query_one("#thoughts", Static).update(Text(thoughts(frame, self._arrange(frame))))
        self._show_log(frame)

    def _arrange(self, frame: Frame) -> int:
        """Put table and thoughts below each other if they would be too narrow side by side.

        Tables grow in a game; what was made room for stays. Returns the columns for thoughts.
        """
        margins, width = 2, self.size.width
        self._widest = max(self._widest, *map(len, frame.table.split("\n")))
        table = self._widest + margins
        stacked = table + SIDE > width
        self.query_one("#body").set_class(stacked, "stacked")
        self.query_one("#left").styles.min_width = None if stacked else table
        side = width // 2 if stacked else max(SIDE, min(width // 3, width - table))
        return side - margins - 1

    def _show_log(self, frame: Frame) -> None:
        log, frames = self.query_one("#log", OptionList), self.reel.seen[self.viewer]
        if self._entries < 0:
            log.clear_options()
            self._entries = 0
        for entry in frames[self._entries :]:
            events = "; ".join(entry.events) or "the deal"
            log.add_option(Option(Text(f"{entry.step:3} {events}")))
        self._entries = len(frames)
        with self.prevent(OptionList.OptionHighlighted):
            log.highlighted = next(k for k, entry in enumerate(frames) if entry is frame)
        self.call_after_refresh(log.scroll_to_highlight)  # the room may be another one by then

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """An entry of the log leads to its step."""
        self._stop()
        self._go(self.reel.seen[self.viewer][event.option_index].step)

    def action_turn(self, by: int) -> None:
        """One step on or back."""
        self._stop()
        self._go(self.step + by)

    def action_chapter(self, by: int) -> None:
        """To the round before or the next one; a live game is not played on for that."""
        self._stop()
        frames, starts = self.reel.seen[self.viewer], [0]
        for before, after in pairwise(frames):
            if before.scene.chapter != after.scene.chapter:
                starts.append(after.step)
        others = [s for s in starts if (s > self.step if by > 0 else s < self.step)]
        if others:
            self._go(min(others) if by > 0 else max(others))
        elif by > 0:
            self._go(self.reel.steps)

    def action_begin(self) -> None:
        """To the deal."""
        self._stop()
        self._go(0)

    def action_finish(self) -> None:
        """To the end, playing a live game to it."""
        self._stop()
        self.reel.finish()
        self._go(self.reel.steps)

    def action_play(self) -> None:
        """Play or pause."""
        if self.playing:
            self._stop()
            self._show()
            return
        self.playing = True
        if self.reel.over and self.step == self.reel.steps:
            self.step = 0
        self._schedule()
        self._show()

    def _schedule(self) -> None:
        self._timer = self.set_timer(1 / self.pace, self._tick)

    def _tick(self) -> None:
        if not self.playing:
            return
        before = self.step
        self.playing = self.step < self.reel.steps or not self.reel.over
        self._go(self.step + 1)
        if self.step == before:
            self.playing = False
            self._show()
        elif self.playing:
            self._schedule()

    def _stop(self) -> None:
        self.playing = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def action_speed(self, by: int) -> None:
        """The next speed."""
        order = [s for s in SPEEDS if (s > self.pace if by > 0 else s < self.pace)]
        if order:
            self.pace = min(order) if by > 0 else max(order)
        self._show()

    def action_see(self, seat: int) -> None:
        """Change the viewpoint, if there is such a one."""
        viewer = None if seat < 0 else seat
        if viewer not in self.reel.seen:
            self.notify("this viewpoint is not at hand", severity="warning")
            return
        self.viewer, self._entries = viewer, -1
        self._show()

    def action_ask(self) -> None:
        """Ask for a step to go to."""
        self._stop()
        box = self.query_one("#go", Input)
        box.add_class("open")
        box.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go there."""
        event.input.remove_class("open")
        self.query_one("#log", OptionList).focus()
        if event.value.isdigit():
            self._go(int(event.value))
        event.input.value = ""

    def action_keys(self) -> None:
        """All keys."""
        self.notify(HELP, timeout=12)
