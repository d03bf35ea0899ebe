"""What people are told tells a seat nothing that it may not know."""

import copy
import json

import numba
import numpy as np
import pytest
from playing import ALL_VARIANTS, OWN, label, legal_mask, observed
from serving import play_whole_game, seated

from backroom.envs import configure
from backroom.envs.engine.game import redeal
from backroom.envs.engine.record import Who
from backroom.envs.the_gang.roster import SPECIALISTS
from backroom.evaluate.tables import server
from backroom.evaluate.tables.messages import TellBeliefs, TellHint, TellUpdate, encoded
from backroom.evaluate.tables.table import PERSON, Table, lay
from backroom.evaluate.viewer import frames
from backroom.evaluate.viewer.frames import kept_frame, plain

PLAIN = numba.config.DISABLE_JIT
DEFAULTS = [rules.configure() for rules in OWN.values()]
SOME = {
    "num_players": (2, 6),
    "num_games": (2,),
    "num_rounds": (2,),
    "mode": ("intermediate", "advanced", "expert"),
}
"""Options that change what seats know."""
WORLDS = DEFAULTS + [
    game
    for game in ALL_VARIANTS
    if game not in DEFAULTS
    and any(
        game.settings().get(name) in values
        and game.settings()[name] != game.rules.configure().settings()[name]
        for name, values in SOME.items()
    )
]
WORLDS += [
    configure("the_gang", mode="intermediate", cards_in_force=[name], episode="heist")
    for name in SPECIALISTS
]


def table_for_people(game, seed):
    """People at all seats, and hints."""
    table = Table(game, {}, [Who(name=PERSON)] * game.players, seed)
    table.hinter = lay(game).hinter
    return table


def in_another_world(table, seat, seed):
    """A copy of the table in which all that `seat` cannot know is dealt anew."""
    twin = copy.copy(table)
    twin._recorder = copy.copy(table._recorder)
    twin._recorder.state = table._recorder.state.copy()
    redeal(twin._recorder.state, seat, seed)
    twin._recorder._moves = list(table._recorder._moves)
    twin._frames = {viewer: list(seen) for viewer, seen in table._frames.items()}
    twin._offer()
    return twin


def told(table, seat, step, beliefs):
    """Bytes: all that can be sent to `seat` of the table as it is, and the frames after `step`."""
    said = [encoded(TellUpdate(table.update(seat, table.number, step)))]
    if beliefs:
        said.append(encoded(TellBeliefs(table.beliefs(seat)(), 0, 0)))
        if table.player == seat:
            said.append(encoded(TellHint(table.hint(seat)(), 0, 0)))
    return said


def begun_here(table, seat):
    """Bytes: what a table that began in this state would send to `seat` first."""
    fresh = copy.copy(table)
    fresh._frames = {seat: [frames.first_frame(table.game, table._recorder.state, seat, False)]}
    return encoded(TellUpdate(fresh.update(seat)))


@pytest.mark.parametrize("game", WORLDS, ids=label)
def test_traffic_is_the_same_in_all_worlds_that_a_seat_cannot_tell_apart(game):
    """Over whole games, byte by byte: updates, choices, hints and beliefs of every seat.

    Of a table as it lies: in any world that agrees with what the seat knows. Of a move: in all
    worlds in which it can be played and the seat observes the same after it.
    """
    chance, compared = np.random.default_rng(1), 0
    table = table_for_people(game, 5)
    for move in range(60 if PLAIN else 400):
        beliefs = not (PLAIN and (game.name == "caribbean_poker" or move % 10))
        steps = {seat: table.update(seat).step for seat in table.people}
        worlds = {
            seat: in_another_world(table, seat, int(chance.integers(2**62)))
            for seat in table.people
        }
        for seat, twin in worlds.items():
            assert begun_here(twin, seat) == begun_here(table, seat)
            assert told(twin, seat, -1, beliefs) == told(table, seat, -1, beliefs)
        if table.over:
            break
        action = int(chance.choice(np.flatnonzero(legal_mask(game, table._recorder.state))))
        mover = table.player
        table._carry(action)
        for seat, twin in worlds.items():
            if not legal_mask(game, twin._recorder.state)[action]:
                continue
            twin._carry(action)
            same = (
                observed(game, twin._recorder.state, seat).tobytes()
                == observed(game, table._recorder.state, seat).tobytes()
            )
            if same and not table.over:
                assert told(twin, seat, steps[seat], False) == told(table, seat, steps[seat], False)
                compared += seat != mover
    assert compared > 5 or game.name in ("kuhn", "caribbean_poker")  # most moves turn up cards


@pytest.mark.parametrize(
    "game",
    [
        *DEFAULTS,
        configure("the_gang", mode="advanced"),
        configure("caribbean_poker", num_players=3),
    ],
    ids=label,
)
def test_all_traffic_of_a_seat_follows_from_its_own_record(game, monkeypatch):
    """A whole game over websockets: each byte is in the record that is cut to the seat, or public.

    So that it holds no more than what this seat may know is what the tests of records say.
    """
    monkeypatch.setattr(server, "RATE", 1e6)  # these people are quicker than people
    people = sorted({0, game.players - 1})
    table = lay(game, people, ["random"] if len(people) < game.players else (), 7)
    chance = np.random.default_rng(3)
    with seated(table) as sit:
        seats = [sit(seat) for seat in people]
        play_whole_game(seats, lambda one: str(chance.choice(sorted(one.choices["actions"]))))
        keys = [key for key in sit.rooms[0].keys.values()]
    for person in seats:
        record = table.seat_record(person.seat)()
        views = [kept_frame(game, k, view, person.seat) for k, view in enumerate(record.views)]
        assert person.frames == [json.loads(json.dumps(plain(view))) for view in views]
        assert person.earned == record.earned
        offered = 0
        for text in person.heard:
            message = json.loads(text)
            match message["type"]:
                case "welcome":
                    assert message.keys() == {
                        *("type", "title", "game", "names", "people", "seat", "hints")
                    }
                    assert message["names"] == list(record.agents)
                case "present":
                    assert message.keys() == {"type", "seats"}
                case "update":
                    update = message["update"]
                    assert message.keys() == {"type", "update"}
                    own = {"number", "step", "frames", "choices", "over", "earned"}
                    assert update.keys() <= own
                    offered += "choices" in update
                case other:
                    raise AssertionError(f"{other} was not asked for")
        assert offered == sum(frame.move is not None for frame in views)
        for secret in (*keys, "seed", "hash", "weights", table.records()[0].hash):
            assert not any(secret in text for text in person.heard)


def test_a_leak_would_be_noticed(monkeypatch):
    """The same test fails at a table that shows one card too many."""
    real = frames.first_frame
    monkeypatch.setattr(
        frames, "first_frame", lambda game, s, viewer, more: real(game, s, None, more)
    )
    with pytest.raises(AssertionError):
        test_traffic_is_the_same_in_all_worlds_that_a_seat_cannot_tell_apart(
            configure("cockroach_poker")
        )
