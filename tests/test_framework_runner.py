"""The runner of external frameworks' checks: what it reads, records and refuses."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

FILE = Path(__file__).parent / "frameworks" / "run.py"
REPORT = """<testsuites><testsuite>
<testcase name="test_a"><properties>
<property name="episodes" value="1000"/><property name="illegal" value="0"/>
</properties></testcase>
<testcase name="test_b[kuhn]"><properties>
<property name="episodes" value="30"/><property name="illegal" value="2"/>
</properties><failure>no</failure></testcase>
<testcase name="test_c"><error>no</error></testcase>
<testcase name="test_d"><properties>
<property name="reached" value="mean return 0.5"/>
</properties></testcase>
</testsuite></testsuites>"""
PINNED = "one==1.0  # why\n# a comment\n\ntorch==2.0\nrange>=3\n--no-deps\ntwo[extra]==2.5\n"


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """The module, with one framework `some` whose files are in a folder of the test."""
    spec = importlib.util.spec_from_file_location("framework_runner", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HERE", tmp_path)
    monkeypatch.setattr(module, "NAMES", ["some"])
    monkeypatch.setattr(module, "RESULTS", tmp_path / "results.json")
    (tmp_path / "some.txt").write_text(PINNED)
    return module


def called(runner, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["run.py", *map(str, arguments)])
    return runner.main()


def test_what_is_pinned_for_each_framework_can_be_read():
    spec = importlib.util.spec_from_file_location("framework_runner", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert {"rllib", "sb3"} <= set(module.NAMES)
    for name in module.NAMES:
        assert all("#" not in line and line.strip() == line for line in module.lines(name))
        assert any("==" in line for line in module.lines(name)), name


def test_lines_without_comments_in_their_order(runner):
    assert runner.lines("some") == [
        "one==1.0", "torch==2.0", "range>=3", "--no-deps", "two[extra]==2.5"
    ]  # fmt: skip


def test_a_report_is_summed_up(runner, tmp_path):
    (tmp_path / "report.xml").write_text(REPORT)
    assert runner.summary(tmp_path / "report.xml") == {
        "checks": 4,
        "failed": ["test_b[kuhn]", "test_c"],
        "episodes": 1030,
        "illegal": 2,
        "reached": "mean return 0.5",
    }


def test_an_environment_is_made_once_for_what_is_pinned(runner, tmp_path, monkeypatch):
    ran = []

    def run(command):
        ran.append(command)
        if "venv" in command:
            (tmp_path / "home/some").mkdir(parents=True)

    monkeypatch.setattr(runner, "run", run)
    python = runner.install("some", tmp_path / "home")
    assert python == tmp_path / "home/some/bin/python"
    venv, torch, rest, alone = ran
    assert venv[-1] == str(tmp_path / "home/some")
    assert torch[-1] == "torch==2.0", "alone, before what else asks for it"
    assert {"one==1.0", "range>=3", "pytest", "-e"} <= set(rest) and "two[extra]==2.5" not in rest
    assert alone[-1] == "two[extra]==2.5" and "--no-deps" in alone
    ran.clear()
    assert runner.install("some", tmp_path / "home") == python and not ran
    (tmp_path / "some.txt").write_text("one==1.1\n")
    runner.install("some", tmp_path / "home")
    assert len(ran) == 2, "what is pinned has changed: made anew, and nothing alone"


def test_what_cannot_be_installed_is_told_by_its_last_errors(runner, tmp_path):
    said = r"noise\nERROR: one\n\nerror: two\nhint"
    code = f"import sys; print('{said}', file=sys.stderr); sys.exit(1)"
    with pytest.raises(RuntimeError, match=r"^ERROR: one / error: two$"):
        runner.run([sys.executable, "-c", code])
    runner.run([sys.executable, "-c", ""])


def test_a_framework_that_cannot_be_installed_is_recorded(runner, tmp_path, monkeypatch):
    def run(command):
        raise RuntimeError("ERROR: no such version")

    monkeypatch.setattr(runner, "run", run)
    entry = runner.one("some", tmp_path / "home")
    assert entry["error"] == "ERROR: no such version"
    assert entry["versions"] == {"one": "1.0", "torch": "2.0", "two[extra]": "2.5"}
    assert called(runner, monkeypatch, "some", "--folder", tmp_path / "home") == 1
    assert json.loads(runner.RESULTS.read_text()) == {"some": entry}


def test_without_checks_it_is_said(runner):
    told = runner.check("some", Path(sys.executable))
    assert told == {"error": "it can be installed, but no checks are written for it"}


def test_checks_that_do_not_run_are_no_success(runner, tmp_path, monkeypatch):
    (tmp_path / "check_some.py").touch()
    done = subprocess.CompletedProcess([], 4)
    monkeypatch.setattr(runner.subprocess, "run", lambda *_, **__: done)
    assert runner.check("some", Path(sys.executable)) == {
        "error": "the checks did not run: pytest returned 4"
    }


@pytest.mark.parametrize(("code", "failed"), [("pass", []), ("assert False", ["test_it"])])
def test_checks_are_run_and_recorded(runner, tmp_path, monkeypatch, code, failed):
    """By a pytest of its own, in this environment; other entries stay."""
    (tmp_path / "some.txt").write_text("numpy==0\n")
    lines = ["def test_it(record_property):", "    record_property('episodes', 5)", f"    {code}"]
    (tmp_path / "check_some.py").write_text("\n".join(lines) + "\n")
    runner.RESULTS.write_text('{"other": {"checks": 1}}')
    assert called(runner, monkeypatch, "some", "--here") == len(failed)
    found = json.loads(runner.RESULTS.read_text())
    assert found["other"] == {"checks": 1}
    entry = found["some"]
    assert (entry["checks"], entry["failed"], entry["episodes"]) == (1, failed, 5)
    assert entry["versions"].keys() == {"numpy"} and entry["versions"]["numpy"][0].isdigit()
    assert entry["python"] == sys.version.split()[0]
    assert not list(tmp_path.glob("*.new"))


def test_results_are_written_whole_or_not_at_all(runner, monkeypatch):
    runner.RESULTS.write_text('{"other": {}}')
    monkeypatch.setattr(runner, "one", lambda *_: {"failed": [object()]})
    with pytest.raises(TypeError):
        called(runner, monkeypatch, "some", "--here")
    assert runner.RESULTS.read_text() == '{"other": {}}'


def test_an_unknown_framework_is_refused(runner, monkeypatch, capsys):
    monkeypatch.setattr(runner, "one", lambda *_: pytest.fail("it was run"))
    with pytest.raises(SystemExit) as stop:
        called(runner, monkeypatch, "some", "nothing")
    assert stop.value.code == 2
    assert "there is no framework 'nothing'; there are some" in capsys.readouterr().err
    assert not runner.RESULTS.exists()
