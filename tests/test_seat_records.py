"""A record tells a seat only what it may know."""

import numpy as np
import pytest
from playing import ALL_VARIANTS, label, legal_mask, observed, recorded

from backroom.envs import configure
from backroom.envs.engine.game import redeal, step
from backroom.envs.engine.record import Move, Record, RecordError, SeatRecord, parse, views
from backroom.envs.engine.record_file import read_records, write_records
from backroom.envs.engine.recorder import Recorder

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
    record = recorded(game, seed)
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
    record = recorded(default_game)
    seen = list(record.views(None))
    assert [view.move for view in seen] == [None, *record.moves]


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_such_seat(kuhn, seat):
    with pytest.raises(ValueError, match="seat is one of 0, 1"):
        kuhn.seen_by(seat)


def test_seat_records_in_files(tmp_path, kuhn):
    path = tmp_path / "seat.jsonl"
    write_records(path, [kuhn.seen_by(0)])
    assert isinstance(parse(path.read_text()), SeatRecord)
    with pytest.raises(RecordError, match="line 1: the record holds only what seat 0 saw"):
        read_records(path)
