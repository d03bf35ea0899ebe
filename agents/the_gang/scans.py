"""How the scripted agents of The Gang guess at a scan (R41, R46 in envs/the_gang/README.md).

How to guess. All hands but the scanned one lie open, so all seats reckon alike: what it may hold is
any cards that are nowhere in sight, agree with what was declared, and are no weaker than the
strongest open hand, as else the heist has failed anyway. Each chip before it, from the flop on,
makes those hands likelier that should have taken it: count a hand in proportion to the chance that
just as many of n - 1 random hands were weaker then as there are chips with fewer stars.

Name the likeliest rank; or category, with the rank that was named most, if ranks were guessed
before. But if you know more (a card that you were shown, that you passed on, or that the Con Artist
took from you and that lies nowhere), reckon with that. If somebody has named another than all
reckon with, they know more: name the same.
"""

from typing import NamedTuple

import numpy as np

from ...envs.engine.cards import CARDS, JACK, JACK_CARD, RANKS
from ...envs.engine.poker import CATEGORIES, MUSCLE, strength
from ...envs.the_gang import roster
from ...envs.the_gang.state import BOARD, ROUNDS
from ...envs.the_gang.strength import open_cards
from .facts import CARD, LEAST, RANK
from .ranges import MOST_HOLDINGS, agreeing, hand_of, holdings, shares_among
from .table import Tables, open_board, own_cards


def guess_rank(tables: Tables, parts: np.ndarray, row: int) -> int:
    """R41: the rank to name, 0 to 12."""
    return _named(tables, parts, row, "rank_guesses")


def guess_category(tables: Tables, parts: np.ndarray, row: int) -> int:
    """R46: the category to name, 0 to 9."""
    return _named(tables, parts, row, "category_guesses")


def _named(tables: Tables, parts: np.ndarray, row: int, part: str) -> int:
    odds = rank_odds if part == "rank_guesses" else category_odds
    public = odds(tables, parts, row, [])
    usual = int(public.argmax())
    known = own_knowledge(tables, parts, row)
    if known:
        return int(odds(tables, parts, row, known).argmax())
    n, first = tables.chips.shape[1], int(tables.first[row])
    for turn in range(n - 1, -1, -1):
        named = parts[part][row, (first + turn) % n]
        if named.any() and named.argmax() != usual and public[named.argmax()] > 0:
            return int(named.argmax())
    return usual


def rank_odds(tables: Tables, parts: np.ndarray, row: int, known: list[int]) -> np.ndarray:
    """How likely the scanned hand holds each rank, float64[13], if it holds the cards `known`."""
    hands = _hands(tables, parts, row, known)
    odds: np.ndarray = hands.weights @ hands.ranks / hands.weights.sum()
    return odds


def category_odds(tables: Tables, parts: np.ndarray, row: int, known: list[int]) -> np.ndarray:
    """How likely the scanned hand is of each category, float64[10]."""
    hands = _hands(tables, parts, row, known)
    weights = hands.weights
    named = parts["rank_guesses"][row].sum(axis=0)
    if named.any() and weights[hands.ranks[:, named.argmax()]].any():
        weights = weights * hands.ranks[:, named.argmax()]
    categories = hands.strengths >> 24
    odds: np.ndarray = np.bincount(categories, weights, len(CATEGORIES)) / weights.sum()
    return odds


def scanned(tables: Tables, row: int) -> int:
    """The seat with the strongest red chip."""
    return int(tables.chips[row].argmax())


def own_knowledge(tables: Tables, parts: np.ndarray, row: int) -> list[int]:
    """R28, R33, R36: cards of the scanned hand that only this seat knows."""
    if "lost" not in (parts.dtype.names or ()):
        return []
    seat = scanned(tables, row)
    known = {int(tables.facts[row, seat, CARD])} - {-1}
    if not parts["redrew"][row, 1:].any():  # else it may have been discarded
        elsewhere = parts["opened"][row].any(axis=0)
        known |= set(np.flatnonzero((parts["lost"][row] > 0) & ~elsewhere).tolist())
    return sorted(known)


