"""Scripted agents for Cockroach Poker: one way to weigh a card, three styles.

A card is weighed by its danger: how likely the player is to lose the game if this or that seat
takes it. Each seat is threatened by its own face-up cards, and since only one will lose, the seats'
threats stand against each other.

- Giving: the card and the receiver with the least danger, as if the receiver tossed a coin.
- Claiming: the truth in a fixed share of cases; else a species that the receiver cannot rule out,
  the more so the more it would hurt.
- Answering: what the card may be is told by the cards out of sight, by what a giver likes to give,
  and by what was claimed of it; then whatever has least danger: to believe, to doubt, to look and
  pass it on, to pass it on blind. What is certain is called.

The claim is a game of matching pennies. If half of all claims are true, and lies name each species
as often as it would be given, then nobody gains by believing or by doubting them. `counting` plays
so. Of others it assumes the same, until a seat's record is too one-sided to be luck: from
then on it believes or doubts that seat. `honest` tells only the truth and expects it of
all who have seen the card; `bluffer` mostly lies, and keeps no record of anybody.

Chance is shared out among what is nearly as good as the best, without exponentials, so that the
same seed plays the same game on any machine.
"""

from typing import NamedTuple

import numpy as np

from ..envs.cockroach_poker.state import (
    ANSWERING,
    CLAIMS_FALSE,
    CLAIMS_TRUE,
    COPIES,
    KINDS,
    MAX_SEATS,
    OFFERING,
    TALLIES,
    call_action,
    look_action,
    offer_action,
    pass_action,
)
from ..envs.engine.game import Game, State, record
from ..envs.engine.jit import first_use, jit
from .base import Agent

BY_CARDS = np.array([np.inf, 7.0, 3.3, 1.8, 1.0, 0.7, 0.6, 0.55, 0.5])
"""Threat, by how many more cards of a species make a seat lose."""
ONWARD = 0.1
"""The chance that a receiver is thought to pass the card on."""
UNKNOWN = -1
"""In place of a card."""
NEVER = 2.0
"""More than any danger."""
NO_PROOF = 1e9
"""So many standard errors that no record is read."""


class Style(NamedTuple):
    """What makes one agent unlike another."""

    truth: float
    """Share of claims that are true, where a lie can be believed."""
    trust: float
    """Share of the others' claims that are taken to be true."""
    proof: float
    """How many standard errors from half true a seat's record must be to count for more."""
    blind: float
    """How gladly a card is passed on blind, where a look is as good."""
    gifts: float
    """No card is given to a receiver if that has so much more danger than the best gift."""
    answers: float
    """The same for answers, as a share of what is at stake."""


SEEN = record(
    [
        ("seats", "i8"),
        ("four", "i8"),
        ("all_kinds", "i8"),
        ("phase", "i8"),
        ("card", "i8"),  # in flight; UNKNOWN if there is none too
        ("hand", "i8", KINDS),
        ("public", "i8", KINDS),  # how many cards are not face up
        ("unseen", "i8", KINDS),  # how many the observer cannot see
        ("faceup", "i8", (MAX_SEATS, KINDS)),
        ("held", "i8", MAX_SEATS),  # of hands, without the card that is to be offered
        ("tally", "i8", (MAX_SEATS, TALLIES)),
        ("open", "i8", MAX_SEATS),
        ("chain", "i8"),  # how many claims there are for this card
        ("chain_seat", "i8", MAX_SEATS - 1),
        ("chain_claim", "i8", MAX_SEATS - 1),
        ("chain_looked", "i8", MAX_SEATS - 1),
    ]
)
"""An observation spread out: one dtype for all numbers of seats. Seat 0 is the observer."""


def read(game: Game, observations: np.ndarray) -> np.ndarray:
    """Observations int8[B, O] as SEEN[B]."""
    parts, n, options = game.parts(observations), game.players, game.settings()
    s = np.zeros(len(observations), SEEN)
    s["seats"], s["four"], s["all_kinds"] = n, options["four_of_a_kind"], options["all_kinds"]
    s["phase"] = parts["phase"].argmax(axis=1)
    s["card"] = np.where(parts["card"].any(axis=1), parts["card"].argmax(axis=1), UNKNOWN)
    s["hand"] = parts["hand"]
    s["faceup"][:, :n] = parts["faceup"]
    s["public"] = COPIES - s["faceup"].sum(axis=1)
    s["unseen"] = s["public"] - s["hand"] - parts["card"]
    s["held"][:, :n] = parts["hand_size"]
    s["held"][:, 0] -= s["phase"] == OFFERING
    s["tally"][:, :n] = parts["tally"]
    s["open"][:, :n] = parts["open"]
    s["chain"] = parts["chain_seat"].any(axis=2).sum(axis=1)
    s["chain_seat"][:, : n - 1] = parts["chain_seat"].argmax(axis=2)
    s["chain_claim"][:, : n - 1] = parts["chain_claim"].argmax(axis=2)
    s["chain_looked"][:, : n - 1] = parts["chain_looked"]
    return s


