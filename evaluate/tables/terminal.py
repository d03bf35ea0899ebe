"""A table in the terminal: one person's view as text, numbered choices, the same hints."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from ..viewer.beliefs import Bar
from ..viewer.window import bar_lines
from .answers import Answer
from .choices import Choices
from .table import RefusedError, Table

HELP = (
    "a number or the words behind it: play this",
    "hint: what the strongest agent would do in your place",
    "odds: what you can believe of the table",
    "table: the table once more",
    "back: the question before",
    "quit: leave the game",
    "help: this list",
)
COLUMNS = 78
"""Of the list of choices."""

Read = Callable[[], str | None]
"""Asks the person and gives back a line; None when there will be no more."""
Write = Callable[[str], None]


class Sitting:
    """One person at a table, at a terminal."""

    def __init__(self, table: Table, seat: int, read: Read, write: Write) -> None:
        """Sit down at `seat`; lines come from `read` and go to `write`."""
        self.table, self.seat = table, seat
        self._read, self._write = read, write
        self._number, self._step = -1, -1

    def play(self) -> None:
        """Play games until the person has enough."""
        self._write("Answer with a number or a name; help lists what else there is.")
        while self._game() and self._another():
            self.table.again()

    def _game(self) -> bool:
        """One game; whether it was played to the end."""
        while True:
            while self.table.agent_to_move:
                self.table.carry(self.table.think()())
            self._show()
            if self.table.over:
                return True
            if not self._move():
                self._write("You leave the game.")
                return False

    def _another(self) -> bool:
        self._write("Another game? (y, n)")
        return (self._read() or "n").strip().lower() in ("y", "yes")

    def _show(self, again: bool = False) -> None:
        """What has happened since, and the table."""
        update = self.table.update(self.seat, self._number, self._step)
        self._number, self._step = update.number, update.step
        self._write("")
        if not again:
            for frame in update.frames:
                self._lines(f"* {event}" for event in frame.events)
        self._write(self.table.frames(self.seat)[-1].table)
        if update.over:
            self._write(f"\nThe game is over: you earned {update.earned:+g}.")

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)

    def _move(self) -> bool:
        """Ask until something is played; whether something was."""
        offered = self.table.update(self.seat, self._number, self._step).choices
        if offered is None:
            raise RefusedError(f"player_{self.table.player} is no agent, and not you")
        picked: tuple[int, ...] | None = ()
        self._lines(asked(offered, ()))
        while picked is not None:
            line = self._read()
            if line is None or line.strip().lower() in ("quit", "q"):
                return False
            try:
                picked = self._answered(offered, picked, " ".join(line.split()))
            except RefusedError as error:
                sentence = str(error)
                stop = "" if sentence.endswith("?") else "."
                self._write(sentence[:1].upper() + sentence[1:] + stop)
        return True

    def _answered(
        self, offered: Choices, picked: tuple[int, ...], line: str
    ) -> tuple[int, ...] | None:
        """Do what `line` says; the answers given so far, None once something has been played.

        Raises:
            RefusedError: if it cannot be done.
        """
        match line.lower():
            case "":
                pass
            case "hint" | "h":
                self._hint(offered)
            case "odds" | "o":
                self._odds()
            case "table" | "t":
                self._show(again=True)
                self._lines(asked(offered, picked))
            case "help" | "?":
                self._lines(HELP)
            case "back" | "b":
                picked = picked[:-1]
                self._lines(asked(offered, picked))
            case _:
                return self._chosen(offered, picked, line)
        return picked

    def _chosen(
        self, offered: Choices, picked: tuple[int, ...], line: str
    ) -> tuple[int, ...] | None:
        """As `_answered`, of an answer to the question, or a whole action by name."""
        number = answered(offered, picked, line)
        if number is None:
            self.table.play(self.seat, line)
            return None
        picked = (*picked, number)
        action = offered.decided(picked)
        if action is None:
            self._lines(asked(offered, picked))
            return picked
        self.table.play(self.seat, action)
        return None

    def _hint(self, offered: Choices) -> None:
        hint = self.table.hint(self.seat)()
        self._write(f"{hint.agent} would play")
        shares = (Bar(offered.words(action), share, f"{share:.0%}") for action, share in hint.odds)
        self._lines(bar_lines(tuple(shares)))
        if hint.value is not None:
            self._write(f"and would expect {hint.value:+.2f}")

    def _odds(self) -> None:
        panels = self.table.beliefs(self.seat)()
        for panel in panels:
            self._lines(
                [panel.title, *bar_lines(panel.bars), *([panel.note] if panel.note else [])]
            )
        if not panels:
            self._write("There is nothing to reckon here.")


def asked(offered: Choices, picked: tuple[int, ...]) -> list[str]:
    """The next question and its answers by number, several in a line if they are short."""
    question = offered.questions[len(picked)]
    given = [offered.questions[at].answers[k].text for at, k in enumerate(picked)]
    found = [_text(question.answers[k]) for k in offered.answers(picked)]
    texts = [f"{place:>3} {text}" for place, text in enumerate(found, 1)]
    width = max(map(len, texts)) + 3
    columns = max(1, COLUMNS // width)
    rows = [texts[k : k + columns] for k in range(0, len(texts), columns)]
    lines = ["".join(f"{text:<{width}}" for text in row).rstrip() for row in rows]
    return ["", ", ".join([*given, offered.question(picked)]), *lines]


def _text(answer: Answer) -> str:
    return f"{answer.text} ({answer.note})" if answer.note else answer.text


def answered(offered: Choices, picked: tuple[int, ...], line: str) -> int | None:
    """Which answer to the next question `line` means, a place in the list or its text.

    None: it may be a whole action.

    Raises:
        RefusedError: if it is near something that can be played, but not that.
    """
    known = offered.answers(picked)
    if line.isdecimal():
        if len(line) > 9 or not 1 <= int(line) <= len(known):
            raise RefusedError(f"the numbers go from 1 to {len(known)}")
        return known[int(line) - 1]
    texts = {offered.questions[len(picked)].answers[k].text.lower(): k for k in known}
    if line.lower() in texts:
        return texts[line.lower()]
    if offered.find(line) is None:
        near = get_close_matches(line.lower(), [*texts, *offered.named], 1)
        if near:
            raise RefusedError(f"{line[:60]!r} cannot be played now; did you mean {near[0]!r}?")
    return None
