"""What a game of Gangster Paradise is. R-numbers: README.md beside this file."""

from ..engine.game import record

MIN_SEATS, MAX_SEATS = 4, 7
KINDS = 40
"""Room for kinds of card: so many lines a card table has at most."""
MAX_CARDS = 120
"""Room for cards."""

COLOURS = ("red", "blue", "black", "purple", "gray")
RED, BLUE, BLACK, PURPLE, GRAY = range(5)
"""R3: the colours of LIFE cards."""
NOBODY = NOTHING = -1

NONE, BUY, SHOOT, KILL, SPY, LOOK, SWAP, PEEK, FENCE, RECRUIT, HUSTLE, PICKUP = range(12)
NEGOTIATE, SEIZE, BOOST, SMOKE = range(12, 16)
SUBSTITUTE, CANCEL, NEGATE, LOOKOUT, COUNTER, AMMO = range(16, 22)
"""What cards do: R30 to R52. Those from SUBSTITUTE on answer others', or go with them."""
LIFE_EFFECT = 22
"""The effect of a LIFE card of colour c is LIFE_EFFECT + c."""

LIFE, BOSS, GANGSTER, MONEY, WEAPON, SPECIALIST, CONTRABAND = range(7)
"""What the source writes in brackets: kinds of card, of which each name is of one."""
REVEAL, DISCARD, REACT = 1, 2, 3
"""How a card is used; 0: it is not."""

CLASSES = 3
"""R8: all are dealt a weapon of the mix, BULLET or THE BOSS, a specialist of cost 2."""
GROUPS = KINDS + CLASSES
"""What is counted in hands: cards of each kind, then of each class."""
EVERYBODY = -1
"""Who knows what is open to all: somebody who has only watched."""

ALIVE, DEAD, SURRENDERED = range(3)

MENU, SEAT, MODE, HAND, FIELD, PAY, SHOT, SELL, TRADE = range(9)
TAKE_MONEY, GIVE, PICK, LOOT, ORDER, REPICK, PUT_DOWN, ASK = range(9, 17)
PHASES = (
    "an action",
    "a player",
    "look or take",
    "an own card",
    "a card of the field",
    "money to pay with",
    "a bullet",
    "weapons to sell",
    "what to trade",
    "money to pick up",
    "a card to give",
    "a card to take",
    "a card of the dead or seized ones",
    "the order of the deck",
    "a card to put back",
    "a card for the field",
    "an answer",
)
"""What the player to move decides, by `phase`. Those from SEAT to TRADE come before an effect."""

BOSS_SHOWN, BEAUTY, PORNO, HERO, STAND_IN, EVADE, CONSENT = range(7)
ASKED = (
    "show THE BOSS and start",
    "cancel the specialist",
    "counter that",
    "negate the damage",
    "lose a substitute",
    "evade the look",
    "agree to the trade",
)
"""What the player to move is asked, by `asking`, in the phase ASK."""

DECIDE, TO_MENU, NEXT_STEP, COMMIT, EFFECT, ASK_NEXT, STANDS, CANCELLED, LOOKED = range(9)
HIT, DIE, AFTER, PAY_OUT, DRAW_AND_LAY, NEXT_TURN, BEGIN_TURN = range(9, 16)
"""What an action leads to: somebody decides; or what comes first. Functions return it, and `step`
carries it out, so that each of them is compiled in one place."""

MANY = 99
"""What has no bound of its own, such as trades, is counted up to here."""
ITEMS = 3
"""R18: so many cards go each way between the mover and a partner, at most."""
MAX_PICKS = 3
"""So many cards are looked at, at most."""
REFUSALS = 2
"""R21: so many refused proposals a turn, at most."""
CHAINS = 12
"""R12: so many chains are begun in a turn, at most."""
STATEMENTS = 2
"""R26: so many statements a turn, at most; the last so many of each seat are seen."""
OWN_LIFE, OWN_CARD, ITS_LIFE, IT_DIES, ALLIANCE = range(5)
SAYINGS = ("own LIFE", "card held", "a LIFE", "should die", "should ally")
"""R26: what is said."""
FIELD_CARDS = 5
"""R7, R23, R24: so many cards are laid on the field."""
DEATHS_TO_BETRAY = 2
"""R59."""

