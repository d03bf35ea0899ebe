"""A table with people and agents, without a network."""

import numpy as np
import pytest
from players import Always
from playing import ALL_VARIANTS, label, legal_mask, played

from backroom.agents import RandomAgent
from backroom.agents.registry import strongest
from backroom.envs import configure
from backroom.envs.engine.record import Who
from backroom.envs.engine.recorder import Recorder
from backroom.evaluate.tables.choices import choices
from backroom.evaluate.tables.table import RefusedError, Table, lay

KUHN = configure("kuhn")


def table_of(people=(0,), seed=3, action=1, **more):
    """Kuhn poker; agents bet, or pass."""
    agents = {seat: Always(KUHN, action, "always") for seat in (0, 1) if seat not in people}
    who = [Who(name="always" if seat in agents else "person") for seat in (0, 1)]
    return Table(KUHN, agents, who, seed, **more)


def to_the_end(table, seed=0):
    """Play on, people at random."""
    chance = np.random.default_rng(seed)
    while not table.over:
        if table.agent_to_move:
            table.carry(table.think()())
        else:
            offered = table.update(table.player).choices
            table.play(table.player, str(chance.choice(list(offered.actions))))


def test_a_game_against_an_agent():
    table = table_of()
    first = table.update(0)
    assert (first.number, first.step, len(first.frames)) == (0, 0, 1)
    assert first.choices.questions[0].text == "Your turn"
    table.play(0, "check", 0, 0)
    assert table.agent_to_move
    assert table.update(0, 0, 0).choices is None
    table.carry(table.think()())
    rest = table.update(0, 0, 0)
    assert [frame.step for frame in rest.frames] == [1, 2]
    assert [frame.events for frame in rest.frames] == [("player_0 checks",), ("player_1 bets",)]
    assert list(rest.choices.named) == ["fold", "pass", "call", "bet"]
    table.play(0, "fold")
    end = table.update(0, 0, 2)
    assert end.over and end.earned == -1 and end.choices is None


@pytest.mark.parametrize(
    ("seat", "words", "seen", "sentence"),
    [
        (
            0,
            "raise",
            (None, None),
            "'raise' is nothing that is played here; you may play: check, bet",
        ),
        (1, "bet", (None, None), "it is the turn of player_0, not yours"),
        (None, "bet", (None, None), "a spectator sees all and plays nothing"),
        (0, "bet", (0, 1), "the table has moved on since; look again and choose once more"),
        (0, "bet", (1, 0), "the table has moved on since; look again and choose once more"),
    ],
)
def test_what_cannot_be_played_is_explained(seat, words, seen, sentence):
    table = table_of((0, 1))
    with pytest.raises(RefusedError) as error:
        table.play(seat, words, *seen)
    assert str(error.value) == sentence
    assert table.update(0).step == 0


def test_a_known_action_that_is_not_legal_is_told_from_nonsense():
    table = lay(configure("the_gang"), (0, 1, 2), seed=1)
    with pytest.raises(RefusedError, match=r"'return' cannot be played now; you may play: take 1"):
        table.play(table.player, "return")


def test_a_long_list_of_choices_is_cut_short():
    table = lay(configure("cockroach_poker"), (0, 1, 2), seed=1)
    with pytest.raises(RefusedError, match=r"you may play: .* and \d+ more$") as error:
        table.play(table.player, "x" * 5000)
    assert len(str(error.value)) < 600


def test_nothing_is_played_after_the_end():
    table = table_of()
    table.play(0, "bet")
    table.carry((0, None, None))
    for refused in (lambda: table.play(0, "bet"), lambda: table.hint(0)):
        with pytest.raises(RefusedError, match="the game is over"):
            refused()
    for wrong in (table.think, lambda: table.carry((0, None, None))):
        with pytest.raises(ValueError, match="no agent is to move"):
            wrong()


def test_an_agents_illegal_move_is_an_error():
    table = table_of()
    table.play(0, "bet")
    with pytest.raises(ValueError, match="may play"):
        table.carry((7, None, None))


def test_the_next_game_has_the_same_people_and_another_deal():
    table = table_of()
    with pytest.raises(RefusedError, match="is not over"):
        table.again()
    first = None
    for number in range(6):
        assert table.update(0, 0, 0).number == number
        to_the_end(table, number)
        first = first or table.records()[0]
        table.again()
    records = table.records()
    assert len(records) == 6 and records[0] == first
    assert len({str(r.last()["deck"]) for r in records}) > 1
    for record in records:
        record.verify()
        assert [who.name for who in record.agents] == ["person", "always"]


def test_a_game_that_is_broken_off_is_a_record_too():
    table = table_of()
    assert table.records() == []
    table.play(0, "bet")
    (record,) = table.records()
    record.verify()
    assert len(record.moves) == 1


