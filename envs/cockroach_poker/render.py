"""Cockroach Poker as text."""

from ..engine.game import Game, State
from .state import (
    ALL,
    CALL_TRUE,
    EMPTY,
    FOUR,
    KINDS,
    LOOK,
    LOOKED,
    OFFER,
    OFFERING,
    PASS,
    SPECIES,
    read_action,
)

_LABEL = 24
_HEAD = "".join(f"{species:>{len(species) + 1}}" for species in SPECIES)


def name(card: int) -> str:
    """The species as a word."""
    return SPECIES[card].replace("_", " ")


def _row(label: str, counts: list[str]) -> str:
    cells = (f"{c:>{len(kind) + 1}}" for c, kind in zip(counts, SPECIES, strict=True))
    return f"{label:<{_LABEL}}{''.join(cells)}".rstrip()


def knows(s: State, viewer: int | None) -> bool:
    """R17: whether `viewer` has seen the card in flight; the spectator has."""
    return bool(s.flight >= 0 and (viewer is None or s.knows[viewer]))


def table(game: Game, s: State, viewer: int | None) -> str:
    """R17: piles, hands and what was said of the card in flight; cards aside are never shown."""
    number = min(int(s.games) + 1, int(s.num_games))
    lines = [f"Cockroach Poker, game {number} of {s.num_games}", " " * _LABEL + _HEAD]
    for seat in range(game.players):
        turn = ">" if s.player == seat else " "
        lines.append(
            _row(f"{turn} player_{seat}  face up", [str(c or ".") for c in s.faceup[seat]])
        )
        shown = viewer is None or viewer == seat
        hand = [str(c or ".") for c in s.hand[seat]] if shown else ["?"] * KINDS
        lines.append(_row(f"            {s.hand_size[seat]:2} in hand", hand))
    for i in range(s.chain):
        to = s.chain_seat[i + 1] if i + 1 < s.chain else s.player
        looked = "looks, " if s.chain_looked[i] else ""
        whom = f" to player_{to}" if to >= 0 else ""
        lines.append(f'player_{s.chain_seat[i]}{whom}: {looked}"it is a {name(s.chain_claim[i])}"')
    if knows(s, viewer):
        lines.append(f"the card in flight is a {name(s.flight)}")
    return "\n".join([*lines, status(s)])


def status(s: State) -> str:
    """What is to be done now."""
    if s.player < 0:
        lost = " ".join(str(count) for count in s.losses[: s.seats])
        return f"over; games lost by each seat: {lost}"
    if s.phase == OFFERING:
        return f"player_{s.player} is to offer a card"
    if s.phase == LOOKED:
        return f"player_{s.player} has looked and is to pass the card on"
    if s.chain == s.seats - 1:
        return f"player_{s.player} is to call"
    return f"player_{s.player} is to call or to pass the card on"


def events(game: Game, before: State, action: int, after: State, viewer: int | None) -> list[str]:
    """The move, what it turned up, and what that ended.

    R17: the card itself is told to those who have seen it, before it is turned up.
    """
    does, _, target, claim = read_action(game.players, action)
    mover, to = f"player_{before.player}", f"player_{(before.player + target) % game.players}"
    # a call clears the flight; all other actions leave it in `after`
    secret = f" (a {name(after.flight)})" if knows(after, viewer) else ""
    if does == OFFER:
        return [f'{mover} offers a card to {to}: "it is a {name(claim)}"{secret}']
    if does == LOOK:
        return [f"{mover} looks at the card{secret}"]
    if does == PASS:
        return [f'{mover} passes the card to {to}: "it is a {name(claim)}"{secret}']
    return _called(before, does == CALL_TRUE, after)


def _called(before: State, said: bool, after: State) -> list[str]:
    last = before.chain - 1
    claim, card = before.chain_claim[last], before.flight
    right = said == (claim == card)
    taker = f"player_{before.chain_seat[last] if right else before.player}"
    told = [
        f'player_{before.player} says: "it is {"" if said else "not "}a {name(claim)}"',
        f"the card is a {name(card)}: {'right' if right else 'wrong'}, {taker} takes it",
    ]
    causes = {
        FOUR: f"{before.four} cards of a species",
        ALL: "all eight species",
        EMPTY: "no card to offer",
    }
    for cause, words in causes.items():
        if after.ends[cause] > before.ends[cause]:
            told.append(f"{taker} loses: {words}")
            if after.player >= 0:
                told.append(f"game {after.games + 1} starts with {taker}")
    return told


def statistics(game: Game, s: State) -> dict[str, float]:
    """Counts over the match: how its games ended, and what was done, claimed and called in it."""
    counts = {
        "four_of_a_kind": s.ends[FOUR],
        "all_kinds": s.ends[ALL],
        "out_of_cards": s.ends[EMPTY],
    }
    for what in ("games", "turns", "passes", "looks", "calls", "calls_right", "claims", "lies"):
        counts[what] = s[what]
    return {what: float(count) for what, count in counts.items()}
