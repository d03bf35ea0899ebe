"""Who may come in to a table: keys, greetings, other sites, and what else the server gives out."""

import asyncio
import http.client
import socket
import time

import pytest
from serving import Person, seated, served
from starlette.requests import HTTPConnection
from test_tables import table_of
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from backroom.evaluate.tables import page, room, server
from backroom.evaluate.tables.room import Room
from backroom.evaluate.tables.server import BURST, Bucket, Server, links


def closed(person):
    """Code and sentence with which the link is closed; nothing is said before."""
    with pytest.raises(ConnectionClosed) as error:
        person.socket.recv(30)
    return error.value.rcvd.code, error.value.rcvd.reason


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


def test_links_of_hosts():
    made = Room(table_of(spectated=True), spectated=True)
    made.keys = {0: "a", None: "b"}
    assert links(made, "::1", 7) == {0: "http://[::1]:7/#a", None: "http://[::1]:7/#b"}
    names = {name: links(made, name, 7)[0] for name in ("0.0.0.0", "127.0.0.1")}
    assert names == {
        "0.0.0.0": f"http://{socket.gethostname()}:7/#a",
        "127.0.0.1": "http://127.0.0.1:7/#a",
    }
