"""`backroom play`: in the terminal, and what it refuses."""

import builtins
import os
import signal
import socket
import time

import pytest
from command import refused, run
from test_tables import table_of

from backroom.envs import configure
from backroom.envs.engine.record_file import read_records
from backroom.evaluate.tables.table import RefusedError, lay
from backroom.evaluate.tables.terminal import Sitting

PLAY = ("play", "kuhn", "--terminal", "--seed", 3)


def typed(*lines):
    return "".join(f"{line}\n" for line in lines)


def sat(table, seat, *lines):
    """What a person reads who types `lines`."""
    left, read = iter(lines), []
    Sitting(table, seat, lambda: next(left, None), read.append).play()
    return "\n".join(read)


def test_a_game_in_the_terminal(tmp_path):
    file = tmp_path / "games.jsonl"
    out = run(*PLAY, "--record", file, given=typed("check", 1, "y", "bet", "call", "n"))
    assert out.stdout.startswith("Kuhn poker with ppo-1; you are player_0.\n")
    assert "> player_0  card Q  chips 1" in out.stdout
    assert "  player_1  card ?  chips 1" in out.stdout
    assert "  1 check     2 bet\n" in out.stdout
    assert "* player_0 checks\n* player_1 bets\n" in out.stdout
    assert "The game is over: you earned -1." in out.stdout
    assert "Another game? (y, n)" in out.stdout
    records = read_records(file)
    assert len(records) == 2 and out.stderr.endswith(f"{file}: 2 games\n")
    for record in records:
        record.verify()
    assert [move.text for move in records[0].moves] == ["pass", "bet", "pass"]
    assert [who.name for who in records[0].agents] == ["person", "ppo-1"]


def test_hints_odds_help_and_mistakes():
    given = typed("hint", "odds", "help", "foo", "9", "", "chek", "table", "quit")
    out = run(*PLAY, given=given).stdout
    assert "ppo-1 would play\ncheck " in out and "and would expect -0.34" in out
    assert "There is nothing to reckon here." in out
    assert "quit: leave the game" in out
    assert "'foo' is nothing that is played here; you may play: check, bet." in out
    assert "The numbers go from 1 to 2." in out
    assert "'chek' cannot be played now; did you mean 'check'?\n" in out
    assert out.count("> player_0  card Q") == 2
    assert out.endswith("You leave the game.\n")


def test_odds_in_the_terminal():
    table = lay(configure("the_gang", episode="heist"), (0, 1, 2), seed=1)
    assert "Strength against chip" in sat(table, table.player, "odds", "quit")


def test_questions_one_after_the_other():
    table = lay(configure("cockroach_poker"), (0, 1, 2), seed=3)
    mover = table.player
    with pytest.raises(RefusedError, match="is no agent, and not you"):
        sat(table, mover, "1", "back", "back", "1", "2", "stink bug")
    (move,) = table.records()[0].moves
    assert move.text.startswith("offer ") and move.text.endswith(">+2:stink_bug")


def test_a_whole_action_by_its_text_or_its_words():
    for words in ("offer {}>+1:fly", "{}, player_{}, fly"):
        table = lay(configure("cockroach_poker"), agents=["random"], seed=1)
        while table.agent_to_move:
            table.carry(table.think()())
        if table.update(0).choices.questions[0].text != "Offer which card?":
            table.play(0, "call true")
            while table.agent_to_move:
                table.carry(table.think()())
        card = next(iter(table.update(0).choices.actions)).split()[1].split(">")[0]
        before = len(table.records()[0].moves) if table.records() else 0
        sat(table, 0, words.format(card, 1), "quit")
        assert table.records()[0].moves[before].text == f"offer {card}>+1:fly"


