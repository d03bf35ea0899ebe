"""Pages to look at in tests, and how they looked: `python tests/pictures.py` writes tests/pictures
and the picture in the README.

A picture is kept small, so that it tells what lies where and in which colour, and not which font a
machine has.
"""

import io
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image

from backroom.agents import RandomAgent, load
from backroom.envs import configure
from backroom.envs.engine.recorder import play_game
from backroom.evaluate.viewer.page import write_page

FOLDER = Path(__file__).parent / "pictures"
README = FOLDER.parents[1] / "results" / "page.png"
SIZE = (1200, 800)
SMALL = (240, 160)
SHOWN = {
    "kuhn": ("kuhn", {}, "#2", "light"),
    "cockroach_poker": ("cockroach_poker", {}, "#9&seat=1", "dark"),
    "caribbean_poker": ("caribbean_poker", {"num_players": 3}, "#4", "light"),
    "gangster_paradise": (
        "gangster_paradise",
        {"num_players": 7, "max_rounds": 2},
        "#100&seat=3",
        "light",
    ),
    "the_gang": (
        "the_gang",
        {
            "num_players": 4,
            "mode": "advanced",
            "cards_in_force": ["retina_scan", "jack"],
            "episode": "heist",
        },
        "#30",
        "dark",
    ),
}
"""Game, options, address and light of each picture."""


def browser_path():
    """The browser of this machine, None if there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def started_browser():
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def write_shown(name, path):
    """The page of one of SHOWN, with a game that is always the same."""
    game = configure(SHOWN[name][0], **SHOWN[name][1])
    write_page(path, [play_game(game, [RandomAgent(game, 7)] * game.players, 7)])


def photographed(browser, name, path):
    """How the page of one of SHOWN looks, uint8[160, 240, 3]."""
    _, _, address, light = SHOWN[name]
    context = browser.new_context(
        viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme=light, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{path.as_uri()}{address}")
    page.wait_for_selector(".felt")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return np.asarray(image.resize(SMALL, Image.Resampling.BOX))


def write_for_readme(browser, path):
    """The picture in the README: trained agents in the midst of a game of The Gang."""
    game = configure("the_gang", num_players=3, features="strength")
    write_page(path, [play_game(game, [load("ppo-1", game)] * 3, 7)])
    page = browser.new_page(viewport={"width": 1200, "height": 800}, color_scheme="light")
    page.goto(f"{path.as_uri()}#30")
    page.wait_for_selector(".felt")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(README, optimize=True)


def main():
    """Write all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, started_browser() as browser:
        for name in SHOWN:
            path = Path(folder) / f"{name}.html"
            write_shown(name, path)
            Image.fromarray(photographed(browser, name, path)).save(FOLDER / f"{name}.png")
        write_for_readme(browser, Path(folder) / "page.html")


if __name__ == "__main__":
    sys.exit(main())
