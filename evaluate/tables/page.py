"""The files of the page on which people play: its own, and those of the viewer that it shares."""

from functools import cache
from pathlib import Path

from ..viewer.page import FOLDER as VIEWER

OWN = Path(__file__).with_name("web")
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
FILES = {
    name: _KINDS[Path(name).suffix]
    for name in (
        *("play.html", "play.css", "play.js", "link.js", "choose.js", "keys.js"),
        *("page.css", "art.js", "dom.js", "panels.js", "table.js"),
    )
}
"""The kind of each file, by name; nothing else is served."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Of all answers. Styles of single elements are the lengths of bars."""


@cache
def content(name: str) -> bytes:
    """A file of FILES."""
    own = OWN / name
    return (own if own.is_file() else VIEWER / name).read_bytes()
