"""Records in other forms."""

import tomllib

import numpy as np
import pytest
from command import refused, run
from PIL import Image
from playing import begun, recorded

from backroom.agents import load
from backroom.envs import configure
from backroom.envs.engine.record import SeatRecord
from backroom.envs.engine.record_file import RecordFile, read_records, write_records
from backroom.envs.engine.recorder import Recorder, play_game
from backroom.evaluate.viewer.export import export_records
from backroom.evaluate.viewer.phh import hands
from backroom.evaluate.viewer.reel import reel

EARNED = {"kuhn": "player_0 -1, player_1 +1", "caribbean_poker": "player_0 -85"}
"""In the first games, as they are played here."""


@pytest.fixture
def source(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    write_records(path, [kuhn, recorded(kuhn.configured(), 3), recorded(kuhn.configured(), 4)])
    return path


def test_text_holds_each_table_and_event(tmp_path, default_game):
    record, path = begun(default_game), tmp_path / "game.txt"
    assert export_records(path, [record, record]) == 2
    text = path.read_text()
    for view in record.views(None):
        assert f"\n\n{view.table}\n" in text  # apart from what led to it
        assert all(f"* {event}\n" in text for event in view.events)
    assert text.count("\n" + "=" * 80 + "\n") == 1
    assert "drawn from" in text and "player_0 (random) earned" in text


def test_text_of_a_seat_is_what_the_seat_saw(tmp_path, source, kuhn):
    path = tmp_path / "game.txt"
    run("export", source, path, "--game", "0", "--seat", "1")
    text = path.read_text()
    assert all(view.table in text for view in kuhn.views(1))
    assert "card K" not in text and "earned 1" not in text


def test_pictures_and_films(tmp_path, default_game):
    """The picture is the one that the environments render, but that the last one tells what was
    earned; the film has a picture a move."""
    from backroom.envs.engine.render import picture

    record = begun(default_game)
    source = tmp_path / "games.jsonl"
    write_records(source, [record])
    still, film = tmp_path / "game.png", tmp_path / "game.gif"
    run("export", source, still, "--step", "1")
    shown = reel(record)
    shown.finish()
    expected = picture(shown.seen[None][1].table, *default_game.facts.canvas)
    assert np.array_equal(np.asarray(Image.open(still)), expected)
    assert expected.shape[0] % 2 == expected.shape[1] % 2 == 0
    if default_game.name not in ("kuhn", "caribbean_poker"):
        return  # films of these are long
    run("export", source, still)
    told = "\n".join([shown.seen[None][-1].table, f"earned: {EARNED[default_game.name]}"])
    expected = picture(told, default_game.facts.canvas[0], default_game.facts.canvas[1] + 1)
    assert np.array_equal(np.asarray(Image.open(still)), expected)
    run("export", source, film, "--seat", "0")
    with Image.open(film) as image:
        assert image.n_frames == len(list(record.views(0)))
        assert image.size == expected.shape[1::-1]


def test_records_alone_or_cut(tmp_path, source):
    path = tmp_path / "some.jsonl"
    assert run("export", source, path, "--game", "2", "0").stdout == f"{path}: 2 games\n"
    before = read_records(source)
    assert read_records(path) == [before[2], before[0]]
    run("export", source, path, "--seat", "1")
    file = RecordFile(path)
    assert all(isinstance(file.read(k), SeatRecord) and file.read(k).seat == 1 for k in range(3))
    again = tmp_path / "again.jsonl"
    run("export", path, again, "--seat", "1")
    assert again.read_text() == path.read_text()
    assert "only what seat 1 saw" in refused("export", path, again, "--seat", "0")


def test_what_cannot_be_exported_is_said(tmp_path, source):
    target = tmp_path / "game"
    for name, arguments, sentence in (
        ("game.pdf", (), "the ending is one of .html, .txt, .png"),
        ("game.png", (), "a picture shows one game; choose it with --game"),
        ("game.gif", (), "a film shows one game"),
        ("game.png", ("--game", "0", "--step", "99"), "so there is no step 99"),
        ("game.txt", ("--step", "1"), "--step is for pictures"),
        ("game.txt", ("--game", "7"), "holds games 0 to 2, not 7"),
        ("game.txt", ("--agents", "nobody"), "holds no such game"),
        ("game.txt", ("--seat", "2"), "seat is one of"),
        ("game.phh", (), "a .phh file holds one hand, and these are 3: name it .phhs"),
    ):
        assert sentence in refused("export", source, tmp_path / name, *arguments)
    assert [p.name for p in tmp_path.iterdir()] == ["games.jsonl"]
    assert not target.exists()


def test_a_hand_of_kuhn_poker(kuhn):
    (hand,) = hands(kuhn)
    assert hand["variant"] == "Kuhn"
    assert hand["actions"] == ["d dh p1 K?", "d dh p2 J?", "p1 cbr 1", "p2 f"]
    assert hand["finishing_stacks"] == [3, 1]
    (seen,) = hands(kuhn, 1)
    assert seen["actions"][:2] == ["d dh p1 ??", "d dh p2 J?"]
    assert "_seed" not in seen
    table = Recorder(kuhn.configured(), 7)
    table.play(0)
    assert hands(table.record()) == []  # not over
    table.play(1)
    table.play(1)
    (called,) = hands(table.record())
    assert called["actions"][2:] == ["p1 cc", "p2 cbr 1", "p1 cc", "p1 sm K?", "p2 sm J?"]


def test_hands_of_caribbean_poker(tmp_path):
    game = configure("caribbean_poker", num_players=2, num_rounds=2, bankroll=100)
    table = Recorder(game, 4)
    for text in ("ante 5 + bonus", "ante 1", "call", "fold", "ante 10", "ante 1", "fold", "call"):
        table.play(game.numbers[text])
    path = tmp_path / "hands.phhs"
    assert export_records(path, [table.record()]) == 1
    found = tomllib.loads(path.read_text())
    first, second = found["1"], found["2"]
    assert first["antes"] == [5, 1, 0] and first["_bonus_bets"] == [10, 0]
    assert first["starting_stacks"] == [100, 100, 0]
    assert first["actions"][3:5] == ["p1 cbr 10", "p2 f"]
    assert first["actions"][2].startswith("d dh p3 ????????")
    up = first["actions"][2][-2:]
    assert first["actions"][5].endswith(up) and first["actions"][5].startswith("p3 sm ")
    assert second["actions"][3:5] == ["p1 f", "p2 cbr 2"] and second["hand"] == 2
    for hand in hands(table.record(), 0):
        assert hand["actions"][1] == "d dh p2 ??????????"


def test_a_heist_is_a_hand_of_hold_em(tmp_path):
    game = configure("the_gang", episode="heist")
    agents = [load("quantile", game)] * 3
    record = play_game(game, agents, 5)
    path = tmp_path / "hand.phh"
    export_records(path, [record])
    hand = tomllib.loads(path.read_text())
    assert hand["variant"] == "NT" and hand["hand"] == 1
    last = record.last()
    assert hand["_red_chips"] == last["showdown_chips"][:3].tolist()
    assert len(hand["_moves"]) == len(record.moves)
    streets = [action for action in hand["actions"] if action.startswith("d db")]
    assert [len(street.split()[-1]) for street in streets] == [6, 2, 2]
    assert sum(action.endswith(" cc") for action in hand["actions"]) == 12
    dealt = {action.split()[-1] for action in hand["actions"] if action.startswith("d dh")}
    shown = [action.split() for action in hand["actions"] if " sm " in action]
    assert {cards for _, _, cards in shown} == dealt
    chips = [hand["_red_chips"][int(player[1:]) - 1] for player, _, _ in shown]
    assert chips == [1, 2, 3]


def test_what_phh_cannot_tell_is_said(tmp_path, kuhn):
    cockroach, gang = configure("cockroach_poker"), configure("the_gang", mode="expert")
    with pytest.raises(ValueError, match="Cockroach Poker is no poker"):
        hands(recorded(cockroach))
    with pytest.raises(ValueError, match="only the mode basic can be told"):
        hands(recorded(gang))
    with pytest.raises(ValueError, match="a record of what seat 0 saw cannot be told as PHH"):
        export_records(tmp_path / "x.phh", [kuhn.seen_by(0)])
