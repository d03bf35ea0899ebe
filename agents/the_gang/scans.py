"""How the scripted agents of The Gang guess at a scan (R41, R46 in envs/the_gang/README.md).

How to guess. All hands but the scanned one lie open, so all seats reckon alike: what it may hold is
any cards that are nowhere in sight, agree with what was declared, and are no weaker than the
strongest open hand, as else the heist has failed anyway. Name the likeliest rank, or category (with
the rank that was named most, if ranks were guessed before), the lowest of equals. But if you know
more (a card that you were shown, that you passed on, or that the Con Artist took from you and that
lies nowhere), reckon with that. If somebody has named another than all reckon with, they know more:
name the same.
"""

import numpy as np

from ...envs.engine.cards import CARDS, JACK, JACK_CARD, RANKS
from ...envs.engine.poker import CATEGORIES, MUSCLE, strength
from ...envs.the_gang import roster
from .facts import CARD, LEAST, RANK
from .ranges import MOST_HOLDINGS, agreeing, hand_of, holdings
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
    _, has = _hands(tables, parts, row, known)
    odds: np.ndarray = has.mean(axis=0)
    return odds


def category_odds(tables: Tables, parts: np.ndarray, row: int, known: list[int]) -> np.ndarray:
    """How likely the scanned hand is of each category, float64[10]."""
    strengths, has = _hands(tables, parts, row, known)
    named = parts["rank_guesses"][row].sum(axis=0)
    if named.any() and has[:, named.argmax()].any():
        strengths = strengths[has[:, named.argmax()]]
    return np.bincount(strengths >> 24, minlength=len(CATEGORIES)) / strengths.size


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


def _hands(
    tables: Tables, parts: np.ndarray, row: int, known: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """What the scanned seat may hold, the cards `known` and others.

    Returns:
        Strengths, int32[N], and whether each rank is there, bool[N, 13].
    """
    seat, board = scanned(tables, row), tables.board[row]
    in_order = np.empty(5, np.int8)
    open_board(board, tables.street[row], in_order)
    jack, muscle = _holder(parts, row, roster.JACK), _holder(parts, row, roster.MUSCLE)
    base = np.array(known + [JACK_CARD] * (jack == seat), np.int8)
    hand, _ = hand_of(np.concatenate([in_order, base]))
    in_sight = parts["opened"][row].any(axis=0) | (board > 0)
    in_sight[known] = True
    used = sum(1 << card for card in range(CARDS) if in_sight[card])
    missing = own_cards(tables, row).size - base.size
    strengths, sets = holdings(hand, used, missing, MOST_HOLDINGS[missing])
    facts = tables.facts[row, seat].copy()
    if jack == seat:
        facts[[RANK, LEAST]] = -1
    agree = agreeing(in_order, base, facts, sets)
    best = max(
        _open_strength(parts, row, other, in_order, jack, muscle)
        for other in range(tables.chips.shape[1])
        if other != seat
    )
    right = agree & (strengths + (MUSCLE if muscle == seat else 0) >= best)
    kept = right if right.any() else agree if agree.any() else np.ones(sets.size, np.bool_)
    _, held = hand_of(base)
    return strengths[kept], _ranks(sets[kept] | held, jack == seat)


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
