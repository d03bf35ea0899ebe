"""How the scripted agents play the cards of The Gang: the same in all conventions.

How to play them. R-numbers: envs/the_gang/README.md; p is the own percentile, n the seats.

- Your place is the middle of the part of all hands that your last chip stands for, when this round
  began: chip c of n stands for the c-th of n equal parts. As the others have the other places, the
  hands are spread best if yours lies in its own.
- Propose (R27) in the round before the red chips, once: in the last round it is too late to change
  what a hand is worth. With the Hacker if you are out of place, by `OUT_OF_PLACE` or more. With the
  Jack and the Muscle if they bring you nearer to your place by `CLEARER`. With the Informant if you
  are hard to place: p is at least 1 / n from both ends. With the Getaway Driver and the Mastermind
  if that tells: who knows what you would declare expects a percentile nearer to yours by `CLEARER`
  than one half is.
- If a scan asks for what the specialist can tell, the seat that will be scanned uses it, in the
  last round: propose, and decline what others propose, if p is in the uppermost n-th. Else agree to
  everything.
- Show (R28) the card, and declare (R31) the rank, that tells most; show it to the seat with the
  neighbouring chip of the last round, on the side that you lean to.
- Discard (R32, R34) so that you come to lie nearest to your place; without a place, as far from the
  middle as can be. Pass on (R33) what leaves you the most.
- What is declared to all counts in the percentiles: see `ranges.share_beaten`. What only you know
  counts when you guess.
- Guesses: see `scans`.
"""

from collections.abc import Callable

import numpy as np

from ...envs.engine.cards import JACK_CARD, rank
from ...envs.engine.poker import category, strength
from ...envs.the_gang.roster import (
    COORDINATOR,
    FINGERPRINT_SCAN,
    GETAWAY_DRIVER,
    HACKER,
    HASTY_GETAWAY,
    INFORMANT,
    JACK,
    MASTERMIND,
    MUSCLE,
    RETINA_SCAN,
)
from ...envs.the_gang.rules import TO_ANSWER, TO_CARD, TO_CATEGORY, TO_PROPOSE, TO_SEAT, TURNS
from ...envs.the_gang.state import ANSWER, BOARD, CARD, RANK, ROUNDS, SCAN_RANK, TARGET
from .ranges import MOST_HOLDINGS, hand_of, holdings, shares_among
from .scans import guess_category, guess_rank
from .table import Tables, open_board, own_cards, own_percentile, percentile_of

CLEARER = 0.1
OUT_OF_PLACE = 0.15
SCANS = {INFORMANT: RETINA_SCAN, GETAWAY_DRIVER: FINGERPRINT_SCAN, MASTERMIND: RETINA_SCAN}
"""Which specialist can tell what which scan asks for."""


def propose(
    tables: Tables,
    parts: np.ndarray,
    masks: np.ndarray,
    actions: np.ndarray,
    rows: np.ndarray,
    *,
    waits: bool,
) -> None:
    """Write the proposals to be made in place of turns into `actions`, int64[B].

    Args:
        tables: The tables.
        parts: The observations by part, [B].
        masks: bool[B, A].
        actions: The turns that the convention says; modified in place.
        rows: Where a turn is asked for.
        waits: Whether a proposal may take only the place of a pass.
    """
    n, turns = tables.moves.shape[1], tables.moves.shape[3] - 1
    if masks.shape[1] <= n + TO_PROPOSE:
        return
    for row in rows[masks[rows, n + TO_PROPOSE]]:
        number = tables.number[row]
        instead = actions[row] == n + 1 or (not waits and tables.lap[row] < turns - 1)
        asked = (tables.moves[row, 0, number] > n + TURNS).any()
        if instead and not asked and is_time(parts, row, number) and wants(tables, parts, row):
            actions[row] = n + TO_PROPOSE


