"""The rules against the same game told once more, with lists and words, from the README."""

from typing import Any

import numpy as np
import pytest

from backroom.envs import configure
from backroom.envs.engine.game import Game, deal, legal, observe, returns, step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.rng import stream

SPECIES = "cockroach rat bat fly frog spider scorpion stink_bug".split()
SETTINGS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 5},
    {"num_players": 6},
    {"num_players": 3, "cards_per_player": 1, "num_games": 20},
    {"num_players": 4, "cards_per_player": 5, "starter_bonus_card": True, "num_games": 3},
    {"num_players": 5, "starter_bonus_card": True},
    {"num_players": 6, "starter_bonus_card": True, "all_kinds": False},
    {"num_players": 4, "four_of_a_kind": 2, "num_games": 5},
    {"num_players": 2, "four_of_a_kind": 8, "all_kinds": False, "num_games": 2},
    {"num_players": 2, "cards_per_player": 27, "four_of_a_kind": 5, "all_kinds": False},
]


class Reference:
    """One game, without regard to speed."""

    def __init__(self, game: Game, state: Any) -> None:
        self.options: Any = game.options
        self.seats = range(game.players)
        self.hands = [self.words(state.hand[seat]) for seat in self.seats]
        self.aside = self.words(state.aside)
        self.piles: list[list[str]] = [[] for _ in self.seats]
        self.proved = np.zeros((len(self.seats), 4), int)
        self.mover = int(state.player)
        self.card: str | None = None
        self.said: list[tuple[int, str, bool]] = []
        self.looked = False
        self.knowing: set[int] = set()

    @staticmethod
    def words(counts: Any) -> list[str]:
        return [word for word, count in zip(SPECIES, counts, strict=True) for _ in range(count)]

    def open_seats(self) -> list[int]:
        named = [seat for seat, _, _ in self.said]
        return [seat for seat in self.seats if seat not in named and seat != self.mover]

    def actions(self) -> set[str]:
        ways = [
            f"+{(seat - self.mover) % len(self.seats)}:{claim}"
            for seat in self.open_seats()
            for claim in SPECIES
        ]
        if self.card is None:
            return {f"offer {card}>{way}" for card in self.hands[self.mover] for way in ways}
        passes = {f"pass {way}" for way in ways}
        if self.looked:
            return passes
        return passes | {"call true", "call false"} | ({"look"} if passes else set())

    def play(self, text: str) -> int | None:
        """Play `text`; the loser if it ends the game."""
        verb, _, rest = text.partition(" ")
        if verb == "look":
            self.looked = True
            self.knowing.add(self.mover)
            return None
        if verb == "call":
            return self.turn_up(rest == "true")
        if verb == "offer":
            self.card, _, rest = rest.partition(">")
            self.hands[self.mover].remove(self.card)
            self.knowing = {self.mover}
        target, _, claim = rest.partition(":")
        self.said.append((self.mover, claim, self.looked))
        self.looked = False
        self.mover = (self.mover + int(target)) % len(self.seats)
        return None

    def turn_up(self, true: bool) -> int | None:
        assert self.card is not None
        right = true == (self.said[-1][1] == self.card)
        for seat, claim, _ in self.said:
            self.proved[seat, 0 if claim == self.card else 1] += 1
        self.proved[self.mover, 2 if right else 3] += 1
        self.mover = self.said[-1][0] if right else self.mover
        pile = self.piles[self.mover]
        pile.append(self.card)
        self.card, self.said, self.knowing = None, [], set()
        lost = (
            max(pile.count(word) for word in SPECIES) >= self.options.four_of_a_kind
            or (self.options.all_kinds and len(set(pile)) == 8)
            or not self.hands[self.mover]
        )
        return self.mover if lost else None

    def observation(self, player: int, games_left: int, over: bool) -> dict[str, Any]:
        """What `player` may know."""
        seats = [(player + i) % len(self.seats) for i in self.seats]
        said = self.said + [(-1, "", False)] * (len(seats) - 1 - len(self.said))
        phase = 0 if self.card is None else 2 if self.looked else 1
        return {
            "hand": [self.hands[player].count(word) for word in SPECIES],
            "faceup": [[self.piles[seat].count(word) for word in SPECIES] for seat in seats],
            "hand_size": [len(self.hands[seat]) for seat in seats],
            "tally": self.proved[seats],
            "turn": [seat == self.mover and not over for seat in seats],
            "phase": [phase == i and not over for i in range(3)],
            "open": [seat in self.open_seats() and not over for seat in seats],
            "card": [word == self.card and player in self.knowing for word in SPECIES],
            "chain_seat": [[who == seat for seat in seats] for who, _, _ in said],
            "chain_claim": [[claim == word for word in SPECIES] for _, claim, _ in said],
            "chain_looked": [looked for _, _, looked in said],
            "games_left": [games_left],
        }

    def everything(self) -> list[str]:
        flight = [] if self.card is None else [self.card]
        return sum(self.hands + self.piles, self.aside + flight)


def assert_same(game: Game, s: Any, table: Reference, games_left: int) -> None:
    over = games_left == 0
    for seat in table.seats:
        observation = np.full(game.observation_size, 99, np.int8)
        observe(s, seat, observation)
        parts = game.parts(observation[None])
        for name, expected in table.observation(seat, games_left, over).items():
            assert np.array_equal(parts[name][0], np.asarray(expected, int)), (seat, name)
        assert table.words(s.hand[seat]) == sorted(table.hands[seat], key=SPECIES.index)
    mask = np.ones(len(game.actions), np.bool_)
    legal(s, mask)
    assert {game.actions[i] for i in np.flatnonzero(mask)} == (set() if over else table.actions())
    assert over or mask.any()
    # 64 cards with 8 of each, in the record as in the reference
    flight = np.arange(8) == s.flight
    assert (s.hand.sum(0) + s.faceup.sum(0) + s.aside + flight == 8).all()
    assert all(table.everything().count(word) == 8 for word in SPECIES)


