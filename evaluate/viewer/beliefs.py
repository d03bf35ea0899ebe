"""What can be believed at a table, as bars: for each game what its players weigh.

A panel for a seat follows from what this seat may know and nothing else; a spectator's is about all
seats. A game without an entry in `PANELS` has none.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec
import numpy as np

from ...envs.caribbean_poker import state as caribbean
from ...envs.caribbean_poker.rules import net, outcome
from ...envs.cockroach_poker import state as cockroach
from ...envs.cockroach_poker.render import name as species
from ...envs.engine.cards import CARDS
from ...envs.engine.game import Game, State
from ...envs.engine.jit import jit
from ...envs.engine.poker import EMPTY, add, category, percentiles, strength
from ...envs.gangster_paradise import state as gangsters
from ...envs.gangster_paradise.hidden import known_row, sees_life
from ...envs.gangster_paradise.options import lives
from ...envs.gangster_paradise.scene import class_left
from ...envs.the_gang import state as the_gang
from ...envs.the_gang.strength import first_share, muscle, open_cards

NOBODY = -1


class Bar(msgspec.Struct, frozen=True, omit_defaults=True):
    """A share of something, 0 to 1."""

    label: str
    share: float
    text: str = ""
    mark: float | None = None
    """A second share, to compare with."""


class Panel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Some bars that belong together."""

    title: str
    bars: tuple[Bar, ...]
    note: str = ""


def panels(game: Game, state: State, viewer: int | None) -> tuple[Panel, ...]:
    """What `viewer` can believe of the table, None for the spectator."""
    make = PANELS.get(game.name)
    return tuple(make(game, state, viewer)) if make else ()


def _seats(s: State, viewer: int | None) -> list[int]:
    return list(range(s.seats)) if viewer is None else [viewer]


def _the_gang(game: Game, s: State, viewer: int | None) -> Iterator[Panel]:
    """How strong hands are on the open board, beside what their chips say."""
    if s.player < 0 or s.decision == the_gang.CARD:
        return
    number = int(s.round_no)
    board = tuple(s.board[: open_cards(number)].tolist())
    bars = []
    for seat in _seats(s, viewer):
        hole = tuple(s.hole[seat][: s.held].tolist())
        share = hand_share(hole, board, bool(muscle(s) == seat))
        stars = int(s.chips[number, seat])
        text = f"{share:.0%}, {the_gang.COLOURS[number]} {stars}" if stars else f"{share:.0%}"
        mark = (stars - 1) / (int(s.seats) - 1) if stars else None
        bars.append(Bar(f"player_{seat}", share, text, mark))
    note = "The bar is the share of hands that this one beats; the mark is what its chip says."
    yield Panel("Strength against chip", tuple(bars), note)


@lru_cache(4096)
def hand_share(hole: tuple[int, ...], board: tuple[int, ...], first: bool) -> float:
    """The share of all hands of as many cards that hole cards beat with the open board.

    `first`: whether they beat every other hand of their category (R37).

    >>> round(hand_share((51, 50), (), False), 2)
    1.0
    """
    cards = np.array(hole, np.int8)
    if not board:
        return float(first_share(cards, len(hole)))
    shares = np.zeros(1)
    percentiles(np.array(board, np.int8), len(board), cards[None], shares, 0 if first else NOBODY)
    return float(shares[0])


def _cockroach(game: Game, s: State, viewer: int | None) -> Iterator[Panel]:
    """Who has told the truth up to now; how likely the claim is by the cards that are out."""
    truth, calls = [], []
    for seat in range(s.seats):
        true, false, right, wrong = (int(count) for count in s.tally[seat])
        who = f"player_{seat}"
        if true + false:
            truth.append(Bar(who, true / (true + false), f"{true} of {true + false} true"))
        if right + wrong:
            calls.append(Bar(who, right / (right + wrong), f"{right} of {right + wrong} right"))
    if s.player >= 0 and s.flight >= 0 and viewer is not None and not s.knows[viewer]:
        yield _claim(s, viewer)
    if truth:
        yield Panel("Claims that proved true", tuple(truth))
    if calls:
        yield Panel("Calls that were right", tuple(calls))


