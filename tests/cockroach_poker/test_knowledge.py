"""Who knows what: the card in flight, the hands of others, the cards aside."""

from typing import Any

import numpy as np
import pytest

from backroom.envs import configure
from backroom.envs.engine.game import Game, deal, legal, observe, redeal, step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.rng import stream

GAMES = 2 if COMPILED else 1


def look(game: Game, s: Any, seat: int) -> bytes:
    observation = np.full(game.observation_size, 99, np.int8)
    observe(s, seat, observation)
    return observation.tobytes()


def legal_moves(game: Game, s: Any) -> list[int]:
    mask = np.ones(len(game.actions), np.bool_)
    legal(s, mask)
    return np.flatnonzero(mask).tolist()


def positions(game: Game, seed: int) -> Any:
    """States of a random game in which looks and passes are as likely as calls."""
    rng = np.random.default_rng(seed)
    s = game.blank(1)[0]
    s.rng = stream(seed)
    deal(s)
    while s.player >= 0:
        yield s
        moves = legal_moves(game, s)
        verbs = sorted({game.actions[a].split()[0] for a in moves})
        verb = rng.choice(verbs)
        step(s, int(rng.choice([a for a in moves if game.actions[a].startswith(verb)])))
    yield s


@pytest.mark.parametrize("seats", range(2, 7))
def test_only_giver_and_lookers_know_the_card_in_flight(seats: int) -> None:
    game = configure("cockroach_poker", num_players=seats)
    seen = 0
    for seed in range(GAMES):
        giver, lookers = -1, set[int]()
        before: Any = None
        for s in positions(game, seed):
            if s.flight < 0:
                giver, lookers = -1, set()
            elif giver < 0:
                giver = before
            elif s.phase == 2:
                lookers.add(int(s.player))
            before = int(s.player)
            if s.flight < 0:
                continue
            other = s.copy()
            other.flight = (s.flight + 1 + seed) % 8
            assert legal_moves(game, s) == legal_moves(game, other)
            for seat in range(seats):
                knows = seat == giver or seat in lookers
                assert (look(game, s, seat) != look(game, other, seat)) == knows
                texts = [game.rules.table(game, x, seat) for x in (s, other)]
                assert (texts[0] != texts[1]) == knows
                seen += knows and seat != giver
    assert seen > 0 or seats == 2


@pytest.mark.parametrize("seats", range(2, 7))
def test_redeal_keeps_what_a_seat_knows_and_draws_the_rest(seats: int) -> None:
    game = configure("cockroach_poker", num_players=seats)
    redrawn = 0
    for seed in range(GAMES):
        for moves, s in enumerate(positions(game, seed)):
            for seat in {moves % seats, max(int(s.player), 0)}:
                other = s.copy()
                redeal(other, seat, 7)
                assert look(game, s, seat) == look(game, other, seat)
                assert game.rules.table(game, s, seat) == game.rules.table(game, other, seat)
                assert other.rng != s.rng
                assert np.array_equal(other.hand.sum(1), s.hand.sum(1))
                flight = np.arange(8) == other.flight
                assert (other.hand.sum(0) + other.faceup.sum(0) + other.aside + flight == 8).all()
                assert (other.hand >= 0).all() and (other.aside >= 0).all()
                if s.knows[seat]:
                    assert other.flight == s.flight
                changed = ("hand", "aside", "flight", "rng")
                for name in set(s.dtype.names) - set(changed):
                    assert np.array_equal(s[name], other[name]), name
                redrawn += other.hand.tobytes() != s.hand.tobytes()
    assert redrawn > 0


