"""Scenes and frames: pieces that can be drawn, made for one viewer."""

import dataclasses
import json
import re

import msgspec
import numba
import numpy as np
import pytest
from playing import begun, dealt, legal_mask, played
from test_seat_records import FEW, label, some_moves

from backroom.agents import RandomAgent
from backroom.envs import configure
from backroom.envs.engine.game import Game, redeal
from backroom.envs.engine.record import Record
from backroom.envs.engine.recorder import Recorder
from backroom.envs.engine.scene import Card, Scene, scene
from backroom.evaluate.viewer.beliefs import PANELS, call_counts, panels
from backroom.evaluate.viewer.frames import Frame, first_frame, spoken
from backroom.evaluate.viewer.reel import SeatReel, live, reel

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def scenes(game, seed, moves):
    state, _ = played(game, seed, moves)
    return state, {viewer: scene(game, state, viewer) for viewer in (None, *range(game.players))}


def test_scenes_of_every_game(game):
    """In each option a scene is plain data of pieces that are known, one place a seat."""
    for seed, moves in enumerate((0, 3, 17, 60, 100_000)):
        state, found = scenes(game, seed, moves)
        for made in found.values():
            assert len(made.places) == game.players
            assert made.turn == int(state["player"])
            assert (made.status and made.chapter) if game.rules.scene else made.text
            line = msgspec.json.encode(made)
            assert msgspec.json.decode(line, type=Scene) == made


def test_cards_of_a_scene_are_those_of_the_text(default_game):
    """What the table as text shows, the pieces show too, and nothing else."""
    game = default_game
    for seed in range(3 if game.rules.scene else 0):  # else it is the text
        state, found = scenes(game, seed, 12)
        for viewer, made in found.items():
            shown = set(CARD.findall(json.dumps(msgspec.to_builtins(made))))
            assert shown == set(CARD.findall(game.rules.table(game, state, viewer)))


def hidden_cards(made):
    zones = [zone for place in made.places for zone in place.zones]
    return sum(item == Card() for zone in zones for item in zone.items)


def test_a_seat_sees_the_backs_of_other_hands():
    game = configure("the_gang")
    _, found = scenes(game, 1, 4)
    assert [hidden_cards(found[viewer]) for viewer in (None, 0, 1, 2)] == [0, 4, 4, 4]


def test_a_game_without_scenes_is_shown_by_its_parts():
    """Its table as text, and to a seat what it observes, by name."""
    kuhn = configure("kuhn")
    game = Game(dataclasses.replace(kuhn.rules, scene=None), kuhn.options, kuhn.facts)
    try:
        state, found = scenes(game, 1, 1)
    finally:
        kuhn.rules.__post_init__()  # the copy had registered itself in its place
    assert found[None].text == game.rules.table(game, state, None)
    assert not any(place.zones for place in found[None].places)
    own = found[1].places[1]
    assert [zone.name for zone in own.zones] == ["seat", "card", "history"]
    assert found[1].places[0].zones == ()
    assert found[1].turn == int(state["player"])


@pytest.mark.parametrize("game", FEW, ids=label)
def test_beliefs_tell_no_more_than_observations(game):
    """A seat's panels stay the same when all that it cannot know is dealt anew."""
    compared, slow = 0, game.name == "caribbean_poker" and numba.config.DISABLE_JIT
    for seed in range(1 if slow else 3):
        for before, _ in some_moves(game, seed, 2 if slow else 8):
            for seat in range(min(game.players, 1 if slow else 6)):
                twin = before.copy()
                redeal(twin, seat, 50 + seed)
                assert panels(game, before, seat) == panels(game, twin, seat)
                compared += bool(panels(game, before, seat))
    assert compared or slow or game.name not in PANELS


def test_strength_stands_beside_the_chip():
    game = configure("the_gang")
    table = Recorder(game, 1, {"hand0": "Ah Ad", "hand1": "7c 2d", "hand2": "Ks Qs", "first": "0"})
    for text in ("take 3", "take 1"):
        table.play(game.numbers[text])
    (panel,) = panels(game, table.state, None)
    aces, low, _ = panel.bars
    assert aces.share > 0.99 and aces.mark == 1 and aces.text.endswith("white 3")
    assert low.share < 0.1 and low.mark == 0
    (own,) = panels(game, table.state, 1)
    assert own.bars == (low,)