def test_seats_get_their_own_record_at_the_end():
    table = table_of()
    with pytest.raises(RefusedError, match="when the game is over"):
        table.seat_record(0)
    to_the_end(table)
    assert table.seat_record(0)() == table.records()[0].seen_by(0)
    with pytest.raises(RefusedError, match="the whole record is the host's"):
        table.seat_record(None)


def test_updates_hold_what_is_new():
    """Whoever says nonsense of what they know is told all."""
    table = table_of((0, 1))
    for words in ("check", "bet"):
        table.play(table.player, words)
    whole = table.update(0)
    assert [frame.step for frame in whole.frames] == [0, 1, 2]
    for step in range(-1, 3):
        assert table.update(0, 0, step).frames == whole.frames[step + 1 :]
    for number, step in ((0, 3), (0, 99), (1, 0), (-1, 2), (0, -7)):
        assert table.update(0, number, step) == whole
    with pytest.raises(RefusedError, match="nobody sees this table as 5"):
        table.update(5)


def test_a_spectator_only_where_one_is_wanted():
    with pytest.raises(RefusedError, match="nobody sees this table as None"):
        table_of().update(None)
    table = table_of(spectated=True)
    assert "?" not in table.update(None).frames[0].table
    assert "?" in table.update(0).frames[0].table
    to_the_end(table)
    assert table.update(None).earned is None


def test_hints_are_for_the_one_who_is_to_move():
    table = table_of(hinter=RandomAgent(KUHN, 0))
    hint = table.hint(0)()
    assert hint.agent == "random" and dict(hint.odds) == {"pass": 0.5, "bet": 0.5}
    table.play(0, "bet")
    with pytest.raises(RefusedError, match="it is the turn of player_1"):
        table.hint(0)
    with pytest.raises(RefusedError, match="nobody gives hints"):
        table_of().hint(0)


def test_a_hint_of_an_agent_that_tells_no_probabilities():
    hint = table_of(hinter=Always(KUHN, 1, "always")).hint(0)()
    assert hint.odds == (("bet", 1.0),) and hint.value is None


def test_a_rehearsal_asks_each_agent_once_and_plays_nothing():
    class Counting(RandomAgent):
        asked = 0

        def act(self, observations, masks, players):
            self.asked += 1
            return super().act(observations, masks, players)

    one, other = Counting(KUHN), Counting(KUHN)
    table = Table(KUHN, {1: one}, [Who(name="a"), Who(name="b")], 3, other)
    table.rehearse()
    assert (one.asked, other.asked) == (1, 1)
    assert table.records() == [] and table.update(0).step == 0
    to_the_end(table)
    asked = one.asked
    table.rehearse()
    assert one.asked == asked


def test_thoughts_and_hints_do_not_change_when_the_table_goes_on():
    table = table_of((0, 1), hinter=Always(KUHN, 1, "always"))
    hint, beliefs = table.hint(0), table.beliefs(0)
    table.play(0, "check")
    assert hint().odds == (("bet", 1.0),)
    assert beliefs() == ()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("kuhn", {}), "ppo-1"),
        (("the_gang", {}), "codebook"),
        (("the_gang", {"mode": "advanced"}), "clock"),
        (("cockroach_poker", {}), "ppo-1"),
        (("cockroach_poker", {"num_players": 6}), "counting"),
        (("caribbean_poker", {}), "optimal"),
    ],
)
def test_the_strongest_agents_are_the_default(options, name):
    game = configure(options[0], **options[1])
    assert strongest(game) == name
    table = lay(game)
    assert table.names == ("person", *[name] * (game.players - 1))
    assert table.hinter.name == name


def test_agents_take_the_seats_that_are_left():
    game = configure("cockroach_poker", num_players=5)
    table = lay(game, (3, 1), ("counting", "random"))
    assert table.names == ("counting", "person", "random", "person", "random")
    assert table.people == (1, 3)


@pytest.mark.parametrize(
    ("people", "agents", "sentence"),
    [
        ((2,), (), r"a seat is one of 0, 1, not 2"),
        ((0, 0), (), r"each person needs a seat of their own, not \[0, 0\]"),
        ((0,), ("random", "ppo-1"), "too many agents, 2; seats left for them: 1"),
        ((0, 1), ("random",), "too many agents, 1; seats left for them: none"),
        ((0,), ("nobody",), "there is no agent 'nobody' for kuhn"),
    ],
)
def test_seats_that_do_not_fit(people, agents, sentence):
    with pytest.raises(ValueError, match=sentence):
        lay(KUHN, people, agents)


