"""What a round would be worth to one who saw more of the banker's cards than the open one.

Nobody may, and so these values tell how much has leaked if an agent earns more than the best play
can: -0.0062 antes with one of the hidden cards, +0.1197 with two, +0.6428 with all four. (Grosjean,
Beyond Counting, gives -0.0174, +0.1157 and +0.6427, for strategies that people can learn.)

For each set of one to five cards the sum of what a call earns against all banker's hands that hold
the set is kept at hand, for one strength of the seat's hand; from strength to strength little of it
changes. Those of the banker's hands that hold the seen cards and none of the seat's follow by
inclusion and exclusion over the subsets of the seat's hand.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np

from ...envs.caribbean_poker.rules import net, outcome
from ...envs.caribbean_poker.state import CALL, FOLDED, HAND
from ...envs.engine.cards import CARDS
from ...envs.engine.game import Game
from ...envs.engine.jit import COMPILED, first_use, jit
from ...envs.engine.poker import category
from .counting import CHOOSE, HANDS, number_of, ranked_hands
from .situations import representatives

_REST = CARDS - HAND
_SIZES = np.array([comb(CARDS, k) if k else 0 for k in range(HAND + 1)], np.int64)
_FIRST = np.cumsum(_SIZES) - _SIZES
"""Number of the first set of k cards, where sets of one to five cards are numbered through."""
SETS = int(_SIZES.sum())
"""How many sets of one to five cards there are."""


class Ranked(NamedTuple):
    """All hands by strength."""

    hands: np.ndarray
    """int8[2598960, 5], ascending cards; the weakest hands first."""
    first: np.ndarray
    """Where the hands of each class of strength begin, int64[7463]; last, how many there are."""
    strengths: np.ndarray
    """Of each class its strength, int32[7462]."""


def by_strength() -> Ranked:
    """All hands by strength, in some seconds."""
    hands, classes, strengths = ranked_hands()
    order = np.argsort(classes, kind="stable")
    first = np.searchsorted(classes[order], np.arange(len(strengths) + 1))
    return Ranked(hands[order], first, strengths)


@jit
def earned(own: int, odds: np.ndarray, strengths: np.ndarray, out: np.ndarray) -> None:
    """Write what a call of strength `own` earns against each of `strengths`, in antes."""
    for i in range(strengths.size):
        out[i] = net(outcome(CALL, own, int(strengths[i])), int(odds[category(own)]))


@jit
def add_to_sums(change: np.ndarray, ranked: Ranked, sums: np.ndarray) -> None:
    """Add to the `sums` of all subsets of each hand what its class changes by, `change`."""
    subset = np.empty(HAND, np.int64)
    for kind in range(change.size):
        if change[kind] == 0:
            continue
        for n in range(ranked.first[kind], ranked.first[kind + 1]):
            for chosen in range(1, 1 << HAND):
                size = 0
                for i in range(HAND):
                    if chosen >> i & 1:
                        subset[size] = ranked.hands[n, i]
                        size += 1
                sums[_FIRST[size] + number_of(subset[:size])] += change[kind]


@jit
def _numbers(rest: np.ndarray, upper: np.ndarray, own: np.ndarray) -> tuple[int, int]:
    """What the number of a set of `upper`, `own` and one card below `upper` is made of.

    Args:
        rest: The cards that are not the seat's, ascending.
        upper: Places in `rest`, ascending.
        own: Some of the seat's cards, ascending.

    Returns:
        The part that does not depend on the lowest card; the row of `_lowest` that tells the other.
    """
    fixed, below = 0, 0
    bound = rest[upper[0]] if upper.size else CARDS
    for j in range(own.size):
        if own[j] < bound:
            below += 1
            continue
        place = j + 2
        for i in range(upper.size):
            place += rest[upper[i]] < own[j]
        fixed += CHOOSE[own[j], place]
    for i in range(upper.size):
        card, place = rest[upper[i]], i + 2
        for j in range(own.size):
            place += own[j] < card
        fixed += CHOOSE[card, place]
    return fixed, below


@jit
def _lowest(rest: np.ndarray, own: np.ndarray, lowest: np.ndarray) -> None:
    """Write what the lowest card adds to a number, by how many of `own` may be on its either side.

    Args:
        rest: As in `_numbers`.
        own: As in `_numbers`.
        lowest: int64[6, 47], modified in place: by the count of `own` below the second lowest card,
            and by the place of the lowest in `rest`.
    """
    for below in range(own.size + 1):
        for i in range(rest.size):
            place, number = 1, 0
            for j in range(below):
                place += own[j] < rest[i]
                number += CHOOSE[own[j], j + 1 + (rest[i] < own[j])]
            lowest[below, i] = number + CHOOSE[rest[i], place]


@jit
def _next(upper: np.ndarray, last: int) -> bool:
    """Go on to the next ascending places below `last`; False after the greatest."""
    for i in range(upper.size):
        bound = upper[i + 1] if i + 1 < upper.size else last
        if upper[i] + 1 < bound:
            upper[i] += 1
            for j in range(i):
                upper[j] = j + 1  # place 0 is left for the lowest card
            return True
    return False


@jit
def call_sums(hand: np.ndarray, sums: np.ndarray, seen: int, out: np.ndarray) -> None:
    """Write what a call earns in sum, for each set of `seen` cards of the banker.

    Args:
        hand: The seat's cards, ascending, int8[5].
        sums: What a call of its strength earns, int32[2893162], by sets of cards.
        seen: How many of the banker's cards are seen, 1 to 5.
        out: int64[comb(47, seen)], modified in place.
    """
    out[:] = 0
    rest, n = np.empty(_REST, np.int64), 0
    for card in range(CARDS):
        if not (hand == card).any():
            rest[n] = card
            n += 1
    own, lowest = np.empty(HAND, np.int64), np.empty((HAND + 1, _REST), np.int64)
    upper = np.empty(seen - 1, np.int64)
    for chosen in range(1 << HAND):
        size = 0
        for i in range(HAND):
            if chosen >> i & 1:
                own[size] = hand[i]
                size += 1
        if size + seen > HAND:
            continue
        sign = -1 if size % 2 else 1
        _lowest(rest, own[:size], lowest)
        for i in range(seen - 1):
            upper[i] = i + 1
        at = 0
        while True:
            fixed, below = _numbers(rest, upper, own[:size])
            fixed += _FIRST[size + seen]
            for i in range(upper[0] if seen > 1 else _REST):
                out[at] += sign * sums[fixed + lowest[below, i]]
                at += 1
            if not _next(upper, _REST):
                break


@jit
def _best(hands: np.ndarray, orbits: np.ndarray, sums: np.ndarray, seen: int, fold: int) -> int:
    """What the better choice earns in sum.

    Args:
        hands: int8[N, 5], all of the strength that `sums` are for.
        orbits: How many hands each stands for, int32[N].
        sums: As in `call_sums`.
        seen: As in `call_sums`.
        fold: What a fold earns, summed over the cards that are not seen.
    """
    total = 0
    out = np.empty(CHOOSE[_REST, seen], np.int64)
    for h in range(hands.shape[0]):
        call_sums(hands[h], sums, seen, out)
        best = 0
        for i in range(out.size):
            best += max(out[i], fold)
        total += orbits[h] * best
    return total


def value_seeing(game: Game, seen: int, progress: Callable[[int], None] | None = None) -> Fraction:
    """The best value of a round, in antes, for who sees `seen` of the banker's cards.

    With one card, the open one, that is the best play's; with two it takes some seconds, with three
    some minutes, and with more ten or so.

    Args:
        game: Caribbean Poker, with any odds.
        seen: 1 to 5, the open card included.
        progress: called with the number of hands done; there are 2,598,960.

    Raises:
        ValueError: if it is another game, or nothing is compiled, or `seen` is out of range.
    """
    if game.name != "caribbean_poker" or not 1 <= seen <= HAND:
        raise ValueError(f"seen are 1 to {HAND} of the banker's cards in caribbean_poker")
    if not COMPILED:
        raise ValueError("NUMBA_DISABLE_JIT is set: in plain Python counting would take days")
    odds = np.array(game.settings()["call_paytable"][::-1], np.int64)
    hidden = comb(_REST - seen, HAND - seen)
    with first_use(game.name, "the solver for cards that are seen"):
        ranked = by_strength()
    hands, first, strengths = ranked
    sums, total = np.zeros(SETS, np.int32), 0
    now, before = np.zeros(len(strengths), np.int64), np.zeros(len(strengths), np.int64)
    for kind, strength in enumerate(strengths.tolist()):
        earned(strength, odds, strengths, now)
        add_to_sums(now - before, ranked, sums)
        before[:] = now
        own = hands[first[kind] : first[kind + 1]]
        total += _best(*representatives(own), sums, seen, net(FOLDED, 0) * hidden)
        if progress:
            progress(len(own))
    return Fraction(total, HANDS * comb(_REST, seen) * hidden)
