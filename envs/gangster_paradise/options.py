"""The options of Gangster Paradise and what they imply. R-numbers: README.md beside this file."""

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from ..engine.game import Facts, Options, State
from .actions import action_texts
from .card_table import EFFECTS, NEEDED, PUBLISHED, SORTS, USES, Card, load
from .parts import parts
from .state import (
    AMMO,
    BEAUTY,
    BLACK,
    BUY,
    CANCEL,
    CHAINS,
    COLOURS,
    COUNTER,
    EVADE,
    GROUPS,
    HERO,
    ITEMS,
    KINDS,
    LIFE_EFFECT,
    LOOKOUT,
    MAX_SEATS,
    MIN_SEATS,
    NEGATE,
    NOTHING,
    PORNO,
    SPECIALIST,
    STATE,
    WEAPON,
)

SETS = ("auto", "basic", "advanced")
SPECIAL_WEAPON_COST = SPECIALIST_COST = 2
"""R5, R7: what weapons of the mix, besides GUN, and the specialists that are dealt cost."""
MOST_IN_DECK, BULLETS_IN_DECK = 5, 4
"""R4, R6: so many more GANGSTER and MONEY, and BULLET, go into the deck."""


class GangsterParadiseOptions(Options, frozen=True, kw_only=True):
    """What can be chosen."""

    num_players: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS, description="seats")] = 5
    cards: Annotated[
        str,
        Meta(
            description="`basic` or `advanced`: the set; `auto`: basic where that is enough, else "
            "advanced; or the path of a card table of your own, of which all cards are used"
        ),
    ] = "auto"
    beginner: Annotated[
        bool, Meta(description="with 5 seats: RED, RED, BLUE, BLUE, BLACK and no other LIFE")
    ] = False
    black_actions: Annotated[
        int, Meta(ge=2, le=5, description="actions of a turn for BLACK that has shown its LIFE")
    ] = 3
    black_reveal_permanent: Annotated[
        bool, Meta(description="whether that lasts as long as BLACK lives, or for one turn")
    ] = True
    sight_kills_in_round_1: Annotated[
        bool, Meta(description="whether PURPLE and GRAY die when seen in round 1")
    ] = False
    gray_safe_from_black: Annotated[
        bool, Meta(description="whether GRAY may be seen by BLACK and live")
    ] = True
    gangster_cost: Annotated[int, Meta(ge=0, le=3, description="cost of GANGSTER; 0: none")] = 1
    killer_ignores_substitutes: Annotated[
        bool, Meta(description="whether no substitute helps against KILLER")
    ] = True
    hero_limit: Annotated[
        int, Meta(ge=1, le=3, description="damages that a HERO negates in a turn")
    ] = 1
    beauty_discards_target: Annotated[
        bool, Meta(description="whether a specialist cancelled by BEAUTY is lost to the field")
    ] = True
    fake_money_copies: Annotated[
        int, Meta(ge=0, le=8, description="FAKE MONEY in the advanced set")
    ] = 4
    bullet_needed: Annotated[
        bool, Meta(description="whether weapons take bullets, as many as the card table says")
    ] = True
    spare_weapons: Annotated[
        Literal["box", "deck"],
        Meta(description="where weapons go that are not in the mix for so many seats"),
    ] = "box"
    one_more_draw: Annotated[
        Literal["deck_to_field", "hand_to_field"],
        Meta(description="what One More Draw lays: the deck's next card, or one of the hand"),
    ] = "deck_to_field"
    surrender: Annotated[bool, Meta(description="whether a player may surrender")] = False
    dead_can_set_win: Annotated[
        bool, Meta(description="whether the dead win by the cards that they hold")
    ] = False
    max_rounds: Annotated[
        int, Meta(ge=1, le=100, description="after so many rounds nobody wins")
    ] = 30
    reward: Annotated[
        Literal["points", "win"],
        Meta(description="points: those won, less the table's mean; win: +1 for points, else -1"),
    ] = "points"
    talk: Annotated[bool, Meta(description="whether there are statements")] = True

    def __post_init__(self) -> None:
        """Refuse a card table that is not to be had, or too small for the seats.

        Raises:
            ValueError: with a sentence.
        """
        if self.beginner and self.num_players != 5:
            raise ValueError(f"beginner is for 5 seats, not {self.num_players}")
        _check_copies(self)


