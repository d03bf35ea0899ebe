"""Files of many records: listed, filtered and opened by number; what is none is refused."""

import json
import time

import msgspec
import pytest
from command import refused, run
from playing import legal_mask, observed, recorded

from backroom.agents import load
from backroom.envs import configure
from backroom.envs.engine.record import Record, RecordError, SeatRecord, parse
from backroom.envs.engine.record_file import (
    RecordFile,
    Wanted,
    read_records,
    verify_file,
    write_records,
)
from backroom.envs.engine.recorder import play_game
from backroom.evaluate.match import play_match


@pytest.fixture
def mixed(tmp_path):
    """Two games of Kuhn poker, one of Cockroach Poker, and what a seat saw of that one."""
    kuhn, cockroach = configure("kuhn"), configure("cockroach_poker")
    counting = [load("counting", cockroach), load("random", cockroach), load("honest", cockroach)]
    last = play_game(cockroach, counting, 3)
    path = tmp_path / "mixed.jsonl"
    write_records(path, [recorded(kuhn, 7), recorded(kuhn, 8), last, last.seen_by(1)])
    return path


def test_any_game_is_opened_by_its_number(mixed):
    file = RecordFile(mixed)
    assert len(file) == 4
    records = [file.read(number) for number in range(4)]
    assert [parse(line) for line in mixed.read_bytes().splitlines()] == records
    assert isinstance(records[3], SeatRecord)
    for number in (-1, 4):
        with pytest.raises(ValueError, match=f"holds games 0 to 3, not {number}"):
            file.read(number)


def test_entries_say_what_records_say(mixed):
    file = RecordFile(mixed)
    for entry in file.entries():
        record = file.read(entry.number)
        assert entry.game == record.game
        if isinstance(record, Record):
            assert entry.agents == tuple(who.name for who in record.agents)
            assert (entry.moves, entry.returns) == (len(record.moves), record.returns)
            assert entry.seat is None
        else:
            assert entry.agents == record.agents
            assert entry.returns == (None, record.earned, None)
            assert (entry.moves, entry.seat) == (len(record.views) - 1, 1)


def test_empty_lines_are_no_games(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    path.write_text(f"\n{kuhn.to_json()}\n\n  \n{kuhn.to_json()}")
    assert [entry.number for entry in RecordFile(path).entries()] == [0, 1]
    assert RecordFile(path).read(1) == kuhn


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted(), [0, 1, 2, 3]),
        (Wanted(game="kuhn"), [0, 1]),
        (Wanted(game="kuhn_v0"), [0, 1]),
        (Wanted(game="kuh"), []),
        (Wanted(agents=("counting",)), [2, 3]),
        (Wanted(agents=("random", "honest")), [2, 3]),
        (Wanted(agents=("random", "clock")), []),
        (Wanted(moves=(4, 1000)), [2, 3]),
        (Wanted(moves=(0, 3)), [0, 1]),
        (Wanted(earned=(2, 9)), []),
        (Wanted(earned=(-1, -1), game="cockroach_poker", agents=()), [2, 3]),
    ],
)
def test_games_are_filtered(mixed, wanted, found):
    entries = list(RecordFile(mixed).entries())
    if wanted.earned == (-1, -1):  # a loser, whom the seat's own record may not name
        found = [e.number for e in entries if e.game.startswith("cock") and -1 in e.returns]
        assert 2 in found
    assert [entry.number for entry in entries if wanted(entry)] == found


def test_earnings_are_those_of_the_agent_that_is_asked_for(mixed):
    entry = list(RecordFile(mixed).entries())[2]
    for name, earned in zip(entry.agents, entry.returns, strict=True):
        assert Wanted(agents=(name,), earned=(earned, earned))(entry)
        assert not Wanted(agents=(name,), earned=(earned + 0.1, 9))(entry)


def test_thousands_of_games_are_listed_at_once(tmp_path):
    """Ten thousand games: to open one or to list all takes no replay."""
    lines = [recorded(configure("kuhn"), seed).to_json() + "\n" for seed in range(10)]
    path = tmp_path / "many.jsonl"
    path.write_text("".join(lines * 1000))
    begin = time.perf_counter()
    file = RecordFile(path)
    assert file.read(9_999).seed == 9
    opened = time.perf_counter()
    assert sum(entry.moves == 3 for entry in file.entries()) == 1000 * sum(
        len(json.loads(line)["moves"]) == 3 for line in lines
    )
    assert opened - begin < 2
    assert time.perf_counter() - opened < 5


PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
OTHERS = {
    "a picture": (PICTURE, "is no file of records: those are lines of JSON"),
    "text": (b"dear diary\n\n" * 9, "is no file of records: those are lines of JSON"),
    "a list": (b"[1, 2]\n[3]\n", "is no file of records: those are lines of JSON"),
    "nothing": (b"", "holds no record"),
    "blanks": (b"\n \n\n", "holds no record"),
}


