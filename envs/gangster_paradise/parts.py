"""The parts of an observation of Gangster Paradise. R-numbers: README.md beside this file."""

from typing import TYPE_CHECKING

from ..engine.game import Part
from .state import (
    ASKED,
    CHAINS,
    CLASSES,
    COLOURS,
    MANY,
    MAX_CARDS,
    PHASES,
    REFUSALS,
    SAYINGS,
    STATEMENTS,
)

if TYPE_CHECKING:
    from .card_table import Card
    from .options import GangsterParadiseOptions

MOST_ACTIONS, MOST_NEGATED = 20, 3
"""With the published cards; other tables may have more."""


def parts(options: "GangsterParadiseOptions", table: "tuple[Card, ...]") -> tuple[Part, ...]:
    """The observation, in the order in which `observation.observe` writes it."""
    n, kinds = options.num_players, len(table)
    found = [*_cards(n, kinds), *_turn(options, table), *_chain(n, kinds)]
    if options.talk:
        meaning = (
            f"by seat, the last statement first: one-hot the kind ({', '.join(SAYINGS)}), "
            "the colour, the card, the seat it is about"
        )
        cells = len(SAYINGS) + len(COLOURS) + kinds + n
        found.append(Part("said", (n, STATEMENTS, cells), 1, meaning))
    return tuple(found)


def _cards(n: int, kinds: int) -> list[Part]:
    return [
        Part("life", (len(COLOURS),), 1, "one-hot, own LIFE: red, blue, black, purple, gray"),
        Part("hand", (kinds,), MAX_CARDS, "own hand: cards of each kind, without LIFE"),
        Part("field", (kinds,), MAX_CARDS, "cards of each kind on the field"),
        Part("deck", (1,), MAX_CARDS, "how many cards the deck has"),
        Part("deck_top", (2, kinds), 1, "one-hot, the deck's top card and the next, where known"),
        Part("hand_size", (n,), MAX_CARDS, "how many cards each hand has, without LIFE"),
        Part("fate", (n, 3), 1, "one-hot a seat: alive, dead, surrendered"),
        Part("lives", (n, len(COLOURS)), 1, "one-hot a seat: its LIFE; zeros where not known"),
        Part("cleared", (n, len(COLOURS)), 1, "LIFE that the seat cannot have, as all know"),
        Part("life_open", (n,), 1, "whether the seat's LIFE is open to all"),
        Part(
            "known",
            (n, kinds),
            MAX_CARDS,
            "so many cards of each kind the seat has at least, as the observer knows; of the own "
            "seat, as everybody knows",
        ),
        Part(
            "known_class",
            (n, CLASSES),
            MAX_CARDS,
            "the same of all weapons of the mix, of BULLET and THE BOSS, of 2-cost specialists",
        ),
        Part("open", (n, kinds), MAX_CARDS, "the same, as everybody knows"),
    ]


def _turn(options: "GangsterParadiseOptions", table: "tuple[Card, ...]") -> list[Part]:
    n, kinds = options.num_players, len(table)
    boosts = [card.numbers[0] for card in table if card.effect == "boost"]
    heroes = sum(card.basic + card.advanced for card in table if card.effect == "negate")
    actions = max(MOST_ACTIONS, options.black_actions + CHAINS * max(boosts, default=0))  # R12, R44
    negated = max(MOST_NEGATED, options.hero_limit * heroes)  # R50
    return [
        Part("round", (1,), options.max_rounds + 1, "0 before the start, then from 1"),
        Part("starter", (n,), 1, "one-hot, who begins each round; zeros before the start"),
        Part("turn", (n,), 1, "one-hot, whose turn it is; zeros before the start"),
        Part("mover", (n,), 1, "one-hot, who is to move; zeros when over"),
        Part("actions", (1,), actions, "actions left in this turn"),
        Part("chains", (1,), CHAINS, "what has been begun in this turn"),
        Part("refusals", (1,), REFUSALS, "proposals refused in this turn"),
        Part("spoken", (1,), STATEMENTS, "statements made in this turn"),
        Part("free_trade", (1,), 1, "whether the next trade of this turn costs no action"),
        Part("used", (kinds,), MANY, "cards of each kind used in this turn"),
        Part("again", (kinds,), 1, "one-hot, of which one more can be used at no cost"),
        Part("negated", (n,), negated, "damages that the seat has negated in this turn"),
        Part("evaded", (n,), 1, "whether the seat has used LOOKOUT in this round"),
        Part("last_card", (kinds,), 1, "one-hot, the card used last in this turn"),
        Part("last_target", (n,), 1, "one-hot, its last target; zeros for none"),
        Part("accepted", (n, n), MANY, "trades by who proposed and who agreed"),
        Part("refused", (n, n), MANY, "trades by who proposed and who refused"),
    ]


def _chain(n: int, kinds: int) -> list[Part]:
    return [
        Part("phase", (len(PHASES),), 1, f"one-hot, what the mover decides: {', '.join(PHASES)}"),
        Part("asked", (len(ASKED),), 1, f"one-hot, what the mover is asked: {', '.join(ASKED)}"),
        Part("card", (kinds,), 1, "one-hot, the card in use"),
        Part("target", (n,), 1, "one-hot, its target"),
        Part("mode", (1,), 1, "whether SPY takes a card"),
        Part("given", (kinds,), 1, "one-hot, the own card chosen"),
        Part("taken", (kinds,), 1, "one-hot, the field card chosen"),
        Part("loaded", (kinds,), 1, "one-hot, the bullet chosen"),
        Part("stack", (kinds,), MAX_CARDS, "cards to pay with, to sell or to give in a trade"),
        Part("worth", (1,), MANY, "money that may still be picked up"),
        Part("shots", (1,), MANY, "shots made, or players looked at, with the card in use"),
        Part("hits", (1,), MANY, "damages still to come"),
        Part("subject", (kinds,), 1, "one-hot, the specialist that may be cancelled"),
        Part("subject_user", (n,), 1, "one-hot, who uses it"),
        Part("loot", (kinds,), MAX_CARDS, "cards of which one may be taken"),
        Part("picks", (kinds,), MAX_CARDS, "cards picked from a hand, for those who see them"),
        Part(
            "offer",
            (n, 2, kinds),
            MAX_CARDS,
            "by partner: cards for it, cards from it; a partner sees its own row",
        ),
        Part("offer_size", (n, 2), MANY, "the same, how many; all see it once it is proposed"),
        Part("partner", (n,), 1, "one-hot, to whom the next items of the offer belong"),
        Part("agreed", (n,), 1, "who has agreed to the trade"),
    ]
