"""The twenty cards of The Gang, and which are in force. R-numbers: README.md beside this file."""

from ..engine.copying import copy_cells
from ..engine.game import State
from ..engine.jit import jit
from ..engine.rng import draw, shuffle

BASIC, INTERMEDIATE, ADVANCED, EXPERT = range(4)
MODES = ("basic", "intermediate", "advanced", "expert")

CHALLENGES = (
    "quick_access",
    "noise_sensors",
    "motion_detector",
    "retina_scan",
    "hasty_getaway",
    "ventilation_shaft",
    "laser_tripwires",
    "blackout",
    "fingerprint_scan",
    "security_cameras",
)
"""Challenges 1 to 10."""
QUICK_ACCESS, NOISE_SENSORS, MOTION_DETECTOR, RETINA_SCAN, HASTY_GETAWAY = range(1, 6)
VENTILATION_SHAFT, LASER_TRIPWIRES, BLACKOUT, FINGERPRINT_SCAN, SECURITY_CAMERAS = range(6, 11)

SPECIALISTS = (
    "informant",
    "getaway_driver",
    "investor",
    "mastermind",
    "hacker",
    "coordinator",
    "jack",
    "math_whiz",
    "con_artist",
    "muscle",
)
"""Specialists 1 to 10."""
INFORMANT, GETAWAY_DRIVER, INVESTOR, MASTERMIND, HACKER = range(1, 6)
COORDINATOR, JACK, MATH_WHIZ, CON_ARTIST, MUSCLE = range(6, 11)
STACK = 10
"""Cards of a stack."""

MEANINGS = {
    "quick_access": "no white chips: the heist begins with the flop",
    "noise_sensors": "the weakest chip of rounds 1 to 3 stays with whoever takes it",
    "motion_detector": "a face card on the flop: the weakest white chip draws a new hand",
    "retina_scan": "the others name a rank in the hand of the strongest red chip",
    "hasty_getaway": "no orange chips: turn and river come at once",
    "ventilation_shaft": "the strongest chip of rounds 1 to 3 stays with whoever takes it",
    "laser_tripwires": "no face card on the flop: the strongest white chip draws a new hand",
    "blackout": "each new round the chips of the last one are discarded",
    "fingerprint_scan": "the others name the category of the strongest red chip's hand",
    "security_cameras": "three hole cards each",
    "informant": "show one of your cards to one other",
    "getaway_driver": "say the category of your hand",
    "investor": "all say how many face cards they hold",
    "mastermind": "say a rank that you hold, and how many of it",
    "hacker": "draw a card, then discard one",
    "coordinator": "all pass a card to the left",
    "jack": "take an extra jack, then discard a card",
    "math_whiz": "all say the sum of their cards",
    "con_artist": "all hole cards are shuffled and dealt again",
    "muscle": "your hand beats all others of its category",
}
"""Each card in a few words, for those who watch."""

RULEBOOK, SHUFFLED, LISTED = range(3)
"""R23: how the stacks lie at the start of a game."""


@jit
def in_force(s: State, challenge: int) -> bool:
    """R22: whether that challenge counts in this heist."""
    return bool((s.challenges >> challenge) & 1)


@jit
def automatic(s: State) -> bool:
    """R26: whether the specialist in force acts by itself at the start of the heist."""
    kind = s.specialist
    return bool(kind in (INVESTOR, COORDINATOR, MATH_WHIZ, CON_ARTIST))


@jit
def begin_stacks(s: State) -> None:
    """R23, R24, R25: stack the cards, and turn over those of the first heist."""
    copy_cells(s.challenge_stack, s.challenge_order)
    copy_cells(s.specialist_stack, s.specialist_order)
    s.challenges_drawn = 0
    s.specialists_drawn = 0
    s.permanent = 0
    s.challenges = s.given_challenges
    s.specialist = s.given_specialist
    if s.mode == BASIC or s.given:
        return
    if s.order == SHUFFLED:
        shuffle(s.challenge_stack[: stacked(s)], s)
        shuffle(s.specialist_stack, s)
    if s.mode == ADVANCED:
        s.permanent = first_challenge(s)
        s.challenges = 1 << int(s.permanent)
    elif s.mode == EXPERT:
        s.challenges = (1 << first_challenge(s)) | (1 << first_challenge(s))


@jit
def stacked(s: State) -> int:
    """R24, R25: cards in the stack of challenges; Quick Access is out of it in the harder modes."""
    return STACK - int(s.mode == ADVANCED or s.mode == EXPERT)


@jit
def first_challenge(s: State) -> int:
    """R24, R25: one at random before the first heist; the top one if the stack's order was chosen.

    The others keep their order.
    """
    if s.order == RULEBOOK:
        top = int(s.challenges_drawn)
        k = top + draw(s, stacked(s) - top)
        card = int(s.challenge_stack[k])
        for i in range(k, top, -1):
            s.challenge_stack[i] = s.challenge_stack[i - 1]
        s.challenge_stack[top] = card
    return next_challenge(s)


@jit
def next_challenge(s: State) -> int:
    """R23: the top card. No game draws more than five of ten, so none ever comes up again."""
    s.challenges_drawn += 1
    return int(s.challenge_stack[s.challenges_drawn - 1])


@jit
def next_specialist(s: State) -> int:
    """R23: the top card."""
    s.specialists_drawn += 1
    return int(s.specialist_stack[s.specialists_drawn - 1])


@jit
def next_cards(s: State, opened: bool) -> None:
    """R22, R24, R25: the cards of the next heist, after one that `opened` a vault or did not."""
    if s.mode == BASIC or s.given:
        return
    if s.mode == EXPERT:
        lower = s.challenges & -s.challenges
        s.challenges = (s.challenges - lower) | (1 << next_challenge(s))
        return
    s.specialist = 0
    s.challenges = (1 << int(s.permanent)) if s.permanent else 0
    if opened:
        s.challenges |= 1 << next_challenge(s)
    else:
        s.specialist = next_specialist(s)
