"""Who knows what: redealt worlds, the memory of an observation, percentiles, deals, texts."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from playing import dealt, legal_mask, observed, played

from backroom.envs import configure
from backroom.envs.engine.cards import cards_text
from backroom.envs.engine.game import Game, redeal, returns, step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import best_hand, category
from backroom.envs.the_gang.strength import assess

WORLDS = 2000 if COMPILED else 200


def after_moves(game: Game, seed: int, moves: int) -> Any:
    return played(game, seed, moves)[0]


def position(game: Game, number: int) -> Any:
    """A state in round `number` of a first heist in which the seats take chips in their order."""
    s = dealt(game, 6)[0]
    while s.round_no < number:
        step(s, int(s.player))
    return s


@pytest.mark.parametrize("number", range(4))
def test_all_worlds_that_agree_with_what_is_seen_are_as_likely(number):
    """Each unseen card is as often in each unseen place, and no seen one ever is."""
    game = configure("the_gang", num_players=4, turns_per_round=1)
    s = position(game, number)
    shown, me = (0, 3, 4, 5)[number], 2
    seen = {*s.hole[me, :2].tolist(), *s.board[:shown].tolist()}
    hands, boards = np.zeros(52), np.zeros(52)
    for seed in range(WORLDS):
        world = s.copy()
        redeal(world, me, seed)
        assert world.hole[me].tolist() == s.hole[me].tolist()
        assert world.board[:shown].tolist() == s.board[:shown].tolist()
        assert sorted(world.deck.tolist()) == list(range(52))
        others = np.delete(world.hole[:4, :2], me, axis=0).ravel().tolist()
        hidden = [*others, *world.board[shown:].tolist()]
        assert len(set(hidden) | seen) == 2 * 4 + 5
        assert {*hidden, *seen} == set(world.deck[: world.drawn].tolist())
        hands[others] += 1
        boards[world.board[shown:]] += 1
    for counts, places in ((hands, 6), (boards, 5 - shown)):
        assert not counts[list(seen)].any()
        share = places / (52 - len(seen))
        unseen = np.delete(counts, list(seen))
        assert np.abs(unseen - share * WORLDS).max() < 4.5 * np.sqrt(share * WORLDS) + 1


@pytest.mark.parametrize("features", ["raw", "strength"])
@pytest.mark.parametrize("moves", [0, 9, 25, 1000])
def test_a_redeal_depends_on_nothing_unseen(features, moves):
    """Two worlds that a seat cannot tell apart are redealt to the same world."""
    if features == "strength" and not COMPILED:
        moves = min(moves, 9)
    game = configure("the_gang", num_players=3, turns_per_round=2, features=features)
    s = after_moves(game, 3, moves)
    for player in range(3):
        one, other = s.copy(), s.copy()
        redeal(other, player, 1)
        redeal(one, player, 2)
        redeal(other, player, 2)
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("number", range(4))
def test_redealt_percentiles_belong_to_the_redealt_cards(number):
    game = configure("the_gang", turns_per_round=1, features="strength")
    s = position(game, number)
    for seed in range(3 if COMPILED else 1):
        redeal(s, 1, seed)
        fresh = s.copy()
        fresh.percentile[:] = 0
        fresh.category[:] = 9
        for each in range(number + 1):
            assess(fresh, each)
        assert fresh.percentile.tolist() == s.percentile.tolist()
        assert fresh.category[:3].tolist() == s.category[:3].tolist()


@pytest.mark.parametrize("n", [3, 5])
@pytest.mark.parametrize("end", ["all_hold", "consensus"])
def test_an_observation_remembers_the_whole_heist(n, end):
    """From `first` and `moves` alone the heist can be played again, move by move."""
    game = configure("the_gang", num_players=n, turns_per_round=2, round_end=end)
    rng = np.random.default_rng(n)
    for seed in range(4 if COMPILED else 1):
        s = dealt(game, seed)[0]
        start, made = s.copy(), []
        for _ in range(16 * n):
            view = game.parts(observed(game, s, 1))
            assert replayed(game, start, view) == made
            made.append(int(rng.choice(np.flatnonzero(legal_mask(game, s)))))
            heists = s.vaults + s.alarms
            step(s, made[-1])
            if s.vaults + s.alarms > heists:  # what was played in the last heist is gone
                start, made = s.copy(), []
        assert s.vaults + s.alarms > 0


def replayed(game: Game, start: Any, view: Any) -> list[int]:
    """The moves that seat 1 remembers, in the order in which they were made."""
    s, moves = start.copy(), []
    assert (np.flatnonzero(view["first"])[0] + 1) % game.players == s.first
    while True:
        number = view["moves"][(s.player - 1) % game.players, s.round_no, s.turns // s.seats]
        if number == 0:
            return moves
        moves.append(int(number) - 1)
        step(s, moves[-1])


def test_recent_moves_are_the_last_two_of_each_seat_in_this_round():
    game = configure("the_gang", num_players=4, turns_per_round=3)
    for seed in range(10 if COMPILED else 3):
        s, rng = dealt(game, seed)[0], np.random.default_rng(seed)
        last: dict[int, list[int]] = {}
        for _ in range(60):
            for seat in range(4):
                recent = game.parts(observed(game, s, seat))["recent"]
                for after in range(4):
                    moves = last.get((seat + after) % 4, [])[-2:][::-1]
                    for i in range(2):
                        expected = [moves[i] == a for a in range(6)] if i < len(moves) else [0] * 6
                        assert recent[after, i].tolist() == expected
            action = int(rng.choice(np.flatnonzero(legal_mask(game, s))))
            last.setdefault(int(s.player), []).append(action)
            step(s, action)
            if s.player < 0:
                break
            if s.turns == 0:
                last = {}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_percentiles_by_hand(number):
    """R20: all pairs from the cards that the seat does not see, ties half."""
    game = configure("the_gang", features="strength", turns_per_round=1)
    s = position(game, number)
    board = s.board[: (0, 3, 4, 5)[number]].tolist()
    for seat in range(3 if COMPILED else 1):
        hole = s.hole[seat, :2].tolist()
        own = best_hand(hole + board)
        unseen = [card for card in range(52) if card not in hole + board]
        others = [best_hand([*pair, *board]) for pair in combinations(unseen, 2)]
        share = np.mean([(own > x) + (own == x) / 2 for x in others])
        view = game.parts(observed(game, s, seat))
        cells = view["percentile"][number]
        assert cells.sum() == 100 and np.count_nonzero(cells) <= 2
        assert (cells * np.arange(0, 101, 5)).sum() / 100 == pytest.approx(100 * share, abs=0.03)
        assert view["category"].tolist() == [category(own) == c for c in range(10)]
        assert not view["percentile"][number + 1 :].any()


def test_percentiles_before_the_flop_rise_with_the_cards():
    game = configure("the_gang", features="strength", num_players=4)
    s = dealt(game, 0)[0]
    game.rules.arrange(
        game, s, {"hand0": "Ah As", "hand1": "3c 2d", "hand2": "Th 9h", "hand3": "Tc 9d"}
    )
    aces, lowest, suited, plain = s.percentile[:4, 0].tolist()
    assert lowest < 20 and 1980 < aces <= 2000
    assert lowest < plain < suited < aces


def test_a_pair_is_known_before_the_flop():
    game = configure("the_gang", features="strength")
    s = dealt(game, 0)[0]
    game.rules.arrange(game, s, {"hand0": "7h 7s", "hand1": "Ac Kc", "hand2": "2c 2d"})
    assert s.category[:3].tolist() == [1, 0, 1]


# Explicit deals


def test_a_deal_is_as_arranged_and_the_rest_is_dealt_around_it():
    game = configure("the_gang", num_players=4, features="strength")
    for seed in range(30 if COMPILED else 5):
        s = dealt(game, seed)[0]
        cards = {"hand1": "Ah Kd", "hand3": "10c 2s", "board": "3c 9h 4d 5s", "first": "2"}
        drawn = s.copy()
        game.rules.arrange(game, s, cards)
        assert cards_text(s.hole[1, :2]) == "Ah Kd" and cards_text(s.hole[3, :2]) == "Tc 2s"
        assert cards_text(s.board[:4]) == "9h 4d 3c 5s"  # the flop lies greatest first
        assert s.first == s.player == 2
        dealt_cards = [*s.hole[:4, :2].ravel().tolist(), *s.board.tolist()]
        assert len(set(dealt_cards)) == 13 and sorted(s.deck.tolist()) == list(range(52))
        assert sorted(dealt_cards) == sorted(s.deck[:13].tolist())
        named = set(dealt_cards[2:4] + dealt_cards[6:8] + dealt_cards[8:12])
        if not named & set(drawn.hole[0, :2].tolist()):
            assert s.hole[0].tolist() == drawn.hole[0].tolist()
        again = drawn.copy()
        game.rules.arrange(game, again, cards)
        assert again.tobytes() == s.tobytes()


def test_cards_named_elsewhere_are_drawn_anew_each_as_likely():
    game = configure("the_gang")
    base = dealt(game, 1)[0]
    game.rules.arrange(game, base, {"hand0": "Ah Kh", "hand1": "2c 2d", "hand2": "3c 3d"})
    counts = np.zeros(52)
    for seed in range(WORLDS):
        s = base.copy()
        s.rng = seed
        game.rules.arrange(game, s, {"hand1": "Ah 7d"})
        replaced = [card for card in s.hole[0, :2].tolist() if cards_text([card]) != "Kh"]
        assert len(replaced) == 1
        counts[replaced] += 1
    assert counts.max() < WORLDS / 42 + 5 * np.sqrt(WORLDS / 42)


NONSENSE = {
    "the card Ah occurs twice": {"hand0": "Ah 7d", "hand1": "Ah 2c"},
    "hand0 is 2 cards, not 3": {"hand0": "Ah 7d 8d"},
    "hand1 is 2 cards, not 1": {"hand1": "Ah"},
    "board is 1 to 5 cards, not 6": {"board": "2c 3c 4c 5c 6c 7c"},
    "board is 1 to 5 cards, not 0": {"board": ""},
    "no 'hand3'": {"hand3": "Ah 7d"},
    "no 'river'": {"river": "Ah"},
    "from 0 to 2, not '3'": {"first": "3"},
    "from 0 to 2, not '-1'": {"first": "-1"},
    "J\\*, is not in the deck": {"hand0": "Ah J*"},
    "the card 7d occurs twice": {"hand0": "Ah 7d", "board": "2c 7d"},
    "is no card": {"hand0": "Ah 1d"},
}


@pytest.mark.parametrize("sentence", NONSENSE)
def test_nonsense_is_refused_with_a_sentence(sentence):
    game = configure("the_gang")
    s = dealt(game, 1)[0]
    before = s.tobytes()
    with pytest.raises(ValueError, match=sentence):
        game.rules.arrange(game, s, NONSENSE[sentence])
    assert s.tobytes() == before


HANDS = {"hand0": "Ah Kh", "hand1": "Qc Jd", "hand2": "Th 9d"}
SECOND = {"again0": "Qc 9d", "again1": "Jd Ah", "again2": "Kh Th"}
NONSENSE_AGAIN = [
    ("share out the cards of", HANDS | SECOND | {"again2": "Kh Ts"}),
    ("share out the cards of", HANDS | SECOND | {"again0": "Qc", "again1": "Jd Ah 9d"}),
    ("share out the cards of", HANDS | SECOND | {"again2": "Kh Ah"}),
    ("share out the cards of", SECOND | {"hand0": "Ah Kh", "hand1": "Qc Jd"}),
    ("name the hands of all seats", HANDS | {"again0": "Qc 9d"}),
    ("name the hands of all seats", HANDS | SECOND | {"again3": "2c 2d"}),
]


@pytest.mark.parametrize(("sentence", "cards"), NONSENSE_AGAIN)
def test_a_second_deal_is_of_the_cards_of_the_first(sentence, cards):
    game = configure("the_gang", mode="intermediate", cards_in_force="con_artist")
    s = dealt(game, 1)[0]
    before = s.tobytes()
    with pytest.raises(ValueError, match=sentence):
        game.rules.arrange(game, s, cards)
    assert s.tobytes() == before
    plain = configure("the_gang")
    with pytest.raises(ValueError, match="with the Con Artist only"):
        plain.rules.arrange(plain, dealt(plain, 1)[0], HANDS | SECOND)


def test_cards_are_arranged_before_the_first_move_only():
    game = configure("the_gang", turns_per_round=1)
    s = dealt(game, 1)[0]
    step(s, 0)
    with pytest.raises(ValueError, match="before the first move of a heist"):
        game.rules.arrange(game, s, {"hand0": "Ah Kd"})


# Episodes, statistics, texts


def test_an_episode_may_be_one_heist():
    """R19."""
    game = configure("the_gang", episode="heist", reward="game", turns_per_round=1)
    seen = set()
    for seed in range(60 if COMPILED else 15):
        s, moves = played(game, seed, 1000)
        assert s.player == -1 and s.vaults + s.alarms == 1
        out = np.zeros(3, np.float32)
        returns(s, out)
        assert out.tolist() == [float(s.vaults) - float(s.alarms)] * 3
        figures = game.rules.statistics(game, s)
        assert figures["heists"] == 1 and figures["moves"] == len(moves)
        assert "game_win" not in figures
        seen.add(figures["heist_successes"])
    assert seen == {0, 1}


def test_statistics_of_a_game():
    game = configure("the_gang", num_players=4, turns_per_round=2)
    for seed in range(10 if COMPILED else 3):
        s, taken = dealt(game, seed)[0], 0
        for move in (moves := played(game, seed, 5000)[1]):
            taken += move < 4 and move + 1 in s.chips[s.round_no].tolist()
            step(s, move)
        figures = game.rules.statistics(game, s)
        assert s.player < 0 and figures["moves"] == len(moves)
        assert figures["takes_from_players"] == taken > 0
        assert figures["heists"] in (3, 4, 5)
        assert figures["game_win"] == (figures["heist_successes"] == 3)


def test_texts_tell_a_seat_nothing_hidden():
    """Redealt worlds, before and after a move, look and sound the same."""
    game = configure("the_gang", num_players=3, turns_per_round=1)
    s = dealt(game, 5)[0]
    for count, move in enumerate(played(game, 5, 60)[1]):
        before = s.copy()
        step(s, move)
        for viewer in range(3):
            told = game.rules.events(game, before, move, s, viewer)
            worlds = before.copy(), s.copy()
            for world in worlds:
                redeal(world, viewer, count)
            assert game.rules.events(game, worlds[0], move, worlds[1], viewer) == told
            assert game.rules.table(game, worlds[1], viewer) == game.rules.table(game, s, viewer)


def test_tables_show_hands_to_those_who_may_see_them():
    game = configure("the_gang", num_players=3, episode="heist", turns_per_round=1)
    s = dealt(game, 5)[0]
    hands = [cards_text(s.hole[seat, :2]) for seat in range(3)]
    for viewer in range(3):
        text = game.rules.table(game, s, viewer)
        assert [hand in text for hand in hands] == [seat == viewer for seat in range(3)]
    assert all(hand in game.rules.table(game, s, None) for hand in hands)
    end = after_moves(game, 5, 1000)
    assert end.player < 0
    assert all(hand in game.rules.table(game, end, 0) for hand in hands)