@jit
def _threat(s: State, seat: int, card: int) -> float:
    """How near `seat` is to losing once it has taken `card`; infinite if it loses by that.

    The loser of a game is seat i with a chance near to threat i / sum of threats: the tables are
    rounded from a regression, over games of agents like these, of who lost on what was open to all.
    """
    if card != UNKNOWN and s.held[seat] == 0:
        return np.inf  # who takes a card has to offer one
    threat, kinds = 1.0, 0
    for kind in range(KINDS):
        count = s.faceup[seat, kind] + (kind == card)
        kinds += count > 0
        threat *= BY_CARDS[max(0, s.four - count)]
    return np.inf if kinds == KINDS and s.all_kinds != 0 else threat


@jit
def _weigh_dangers(s: State, danger: np.ndarray) -> None:
    """Write into `danger[seat, card]` how likely the observer loses if `seat` takes `card`."""
    threat = np.zeros(MAX_SEATS)
    total = 0.0
    for seat in range(s.seats):
        threat[seat] = _threat(s, seat, UNKNOWN)
        total += threat[seat]
    for seat in range(s.seats):
        for card in range(KINDS):
            after = _threat(s, seat, card)
            if after == np.inf:
                danger[seat, card] = 1.0 if seat == 0 else 0.0
            else:
                mine = after if seat == 0 else threat[0]
                danger[seat, card] = mine / (total - threat[seat] + after)


@jit
def _weigh_gifts(s: State, danger: np.ndarray, gift: np.ndarray) -> None:
    """Write into `gift[target, card]` the danger of giving a card; NEVER where it is not allowed.

    The target calls right or wrong by a coin. Or it passes the card on, and somebody else tosses
    the coin.
    """
    gift[:] = NEVER
    for target in range(1, s.seats):
        if s.open[target] == 0:
            continue
        for card in range(KINDS):
            here = 0.5 * (danger[0, card] + danger[target, card])
            others, count = 0.0, 0
            for seat in range(1, s.seats):
                if s.open[seat] != 0 and seat != target:
                    others += danger[seat, card]
                    count += 1
            there = 0.5 * (danger[target, card] + others / count) if count > 0 else here
            gift[target, card] = here + ONWARD * (there - here)


@jit
def _weigh_lies(s: State, danger: np.ndarray, claimant: int, hearer: int, lies: np.ndarray) -> None:
    """Write how well each species suits a lie; one of the two seats is the observer's.

    That is how many cards of it the hearer cannot see, as far as the claimant can tell, times the
    square of what is at stake: about how often it would be given.
    """
    unseen = 0.0
    for card in range(KINDS):
        unseen += s.unseen[card]
    holds = min(1.0, s.held[hearer] / unseen) if hearer > 0 and unseen > 0 else 0.0
    for card in range(KINDS):
        stake = danger[0, card] - danger[max(claimant, hearer), card]
        lies[card] = (s.public[card] - holds * s.unseen[card]) * stake * stake


@jit
def _lie(lies: np.ndarray, card: int, claim: int) -> float:
    """The chance that a lie about `card` names `claim`; 0 where there is no lie to tell."""
    total = 0.0
    for kind in range(KINDS):
        if kind != card:
            total += lies[kind]
    return float(lies[claim]) / total if total > 0 and claim != card else 0.0


@jit
def _trust(s: State, style: Style, seat: int) -> float:
    """The chance that a claim of `seat`, which has seen the card, is true."""
    true, false = s.tally[seat, CLAIMS_TRUE], s.tally[seat, CLAIMS_FALSE]
    beyond = abs(true - false) - style.proof * np.sqrt(true + false)
    if beyond <= 0:
        return style.trust
    lead = 0.5 * beyond / (true + false)
    return float(0.5 + lead if true > false else 0.5 - lead)


@jit
def _share_out(weights: np.ndarray, chance: np.ndarray) -> None:
    """Make `chance` proportional to `weights`; leave it as it is if all of those are 0."""
    total = 0.0
    for card in range(KINDS):
        total += weights[card]
    if total > 0:
        for card in range(KINDS):
            chance[card] = weights[card] / total


@jit
def _believe(s: State, style: Style, danger: np.ndarray, chance: np.ndarray) -> None:
    """Write the chance of each species to be the card in flight, which the observer has not seen.

    The last claim is weighed first: those that a believer cannot square with it go unheard.
    """
    weights, lies = np.empty(KINDS), np.empty(KINDS)
    for card in range(KINDS):
        stake = danger[0, card] - danger[s.chain_seat[0], card]
        weights[card] = s.unseen[card] * stake * stake
    _share_out(weights, chance)
    for back in range(s.chain):
        i = s.chain - 1 - back
        if i > 0 and s.chain_looked[i] == 0:
            continue  # passed on blind: such a claim tells nothing
        seat, claim = s.chain_seat[i], s.chain_claim[i]
        trust = _trust(s, style, seat)
        _weigh_lies(s, danger, seat, 0, lies)
        for card in range(KINDS):
            said = trust if card == claim else (1.0 - trust) * _lie(lies, card, claim)
            weights[card] = chance[card] * said
        _share_out(weights, chance)


