"""A record is the game, is refused when it is not, and tells a seat only what it may know."""

import json
import os

import msgspec
import numpy as np
import pytest
from playing import ALL_VARIANTS, label, legal_mask, observed

from backroom.agents import RandomAgent
from backroom.envs import configure, make
from backroom.envs.engine.game import redeal, step
from backroom.envs.engine.record import (
    Move,
    Record,
    RecordError,
    SeatRecord,
    Who,
    parse,
    read_records,
    views,
    write_records,
)
from backroom.envs.engine.recorder import Recorder, play_game
from backroom.envs.engine.replay import begin, fingerprint

KUHN_7 = "10c86e8d21ba2bbf43f49f8cd687c2cc119132d6302ed481220731511f5a2e59"
"""Of the last state of Kuhn poker dealt from seed 7, in which a bet is folded to."""


def played(game, seed=7):
    return play_game(game, [RandomAgent(game, seed)] * game.players, seed)


@pytest.fixture
def kuhn():
    """player_0 bets with the king, player_1 folds the jack."""
    table = Recorder(configure("kuhn"), 7, agents=[Who(name="a", weights="ff"), Who(name="b")])
    table.play(1, np.array([0.25, 0.75]), value=0.5)
    table.play(0)
    return table.record()


def changed(record, **changes):
    return msgspec.structs.replace(record, **changes)


# What a record is


def test_record_of_every_game(game):
    record = played(game)
    record.verify()
    assert Record.from_json(record.to_json()) == record
    assert "\n" not in record.to_json()
    assert [who.name for who in record.agents] == ["random"] * game.players
    assert [game.numbers[move.text] for move in record.moves] == [m.action for m in record.moves]


def test_record_is_the_game_that_pettingzoo_plays(default_game):
    record, env = played(default_game), make(default_game)
    env.reset(seed=7)
    states = record.states()
    for state, move in zip(states, record.moves, strict=False):
        assert state.tobytes() == env.get_state().tobytes()
        env.step(move.action)
    total = [env._cumulative_rewards[agent] for agent in env.possible_agents]
    assert all(env.terminations.values())
    assert next(states, None) is None
    if default_game.name == "kuhn":  # rewards come at the end, so they are the returns
        assert total == list(record.returns)


def test_record_is_json_that_others_can_read(kuhn):
    assert json.loads(kuhn.to_json()) == {
        "schema": 1,
        "suite": kuhn.suite,
        "game": "kuhn_v0",
        "options": {},
        "seed": 7,
        "deal": None,
        "agents": [{"name": "a", "weights": "ff"}, {"name": "b"}],
        "moves": [
            {
                "action": 1,
                "text": "bet",
                "probabilities": {"pass": 0.25, "bet": 0.75},
                "value": 0.5,
            },
            {"action": 0, "text": "pass"},
        ],
        "returns": [1.0, -1.0],
        "hash": KUHN_7,
    }


def test_hash_is_the_same_on_other_machines(kuhn):
    """The constant holds in both modes; a machine of the other byte order finds it too."""
    *_, last = kuhn.states()
    swapped = np.asarray(last).astype(last.dtype.newbyteorder(">"))
    assert swapped.tobytes() != last.tobytes()
    assert fingerprint(swapped) == fingerprint(last) == KUHN_7


def test_explicit_deal():
    game = configure("kuhn")
    table = Recorder(game, 1, {"deck": "J K Q"})
    for action in (1, 1):
        table.play(action)
    record = Record.from_json(table.record().to_json())
    assert record.deal == {"deck": "J K Q"}
    assert record.returns == (-2, 2)
    assert next(record.states())["deck"].tolist() == [0, 2, 1]
    record.verify()


def test_unfinished_game(default_game):
    table = Recorder(default_game, 3)
    table.ask(RandomAgent(default_game))
    assert not table.over
    table.record().verify()


def test_states_are_copies(kuhn):
    states = list(kuhn.states())
    assert [int(state["moves"]) for state in states] == [0, 1, 2]
    assert states[-1].tobytes() == kuhn.last().tobytes()


def test_players_see_only_what_their_seat_sees(default_game):
    game, seen = default_game, []

    class Spy(RandomAgent):
        def act(self, observations, masks, players):
            seen.append((observations.copy(), masks.copy(), players.copy()))
            return super().act(observations, masks, players)

    record = play_game(game, [Spy(game)] * game.players, 5)
    for state, (observations, masks, players) in zip(record.states(), seen, strict=False):
        mover = int(state["player"])
        assert players.tolist() == [mover]
        assert observations.tolist() == [observed(game, state, mover).tolist()]
        assert masks.tolist() == [legal_mask(game, state).tolist()]
    assert len(seen) == len(record.moves)


