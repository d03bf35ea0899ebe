"""Tables over real websockets on loopback: what people say, and what they are answered."""

import asyncio
import http.client
import json
import signal
import subprocess
import sys
import threading
import time

import pytest
from command import PLAIN, ROOT
from serving import Person, play_whole_game, seated, served
from starlette.requests import HTTPConnection
from test_tables import KUHN, table_of
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from backroom.agents import RandomAgent
from backroom.envs.engine.record import Record, Who, parse
from backroom.evaluate.tables import page, room, server
from backroom.evaluate.tables.room import Room
from backroom.evaluate.tables.server import BURST, Bucket, Server, links
from backroom.evaluate.tables.table import Table


def closed(person):
    """Code and sentence with which the link is closed; nothing is said before."""
    with pytest.raises(ConnectionClosed) as error:
        person.socket.recv(30)
    return error.value.rcvd.code, error.value.rcvd.reason


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
        assert parse(told["line"]) == table.seat_record(0)
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


def test_only_a_key_opens_a_table():
    with seated(table_of()) as sit:
        for key in ("", "x" * 32, sit.rooms[0].keys[0][:-1], sit.rooms[0].keys[0] + "x", "ü"):
            code, reason = closed(Person(sit.address, key))
            assert code == server.BAD_KEY
            assert reason == "this link opens no table here; ask the host for yours"


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ('{"type":"play","action":"bet","number":0,"step":0}', server.BAD_KEY),
        ("hello", server.BAD_KEY),
        ("[" * 2000, server.BAD_KEY),
        (b"bytes", server.BAD_KEY),
        ('{"type":"hello","key":"' + "x" * 201 + '"}', server.BAD_KEY),
    ],
)
def test_a_link_begins_with_a_greeting(first, code):
    with served(Room(table_of())) as address, connect(f"ws://{address}/table") as socket:
        socket.send(first)
        with pytest.raises(ConnectionClosed) as error:
            socket.recv(30)
        assert error.value.rcvd.code == code


def test_who_says_nothing_is_let_go(monkeypatch):
    monkeypatch.setattr(server, "GREETING", 0.2)
    with served(Room(table_of())) as address, connect(f"ws://{address}/table") as socket:
        with pytest.raises(ConnectionClosed) as error:
            socket.recv(30)
        assert error.value.rcvd.code == server.SILENT


def test_not_too_many_stand_at_the_door(monkeypatch):
    monkeypatch.setattr(server, "STRANGERS", 2)
    with seated(table_of()) as sit:
        door = f"ws://{sit.address}/table"
        with connect(door), connect(door):
            time.sleep(0.2)
            with connect(door) as late, pytest.raises(ConnectionClosed) as error:
                late.recv(30)
            assert error.value.rcvd.code == server.CROWDED
            assert error.value.rcvd.reason == "too many are at the door; try again later"
        time.sleep(0.2)
        sit(0).ready()


def test_keys_cannot_be_guessed(monkeypatch):
    """192 random bits each, compared with all keys in a time that tells nothing."""
    rooms = [Room(table_of((0, 1)), spectated=False) for _ in range(20)]
    keys = [key for one in rooms for key in one.keys.values()]
    assert len(set(keys)) == 40 and min(map(len, keys)) >= 32
    compared = []
    monkeypatch.setattr(room.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or a == b)
    for given in (keys[0], keys[1], "x"):
        compared.clear()
        assert rooms[0].opened_by(given) == [k for k in (0, 1) if given == keys[k]]
        assert [own for own, _ in compared] == [keys[0].encode(), keys[1].encode()]


def test_a_seat_is_open_in_a_few_windows_only():
    with seated(table_of()) as sit:
        windows = [sit(0) for _ in range(room.LINKS)]
        for window in windows:
            window.ready()
        code, reason = closed(sit(0))
        assert code == server.CROWDED and "close one of them" in reason
        windows[0].close()
        while True:  # until the server has noticed
            late = sit(0)
            try:
                late.ready()
            except ConnectionClosed:
                continue
            break


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


