"""The rules read a second time: what is legal, and what was said and agreed, slowly and by names.

Nothing here looks at how the rules are written: cards are lines of the card table, actions are
texts. Numbers of rules: README.md of the game. `BACKROOM_POSITIONS=1000000` compares as many.
"""

import os
from collections import Counter, defaultdict

import numpy as np
import pytest
from playing import dealt, legal_mask, observed

from backroom.envs import configure
from backroom.envs.engine.game import step
from backroom.envs.engine.jit import COMPILED
from backroom.envs.gangster_paradise import state as words
from backroom.envs.gangster_paradise.hidden import known_row
from backroom.envs.gangster_paradise.options import table_of

POSITIONS = int(os.environ.get("BACKROOM_POSITIONS", "20000" if COMPILED else "1500"))
"""Compared for each table, at least."""
FINDS_A_SEAT = ("shoot", "kill", "spy", "look", "swap", "seize")
RATHER = {"use": 4, "yes": 2, "propose": 1.5, "say": 0.6, "end": 0.4, "cancel": 0.3}
"""How often random players choose an action that begins so; others 1. So more happens in a turn."""
TABLES = [
    {"num_players": 4},
    {"num_players": 4, "cards": "advanced", "talk": False, "gangster_cost": 0},
    {"num_players": 5, "beginner": True, "talk": False, "bullet_needed": False},
    {"num_players": 5, "surrender": True, "max_rounds": 8},
    {"num_players": 6, "talk": False, "hero_limit": 2, "one_more_draw": "hand_to_field"},
    {"num_players": 7, "dead_can_set_win": True, "spare_weapons": "deck"},
]


