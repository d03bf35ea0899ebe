"""Poker hands in the PHH format (https://phh.readthedocs.io), TOML that other programs read.

The format knows eleven variants of poker. What it can say of the games here, and what not:

- The Gang, mode basic: each heist is a hand of Texas hold'em (`NT`) in which everybody checks, for
  there is nothing to bet; the ante of 1 is there because programs want one. The chips, which are
  the game, stand in fields of our own (`_moves`, `_red_chips`), which readers skip. Modes with
  cards have hands that hold'em does not know, so they are refused.
- Kuhn poker and Caribbean Poker are none of the eleven variants. They are written in the same form
  with variant codes of our own, `Kuhn` and `Caribbean`: a reader of TOML gets cards, bets and
  stakes, a program that replays the eleven variants will refuse them. In Kuhn poker cards have no
  suit (`J?`). In Caribbean Poker the banker is the last player, its hole cards are shown face up
  one by one, and the bonus bet stands in a field of our own.

A file that ends in .phh holds one hand, a .phhs file any number of them as numbered tables.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from ...envs.caribbean_poker import state as caribbean
from ...envs.engine.cards import card_text, cards_text
from ...envs.engine.files import drafted
from ...envs.engine.game import State
from ...envs.engine.record import Move, Record, SeatRecord
from ...envs.kuhn import state as kuhn
from ...envs.the_gang import state as the_gang

Hand: TypeAlias = dict[str, Any]
HIDDEN = "??"


def write_hands(path: Path, records: Iterable[Record | SeatRecord], seat: int | None) -> int:
    """Write all hands of `records`; how many games they are.

    Raises:
        OSError: if the file cannot be written.
        ValueError: if a game is none of poker, or cannot be told in this format.
    """
    found, count = [], 0
    for record in records:
        if isinstance(record, SeatRecord):
            raise ValueError(f"a record of what seat {record.seat} saw cannot be told as PHH")
        found += hands(record, seat)
        count += 1
    if path.suffix.lower() == ".phh" and len(found) > 1:
        raise ValueError(f"a .phh file holds one hand, and these are {len(found)}: name it .phhs")
    with drafted(path) as draft:
        draft.write_text("\n".join(_texts(found, path.suffix.lower() == ".phhs")), "utf-8")
    return count


def _texts(found: list[Hand], numbered: bool) -> Iterator[str]:
    for number, hand in enumerate(found, 1):
        head = f"[{number}]\n" if numbered else ""
        yield head + "".join(f"{name} = {_toml(value)}\n" for name, value in hand.items())


def _toml(value: Any) -> str:
    """Texts, numbers and lists of them; JSON's are TOML's."""
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def hands(record: Record, seat: int | None = None) -> list[Hand]:
    """The hands of a game that are over; cards that `seat` never saw are `??`, if one is given.

    Raises:
        ValueError: if the game is none of poker, or cannot be told in this format.
    """
    game = record.configured()
    tell = GAMES.get(game.name)
    if tell is None:
        raise ValueError(f"{game.rules.title} is no poker: PHH cannot tell it")
    found = []
    for hand in tell(record, seat):
        others = {"author": f"backroom {record.suite}", "event": game.rules.title}
        found.append(hand | others | {"_seed": str(record.seed)} if seat is None else hand | others)
    return found


def _players(record: Record) -> list[str]:
    return [f"player_{k} ({who.name})" for k, who in enumerate(record.agents)]


def _kuhn(record: Record, seat: int | None) -> Iterator[Hand]:
    last = record.last()
    if last.player >= 0:
        return
    shown = last.chips[0] == last.chips[1]
    cards = [f"{kuhn.RANKS[last.deck[p]]}?" for p in range(kuhn.PLAYERS)]
    actions = [
        f"d dh p{p + 1} {cards[p] if seat in (None, p) else HIDDEN}" for p in range(kuhn.PLAYERS)
    ]
    facing = False
    for number, move in enumerate(record.moves):
        bet = move.action == kuhn.BET
        verb = "cbr 1" if bet and not facing else "cc" if bet or not facing else "f"
        actions.append(f"p{number % 2 + 1} {verb}")
        facing = facing or bet
    actions += [f"p{p + 1} sm {cards[p]}" for p in range(kuhn.PLAYERS) if shown]
    yield {
        "variant": "Kuhn",
        "antes": [1, 1],
        "blinds_or_straddles": [0, 0],
        "small_bet": 1,
        "big_bet": 1,
        "starting_stacks": [2, 2],
        "actions": actions,
        "players": _players(record),
        "finishing_stacks": [2 + int(r) for r in record.returns],
    }


def _steps(record: Record) -> Iterator[tuple[State, Move, State]]:
    """Each move with the states before and after."""
    states = record.states()
    before = next(states)
    for move, after in zip(record.moves, states, strict=True):
        yield before, move, after
        before = after


def _caribbean(record: Record, seat: int | None) -> Iterator[Hand]:
    moves: list[Move] = []
    for before, move, after in _steps(record):
        moves.append(move)
        if after.rounds > before.rounds:
            yield _round(record, before, move, after, seat)


def _round(record: Record, before: State, move: Move, after: State, seat: int | None) -> Hand:
    """A round of Caribbean Poker, before and after its last choice."""
    seats = [p for p in range(before.seats) if before.playing[p]]
    place = {p: k for k, p in enumerate(seats, 1)}
    house = len(seats) + 1
    cards = {
        p: _cards(before.deck[caribbean.seat_card(p, 0) : caribbean.seat_card(p, caribbean.HAND)])
        for p in seats
    }
    hidden = HIDDEN * caribbean.HAND
    actions = [f"d dh p{place[p]} {cards[p] if seat in (None, p) else hidden}" for p in seats]
    up = _cards(before.deck[caribbean.UP : caribbean.HAND])
    actions.append(f"d dh p{house} {HIDDEN * caribbean.UP}{up}")
    choice = {p: int(before.choice[p]) for p in seats} | {int(before.player): move.action}
    antes = [int(before.ante[p]) for p in seats]
    for p, ante in zip(seats, antes, strict=True):
        called = choice[p] == caribbean.CALL
        actions.append(f"p{place[p]} " + (f"cbr {caribbean.CALL_STAKE * ante}" if called else "f"))
    actions.append(f"p{house} sm {_cards(before.deck[: caribbean.HAND])}")
    names = _players(record)
    return {
        "variant": "Caribbean",
        "antes": [*antes, 0],
        "blinds_or_straddles": [0] * house,
        "min_bet": caribbean.CALL_STAKE * min(antes),
        "starting_stacks": [*(_stack(before, p) for p in seats), 0],
        "actions": actions,
        "players": [*(names[p] for p in seats), "banker"],
        "hand": int(after.rounds),
        "_bonus_bets": [caribbean.BONUS * int(before.bonus[p]) for p in seats],
    }


def _stack(s: State, seat: int) -> int:
    """What a seat had before its ante; without a bankroll, just enough."""
    ante = int(s.ante[seat])
    if not s.bankroll:
        return (1 + caribbean.CALL_STAKE) * ante
    staked = ante + caribbean.BONUS * int(s.bonus[seat])
    if s.choice[seat] == caribbean.CALL:
        staked += caribbean.CALL_STAKE * ante
    return int(s.money[seat]) + staked


def _cards(cards: Any) -> str:
    return cards_text(int(card) for card in cards).replace(" ", "")


def _the_gang(record: Record, seat: int | None) -> Iterator[Hand]:
    if record.configured().settings()["mode"] != "basic":
        raise ValueError("PHH knows no challenges and specialists: only the mode basic can be told")
    said: list[str] = []
    for before, move, after in _steps(record):
        said.append(f"p{before.player + 1} {the_gang.COLOURS[before.round_no]}: {move.text}")
        if before.vaults + before.alarms < after.vaults + after.alarms:
            yield _heist(record, after, said)
            said = []


def _heist(record: Record, s: State, said: list[str]) -> Hand:
    """R4, R14: the hands that were opened last; all are shown, so every seat knows them."""
    n = int(s.seats)
    hole = [_cards(card for card in s.showdown_hole[p] if card >= 0) for p in range(n)]
    board = [card_text(int(card)) for card in s.showdown_board]
    checks = [f"p{p + 1} cc" for p in range(n)]
    streets = ["".join(board[: the_gang.FLOP]), *board[the_gang.FLOP :]]
    actions = [f"d dh p{p + 1} {hole[p]}" for p in range(n)]
    actions += checks
    for street in streets:
        actions += [f"d db {street}", *checks]
    order = sorted(range(n), key=lambda p: int(s.showdown_chips[p]))
    actions += [f"p{p + 1} sm {hole[p]}" for p in order]
    return {
        "variant": "NT",
        "antes": [1] * n,
        "blinds_or_straddles": [0] * n,
        "min_bet": 1,
        "starting_stacks": [2] * n,
        "actions": actions,
        "players": _players(record),
        "hand": int(s.vaults) + int(s.alarms),
        "_red_chips": [int(chip) for chip in s.showdown_chips[:n]],
        "_moves": list(said),
    }


GAMES: dict[str, Callable[[Record, int | None], Iterator[Hand]]] = {
    "kuhn": _kuhn,
    "caribbean_poker": _caribbean,
    "the_gang": _the_gang,
}
"""Who tells a game's hands, by its name."""
