"""The challenges and specialists of The Gang as text. R-numbers: README.md beside this file."""

from textwrap import wrap

from ..engine.cards import RANKS, card_text, cards_text, rank
from ..engine.game import Game, State
from ..engine.names import several
from ..engine.poker import CATEGORIES, category
from .chips import following
from .observation import passed_on, shown_is_gone
from .redeal import is_open
from .roster import (
    BLACKOUT,
    CHALLENGES,
    CON_ARTIST,
    COORDINATOR,
    HACKER,
    HASTY_GETAWAY,
    INFORMANT,
    INVESTOR,
    JACK,
    MATH_WHIZ,
    MUSCLE,
    QUICK_ACCESS,
    SPECIALISTS,
    STACK,
    in_force,
)
from .showdown import game_is_over
from .state import ANSWER, CARD, CHIPS, COLOURS, NO_CARD, NOTHING, RANK, REDRAWN, TARGET

ASKED = (
    "a turn",
    "whether it agrees",
    "whom to show a card",
    "which card",
    "which rank to declare",
    "a rank for the Retina Scan",
    "a category for the Fingerprint Scan",
)
"""What is decided, by `decision`."""
WIDTH = 80
"""Columns of a line."""
SCANS = (("Retina Scan", RANKS), ("Fingerprint Scan", CATEGORIES))


def title(name: str) -> str:
    """A card's name as it is printed."""
    return name.replace("_", " ").title()


def in_force_text(s: State) -> str:
    """R22: the cards of this heist."""
    names = [CHALLENGES[k - 1] for k in range(1, STACK + 1) if in_force(s, k)]
    if s.specialist:
        names.append(SPECIALISTS[s.specialist - 1])
    return ", ".join(map(title, names)) or "no cards"


def shown_hand(s: State, seat: int, viewer: int | None) -> str:
    """R3, R14, R41: the hand, or as many question marks; the Jack lies open."""
    if viewer is None or is_open(s, viewer, seat):
        hole = s.showdown_hole[seat] if game_is_over(s) else s.hole[seat]
        return cards_text(card for card in hole if card != NO_CARD)
    hidden = sum(int(card) != NO_CARD for card in s.hole[seat])
    jack = bool(s.specialist == JACK and s.holder == seat)
    return " ".join(["J*"] * jack + ["??"] * (hidden - jack))


def seat_notes(s: State, seat: int) -> list[str]:
    """What the seat has said and done that all may know."""
    notes = []
    if s.specialist == INVESTOR and s.declared[seat] >= 0:
        notes.append(f"face cards: {s.declared[seat]}")
    if s.specialist == MATH_WHIZ and s.declared[seat] >= 0:
        notes.append(f"sum: {s.declared[seat]}")
    if s.user == seat and s.declared_category >= 0:
        notes.append(f"in round {s.used_in + 1}: {CATEGORIES[s.declared_category]}")
    if s.user == seat and s.declared_rank >= 0:
        notes.append(f"in round {s.used_in + 1}: {s.declared_count} x {RANKS[s.declared_rank]}")
    if s.specialist == MUSCLE and s.holder == seat:
        notes.append("Muscle")
    if s.redrawer == seat:
        notes.append("new hand")
    if s.rank_guesses[seat] >= 0:
        notes.append(f"names {RANKS[s.rank_guesses[seat]]}")
    if s.category_guesses[seat] >= 0:
        notes.append(f"names {CATEGORIES[s.category_guesses[seat]]}")
    return notes


def card_lines(s: State, viewer: int | None) -> list[str]:
    """R22: the cards in force, what is asked, and what the viewer knows of cards elsewhere."""
    lines = wrap(f"in force: {in_force_text(s)}", WIDTH, subsequent_indent=" " * 10)
    if s.player >= 0 and s.decision != CHIPS:
        lines.append(f"player_{s.player} decides {ASKED[s.decision]}")
    return lines + known_lines(s, viewer)


def known_lines(s: State, viewer: int | None) -> list[str]:
    """R28, R33, R34, R36: what the viewer knows of cards elsewhere."""
    lines = []
    if s.shown != NO_CARD and viewer in (None, s.user, s.target):
        gone = ", discarded since" if shown_is_gone(s) else ""
        lines.append(f"player_{s.target} was shown {card_text(s.shown)} by player_{s.user}{gone}")
    if viewer is None:
        return lines
    if s.picks[viewer] != NO_CARD:
        there = f"went to player_{following(s, viewer)}" if passed_on(s) else "is to go left"
        lines.append(f"{card_text(s.picks[viewer])} {there}")
    discarded = [*s.hole[REDRAWN]] if s.redrawer == viewer else []
    discarded += [s.exchanged] if s.user == viewer else []
    if discarded := [card for card in discarded if card != NO_CARD]:
        lines.append(f"discarded: {cards_text(discarded)}")
    if lost := [card for card in s.lost[viewer] if card != NO_CARD]:
        lines.append(f"dealt to others: {cards_text(lost)}")
    return lines


