"""How often the banker beats a hand, counted and not tried out.

Asked is how many of the 163,185 ways to complete the banker's hand leave it without a call, weaker
than the seat's, or as strong. For each set of one to four cards there is a list of all hands that
hold the set, in the order of their strength. Those of the open card's list that avoid the seat's
five cards are counted by inclusion and exclusion over the subsets of these five: 31 lookups instead
of 163,185 comparisons.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from ...envs.caribbean_poker.rules import QUALIFYING
from ...envs.caribbean_poker.state import HAND
from ...envs.engine.cards import CARDS
from ...envs.engine.jit import jit
from ...envs.engine.poker import EMPTY, add, strength

HANDS = comb(CARDS, HAND)
COMPLETIONS = comb(CARDS - HAND - 1, HAND - 1)
"""Ways to complete the banker's hand: 163,185."""
_SIZES = HAND + 1

CHOOSE = np.array([[comb(n, k) for k in range(_SIZES + 1)] for n in range(CARDS + 1)], np.int64)
"""Binomial coefficients, n over k at [n, k]."""

_LENGTHS = np.array([comb(CARDS - k, HAND - k) if k else 0 for k in range(_SIZES)], np.int64)
"""How many hands hold a set of k cards."""
_SETS = np.array([comb(CARDS, k) if 0 < k < HAND else 0 for k in range(_SIZES)], np.int64)
_FIRST_SET = np.cumsum(_SETS) - _SETS
"""Number of the first set of k cards, where sets of one to four cards are numbered through."""
_FIRST_ENTRY = np.cumsum(_SETS * _LENGTHS) - _SETS * _LENGTHS
"""Where the lists of sets of k cards begin."""


class Tables(NamedTuple):
    """What is worked out once. Sets are numbered by size, then by the colexicographic order."""

    classes: np.ndarray
    """Of each hand its class of strength, as `ranked_hands` tells: int16[2598960]."""
    lists: np.ndarray
    """For each set of one to four cards the classes of all hands that hold it, ascending: int16."""
    unqualified: np.ndarray
    """For each such set how many of these hands do not qualify: int32[294203]."""
    qualifying: int
    """The weakest class that qualifies."""


@jit
def number_of(cards: np.ndarray) -> int:
    """The number of a set of ascending `cards` among those of its size."""
    number = 0
    for i in range(cards.size):
        number += CHOOSE[cards[i], i + 1]
    return number


@jit
def all_hands(hands: np.ndarray, strengths: np.ndarray) -> None:
    """Write each hand, ascending cards, int8[2598960, 5], and its strength, int32[2598960]."""
    n = 0
    for e in range(CARDS):  # the order of their numbers
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        hand = add(add(add(add(add(EMPTY, a), b), c), d), e)
                        strengths[n] = strength(hand)
                        hands[n, 0], hands[n, 1], hands[n, 2] = a, b, c
                        hands[n, 3], hands[n, 4] = d, e
                        n += 1


@jit
def _fill(hands: np.ndarray, order: np.ndarray, tables: Tables) -> None:
    """Enter each hand in the lists of its subsets, the weakest hands first."""
    filled = np.zeros(tables.unqualified.size, np.int32)
    subset = np.empty(HAND, np.int64)
    for n in order:
        kind = tables.classes[n]
        for chosen in range(1, (1 << HAND) - 1):
            size = 0
            for i in range(HAND):
                if chosen >> i & 1:
                    subset[size] = hands[n, i]
                    size += 1
            number = number_of(subset[:size])
            at = _FIRST_SET[size] + number
            entry = _FIRST_ENTRY[size] + number * _LENGTHS[size] + filled[at]
            tables.lists[entry] = kind
            tables.unqualified[at] += kind < tables.qualifying
            filled[at] += 1


def ranked_hands() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All hands in the order of their numbers, and how strong they are.

    Returns:
        The hands, ascending cards, int8[2598960, 5]; of each its class of strength, int16[2598960],
        0 to 7461, the weakest first; and of each class its strength, int32[7462].
    """
    hands, strengths = np.empty((HANDS, HAND), np.int8), np.empty(HANDS, np.int32)
    all_hands(hands, strengths)
    distinct, classes = np.unique(strengths, return_inverse=True)
    return hands, classes.reshape(-1).astype(np.int16), distinct


def make_tables() -> tuple[np.ndarray, Tables]:
    """All hands, int8[2598960, 5], and the tables: some seconds, and 160 MB."""
    hands, classes, strengths = ranked_hands()
    tables = Tables(
        classes,
        np.empty(int((_SETS * _LENGTHS).sum()), np.int16),
        np.zeros(int(_SETS.sum()), np.int32),
        int(np.searchsorted(strengths, QUALIFYING)),
    )
    _fill(hands, np.argsort(classes, kind="stable"), tables)
    return hands, tables


@jit
def _below(row: np.ndarray, kind: int) -> int:
    """How many entries of an ascending row are less than `kind`."""
    low, high = 0, row.size
    while low < high:
        middle = (low + high) >> 1
        if row[middle] < kind:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def _count(six: np.ndarray, up: int, kind: int, tables: Tables, out: np.ndarray) -> None:
    """Count the banker's hands that hold the open card and none of the other five.

    Args:
        six: The five cards and the open one, ascending.
        up: The place of the open card in `six`.
        kind: The class of the five cards.
        tables: See there.
        out: int64[3], modified in place: hands that do not qualify, are below `kind`, are of it.
    """
    out[:] = 0
    subset = np.empty(_SIZES, np.int64)
    for chosen in range(1 << _SIZES):
        if chosen >> up & 1 == 0:
            continue
        size = 0
        for i in range(_SIZES):
            if chosen >> i & 1:
                size += 1
                subset[size - 1] = six[i]
        if size > HAND:
            continue
        sign = 1 if size % 2 else -1  # by the number of cards beside the open one
        number = number_of(subset[:size])
        if size == HAND:
            other = tables.classes[number]
            out[0] += sign * (other < tables.qualifying)
            out[1] += sign * (other < kind)
            out[2] += sign * (other == kind)
            continue
        out[0] += sign * tables.unqualified[_FIRST_SET[size] + number]
        if kind >= tables.qualifying:
            first = _FIRST_ENTRY[size] + number * _LENGTHS[size]
            row = tables.lists[first : first + _LENGTHS[size]]
            below = _below(row, kind)
            out[1] += sign * below
            out[2] += sign * _below(row[below:], kind + 1)


@jit
def count_completions(cards: np.ndarray, tables: Tables, counts: np.ndarray) -> None:
    """How the round would end after a call, over all ways to complete the banker's hand.

    Args:
        cards: Five ascending cards of the seat and the banker's open card, int8[N, 6].
        tables: See there.
        counts: int32[N, 4], modified in place: not qualified, won, tied, lost; 163,185 a row.
    """
    six = np.empty(_SIZES, np.int64)
    out = np.empty(3, np.int64)
    for n in range(cards.shape[0]):
        open_card = cards[n, HAND]
        up = 0
        for i in range(HAND):
            up += cards[n, i] < open_card
            six[i + (cards[n, i] > open_card)] = cards[n, i]
        six[up] = open_card
        kind = int(tables.classes[number_of(cards[n, :HAND])])
        _count(six, up, kind, tables, out)
        unqualified, below, equal = int(out[0]), int(out[1]), int(out[2])
        if kind < tables.qualifying:
            below = unqualified
            equal = 0
        counts[n, 0] = unqualified
        counts[n, 1] = below - unqualified
        counts[n, 2] = equal
        counts[n, 3] = COMPLETIONS - below - equal