class Reader:
    """Somebody who knows the rules and the options, and reads the record."""

    def __init__(self, game):
        self.options, self.n = game.options, game.players
        self.cards = {card.id: card for card in table_of(game.options)}
        self.names = list(self.cards)

    def look(self, s):
        """Take in a position: whose turn it is, and what lies where."""
        self.s, self.me = s, int(s.player)
        self.hand, self.field = self.bag(s.hand[s.player]), self.bag(s.on_field)
        self.stack, self.using = self.bag(s.stack), self.name(s.card)
        self.out = {"done" if s.committed else "cancel"}  # R12

    def bag(self, row):
        return Counter({name: int(row[k]) for k, name in enumerate(self.names) if row[k]})

    def name(self, k):
        return self.names[k] if k >= 0 else None

    def cost(self, name):
        return self.options.gangster_cost if name == "gangster" else self.cards[name].cost

    def kind(self, name):
        return self.cards[name].kind

    def effect(self, name):
        return self.cards[name].effect

    def is_bullet(self, name):  # R1, R31
        return self.effect(name) == "ammo" or self.cards[name].counts_as == "bullet"

    def legal(self, s):
        """The texts of all that the player to move may do."""
        self.look(s)
        phase = words.PHASES[s.phase]
        if phase in ("an action", "an answer", "what to trade", "a player"):
            how = {"an action": self.menu, "an answer": self.answer, "a player": self.seats}
            return how.get(phase, self.trade)()
        if phase == "look or take":  # R34
            return {"look", *self.out, *(["take"] if s.hand[s.target].any() else [])}
        if phase == "the order of the deck":  # R41
            return {"yes", "no"}
        return {f"card {name}" for name in self.choices(phase)} | self.ways_out(phase)

    def ways_out(self, phase):
        if phase in ("a card to give", "a card to put back", "a card for the field"):
            return set()
        paid = phase == "money to pay with" and self.stack.total() >= self.cost(
            self.name(self.s.taken)
        )
        sold = phase == "weapons to sell" and self.stack
        return self.out | ({"done"} if paid or sold else set())

    def choices(self, phase):
        """Names of cards, where one is to be chosen."""
        hand, left = self.hand, self.hand - self.stack
        picked = [self.name(k) for k in self.s.picks[: self.s.picked]]
        if phase == "an own card":
            fits = self.field if self.effect(self.using) == "fence" else {None}
            return [c for c in hand if any(self.exchanges(self.using, c, f) for f in fits)]
        if phase == "a card of the field":
            return [c for c in self.field if self.takes(self.using, c, self.name(self.s.given))]
        if phase == "money to pay with":  # R30
            return [c for c in left if self.effect(c) == "buy"]
        if phase == "a bullet":
            return [c for c in hand if self.is_bullet(c)]
        if phase == "weapons to sell":  # R22
            return [c for c in left if self.sells(c) and not self.stack.keys() - {c}]
        if phase == "money to pick up":  # R22, R43
            return [c for c in self.field if self.kind(c) == "money"]
        if phase == "a card to give":  # R38
            return hand - Counter(picked)
        if phase == "a card to take":  # R34
            return [c for c in picked if self.kind(c) != "life"]
        lying = {"a card to put back": picked, "a card for the field": hand}
        return lying.get(phase, self.bag(self.s.loot))  # R47, R24; R37, R52

    def sells(self, name):
        return self.kind(name) == "weapon" and self.cost(name) > 0

    def takes(self, using, there, given):
        """R30, R40, R42, R43: whether a card of the field can be had; `given`: for which card."""
        effect, cost = self.effect(using), self.cost(there)
        if effect in ("recruit", "hustle"):
            return self.kind(there) == ("gangster" if effect == "recruit" else "money")
        if effect == "pickup":
            return self.kind(there) == "weapon" and cost == self.cards[using].numbers[0]
        money = sum(count for c, count in self.hand.items() if self.effect(c) == "buy")
        return 0 < cost <= (money if effect == "buy" else self.cost(given))

    def exchanges(self, using, own, there=None):
        """R40, R42, R43: whether the own card can be given, for the one that is there."""
        if self.effect(using) == "hustle":
            fits = self.kind(own) in ("weapon", "contraband")
        else:
            fits = self.cost(own) > 0 and self.hand[own] > (own == using)
        return fits and (there is None or self.takes(using, there, own))

    def targets(self, name):
        """R29 to R39: at whom the card can be used, or once more of it."""
        s, effect, numbers = self.s, self.effect(name), self.cards[name].numbers
        found = []
        for seat in range(self.n):
            alive, cards = s.fate[seat] == words.ALIVE, bool(s.hand[seat].any())
            there = alive if effect in ("shoot", "kill") else cards
            there |= alive and effect in ("spy", "look")  # R36: LIFE is looked at too
            others_only = effect == "look" or (effect == "shoot" and numbers[2])
            again = s.shots > 0 and seat == s.target
            if seat != self.me and there and not (others_only and again):
                found.append(seat)
        return found

    def seats(self):
        return self.out | {f"seat +{(p - self.me) % self.n}" for p in self.targets(self.using)}

    def trade(self):
        """R18."""
        s, n = self.s, self.n
        reached = 0 if s.partner < 0 else (int(s.partner) - self.me) % n
        ahead = [d for d in range(reached + 1, n)]
        standing = [d for d in ahead if s.fate[(self.me + d) % n] != words.SURRENDERED]
        found = {"cancel", *(f"seat +{d}" for d in standing)}
        if s.partner < 0:
            return found
        promised = Counter(self.name(k) for k in s.offers[:n, 0].ravel() if k >= 0)
        gives, asks = ((s.offers[s.partner, way] >= 0).sum() for way in (0, 1))
        if gives < words.ITEMS:
            found |= {f"give {c}" for c in self.hand - promised}
        if asks < min(words.ITEMS, s.hand[s.partner].sum()):
            found |= {f"ask {c}" for c in self.names if self.kind(c) != "life"}
        return found | ({"propose"} if (s.offers[:n] >= 0).any() else set())

    def answer(self):
        """R9, R19, R45 to R51."""
        s, hand, asked = self.s, self.hand, words.ASKED[self.s.asking]
        if asked == "agree to the trade":
            wanted = Counter(self.name(k) for k in s.offers[self.me, 1] if k >= 0)
            return {"no", "yes"} if wanted <= hand else {"no"}
        answers = {
            "show THE BOSS and start": "none",
            "cancel the specialist": "cancel",
            "counter that": "counter",
            "negate the damage": "negate",
            "lose a substitute": "substitute",
            "evade the look": "lookout",
        }
        having = [c for c in hand if self.effect(c) == answers[asked]]
        if asked == "negate the damage":
            limit = self.options.hero_limit
            having = [c for c in having if s.negated[self.me] < limit * hand[c]]
        elif self.me == s.turn:  # R42
            having = [c for c in having if hand[c] > (c == self.name(s.given))]
        return {"no"} | {f"card {c}" for c in having}

    def menu(self):
        """R11 to R28."""
        s, hand, found = self.s, self.hand, {"end"}
        if s.chains >= words.CHAINS:
            return found
        alive = s.fate[self.me] == words.ALIVE
        shown = self.bag(s.known[known_row(s, words.EVERYBODY, self.me)])
        found |= {f"show {c}" for c in hand - shown if self.cards[c].show}
        if alive and s.life[self.me] == words.BLACK and not s.life_open[self.me]:
            found.add("show black_life")
        found |= {f"use {c}" for c in hand if self.affords(c) and self.does_something(c)}
        allowed = {
            "trade": (s.actions > 0 or s.free_trade) and s.refusals < words.REFUSALS,
            "sell": s.actions > 0 and any(map(self.sells, hand)),
            "reset": s.actions > 0,
            "draw": s.actions > 1,
            "surrender": self.options.surrender and alive,
        }
        found |= {text for text, fine in allowed.items() if fine}
        if self.options.talk and s.spoken < words.STATEMENTS:
            found |= {f"say {c}" for c in words.COLOURS}
            found |= {f"say hold {c}" for c in self.names if self.kind(c) != "life"}
            about = (*words.COLOURS, "die", "ally")
            found |= {f"say +{d} {what}" for d in range(1, self.n) for what in about}
        return found

    def affords(self, name):
        """R14, R16: actions and limits."""
        s, card = self.s, self.cards[name]
        if card.use not in ("reveal", "discard"):
            return False
        if card.limit and s.used[self.names.index(name)] >= card.limit:
            return False
        more = card.use == "discard" or s.together < self.hand[name]
        return card.actions <= s.actions or (self.name(s.again) == name and more)

    def does_something(self, name):
        """R15, R13."""
        s, effect, hand = self.s, self.effect(name), self.hand
        if effect in ("shoot", "kill"):
            order = [(s.starter + d) % self.n for d in range(self.n)]
            in_turn = [p for p in order if s.fate[p] != words.SURRENDERED]
            if s.round_no == 1 and self.me != in_turn[-1]:
                return False
        loads = effect == "shoot" and self.options.bullet_needed and self.cards[name].numbers[1]
        if loads and not any(map(self.is_bullet, hand)):
            return False
        if effect in FINDS_A_SEAT:
            return bool(self.targets(name))
        if effect in ("buy", "pickup"):
            return any(self.takes(name, there, None) for there in self.field)
        if effect in ("fence", "recruit", "hustle"):
            return any(self.exchanges(name, own, there) for own in hand for there in self.field)
        return {"peek": s.deck_size > 0, "negotiate": not s.free_trade}.get(effect, True)