def test_recorder_refuses_what_is_not_legal():
    game = configure("kuhn")
    table = Recorder(game, 7)
    for action in (-1, 2):
        with pytest.raises(ValueError, match=rf"player_0 may play \[0, 1\], not {action}"):
            table.play(action)
    assert table.record().moves == ()
    with pytest.raises(ValueError, match="not one whole number"):
        table.ask(_Fixed(np.array([0.5])))
    table.play(0)
    table.play(0)
    with pytest.raises(ValueError, match="is over"):
        table.ask(_Fixed(np.array([0])))
    with pytest.raises(ValueError, match="2 seats, not 1"):
        Recorder(game, 7, agents=[Who(name="alone")])
    with pytest.raises(ValueError, match="a seed is"):
        Recorder(game, -1)
    with pytest.raises(ValueError, match="a deal of kuhn"):
        Recorder(game, 7, {"deck": "A A A"})


class _Fixed:
    def __init__(self, answer):
        self.answer = answer

    def act(self, observations, masks, players):
        return self.answer


def test_probabilities_are_what_the_player_drew_from():
    game = configure("kuhn")
    record = play_game(game, [RandomAgent(game)] * 2, 7)
    assert all(move.probabilities == {"pass": 0.5, "bet": 0.5} for move in record.moves)


# What is refused


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seed": 8}, "hash"),
        ({"deal": {"deck": "K Q J"}}, "hash"),
        ({"deal": {"deck": "K K K"}}, "cannot be dealt: a deal of kuhn"),
        ({"deal": {"board": "2c"}}, "cannot be dealt"),
        ({"seed": -1}, "cannot be dealt: a seed is"),
        ({"seed": 2**64}, "cannot be dealt: a seed is"),
        ({"options": {"num_players": 2}}, "has no option 'num_players'"),
        ({"game": "kuhn_v1"}, "of kuhn version 1, these are the rules of kuhn_v0"),
        ({"game": "skat_v0"}, "there is no game 'skat'"),
        ({"game": "kuhn"}, "there is no game"),
        ({"agents": (Who(name="a"),)}, "1 agents for 2 seats"),
        ({"returns": (2.0, -2.0)}, r"returned \[1.0, -1.0\], not \[2.0, -2.0\]"),
        ({"returns": (1.0,)}, "returned"),
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


# Files


