"""A record that is not the game is refused."""

import json

import msgspec
import numpy as np
import pytest

from backroom.envs import configure
from backroom.envs.engine.record import (
    Move,
    Record,
    RecordError,
    Who,
    parse,
)
from backroom.envs.engine.recorder import Recorder


def changed(record, **changes):
    return msgspec.structs.replace(record, **changes)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": 8}, "hash"),
        ({"deal": {"deck": "K Q J"}}, "hash"),
        ({"deal": {"deck": "K K K"}}, "cannot be dealt: a deal of kuhn"),
        ({"deal": {"board": "2c"}}, "cannot be dealt"),
        ({"seed": -1}, "cannot be dealt: a seed is"),
        ({"seed": 2**64}, "cannot be dealt: a seed is"),
        ({"options": {"num_players": 2}}, "has no option 'num_players'; it has none at all"),
        ({"game": "kuhn_v1"}, "of kuhn version 1, these are the rules of kuhn_v0"),
        ({"game": "skat_v0"}, "there is no game 'skat'"),
        ({"game": "kuhn"}, "a name and a version, NAME_vN, not 'kuhn'"),
        ({"game": "x"}, "a name and a version, NAME_vN, not 'x'"),
        ({"game": ""}, "a name and a version, NAME_vN, not ''"),
        ({"game": "_v0"}, "a name and a version, NAME_vN, not '_v0'"),
        ({"agents": (Who(name="a"),)}, "1 agent for 2 seats"),
        ({"returns": (2.0, -2.0)}, r"returned \[1.0, -1.0\], not \[2.0, -2.0\]"),
        ({"returns": (1.0,)}, "1 return for 2 seats"),
        ({"returns": (1.0, -1.0, 0.0)}, "3 returns for 2 seats"),
        ({"hash": "0" * 64}, "hash"),
        ({"moves": (Move(action=1, text="bet"),)}, "returned"),
        ({"moves": (Move(action=0, text="pass"), Move(action=0, text="pass"))}, "hash|returned"),
        ({"moves": (Move(action=1, text="pass"),)}, "move 1: action 1 is 'bet', not 'pass'"),
        ({"moves": (Move(action=2, text="raise"),)}, "move 1: player_0 may not play action 2"),
        ({"moves": (Move(action=-1, text="bet"),)}, "no whole record: .*moves"),
        (
            {"moves": tuple(Move(action=0, text="pass") for _ in range(3))},
            "move 3 comes after the end",
        ),
        (
            {"moves": (Move(action=1, text="bet", probabilities={"raise": 1}),)},
            "move 1: there is no action 'raise'",
        ),
        *(
            ({"moves": (Move(action=1, text="bet", probabilities=shares),)}, "no distribution")
            for shares in (
                {"pass": -0.5, "bet": 1.5},
                {"pass": 0.5, "bet": 0.4},
                {"bet": 1.01},
                {"bet": 1e308, "pass": 1e308},
                {"bet": 0.0},
                {},
            )
        ),
    ],
)
def test_altered_record_is_refused(kuhn, changes, sentence):
    altered = changed(kuhn, **changes)
    with pytest.raises(RecordError, match=sentence):
        Record.from_json(altered.to_json()).verify()


def test_action_that_is_not_legal_now_is_refused():
    """To call, before any card has been offered."""
    game = configure("cockroach_poker")
    table = Recorder(game, 7)
    call = game.numbers["call true"]
    moved = changed(table.record(), moves=(Move(action=call, text="call true"),))
    for check in (moved.verify, moved.last, lambda: list(moved.states())):
        with pytest.raises(RecordError, match=rf"move 1: player_\d may not play action {call}"):
            check()


def test_dropped_last_move_that_changes_no_return_is_noticed():
    """A record that was cut short is no record of an unfinished game."""
    table = Recorder(configure("kuhn"), 7)
    table.play(0)
    table.play(1)
    whole = table.record()
    cut = changed(whole, moves=whole.moves[:1])
    assert cut.returns == (0, 0)
    with pytest.raises(RecordError, match="hash"):
        cut.verify()


def test_odds_that_are_no_numbers_are_refused(kuhn):
    odds = {"pass": float("nan"), "bet": 1.0}
    move = Move(action=1, text="bet", probabilities=odds)
    with pytest.raises(RecordError, match="move 1: the probabilities are no distribution"):
        changed(kuhn, moves=(move, *kuhn.moves[1:])).verify()


@pytest.mark.parametrize("odds", [[0.5, 0.4], [1.5, -0.5], [np.nan, 1], [1], [[0.5, 0.5]]])
def test_odds_are_checked_when_they_are_written(odds):
    table = Recorder(configure("kuhn"), 7)
    with pytest.raises(ValueError, match="player_0 are no distribution over its legal actions"):
        table.play(1, np.array(odds))
    assert not table.record().moves
    offers = Recorder(configure("cockroach_poker"), 7)
    even = np.full(len(offers.game.actions), 1 / len(offers.game.actions))
    with pytest.raises(ValueError, match="no distribution over its legal actions"):
        offers.play(int(offers.mask().argmax()), even)


@pytest.mark.parametrize("seat", [2, 7, -1])
def test_a_seat_record_of_no_seat_is_refused(kuhn, seat):
    line = msgspec.structs.replace(kuhn.seen_by(0), seat=seat).to_json()
    with pytest.raises(RecordError, match=f"no whole record: seat is one of 0, 1, not {seat}"):
        parse(line)


def test_torn_lines_are_refused(kuhn):
    line = kuhn.to_json()
    for end in range(len(line)):
        with pytest.raises(RecordError):
            Record.from_json(line[:end])


def test_no_damage_is_an_accident(kuhn):
    """With any one character changed, a record is refused or says the same game."""
    line = kuhn.to_json()
    same = 0
    for place in range(len(line)):
        for letter in '9"x\\':
            damaged = line[:place] + letter + line[place + 1 :]
            try:
                record = Record.from_json(damaged)
                record.verify()
            except RecordError as error:
                assert str(error)
                continue
            same += 1
            assert record.hash == kuhn.hash
            assert [m.action for m in record.moves] == [1, 0]
    assert same < 200  # names, weights, suite, probabilities and values cannot be checked


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"7",
        b"[]",
        b"{}",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xfe{",
        b'["kuhn_v0", "00", [1, 0]]',
        b"[" * 100_000,
        b'{"schema": 1' + b"}" * 9,
    ],
)
def test_foreign_lines_are_refused(line):
    with pytest.raises(RecordError, match="no whole record"):
        parse(line)


def test_other_schema_is_refused(kuhn):
    newer = json.loads(kuhn.to_json()) | {"schema": 2, "something": "new"}
    with pytest.raises(RecordError, match="written in schema 2; this is schema 1"):
        Record.from_json(json.dumps(newer))


def test_unknown_fields_are_refused(kuhn):
    with pytest.raises(RecordError, match="no whole record"):
        Record.from_json(json.dumps(json.loads(kuhn.to_json()) | {"note": "hello"}))
