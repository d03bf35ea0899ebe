"""Tables over real websockets on loopback: what people say, and what they are answered."""

import json
import signal
import subprocess
import sys
import threading
import time

import pytest
from command import PLAIN, ROOT
from serving import Person, play_whole_game, seated
from test_tables import KUHN, table_of

from backroom.agents import RandomAgent
from backroom.envs.engine.record import Record, Who, parse
from backroom.evaluate.tables.server import links
from backroom.evaluate.tables.table import Table


def test_a_whole_game_and_another_one():
    table = table_of()
    with seated(table) as sit:
        person = sit(0)
        assert person.hear() == {
            "type": "welcome",
            "title": "Kuhn poker",
            "game": "kuhn_v0",
            "names": ["person", "always"],
            "people": [0],
            "seat": 0,
            "hints": None,
        }
        assert person.hear() == {"type": "present", "seats": [0]}
        person.ready()
        person.play("check")
        person.ready()
        assert [f.get("events") for f in person.frames[1:]] == [
            ["player_0 checks"],
            ["player_1 bets"],
        ]
        person.play("fold")
        person.ready()
        assert person.over and person.earned == -1
        person.say(type="record")
        told = person.until("record")
        assert told["name"] == "kuhn-seat-0-game-1.jsonl"
        assert parse(told["line"]) == table.seat_record(0)()
        person.say(type="again")
        while person.number == 0:
            person.hear()
        assert person.step == 0 and not person.over and person.choices
    assert len(table.finished) == 1


def test_two_people_at_one_table():
    with seated(table_of((0, 1))) as sit:
        one, two = sit(0), sit(1)
        while one.present != (0, 1) or two.present != (0, 1):
            (one if one.present != (0, 1) else two).hear()
        one.ready()
        assert two.refused(type="play", action="bet", number=0, step=0) == (
            "it is the turn of player_0, not yours"
        )
        one.play("bet")
        two.ready()
        two.play("call")
        for person in (one, two):
            person.ready()
        assert one.over and two.over and one.earned == -two.earned
        two.close()
        while one.present != (0,):
            one.hear()


def test_whoever_comes_back_is_told_the_rest():
    with seated(table_of((0, 1))) as sit:
        one, two = sit(0), sit(1)
        one.ready()
        one.play("check")
        two.ready()
        one.close()
        two.play("bet")
        back = sit(0, number=one.number, step=0)
        back.ready()
        assert [frame["step"] for frame in back.frames] == [1, 2]
        assert sorted(back.choices["actions"]) == ["bet", "pass"]
        other = sit(0, number=3, step=2)  # of a game that is not this one
        other.ready()
        assert [frame["step"] for frame in other.frames] == [0, 1, 2]
        nothing_new = sit(0, number=0, step=2)
        nothing_new.ready()
        assert nothing_new.frames == [] and nothing_new.choices == back.choices


def test_a_move_made_twice_is_made_once():
    table = table_of((0, 1))
    with seated(table) as sit:
        one, again = sit(0), sit(0)
        for person in (one, again):
            person.ready()
        one.play("check")
        again.settle({1})
        sentence = again.refused(type="play", action="check", number=0, step=0)
        assert sentence == "it is the turn of player_1, not yours"
        assert len(table.records()[0].moves) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "{}",
        '{"type":"cheat"}',
        '{"type":"play","action":"bet"}',
        '{"type":"play","action":"bet","number":0,"step":"0"}',
        '{"type":"play","action":"bet","number":0,"step":1e9999}',
        '{"type":"play","action":"bet","number":0,"step":-7}',
        '{"type":"play","action":7,"number":0,"step":0}',
        '{"type":"play","action":"bet","number":0,"step":0,"seat":1}',
        '{"type":"play","action":"' + "x" * 201 + '","number":0,"step":0}',
        '{"type":"hint","seat":1}',
        "[" * 4000,
    ],
)
def test_what_is_not_understood_is_refused(text):
    with seated(table_of()) as sit:
        person = sit(0)
        person.ready()
        person.socket.send(text)
        assert person.until("sorry")["sentence"] == "this message is not understood"
        person.socket.send(b"\x00")
        assert person.until("sorry")["sentence"] == "a message is text, not bytes"
        person.play("bet")
        person.ready()


def test_a_second_greeting_is_refused():
    with seated(table_of()) as sit:
        person = sit(0)
        assert person.refused(type="hello", key=sit.rooms[0].keys[0]) == "the greeting is over"


def test_spectators_see_all_and_do_nothing():
    table = table_of(spectated=True)
    with seated(table, spectated=True) as sit:
        person, spectator = sit(0), sit(None)
        person.ready()
        while not spectator.frames:
            spectator.hear()
        assert "?" not in spectator.frames[0]["table"]
        for kind, sentence in {
            "again": "a spectator sees all and decides nothing",
            "skip": "a spectator sees all and decides nothing",
            "hint": "a spectator sees all and plays nothing",
            "record": "a spectator has no seat; the whole record is the host's",
        }.items():
            assert spectator.refused(type=kind) == sentence
        assert spectator.refused(type="play", action="bet", number=0, step=0) == (
            "a spectator sees all and plays nothing"
        )