def play_match(game: Game, seed: int) -> tuple[Any, dict[str, int], list[int], int]:
    """Random legal play; the last state, counts of verbs, the losers in order, and the moves."""
    rng = np.random.default_rng(seed)
    options: Any = game.options
    s = game.blank(1)[0]
    s.rng = stream(seed)
    deal(s)
    table, moves = Reference(game, s), 0
    losers: list[int] = []
    counts = dict.fromkeys(("offer", "pass", "look", "call"), 0)
    while True:
        left = options.num_games - len(losers)
        assert_same(game, s, table, left)
        assert np.allclose(total(game, s), expected_returns(game, losers), atol=1e-4)
        if left == 0:
            return s, counts, losers, moves
        verb = rng.choice(sorted({text.split()[0] for text in table.actions()}))
        text = rng.choice(sorted(a for a in table.actions() if a.startswith(verb)))
        counts[verb] += 1
        moves += 1
        step(s, game.numbers[text])
        loser = table.play(text)
        if loser is not None:
            losers.append(loser)
            if len(losers) < options.num_games:
                assert s.player == s.starter == loser  # R16
                table = Reference(game, s)
        assert s.player == (-1 if len(losers) == options.num_games else table.mover)


def total(game: Game, s: Any) -> np.ndarray:
    out = np.full(game.players, np.nan, np.float32)
    returns(s, out)
    return out


def expected_returns(game: Game, losers: list[int]) -> list[float]:
    won = 1 / (game.players - 1)
    return [sum(-1 if loser == p else won for loser in losers) for p in range(game.players)]


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_every_step_is_as_the_reference_says(options: dict[str, Any]) -> None:
    game = configure("cockroach_poker", **options)
    for seed in range(2 if COMPILED else 1):
        s, counts, losers, moves = play_match(game, seed)
        figures = game.rules.statistics(game, s)
        assert figures["turns"] == counts["offer"]
        assert figures["passes"] == counts["pass"]
        assert figures["looks"] == counts["look"]
        assert figures["calls"] == counts["call"] == counts["offer"]
        assert figures["claims"] == counts["offer"] + counts["pass"]
        assert figures["games"] == len(losers)
        assert figures["games"] == sum(
            figures[name] for name in ("four_of_a_kind", "all_kinds", "out_of_cards")
        )
        if len(losers) == 1:  # tallies are of the last game, statistics of the match
            assert figures["calls_right"] == s.tally[:, 2].sum()
            assert figures["lies"] == s.tally[:, 1].sum()
            assert figures["claims"] == s.tally[:, :2].sum()
        assert 0 < moves <= game.facts.max_moves


@pytest.mark.parametrize(
    ("seats", "each", "aside"), [(2, 32, 0), (3, 21, 1), (4, 16, 0), (5, 12, 4), (6, 10, 4)]
)
def test_all_are_dealt_the_same_number(seats: int, each: int, aside: int) -> None:
    for bonus in (False, True) if aside else (False,):
        game = configure("cockroach_poker", num_players=seats, starter_bonus_card=bonus)
        s = game.blank(1)[0]
        for seed in range(20):
            s.rng = stream(seed)
            deal(s)
            sizes = s.hand.sum(1)
            assert np.array_equal(sizes, s.hand_size)
            assert sizes[s.starter] == each + bonus
            assert sorted(sizes[:seats])[: seats - 1] == [each] * (seats - 1)
            assert sizes[seats:].sum() == 0
            assert s.aside.sum() == aside - bonus


def test_starter_and_cards_are_drawn_uniformly() -> None:
    game = configure("cockroach_poker", num_players=5)
    games = 4000 if COMPILED else 200
    states = game.blank(games)
    for seed, s in enumerate(states):
        s.rng = stream(seed)
        deal(s)
    starts = np.bincount(states["starter"], minlength=5)
    assert np.all(np.abs(starts - games / 5) < 4 * np.sqrt(games * 0.2 * 0.8))
    # hypergeometric: 12 or 4 of 64 cards, 8 of them of a species
    for counts, size in ((states["hand"][:, :5], 12), (states["aside"][:, None], 4)):
        variance = size * (1 / 8) * (7 / 8) * (64 - size) / 63
        error = np.sqrt(variance / games)
        assert np.all(np.abs(counts.mean(0) - size / 8) < 4.5 * error)
        assert abs(counts.var(0).mean() / variance - 1) < (0.05 if COMPILED else 0.15)


def test_match_of_many_games_has_fresh_deals() -> None:
    game = configure("cockroach_poker", num_players=3, num_games=4)
    s = game.blank(1)[0]
    s.rng = stream(3)
    deal(s)
    hands = [s.hand.copy()]
    rng = np.random.default_rng(0)
    mask = np.zeros(len(game.actions), np.bool_)
    while s.player >= 0:
        legal(s, mask)
        games = int(s.games)
        step(s, int(rng.choice(np.flatnonzero(mask))))
        if games < s.games < 4:
            assert np.array_equal(s.hand_size[:3], [21] * 3)
            assert not s.faceup.any() and not s.tally.any()
            hands.append(s.hand.copy())
    assert len({hand.tobytes() for hand in hands}) == 4
    assert s.games == 4 and s.losses.sum() == 4
