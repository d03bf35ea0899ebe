"""Games and agents of other packages: found, played by all, and never stale."""

import dataclasses
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from command import refused, run

from backroom.agents import load
from backroom.envs import configure
from backroom.envs.engine import testing
from backroom.envs.engine.game import record

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "liars_dice"

PLAY = """
import numpy as np
from backroom.envs import make_batch
games = make_batch("liars_dice", 1)
games.states["dice"][0, :2] = 2, 5
for action in (3, 0):  # bid 1x 3, which is true, and doubt
    games.step(np.array([action]))
print(games.done[0], games.rewards[0].tolist())
"""


@pytest.fixture
def installed(tmp_path):
    """The example, as an installer would leave it, and a way to run code beside it."""
    shutil.copytree(EXAMPLE / "backroom_liars_dice", tmp_path / "backroom_liars_dice")
    info = tmp_path / "backroom_liars_dice-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: liars\nVersion: 0.1.0\n")
    project = (EXAMPLE / "pyproject.toml").read_text()
    groups = [part for part in project.split("\n\n") if "entry-points" in part]
    points = "\n".join(groups).replace("project.entry-points.", "").replace('"', "")
    (info / "entry_points.txt").write_text(points)

    def python(code, plain="1", **more):
        paths = {"PYTHONPATH": str(tmp_path), "BACKROOM_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **paths, "NUMBA_DISABLE_JIT": plain, **more},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done

    return tmp_path, python


def test_the_example_package_is_a_game_like_any_other(installed):
    folder, _ = installed
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE / "tests"],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


@pytest.mark.parametrize("first", ["backroom.envs", "backroom_liars_dice.rules"])
def test_it_is_found_whatever_is_imported_first(installed, first):
    _, python = installed
    done = python(
        f"import {first}\n"
        "from backroom.envs import GAMES, make\n"
        "import gymnasium\n"
        "print(*GAMES, make('liars_dice').game.name)\n"
        "gymnasium.make('backroom/LiarsDice-v0', num_players=3).reset(seed=1)\n"
    )
    assert done.stdout.split()[-2:] == ["liars_dice", "liars_dice"]
    assert "kuhn" in done.stdout and done.stderr == ""


def test_a_package_that_cannot_be_loaded_does_no_harm(installed):
    folder, python = installed
    (folder / "backroom_liars_dice" / "rules.py").write_text("RULES = 1 / 0")
    done = python("from backroom.envs import GAMES\nprint(*GAMES)")
    assert "kuhn" in done.stdout and "liars_dice" not in done.stdout
    assert "the game liars_dice of backroom_liars_dice.rules:RULES: ZeroDivision" in done.stderr


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain Python keeps no kernels")
def test_an_edit_of_another_package_is_seen(installed):
    """Shared kernels are cached by this suite's sources, which do not know the other's."""
    folder, python = installed
    rules = folder / "backroom_liars_dice" / "rules.py"
    first = python(PLAY, plain="0")
    assert "compiling the rules of liars_dice" in first.stderr
    again = python(PLAY, plain="0")
    assert (again.stdout, again.stderr) == (first.stdout, "")
    text = rules.read_text()
    assert text.count("if dice > s.bid // FACES else") == 1
    rules.write_text(text.replace("if dice > s.bid // FACES else", "if dice < 0 else"))
    edited = python(PLAY, plain="0")
    assert edited.stdout != first.stdout
    assert python(PLAY, plain="1").stdout == edited.stdout


def test_an_agent_of_ones_own(monkeypatch, tmp_path):
    module = tmp_path / "own_agents.py"
    module.write_text(
        "from backroom.agents import RandomAgent\n"
        "class Mine(RandomAgent):\n    name = 'mine'\n"
        "class Choosy(Mine):\n"
        "    @classmethod\n    def plays(cls, game):\n        return False\n"
        "from backroom.agents import Agent\n"
        "class Idle(Agent):\n    pass\n"
        "class Bare(Mine):\n    def __init__(self):\n        pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = configure("kuhn")
    assert load("own_agents:Mine", game, 3).name == "mine"
    text = run("evaluate", "kuhn", "--agents", "own_agents:Mine", "--games", "4").stdout
    assert "own_agents:Mine" in text
    for spec, sentence in (
        ("own_agents:Hers", "there is no agent 'own_agents:Hers'.*no attribute 'Hers'"),
        ("no_such_module:A", "there is no agent 'no_such_module:A'.*No module"),
        ("own_agents.py:First", "modules are named without .py: own_agents:First"),
        ("pathlib:Path", "pathlib:Path is no subclass"),
        ("own_agents:Choosy", "does not play kuhn with these options"),
        ("own_agents:Idle", "own_agents:Idle cannot play: it has neither act nor probabilities"),
        ("own_agents:Bare", "own_agents:Bare cannot be made from a game and a seed: .*argument"),
        (":A", "there is no agent ':A'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            load(spec, game)
    assert "is no subclass" in refused("evaluate", "kuhn", "--agents", "pathlib:Path")


def broken(rules, **changes):
    """`rules` with functions changed, under a name of its own."""
    name = f"broken_{next(NUMBERS)}"
    others = rules.state.names[1:]
    fields = [(name, "i1"), *((n, rules.state.fields[n][0]) for n in others)]
    return dataclasses.replace(rules, name=name, state=record(fields), **changes)


NUMBERS = itertools.count()


@pytest.mark.skipif(not numba.config.DISABLE_JIT, reason="would compile a game for each fault")
def test_checks_find_faults():
    """Each planted in Kuhn poker, and found by the check that is for it."""
    rules = configure("kuhn").rules

    def leaky(s, player, observation):
        rules.observe(s, player, observation)
        observation[0] = s.deck[1 - player] == 2

    def wide(s, player, observation):
        rules.observe(s, player, observation)
        observation[1] = 3

    def idle(s, mask):
        mask[:] = False

    def endless(s, action):
        rules.step(s, action)
        s.player = 0
        s.moves = 0

    def generous(s, out):
        out[:] = 100 if s.player < 0 else 0

    def forgetful(s):
        chips = s.chips[0]
        rules.deal(s)
        s.chips[0] = chips + 1

    def still(s, player, seed):
        pass

    for changes, sentence in (
        ({"observe": leaky}, "sees what redeal changes"),
        ({"observe": wide}, "out of bounds"),
        ({"legal": idle}, "may do nothing"),
        ({"step": endless}, "not over after"),
        ({"returns": generous}, "out of bounds"),
        ({"deal": forgetful}, "remembers"),
        ({"redeal": still}, "draws nothing anew"),
        ({"table": lambda game, s, viewer: "x" * 99}, "larger than"),
        ({"events": lambda *args: []}, "silent move"),
    ):
        with pytest.raises(AssertionError, match=sentence):
            testing.check(broken(rules, **changes), seeds=range(3))
