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
    socket, started, running, failed = bound("127.0.0.1", 0), threading.Event(), [], []
    server, address = Server(rooms), "127.0.0.1:{1}".format(*socket.getsockname())

    def run():
        try:
            server.serve(socket, lambda one: (running.append(one), started.set()))
        except BaseException as error:
            failed.append(error)
        started.set()

    thread = threading.Thread(target=run)
    with socket:
        thread.start()
        assert started.wait(WAIT)
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
        welcome: the first message.
        frames: all of this game, as far as they came over this link.
        number, step, choices, over, earned: of the table, as last told.
    """

    def __init__(self, address, key, number=-1, step=-1, **headers):
        self._link = connect(f"ws://{address}/table", open_timeout=WAIT, **headers)
        self.socket = self._link.__enter__()
        self.heard, self.welcome, self.frames, self.present = [], None, [], ()
        self.number, self.step, self.fresh = number, step, False
        self.choices, self.over, self.earned = None, False, None
        self.say(type="hello", key=key, number=number, step=step)

    @property
    def seat(self):
        return self.welcome["seat"]

    @property
    def turn(self):
        """The seat to move, -1 at the end."""
        return self.frames[-1]["scene"].get("turn", -1)

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def hear(self, timeout=WAIT):
        """The next message."""
        text = self.socket.recv(timeout)
        self.heard.append(text)
        message = json.loads(text)
        match message["type"]:
            case "welcome":
                self.welcome = message
            case "present":
                self.present = tuple(message["seats"])
            case "update":
                self._update(message["update"])
        return message

    def _update(self, update):
        frames = update.get("frames", [])
        if update["number"] != self.number or (frames and frames[0]["step"] == 0):
            self.frames = []
        self.frames += frames
        self.number, self.step, self.fresh = update["number"], update["step"], True
        self.choices, self.over = update.get("choices"), update.get("over", False)
        self.earned = update.get("earned")

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

    def settle(self, seats):
        """Listen until one of `seats` is to move, or the game is over."""
        while not (self.over or (self.fresh and self.turn in seats)):
            self.hear()

    def play(self, action):
        self.choices, self.fresh = None, False
        self.say(type="play", action=action, number=self.number, step=self.step)

    def refused(self, **message):
        """The sentence with which a message is answered."""
        self.say(**message)
        return self.until("sorry")["sentence"]

    def close(self):
        self._link.__exit__(None, None, None)


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


def first_choice(person):
    return next(iter(person.choices["actions"]))


def play_whole_game(people, pick=first_choice):
    """Let `people`, who have all seats that are not agents', play until the end."""
    while any(person.welcome is None for person in people):
        for person in people:
            person.hear()
    seats, mover = {person.seat: person for person in people}, people[0]
    while True:
        mover.settle(seats)
        if mover.over:
            break
        mover = seats[mover.turn]
        mover.ready()
        mover.play(pick(mover))
    for person in people:
        person.ready()