def action_text(game: Game, before: State, action: int, viewer: int | None) -> str:
    """R27 to R34, R41, R46: what the mover decided, as `viewer` hears it."""
    who = f"player_{before.player}"
    word = game.actions[action].partition(" ")[2]
    if before.decision == CHIPS:
        verb = "proposes to use" if before.consent else "uses"
        return f"{who} {verb} the {title(SPECIALISTS[before.specialist - 1])}"
    if before.decision == ANSWER:
        return f"{who} {game.actions[action]}s"
    if before.decision == TARGET:
        return f"{who} is to show player_{(before.player + int(word)) % before.seats} a card"
    if before.decision == CARD:
        return f"{who} {_card_choice(before, int(word) - 1, viewer)}"
    if before.decision == RANK:
        held = sum(RANKS[card // 4] == word for card in before.hole[before.player] if card >= 0)
        return f"{who} declares {held} x {word}"
    return f"{who} names {word}"


def _card_choice(before: State, k: int, viewer: int | None) -> str:
    """R28, R32, R33, R34: a card that only some see."""
    told = [None, before.player]
    if before.specialist == INFORMANT:
        told.append(before.target)
    card = card_text(before.hole[before.player, k]) if viewer in told else "a card"
    if before.specialist == INFORMANT:
        return f"shows player_{before.target} {card}"
    return (
        f"chooses {card} for the left" if before.specialist == COORDINATOR else f"discards {card}"
    )


def effects(before: State, after: State, viewer: int | None) -> list[str]:
    """R27 to R37: what a use of the specialist, or the last card for the left, brings about."""
    user, said = int(after.user), []
    if before.decision == CARD and before.specialist == COORDINATOR:
        return _passed(before, after, viewer) if after.decision == CHIPS else []
    if before.user != NOTHING or user == NOTHING:
        return []
    if after.specialist == HACKER:
        card = card_text(after.hacked) if viewer in (None, user) else "a card"
        said.append(f"player_{user} draws {card}")
    elif after.specialist == JACK:
        said.append(f"player_{user} takes the Jack into the hand")
    elif after.specialist == MUSCLE:
        said.append(f"player_{user} puts the Muscle in front")
    elif after.declared_category != NOTHING:
        said.append(f"player_{user} declares: {CATEGORIES[after.declared_category]}")
    return said


def _passed(before: State, after: State, viewer: int | None) -> list[str]:
    """R33."""
    said = ["all cards go to the left"]
    for seat in range(after.seats):
        left = following(after, seat)
        if viewer in (None, left):
            said.append(f"player_{left} receives {card_text(after.picks[seat])} from player_{seat}")
    return said


def automatic_events(s: State) -> list[str]:
    """R30, R35, R36: what a specialist did by itself when the cards were dealt."""
    if s.specialist == INVESTOR:
        return [
            f"player_{p} declares {several(s.declared[p], 'face card')}" for p in range(s.seats)
        ]
    if s.specialist == MATH_WHIZ:
        return [f"player_{p} declares a sum of {s.declared[p]}" for p in range(s.seats)]
    if s.specialist == CON_ARTIST:
        return ["all hole cards are shuffled and dealt again"]
    return []


def flop_events(s: State, viewer: int | None) -> list[str]:
    """R40, R44, R45: what the new round brings about; R38, R42: not each round has chips."""
    said = []
    if s.round_no == 1 and s.redrawer != NOTHING:
        hand = cards_text(card for card in s.hole[s.redrawer] if card != NO_CARD)
        cards = hand if viewer in (None, s.redrawer) else several(s.held, "new card")
        said.append(f"player_{s.redrawer} discards all hole cards and draws {cards}")
    last = s.round_no - 1
    if last == 2 and in_force(s, HASTY_GETAWAY):
        last = 1
    if in_force(s, BLACKOUT) and not (last == 0 and in_force(s, QUICK_ACCESS)):
        said.append(f"the {COLOURS[last]} chips are discarded")
    return said


def guess_events(s: State) -> list[str]:
    """R41, R46, R49: the team's guesses at the last showdown, and whether they were right."""
    seat = max(range(s.seats), key=lambda p: int(s.showdown_chips[p]))
    held = {rank(card) for card in s.showdown_hole[seat] if card != NO_CARD}
    right = (held, {category(int(s.showdown_strength[seat]))})
    return [
        f"the {scan} of player_{seat} {'meets' if guess in right[k] else 'misses'}: {names[guess]}"
        for k, (scan, names) in enumerate(SCANS)
        if (guess := int(s.showdown_guess[k])) >= 0
    ]
