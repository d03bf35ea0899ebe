"""How tests serve tables on loopback and speak with them as a browser does."""

import json
import threading
from contextlib import ExitStack, contextmanager

from websockets.sync.client import connect

from backroom.evaluate.tables.room import Room
from backroom.evaluate.tables.server import Server, bound

WAIT = 60
"""Seconds; no answer takes longer, even when rules are compiled first."""


@contextmanager
def served(*rooms):
    """The address of a server of `rooms`, such as 127.0.0.1:41234, while it runs."""
    socket, running, failed = bound("127.0.0.1", 0), [], []
    server, address = Server(rooms), "127.0.0.1:{1}".format(*socket.getsockname())

    def run():
        try:
            server.serve(socket, running.append)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run)
    with socket:
        thread.start()
        try:
            yield address
        finally:
            for one in running:
                one.should_exit = True
            thread.join(WAIT)
    assert not thread.is_alive() and not failed


class Person:
    """Somebody with a key, or without.

    Attributes:
        heard: all that was received, as text.
        number, step, choices: of the table, as last told.
    """

    def __init__(self, address, key, number=-1, step=-1, **headers):
        self.socket = connect(f"ws://{address}/table", open_timeout=WAIT, **headers)
        self.heard, self.frames, self.present, self.choices = [], [], (), None
        self.number, self.step, self.over, self.earned = number, step, False, None
        self.say(type="hello", key=key, number=number, step=step)

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def hear(self, timeout=WAIT):
        """The next message."""
        text = self.socket.recv(timeout)
        self.heard.append(text)
        message = json.loads(text)
        if message["type"] == "present":
            self.present = tuple(message["seats"])
        if message["type"] == "update":
            update = message["update"]
            frames = update.get("frames", [])
            if update["number"] != self.number or (frames and frames[0]["step"] == 0):
                self.frames = []
            self.frames += frames
            self.number, self.step = update["number"], update["step"]
            self.choices, self.over = update.get("choices"), update.get("over", False)
            self.earned = update.get("earned")
        return message

    def until(self, kind):
        """The next message of a type."""
        while True:
            message = self.hear()
            if message["type"] == kind:
                return message

    def ready(self):
        """Listen until it is this person's turn, or the game is over."""
        while not (self.choices or self.over):
            self.hear()

    def play(self, action):
        self.choices = None
        self.say(type="play", action=action, number=self.number, step=self.step)

    def refused(self, **message):
        """The sentence with which a message is answered."""
        self.say(**message)
        return self.until("sorry")["sentence"]

    def close(self):
        self.socket.close()


@contextmanager
def seated(*tables, **settings):
    """A room of each table, and a function that seats somebody: `sit(viewer, table=0, ...)`."""
    rooms = [Room(table, **{"pace": 0.0, **settings}) for table in tables]
    with served(*rooms) as address, ExitStack() as stack:

        def sit(viewer, table=0, **more):
            person = Person(address, rooms[table].keys[viewer], **more)
            stack.callback(person.close)
            return person

        sit.address, sit.rooms = address, rooms
        yield sit


def play_whole_game(people, pick=lambda person: next(iter(person.choices["actions"]))):
    """Let `people`, who have all seats that are not agents', play until the end."""
    while True:
        for person in people:
            while not (person.choices or person.over or _moved_on(person, people)):
                person.hear()
        movers = [person for person in people if person.choices]
        if all(person.over for person in people):
            return
        for person in movers:
            person.play(pick(person))


def _moved_on(person, people):
    """Whether another one is known to be on the move, so that `person` need not wait."""
    return any(other.choices for other in people if other is not person)
