"""What is known in Gangster Paradise, read a second time: R8, R25, R27, R34 to R59.

Nothing here looks at how the rules are written. A `Crowd` follows a game by what each seat, and
somebody who only watches, sees of it: which cards move where, and which are shown. Each of them
keeps the hands that it holds possible, and what is certain is what these have in common. The record
remembers of that numbers of each group alone (R27), and so does a `Crowd` unless it is `exact`.
"""

from collections import Counter
from itertools import combinations

import numpy as np

from backroom.envs.gangster_paradise import state as words
from backroom.envs.gangster_paradise.options import table_of

CLASSES = (WEAPON, BULLET, SPECIALIST) = ("#weapon", "#bullet", "#specialist")
MANY = 24
"""So many bags are kept at most."""
DEALT = ("gangster", "money", WEAPON, BULLET, SPECIALIST)
"""R8: what all know of each hand at first; one card more is drawn."""


class Hand:
    """All hands that somebody holds possible: those of `size` cards that have all of a bag.

    A bag names cards, or of some only their class; `classes` says of which class a card is.
    """

    def __init__(self, classes, bag, size, exact):
        self.classes, self.bags, self.size = classes, {tuple(sorted(bag))}, size
        self.exact = exact

    def counts(self, bag):
        """How many cards of each name and of each class there are in a bag."""
        return Counter(bag) + Counter(self.classes[c] for c in bag if c in self.classes)

    def fewest(self, bags):
        """The bags without those that only say more than another."""
        counts = {tuple(sorted(bag)): self.counts(bag) for bag in bags}
        found = {b for b, many in counts.items() if not any(few < many for few in counts.values())}
        assert found, "something is possible"
        return found

    def kept(self, bags):
        """The bags that are remembered: unless this is `exact`, what is certain, as one bag."""
        bags = self.fewest(bags)
        if self.exact and len(bags) < MANY:
            return bags
        least = self.least(bags)
        least.subtract([self.classes[c] for c in least.elements() if c in self.classes])
        return {tuple(sorted(least.elements()))}

    def least(self, bags=None):
        """What is certain: so many cards of each name and class."""
        counts = [self.counts(bag) for bag in bags or self.bags]
        return Counter({c: min(count[c] for count in counts) for c in counts[0]})

    def without(self, bag, card):
        """What a bag says of the other cards; no bag if it leaves no room for this one."""
        for found in (card, self.classes.get(card)):
            if found in bag:
                at = bag.index(found)
                return [bag[:at] + bag[at + 1 :]]
        return [bag] if len(bag) < self.size else []

    def leave(self, card):
        """This card leaves the hand."""
        self.bags = self.fewest(rest for bag in self.bags for rest in self.without(bag, card))
        self.size -= 1

    def send(self, count):
        """As many cards leave, unseen: returns all that they may be, as bags."""
        moved, rest = set(), set()
        for bag in self.bags:
            moved.update(combinations(bag, max(0, count - self.size + len(bag))))
            rest.update(combinations(bag, max(0, len(bag) - count)))
        self.bags, self.size = self.kept(rest), self.size - count
        return self.kept(moved), count

    def receive(self, bags, count):
        """As many cards come, and have all of one of the bags."""
        self.bags = self.fewest((*old, *new) for old in self.bags for new in bags)
        self.size += count

    def see(self, cards):
        """These cards are there, all at once."""
        for c in cards:
            self.leave(c)
        self.receive([tuple(cards)], len(cards))