def answer(
    tables: Tables, parts: np.ndarray, masks: np.ndarray, actions: np.ndarray, rows: np.ndarray
) -> None:
    """Write what is decided but for turns into `actions`, int64[B]; arguments as for `propose`."""
    n = tables.chips.shape[1]
    for row in rows:
        decision = parts["decision"][row].argmax()
        if decision == ANSWER:
            actions[row] = n + TO_ANSWER + int(declines(tables, parts, row))
        elif decision == TARGET:
            actions[row] = n + TO_SEAT - 1 + neighbour(tables, parts, row)
        elif decision == CARD:
            actions[row] = n + TO_CARD + card_choice(tables, parts, row)
        elif decision == RANK:
            actions[row] = n + TURNS + telling_rank(tables, row)
        elif decision == SCAN_RANK:
            actions[row] = n + TURNS + guess_rank(tables, parts, row)
        else:
            actions[row] = n + TO_CATEGORY + guess_category(tables, parts, row)


def specialist(parts: np.ndarray, row: int) -> int:
    """The number of the specialist in force."""
    return int(parts["specialist"][row].argmax()) + 1


def scan_is_told(parts: np.ndarray, row: int) -> bool:
    """Whether the specialist can declare what a scan in force asks for."""
    scan = SCANS.get(specialist(parts, row), 0)
    return bool(scan and parts["challenges"][row, scan - 1])


def is_scanned(tables: Tables, row: int) -> bool:
    """Whether the own hand looks like the strongest."""
    return bool(own_percentile(tables, row) >= 1 - 1 / tables.chips.shape[1])


def is_time(parts: np.ndarray, row: int, number: int) -> bool:
    """Whether this is the round to propose in; rounds count from 0 on."""
    if scan_is_told(parts, row):
        return number == ROUNDS - 1
    return number == ROUNDS - 2 - int(parts["challenges"][row, HASTY_GETAWAY - 1])