def test_files(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    records = [kuhn, played(kuhn.configured(), 8)]
    assert write_records(path, iter(records)) == 2
    assert read_records(path) == records
    assert os.listdir(tmp_path) == ["games.jsonl"]
    assert path.read_bytes().count(b"\n") == 2


def test_file_is_written_whole_or_not_at_all(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    write_records(path, [kuhn])

    def failing():
        yield kuhn
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        write_records(path, failing())
    assert read_records(path) == [kuhn]
    assert os.listdir(tmp_path) == ["games.jsonl"]
    with pytest.raises(FileNotFoundError, match="no such folder"):
        write_records(tmp_path / "nowhere" / "games.jsonl", [kuhn])


def test_bad_line_of_a_file_is_named(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    path.write_text(f"{kuhn.to_json()}\n\n{kuhn.to_json()[:50]}")
    with pytest.raises(RecordError, match=r"games.jsonl, line 3: this is no whole record"):
        read_records(path)
    path.write_text("\n")
    with pytest.raises(RecordError, match="holds no record"):
        read_records(path)


# What a seat may see

FEW = [game for game in ALL_VARIANTS if game is game.rules.configure()] + [
    game
    for game in ALL_VARIANTS
    if game.settings().get("num_players", 3) != 3 or game.settings().get("num_games", 1) != 1
]


def test_seat_record_of_kuhn(kuhn):
    """The jack's seat sees a bet, folds, and never learns what the other held."""
    cut = kuhn.seen_by(1)
    assert [view.events for view in cut.views] == [(), ("player_0 bets",), ("player_1 folds",)]
    assert [view.move for view in cut.views] == [None, None, Move(action=0, text="pass")]
    assert cut.earned == -1
    assert cut.agents == ("a", "b")
    text = cut.to_json()
    for secret in ("seed", "deal", "hash", "returns", "weights", "card K", "card Q", "0.75"):
        assert secret not in text
    assert "card J" in text
    assert parse(text) == cut
    with pytest.raises(RecordError, match="only what seat 1 saw"):
        Record.from_json(text)


def test_own_thoughts_stay_in_a_seat_record(kuhn):
    own = kuhn.seen_by(0).views[1].move
    assert own.probabilities == {"pass": 0.25, "bet": 0.75}
    assert own.value == 0.5


def test_seat_record_is_the_same_whatever_the_seat_cannot_know():
    """In Kuhn poker without a showdown, the other's card and the stream make no difference."""
    game = configure("kuhn")
    lines = {}
    for seed in range(40):
        table = Recorder(game, seed)
        own = int(table.state["deck"][0])
        for action in (0, 1, 0):  # check, bet, fold
            table.play(action)
        lines.setdefault(own, set()).add(table.record().seen_by(0).to_json())
    assert len(lines) == 3
    assert all(len(line) == 1 for line in lines.values())


def some_moves(game, seed, count):
    """Moves of a random game, with the states before them; `count` of them, from all over it."""
    record = played(game, seed)
    pairs = list(zip(record.states(), record.moves, strict=False))
    chosen = np.random.default_rng(seed).permutation(len(pairs))[:count]
    return [pairs[k] for k in sorted(chosen)]


def told(game, before, action, seat):
    """What `seat` is told of `action` in `before`; whether the game goes on; its observation."""
    after = before.copy()
    step(after, action)
    move = Move(action=action, text=game.actions[action])
    seen = list(views(game, [before, after], [move], seat))
    return seen, after["player"] >= 0, observed(game, after, seat).tolist()


@pytest.mark.parametrize("game", FEW, ids=label)
def test_views_tell_no_more_than_observations(game):
    """A view stays the same when all that its seat cannot know is dealt anew.

    Where a move turns something up, the seat's observations differ too, or the game is over.
    """
    compared = 0
    for seed in range(2):
        for before, move in some_moves(game, seed, 12):
            for seat in range(game.players):
                twin = before.copy()
                redeal(twin, seat, 100 + seed)
                if not legal_mask(game, twin)[move.action]:
                    continue
                seen, _, observation = told(game, before, move.action, seat)
                other, goes_on, other_observation = told(game, twin, move.action, seat)
                assert seen[0] == other[0]
                if goes_on and observation == other_observation:
                    assert seen == other
                    compared += 1
    assert compared > 5 or game.name in ("kuhn", "caribbean_poker")  # most moves turn up cards


@pytest.mark.parametrize("game", FEW, ids=label)
def test_moves_that_look_alike_are_told_alike(game):
    """A view of others' moves tells no more of them than the seat's observation does."""
    chance = np.random.default_rng(0)
    for before, move in some_moves(game, 1, 6):
        actions = chance.permutation(np.flatnonzero(legal_mask(game, before)))[:10].tolist()
        for seat in set(range(game.players)) - {int(before["player"])}:
            looks = {}
            for action in [move.action, *actions]:
                seen, goes_on, observation = told(game, before, action, seat)
                assert all(view.move is None for view in seen)
                if goes_on:
                    assert looks.setdefault(tuple(observation), seen) == seen


def test_seat_record_of_cockroach_poker_hides_the_card():
    """Of two offers that differ in the card alone, the receiver's record is the same."""
    game = configure("cockroach_poker")
    table = Recorder(game, 3)
    first = table.player
    offers = [f"offer {card}>+1:rat" for card in ("rat", "bat", "fly", "frog")]
    allowed = [game.numbers[text] for text in offers if table.mask()[game.numbers[text]]]
    records = []
    for action in allowed:
        table = Recorder(game, 3)
        table.play(action)
        records.append(table.record())
    assert len(records) > 1
    for seat in range(3):
        lines = {record.seen_by(seat).to_json() for record in records}
        assert len(lines) == (len(records) if seat == first else 1)


def test_spectator_sees_all_moves(default_game):
    record = played(default_game)
    seen = list(record.views(None))
    assert [view.move for view in seen] == [None, *record.moves]


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_such_seat(kuhn, seat):
    with pytest.raises(ValueError, match="seats 0 to 1"):
        kuhn.seen_by(seat)


def test_seat_records_in_files(tmp_path, kuhn):
    path = tmp_path / "seat.jsonl"
    write_records(path, [kuhn.seen_by(0)])
    assert isinstance(parse(path.read_text()), SeatRecord)
    with pytest.raises(RecordError, match="line 1: the record holds only what seat 0 saw"):
        read_records(path)


def test_begin_is_deterministic(default_game):
    first, second = (begin(default_game, 11).tobytes() for _ in range(2))
    assert first == second != begin(default_game, 12).tobytes()
