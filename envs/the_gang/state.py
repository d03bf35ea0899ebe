"""What a game of The Gang is. R-numbers: README.md beside this file."""

from ..engine.cards import CARDS
from ..engine.game import record
from .roster import STACK

MIN_SEATS, MAX_SEATS = 3, 6
MAX_TURNS = 16
VAULTS = ALARMS = 3
"""R2: so many vaults win a game, so many alarms lose it."""
EXPERT_ALARMS = 2
"""R25: so many lose in expert mode."""
MAX_HEISTS = VAULTS + ALARMS - 1

COLOURS = ("white", "yellow", "orange", "red")
STREETS = ("pre-flop", "flop", "turn", "river")
ROUNDS = len(COLOURS)
BOARD = 5
FLOP = 3

HOLE = 2
"""R3: cards dealt to each seat."""
MOST_HOLE = 3
"""R47: with Security Cameras."""
HOLE_ROOM = 4
"""Room for a seat's cards: one more than it keeps, drawn before one is discarded."""
MOST_DRAWN = 27
"""R3: no heist of any mode draws more cards than this."""
REDRAWN = MAX_SEATS
"""R40, R44: where `hole` keeps the hand that was discarded at the flop."""
NO_CARD = -1
NOTHING = -1
"""No seat, no card, nothing said."""

CHIPS, ANSWER, TARGET, CARD, RANK, SCAN_RANK, SCAN_CATEGORY = range(7)
"""What the seat to move decides: R10; R27; R28 whom to show a card; which card to show, to discard
or to pass on; R31 a rank to declare; R41 and R46 what the scanned hand holds."""
DECISIONS = 7

DECIDE, END_OF_TURN, END_OF_ROUND, SHOWDOWN, SCORE, NEXT_HEIST, FIRST_ROUND = range(7)
"""What an action leads to: somebody decides; or what comes first. Functions return it, and `step`
carries it out, so that each of the long ones is compiled in one place."""

LAST_MOVES = 2
"""How many of each seat's moves in this round `recent` shows."""
KNOTS = 21
"""Cells that a percentile is spread over: 0, 5, 10, ... 100 percent."""
KNOT_UNITS = 100
"""A percentile is counted in this many steps from one knot to the next."""

HEIST, GAME, ORDER = 0, 1, 2
REWARDS = ("heist", "game", "order")

STATE = record(
    [
        ("the_gang_v0", "i1"),  # the type's own name: it tells these records from any other game's
        ("seats", "i1"),
        ("rng", "u8"),  # the random stream
        ("player", "i1"),  # to move; -1 when over
        # The options.
        ("turns_per_round", "i4"),
        ("consensus", "i1"),  # R11: a round ends when all hold a chip and then all pass
        ("reward", "i1"),  # R18: HEIST, GAME or ORDER
        ("one_heist", "i1"),  # R19
        ("features", "i1"),  # R20: whether percentiles and categories are kept
        ("mode", "i1"),
        ("consent", "i1"),  # R27: whether the others are asked
        ("order", "i1"),  # R23: RULEBOOK, SHUFFLED or LISTED
        ("challenge_order", "i1", STACK),  # top first; 0 where there is no card
        ("specialist_order", "i1", STACK),
        ("given", "i1"),  # R22: whether the same given cards are in force in every heist
        ("given_challenges", "i4"),
        ("given_specialist", "i1"),
        # The game so far.
        ("vaults", "i1"),  # opened
        ("alarms", "i1"),  # gone off
        ("ordered", "i4"),  # R18: points for what was right, summed over the showdowns
        ("moves", "i4"),
        ("steals", "i4"),  # moves that took a chip from a player
        ("proposals", "i4"),
        ("uses", "i4"),  # proposals that all agreed to
        # The cards.
        ("challenge_stack", "i1", STACK),  # as they lay at first
        ("specialist_stack", "i1", STACK),
        ("challenges_drawn", "i1"),
        ("specialists_drawn", "i1"),
        ("permanent", "i1"),  # R24: the challenge in force all game, 0 for none
        ("challenges", "i4"),  # R22: bit k for challenge k in this heist
        ("specialist", "i1"),  # R22: that of this heist, 0 for none
        # The heist.
        ("acts", "i4"),  # actions in this heist
        ("decision", "i1"),  # CHIPS, ...
        ("held", "i1"),  # hole cards of a seat
        ("first", "i1"),  # the seat that starts each round
        ("round_no", "i1"),  # 0 to 3
        ("turns", "i4"),  # moves made in this round
        ("passes", "i4"),  # passes in a row, up to now
        ("hole", "i1", (MAX_SEATS + 1, HOLE_ROOM)),  # greatest first, then NO_CARD; REDRAWN
        ("board", "i1", BOARD),  # those not yet open too; the flop greatest first
        ("deck", "i1", CARDS),  # the first `drawn` cards are dealt, the others are the draw pile
        ("drawn", "i1"),
        ("chips", "i1", (ROUNDS, MAX_SEATS)),  # stars of the chip before a seat, 0 for none
        ("history", "i1", MAX_SEATS * ROUNDS * (MAX_TURNS + 1)),  # see `rules.place`
        ("percentile", "i2", (MAX_SEATS, ROUNDS)),  # of 100 * (KNOTS - 1); 0 until it is known
        ("category", "i1", MAX_SEATS),  # of the best hand so far
        # What its cards brought about.
        ("proposer", "i1"),  # R27: whose proposal is being answered
        ("user", "i1"),  # R27: who uses or has used the specialist
        ("used_in", "i1"),  # the round of that, 0 to 3
        ("holder", "i1"),  # R34, R37: who has the Jack or the Muscle
        ("target", "i1"),  # R28: to whom a card is shown
        ("shown", "i1"),  # R28: that card
        ("declared", "i1", MAX_SEATS),  # R30 how many face cards, R35 the sum
        ("declared_category", "i1"),  # R29
        ("declared_rank", "i1"),  # R31
        ("declared_count", "i1"),  # R31
        ("hacked", "i1"),  # R32: the card that was drawn
        ("exchanged", "i1"),  # R32, R34: the card that the user discarded
        ("picks", "i1", MAX_SEATS),  # R33: the card that a seat passes to the left
        ("lost", "i1", (MAX_SEATS, MOST_HOLE)),  # R36: own cards that went to other seats
        ("redrawer", "i1"),  # R40, R44: who discarded all hole cards
        ("rank_guesses", "i1", MAX_SEATS),  # R41
        ("category_guesses", "i1", MAX_SEATS),  # R46
        # The last showdown: open to all. No cards and zeros before the first.
        ("showdown_hole", "i1", (MAX_SEATS, HOLE_ROOM)),
        ("showdown_board", "i1", BOARD),
        ("showdown_chips", "i1", MAX_SEATS),  # the red ones
        ("showdown_strength", "i4", MAX_SEATS),
        ("showdown_guess", "i1", 2),  # the team's rank and category
    ]
)
