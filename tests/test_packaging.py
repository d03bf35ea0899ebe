"""A wheel holds every file of the four folders, and none is left to setuptools' guesses."""

import runpy
from fnmatch import fnmatch
from pathlib import Path

import pytest

setuptools = pytest.importorskip("setuptools")

ROOT = Path(__file__).parents[1]
FOLDERS = ("envs", "agents", "train", "evaluate")


@pytest.fixture
def told(monkeypatch):
    """What setup.py tells setuptools."""
    found = {}
    monkeypatch.setattr(setuptools, "setup", lambda **arguments: found.update(arguments))
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(ROOT / "setup.py"))
    return found


def files():
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path.relative_to(ROOT)


def test_every_file_lies_in_a_package_that_is_named(told):
    """A folder of data that is none would make setuptools warn, and leave it out one day."""
    assert len(list(files())) > 100
    for path in files():
        assert ".".join(("backroom", *path.parent.parts)) in told["packages"], path
        patterns = ["*.py", *told["package_data"][""]]
        assert any(fnmatch(path.name, pattern) for pattern in patterns), path


def test_every_package_is_a_folder(told):
    for name in told["packages"]:
        suite, *folders = name.split(".")
        assert suite == "backroom" and (ROOT / Path(*folders)).is_dir()
    assert set(told["package_dir"]) == {f"backroom.{folder}" for folder in FOLDERS}
