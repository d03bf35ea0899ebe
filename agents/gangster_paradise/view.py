"""What a seat sees, by name, and what the card table says.

R-numbers: envs/gangster_paradise/README.md.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ...envs.engine.game import Game
from ...envs.gangster_paradise.options import GangsterParadiseOptions, lives
from ...envs.gangster_paradise.rules.setting import count_cards
from ...envs.gangster_paradise.rules.victory import GREAT_COST
from ...envs.gangster_paradise.state import ALIVE, BLACK, DEAD, NOTHING, SPECIALIST

Arrays = TypeVar("Arrays", bound=tuple[np.ndarray, ...])


class Cards(NamedTuple):
    """The card table of a game, int64[K] each, and what else its options fix."""

    seats: int
    kinds: int
    effect: np.ndarray
    sort: np.ndarray
    cost: np.ndarray
    damage: np.ndarray
    """Of what counts as a BULLET, else 0."""
    usage: np.ndarray
    price: np.ndarray
    """In actions."""
    numbers: np.ndarray
    """int64[K, 3]."""
    in_play: np.ndarray
    """How many cards are not in the box."""
    great: np.ndarray
    """bool[K]: those that count for greatness."""
    boss: int
    gangster: int
    money: int
    life_kind: np.ndarray
    """int64[5], by colour."""
    lives: np.ndarray
    """int64[5]: LIFE cards that are shuffled, by colour."""
    spare: np.ndarray
    """float64[5]: how likely each colour is to be the one left over; zeros if none is."""
    sight_in_round_1: bool
    gray_safe: bool
    black_actions: int


def cards_of(game: Game) -> Cards:
    """The card table of `game`."""
    options = game.options
    assert isinstance(options, GangsterParadiseOptions)
    s, kinds = game.blank(1)[0], game.observation["hand"].shape[0]
    count_cards(s)
    table = {
        name: s[name][:kinds].astype(np.int64)
        for name in ("effect", "cost", "damage", "usage", "price", "numbers", "in_play")
    }
    sort = s["sort_of"][:kinds].astype(np.int64)
    return Cards(
        seats=game.players,
        kinds=kinds,
        sort=sort,
        great=(sort == SPECIALIST) & (table["cost"] >= GREAT_COST),
        boss=int(s["the_boss"]),
        gangster=int(s["gangster"]),
        money=int(s["money"]),
        life_kind=s["life_kind"].astype(np.int64),
        lives=np.array(lives(options)),
        spare=_spare(options),
        sight_in_round_1=options.sight_kills_in_round_1,
        gray_safe=options.gray_safe_from_black,
        black_actions=options.black_actions,
        **table,
    )


def _spare(options: GangsterParadiseOptions) -> np.ndarray:
    """R3: with 4 seats any of the five is left over; with more, one that is not surely in."""
    counts = np.array(lives(options), np.float64)
    if counts.sum() == options.num_players:
        return np.zeros_like(counts)
    if options.num_players > BLACK + 2:
        counts[: BLACK + 1] -= 1
    shares: np.ndarray = counts / counts.sum()
    return shares


class View(NamedTuple):
    """B positions, each as the seat to move sees it; places and kinds are -1 for none."""

    masks: np.ndarray
    """bool[B, A]."""
    phase: np.ndarray
    """int64[B], as are all without a remark."""
    asked: np.ndarray
    colour: np.ndarray
    hand: np.ndarray
    """int64[B, K]."""
    field: np.ndarray
    """int64[B, K]."""
    deck_top: np.ndarray
    """int64[B, 2]: kinds."""
    held: np.ndarray
    """int64[B, n]."""
    alive: np.ndarray
    """bool[B, n]."""
    dead: np.ndarray
    """bool[B, n]."""
    lives: np.ndarray
    """bool[B, n, 5]: what is known of LIFE."""
    cleared: np.ndarray
    """bool[B, n, 5]: what a LIFE cannot be."""
    known: np.ndarray
    """int64[B, n, K]: cards known in hands; the whole own hand."""
    round: np.ndarray
    turn: np.ndarray
    actions: np.ndarray
    card: np.ndarray
    target: np.ndarray
    given: np.ndarray
    taken: np.ndarray
    stack: np.ndarray
    """int64[B, K]."""
    subject: np.ndarray
    subject_user: np.ndarray
    picks: np.ndarray
    """int64[B, K]."""
    offer: np.ndarray
    """int64[B, n, 2, K]."""
    partner: np.ndarray
    refused: np.ndarray
    """int64[B, n]: own proposals, by who refused them."""
    said: np.ndarray
    """bool[B, n, 2, cells]; without cells where there is no talk."""


def read(game: Game, observations: np.ndarray, masks: np.ndarray) -> View:
    """The positions that `observations`, int8[B, O], and `masks`, bool[B, A], show."""
    parts = game.parts(observations)
    fates, hand = parts["fate"], parts["hand"].astype(np.int64)
    known = parts["known"].astype(np.int64)
    known[:, 0] = hand
    talk = "said" in (game.observation.names or ())
    return View(
        masks=np.asarray(masks, np.bool_),
        colour=parts["life"].argmax(axis=1),
        hand=hand,
        field=parts["field"].astype(np.int64),
        deck_top=_place(parts["deck_top"]),
        held=parts["hand_size"].astype(np.int64),
        alive=fates[..., ALIVE] > 0,
        dead=fates[..., DEAD] > 0,
        lives=parts["lives"] > 0,
        cleared=parts["cleared"] > 0,
        known=known,
        round=parts["round"][:, 0].astype(np.int64),
        actions=parts["actions"][:, 0].astype(np.int64),
        stack=parts["stack"].astype(np.int64),
        picks=parts["picks"].astype(np.int64),
        offer=parts["offer"].astype(np.int64),
        refused=parts["refused"][:, 0].astype(np.int64),
        said=parts["said"] > 0 if talk else np.zeros((len(hand), game.players, 0, 0), np.bool_),
        **{name: _place(parts[name]) for name in _PLACES},
    )


_PLACES = (
    "phase",
    "asked",
    "turn",
    "card",
    "target",
    "given",
    "taken",
    "subject",
    "subject_user",
    "partner",
)


def _place(flags: np.ndarray) -> np.ndarray:
    """Where the 1 of each row is, int64; -1 where there is none."""
    place: np.ndarray = np.where(flags.any(axis=-1), flags.argmax(axis=-1), NOTHING)
    return place


def some(arrays: Arrays, rows: np.ndarray | Sequence[int]) -> Arrays:
    """Those positions that `rows`, int64[C], names."""
    picked: Arrays = type(arrays)(*(array[rows] for array in arrays))
    return picked


def pick(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Of each row of values[B, N, ...] that at places[B]; where that is -1, the last."""
    picked: np.ndarray = values[np.arange(len(values)), places]
    return picked


def pick_last(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Of values[B, n, N] those at places[B, n] of the last axis."""
    picked: np.ndarray = np.take_along_axis(values, places[..., None], axis=-1)[..., 0]
    return picked
