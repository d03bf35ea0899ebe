"""Liar's dice, a die each. R-numbers: README.md one folder up."""

from typing import Annotated

import msgspec
import numpy as np

from backroom.envs.engine.game import Facts, Game, Options, Part, Rules, State, record
from backroom.envs.engine.jit import jit
from backroom.envs.engine.rng import draw, mix

MIN_SEATS, MAX_SEATS, FACES = 2, 6, 6
NO_BID = -1

STATE = record(
    [
        ("liars_dice_v0", "i1"),  # the type's own name
        ("seats", "i1"),
        ("rng", "u8"),
        ("player", "i1"),  # to move; -1 when over
        ("dice", "i1", MAX_SEATS),  # faces from 0
        ("bid", "i1"),  # FACES * (dice - 1) + face; NO_BID before the first
        ("bidder", "i1"),
        ("loser", "i1"),  # -1 before the end
    ]
)


class LiarsDiceOptions(Options, frozen=True, kw_only=True):
    """The options of liar's dice."""

    num_players: Annotated[
        int, msgspec.Meta(ge=MIN_SEATS, le=MAX_SEATS, description="seats, a die each")
    ] = 2


def facts(options: LiarsDiceOptions) -> Facts:
    """What the number of seats implies."""
    n = options.num_players
    bids = FACES * n
    return Facts(
        players=n,
        actions=("doubt", *(f"bid {bid // FACES + 1}x {bid % FACES + 1}" for bid in range(bids))),
        parts=(
            Part("die", (FACES,), 1, "one-hot, the own die"),
            Part("bid", (bids,), 1, "one-hot, the last bid; zeros without one"),
            Part("bidder", (n,), 1, "one-hot from oneself on, who bid last; zeros without a bid"),
            Part("dice", (n, FACES), 1, "one-hot by seat from oneself on, once all are shown"),
        ),
        bounds=(-1, 1),
        max_moves=bids + 1,
        canvas=(50, n + 2),
    )


def setup(options: LiarsDiceOptions, s: State) -> None:
    """The seats are all that there is to set."""


@jit
def deal(s: State) -> None:
    """R1, R2."""
    s.dice[:] = 0
    for seat in range(s.seats):
        s.dice[seat] = draw(s, FACES)
    s.bid = NO_BID
    s.bidder = s.loser = -1
    s.player = draw(s, int(s.seats))


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R2, R3, R5."""
    mask[:] = False
    if s.player >= 0:
        mask[0] = s.bid != NO_BID
        mask[s.bid + 2 :] = True


@jit
def step(s: State, action: int) -> None:
    """R2, R3."""
    if action > 0:
        s.bid = action - 1
        s.bidder = s.player
        s.player = (s.player + 1) % s.seats
        return
    face, dice = s.bid % FACES, 0
    for seat in range(s.seats):
        dice += s.dice[seat] == face
    s.loser = s.player if dice > s.bid // FACES else s.bidder
    s.player = -1


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R4."""
    out[:] = 0
    if s.loser >= 0:
        out[:] = np.float32(1) / (s.seats - 1)
        out[s.loser] = -1


@jit
def observe(s: State, player: int, observation: np.ndarray) -> None:
    """R1: the own die and the bid; R3: all dice at the end."""
    observation[:] = 0
    n = int(s.seats)
    observation[s.dice[player]] = 1
    at = FACES
    if s.bid != NO_BID:
        observation[at + s.bid] = 1
        observation[at + FACES * n + (s.bidder - player) % n] = 1
    at += FACES * n + n
    if s.loser >= 0:
        for seat in range(n):
            observation[at + FACES * ((seat - player) % n) + s.dice[seat]] = 1


@jit
def redeal(s: State, player: int, seed: int) -> None:
    """R1: dice are independent, and a bid may be a lie: all others' are rolled anew."""
    s.rng = mix(np.uint64(seed))
    for seat in range(s.seats):
        if seat != player and s.loser < 0:
            s.dice[seat] = draw(s, FACES)


def known(s: State, player: int) -> np.ndarray:
    """Which dice `player` sees, bool[MAX_SEATS]."""
    return (np.arange(MAX_SEATS) == player) | (np.arange(MAX_SEATS) >= s.seats) | (s.loser >= 0)


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """`dice`: a face a seat, such as "3 6"."""
    faces = cards.get("dice", "").split()
    right = len(faces) == s.seats and all(face in list("123456") for face in faces)
    if set(cards) != {"dice"} or not right:
        raise ValueError(f'a deal of liars_dice is {{"dice": "3 6"}}, a face a seat, not {cards}')
    s.dice[: s.seats] = [int(face) - 1 for face in faces]


def table(game: Game, s: State, viewer: int | None) -> str:
    """Dice and the bid as text."""
    bid = "none" if s.bid == NO_BID else game.actions[s.bid + 1].removeprefix("bid ")
    lines = [f"Liar's dice    last bid: {bid}"]
    for seat in range(s.seats):
        shown = viewer in (None, seat) or s.loser >= 0
        mark = ">" if s.player == seat else " "
        lines.append(f"{mark} player_{seat}  {s.dice[seat] + 1 if shown else '?'}")
    return "\n".join(lines)


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The bid, or the doubt and what came of it."""
    if action > 0:
        return [f"player_{before.player} bids {game.actions[action].removeprefix('bid ')}"]
    faces = " ".join(str(die + 1) for die in after.dice[: after.seats])
    return [f"player_{before.player} doubts", f"dice: {faces}", f"player_{after.loser} loses"]


def statistics(game: Game, s: State) -> dict[str, float]:
    """Whether the last bid was true, and how many dice it named."""
    return {"true_bid": float(s.loser != s.bidder), "dice_bid": float(s.bid // FACES + 1)}


RULES = Rules(
    name="liars_dice",
    title="Liar's dice",
    version=0,
    options=LiarsDiceOptions,
    state=STATE,
    hidden={"dice": known},
    facts=facts,
    setup=setup,
    deal=deal,
    legal=legal,
    step=step,
    returns=returns,
    observe=observe,
    redeal=redeal,
    arrange=arrange,
    table=table,
    events=events,
    statistics=statistics,
)
