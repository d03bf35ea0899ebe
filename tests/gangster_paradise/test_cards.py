"""The card table: what is read from it, and what is refused."""

import pytest
from playing import dealt, legal_mask, observed

from backroom.envs import configure
from backroom.envs.engine.game import step
from backroom.envs.gangster_paradise.card_table import COLUMNS, EFFECTS, GRADES, PUBLISHED, load
from backroom.envs.gangster_paradise.options import GangsterParadiseOptions, copies_of, table_of
from backroom.envs.gangster_paradise.state import CHAINS

LINES = PUBLISHED.read_text("utf-8").splitlines()


def line_of(name):
    return next(line for line in LINES if line.startswith(f"{name},"))


@pytest.fixture
def table(tmp_path):
    """Writes the published table with a line changed; its path."""
    written = iter(range(100))

    def change(name, **cells):
        cells = {key.rstrip("_"): value for key, value in cells.items()}
        path = tmp_path / f"cards{next(written)}.csv"
        old = line_of(name)
        values = dict(zip(COLUMNS, old.split(",", len(COLUMNS) - 1), strict=True)) | cells
        text = "\n".join(LINES).replace(old, ",".join(values.values()))
        path.write_text(text, "utf-8")
        return path

    return change


def test_the_sets_have_the_published_sizes():
    """51 cards of 20 kinds in the basic set; 24 of the advanced set's 44."""
    cards = load()
    assert sum(card.basic for card in cards) == 51
    assert sum(card.basic > 0 for card in cards) == 20
    assert sum(card.advanced for card in cards) == 24
    assert {card.grade for card in cards} == set(GRADES)
    assert all(card.note for card in cards)


def test_each_effect_is_on_a_card():
    assert {card.effect for card in load()} == set(EFFECTS)


@pytest.mark.parametrize(
    ("name", "cells", "sentence"),
    [
        ("gun", {"effect": "explode"}, "line 12: gun: effect is one of none, buy, shoot"),
        ("gun", {"kind": "tool"}, "gun: kind is one of life, boss, gangster"),
        ("gun", {"grade": "sure"}, "gun: grade is one of source, public, inferred, house"),
        ("gun", {"use": "throw"}, "gun: use is one of none, reveal, discard, react"),
        ("gun", {"use": "react"}, "gun: use is reveal or discard with the effect shoot"),
        ("gun", {"show": "maybe"}, "gun: show is one of yes, no"),
        ("gun", {"numbers": "1"}, "numbers of the effect shoot are: shots, shots a bullet, other"),
        ("gun", {"numbers": "0 1 0"}, "gun: shots is a number from 1 to 9, not '0'"),
        ("gun", {"cost": "ten"}, "gun: cost is a number from 0 to 9, not 'ten'"),
        ("gun", {"basic": "-1"}, "gun: basic is a number from 0 to 20"),
        ("gun", {"id": "Big Gun"}, "an id is lower-case letters"),
        ("gun", {"id": "pistol"}, "there is no line for the card gun, which the rules name"),
        ("gun", {"id": "money"}, "the card money has two lines"),
        ("red_life", {"id": "rose_life"}, "no line for the card red_life"),
        ("red_life", {"kind": "boss"}, "red_life: LIFE cards, and no others, have a colour"),
        ("red_life", {"effect": "blue"}, "the effect blue is on one line only"),
        ("bullet", {"counts_as": "gun"}, "bullet: counts_as is one of (empty), bullet"),
        ("gangster", {"kind": "specialist"}, "gangster is of the kind gangster with the effect"),
        ("trickster", {"effect": "negate", "use": "react"}, "the effect negate is on one line"),
    ],
)
def test_faults_are_named(table, name, cells, sentence):
    path = table(name, **cells)
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        configure("gangster_paradise", cards=str(path))
    assert sentence in str(error.value) and str(path) in str(error.value)


@pytest.mark.parametrize(
    ("name", "cells", "sentence"),
    [
        ("red_life", {"basic": "1"}, "5 seats need red_life 2 times, but the set has it 1 times"),
        ("gun", {"basic": "2"}, "5 seats need gun 4 times, but the set has it 2 times"),
        ("purple_life", {"advanced": "0"}, "need purple_life 1 times"),
        ("the_boss", {"basic": "2"}, "there is one card the_boss, not 2"),
        ("spy", {"basic": "0"}, "need spy 1 times"),
    ],
)
def test_too_few_cards_are_named(table, name, cells, sentence):
    with pytest.raises(ValueError) as error:
        configure("gangster_paradise", cards=str(table(name, **cells)))
    assert sentence in str(error.value)


def test_files_that_are_no_tables(tmp_path):
    empty, short = tmp_path / "empty.csv", tmp_path / "short.csv"
    empty.write_text("")
    short.write_text(",".join(COLUMNS) + "\nred_life,RED\n")
    for path, sentence in (
        (tmp_path / "none.csv", "cannot be read"),
        (empty, "the first line names the columns"),
        (short, "line 2: a card has 16 cells, not 2"),
    ):
        with pytest.raises(ValueError) as error:
            load(path)
        assert sentence in str(error.value)
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="it is not UTF-8 text"):
        load(binary)


def test_a_table_of_ones_own_is_played(table):
    """A corrected card: the MACHINEGUN of other rules, and another cost of KILLER."""
    path = table("machinegun", cost="2", numbers="5 1 0")
    game = configure("gangster_paradise", cards=str(path), num_players=4)
    state = game.blank(1)[0]
    k = [card.id for card in table_of(game.options)].index("machinegun")
    assert state["numbers"][k].tolist() == [5, 1, 0]
    assert len(game.actions) == len(configure("gangster_paradise").actions) - 8  # a seat less


def test_copies_by_set():
    cards = {card.id: card for card in load()}
    for options, expected in (
        ({"num_players": 4}, (10, 0)),
        ({"num_players": 6}, (12, 4)),
        ({"num_players": 6, "fake_money_copies": 7}, (12, 7)),
    ):
        chosen = GangsterParadiseOptions(**options)
        table = {card.id for card in table_of(chosen)}
        found = [
            copies_of(chosen, cards[name]) if name in table else 0
            for name in ("money", "fake_money")
        ]
        assert tuple(found) == expected


def test_observations_keep_their_bounds_with_other_cards(table):
    """R12, R44, R50: more actions and more HERO than the published table has."""
    path = table("drug", use="reveal", limit="0", numbers="3")
    game = configure("gangster_paradise", cards=str(path), black_actions=5)
    lives = {f"hand{p}": life for p, life in enumerate(("black", "red", "blue", "purple", "red"))}
    state = dealt(game, 1)[0]
    game.rules.arrange(game, state, lives | {"hand0": "black drug", "starter": "0"})
    for text in ("show black_life", *["use drug"] * (CHAINS - 1)):
        assert legal_mask(game, state)[game.numbers[text]], text
        step(state, game.numbers[text])
    assert state.actions == 5 + 3 * (CHAINS - 1)
    assert (observed(game, state, 0) <= game.observation_bounds[1]).all()
    heroes = configure("gangster_paradise", cards=str(table("hero", basic="2")), hero_limit=3)
    highs = {part.name: part.high for part in heroes.facts.parts}
    assert highs["negated"] == 6
    usual = {part.name: part.high for part in configure("gangster_paradise").facts.parts}
    assert (usual["actions"], usual["negated"]) == (20, 3)
