"""`backroom new-game`."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from command import PLAIN, ROOT, refused

from backroom.train.commands import new_game


@pytest.fixture
def checkout(tmp_path):
    """A copy of the source tree, and a way to run a module of it."""
    home = tmp_path / "backroom"
    for folder in ("envs", "agents", "evaluate", "train", "tests"):
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, home / folder, ignore=skip)

    def go(*args, cwd=home, **options):
        command = [sys.executable, "-m", *args]
        env = {**PLAIN, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, **options)

    return home, go


def test_new_game_is_a_game(checkout):
    """It plays, is evaluated and recorded, and its golden games pass, once it is registered."""
    home, go = checkout
    said = go("backroom.train", "new-game", "skull_king", check=True).stdout
    undoing = "rm -r envs/skull_king envs/skull_king_v0.py tests/golden/skull_king"
    assert said.startswith(f"envs/skull_king is a copy of Kuhn poker; {undoing} undoes it.\n")
    assert "All paths" not in said
    made = [*(home / "envs" / "skull_king").iterdir(), home / "envs" / "skull_king_v0.py"]
    made += (home / "tests" / "golden" / "skull_king").iterdir()
    assert len(made) == 11
    for path in made:
        assert "kuhn" not in path.read_text().lower()
    registry = home / "envs" / "__init__.py"
    text = registry.read_text()
    text, imports = re.subn(r"^(from \. import .*\bkuhn)", r"\1, skull_king", text, flags=re.M)
    text, entries = re.subn(r"\bkuhn\.RULES\b", "kuhn.RULES, skull_king.RULES", text)
    assert imports == entries == 1, "the registry is written in another way than this test knows"
    registry.write_text(text)
    found = go("backroom.train", "evaluate", "skull_king", "--games", "10", "--json", check=True)
    assert json.loads(found.stdout)["game"] == "skull_king"
    golden = go(
        "pytest", "-q", "tests/test_golden.py", "-k", "skull_king", "-p", "no:cacheprovider"
    )
    assert golden.returncode == 0, golden.stdout
    assert re.search(r"[1-9]\d* passed", golden.stdout)
    again = go("backroom.train", "new-game", "skull_king")
    assert again.returncode == 2
    assert again.stderr == "backroom: envs/skull_king is there already\n"


def test_new_game_from_elsewhere_tells_where_it_is(checkout, tmp_path):
    home, go = checkout
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    before = sorted(home.rglob("*"))
    said = go("backroom.train", "new-game", "skull", cwd=elsewhere, check=True).stdout
    first, _, rest = said.partition(" undoes it.\n")
    assert first.startswith(f"{home}/envs/skull is a copy of Kuhn poker; rm -r {home}/envs/skull ")
    assert f"To make it Skull:\nAll paths below are those in {home}." in rest
    again = go("backroom.train", "new-game", "skull", cwd=elsewhere)
    assert again.stderr == f"backroom: {home}/envs/skull is there already\n"
    subprocess.run(first.partition("; ")[2], shell=True, check=True, cwd=elsewhere)
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize("name", ["Skull", "2skull", "skull-king", "_skull", "class", "kuhn", ""])
def test_new_game_wants_a_name(name):
    sentence = refused("new-game", name)
    assert "lower case" in sentence or "is there already" in sentence


def test_new_game_wants_a_checkout(monkeypatch, tmp_path):
    monkeypatch.setattr(new_game, "ROOT", tmp_path)
    assert "source checkout only" in refused("new-game", "skull")
