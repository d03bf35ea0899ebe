"""What every picture shares: text drawn as pixels, without a display."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .game import Game, State

RENDER_MODES = ("human", "ansi", "rgb_array")
FONT_SIZE = 16
LINE = FONT_SIZE + 6
MARGIN = 12
INK, PAPER, BACK, MOVER = (235, 235, 230), (24, 60, 48), (52, 84, 130), (255, 215, 94)
FACE, SHADE = (252, 250, 242), (38, 92, 74)
SUITS = {"c": ("♣", (24, 112, 62)), "d": ("♦", (20, 92, 172))}
SUITS |= {"h": ("♥", (190, 36, 28)), "s": ("♠", (20, 22, 26))}
"""Of each suit its sign and its colour; four colours, and four shapes for eyes that see fewer."""

CARD_TOKEN = re.compile(r"(?<![\w*?-])([2-9TJQKA][cdhs]|\?\?|--|J\*)(?![\w*?-])")
"""Cards in a text, cards that lie face down, places of cards; the jack without a suit."""


@cache
def _font() -> Any:
    """DejaVu Sans Mono, which matplotlib ships: it has the suits and all columns are alike."""
    import matplotlib
    from PIL import ImageFont

    path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSansMono.ttf"
    return ImageFont.truetype(str(path), FONT_SIZE)


def picture(text: str, columns: int, lines: int) -> np.ndarray:
    """`text` as uint8[H, W, 3], large enough for `columns` x `lines` whatever the text is.

    Cards are drawn as cards, and the line of the seat to move, which begins with ">", stands out.
    H and W are even, as films want them.
    """
    from PIL import Image, ImageDraw

    wide = _font().getlength("m")
    width, height = round(wide * columns) + 2 * MARGIN, LINE * lines + 2 * MARGIN
    image = Image.new("RGB", (width + width % 2, height + height % 2), PAPER)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(text.split("\n")):
        top = MARGIN + LINE * number
        if line.startswith(">"):
            draw.rounded_rectangle(
                (MARGIN / 2, top - 2, width - MARGIN / 2, top + LINE - 3), 4, SHADE
            )
        _draw_line(draw, line, wide, top)
    return np.asarray(image).copy()


def _draw_line(draw: Any, line: str, wide: float, top: int) -> None:
    at = 0
    for match in CARD_TOKEN.finditer(line):
        _draw_words(draw, line[at : match.start()], MARGIN + wide * at, top)
        _draw_card(draw, match[0], MARGIN + wide * match.start(), wide, top)
        at = match.end()
    _draw_words(draw, line[at:], MARGIN + wide * at, top)


def _draw_words(draw: Any, words: str, left: float, top: int) -> None:
    ink = MOVER if left == MARGIN and words.startswith(">") else INK
    draw.text((left, top), words, ink, _font())


def _draw_card(draw: Any, token: str, left: float, wide: float, top: int) -> None:
    """A card in the room of its two letters."""
    box = (left - 2, top - 1, left + 2 * wide + 1, top + LINE - 4)
    if token == "??":
        draw.rounded_rectangle(box, 3, BACK, FACE)
    elif token == "--":
        draw.rounded_rectangle(box, 3, None, INK)
    else:
        sign, colour = SUITS.get(token[1], ("*", (107, 74, 18)))
        draw.rounded_rectangle(box, 3, FACE)
        draw.text((left, top), token[0] + sign, colour, _font())


def show(
    game: Game, state: State, viewer: int | None, render_mode: str | None
) -> str | np.ndarray | None:
    """The table as `viewer` sees it: text, uint8[H, W, 3], or printed, by one of RENDER_MODES."""
    if render_mode is None:
        return None
    text: str = game.rules.table(game, state, viewer)
    if render_mode == "ansi":
        return text
    if render_mode == "rgb_array":
        return picture(text, *game.facts.canvas)
    print(text)
    return None