def test_the_same_seed_plays_the_same_game():
    def game():
        table = lay(configure("cockroach_poker"), agents=["random"], seed=5)
        to_the_end(table, 1)
        return table.records()[0]

    assert game() == game()


@pytest.mark.parametrize("game", ALL_VARIANTS, ids=label)
def test_every_legal_action_has_its_own_words(game):
    """Answers lead to each action once, and its words and its text mean it."""
    for seed in range(3):
        for moves in (0, 1, 2, 5, 12, 25):
            state, _ = played(game, seed, moves)
            legal = np.flatnonzero(legal_mask(game, state)).tolist()
            if not legal:
                continue
            offered = choices(game, state, legal)
            assert [game.numbers[text] for text in offered.actions] == legal
            assert len(set(offered.actions.values())) == len(legal)
            for action, path in offered.actions.items():
                assert offered.decided(path) == action
                assert all(path[at] in offered.answers(path[:at]) for at in range(len(path)))
                assert not offered.answers(path), "no question is left"
                assert offered.find(action) == offered.find(offered.words(action)) == action


def test_a_game_without_words_of_its_own_is_played_by_the_texts_of_its_actions(monkeypatch):
    from backroom.evaluate.tables import choices as module

    monkeypatch.setattr(module, "WORDS", {})
    table = table_of()
    assert list(table.update(0).choices.named) == ["pass", "bet"]
    table.play(0, "bet")


@pytest.mark.parametrize(
    ("deal", "moves", "words"),
    [
        (
            {},
            (),
            ["take 1 from the centre", "take 2 from the centre", "take 3 from the centre", "pass"],
        ),
        (
            {},
            ("take 2",),
            ["take 1 from the centre", "take 2 from player_0", "take 3 from the centre", "pass"],
        ),
    ],
)
def test_words_of_the_gang(deal, moves, words):
    game = configure("the_gang")
    table = Recorder(game, 1, {"hand0": "Ah Kd", "first": "0", **deal})
    for move in moves:
        table.play(game.numbers[move])
    offered = choices(game, table.state, np.flatnonzero(table.mask()))
    assert [offered.words(action) for action in offered.actions] == words


def test_an_answer_that_leads_to_one_action_is_that_action():
    """Gangster Paradise: whoever has THE BOSS is not asked which card to show it with."""
    table = lay(configure("gangster_paradise"), range(5), seed=3)
    offered = table.update(table.player).choices
    assert offered.questions[0].text == "You are asked to show THE BOSS and start"
    assert [offered.words(action) for action in offered.actions] == ["no", "THE BOSS"]
    assert len(offered.questions) == 1


def test_a_bonus_that_is_not_offered_is_not_asked_for():
    words = {}
    for bonus in ("50000,5000,500,100,50,0,0,0,0,0", "none"):
        offered = lay(configure("caribbean_poker", bonus_paytable=bonus)).update(0).choices
        words[bonus] = (len(offered.questions), offered.words(next(iter(offered.actions))))
    assert list(words.values()) == [(2, "ante 1, without the bonus bet"), (1, "ante 1")]


def test_answers_say_what_they_cost_and_what_is_asked_next():
    """Gangster Paradise: what a turn may begin with; the end of it stands apart."""
    game = configure("gangster_paradise", num_players=4)
    hands = {"hand0": "red gun bullet detective money", "hand1": "red spy", "hand2": "blue"}
    rest = {"field": "spy beauty", "deck": "gun", "starter": "0", "round": "2"}
    table = Recorder(game, 1, {**hands, "hand3": "black", **rest})
    offered = choices(game, table.state, np.flatnonzero(table.mask()))
    assert offered.question(()) == "Your turn, 2 actions left"
    assert [(a.text, a.note) for a in offered.questions[0].answers] == [
        ("use", "a card"),
        ("trade", "1 action"),
        ("sell weapons", "1 action"),
        ("reset the field", "1 action"),
        ("draw one more card", "2 actions"),
        ("show", "a card, free"),
        ("say", "free"),
        ("end the turn", ""),
    ]
    assert offered.question((0,)) == "Use which card?"
    used = [offered.questions[1].answers[k] for k in offered.answers((0,))]
    costs = {"MONEY": "1 action", "GUN": "1 action", "DETECTIVE": "free"}
    assert {answer.text: answer.note for answer in used} == costs
    assert offered.words("say +1 die") == "say, player_1, should die"
    questions = []
    for text in ("use gun", "card bullet", "seat +1"):
        table.play(game.numbers[text])
        legal = np.flatnonzero(table.mask())
        questions.append(choices(game, table.state, legal).question(()))
    assert questions == [
        "GUN: shoot with what?",
        "GUN: shoot at whom?",
        "You are asked to negate the damage to player_1",
    ]
