"""What a game of Cockroach Poker is. R-numbers: README.md beside this file."""

from typing import Annotated

import numpy as np
from msgspec import Meta

from ..engine.game import Facts, Options, Part, State, Visible, record
from ..engine.jit import jit
from ..engine.names import several

SPECIES = ("cockroach", "rat", "bat", "fly", "frog", "spider", "scorpion", "stink_bug")
KINDS, COPIES, MAX_SEATS = len(SPECIES), 8, 6
CARDS = KINDS * COPIES

OFFERING, ANSWERING, LOOKED = 0, 1, 2
"""Phases: the mover offers a card; calls it or passes it on; has looked and must pass it on."""

CLAIMS_TRUE, CLAIMS_FALSE, CALLS_RIGHT, CALLS_WRONG = range(4)
TALLIES = 4
FOUR, ALL, EMPTY = range(3)
"""Why a game ended: R12, R13, R14."""

OFFER, CALL_TRUE, CALL_FALSE, LOOK, PASS = range(5)
"""What an action does."""

STATE = record(
    [
        ("cockroach_poker_v0", "i1"),  # the type's own name
        ("seats", "i1"),
        ("rng", "u8"),  # the random stream
        ("player", "i1"),  # to move; -1 when over
        # options
        ("cards", "i1"),  # dealt to each
        ("bonus", "i1"),  # one more to the starter
        ("four", "i1"),  # so many of a kind lose
        ("all_kinds", "i1"),  # one of each kind loses
        ("num_games", "i1"),
        # cards, counted by species; seats in order
        ("hand", "i1", (MAX_SEATS, KINDS)),
        ("aside", "i1", KINDS),
        ("faceup", "i1", (MAX_SEATS, KINDS)),
        ("hand_size", "i1", MAX_SEATS),
        # this card
        ("phase", "i1"),
        ("flight", "i1"),  # its species; -1 when no card is in flight
        ("knows", "i1", MAX_SEATS),  # whether the seat gave it or looked at it
        ("handled", "i1", MAX_SEATS),  # whether the seat has named a species for it
        ("chain", "i1"),  # how many have named one; the last one's claim is the one to call
        ("chain_seat", "i1", MAX_SEATS - 1),  # who did, in order
        ("chain_claim", "i1", MAX_SEATS - 1),  # the species that they named
        ("chain_looked", "i1", MAX_SEATS - 1),  # whether they had looked before
        # this game and this match
        ("starter", "i1"),  # offered first in this game
        ("tally", "i1", (MAX_SEATS, TALLIES)),  # this game's claims and calls, by what they proved
        ("games", "i1"),  # how many are over
        ("losses", "i1", MAX_SEATS),
        ("ends", "i4", 3),  # how many ended by FOUR, ALL, EMPTY
        ("turns", "i4"),  # cards offered
        ("passes", "i4"),
        ("looks", "i4"),
        ("calls", "i4"),
        ("calls_right", "i4"),
        ("claims", "i4"),  # of cards turned up
        ("lies", "i4"),  # those of them that named another species
    ]
)


def _flight_seen(s: State, player: int) -> np.ndarray:
    """R17: the card in flight is known to whoever gave it or looked at it."""
    return np.array([s.flight < 0 or s.knows[player] > 0])


HIDDEN: dict[str, Visible] = {"hand": "owner", "aside": "nobody", "flight": _flight_seen}


class CockroachPokerOptions(Options, frozen=True, kw_only=True):
    """What can be chosen."""

    num_players: Annotated[int, Meta(ge=2, le=6, description="seats")] = 3
    cards_per_player: Annotated[
        int, Meta(ge=0, le=32, description="cards dealt to each; 0: as many as divide evenly")
    ] = 0
    starter_bonus_card: Annotated[
        bool, Meta(description="the starter gets one of the cards that are over")
    ] = False
    four_of_a_kind: Annotated[
        int, Meta(ge=2, le=8, description="so many face-up cards of one species lose the game")
    ] = 4
    all_kinds: Annotated[
        bool, Meta(description="a face-up card of each of the eight species loses the game")
    ] = True
    num_games: Annotated[
        int, Meta(ge=1, le=100, description="games in a match; the loser of one starts the next")
    ] = 1


def cards_each(options: CockroachPokerOptions) -> int:
    """R2, R3: how many cards each seat is dealt.

    Raises:
        ValueError: if there are not enough cards for that.
    """
    most = CARDS // options.num_players
    each = options.cards_per_player or most
    if each > most:
        raise ValueError(
            f"cockroach_poker: option cards_per_player: {options.num_players} players can have "
            f"at most {several(most, 'card')} each, not {each}"
        )
    if options.starter_bonus_card and each * options.num_players == CARDS:
        raise ValueError(
            f"cockroach_poker: option starter_bonus_card: no card is over when "
            f"{options.num_players} players have {several(each, 'card')} each"
        )
    return each


