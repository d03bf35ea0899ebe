"""A record is the game, and files of records are whole."""

import json
import os

import numpy as np
import pytest
from playing import legal_mask, observed, recorded

from backroom.agents import RandomAgent
from backroom.envs import configure, make
from backroom.envs.engine.record import Record, RecordError, Who
from backroom.envs.engine.record_file import read_records, write_records
from backroom.envs.engine.recorder import Recorder, play_game
from backroom.envs.engine.replay import begin, fingerprint

KUHN_7 = "10c86e8d21ba2bbf43f49f8cd687c2cc119132d6302ed481220731511f5a2e59"
"""Of the last state of Kuhn poker dealt from seed 7, in which a bet is folded to."""


def test_record_of_every_game(game):
    record = recorded(game)
    record.verify()
    assert Record.from_json(record.to_json()) == record
    assert "\n" not in record.to_json()
    assert [who.name for who in record.agents] == ["random"] * game.players
    assert [game.numbers[move.text] for move in record.moves] == [m.action for m in record.moves]


def test_record_is_the_game_that_pettingzoo_plays(default_game):
    record, env = recorded(default_game), make(default_game)
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


def test_files(tmp_path, kuhn):
    path = tmp_path / "games.jsonl"
    records = [kuhn, recorded(kuhn.configured(), 8)]
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


def test_begin_is_deterministic(default_game):
    first, second = (begin(default_game, 11).tobytes() for _ in range(2))
    assert first == second != begin(default_game, 12).tobytes()
