"""The compiled rules against the same game told once more, with sets and words, from the README."""

from typing import Any

import numpy as np
import pytest
from playing import dealt, legal_mask, observed

from backroom.envs import configure
from backroom.envs.engine.game import Game, returns, step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.poker import best_hand
from backroom.envs.the_gang.state import MOST_DRAWN

GAMES = 6 if COMPILED else 2
SETTINGS: list[dict[str, Any]] = [
    {"num_players": n, "turns_per_round": turns, "round_end": end, "reward": reward}
    for n, turns, end, reward in [
        (3, 1, "all_hold", "heist"),
        (3, 4, "consensus", "order"),
        (3, 16, "all_hold", "game"),
        (4, 2, "all_hold", "order"),
        (4, 1, "consensus", "heist"),
        (5, 2, "consensus", "game"),
        (5, 3, "all_hold", "heist"),
        (6, 1, "all_hold", "order"),
        (6, 4, "consensus", "heist"),
        (6, 16, "consensus", "heist"),
    ]
]
CHIPS = [
    {"num_players": 3, "turns_per_round": 2},
    {"num_players": 6, "turns_per_round": 1, "round_end": "consensus"},
]
STYLES = {"any": 1.0, "patient": 20.0, "greedy": 0.02}
"""How likely `pass` and `return` are beside `take`."""


class Heist:
    """The chips of one heist."""

    def __init__(self, seats: int, turns: int, consensus: bool, first: int) -> None:
        self.seats, self.consensus, self.first = seats, consensus, first
        self.free_moves = seats * turns
        self.finished: list[dict[int, int]] = []
        self.begin_round()

    def begin_round(self) -> None:
        self.front: dict[int, int] = {}
        self.centre = set(range(1, self.seats + 1))
        self.mover, self.moves, self.quiet = self.first, 0, 0

    def legal(self) -> set[str]:
        own = self.front.get(self.mover)
        if self.moves >= self.free_moves:
            return {"pass"} if own else {f"take {chip}" for chip in self.centre}
        takes = {f"take {chip}" for chip in range(1, self.seats + 1) if chip != own}
        return takes | {"pass"} | ({"return"} if own else set())

    def play(self, text: str) -> None:
        if text == "pass":
            self.quiet += 1
        else:
            self.quiet = 0
            if self.mover in self.front:
                self.centre.add(self.front.pop(self.mover))
        if text.startswith("take"):
            chip = int(text.split()[1])
            self.centre.discard(chip)
            self.front = {seat: held for seat, held in self.front.items() if held != chip}
            self.front[self.mover] = chip
        self.moves += 1
        self.mover = (self.mover + 1) % self.seats
        settled = not self.consensus or self.quiet >= self.seats or self.moves >= self.free_moves
        if len(self.front) == self.seats and settled:
            self.finished.append(self.front)
            if len(self.finished) < 4:
                self.begin_round()

    def over(self) -> bool:
        return len(self.finished) == 4


def right_pairs(hands: list[int], chips: dict[int, int]) -> int:
    seats = range(len(hands))
    return sum(chips[a] < chips[b] and hands[a] <= hands[b] for a in seats for b in seats if a != b)


def final_hands(s: Any) -> list[int]:
    board = s.board.tolist()
    return [best_hand([*s.hole[seat, :2].tolist(), *board]) for seat in range(s.seats)]


def choose(game: Game, rng: np.random.Generator, mask: np.ndarray, style: str) -> int:
    weights = mask * np.where(np.arange(mask.size) < game.players, 1.0, STYLES[style])
    return int(rng.choice(mask.size, p=weights / weights.sum()))


def same(s: Any, heist: Heist) -> None:
    """The record's chips are those of the heist."""
    rounds = [*heist.finished, heist.front]
    for number, front in enumerate(rounds[:4]):
        assert s.chips[number, : s.seats].tolist() == [front.get(p, 0) for p in range(s.seats)]
    assert not s.chips[len(rounds) :].any()
    assert (s.player, s.round_no) == (heist.mover, len(heist.finished))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("options", SETTINGS, ids=lambda o: "-".join(map(str, o.values())))
def test_the_game_as_told_in_words(options, style):
    game = configure("the_gang", **options)
    n, turns, kind = game.players, options["turns_per_round"], options["reward"]
    out = np.zeros(n, np.float32)
    for seed in range(GAMES):
        s, rng = dealt(game, seed)[0], np.random.default_rng(seed)
        vaults = alarms = 0
        earned, first = 0.0, int(s.first)
        while s.player >= 0:
            assert s.first == first
            hands = final_hands(s)
            heist = Heist(n, turns, options["round_end"] == "consensus", first)
            while not heist.over():
                same(s, heist)
                mask = legal_mask(game, s)
                assert {game.actions[a] for a in np.flatnonzero(mask)} == heist.legal()
                action = choose(game, rng, mask, style)
                heist.play(game.actions[action])
                step(s, action)
            right, pairs = right_pairs(hands, heist.finished[3]), n * (n - 1) / 2
            order = sorted(range(n), key=lambda seat: heist.finished[3][seat])
            success = [hands[seat] for seat in order] == sorted(hands)
            assert success == (right == pairs)
            vaults, alarms = vaults + success, alarms + (not success)
            assert (s.vaults, s.alarms) == (vaults, alarms)
            assert s.showdown_strength[:n].tolist() == hands
            over = 3 in (vaults, alarms)
            earned += {"heist": 2.0 * success - 1, "order": 2 * right / pairs - 1, "game": 0}[kind]
            if over and kind == "game":
                earned = 1 if vaults == 3 else -1
            returns(s, out)
            assert out == pytest.approx(earned, abs=1e-6)
            assert (s.player < 0) == over
            first = (first + 1) % n