@jit
def _near(gap: float, width: float) -> float:
    """The weight of what is worse than the best by `gap`: from 1 down to 0 at `width`."""
    rest = max(0.0, 1.0 - gap / width)
    return rest * rest


@jit
def _weigh_claims(
    s: State, style: Style, card: int, target: int, weight: float, lies: np.ndarray, out: np.ndarray
) -> None:
    """Share out `weight` among the claims for `card`, known or not, that `target` is given."""
    first = pass_action(s.seats, target, 0)
    if s.phase == OFFERING:
        first = offer_action(s.seats, card, target, 0)
    rest = 1.0
    for claim in range(KINDS):
        share = _lie(lies, card, claim)
        if card != UNKNOWN:
            share *= 1.0 - style.truth
        out[first + claim] = weight * share
        rest -= share
    if card != UNKNOWN:
        out[first + card] = weight * rest


@jit
def _weigh_giving(
    s: State, style: Style, danger: np.ndarray, gift: np.ndarray, out: np.ndarray
) -> None:
    """Write the weights of offers, or of passing on a card that the observer has looked at."""
    least = NEVER
    for card in range(KINDS):
        if s.hand[card] > 0 if s.phase == OFFERING else card == s.card:
            least = min(least, gift[:, card].min())
        else:
            gift[:, card] = NEVER
    lies = np.empty(KINDS)
    for target in range(1, s.seats):
        _weigh_lies(s, danger, 0, target, lies)
        for card in range(KINDS):
            weight = _near(gift[target, card] - least, style.gifts)
            if weight > 0:
                _weigh_claims(s, style, card, target, weight, lies, out)


@jit
def _weigh_answers(
    s: State, style: Style, danger: np.ndarray, gift: np.ndarray, out: np.ndarray
) -> None:
    """Write the weights of calling, looking and passing on blind."""
    chance = np.zeros(KINDS)
    _believe(s, style, danger, chance)
    claimant, claim = s.chain_seat[s.chain - 1], s.chain_claim[s.chain - 1]
    lie, true, false, look, stake = 0.0, 0.0, 0.0, 0.0, 0.0
    blind = np.zeros(MAX_SEATS)
    for card in range(KINDS):
        right, wrong = chance[card] * danger[claimant, card], chance[card] * danger[0, card]
        stake += wrong - right
        lie += 0.0 if card == claim else chance[card]
        true += right if card == claim else wrong
        false += wrong if card == claim else right
        look += chance[card] * gift[:, card].min()
        for target in range(MAX_SEATS):
            blind[target] += chance[card] * gift[target, card]
    if lie == 0 or chance[claim] == 0:
        out[call_action(s.seats, lie == 0)] = 1.0
        return
    least, width = min(true, false, look), style.answers * stake
    out[call_action(s.seats, True)] = _near(true - least, width)
    out[call_action(s.seats, False)] = _near(false - least, width)
    out[look_action(s.seats)] = _near(look - least, width)
    lies = np.empty(KINDS)
    for target in range(1, s.seats):
        weight = style.blind * _near(blind[target] - least, width)
        if weight > 0:
            _weigh_lies(s, danger, 0, target, lies)
            _weigh_claims(s, style, UNKNOWN, target, weight, lies, out)


@jit(nogil=True)
def _weigh(rows: np.ndarray, style: Style, weights: np.ndarray) -> None:
    """Write the weights of all actions, float64[B, A], for SEEN[B]."""
    weights[:] = 0
    danger, gift = np.zeros((MAX_SEATS, KINDS)), np.zeros((MAX_SEATS, KINDS))
    for i in range(rows.shape[0]):
        _weigh_dangers(rows[i], danger)
        _weigh_gifts(rows[i], danger, gift)
        if rows[i].phase == ANSWERING:
            _weigh_answers(rows[i], style, danger, gift, weights[i])
        else:
            _weigh_giving(rows[i], style, danger, gift, weights[i])


class CockroachPokerAgent(Agent):
    """Plays by its `style`; see the module."""

    style: Style

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """The distribution that `act` draws from, float32[B, A]."""
        weights = np.empty(np.shape(masks))
        with first_use(self.game.name, "the scripted agents"):
            _weigh(read(self.game, observations), self.style, weights)
        weights /= weights.sum(axis=1, keepdims=True)
        return weights.astype(np.float32)


class HonestAgent(CockroachPokerAgent):
    """Tells the truth and believes it: calls every claim true that it cannot rule out."""

    name = "honest"
    style = Style(truth=1.0, trust=1.0, proof=NO_PROOF, blind=0.0, gifts=0.02, answers=0.2)


class CountingAgent(CockroachPokerAgent):
    """Mixes truth and lies evenly, and reads those who do not."""

    name = "counting"
    style = Style(truth=0.5, trust=0.5, proof=1.0, blind=0.1, gifts=0.02, answers=0.2)


class BlufferAgent(CockroachPokerAgent):
    """Lies six times of seven, and takes every second claim for a lie."""

    name = "bluffer"
    style = Style(truth=0.15, trust=0.5, proof=NO_PROOF, blind=0.3, gifts=0.1, answers=0.3)