def test_no_spectators_unless_they_are_asked_for():
    with seated(table_of()) as sit:
        assert list(sit.rooms[0].keys) == [0]
        assert list(links(sit.rooms[0], "127.0.0.1", 80)) == [0]


def test_hints_and_beliefs():
    with seated(table_of(hinter=RandomAgent(KUHN, 0))) as sit:
        person = sit(0)
        person.ready()
        person.say(type="hint")
        told = person.until("hint")
        assert told["hint"] == {"agent": "random", "odds": [["pass", 0.5], ["bet", 0.5]]}
        assert (told["number"], told["step"]) == (0, 0)
        person.say(type="beliefs")
        assert person.until("beliefs") == {"type": "beliefs", "panels": [], "number": 0, "step": 0}
        person.play("bet")
        person.ready()
        assert person.refused(type="hint") == "the game is over"


def test_pauses_can_be_skipped():
    with seated(table_of(), pace=30.0) as sit:
        person = sit(0)
        person.ready()
        began = time.monotonic()
        person.play("check")
        while person.step < 1:
            person.hear()
        with pytest.raises(TimeoutError):
            person.hear(timeout=0.3)
        person.say(type="skip")
        person.ready()
        assert time.monotonic() - began < 20


class Slow(RandomAgent):
    """Thinks until it may go on."""

    name = "slow"

    def __init__(self, game):
        super().__init__(game)
        self.go = threading.Event()

    def act(self, observations, masks, players):
        assert self.go.wait(60)
        return super().act(observations, masks, players)


def test_the_server_answers_while_an_agent_thinks():
    slow = Slow(KUHN)
    who = [Who(name="person"), Who(name="slow")]
    with seated(Table(KUHN, {1: slow}, who), table_of((0, 1))) as sit:
        person, other = sit(0), sit(0, table=1)
        try:
            person.ready()
            person.play("check")
            assert person.refused(type="again").startswith("this game is not over")
            other.ready()
            other.play("bet")
            other.settle({1})
            assert not person.choices
        finally:
            slow.go.set()
        person.ready()


class Broken(RandomAgent):
    def act(self, observations, masks, players):
        raise RuntimeError("out of memory")


def test_an_agent_that_fails_is_reported(caplog):
    table = Table(KUHN, {1: Broken(KUHN)}, [Who(name="person"), Who(name="broken")])
    with seated(table) as sit:
        person = sit(0)
        person.ready()
        person.play("check")
        sentence = person.until("sorry")["sentence"]
        assert sentence == "the game cannot go on: the agent of player_1 has failed"
        late = sit(0)  # whoever comes later is told too
        assert late.until("sorry")["sentence"] == sentence
    assert "RuntimeError: out of memory" in caplog.text


def test_a_hint_that_fails_is_reported(caplog):
    with seated(table_of(hinter=Broken(KUHN))) as sit:
        person = sit(0)
        person.ready()
        assert person.refused(type="hint") == "this has failed, through no fault of yours"
        person.play("bet")
        person.ready()
    assert "RuntimeError: out of memory" in caplog.text


def test_finished_games_are_handed_to_the_host():
    ended = []
    with seated(table_of((0, 1)), finished=lambda table: ended.append(table.records())) as sit:
        people = [sit(0), sit(1)]
        play_whole_game(people)
        people[0].say(type="again")
        people[0].over = False
        people[0].ready()
    assert [len(records) for records in ended] == [1]


def test_a_record_that_cannot_be_written_stops_no_game(caplog):
    def fail(table):
        raise OSError("no room left")

    with seated(table_of((0, 1)), finished=fail) as sit:
        people = [sit(0), sit(1)]
        play_whole_game(people)
        people[0].say(type="again")
        for person in people:
            person.over = False
        play_whole_game(people)
    assert "no room left" in caplog.text


@pytest.mark.parametrize(
    "ending",
    [signal.SIGINT, signal.SIGTERM, signal.SIGHUP],
    ids=["ctrl-c", "ended", "window closed"],
)
def test_the_command_serves_and_writes_the_record(tmp_path, ending):
    """Up to the end of one game and into the next, then Ctrl-C."""
    record = tmp_path / "games.jsonl"
    command = "play kuhn --port 0 --no-open --seed 3 --pace 0 --record".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "backroom.train", *command, str(record)],
        cwd=ROOT,
        env=PLAIN,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "Kuhn poker, player_1 is ppo-1\n"
        seat, link = process.stdout.readline().split()
        assert seat == "player_0" and link.startswith("http://127.0.0.1:")
        address, key = link.removeprefix("http://").split("/#")
        person = Person(address, key)
        play_whole_game([person])
        first = [Record.from_json(line) for line in record.read_text().splitlines()]
        assert len(first) == 1
        person.say(type="again")
        person.over = False
        person.ready()
        person.play("bet")
        person.ready()
        person.close()
        process.send_signal(ending)
        _, told = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, told
    assert f"{record}: 2 games" in told
    records = [Record.from_json(line) for line in record.read_text().splitlines()]
    assert records[0] == first[0]
    for one in records:
        one.verify()
    assert json.dumps(key) not in record.read_text()


def test_agents_wait_until_somebody_is_there():
    table = table_of((1,))
    with seated(table) as sit:
        time.sleep(0.3)
        assert table.records() == []
        person = sit(1)
        person.ready()
        assert person.step == 1