@pytest.mark.parametrize("options", CHIPS, ids=lambda o: "-".join(map(str, o.values())))
def test_chips_are_never_lost_and_earlier_rounds_lie_still(options):
    """Case 1 at large: in front of the seats and in the centre each chip lies once."""
    game = configure("the_gang", **options)
    n = game.players
    for seed in range(GAMES):
        s, rng = dealt(game, seed)[0], np.random.default_rng(seed)
        while s.player >= 0:
            before = s.copy()
            step(s, choose(game, rng, legal_mask(game, s), "any"))
            fronts = [chip for chip in s.chips[s.round_no].tolist() if chip]
            assert len(fronts) == len(set(fronts)) and set(fronts) <= set(range(1, n + 1))
            if s.round_no == before.round_no and s.first == before.first:
                earlier = slice(0, int(s.round_no))
                assert s.chips[earlier].tolist() == before.chips[earlier].tolist()
            elif s.round_no > before.round_no:  # the round that ended
                assert sorted(s.chips[before.round_no, :n].tolist()) == list(range(1, n + 1))
            else:  # the heist that ended
                assert sorted(s.showdown_chips[:n].tolist()) == list(range(1, n + 1))


@pytest.mark.parametrize("end", ["all_hold", "consensus"])
@pytest.mark.parametrize("turns", [1, 3])
@pytest.mark.parametrize("n", [3, 6])
def test_the_lap_after_the_budget_ends_the_round(n, turns, end):
    """R12, at its longest: nobody takes a chip before, so that all must in the last lap."""
    game = configure("the_gang", num_players=n, turns_per_round=turns, round_end=end)
    s = dealt(game, n)[0]
    for number in range(3):
        assert s.round_no == number
        for _ in range(n * turns):
            step(s, game.numbers["pass"])
        for lap in range(n):
            assert s.round_no == number and s.turns == n * turns + lap
            mask = legal_mask(game, s)
            assert mask[:n].sum() == n - lap and not mask[n:].any()
            step(s, int(np.flatnonzero(mask)[-1]))


def test_no_heist_draws_a_card_twice_or_too_many():
    """R3: the pile never runs out."""
    for n in range(3, 7):
        game = configure("the_gang", num_players=n)
        s = dealt(game, n)[0]
        assert s.drawn == 2 * n + 5 <= MOST_DRAWN
        assert sorted(s.deck.tolist()) == list(range(52))
        cards = [*s.hole[:n, :2].ravel().tolist(), *s.board.tolist()]
        assert sorted(cards) == sorted(s.deck[: s.drawn].tolist())
        assert (s.hole[:n, 2:] == -1).all() and (s.hole[n:] == -1).all()


def test_every_deal_is_new():
    """Over the heists of a game and over games of one stream, hands and boards differ."""
    game = configure("the_gang", turns_per_round=1)
    s, rng = dealt(game, 8)[0], np.random.default_rng(8)
    deals = {tuple(s.deck[: s.drawn].tolist())}
    heists = 1
    while s.player >= 0:
        before = s.vaults + s.alarms
        step(s, choose(game, rng, legal_mask(game, s), "any"))
        if s.vaults + s.alarms > before and s.player >= 0:
            heists += 1
            deals.add(tuple(s.deck[: s.drawn].tolist()))
    assert heists == len(deals) >= 3


def test_all_first_seats_are_drawn():
    """R13."""
    for n in range(3, 7):
        game = configure("the_gang", num_players=n)
        assert {int(dealt(game, seed)[0].first) for seed in range(40 * n)} == set(range(n))


def test_observed_chips_are_those_on_the_table():
    """Seats, rounds and stars have different sizes here, so that none can be taken for another."""
    game = configure("the_gang", num_players=5, turns_per_round=2)
    s, rng = dealt(game, 4)[0], np.random.default_rng(4)
    for _ in range(60):
        for seat in range(5):
            chips = game.parts(observed(game, s, seat))["chips"]
            for number in range(4):
                for after in range(5):
                    held = int(s.chips[number, (seat + after) % 5])
                    assert chips[number, after].tolist() == [held == c for c in range(1, 6)]
        step(s, choose(game, rng, legal_mask(game, s), "any"))


def test_observed_cards_are_the_own_and_the_open_ones():
    game = configure("the_gang", num_players=4, turns_per_round=1)
    s = dealt(game, 2)[0]
    for number in range(4):
        shown = (0, 3, 4, 5)[number]
        for seat in range(4):
            view = game.parts(observed(game, s, seat))
            assert set(np.flatnonzero(view["hole"])) == set(s.hole[seat, :2].tolist())
            assert set(np.flatnonzero(view["board"])) == set(s.board[:shown].tolist())
            for i in (3, 4):
                card = int(s.board[i])
                cells = [card // 4, 13 + card % 4] if i < shown else []
                assert np.flatnonzero(view["street"][i - 3]).tolist() == cells
        while s.round_no == number and s.vaults + s.alarms == 0:
            step(s, int(s.player))