def test_redeal_draws_each_unseen_card_with_equal_chance() -> None:
    game = configure("cockroach_poker", num_players=3, cards_per_player=4)
    s = game.blank(1)[0]
    deal(s)
    words = {
        "hand0": "rat rat rat rat",
        "hand1": "fly fly bat bat",
        "hand2": "rat frog frog frog",
    }
    game.rules.arrange(game, s, {**words, "starter": "1"})
    step(s, game.numbers["offer fly>+2:rat"])
    draws = 3000 if COMPILED else 300
    flights, hands, aside = np.zeros(8), np.zeros(8), np.zeros(8)
    for seed in range(draws):
        other = s.copy()
        redeal(other, 0, seed)
        flights[other.flight] += 1
        hands += other.hand[1]
        aside += other.aside
    # player_0 holds four rats and does not know where the other sixty cards are
    unseen = np.array([8, 4, 8, 8, 8, 8, 8, 8])
    for counts, size in ((flights, 1), (hands, 3), (aside, 52)):
        mean = size * unseen / 60
        variance = mean * (1 - unseen / 60) * (60 - size) / 59
        assert np.all(np.abs(counts / draws - mean) < 4.5 * np.sqrt(variance / draws))


def test_with_two_seats_and_no_card_aside_only_the_card_in_flight_is_unknown() -> None:
    game = configure("cockroach_poker", num_players=2)
    s = game.blank(1)[0]
    deal(s)
    receiver = 1 - int(s.player)
    step(s, legal_moves(game, s)[0])
    all_theirs = s.hand[1 - receiver] + (np.arange(8) == s.flight)
    flights = set()
    for seed in range(200):
        other = s.copy()
        redeal(other, receiver, seed)
        theirs = other.hand[1 - receiver] + (np.arange(8) == other.flight)
        assert np.array_equal(theirs, all_theirs)
        flights.add(int(other.flight))
    assert flights == set(np.flatnonzero(all_theirs).tolist())


def test_cards_aside_and_hands_stay_hidden_after_the_end() -> None:
    game = configure("cockroach_poker", num_players=5, cards_per_player=6)
    *_, s = positions(game, 1)
    assert s.player < 0 and s.hand.any()
    other = s.copy()
    other.aside[:] = s.aside[::-1]
    for seat in (None, *range(5)):
        assert game.rules.table(game, s, seat) == game.rules.table(game, other, seat)
    other.hand[1] = s.hand[1][::-1]
    for seat in (0, 2, 3, 4):
        assert look(game, s, seat) == look(game, other, seat)
        assert game.rules.table(game, s, seat) == game.rules.table(game, other, seat)
    assert game.rules.table(game, s, 1) != game.rules.table(game, other, 1)


def test_hidden_says_who_knows_the_flight() -> None:
    game = configure("cockroach_poker", num_players=4, cards_per_player=2)
    sees: Any = game.rules.hidden["flight"]
    s = game.blank(1)[0]
    deal(s)
    assert all(sees(s, seat) for seat in range(4))  # there is none
    hands = {f"hand{seat}": "rat rat" for seat in range(4)}
    game.rules.arrange(game, s, {**hands, "starter": "0"})
    for text, known in (
        ("offer rat>+1:fly", [True, False, False, False]),
        ("look", [True, True, False, False]),
        ("pass +2:fly", [True, True, False, False]),
        ("pass +3:rat", [True, True, False, False]),
        ("call true", [True] * 4),
    ):
        step(s, game.numbers[text])
        assert [bool(sees(s, seat)) for seat in range(4)] == known


def test_events_tell_the_card_to_those_who_know_it() -> None:
    game = configure("cockroach_poker", num_players=4, cards_per_player=2)
    s = game.blank(1)[0]
    deal(s)
    hands = {f"hand{seat}": "rat rat" for seat in range(4)}
    game.rules.arrange(game, s, {**hands, "starter": "0"})
    for text, told in (
        ("offer rat>+1:fly", [0]),
        ("look", [0, 1]),
        ("pass +2:stink_bug", [0, 1]),
        ("pass +3:bat", [0, 1]),
        ("call false", [0, 1, 2, 3]),
    ):
        before = s.copy()
        step(s, game.numbers[text])
        for seat in range(4):
            said = game.rules.events(game, before, game.numbers[text], s, seat)
            assert ("rat" in " ".join(said)) == (seat in told), (text, seat)
        assert "rat" in " ".join(game.rules.events(game, before, game.numbers[text], s, None))
