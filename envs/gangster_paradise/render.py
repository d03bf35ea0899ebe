"""Gangster Paradise as text. R-numbers: README.md beside this file."""

from ..engine.game import Game, State
from ..engine.names import several
from .hidden import known_row, sees_life
from .render_events import card, cards, events, name, said
from .state import (
    ALIVE,
    ASK,
    ASKED,
    COLOURS,
    DEAD,
    EVERYBODY,
    PHASES,
    TITLES,
)

__all__ = ["events", "statistics", "table"]
WIDTH = 118


def table(game: Game, s: State, viewer: int | None) -> str:
    """R10 to R12, R27: the field, each seat with what `viewer` knows of it, and who decides."""
    number = (
        f"round {min(int(s.round_no), int(s.max_rounds))} of {s.max_rounds}"
        if s.round_no
        else "before the start"
    )
    lines = [
        f"Gangster Paradise Requiem   {number}   deck {s.deck_size}",
        *_wrapped("field: ", cards(game, s.on_field) or "none"),
        "",
    ]
    for seat in range(game.players):
        lines += _seat(game, s, seat, viewer)
    return "\n".join([*lines, "", *_status(game, s, viewer)])


def _wrapped(head: str, text: str) -> list[str]:
    """`text` after `head` in lines that fit, cut after three of them."""
    words, lines = text.split(), [head]
    for word in words:
        if len(lines[-1]) + len(word) > WIDTH:
            lines.append(" " * len(head))
        lines[-1] += word + " "
    return [line.rstrip() for line in lines[:3]]


def _seat(game: Game, s: State, seat: int, viewer: int | None) -> list[str]:
    """A seat's LIFE, fate and cards, as far as they are known."""
    turn = ">" if s.player == seat else "*" if s.turn == seat and s.round_no else " "
    open_to_viewer = viewer is None or sees_life(s, viewer, seat)
    life = COLOURS[s.life[seat]] if open_to_viewer else "?"
    if s.life_open[seat] and s.fate[seat] == ALIVE and s.player >= 0:
        life += " (shown)"
    fate = "" if s.fate[seat] == ALIVE else "  dead" if s.fate[seat] == DEAD else "  surrendered"
    first = "  first" if s.round_no and s.starter == seat else ""
    lines = [
        f"{turn} {name(seat)}  LIFE {life}{fate}{first}   {several(int(s.held[seat]), 'card')}"
    ]
    if viewer in (None, seat) or s.player < 0:
        lines += _wrapped("    holds ", cards(game, s.hand[seat]) or "nothing")
    else:
        known = cards(game, s.known[known_row(s, viewer, seat)])
        lines += _wrapped("    holds at least ", known) if known else []
    shown = cards(game, s.known[known_row(s, EVERYBODY, seat)])
    if shown and viewer in (None, seat) and s.player >= 0:
        lines += _wrapped("    known to all: ", shown)
    if words := "; ".join(said(game, s.said[seat])):
        lines += _wrapped("    said last: ", words)
    return lines[:4]


def _status(game: Game, s: State, viewer: int | None) -> list[str]:
    if s.player < 0:
        won = [f"{name(p)} {TITLES[s.titles[p]]}" for p in range(game.players) if s.titles[p]]
        return [f"over: {', '.join(won) or 'nobody wins'}"]
    who = name(s.player)
    if s.phase == ASK:
        return [f"{who} is asked to {ASKED[s.asking]}"]
    begun = f"{several(s.actions, 'action')} left, {several(s.chains, 'thing')} begun"
    if viewer not in (None, s.player):
        return [f"{who} is to decide; {begun}"]
    about = f" for {card(game, int(s.card))}" if s.card >= 0 else ""
    return [f"{who} is to decide on {PHASES[s.phase]}{about}; {begun}"]


def statistics(game: Game, s: State) -> dict[str, float]:
    """How the game ended, and what was done in it."""
    figures = {f"won_by_{title}": float(s.over_how == k) for k, title in enumerate(TITLES[:6])}
    trades = float(s.accepted.sum())
    figures.update(
        rounds=float(min(int(s.round_no), int(s.max_rounds))),
        moves=float(s.moves),
        deaths=float(s.deaths),
        shots=float(s.shots_fired),
        looks=float(s.looks),
        purchases=float(s.purchases),
        sales=float(s.sales),
        trades=trades,
        refusals=float(s.refused.sum()),
    )
    for colour, word in enumerate(COLOURS):
        own = s.life[: s.seats] == colour
        figures[f"{word}_seats"] = float(own.sum())
        figures[f"{word}_wins"] = float((s.titles[: s.seats][own] > 0).sum())
    return figures
