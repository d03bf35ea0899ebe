"""What a person may play, in the words of the game: questions, and an action for their answers.

A game without an entry in `WORDS` asks one question, whose answers are the texts of the actions.
Words tell no more than the mover knows.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec

from ...envs.caribbean_poker import state as caribbean
from ...envs.cockroach_poker import state as cockroach
from ...envs.cockroach_poker.render import name as species
from ...envs.engine.cards import card_text
from ...envs.engine.game import Game, State
from ...envs.engine.scene import Card, Chip, Pile, Stake
from ...envs.kuhn import state as kuhn
from ...envs.the_gang import state as the_gang
from ...envs.the_gang.render_cards import ASKED, title
from ...envs.the_gang.roster import SPECIALISTS
from .answers import Answer, Words
from .gangster_paradise import gangster_words


class Question(msgspec.Struct, frozen=True):
    """What a person is asked."""

    text: str
    answers: tuple[Answer, ...]


class Choices(msgspec.Struct, frozen=True, dict=True):
    """All that a person may play now."""

    questions: tuple[Question, ...]
    """One after the other; an answer may rule out some answers to the next, or make it needless."""
    actions: dict[str, tuple[int, ...]]
    """By the text of a legal action, the number of its answer to each question that it needs."""

    @cached_property
    def named(self) -> dict[str, str]:
        """The action's text by the words that a person may use for it, simplified."""
        found: dict[str, str] = {}
        for action in self.actions:
            found.setdefault(_simple(self.words(action)), action)
            found[_simple(action)] = action
        return found

    def words(self, action: str) -> str:
        """A legal action in a person's words."""
        pairs = zip(self.questions, self.actions[action], strict=False)
        return ", ".join(question.answers[k].text for question, k in pairs)

    def answers(self, picked: tuple[int, ...]) -> list[int]:
        """The numbers of the answers to the next question, once `picked` are given."""
        at = len(picked)
        paths = self.actions.values()
        return sorted({path[at] for path in paths if len(path) > at and path[:at] == picked})

    def question(self, picked: tuple[int, ...]) -> str:
        """The next question, once `picked` are given."""
        at = len(picked)
        then = self.questions[at - 1].answers[picked[-1]].then if picked else ""
        return then or self.questions[at].text

    def decided(self, picked: tuple[int, ...]) -> str | None:
        """The text of the action that the answers `picked` lead to, if there are enough of them."""
        return next((action for action, path in self.actions.items() if path == picked), None)

    def find(self, words: str) -> str | None:
        """The text of the legal action that `words` name, None if there is none."""
        return words if words in self.actions else self.named.get(_simple(words))


def _simple(words: str) -> str:
    """Words without what people may write differently.

    >>> _simple("Rat, player_2,  fly")
    'rat player_2 fly'
    """
    return " ".join(words.lower().replace(",", " ").split())


def choices(game: Game, state: State, legal: Iterable[int]) -> Choices:
    """What the seat to move may play: the actions `legal` of `game` in `state`."""
    ask = WORDS.get(game.name, _plain)
    questions, answer = ask(game, state)
    given = _shortened({int(action): answer(int(action)) for action in legal})
    asked = []
    for k, text in enumerate(questions):
        answers = dict.fromkeys(found[k] for found in given.values() if k < len(found))
        if answers:
            asked.append(Question(text, tuple(sorted(answers, key=_standing))))
    short = any(len(found) < len(asked) for found in given.values())
    kept = [k for k, question in enumerate(asked) if short or len(question.answers) > 1] or [0]
    places = [{a: number for number, a in enumerate(question.answers)} for question in asked]
    return Choices(
        tuple(asked[k] for k in kept),
        {
            game.actions[action]: tuple(places[k][found[k]] for k in kept if k < len(found))
            for action, found in given.items()
        },
    )


def _shortened(given: dict[int, tuple[Answer, ...]]) -> dict[int, tuple[Answer, ...]]:
    """Answers by action, with one answer where the first one leads to a single action anyway."""
    firsts = Counter(found[0] for found in given.values())
    return {
        action: (_joined(found),) if firsts[found[0]] == 1 and len(found) > 1 else found
        for action, found in given.items()
    }


def _standing(answer: Answer) -> tuple[bool, int]:
    return answer.place < 0, answer.place


def _joined(found: tuple[Answer, ...]) -> Answer:
    text = " ".join(answer.text for answer in found)
    return Answer(text, found[-1].item, found[-1].note, place=found[0].place)