def test_too_long_a_message_ends_the_link():
    with seated(table_of()) as sit:
        person = sit(0)
        person.ready()
        person.socket.send("x" * 100_000)
        assert closed(person)[0] == 1009
        sit(0).ready()


def test_a_flood_ends_the_link():
    with seated(table_of()) as sit:
        person = sit(0)
        person.ready()
        with pytest.raises(ConnectionClosed) as error:
            for _ in range(3 * int(BURST)):
                person.say(type="beliefs")
            while True:
                person.hear()
        assert error.value.rcvd.code == server.FLOOD
        assert error.value.rcvd.reason == "too many messages at once"
        sit(0).ready()


def test_the_bucket_fills_again():
    now = [0.0]
    bucket = Bucket(lambda: now[0])
    assert [bucket.take() for _ in range(int(BURST) + 1)] == [True] * int(BURST) + [False]
    now[0] += 1 / server.RATE
    assert bucket.take() and not bucket.take()


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
        assert sentence == "the game cannot go on, an agent has failed: out of memory"
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


# Browsers and other sites


def get(address, path, host=None):
    connection = http.client.HTTPConnection(address)
    connection.request("GET", path, headers={"Host": host or address})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_the_page_and_nothing_else_is_served():
    with served(Room(table_of())) as address:
        for path, kind in {
            "/": "text/html",
            **{f"/web/{n}": k for n, k in page.FILES.items()},
        }.items():
            answer, body = get(address, path)
            assert answer.status == 200 and answer.getheader("Content-Type").startswith(kind)
            assert body
            for name, value in page.HEADERS.items():
                assert answer.getheader(name) == value
            assert answer.getheader("Server") is None
        for path in ("/web/nothing.js", "/web/..%2f__init__.py", "/web/%2e%2e/table.py", "/docs"):
            assert get(address, path)[0].status == 404


def test_the_pages_files_need_nothing_that_is_not_served():
    for name in page.FILES:
        text = page.content(name).decode()
        for line in text.splitlines():
            if line.startswith("import ") or line.startswith('} from "'):
                assert line.split('"')[1].removeprefix("./") in page.FILES
        for word in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("):
            assert word not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[", ""]
)
def test_foreign_names_for_this_server_are_refused(host):
    """A name that another site has made lead here is no way in."""
    with seated(table_of()) as sit:
        answer, _ = get(sit.address, "/", host or " ")
        assert answer.status in (400, 403)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://{}", True),
        ("https://{}", True),
        ("http://evil.example", False),
        ("http://127.0.0.1:1", False),
        ("http://{}.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_other_sites_cannot_open_a_link(origin, allowed):
    with seated(table_of()) as sit:
        headers = {"additional_headers": {"Origin": origin.format(sit.address)}}
        if allowed:
            sit(0, **headers).ready()
        else:
            with pytest.raises(InvalidStatus) as error:
                sit(0, **headers)
            assert error.value.response.status_code == 403


def test_a_name_of_its_own_is_allowed():
    ours = Server([], "games.lan")
    for host, known in {
        "games.lan": True,
        "GAMES.lan:8000": True,
        "localhost:1": True,
        "[::1]:80": True,
        "10.0.0.7": True,
        "games.lan.evil": False,
        "": False,
    }.items():
        scope = {"type": "http", "headers": [(b"host", host.encode())]}
        assert ours._is_ours(HTTPConnection(scope)) is known


def test_a_server_that_is_stopped_ends_its_tasks():
    async def run():
        ours = Server([Room(table_of())])
        async with ours._life(ours.app):
            before = len(asyncio.all_tasks())
        assert len(asyncio.all_tasks()) == before - 1

    asyncio.run(run())


# The command


def test_the_command_serves_and_writes_the_record(tmp_path):
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
        person.settle({0})
        person.close()
        process.send_signal(signal.SIGINT)
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


def test_links_of_hosts():
    made = Room(table_of(spectated=True), spectated=True)
    made.keys = {0: "a", None: "b"}
    assert links(made, "::1", 7) == {0: "http://[::1]:7/#a", None: "http://[::1]:7/#b"}
