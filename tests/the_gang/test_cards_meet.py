"""Any cards that can be in force together: games end, nothing leaks or is lost, words are true."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from playing import dealt, legal_mask, observed

from backroom.envs import configure
from backroom.envs.engine.cards import JACK_CARD, rank
from backroom.envs.engine.game import Game, deal, legal, redeal, step
from backroom.envs.engine.jit import COMPILED, jit
from backroom.envs.engine.poker import best_hand, category
from backroom.envs.engine.rng import draw, stream
from backroom.envs.the_gang.roster import CHALLENGES, SPECIALISTS
from backroom.envs.the_gang.state import CHIPS, MOST_DRAWN, REDRAWN

ALONE = [(card,) for card in (*CHALLENGES, *SPECIALISTS)]
PAIRS = [
    pair
    for pair in combinations((*CHALLENGES, *SPECIALISTS), 2)
    if not set(pair) <= set(SPECIALISTS)
]
CROWDS = [(*CHALLENGES, specialist) for specialist in SPECIALISTS]
TOGETHER = [*ALONE, *PAIRS, *CROWDS]
FACES = {"J", "Q", "K"}


def one_heist(cards: tuple[str, ...], seats: int, **options: Any) -> Game:
    """A heist with these cards in force."""
    chosen = {"turns_per_round": 2, "episode": "heist", "mode": "advanced", **options}
    return configure("the_gang", num_players=seats, cards_in_force=cards, **chosen)


def bold_move(game: Game, state: Any, pick: np.random.Generator) -> int:
    """A random legal action; proposals, and consent to them, come often."""
    allowed = np.flatnonzero(legal_mask(game, state))
    weights = [8.0 if game.actions[a] in ("propose", "agree") else 1.0 for a in allowed]
    return int(pick.choice(allowed, p=np.array(weights) / sum(weights)))


def located(state: Any) -> list[int]:
    """Every card that was drawn in this heist, wherever it lies now."""
    cards = [*state.hole.ravel().tolist(), *state.board.tolist(), int(state.exchanged)]
    return [card for card in cards if card >= 0 and card != JACK_CARD]


def check_cards(game: Game, state: Any) -> None:
    """R3: no card is lost or doubled, and the pile never runs out."""
    cards = located(state)
    assert len(set(cards)) == len(cards) == state.drawn <= MOST_DRAWN
    assert set(cards) == set(state.deck[: state.drawn].tolist())
    chips = state.chips[state.round_no, : game.players]
    assert len(set(chips[chips > 0].tolist())) == (chips > 0).sum()


def check_secrets(game: Game, state: Any, player: int, seed: int) -> None:
    """Worlds that a seat cannot tell apart look alike to it, and are worlds of this heist."""
    world = state.copy()
    redeal(world, player, seed)
    assert observed(game, world, player).tolist() == observed(game, state, player).tolist()
    assert game.rules.table(game, world, player) == game.rules.table(game, state, player)
    if player == state.player:
        assert legal_mask(game, world).tolist() == legal_mask(game, state).tolist()
    assert sorted(world.deck.tolist()) == list(range(52))
    check_cards(game, world)
    again = world.copy()
    redeal(again, player, seed + 1)
    redeal(again, player, seed)
    assert again.tobytes() == world.tobytes(), "a redeal depends on what is not known"


def check_words(game: Game, before: Any, after: Any) -> None:
    """R29, R31: what the user has just declared is true of its hand."""
    hand = [card for card in after.hole[after.user].tolist() if card >= 0]
    if before.declared_category != after.declared_category:
        shown = (0, 3, 4, 5)[before.round_no]
        found = category(best_hand([*hand, *after.board[:shown].tolist()]))
        assert after.declared_category == found
    if before.declared_rank != after.declared_rank:
        held = [rank(card) for card in hand].count(int(after.declared_rank))
        assert after.declared_count == held > 0


def play(game: Game, seed: int) -> Any:
    """One heist, checked all along; the state at its end."""
    state, pick = dealt(game, seed)[0], np.random.default_rng(seed)
    moves = 0
    while state.player >= 0:
        check_cards(game, state)
        if moves % 15 == 0 or (state.decision != CHIPS and moves % 2):
            check_secrets(game, state, (seed + moves) % game.players, moves)
        before, action = state.copy(), bold_move(game, state, pick)
        step(state, action)
        moves += 1
        if state.player >= 0:
            check_words(game, before, state)
        if state.round_no > before.round_no:  # R11: the round that is over was held by all
            full = set(before.chips[before.round_no, : game.players].tolist())
            full |= {action + 1} if before.decision == CHIPS and action < game.players else set()
            assert full >= set(range(1, game.players + 1)) or before.decision != CHIPS
        for viewer in (None, 0):
            assert all(game.rules.events(game, before, action, state, viewer))
    check_cards(game, state)
    check_secrets(game, state, seed % game.players, seed)
    assert sorted(state.showdown_chips[: game.players].tolist()) == [*range(1, game.players + 1)]
    return state


@pytest.mark.parametrize("number", range(len(TOGETHER)), ids=lambda k: "+".join(TOGETHER[k]))
def test_cards_meet(number):
    """Every card, every pair that can be in force, all challenges with each specialist."""
    if not COMPILED and number % 5:
        pytest.skip("plain Python plays every fifth")
    play(one_heist(TOGETHER[number], 3 + number % 4), seed=number)


@pytest.mark.parametrize(
    "cards", [("con_artist", "motion_detector"), ("hacker", "laser_tripwires"), ("muscle",)]
)
def test_strength_is_remembered_as_it_was(cards):
    """R20: a redeal keeps the own percentiles of earlier rounds, whatever happened to the hand."""
    for seed in range(6 if COMPILED else 1):
        play(one_heist(cards, 4, features="strength"), seed)


# Automatic declarations


@pytest.mark.parametrize("cameras", [(), ("security_cameras",)])
def test_the_investor_counts_and_the_math_whiz_sums(cameras):
    """R30, R35, R47."""
    values = {**{str(k): k for k in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
    for seed in range(60 if COMPILED else 10):
        for card in ("investor", "math_whiz"):
            s = dealt(one_heist((card, *cameras), 5), seed)[0]
            for seat in range(5):
                hand = ["23456789TJQKA"[rank(c)] for c in s.hole[seat].tolist() if c >= 0]
                assert len(hand) == 2 + len(cameras)
                count = sum(r in FACES for r in hand)
                wanted = count if card == "investor" else sum(values[r] for r in hand)
                assert s.declared[seat] == wanted


# Many games


@jit
def faults(s: Any, chance: Any, mask: np.ndarray) -> int:
    """Play one game of random legal moves; 0, or which invariant broke."""
    while s.player >= 0:
        legal(s, mask)
        count = mask.sum()
        if count == 0:
            return 1
        k = draw(chance, count)
        action = 0
        while k > 0 or not mask[action]:
            k -= mask[action]
            action += 1
        number, turn = int(s.round_no), s.decision == CHIPS
        step(s, action)
        if s.drawn > MOST_DRAWN:
            return 2
        if turn and s.player >= 0 and s.round_no == number + 1:
            for stars in range(1, s.seats + 1):
                holders = 0
                for seat in range(s.seats):
                    holders += int(s.chips[number, seat] == stars)
                if holders != 1 and not s.challenges >> 8 & 1:  # Blackout has taken them away
                    return 3
    if sorted_sum(s) != s.seats * (s.seats + 1) // 2:
        return 4
    return 0


@jit
def sorted_sum(s: Any) -> int:
    """The sum of the red stars at the showdown."""
    total = 0
    for seat in range(s.seats):
        total += s.showdown_chips[seat]
    return total


@jit
def fault_of_many(states: np.ndarray, mask: np.ndarray, games: int) -> int:
    """Play `games` in the first record, with the chance of the second; the first fault, or 0."""
    for _ in range(games):
        deal(states[0])
        found = faults(states[0], states[1], mask)
        if found:
            return found
    return 0


def play_many(game: Game, games: int) -> None:
    """Random games, one after the other from the same stream."""
    states = game.blank(2)
    states["rng"] = stream(1), stream(2)
    assert fault_of_many(states, np.zeros(len(game.actions), np.bool_), games) == 0, game


def play_mode(mode: str, games: int) -> None:
    """Random games of a mode, a share for each number of seats and order of the stacks."""
    for seats in range(3, 7):
        for order in ("rulebook", "random"):
            options = {"mode": mode, "deck_order": order, "turns_per_round": 1}
            play_many(configure("the_gang", num_players=seats, **options), games // 8)


@pytest.mark.parametrize("seats", range(3, 7))
def test_any_cards_play_to_the_end(seats):
    for cards in TOGETHER if COMPILED else TOGETHER[::20]:
        play_many(one_heist(cards, seats), 40 if COMPILED else 1)


MODES = pytest.mark.parametrize("mode", ["basic", "intermediate", "advanced", "expert"])


@MODES
def test_random_games_end_well(mode):
    play_mode(mode, 8000 if COMPILED else 16)


@pytest.mark.slow
@MODES
def test_a_hundred_thousand_random_games_end_well(mode):
    play_mode(mode, 100_000)


def test_the_discarded_hand_has_a_place_of_its_own():
    """R40: the hand that was discarded at the flop stays hidden from all but who held it."""
    game = one_heist(("motion_detector",), 3, turns_per_round=1)
    s = dealt(game, 2)[0]
    game.rules.arrange(game, s, {"board": "Kh 7c 2d", "first": "0"})
    old = s.hole[0, :2].tolist()
    for text in ("take 1", "take 2", "take 3"):
        step(s, game.numbers[text])
    assert s.hole[REDRAWN, :2].tolist() == old and not set(old) & set(s.hole[0, :2].tolist())
    gone = game.parts(observed(game, s, 0))["gone"]
    assert sorted(np.flatnonzero(gone).tolist()) == sorted(old)
    assert not game.parts(observed(game, s, 1))["gone"].any()


def test_all_pairs_are_there():
    """Any two challenges, and each challenge with each specialist."""
    assert len(set(PAIRS)) == 10 * 9 // 2 + 10 * 10