class Crowd:
    """All who watch a game: what each knows of hands, of the deck's top, and of LIFE."""

    def __init__(self, game, s, by_rules, exact=False):
        self.n, self.options = game.players, game.options
        self.cards = {card.id: card for card in table_of(game.options)}
        self.names = list(self.cards)
        self.watchers, self.classes = (words.EVERYBODY, *range(self.n)), self.classed()
        self.hands = {
            (o, p): Hand(self.classes, DEALT if by_rules else (), int(s.held[p]), exact)
            for o in self.watchers
            for p in range(self.n)
            if o != p
        }
        self.deck = {o: [] for o in self.watchers}  # R41: the top cards, as far as known
        self.effect = self.given = None  # of the card in use; the own card named for it
        self.actions = self.together = 0  # left before it; how many were used for one cost
        self.picked = False  # whether cards are picked that the looker is still to see
        self.aside = None  # R38: what the target knows of the taker's hand without the card taken
        self.open, self.seen = set(), set()
        self.cannot = {p: set() for p in range(self.n)}
        self.outlived = {p: set() for p in range(self.n)}

    def classed(self):
        """R8, R5: classes by name; the mix has GUN, and up to three weapons of cost 2."""
        mix = ["machinegun", "katana", "shotgun"][: max(1, self.n - 4)]
        two = [c.id for c in self.cards.values() if (c.kind, c.cost) == ("specialist", 2)]
        found = dict.fromkeys(["gun", *mix], WEAPON) | dict.fromkeys(two, SPECIALIST)
        return found | dict.fromkeys(["bullet", "the_boss"], BULLET)

    def name(self, k):
        return self.names[k]

    def bag(self, row):
        return Counter({name: int(row[k]) for k, name in enumerate(self.names) if row[k]})

    def of(self, p):
        """What all others know of a hand, by who knows it."""
        return {o: self.hands[o, p] for o in self.watchers if o != p}

    def all_see(self, p, *cards):
        for hand in self.of(p).values():
            hand.see(cards)

    def draw(self, p):
        """R41: who knows what lies on top knows what is drawn."""
        for o in self.watchers:
            top, self.deck[o] = self.deck[o][:1], self.deck[o][1:]
            if o != p:
                self.hands[o, p].receive([tuple(top)], 1)

    def transfer(self, moves):
        """From whom to whom which cards move, all at once; only these two see them."""
        for o in self.watchers:
            sent = []
            for giver, taker, cards in sorted(moves, key=lambda move: o not in move[:2]):
                parcel = {tuple(cards)}, len(cards)
                if o == taker:
                    for c in cards:
                        self.hands[o, giver].leave(c)
                elif o != giver:
                    parcel = self.hands[o, giver].send(len(cards))
                sent.append((taker, parcel))
            for taker, parcel in sent:
                if o != taker:
                    self.hands[o, taker].receive(*parcel)

    def follow(self, a, text, b):
        """Take in a step: the record before it, the action, the record after."""
        me, turn, card = int(a.player), int(a.turn), text.removeprefix("card ")
        asking = words.ASKED[a.asking] if a.phase == words.ASK else None
        if a.phase == words.MENU:
            self.actions, self.given, self.picked = int(a.actions), None, False
            self.effect = self.cards[text[4:]].effect if text.startswith("use ") else None
        if a.phase == words.HAND and text != "cancel":
            self.given = card
        self.picked |= b.looks > a.looks
        evading = b.phase == words.REPICK
        evading |= b.phase == words.ASK and b.asking == words.EVADE
        looks, self.picked = self.picked and not evading, self.picked and evading
        self.follow_life(a, text, b, looks and self.effect != "swap")
        if b.player < 0:
            return
        if asking == "agree to the trade":
            self.consent(a, text, me, turn)
        elif a.phase == words.PICK and text != "done":  # R34
            self.transfer([(int(a.target), turn, [card])])
        elif a.phase == words.GIVE:
            self.give_another(turn, int(a.target), card)
        elif a.phase == words.ORDER:
            self.reorder(turn, text == "yes")
        elif looks and self.effect == "swap":  # R38
            target = int(b.last_target)
            self.show_use(a, b, turn)
            self.go(turn, self.bag(a.hand[turn]) - self.bag(b.hand[turn]))
            hand = self.hands[target, turn]
            taken = [*(self.bag(a.hand[target]) - self.bag(b.hand[target]))]
            self.aside = hand.bags, hand.size, taken
            self.transfer([(target, turn, taken)])
        else:
            self.in_the_open(a, text, b, asking, looks)

    def go(self, p, cards):
        """Cards go from a hand to the field."""
        for hand in self.of(p).values():
            for c in cards.elements():
                hand.leave(c)

    def in_the_open(self, a, text, b, asking, looks):
        """What all see, and what somebody sees who looks; cards come from the field or the deck."""
        me, turn, card = int(a.player), int(a.turn), text.removeprefix("card ")
        if text.startswith("show ") and text != "show black_life":  # R25
            known = self.hands[words.EVERYBODY, me].least().get(text[5:], 0)
            self.all_see(me, *[text[5:]] * (known + 1))
        if text == "propose":  # R19
            for p in range(self.n):
                if p != turn:
                    self.hands[p, turn].see([self.name(k) for k in b.offers[p, 0] if k >= 0])
        self.show_use(a, b, turn)
        if asking and text != "no":  # R9, R46 to R51
            self.all_see(me, card)
        if looks:  # R34 to R36
            picks = [self.name(k) for k in b.picks[: b.picked]]
            hand = self.hands[turn, int(b.last_target)]
            hand.see([c for c in picks if self.cards[c].kind != "life"])
        begins = text in ("end", "surrender") or a.round_no == 0 < b.round_no
        smokes = self.effect == "smoke"
        draws = int(b.turn) if begins else turn if smokes or text == "draw" else None
        for p in range(self.n):
            had, has = self.bag(a.hand[p]), self.bag(b.hand[p])
            lost, found = had - has, has - had
            if begins and p == turn and (text == "surrender" or a.fate[p] == words.DEAD):
                lost, found = had, has  # R52
            elif smokes and p == draws:
                lost = Counter(["tobacco"])  # it may be drawn again at once
            self.go(p, lost)
            if p != draws:
                for hand in self.of(p).values():
                    hand.receive([tuple(found.elements())], found.total())
            elif has.total() > (had - lost).total():
                self.draw(p)
        if smokes or (text == "draw" and self.options.one_more_draw == "deck_to_field"):
            self.deck = {o: top[1:] for o, top in self.deck.items()}
        if text == "reset":
            self.deck = {o: [] for o in self.watchers}
        cancelled = asking == "counter that" and text == "no"
        if self.effect == "peek" and b.phase != words.ASK and text != "card beauty":
            if a.phase in (words.MENU, words.ASK) and not cancelled:  # R41
                self.deck[turn] = [self.name(k) for k in b.deck[: b.deck_size][::-1][:2]]

    def show_use(self, a, b, turn):
        """R14, R16: a card in use is shown if it is not spent; and one more of it for one cost."""
        for k in np.flatnonzero(b.used > a.used):
            card = self.cards[self.name(k)]
            free = card.actions > 0 and b.actions == self.actions
            self.together = self.together + 1 if free else 1
            if card.use == "reveal":
                self.all_see(turn, *[card.id] * self.together)
            if self.given:
                self.all_see(turn, self.given)

    def consent(self, a, text, me, turn):
        """R19, R20: only who holds the cards can agree; all cards move at once."""
        if text == "no":
            return
        asked = {
            p: [[self.name(k) for k in way if k >= 0] for way in a.offers[p]]
            for p in range(self.n)
            if (a.offers[p] >= 0).any()
        }
        self.hands[turn, me].see(asked[me][1])
        if all(a.agreed[p] or p == me for p in asked):
            moves = [(turn, p, to) for p, (to, _) in asked.items()]
            self.transfer(moves + [(p, turn, back) for p, (_, back) in asked.items()])

    def give_another(self, giver, taker, card):
        """R38: not the card that was taken; others, who did not see it, make nothing of that."""
        hand = self.hands[taker, giver]
        hand.bags, hand.size, taken = self.aside
        self.transfer([(giver, taker, [card])])
        hand.receive([tuple(taken)], 1)

    def reorder(self, turn, swapped):
        """R41: nobody else knows in which order they lie now, unless they are alike."""
        for o, top in self.deck.items():
            if o == turn:
                self.deck[o] = top[::-1] if swapped else top
            elif len(top) < 2 or top[0] != top[1]:
                self.deck[o] = []

    def follow_life(self, a, text, b, looks):
        """R27, R48, R49, R52, R59."""
        turn, life = int(a.turn), [words.COLOURS[c] for c in b.life[: self.n]]
        dead = {p for p in range(self.n) if b.fate[p] == words.DEAD}
        self.open |= dead | ({turn} if text == "show black_life" else set())
        kills = a.round_no > 1 or self.options.sight_kills_in_round_1
        safe = self.options.gray_safe_from_black
        if looks:
            q, picks = int(b.last_target), [self.name(k) for k in b.picks[: b.picked]]
            sees = any(self.cards[c].kind == "life" for c in picks)
            whole = sees and len(picks) == a.held[q] + 1
            if sees:
                self.seen.add((turn, q))
            if sees and kills and life[q] == "gray":
                if q not in dead:
                    self.seen.add((q, turn))
                elif safe:
                    self.cannot[turn].add("black")
            if whole and kills and q not in dead:
                self.outlived[q].add(turn)
                not_black = turn in self.open and life[turn] != "black"
                self.cannot[q] |= {"purple", "gray"} if not_black or not safe else {"purple"}
        fallen = [life[p] for p in dead]
        for p in np.flatnonzero(b.fate[: self.n] == words.ALIVE):
            if "black" in fallen:
                self.cannot[p].add("gray")
            if fallen.count("red") + fallen.count("blue") > 1:
                self.cannot[p].add("black")

    def life(self):
        """What `life_of` should find."""
        hidden = [p for p in range(self.n) if p not in self.open]
        return (
            self.open,
            self.seen,
            *({p: of[p] for p in hidden} for of in (self.cannot, self.outlived)),
        )

    def rows(self):
        """What the record should say of hands: int[who knows + 1, of whom, group]."""
        names, found = self.names, np.zeros((self.n + 1, self.n, words.GROUPS), int)
        for (o, p), hand in self.hands.items():
            for c, count in hand.least().items():
                place = words.KINDS + CLASSES.index(c) if c in CLASSES else names.index(c)
                found[o + 1, p, place] = count
        return found
