"""Hands of five cards ranked the simple way, to check the suite's own evaluation against."""

from collections import Counter

RANKS = "23456789TJQKA"


def ranked(text):
    """What compares as the hand of five cards `text` does: its category, then its ranks."""
    cards = text.split()
    counts = Counter(RANKS.index(card[0]) for card in cards)
    shape = sorted(counts.values(), reverse=True)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if straight and flush:
        return (9 if ranks[0] == 12 else 8), ranks
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    kind = kinds.get(tuple(shape), 0)
    return max(kind, 5 * flush, 4 * straight), ranks


def qualifies(text):
    kind, ranks = ranked(text)
    return kind > 0 or {11, 12} <= set(ranks)


ODDS = (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)


def settled(hand, banker, call):
    """The net win of ante and call for an ante of 1."""
    if not call:
        return -1
    if not qualifies(banker):
        return 1
    own, other = ranked(hand), ranked(banker)
    if own == other:
        return 0
    return 1 + 2 * ODDS[own[0]] if own > other else -3