def most_turns(options: CockroachPokerOptions) -> int:
    """No game has more turns than this: each takes a card from a hand and turns it up."""
    kinds = KINDS - 1 if options.all_kinds else KINDS
    unlost = options.num_players * kinds * (options.four_of_a_kind - 1)
    dealt = options.num_players * cards_each(options) + options.starter_bonus_card
    return min(dealt, unlost + 1)


@jit
def offer_action(seats: int, card: int, target: int, claim: int) -> int:
    """The number of "offer card>+target:claim": species 0 to 7, target 1 to seats - 1."""
    return (card * (int(seats) - 1) + target - 1) * KINDS + claim


@jit
def call_action(seats: int, true: bool) -> int:
    """The number of "call true" or "call false"."""
    return KINDS * KINDS * (int(seats) - 1) + (0 if true else 1)


@jit
def look_action(seats: int) -> int:
    """The number of "look"."""
    return KINDS * KINDS * (int(seats) - 1) + 2


@jit
def pass_action(seats: int, target: int, claim: int) -> int:
    """The number of "pass +target:claim": target 1 to seats - 1, species 0 to 7."""
    return KINDS * KINDS * (int(seats) - 1) + 3 + (target - 1) * KINDS + claim


@jit
def read_action(seats: int, action: int) -> tuple[int, int, int, int]:
    """What action number `action` is: (OFFER ... PASS, card, target, claim), -1 for what it lacks.

    >>> read_action(3, 21)
    (0, 1, 1, 5)
    """
    others = int(seats) - 1
    rest = int(action) - KINDS * KINDS * others
    if rest < 0:
        place = action // KINDS
        return OFFER, place // others, place % others + 1, action % KINDS
    if rest < 3:
        return CALL_TRUE + rest, -1, -1, -1
    return PASS, -1, (rest - 3) // KINDS + 1, (rest - 3) % KINDS


def action_texts(seats: int) -> tuple[str, ...]:
    """The text of each action, in the order of their numbers."""
    given = [f"+{target}:{claim}" for target in range(1, seats) for claim in SPECIES]
    offers = [f"offer {card}>{way}" for card in SPECIES for way in given]
    return (*offers, "call true", "call false", "look", *(f"pass {way}" for way in given))


def facts(options: CockroachPokerOptions) -> Facts:
    """What the options imply; R15 and R16: the bounds of a match.

    Raises:
        ValueError: if the options contradict each other.
    """
    n, games = options.num_players, options.num_games
    turns = most_turns(options)
    parts = (
        Part("hand", (KINDS,), COPIES, "own hand: cards of each species"),
        Part("faceup", (n, KINDS), options.four_of_a_kind, "each seat's face-up cards by species"),
        Part(
            "hand_size",
            (n,),
            cards_each(options) + options.starter_bonus_card,
            "how many cards each seat has in hand",
        ),
        Part(
            "tally",
            (n, TALLIES),
            turns,
            "of each seat in this game: claims that proved true, false; calls right, wrong",
        ),
        Part("turn", (n,), 1, "one-hot, who is to move; zeros when over"),
        Part("phase", (3,), 1, "one-hot: to offer; to call or pass on; to pass on after a look"),
        Part("open", (n,), 1, "whom the mover may give the card to"),
        Part("card", (KINDS,), 1, "one-hot, the card in flight; zeros if none or not known"),
        Part("chain_seat", (n - 1, n), 1, "one-hot a claim for this card in order: who made it"),
        Part("chain_claim", (n - 1, KINDS), 1, "one-hot a claim: the species named"),
        Part("chain_looked", (n - 1,), 1, "a claim: whether it was made after a look"),
        Part("games_left", (1,), games, "games of the match that are not over"),
    )
    return Facts(
        players=n,
        actions=action_texts(n),
        parts=parts,
        bounds=(-games, games / (n - 1)),
        max_moves=games * turns * (2 + 2 * (n - 2)),  # offer; look and pass by n - 2; call
        canvas=(80, 3 * n + 3),
    )


def setup(options: CockroachPokerOptions, s: State) -> None:
    """Write the options."""
    s.cards = cards_each(options)
    s.bonus = options.starter_bonus_card
    s.four = options.four_of_a_kind
    s.all_kinds = options.all_kinds
    s.num_games = options.num_games
