"""What every picture shares: text drawn as pixels, without a display."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .game import Game, State

RENDER_MODES = ("human", "ansi", "rgb_array")
FONT_SIZE = 16
MARGIN = 12
INK, PAPER = (235, 235, 230), (24, 60, 48)


@cache
def _font() -> Any:
    """DejaVu Sans Mono, which matplotlib ships: it has the suits and all columns are alike."""
    import matplotlib
    from PIL import ImageFont

    path = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSansMono.ttf"
    return ImageFont.truetype(str(path), FONT_SIZE)


def picture(text: str, columns: int, lines: int) -> np.ndarray:
    """`text` as uint8[H, W, 3], large enough for `columns` x `lines` whatever the text is."""
    from PIL import Image, ImageDraw

    font = _font()
    width = round(font.getlength("m") * columns) + 2 * MARGIN
    height = (FONT_SIZE + 4) * lines + 2 * MARGIN
    image = Image.new("RGB", (width, height), PAPER)
    ImageDraw.Draw(image).multiline_text((MARGIN, MARGIN), text, INK, font, spacing=4)
    return np.asarray(image).copy()


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
