"""Records in other forms: pages, text, pictures, films, hands for other poker programs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, TypeAlias

from ...envs.engine.files import check_target, drafted
from ...envs.engine.names import several
from ...envs.engine.record import Record, SeatRecord
from ...envs.engine.record_file import write_records
from ...envs.engine.render import picture
from .frames import Frame, lines
from .page import write_page
from .phh import write_hands
from .reel import Reel, reel

if TYPE_CHECKING:
    from PIL.Image import Image

Records: TypeAlias = Iterable[Record | SeatRecord]

SECONDS = 1.0
"""Of a film, between two moves; the end stays three times as long."""


def export_records(
    target: str | Path,
    records: Records,
    seat: int | None = None,
    step: int | None = None,
    title: str = "",
) -> int:
    """Write `records` into `target`, whole or not at all, in the form that its ending tells.

    Args:
        target: ends in one of FORMS.
        records: the games.
        seat: the only viewpoint; None: a spectator's, who sees all, and in pages all seats' too.
        step: of a picture, after how many moves; None: at the end.
        title: of a page.

    Returns:
        How many games were written.

    Raises:
        OSError: if it cannot be written.
        TypeError, ValueError: if there is no such form or seat, or a game cannot be told in it.
    """
    target = Path(target)
    form = FORMS.get(target.suffix.lower())
    if form is None:
        raise ValueError(f"{target}: the ending is one of {', '.join(FORMS)}")
    check_target(target)
    return form(target, records, seat, step, title)


def _html(target: Path, records: Records, seat: int | None, step: int | None, title: str) -> int:
    return write_page(target, records, seat, title)


def _cut(record: Record | SeatRecord, seat: int) -> SeatRecord:
    if isinstance(record, Record):
        return record.seen_by(seat)
    if record.seat != seat:
        raise ValueError(f"the record holds only what seat {record.seat} saw")
    return record


def _jsonl(target: Path, records: Records, seat: int | None, step: int | None, title: str) -> int:
    return write_records(target, (r if seat is None else _cut(r, seat) for r in records))


def transcript(shown: Reel) -> Iterator[str]:
    """A game as lines: what happened and the table after each move, then the returns."""
    shown.finish()
    yield f"{shown.game.rules.id}: {', '.join(shown.agents)}"
    for frame in next(iter(shown.seen.values())):
        yield ""
        told = list(lines(frame, odds=True))
        yield from told
        if told:
            yield ""
        yield frame.table
    yield ""
    yield from shown.end()


def _txt(target: Path, records: Records, seat: int | None, step: int | None, title: str) -> int:
    count = 0
    with drafted(target) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            if count:
                file.write("\n" + "=" * 80 + "\n\n")
            file.writelines(f"{line}\n" for line in transcript(reel(record, seat, False)))
            count += 1
    return count


def _only(records: Records, form: str) -> Record | SeatRecord:
    first = list(islice(records, 2))
    if len(first) > 1:
        raise ValueError(f"{form} shows one game; choose it with --game")
    return first[0]


def _frames(shown: Reel) -> list[Frame]:
    shown.finish()
    return next(iter(shown.seen.values()))


def _pictures(shown: Reel, frames: Sequence[Frame]) -> "list[Image]":
    """Frames as pictures of one size; below the last one of a game stands what was earned."""
    from PIL import Image

    last, (columns, lines) = _frames(shown)[-1], shown.game.facts.canvas
    earned = ", ".join(f"player_{seat} {points:+g}" for seat, points in shown.earned().items())
    end = wrap(f"earned: {earned}", columns) if last in frames else []
    told = ["\n".join([f.table.rstrip("\n"), *end]) if f is last else f.table for f in frames]
    return [Image.fromarray(picture(text, columns, lines + len(end))) for text in told]


def _png(target: Path, records: Records, seat: int | None, step: int | None, title: str) -> int:
    shown = reel(_only(records, "a picture"), seat, False)
    frames = _frames(shown)
    if step is not None and step > shown.steps:
        raise ValueError(f"the game has {several(shown.steps, 'move')}, so there is no step {step}")
    frame = frames[-1] if step is None else shown.frame(next(iter(shown.seen)), step)
    (image,) = _pictures(shown, [frame])
    with drafted(target) as draft:
        image.save(draft, "PNG")
    return 1


def _gif(target: Path, records: Records, seat: int | None, step: int | None, title: str) -> int:
    from PIL import Image

    shown = reel(_only(records, "a film"), seat, False)
    images = _pictures(shown, _frames(shown))
    first, *rest = (image.quantize(64, dither=Image.Dither.NONE) for image in images)
    pauses = [round(1000 * SECONDS)] * len(rest) + [round(3000 * SECONDS)]
    with drafted(target) as draft:
        first.save(draft, "GIF", save_all=True, append_images=rest, duration=pauses, loop=0)
    return 1


def _phh(target: Path, records: Records, seat: int | None, step: int | None, title: str) -> int:
    return write_hands(target, records, seat)


Form: TypeAlias = Callable[[Path, Records, int | None, int | None, str], int]
FORMS: dict[str, Form] = {
    ".html": _html,
    ".txt": _txt,
    ".png": _png,
    ".gif": _gif,
    ".phh": _phh,
    ".phhs": _phh,
    ".jsonl": _jsonl,
}
"""By the ending of the file."""