def test_the_end_of_the_input_leaves_the_game(tmp_path):
    """What was played up to then is a record; nothing is none."""
    file = tmp_path / "games.jsonl"
    out = run(*PLAY, "--record", file, given="")
    assert out.stderr == f"{file}: not written, since nothing was played\n"
    assert not file.exists()
    out = run(*PLAY, "--record", file, given=typed("check"))
    assert out.stderr.endswith(f"{file}: 1 game, the last one not ended\n")
    (record,) = read_records(file)
    record.verify()
    assert [move.text for move in record.moves] == ["pass", "bet"]


def test_any_seat_and_any_agents():
    out = run(*PLAY, "--seat", 1, "--agents", "random", "--hints", "random", given=typed("hint"))
    assert "Kuhn poker with random; you are player_1." in out.stdout
    assert "random would play" in out.stdout


def test_deals_are_new_without_a_seed():
    games = {run("play", "kuhn", "--terminal", given="").stdout for _ in range(12)}
    assert len(games) > 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("chess",), "there is no game 'chess'; there are "),
        (("kuhn", "--seat", 2), "a seat is one of 0, 1, not 2"),
        (("kuhn", "--seat", 0, 0), "each person needs a seat of their own, not [0, 0]"),
        (("kuhn", "--agents", "nobody"), "there is no agent 'nobody' for kuhn"),
        (
            ("kuhn", "--agents", "random", "ppo-1"),
            "there are too many agents, 2; seats left for them: 1",
        ),
        (("kuhn", "--hints", "nobody"), "there is no agent 'nobody' for kuhn"),
        (("kuhn", "--pace", "nan"), "--pace is a number of seconds from 0 to 60, not nan"),
        (("kuhn", "--pace", "61"), "--pace is a number of seconds from 0 to 60, not 61.0"),
        (("kuhn", "--terminal", "--seat", 0, 1), "--terminal is for one person"),
        (("kuhn", "--terminal", "--spectator"), "--terminal is for one person"),
        (("kuhn", "--record", "/nowhere/games.jsonl"), "/nowhere: there is no such folder"),
        (("kuhn", "--host", "no such host"), "no such host is no host of this machine"),
        (("kuhn", "--host", "192.0.2.1"), "nothing can be served at 192.0.2.1:8765"),
        (("kuhn", "--seed", "-1"), "a seed is an integer from 0"),
    ],
)
def test_what_is_refused(args, sentence):
    assert refused("play", *args).startswith(sentence)


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        sentence = refused("play", "kuhn", "--port", port, "--record", tmp_path / "games.jsonl")
    assert sentence == (
        f"nothing can be served at 127.0.0.1:{port}: Address already in use; "
        "port 0 takes one that is free"
    )


def test_without_the_servers_packages_the_terminal_is_left(monkeypatch):
    real = builtins.__import__

    def careful(name, *args, **more):
        if name == "backroom.evaluate.tables.server":
            raise ImportError("No module named 'uvicorn'")
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", careful)
    sentence = refused("play", "kuhn")
    assert 'pip install "backroom[play]"' in sentence and "--terminal needs nothing" in sentence


def test_nobody_waits_for_a_person_who_is_not_there():
    with pytest.raises(RefusedError, match="player_0 is no agent, and not you"):
        sat(table_of((0, 1)), 1)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_terminal_that_is_closed_loses_no_game(tmp_path, monkeypatch, name):
    if not hasattr(signal, name):
        pytest.skip("this system has no such signal")
    before, lines = signal.getsignal(getattr(signal, name)), ["check"]

    def type_one_line(prompt=""):
        if lines:
            return lines.pop()
        os.kill(os.getpid(), getattr(signal, name))
        time.sleep(5)
        raise AssertionError("the signal did not come")

    monkeypatch.setattr(builtins, "input", type_one_line)
    file = tmp_path / "games.jsonl"
    out = run(*PLAY, "--record", file)
    assert out.stderr.endswith(f"{file}: 1 game, the last one not ended\n")
    assert read_records(file)[0].moves[0].text == "pass"
    assert signal.getsignal(getattr(signal, name)) is before