class Listener:
    """Somebody who remembers what was said and how trades were answered."""

    def __init__(self, reader):
        self.reader, self.n = reader, reader.n
        self.said, self.agreed, self.refused = defaultdict(list), Counter(), Counter()

    def hear(self, before, text):
        mover, proposer = int(before.player), int(before.turn)
        if text.startswith("say "):
            self.said[mover].insert(0, text.split()[1:])
        elif before.phase == words.ASK and before.asking == words.CONSENT:
            partners = [p for p in range(self.n) if (before.offers[p] >= 0).any()]
            if text == "no":
                self.refused[proposer, mover] += 1
            elif all(before.agreed[p] or p == mover for p in partners):
                self.agreed.update((proposer, p) for p in partners)

    def remembers(self, player):
        """`accepted`, `refused` and `said`, as a player sees them."""
        n, names = self.n, self.reader.names
        trades = np.zeros((2, n, n), int)
        said = np.zeros((n, words.STATEMENTS, 10 + len(names) + n), int)
        for i in range(n):
            for j in range(n):
                pair = ((player + i) % n, (player + j) % n)
                trades[:, i, j] = self.agreed[pair], self.refused[pair]
            speaker = (player + i) % n
            for cells, text in zip(said[i], self.said[speaker], strict=False):
                about = [a for a in text if a.startswith("+")]
                kinds = {"hold": 1, "die": 3, "ally": 4}
                colour = [c for c in text if c in words.COLOURS]
                kind = next((kinds[a] for a in text if a in kinds), 2 if about else 0)
                marks = [kind, *(5 + words.COLOURS.index(c) for c in colour)]
                marks += [10 + names.index(c) for c in text if c in names]
                marks += [10 + len(names) + (speaker + int(a) - player) % n for a in about]
                cells[marks] = 1
        return {"accepted": trades[0], "refused": trades[1], "said": said}


def rich(game, pick):
    """A game that begins with any cards in hands, many or none, in one of the first rounds."""
    state = dealt(game, int(pick.integers(2**40)))[0]
    names = [card.id for card in table_of(game.options)]
    pool = [name for k, name in enumerate(names) for _ in range(state.in_play[k])]
    pool = list(pick.permutation(pool))
    cards = {"starter": str(pick.integers(game.players)), "round": str(pick.integers(1, 4))}
    for p in range(game.players):
        held = [pool.pop() for _ in range(min(pick.integers(13), len(pool)))]
        cards[f"hand{p}"] = " ".join([words.COLOURS[state.life[p]], *held])
    cards["field"] = " ".join(pool.pop() for _ in range(min(pick.integers(12), len(pool))))
    game.rules.arrange(game, state, cards)
    return state


def chosen(texts, pick):
    """A random action, by what it begins with."""
    texts = sorted(texts)
    starts = [text.split()[0] for text in texts]
    weights = [RATHER.get(start, 1) / starts.count(start) for start in starts]
    return texts[pick.choice(len(texts), p=np.array(weights) / sum(weights))]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_second_reading_finds_the_same(options):
    game, pick = configure("gangster_paradise", **options), np.random.default_rng(1)
    reader, compared, met = Reader(game), 0, set()
    while compared < POSITIONS:
        state = rich(game, pick) if pick.random() < 0.7 else dealt(game, compared)[0]
        listener = Listener(reader)
        while state.player >= 0:
            read = reader.legal(state)
            assert {game.actions[a] for a in np.flatnonzero(legal_mask(game, state))} == read
            met.add(int(state.phase))
            compared += 1
            if compared % 7 == 0:
                player = int(pick.integers(game.players))
                seen = game.parts(observed(game, state, player))
                for part, cells in listener.remembers(player).items():
                    if part in seen.dtype.names:
                        assert (seen[part] == cells).all(), (part, player)
            before, text = state.copy(), chosen(read, pick)
            step(state, game.numbers[text])
            listener.hear(before, text)
    if COMPILED:
        assert len(met) > 12, "games come to nearly all kinds of decision"