def _claim(s: State, viewer: int) -> Panel:
    """The species of the card in flight, by what `viewer` cannot see."""
    out = np.array([cockroach.COPIES] * cockroach.KINDS) - s.hand[viewer]
    out = out - s.faceup[: s.seats].sum(axis=0)
    claims = s.chain_claim[: s.chain].tolist()
    bars = tuple(
        Bar(species(kind), float(out[kind] / out.sum()), f"{out[kind]} unseen")
        for kind in dict.fromkeys(reversed(claims))
    )
    return Panel("The claims, by count alone", bars, "Of all cards that this seat has not seen.")


def _caribbean(game: Game, s: State, viewer: int | None) -> Iterator[Panel]:
    """How a call would end, over all hands that the banker may have."""
    if s.phase != caribbean.DECIDING:
        return
    calls = {seat: _call(s, seat) for seat in _seats(s, viewer) if s.playing[seat]}
    if viewer is None:
        bars = tuple(
            Bar(f"player_{seat}", shares[caribbean.UNQUALIFIED] + shares[caribbean.WON], text)
            for seat, (shares, worth) in calls.items()
            for text in [f"worth {worth:+.2f} antes"]
        )
        yield Panel("How likely a call wins", bars, "A fold is worth -1 ante.")
        return
    for shares, worth in calls.values():
        bars = tuple(
            Bar(name, shares[end], f"{shares[end]:.1%}")
            for end, name in enumerate(caribbean.OUTCOMES)
            if end != caribbean.FOLDED
        )
        better = "call" if worth > -1 else "fold"
        text = f"A call is worth {worth:+.2f} antes, a fold -1: {better}."
        yield Panel("If this seat calls", bars, text)


def _call(s: State, seat: int) -> tuple[list[float], float]:
    """How likely a call of `seat` has each outcome, and what it is worth, in antes."""
    first = caribbean.seat_card(seat, 0)
    six = (*s.deck[first : first + caribbean.HAND].tolist(), int(s.deck[caribbean.UP]))
    counts, kind = call_counts(six)
    shares = [float(share) for share in counts / counts.sum()]
    odds = int(s.call_odds[kind])
    return shares, sum(share * float(net(end, odds)) for end, share in enumerate(shares))


@lru_cache(4096)
def call_counts(six: tuple[int, ...]) -> tuple[np.ndarray, int]:
    """How a call with five cards against an open one ends, and the category of the five.

    The ends of all 163,185 ways to complete the banker's hand are counted, float64[5] in the order
    of `OUTCOMES`, the first of which is a fold.
    """
    counts = np.zeros(len(caribbean.OUTCOMES))
    return counts, int(_count_calls(np.array(six, np.int64), counts))


@jit
def _count_calls(six: np.ndarray, counts: np.ndarray) -> int:
    own = EMPTY
    for i in range(caribbean.HAND):
        own = add(own, six[i])
    mine, start = strength(own), add(EMPTY, six[caribbean.HAND])
    left = np.empty(CARDS, np.int64)
    n = 0
    for card in range(CARDS):
        seen = False
        for i in range(six.size):
            seen = seen or six[i] == card
        if not seen:
            left[n] = card
            n += 1
    for a in range(n):
        one = add(start, left[a])
        for b in range(a):
            two = add(one, left[b])
            for c in range(b):
                three = add(two, left[c])
                for d in range(c):
                    banker = strength(add(three, left[d]))
                    counts[outcome(caribbean.CALL, mine, banker)] += 1
    return int(category(mine))


def _gangsters(game: Game, s: State, viewer: int | None) -> Iterator[Panel]:
    """Who knows which LIFE and which cards; to a seat, what it knows itself."""
    if s.player < 0:
        return
    if viewer is None:
        yield Panel("Who knows whose LIFE", tuple(_knowers(s)), "Others than the owner.")
        cards = tuple(_hand_known(s, gangsters.EVERYBODY, seat) for seat in range(s.seats))
        yield Panel("Cards that all know of", cards, _CARDS_NOTE)
        return
    others = [seat for seat in range(s.seats) if seat != viewer]
    shares = life_shares(lives(game.options), *_lives_seen(s, viewer))  # type: ignore[arg-type]
    note = "The likeliest colour, by all LIFE cards that this seat has not seen."
    yield Panel("LIFE of others", tuple(_likeliest(seat, shares[seat]) for seat in others), note)
    cards = tuple(_hand_known(s, viewer, seat) for seat in others)
    yield Panel("Cards that this seat knows of", cards, _CARDS_NOTE)