def lives(options: GangsterParadiseOptions) -> tuple[int, ...]:
    """R3: the LIFE cards that are shuffled and dealt, by colour; one more than seats but for 7."""
    n = options.num_players
    if n == 4 or options.beginner:
        return (2, 2, 1, 0, 0)
    return (2, 2, 1, 1, 0) if n == 5 else (2, 2, 1, 1, 1)


def chosen_set(options: GangsterParadiseOptions) -> str:
    """R2: `basic`, `advanced`, or `path` for a table of the user's own."""
    if options.cards not in SETS:
        return "path"
    if options.cards != "auto":
        return options.cards
    return "basic" if sum(lives(options)[BLACK + 1 :]) == 0 else "advanced"


@cache
def table_of(options: GangsterParadiseOptions) -> tuple[Card, ...]:
    """The lines of the card table that are in play."""
    named = chosen_set(options)
    if named == "path":
        return load(Path(options.cards))
    return tuple(card for card in load(PUBLISHED) if named == "advanced" or card.basic)


def copies_of(options: GangsterParadiseOptions, card: Card) -> int:
    """Copies of `card` in the set."""
    if card.id == "fake_money" and chosen_set(options) != "path":
        return options.fake_money_copies
    return card.basic + (card.advanced if chosen_set(options) != "basic" else 0)


def in_mix(options: GangsterParadiseOptions, table: tuple[Card, ...]) -> dict[str, int]:
    """R5: the weapons that are dealt, one each: GUN, and the first of those that cost 2."""
    special = [
        card.id
        for card in table
        if card.kind == "weapon" and card.cost == SPECIAL_WEAPON_COST and card.id != "gun"
    ]
    mixed = special[: max(1, options.num_players - 4)]
    return {"gun": options.num_players - len(mixed), **dict.fromkeys(mixed, 1)}


def _check_copies(options: GangsterParadiseOptions) -> None:
    """R3 to R7: whether the table has all cards that so many seats are dealt."""
    table, n = table_of(options), options.num_players
    have = {card.id: copies_of(options, card) for card in table}
    colours = {card.effect: card.id for card in table if card.kind == "life"}
    need = {
        colours.get(colour, f"{colour}_life"): count
        for colour, count in zip(COLOURS, lives(options), strict=True)
        if count
    }
    need.update(gangster=n, money=n, bullet=n - 1, the_boss=1, spy=1, trickster=1)
    need.update(in_mix(options, table))
    for name, count in need.items():
        if have.get(name, 0) < count:
            raise ValueError(
                f"cards: {n} seats need {name} {count} times, but the set has it "
                f"{have.get(name, 0)} times"
            )
    for name in NEEDED[3:4]:
        if have[name] != 1:
            raise ValueError(f"cards: there is one card {name}, not {have[name]}")
    specialists = sum(
        have[card.id]
        for card in table
        if card.kind == "specialist" and card.cost == SPECIALIST_COST
    )
    if specialists < n:
        raise ValueError(
            f"cards: {n} seats need as many specialists of cost 2, but the set has {specialists}"
        )