TITLES = (
    "nothing",
    "virtue",
    "money",
    "greatness",
    "annihilation",
    "betrayal",
    "cooperation",
    "conspiracy",
)
VIRTUE, WEALTH, GREATNESS, ANNIHILATION, BETRAYAL, COOPERATION, CONSPIRACY = range(1, 8)
POINTS = (0, 2, 2, 2, 2, 3, 1, 2)
"""R54 to R61: points by title."""

STATE = record(
    [
        ("gangster_paradise_v0", "i1"),  # the type's own name
        ("seats", "i1"),
        ("rng", "u8"),  # the random stream
        ("player", "i1"),  # to move; -1 when over
        ("shared_bytes", "i2"),  # up to the end of what EVERYBODY knows: see `engine/fetching.py`
        ("seat_bytes", "i2"),  # of what a seat knows
        # The options.
        ("beginner", "i1"),
        ("table_set", "i1"),  # which set was asked for, by its place in `options.SETS`
        ("black_actions", "i1"),
        ("black_lasts", "i1"),
        ("sight_first", "i1"),  # whether sight kills in round 1
        ("gray_safe", "i1"),  # from BLACK
        ("gangster_cost", "i1"),
        ("killer_pierces", "i1"),
        ("hero_limit", "i1"),
        ("beauty_discards", "i1"),
        ("fake_copies", "i1"),
        ("surrender", "i1"),
        ("dead_win", "i1"),
        ("draw_to_field", "i1"),  # whether One More Draw lays a card of the deck, not of the hand
        ("ammunition", "i1"),  # whether weapons need bullets
        ("spare_weapons", "i1"),  # whether weapons beyond the mix go into the deck
        ("win_only", "i1"),  # reward
        ("talk", "i1"),
        ("max_rounds", "i4"),
        # The card table, by kind: see `card_table`.
        ("kinds", "i1"),
        ("sort_of", "i1", KINDS),  # LIFE, ...
        ("cost", "i1", KINDS),  # 0 for none
        ("copies", "i1", KINDS),
        ("showable", "i1", KINDS),
        ("usage", "i1", KINDS),
        ("price", "i1", KINDS),  # in actions
        ("limit", "i1", KINDS),  # uses in a turn; 0 for no limit
        ("effect", "i1", KINDS),
        ("numbers", "i1", (KINDS, 3)),
        ("damage", "i1", KINDS),  # of what counts as a BULLET; else 0
        ("class_of", "i1", KINDS),  # the group of its class, -1 for none
        ("life_kind", "i1", 5),  # by colour
        ("the_boss", "i1"),
        ("gangster", "i1"),
        ("money", "i1"),
        ("gun", "i1"),
        ("bullet", "i1"),
        ("spy", "i1"),
        ("trickster", "i1"),
        ("answers_with", "i1", 7),  # by what is asked: the one kind that answers it, -1 for none
        # The cards.
        ("in_play", "i1", KINDS),  # cards that are not in the box; LIFE is counted in `life` only
        ("hand", "i1", (MAX_SEATS, KINDS)),  # without LIFE
        ("held", "i1", MAX_SEATS),  # how many those are
        ("on_field", "i1", KINDS),
        ("deck", "i1", MAX_CARDS),  # bottom first
        ("deck_size", "i1"),
        ("deck_seen", "i1", 2),  # bit p: seat p knows the top card, the one below
        ("life", "i1", MAX_SEATS),  # colours; those of the dead lie before them
        ("spare", "i1"),  # R3: the LIFE that was left over; -1 for none
        # What is known of them. Of the own hand nothing is written down: it is seen.
        ("life_open", "i1", MAX_SEATS),  # to all
        ("life_seen", "i1", (MAX_SEATS, MAX_SEATS)),  # by a seat, of a seat
        ("cleared", "i1", MAX_SEATS),  # bit c: all know that the LIFE is not of colour c
        ("outlived", "i1", MAX_SEATS),  # bit p: p saw it, as all know; if GRAY, p is BLACK
        # The game.
        ("fate", "i1", MAX_SEATS),
        ("starter", "i1"),
        ("turn", "i1"),  # whose turn it is
        ("round_no", "i4"),
        ("actions", "i1"),  # left
        ("used", "i1", KINDS),  # R14: by the player whose turn it is, in this turn
        ("negated", "i1", MAX_SEATS),  # damage in this turn, by the holder of HERO
        ("evaded", "i4", MAX_SEATS),  # the last round in which the LOOKOUT was used
        ("free_trade", "i1"),
        ("chains", "i1"),  # begun in this turn
        ("refusals", "i1"),
        ("spoken", "i1"),
        ("again", "i1"),  # R16: the kind of which one more is used at no cost; -1 for none
        ("together", "i1"),  # how many of them have been used for one cost
        ("last_card", "i1"),  # the kind last used in this turn, open to all
        ("last_target", "i1"),
        # The chain of decisions.
        ("phase", "i1"),
        ("stage", "i1"),  # how many choices have been made before the effect
        ("committed", "i1"),  # whether it has taken effect: open to all
        ("card", "i1"),  # kind in use
        ("target", "i1"),
        ("mode", "i1"),  # R34: 0 look, 1 take
        ("given", "i1"),  # kind chosen from the hand
        ("taken", "i1"),  # kind chosen from the field
        ("loaded", "i1"),  # R31: the kind that is shot
        ("stack", "i1", KINDS),  # money to pay, weapons to sell
        ("stacked", "i1"),
        ("worth", "i1"),  # money that may still be picked up
        ("shots", "i1"),  # made with this card
        ("hits", "i1"),  # R29: damages that are still to be dealt to the target
        ("asking", "i1"),
        ("asked", "i1"),  # how many seats after `turn` the one that was asked last sits
        ("subject", "i1"),  # R46: the specialist that may be cancelled
        ("subject_user", "i1"),
        ("picks", "i1", MAX_PICKS),  # kinds, LIFE among them: the cards that were drawn for a look
        ("picked", "i1"),  # how many
        ("loot", "i1", KINDS),  # what may be taken of the dead, or was seized
        ("offers", "i1", (MAX_SEATS, 2, ITEMS)),  # R18: kinds for a seat, and from it
        ("items", "i1", (MAX_SEATS, 2)),  # how many
        ("partner", "i1"),  # the one to whom the next items belong
        ("agreed", "i1", MAX_SEATS),
        # What is remembered.
        # R26: the last first; what of SAYINGS, the colour, card and seat it names; -1 for none.
        ("said", "i1", (MAX_SEATS, STATEMENTS, 4)),
        ("accepted", "i1", (MAX_SEATS, MAX_SEATS)),  # R19: trades, by who proposed and who agreed
        ("refused", "i1", (MAX_SEATS, MAX_SEATS)),
        ("stirred", "i1"),  # whether somebody may have won
        ("titles", "i1", MAX_SEATS),
        ("over_how", "i1"),  # the best title, when over
        ("moves", "i4"),
        ("deaths", "i4"),
        ("shots_fired", "i4"),
        ("looks", "i4"),
        ("purchases", "i4"),
        ("sales", "i4"),
        # So many cards a hand is known to hold, at least; for each who knows a row for each hand:
        # see `hidden.known_row`. It comes last, as so little of it is needed at a time.
        ("known", "i1", ((MAX_SEATS + 1) * MAX_SEATS, GROUPS)),
    ]
)
