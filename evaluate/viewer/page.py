"""One HTML file that shows games: no server, no network, nothing else beside it.

The page's own text lies in `web/`: a skeleton, a style and ES modules, written by hand. Here they
are put into one file together with the frames of the games. A seat's frames are made by the game's
own door (`frames.py`); a page of one seat holds no others.
"""

import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from ...envs.engine.files import check_target, drafted
from ...envs.engine.record import Record, SeatRecord
from .frames import Frame, plain
from .reel import Reel, reel

FOLDER = Path(__file__).with_name("web")
MODULES = ("dom.js", "art.js", "table.js", "panels.js", "data.js", "player.js", "main.js")
"""In the order in which they need each other; the last one starts the page."""
MOST_GAMES = 500
"""A page with more would be slow to open."""

ENDINGS = (".html", ".htm")

ALL = "all"
"""The spectator's name among viewpoints."""


def check_page(target: Path) -> None:
    """Make sure that a page can be written at `target`, before work is done for it.

    Raises:
        OSError, ValueError: if nothing can be written there, or its ending is another form's.
    """
    if target.suffix.lower() not in ENDINGS:
        raise ValueError(f"{target}: a page ends in {' or '.join(ENDINGS)}")
    check_target(target)


def check_games(count: int) -> None:
    """ValueError if a page cannot show so many games, before any is played."""
    if count > MOST_GAMES:
        raise ValueError(
            f"a page shows at most {MOST_GAMES} games, not {count}; choose some by their numbers "
            f"(--game), or by what `backroom export --help` lists"
        )


class Pool:
    """What many frames have in common, kept once: in frames its number stands."""

    def __init__(self) -> None:
        """Begin empty."""
        self._numbers: dict[str, int] = {}

    def number(self, part: Any) -> int:
        """The number of a part, as plain data."""
        return self._numbers.setdefault(_json(part), len(self._numbers))

    def parts(self) -> list[Any]:
        """All parts, by number."""
        return [json.loads(text) for text in self._numbers]


def _json(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False, separators=(",", ":"))


def packed(frame: Frame, pool: Pool) -> list[int]:
    """A frame as numbers of parts: step, scene, events, panels, move; `data.js` unpacks it."""
    whole = plain(frame)
    del whole["table"]
    table = whole["scene"]
    for name in ("centre", "places", "aside"):
        if name in table:
            table[name] = pool.number([pool.number(part) for part in table[name]])
    beliefs = [pool.number(panel) for panel in whole.get("panels", ())]
    rest = (table, whole.get("events", []), beliefs, whole.get("move"))
    return [frame.step, *(pool.number(part) for part in rest)]


def game_data(shown: Reel) -> dict[str, Any]:
    """What the page is told of a game: all that was seen from each viewpoint of the reel."""
    shown.finish()
    pool = Pool()
    views = {
        ALL if viewer is None else str(viewer): [packed(frame, pool) for frame in found]
        for viewer, found in shown.seen.items()
    }
    return {
        "title": shown.game.rules.title,
        "game": shown.game.rules.id,
        "agents": shown.agents,
        "returns": {str(seat): earned for seat, earned in shown.earned().items()},
        "views": views,
        "pool": pool.parts(),
    }


def page(games: list[dict[str, Any]], title: str) -> str:
    """The whole page, of what `game_data` tells of each game.

    Raises:
        ValueError: if there is no game.
    """
    blocks, heads = [], []
    for number, game in enumerate(games):
        heads.append({k: v for k, v in game.items() if k not in ("views", "pool")})
        blocks.append(_block(f"data-{number}", {"views": game["views"], "pool": game["pool"]}))
    if not heads:
        raise ValueError("there is no game to show")
    parts = {
        "title": escape(title),
        "style": (FOLDER / "page.css").read_text("utf-8"),
        "data": _block("data", heads) + "".join(blocks),
        "script": script(),
    }
    skeleton = (FOLDER / "page.html").read_text("utf-8")
    return re.sub(r"<!-- (\w+) -->", lambda match: parts[match[1]], skeleton)


def _block(name: str, data: Any) -> str:
    """Data for the script; no text in it can end the block."""
    text = _json(data).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


def script() -> str:
    """All modules as one: a page in a file may not import others, so their imports are left out."""
    texts = []
    for name in MODULES:
        text = (FOLDER / name).read_text("utf-8")
        text = re.sub(r"^import [^;]*;\n", "", text, flags=re.M)
        texts.append(re.sub(r"^export (?=function|const|let|class)", "", text, flags=re.M))
    return "\n".join(texts)


def write_page(
    path: str | Path,
    records: Iterable[Record | SeatRecord],
    seat: int | None = None,
    title: str = "",
) -> int:
    """Write a page that shows `records`, of `seat` alone if one is given; how many they are.

    Raises:
        OSError: if it cannot be written; a file that was there before is as it was.
        TypeError, ValueError: if there is no record, or no such seat, or one cannot be played.
    """
    return write_reels(path, (reel(record, seat) for record in records), title)


def write_reels(path: str | Path, reels: Iterable[Reel], title: str = "") -> int:
    """As `write_page`, of games that are being watched; they are played to the end."""
    games: list[dict[str, Any]] = []
    with drafted(path) as draft:
        for shown in reels:
            check_games(len(games) + 1)
            games.append(game_data(shown))
        draft.write_text(page(games, title or Path(path).stem), "utf-8")
    return len(games)