@pytest.mark.parametrize("content", OTHERS)
def test_what_is_no_file_of_records_gets_one_sentence(tmp_path, content):
    data, sentence = OTHERS[content]
    path = tmp_path / "games.jsonl"
    path.write_bytes(data)
    for read in (RecordFile, read_records, verify_file):
        with pytest.raises(RecordError, match=sentence):
            read(path)
    for command in (("watch",), ("records",), ("verify",)):
        code = 1 if command == ("verify",) else 2
        assert refused(*command, path, code=code) == f"{path} {sentence}"
    assert refused("export", path, tmp_path / "x.html") == f"{path} {sentence}"
    assert not (tmp_path / "x.html").exists()


def test_a_line_that_is_no_record_is_named(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    future = json.dumps(json.loads(kuhn.to_json()) | {"schema": 9, "moves": "encoded"})
    old = json.dumps(json.loads(kuhn.to_json()) | {"schema": 0})
    for line, sentence in (
        (kuhn.to_json()[:-9], "line 2: this is no whole record"),
        ('{"name": "skat"}', "line 2: this is no whole record"),
        (future, "line 2: the record is written in schema 9; this is schema 1: a newer suite"),
        (old, "line 2: the record is written in schema 0; this is schema 1: no suite reads it"),
    ):
        path.write_text(f"{kuhn.to_json()}\n{line}\n")
        file = RecordFile(path)
        assert file.read(0) == kuhn
        with pytest.raises(RecordError, match=sentence):
            file.read(1)
        with pytest.raises(RecordError, match=sentence):
            list(file.entries())
        good, wrong = verify_file(path)
        assert good == 1 and len(wrong) == 1 and sentence in wrong[0]


def test_a_seat_record_without_a_deal_is_refused(kuhn):
    cut = msgspec.structs.replace(kuhn.seen_by(0), views=())
    with pytest.raises(RecordError, match="it has no views"):
        parse(cut.to_json())


def test_records_command(mixed):
    text = run("records", mixed).stdout
    assert "4 of 4 games" in text and "cockroach_poker_v0" in text and "seen by seat 1" in text
    assert "1 of 4 games" in run("records", mixed, "--agents", "counting", "--moves", "1:",
                                 "--rules", "cockroach_poker", "--earned", "0.1:0.5",
                                 "--limit", "1").stdout  # fmt: skip
    found = json.loads(run("records", mixed, "--rules", "kuhn", "--json").stdout)
    assert (found["games"], found["found"]) == (4, 2)
    assert [entry["number"] for entry in found["list"]] == [0, 1]
    assert "first 1 are listed" in run("records", mixed, "--limit", "1").stdout
    assert refused("records", mixed, "--moves", "many") == (
        "--moves is LOW:HIGH, LOW: or :HIGH, not 'many'"
    )
    assert refused("records", mixed, "--moves", "5:1") == (
        "--moves goes from low to high, as 1:5, not '5:1'"
    )
    assert "0 of 4 games" in run("records", mixed, "--agents", "nobody").stdout


def test_no_file_is_exported_onto_itself(mixed):
    before = mixed.read_bytes()
    assert refused("export", mixed, mixed, "--game", "0").endswith("write into another")
    assert mixed.read_bytes() == before


def test_the_schema_is_printed():
    found = json.loads(run("records", "--schema").stdout)
    fields = found["$defs"]["Record"]
    assert set(fields["required"]) >= {"game", "seed", "agents", "moves", "returns", "hash"}
    assert "SeatRecord" in found["$defs"]


def test_odds_and_values_are_recorded_in_matches(tmp_path):
    """They are what the agents say of the positions, and change nothing of the games."""
    game = configure("kuhn")
    plain = play_match(game, ["ppo-1", "random"], 6, 3, keep=True)
    told = play_match(game, ["ppo-1", "random"], 6, 3, keep=True, think=True)
    agents = {"ppo-1": load("ppo-1", game), "random": load("random", game)}
    for bare, record in zip(plain.records(), told.records(), strict=True):
        assert [m.action for m in bare.moves] == [m.action for m in record.moves]
        assert all(m.probabilities is None and m.value is None for m in bare.moves)
        record.verify()
        for state, move in zip(record.states(), record.moves, strict=False):
            seat = int(state["player"])
            who = record.agents[seat].name
            assert (move.value is None) == (who == "random")
            assert move.probabilities[move.text] > 0
            if who == "random":
                assert move.probabilities == {"pass": 0.5, "bet": 0.5}
            else:
                seen = observed(game, state, seat)[None]
                mask = legal_mask(game, state)[None]
                shares = agents[who].probabilities(seen, mask, [seat])[0]
                expected = {t: p for t, p in zip(game.actions, shares.tolist(), strict=True)}
                assert move.probabilities == pytest.approx(expected, abs=2e-6)
                assert move.value == pytest.approx(float(agents[who].value(seen)[0]), abs=1e-5)
    path = tmp_path / "games.jsonl"
    run("evaluate", "kuhn", "--agents", "ppo-1", "--games", "2", "--record", path, "--odds")
    assert all(move.value is not None for r in read_records(path) for move in r.moves)
    assert "--odds is for the records" in refused("evaluate", "kuhn", "--odds")