def _plain(game: Game, s: State) -> Words:
    return ("Your turn",), lambda action: (Answer(game.actions[action]),)


def _kuhn(game: Game, s: State) -> Words:
    facing = s.moves > 0 and s.history[s.moves - 1] == kuhn.BET
    words = ("fold", "call") if facing else ("check", "bet")
    return ("Your turn",), lambda action: (Answer(words[action]),)


def _caribbean(game: Game, s: State) -> Words:
    if s.phase == caribbean.DECIDING:
        stake = caribbean.CALL_STAKE * int(s.ante[s.player])
        words = (Answer("fold"), Answer(f"call for {stake}", Stake(stake)))
        return ("Your hand against the banker's",), lambda action: (words[action],)

    def bet(action: int) -> tuple[Answer, ...]:
        level, bonus = divmod(action - caribbean.FIRST_BET, 2)
        ante = int(s.levels[level])
        side = f"with a bonus bet of {caribbean.BONUS}" if bonus else "without the bonus bet"
        stake = Answer(f"ante {ante}", Stake(ante))
        return (stake, Answer(side)) if s.bonus_offered else (stake,)

    return ("Your ante", "The bonus bet"), bet


def _cockroach(game: Game, s: State) -> Words:
    me, n = int(s.player), game.players
    say = "and say that it is a"

    def named(kind: int) -> Answer:
        return Answer(species(kind), Pile(species(kind)))

    def offer(action: int) -> tuple[Answer, ...]:
        _, card, target, claim = cockroach.read_action(n, action)
        return named(card), Answer(f"player_{(me + target) % n}"), named(claim)

    if s.phase == cockroach.OFFERING:
        return ("Offer which card?", "To whom?", say), offer
    last = int(s.chain) - 1
    claim = species(s.chain_claim[last])
    calls = {
        cockroach.CALL_TRUE: f"true: it is a {claim}",
        cockroach.CALL_FALSE: f"false: it is no {claim}",
        cockroach.LOOK: "look at it and pass it on",
    }

    def reply(action: int) -> tuple[Answer, ...]:
        does, _, target, claim = cockroach.read_action(n, action)
        if does == cockroach.PASS:
            return Answer(f"pass it on to player_{(me + target) % n}"), named(claim)
        return (Answer(calls[does]),)

    asked = f'player_{s.chain_seat[last]} says: "it is a {claim}"'
    if s.phase == cockroach.LOOKED:
        asked = f"It is a {species(s.flight)}"
    return (asked, say), reply


def _the_gang(game: Game, s: State) -> Words:
    if s.decision == the_gang.CHIPS:
        return ("Your turn",), lambda action: (_chip(game, s, action),)
    words = ASKED[s.decision]
    return (f"You decide {words}",), lambda action: (_decision(game, s, action),)


def _chip(game: Game, s: State, action: int) -> Answer:
    """R6 to R10, R27: a turn."""
    n, me, number = int(s.seats), int(s.player), int(s.round_no)
    colour, stars = the_gang.COLOURS[number], action + 1
    if action < n:
        owner = next((seat for seat in range(n) if s.chips[number, seat] == stars), None)
        where = "the centre" if owner is None else f"player_{owner}"
        return Answer(f"take {stars} from {where}", Chip(colour, stars))
    if action == n:
        own = int(s.chips[number, me])
        return Answer(f"put {own} back", Chip(colour, own))
    if action == n + 1:
        return Answer("pass")
    verb = "propose to use" if s.consent else "use"
    return Answer(f"{verb} the {title(SPECIALISTS[s.specialist - 1])}")


def _decision(game: Game, s: State, action: int) -> Answer:
    """R27 to R34, R41, R46: what a card asks for."""
    kind, _, word = game.actions[action].partition(" ")
    if kind == "card":
        card = card_text(int(s.hole[s.player, int(word) - 1]))
        return Answer(card, Card(card))
    if kind == "show":
        return Answer(f"player_{(int(s.player) + int(word)) % int(s.seats)}")
    return Answer(word or kind)


WORDS: dict[str, Callable[[Game, State], Words]] = {
    "caribbean_poker": _caribbean,
    "cockroach_poker": _cockroach,
    "gangster_paradise": gangster_words,
    "kuhn": _kuhn,
    "the_gang": _the_gang,
}
"""By the game's name."""