class Hands(NamedTuple):
    """What the scanned seat may hold, in N ways."""

    strengths: np.ndarray
    """int32[N]."""
    ranks: np.ndarray
    """Whether each rank is there, bool[N, 13]."""
    weights: np.ndarray
    """How likely, float64[N], not summing up to one."""


def _hands(tables: Tables, parts: np.ndarray, row: int, known: list[int]) -> Hands:
    """What the scanned seat may hold: the cards `known`, and others that are not in sight."""
    seat = scanned(tables, row)
    board = np.empty(BOARD, np.int8)
    open_board(tables.board[row], tables.street[row], board)
    jack, muscle = _holder(parts, row, roster.JACK), _holder(parts, row, roster.MUSCLE)
    base = np.array(known + [JACK_CARD] * (jack == seat), np.int8)
    in_sight = parts["opened"][row].any(axis=0) | (tables.board[row] > 0)
    in_sight[known] = True
    used = sum(1 << card for card in range(CARDS) if in_sight[card])
    missing = own_cards(tables, row).size - base.size
    hand, _ = hand_of(np.concatenate([board, base]))
    strengths, sets = holdings(hand, used, missing, MOST_HOLDINGS[missing])
    facts = tables.facts[row, seat].copy()
    if jack == seat:
        facts[[RANK, LEAST]] = -1
    agree = agreeing(board, base, facts, sets)
    best = max(
        _open_strength(parts, row, other, board, jack, muscle)
        for other in range(tables.chips.shape[1])
        if other != seat
    )
    right = agree & (strengths + (MUSCLE if muscle == seat else 0) >= best)
    kept = right if right.any() else agree if agree.any() else np.ones(sets.size, np.bool_)
    weights = kept * np.ones(sets.size)
    for number in range(_since(parts, row, seat), ROUNDS):
        chip = parts["chips"][row, number, seat]
        if chip.any():
            hand, _ = hand_of(np.concatenate([board[: open_cards(number)], base]))
            then, _ = holdings(hand, used, missing, MOST_HOLDINGS[missing])
            weights *= chip_chance(shares_among(then), int(chip.argmax()), chip.size)
    _, held = hand_of(base)
    return Hands(strengths, _ranks(sets | held, jack == seat), weights)


def _since(parts: np.ndarray, row: int, seat: int) -> int:
    """The first round, from the flop on, at whose end it may have had its hand (R32, R34)."""
    changes = [roster.HACKER - 1, roster.JACK - 1]
    if "user" in (parts.dtype.names or ()) and parts["user"][row, seat]:
        if parts["specialist"][row, changes].any():
            return max(1, int(parts["used_in"][row].argmax()))
    return 1


def chip_chance(shares: np.ndarray, weaker: int, n: int) -> np.ndarray:
    """How likely just so many of n - 1 random hands are weaker, up to a factor: float64[N].

    Args:
        shares: Percentiles of hands, float64[N], 0 to 1.
        weaker: Chips with fewer stars, 0 to n - 1.
        n: The chips.

    >>> chip_chance(np.array([0.25, 0.5]), 2, 3)
    array([0.0625, 0.25  ])
    """
    chance: np.ndarray = shares**weaker * (1 - shares) ** (n - 1 - weaker)
    return chance


def _ranks(sets: np.ndarray, jack: bool) -> np.ndarray:
    has = (sets[:, None] >> (4 * np.arange(len(RANKS))) & 15) > 0
    has[:, JACK] |= jack
    return has


def _holder(parts: np.ndarray, row: int, specialist: int) -> int:
    """R34, R37: the seat that has the Jack or the Muscle, -1 for none."""
    if "holder" not in (parts.dtype.names or ()) or not parts["specialist"][row, specialist - 1]:
        return -1
    holder = parts["holder"][row]
    return int(holder.argmax()) if holder.any() else -1


def _open_strength(
    parts: np.ndarray, row: int, seat: int, board: np.ndarray, jack: int, muscle: int
) -> int:
    cards = np.flatnonzero(parts["opened"][row, seat]).astype(np.int8)
    extra = np.array([JACK_CARD] * (jack == seat), np.int8)
    hand, _ = hand_of(np.concatenate([board, cards, extra]))
    return strength(hand) + (MUSCLE if muscle == seat else 0)
