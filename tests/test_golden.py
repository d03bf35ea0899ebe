"""Golden games: written by hand from the rules, each citing the rules that it shows."""

import re
from pathlib import Path

import numpy as np
import pytest
from playing import dealt, legal_mask, observed

from backroom.envs import GAMES
from backroom.envs.engine.cards import parse_cards
from backroom.envs.engine.game import returns, step

ROOT = Path(__file__).parents[1]
GOLDEN = Path(__file__).parent / "golden"
PATHS = sorted(GOLDEN.glob("*/*.txt"))


def pairs(text, separator):
    return dict(
        re.split(r"\s*=\s*", pair, maxsplit=1) for pair in re.split(separator, text.strip())
    )


class Table:
    """A game under way, and the answers that golden lines ask for."""

    def __init__(self, name, options):
        self.game = GAMES[name].configure(**options)
        self.state = dealt(self.game, 0)[0]
        self.told = {}

    def play(self, seat, text):
        assert int(self.state["player"]) == seat, f"player_{self.state['player']} is to move"
        number = self.game.numbers[text]
        assert legal_mask(self.game, self.state)[number], f"{text} is not legal"
        before = self.state.copy()
        step(self.state, number)
        self.told = {
            viewer: "\n".join(self.game.rules.events(self.game, before, number, self.state, viewer))
            for viewer in (None, *range(self.game.players))
        }

    def legal(self):
        return {self.game.actions[a] for a in np.flatnonzero(legal_mask(self.game, self.state))}

    def returns(self):
        out = np.zeros(self.game.players, np.float32)
        returns(self.state, out)
        return out.tolist()

    def sees(self, seat, where):
        name, _, index = where.partition("[")
        part = self.game.parts(observed(self.game, self.state, seat))[name]
        return (part[int(index.rstrip("]"))] if index else part).ravel().tolist()

    def obey(self, key, value):
        """One line of a golden game."""
        if key == "deal":
            self.game.rules.arrange(self.game, self.state, pairs(value, r"\s*;\s*"))
        elif key == "illegal":
            assert value in self.game.numbers and value not in self.legal()
        elif key == "legal":
            assert self.legal() == set(re.split(r"\s*\|\s*", value))
        elif key in ("rewards", "returns"):
            assert key == "rewards" or self.state["player"] < 0
            assert self.returns() == pytest.approx([float(x) for x in value.split()], abs=1e-6)
        elif key == "over":
            assert (self.state["player"] < 0) == {"yes": True, "no": False}[value]
        elif key.startswith("sees "):
            _, seat, where = key.split()
            assert self.sees(int(seat), where) == [int(x) for x in value.split()]
        elif key.startswith("cards "):
            _, seat, where = key.split()
            seats = range(self.game.players) if seat == "all" else [int(seat)]
            marked = [k for p in seats for k in np.flatnonzero(self.sees(p, where))]
            assert sorted(marked) == sorted(parse_cards(value))
        elif key.startswith("says "):
            viewer = key.split()[1]
            assert value in self.told[None if viewer == "all" else int(viewer)]
        else:
            raise AssertionError(f"no golden line begins with {key!r}")


@pytest.mark.parametrize("path", PATHS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_golden_game(path):
    lines = path.read_text().splitlines()
    assert re.match(r"# R\d+", lines[0]), "the first line cites the rules that the game shows"
    options = next((pairs(x[8:], r"\s+") for x in lines if x.startswith("options:")), {})
    table = Table(path.parent.name, options)
    for number, line in enumerate(lines, 1):
        line = line.strip()
        if not line or line.startswith(("#", "options:")):
            continue
        try:
            if re.match(r"\d+ ", line):
                for move in re.split(r"\s*;\s*", line):
                    seat, _, text = move.partition(" ")
                    table.play(int(seat), text)
            else:
                key, _, value = line.partition(":")
                table.obey(key, value.strip())
        except AssertionError as error:
            raise AssertionError(f"{path.name}:{number}: {line}\n{error}") from None


def cited(text):
    """The rule numbers in a text; "R3 to R5" names three."""
    numbers = set(re.findall(r"\bR(\d+)", text))
    for a, b in re.findall(r"R(\d+) to R(\d+)", text):
        numbers |= {str(i) for i in range(int(a), int(b) + 1)}
    return {int(n) for n in numbers}


def test_every_rule_is_cited_and_shown(rules):
    """Each R-number of a game's README stands in its code and on top of a golden game."""
    folder = ROOT / "envs" / rules.name
    listed = set(re.findall(r"^- \**R(\d+)", (folder / "README.md").read_text(), re.M))
    code = "".join(p.read_text() for p in sorted(folder.rglob("*.py")))
    shown = "".join(p.read_text() for p in (GOLDEN / rules.name).glob("*.txt"))
    numbers = {int(n) for n in listed}
    assert numbers and numbers == cited(code)
    assert numbers == cited(shown)
