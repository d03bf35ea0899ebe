"""What a heist is worth, against figures that independent programs found."""

from itertools import permutations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from playing import dealt, legal_mask, play_on

from backroom.envs import configure
from backroom.envs.engine.game import deal, step
from backroom.envs.engine.jit import COMPILED, jit
from backroom.envs.engine.rng import STREAM, stream
from backroom.envs.the_gang.state import BOARD
from backroom.envs.the_gang.strength import seat_strength

Z = 4.0
"""Standard errors that are allowed."""
HEISTS = 100_000 if COMPILED else 60
THEIR_HEISTS = 2_000_000

RANDOM = {3: 0.18991, 4: 0.05678, 5: 0.01660, 6: 0.00614}
FLOP_KEPT = {3: 0.60009, 4: 0.44188, 5: 0.32405, 6: 0.23875}
TURN_KEPT = {3: 0.75245, 4: 0.63856, 5: 0.54007, 6: 0.45693}
BY_PERCENTILE = {3: 0.9986, 4: 0.9980, 5: 0.9966, 6: 0.9942}


def check(share: float, expected: float, heists: int, theirs: int = THEIR_HEISTS) -> None:
    error = np.sqrt(expected * (1 - expected) * (1 / heists + 1 / theirs))
    assert abs(share - expected) <= Z * error + 1 / (2 * heists)


@jit
def random_heists(s: Any, chance: Any, heists: int, mask: np.ndarray, counts: np.ndarray) -> int:
    """Play heists at random; count the orders of the red chips, the seats as digits."""
    actions = np.zeros(1000, np.int64)
    vaults = 0
    for _ in range(heists):
        deal(s)
        play_on(s, chance, mask, actions)
        vaults += int(s.vaults)
        code = 0
        for seat in range(s.seats):
            code = code * int(s.seats) + int(s.showdown_chips[seat]) - 1
        counts[code] += 1
    return vaults


@pytest.mark.parametrize("turns", [1, 4])
@pytest.mark.parametrize("n", RANDOM)
def test_random_play(n, turns):
    """Random legal play gives out the red chips at random: each order is as likely.

    To it all chips are alike, and so they stay.
    """
    game = configure("the_gang", num_players=n, turns_per_round=turns, episode="heist")
    heists = HEISTS // 2
    counts, chance = np.zeros(n**n, np.int64), np.zeros(1, STREAM)[0]
    chance.rng = stream(5)
    mask = np.zeros(len(game.actions), np.bool_)
    vaults = random_heists(dealt(game, n)[0], chance, heists, mask, counts)
    check(vaults / heists, RANDOM[n], heists)
    codes = [sum(c * n ** (n - 1 - i) for i, c in enumerate(p)) for p in permutations(range(n))]
    assert counts[codes].sum() == heists  # never anything but a permutation
    expected = heists / len(codes)
    chi_square = ((counts[codes] - expected) ** 2).sum() / expected
    freedom = len(codes) - 1
    assert chi_square < freedom + 5 * np.sqrt(2 * freedom)


@jit
def kept(s: Any, heists: int, shown: int) -> int:
    """How often the order of the hands with `shown` open cards is right in the end."""
    n = s.seats
    count = 0
    early, late = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for _ in range(heists):
        deal(s)
        for seat in range(n):
            early[seat] = seat_strength(s, seat, shown)
            late[seat] = seat_strength(s, seat, BOARD)
        order = np.argsort(early, kind="mergesort")
        right = True
        for i in range(n - 1):
            right = right and late[order[i]] <= late[order[i + 1]]
        count += int(right)
    return count


@pytest.mark.parametrize(("shown", "expected"), [(3, FLOP_KEPT), (4, TURN_KEPT)])
@pytest.mark.parametrize("n", FLOP_KEPT)
def test_orders_kept(n, shown, expected):
    game = configure("the_gang", num_players=n, episode="heist")
    check(kept(dealt(game, n)[0], HEISTS, shown) / HEISTS, expected[n], HEISTS)


@jit
def by_percentile(s: Any, heists: int) -> int:
    """Heists in which each seat takes the red chip of its place by percentile, ties by seat."""
    n = s.seats
    vaults = 0
    for _ in range(heists):
        deal(s)
        while s.player >= 0:
            place = 0
            own = s.percentile[s.player, s.round_no]
            for seat in range(n):
                other = s.percentile[seat, s.round_no]
                place += int(other < own or (other == own and seat < s.player))
            step(s, place)
        vaults += int(s.vaults)
    return vaults


@pytest.mark.parametrize("n", BY_PERCENTILE if COMPILED else [3])
def test_percentiles_put_the_hands_in_order(n):
    """The feature is fine enough to tell hands apart, counted in steps of 1 in 2000 as it is."""
    heists = 5_000 if COMPILED else 3
    game = configure("the_gang", num_players=n, episode="heist", features="strength")
    share = by_percentile(dealt(game, n)[0], heists) / heists
    lost = (1 - BY_PERCENTILE[n]) * 1.5 + 0.001  # hands in one step may come in the wrong order
    assert share >= 1 - lost - Z * np.sqrt(lost / heists)


DEAL = {"hand0": "Ah Kh", "hand1": "Qc Jd", "hand2": "Th 9d", "board": "As Qs Tc 3d 2h"}


def outcome(game, successes):
    """A game whose heists succeed as `successes` say: how many were played, whether it was won."""
    s = dealt(game, 0)[0]
    for count, success in enumerate(successes, 1):
        game.rules.arrange(game, s, DEAL)
        for _ in range(4 * game.players):
            assert s.player >= 0
            stars = (3, 2, 1)[s.player] if success else (1, 2, 3)[s.player]
            step(s, game.numbers[f"take {stars}"])
        if s.player < 0:
            assert not legal_mask(game, s).any()
            return count, bool(s.vaults == 3)
    return 0, False


def test_the_chance_to_win_a_game():
    """p^3 (10 - 15p + 6p^2), as a sum over all ways in which a game can go."""
    game = configure("the_gang", turns_per_round=1)
    ways = {}
    for successes in product((True, False), repeat=5):
        played, won = outcome(game, successes)
        assert played in (3, 4, 5)
        ways[successes[:played]] = won
    assert len(ways) == 2 * sum(comb(2 + k, k) for k in range(3))  # the third vault comes last
    for p in (0.0, 0.19, 0.5, 0.9, 1.0):
        chance = sum(won * np.prod([p if x else 1 - p for x in way]) for way, won in ways.items())
        assert chance == pytest.approx(p**3 * (10 - 15 * p + 6 * p**2))