def test_claims_are_weighed_by_count():
    """Of 64 cards a seat with 21 of its own has not seen 43."""
    game = configure("cockroach_poker")
    table = Recorder(game, 3)
    giver = table.player
    action = next(a for a in np.flatnonzero(table.mask()) if game.actions[a].endswith("+1:bat"))
    table.play(int(action))
    other = (giver + 2) % 3
    (panel,) = panels(game, table.state, other)
    (bar,) = panel.bars
    held = int(table.state["hand"][other][2])
    assert bar.share == pytest.approx((8 - held) / 43)
    assert panels(game, table.state, giver) == ()


def test_a_call_is_weighed_exactly():
    """A royal flush loses to nothing; the counts are those of all hands of the banker."""
    royal = tuple(4 * rank for rank in range(8, 13))
    counts, kind = call_counts((*royal, 1))
    assert kind == 9 and counts.sum() == 163_185
    assert counts[0] == counts[3] == counts[4] == 0  # no fold, no tie, no loss
    game = configure("caribbean_poker")
    state = dealt(game, 4)[0]
    assert panels(game, state, 0) == ()


def test_a_reel_shows_what_a_record_tells(default_game):
    record = begun(default_game)
    shown = reel(record)
    shown.finish()
    assert shown.over and shown.steps == len(record.moves) and not shown.advance()
    for viewer, frames in shown.seen.items():
        views = list(record.views(viewer))
        assert [f.events for f in frames] == [v.events for v in views]
        assert [f.scene for f in frames] == [v.scene for v in views]
        moved = [v.move for v in views]
        assert [f.move is None for f in frames] == [move is None for move in moved]
        n = default_game.players
        assert all(
            f.move.text == spoken(move.text, f.move.player, n)
            for f, move in zip(frames, moved, strict=True)
            if move
        )
    assert shown.earned() == dict(enumerate(record.returns))
    assert shown.frame(None, 2).step == 2


def test_a_live_reel_is_its_record(default_game):
    game, names = default_game, ["random"] * default_game.players
    table = Recorder(game, 5)
    shown = live(table, names, [RandomAgent(game, 5)] * game.players)
    assert shown.steps == 0 and not shown.over
    while shown.steps < 60 and shown.advance():
        pass
    kept = reel(table.record())
    kept.finish()
    assert kept.seen == shown.seen
    assert kept.earned() == shown.earned()


def test_a_reel_of_one_seat_holds_nothing_else(kuhn):
    shown = reel(kuhn, 1)
    shown.finish()
    assert list(shown.seen) == [1]
    assert shown.earned() == {1: -1}
    assert shown.end() == ["player_1 (b) earned -1"]
    cut = reel(kuhn.seen_by(1))
    assert isinstance(cut, SeatReel)
    assert [f.scene for f in cut.seen[1]] == [f.scene for f in shown.seen[1]]
    assert cut.end() == shown.end()
    with pytest.raises(ValueError, match="only what seat 1 saw"):
        reel(kuhn.seen_by(1), 0)
    with pytest.raises(ValueError, match="seat is one of None, 0, 1, not 2"):
        reel(kuhn, 2)


def test_a_seat_does_not_see_what_others_drew_from(kuhn):
    shown = reel(kuhn)
    shown.finish()
    assert shown.seen[None][1].move.odds == (("bet", 0.75), ("pass", 0.25))
    assert shown.seen[None][1].move.value == 0.5
    assert shown.seen[0][1].move.player == 0
    assert shown.seen[1][1].move is None


def test_frames_are_plain_json(default_game):
    game = default_game
    record = begun(game)
    shown = reel(Record.from_json(record.to_json()))
    shown.finish()
    for frames in shown.seen.values():
        for frame in frames:
            assert msgspec.json.decode(msgspec.json.encode(frame), type=Frame) == frame


def test_a_first_frame_is_the_deal(default_game):
    frame = first_frame(default_game, dealt(default_game, 3)[0], None)
    assert (frame.step, frame.events, frame.move) == (0, (), None)
    assert legal_mask(default_game, dealt(default_game, 3)[0]).any()
