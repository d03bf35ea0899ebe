"""No kernel outlives an edit of the rules it plays by (numba/numba#1833)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from backroom.envs.engine import jit as settings

ROOT = Path(__file__).parents[1]

SHOWDOWN = """
import numpy as np
from backroom.envs import make_batch
games = make_batch("kuhn", 1)
games.states["deck"] = 2, 0, 1
for action in (1, 1):
    games.step(np.array([action]))
print(games.rewards[0].tolist())
"""


@pytest.fixture
def copied(tmp_path):
    """The suite copied to where it may be edited, and a way to run code against the copy."""
    home = tmp_path / "backroom"
    for folder in ("envs", "agents"):
        shutil.copytree(ROOT / folder, home / folder, ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"

    def run(code):
        paths = {"PYTHONPATH": str(tmp_path), "BACKROOM_CACHE": str(cache)}
        return subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **paths, "NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )

    return home, cache, run


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain Python keeps no kernels")
def test_edited_rules_are_the_rules(copied):
    """The king wins; after an edit of rules.py alone, a cached batch kernel lets the jack win."""
    home, cache, run = copied
    rules = home / "envs" / "kuhn" / "rules.py"
    first = run(SHOWDOWN)
    assert first.stdout.strip() == "[2.0, -2.0]"
    assert "compiling the rules of kuhn" in first.stderr
    kernels = set(cache.rglob("batch.advance*.nbc"))
    assert kernels
    again = run(SHOWDOWN)
    assert again.stdout == first.stdout and again.stderr == ""
    assert set(cache.rglob("batch.advance*.nbc")) == kernels
    text = rules.read_text()
    assert text.count("s.deck[0] > s.deck[1]") == 1
    rules.write_text(text.replace("s.deck[0] > s.deck[1]", "s.deck[0] < s.deck[1]"))
    assert run(SHOWDOWN).stdout.strip() == "[-2.0, 2.0]"
    assert set(cache.rglob("batch.advance*.nbc")) > kernels


FOLDERS = """
from backroom.envs.engine.jit import _folder
print(*[_folder(name) for name in ("kuhn", "the_gang", "engine", "envs")], sep=chr(10))
"""


def test_an_edit_in_one_game_recompiles_no_other(copied):
    home, _, run = copied
    before = run(FOLDERS).stdout.splitlines()
    rules = home / "envs" / "kuhn" / "rules.py"
    rules.write_text(rules.read_text() + "\n# an edit\n")
    after = run(FOLDERS).stdout.splitlines()
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True, False]


def test_a_cached_function_may_not_call_itself():
    """A recursive kernel loaded from the cache crashes the process (numba/numba#6061)."""

    module_level = compile("def again(n):\n    return again(n)\n", "again.py", "exec")
    space = {"__name__": "backroom.envs.kuhn.again"}
    exec(module_level, space)  # a function whose own name is a global name, as in a module
    with pytest.raises(TypeError, match="calls itself"):
        settings.jit(space["again"])


def test_each_function_knows_its_owner():
    owners = {
        "backroom.envs.kuhn.rules": "kuhn",
        "backroom.envs.engine.batch": "envs",
        "backroom.envs.engine.poker": "engine",
        "backroom.envs.kuhn_v0": "envs",
        "backroom.agents.kuhn": "agents",
        "backroom.train.ppo": "train",
        "elsewhere.kuhn": "outside elsewhere",
        "__main__": "outside __main__",
    }
    assert {module: settings._owner(module) for module in owners} == owners


def test_what_is_cached_by_the_engine_alone_calls_no_game():
    """A leaf that came to use a verb would go on playing old rules after an edit."""
    for leaf in settings._LEAVES:
        source = (ROOT / "envs" / "engine" / f"{leaf}.py").read_text()
        assert "from .game import" not in source and "from .batch import" not in source


def test_only_caches_are_swept(tmp_path):
    """A folder of somebody else's that lies in the cache's home is left alone, however old."""
    old = [tmp_path / name for name in ("precious", "kuhn-0123456789abcdef")]
    for folder in old:
        folder.mkdir()
        os.utime(folder, (0, 0))
    settings._sweep(tmp_path)
    assert [folder.exists() for folder in old] == [True, False]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain Python keeps no kernels")
def test_without_a_cache_nothing_is_kept_elsewhere(copied):
    """Numba's own choice, beside the sources, would play old rules after an edit."""
    home, cache, run = copied
    cache.write_text("a file, where the cache's folder should be")
    first = run(SHOWDOWN)
    assert first.stdout.strip() == "[2.0, -2.0]" and "cannot be written" in first.stderr
    assert not list(home.rglob("*.nbc"))
