"""Documents say what the code does."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import backroom.agents
import backroom.envs
import backroom.evaluate
import backroom.train
from backroom.evaluate.docs import ENVS, FIGURE_TABLES, RECORD_TABLES, TABLES, filled, rewritten
from backroom.train.docs import FRAMEWORK_TABLES, FRAMEWORKS
from backroom.train.docs import TABLES as SETTING_TABLES

ROOT = Path(__file__).parents[1]
MODULES = [
    m.name
    for package in (backroom.envs, backroom.agents, backroom.evaluate, backroom.train)
    for m in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    if not m.name.endswith("__main__")  # which would run
    and ".adapters." not in m.name  # which need other frameworks, as do those for RLlib
    and not m.name.startswith("backroom.train.rllib")
]
ELSEWHERE = {"benchmarl", "pufferlib", "pyspiel", "ray", "tree"}
"""Modules of frameworks that want environments of their own."""
HEADINGS = ["Rules", "Options", "Actions", "Observation", "Rewards", "Deals", "Version history"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_code_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_in_the_readme_run():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted and not result.failed


def snippets():
    """The Python texts of pages for users, each to be pasted alone."""
    found = []
    for page in ("docs/frameworks.md", "evaluate/README.md"):
        text = (ROOT / page).read_text()
        for snippet in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
            heading = re.findall(r"^#+ (.+)$", text[: snippet.start()], re.M)[-1]
            found.append(pytest.param(snippet[1], id=f"{page}: {heading}"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("code", snippets())
def test_a_snippet_runs_when_it_is_pasted_alone(code, tmp_path):
    """With few games and few decisions; of frameworks that are not here, it compiles at least."""
    compile(code, "snippet", "exec")
    path = tmp_path / "snippet.py"
    path.write_text(code.replace("10_000", "100"))
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True)
    missing = re.search(r"^ModuleNotFoundError: No module named '(\w+)", done.stderr, re.M)
    if missing and missing[1] in ELSEWHERE and importlib.util.find_spec(missing[1]) is None:
        pytest.skip(f"compiled alone, since there is no module {missing[1]} here")
    assert done.returncode == 0, done.stderr


def test_tables_are_made_from_the_code(rules):
    text = (ENVS / rules.name / "README.md").read_text()
    assert rewritten(text, rules) == text, "run `make docs`"
    assert set(re.findall(r"<!-- (\w+) -->", text)) - {"end"} <= set(TABLES)
    assert "<!-- options -->" in text and "<!-- observation -->" in text


@pytest.mark.parametrize(
    ("room", "tables"),
    [("evaluate", FIGURE_TABLES), ("evaluate/viewer", RECORD_TABLES), ("train", SETTING_TABLES)],
)
def test_tables_of_figures_and_settings_are_made_from_the_code(room, tables):
    text = (ROOT / room / "README.md").read_text()
    assert filled(text, tables) == text, "run `make docs`"
    assert set(re.findall(r"<!-- (\w+) -->", text)) - {"end"} == set(tables)


def test_all_fields_of_records_are_explained():
    text = "\n".join(table() for table in RECORD_TABLES.values())
    rows = re.findall(r"^\| (?:Record|Who|Move|SeatRecord|View) \| `(\w+)` \| (.*) \|$", text, re.M)
    assert len(rows) > 20 and all(meaning for _, meaning in rows)


def test_the_table_of_frameworks_is_what_their_checks_found():
    text = FRAMEWORKS.read_text()
    assert filled(text, FRAMEWORK_TABLES) == text, "run `make docs`"
    assert "<!-- frameworks -->" in text


def test_a_readme_has_all_its_chapters(rules):
    text = (ENVS / rules.name / "README.md").read_text()
    assert [h for h in re.findall(r"^## (.+)$", text, re.M) if h in HEADINGS] == HEADINGS


def test_an_unknown_table_is_named(rules):
    with pytest.raises(ValueError, match="there is no table 'colours'"):
        rewritten("<!-- colours -->\n<!-- end -->", rules)


def test_each_module_is_imported_once():
    assert not {"envs", "agents", "train", "evaluate"} & set(sys.modules)


@pytest.mark.parametrize("room", ["envs", "agents", "train", "evaluate"])
def test_a_second_copy_is_refused(room):
    """Imported under its bare name a room would register every game again."""
    spec = importlib.util.spec_from_file_location(room, ROOT / room / "__init__.py")
    with pytest.raises(ImportError, match=f"import this package as backroom.{room}"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