def setup(options: GangsterParadiseOptions, s: State) -> None:
    """Write the options into a blank record."""
    s.beginner = options.beginner
    s.table_set = SETS.index(options.cards) if options.cards in SETS else len(SETS)
    s.black_actions = options.black_actions
    s.black_lasts = options.black_reveal_permanent
    s.sight_first = options.sight_kills_in_round_1
    s.gray_safe = options.gray_safe_from_black
    s.gangster_cost = options.gangster_cost
    s.killer_pierces = options.killer_ignores_substitutes
    s.hero_limit = options.hero_limit
    s.beauty_discards = options.beauty_discards_target
    s.fake_copies = options.fake_money_copies
    s.surrender = options.surrender
    s.dead_win = options.dead_can_set_win
    s.draw_to_field = options.one_more_draw == "deck_to_field"
    s.ammunition = options.bullet_needed
    s.spare_weapons = options.spare_weapons == "deck"
    s.win_only = options.reward == "win"
    s.talk = options.talk
    s.max_rounds = options.max_rounds
    fields: Any = STATE.fields
    s.seat_bytes = options.num_players * GROUPS
    s.shared_bytes = fields["known"][1] + s.seat_bytes
    _write_table(options, s)


def _write_table(options: GangsterParadiseOptions, s: State) -> None:
    """The card table as numbers."""
    table = table_of(options)
    effects = list(EFFECTS)
    s.kinds = len(table)
    s.class_of[:] = s.answers_with[:] = s.life_kind[:] = NOTHING
    mixed = in_mix(options, table)
    for k, card in enumerate(table):
        s.sort_of[k] = SORTS.index(card.kind)
        s.cost[k] = options.gangster_cost if card.id == "gangster" else card.cost
        s.copies[k] = copies_of(options, card)
        s.showable[k] = card.show
        s.usage[k] = USES.index(card.use)
        s.price[k] = card.actions
        s.limit[k] = card.limit
        s.effect[k] = effects.index(card.effect)
        s.numbers[k, : len(card.numbers)] = card.numbers
        if s.effect[k] == AMMO:
            s.damage[k] = card.numbers[0]
        elif card.counts_as == "bullet":
            s.damage[k] = 1
        if card.id in mixed:
            s.class_of[k] = KINDS
        elif card.id in ("bullet", "the_boss"):
            s.class_of[k] = KINDS + 1
        elif s.sort_of[k] == SPECIALIST and s.cost[k] == SPECIALIST_COST:
            s.class_of[k] = KINDS + 2
        if card.effect in COLOURS:
            s.life_kind[s.effect[k] - LIFE_EFFECT] = k
    ids = [card.id for card in table]
    for name in ("the_boss", "gangster", "money", "gun", "bullet", "spy", "trickster"):
        s[name] = ids.index(name)
    for asked, effect in ((BEAUTY, CANCEL), (PORNO, COUNTER), (HERO, NEGATE), (EVADE, LOOKOUT)):
        found = [k for k in range(len(table)) if s.effect[k] == effect]
        s.answers_with[asked] = found[0] if found else NOTHING


def most_moves(options: GangsterParadiseOptions) -> int:
    """R12: no game is longer: a bound on the chains of a turn, and on each chain.

    The longest chains are a trade (all partners, all items, all answers), a purchase with all
    cards, and shots, each with all that may be asked.
    """
    n = options.num_players
    cards = sum(copies_of(options, card) for card in table_of(options))
    trade = 2 + (n - 1) * (2 + 2 * ITEMS)
    purchase = 4 + cards
    shots = max(card.numbers[0] for card in table_of(options) if card.effect == "shoot")
    damages = max(card.numbers[0] for card in table_of(options) if card.effect == "ammo")
    volley = 4 + shots * (3 + damages * (n * (n + 2) + 2))
    return n + 1 + options.max_rounds * n * (1 + CHAINS * max(trade, purchase, volley))


def facts(options: GangsterParadiseOptions) -> Facts:
    """What the options imply; R53: the bounds of rewards."""
    n, table = options.num_players, table_of(options)
    most = 3 * (n - 1) / n
    return Facts(
        players=n,
        actions=action_texts(n, tuple(card.id for card in table), options.talk),
        parts=parts(options, table),
        bounds=(-1, 1) if options.reward == "win" else (-most, most),
        max_moves=most_moves(options),
        canvas=(120, 5 * n + 14),
    )


assert list(EFFECTS)[BUY] == "buy" and SORTS[WEAPON] == "weapon"