_CARDS_NOTE = "The bar is the share of a hand that is known by name; up to the mark, by class."


def _knowers(s: State) -> Iterator[Bar]:
    for seat in range(s.seats):
        label = f"player_{seat} {gangsters.COLOURS[s.life[seat]]}"
        knowing = [p for p in range(s.seats) if p != seat and sees_life(s, p, seat)]
        seats = ", ".join(map(str, knowing))
        some = f"seat{'' if len(knowing) == 1 else 's'} {seats}" if knowing else "nobody"
        text = "all" if s.life_open[seat] else some
        yield Bar(label, len(knowing) / (int(s.seats) - 1), text)


def _hand_known(s: State, viewer: int, seat: int) -> Bar:
    """How much of a hand `viewer` knows, who may be EVERYBODY."""
    held, known = int(s.held[seat]), s.known[known_row(s, viewer, seat)]
    named = int(known[: s.kinds].sum())
    classes = named + sum(class_left(s, known, group) for group in range(gangsters.CLASSES))
    size = max(1, held)
    mark = min(1.0, classes / size) if classes > named else None
    return Bar(f"player_{seat}", min(1.0, named / size), f"{named} of {held}", mark)


def _likeliest(seat: int, shares: tuple[float, ...]) -> Bar:
    top = max(shares)
    names = [gangsters.COLOURS[c] for c, share in enumerate(shares) if top - share < 1e-9]
    certain = top > 1 - 1e-9
    return Bar(f"player_{seat}", top, names[0] if certain else f"{' or '.join(names)} {top:.0%}")


def _lives_seen(s: State, viewer: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By seat the colour of the LIFE that `viewer` knows, else -1; and those that it is not."""
    seats = range(s.seats)
    known = tuple(int(s.life[p]) if sees_life(s, viewer, p) else NOBODY for p in seats)
    return known, tuple(int(s.cleared[p]) for p in seats)


@lru_cache(4096)
def life_shares(
    pool: tuple[int, ...], known: tuple[int, ...], barred: tuple[int, ...]
) -> tuple[tuple[float, ...], ...]:
    """How likely each seat has which LIFE, by all ways to deal them.

    Args:
        pool: LIFE cards by colour, of which one may be left over.
        known: by seat, its colour, or -1.
        barred: by seat, bit c: it does not have the colour c.

    >>> life_shares((2, 1, 0, 0, 0), (0, -1, -1), (0, 0, 0))[1]
    (0.5, 0.5, 0.0, 0.0, 0.0)
    """
    sums = np.zeros((len(known), len(pool)))
    for weight, dealt in _pools(pool, len(known)):
        ways = permutations_of(dealt)
        for colours in ways:
            fits = all(k in (NOBODY, c) for k, c in zip(known, colours, strict=True))
            if fits and not any(b >> c & 1 for b, c in zip(barred, colours, strict=True)):
                sums[range(len(known)), colours] += weight / len(ways)
    return tuple(tuple(float(x) for x in row) for row in sums / sums[0].sum())


def _pools(pool: tuple[int, ...], seats: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Which LIFE cards may have been dealt, and how likely: without each that may be left over."""
    if sum(pool) == seats:
        yield 1, pool
        return
    for colour, count in enumerate(pool):  # of more than four seats, one each has these surely
        spare = count - (seats > gangsters.MIN_SEATS and colour <= gangsters.BLACK)
        if spare > 0:
            yield spare, tuple(n - (c == colour) for c, n in enumerate(pool))


@lru_cache
def permutations_of(counts: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All orders of so many of each colour.

    >>> permutations_of((1, 1))
    ((0, 1), (1, 0))
    """
    if not any(counts):
        return ((),)
    return tuple(
        (colour, *rest)
        for colour, count in enumerate(counts)
        if count
        for rest in permutations_of(tuple(n - (c == colour) for c, n in enumerate(counts)))
    )


PANELS: dict[str, Callable[[Game, State, int | None], Iterator[Panel]]] = {
    "the_gang": _the_gang,
    "cockroach_poker": _cockroach,
    "caribbean_poker": _caribbean,
    "gangster_paradise": _gangsters,
}
"""By the game's name."""
