"""Pictures without a display, and other people's recorders on them."""

import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo, RenderCollection
from playing import legal_mask

from backroom.envs import make, make_single
from backroom.envs.engine.render import BACK, FACE, LINE, MARGIN, picture

pytest.importorskip("moviepy", reason="films are made by moviepy, which `make setup` installs")


@pytest.fixture(autouse=True)
def no_display(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


def film(path):
    """How many pictures a film has, and their shape."""
    from moviepy import VideoFileClip

    with VideoFileClip(str(path)) as clip:
        return round(clip.duration * clip.fps), (clip.h, clip.w)


def test_gymnasium_records_films(tmp_path, default_game):
    env = RecordVideo(
        make_single(default_game, render_mode="rgb_array"),
        str(tmp_path / "films"),
        episode_trigger=lambda episode: episode == 0,
    )
    env.reset(seed=3)
    over, steps = False, 0
    while not over and steps < 8:
        action = int(env.unwrapped.action_masks().argmax())
        _, _, over, _, _ = env.step(action)
        steps += 1
    env.close()
    (path,) = (tmp_path / "films").glob("*.mp4")
    count, shape = film(path)
    assert count == steps + 1
    columns, lines = default_game.facts.canvas
    assert shape == picture("", columns, lines).shape[:2]


def test_pettingzoo_records_films(tmp_path, default_game):
    wrappers = pytest.importorskip(
        "pettingzoo.utils.wrappers.record_video", reason="new in PettingZoo 1.27"
    )
    env = wrappers.RecordVideo(
        make(default_game, render_mode="rgb_array"),
        str(tmp_path / "films"),
        video_length=4,
        episode_trigger=lambda episode: True,
    )
    env.reset(seed=3)
    for agent in env.agent_iter(max_iter=5):
        observation, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(observation["action_mask"].argmax()))
        assert agent in env.possible_agents
    env.close()
    paths = list((tmp_path / "films").glob("*.mp4"))
    assert paths and film(paths[0])[0] > 0


def test_pettingzoo_captures_the_printed_table(default_game):
    from pettingzoo.utils.wrappers import CaptureStdoutWrapper

    env = CaptureStdoutWrapper(make(default_game, render_mode="human"))
    env.reset(seed=3)
    state = env.unwrapped.get_state()
    assert env.render() == default_game.rules.table(default_game, state, None) + "\n"
    assert legal_mask(default_game, state).any()


def test_pictures_are_collected(default_game):
    env = RenderCollection(make_single(default_game, render_mode="rgb_array"))
    env.reset(seed=1)
    env.step(int(env.unwrapped.action_masks().argmax()))
    frames = env.render()
    assert len(frames) == 2
    assert all(frame.dtype == np.uint8 and frame.shape[2] == 3 for frame in frames)


def colours(text):
    return {tuple(pixel) for pixel in picture(text, 20, 1).reshape(-1, 3).tolist()}


def test_cards_are_drawn_as_cards():
    assert FACE in colours("Ah") and FACE not in colours("word")
    assert BACK in colours("?? ??") and BACK not in colours("Ah")
    assert FACE not in colours("Ahead")  # a word, no card
    first, second = (picture(text, 20, 1) for text in ("Ah", "Ac"))
    assert not np.array_equal(first, second)
    assert picture("a\nb", 10, 2).shape[0] - picture("a", 10, 1).shape[0] == LINE
    assert picture("", 1, 1).shape[0] >= 2 * MARGIN + LINE - 1