def wants(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """Whether to propose the specialist in force."""
    if scan_is_told(parts, row):
        return is_scanned(tables, row)
    return WISHES[specialist(parts, row)](tables, parts, row)


def declines(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """Whether to decline what another seat proposes."""
    return scan_is_told(parts, row) and is_scanned(tables, row)


def is_hard_to_place(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """R28."""
    share = own_percentile(tables, row)
    return bool(min(share, 1 - share) >= 1 / tables.chips.shape[1])


def category_tells(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """R29."""
    spectrum = Spectrum(tables, row)
    return spectrum.gain(spectrum.categories == spectrum.own_category) >= CLEARER


def rank_tells(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """R31."""
    spectrum = Spectrum(tables, row)
    return spectrum.gain(spectrum.with_rank(telling_rank(tables, row))) >= CLEARER


def is_out_of_place(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """R32."""
    return -fitness(tables, parts, row, own_percentile(tables, row)) >= OUT_OF_PLACE


def jack_helps(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """R34."""
    if own_place(tables, parts, row) < 0:
        return False
    cards = np.concatenate([np.array([JACK_CARD], np.int8), own_cards(tables, row)])
    now = fitness(tables, parts, row, own_percentile(tables, row))
    return bool(discards(tables, parts, row, cards).max() - now >= CLEARER)


def muscle_helps(tables: Tables, parts: np.ndarray, row: int) -> bool:
    """R37."""
    if own_place(tables, parts, row) < 0:
        return False
    spectrum = Spectrum(tables, row)
    with_muscle = float((spectrum.categories <= spectrum.own_category).mean())
    now, then = (fitness(tables, parts, row, share) for share in (spectrum.share, with_muscle))
    return then - now >= CLEARER


WISHES: dict[int, Callable[[Tables, np.ndarray, int], bool]] = {
    INFORMANT: is_hard_to_place,
    GETAWAY_DRIVER: category_tells,
    MASTERMIND: rank_tells,
    HACKER: is_out_of_place,
    JACK: jack_helps,
    MUSCLE: muscle_helps,
}
"""By the number of a specialist: whether the seat to move would use it."""


class Spectrum:
    """All that a seat may hold in the eyes of the others, and where it would stand with that.

    Attributes:
        share: the own percentile.
        cards: the own hole cards, int8[2 or 3].
        own_category: of the own hand.
        sets: holdings, int64[N].
        categories: theirs, int64[N].
        shares: their percentiles among themselves, float64[N].
    """

    def __init__(self, tables: Tables, row: int) -> None:
        """As the board is."""
        self.share = own_percentile(tables, row)
        self.cards = own_cards(tables, row)
        board = np.empty(BOARD, np.int8)
        shown = open_board(tables.board[row], tables.street[row], board)
        hand, used = hand_of(board[:shown])
        strengths, self.sets = holdings(hand, used, self.cards.size, MOST_HOLDINGS[self.cards.size])
        self.categories = strengths >> 24
        own, _ = hand_of(np.concatenate([board[:shown], self.cards]))
        self.own_category = category(strength(own))
        self.shares = shares_among(strengths)

    def gain(self, told: np.ndarray) -> float:
        """How much nearer to the own percentile the mean of those `told`, bool[N], is than 1/2."""
        return float(abs(0.5 - self.share) - abs(self.shares[told].mean() - self.share))

    def with_rank(self, value: int) -> np.ndarray:
        """The holdings with as many cards of the rank `value` as the own ones, bool[N]."""
        count = sum(int(rank(card) == value) for card in self.cards)
        of_rank = self.sets >> (4 * value) & 15
        same = np.array([k.bit_count() == count for k in range(16)])
        found: np.ndarray = same[of_rank]
        return found


def telling_rank(tables: Tables, row: int) -> int:
    """R31: the own rank that says most of where one stands."""
    spectrum = Spectrum(tables, row)
    ranks = {rank(card) for card in spectrum.cards}
    return max(sorted(ranks), key=lambda value: spectrum.gain(spectrum.with_rank(value)))


def neighbour(tables: Tables, parts: np.ndarray, row: int) -> int:
    """R28: so many places to the left sits who has the neighbouring chip of the last round.

    Of two the one on the side that the own hand leans to; the left neighbour if nobody has one.
    """
    n = tables.chips.shape[1]
    up = 1 if own_percentile(tables, row) >= 0.5 else -1
    for number in range(ROUNDS - 1, -1, -1):
        chips = parts["chips"][row, number] @ np.arange(1, n + 1)
        for stars in (chips[0] + up, chips[0] - up):
            if chips[0] > 0 and stars > 0 and stars in chips:
                return int(np.flatnonzero(chips == stars)[0])
    return 1


def card_choice(tables: Tables, parts: np.ndarray, row: int) -> int:
    """R28, R32, R33, R34: which of the own cards, counted from the greatest, from 0 on."""
    cards = own_cards(tables, row)
    kind = specialist(parts, row)
    if kind == COORDINATOR:
        return keeping_most(tables, row, cards)
    if kind == INFORMANT:
        return telling_card(tables, row)
    return int(discards(tables, parts, row, cards).argmax())


def keeping_most(tables: Tables, row: int, cards: np.ndarray) -> int:
    """R33: the card without which the others are the best pair, or else the highest."""
    rests = [
        sorted((rank(c) for c in np.delete(cards, k)), reverse=True) for k in range(cards.size)
    ]
    return max(range(cards.size), key=lambda k: (len(set(rests[k])) < len(rests[k]), rests[k]))


def telling_card(tables: Tables, row: int) -> int:
    """R28: the card that says most of where one stands."""
    spectrum = Spectrum(tables, row)
    gains = [spectrum.gain(spectrum.sets >> int(card) & 1 == 1) for card in spectrum.cards]
    return int(np.argmax(gains))


def own_place(tables: Tables, parts: np.ndarray, row: int) -> float:
    """The middle of what the own last chip of an earlier round stands for, 0 to 1; -1 without."""
    n = tables.chips.shape[1]
    for number in range(int(tables.number[row]) - 1, -1, -1):
        chip = parts["chips"][row, number, 0]
        if chip.any():
            return (int(chip.argmax()) + 0.5) / int(n)
    return -1.0


def fitness(tables: Tables, parts: np.ndarray, row: int, share: float) -> float:
    """How near a hand of percentile `share` is to the own place; without one, to an end."""
    place = own_place(tables, parts, row)
    return -abs(share - place) if place >= 0 else -min(share, 1 - share)


def discards(tables: Tables, parts: np.ndarray, row: int, cards: np.ndarray) -> np.ndarray:
    """How fit the hand is without each of `cards`, int8[3 or 4]: float64[3 or 4], at most 0.

    -1 for the Jack, which is not discarded.
    """
    found = np.full(cards.size, -1.0)
    for k in np.flatnonzero(cards != JACK_CARD):
        share = percentile_of(tables, row, np.delete(cards, k))
        found[k] = fitness(tables, parts, row, share)
    return found
