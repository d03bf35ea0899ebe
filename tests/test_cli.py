"""The command line: help, options, what it refuses."""

import doctest
import re
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import msgspec
import numba
import pytest
from command import PLAIN, evaluated, refused, run, shell
from typer.testing import CliRunner

from backroom.envs import GAMES, configure
from backroom.train import ppo, sb3
from backroom.train.cli import LISTED, app
from backroom.train.commands import common, new_game, tools, training
from backroom.train.settings import PPOSettings, SB3Settings, load


@pytest.mark.parametrize("module", [common, new_game])
def test_examples(module):
    assert doctest.testmod(module).failed == 0


def test_help_is_quick():
    """Nothing slow is imported for a help text or the version."""
    code = (
        "import sys, runpy; sys.argv = ['backroom', '--help']\n"
        "try: runpy.run_module('backroom.train', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "slow = {'numba', 'numpy', 'gymnasium', 'scipy', 'torch', 'matplotlib', 'rich'}\n"
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=PLAIN, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
    assert "Commands:" in done.stdout


@pytest.mark.parametrize("name", [name for name, *_ in LISTED])
def test_help_has_examples(name):
    text = run(name, "--help").stdout
    _, _, examples = text.partition("Examples:")
    assert f"backroom {name}" in examples
    summary = re.search(rf"^  {name} +(.*)$", run("--help").stdout, re.M)[1]
    assert summary.endswith(".") and "..." not in summary, "the first sentence is too long to list"


@pytest.mark.parametrize("name", ["games", "evaluate", "crossplay", "watch", "train", "warm"])
def test_unknown_game(name):
    assert "there is no game 'skat'; there are" in refused(name, "skat").replace(
        "there is no game or file 'skat'; the games are", "there is no game 'skat'; there are"
    )
    assert "'kuhnn' (did you mean kuhn?); the" in refused(name, "kuhnn")


def test_version():
    assert run("--version").stdout == f"backroom {version('backroom')}\n"


def test_usage_errors_are_short_and_end_with_2():
    for args in (["evaluate"], ["nonsense"], ["evaluate", "kuhn", "--games", "0"], ["verify"]):
        result = run(*args, code=2)
        assert result.stdout == ""
        assert "Error:" in result.stderr and "Traceback" not in result.stderr


def test_no_command_shows_help():
    assert "Commands:" in CliRunner().invoke(app, []).output


def test_process_ends_with_one_sentence():
    done = shell("evaluate", "kuhn", "--agents", "nobody")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("backroom: there is no agent 'nobody' for kuhn")
    assert done.stderr.count("\n") == 1


def test_debugging_shows_where_an_error_came_from(monkeypatch):
    monkeypatch.setenv("BACKROOM_DEBUG", "1")
    with pytest.raises(ValueError, match="no game 'skat'"):
        run("evaluate", "skat")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals")
def test_interrupt_ends_with_130():
    command = [sys.executable, "-m", "backroom.train", "watch", "kuhn", "--delay", "60"]

    def listen():  # whoever starts the tests in the background lets them ignore the signal
        signal.signal(signal.SIGINT, signal.default_int_handler)

    with subprocess.Popen(
        command, env=PLAIN, stdout=-1, stderr=-1, text=True, preexec_fn=listen
    ) as process:
        try:
            assert process.stdout.readline().startswith("Kuhn poker")
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=50)
        finally:
            process.kill()
    assert process.returncode == 130
    assert said == "backroom: stopped\n"


@pytest.mark.parametrize(
    "agents",
    [
        ["--agents", "random", "random"],
        ["--agents", "random", "--agents", "random"],
        ["--agents", "random,random"],
        ["--agents=random", "random"],
        ["--agents=random,random"],
    ],
)
def test_several_agents(agents):
    found = evaluated("kuhn", *agents, "--games", "10")
    assert [agent["name"] for agent in found["agents"]] == ["random"]
    assert found == evaluated("kuhn", "--games", "10")


@pytest.mark.parametrize(
    "changes",
    [
        ["--set", "num_players=4", "all_kinds=false"],
        ["--set", "num_players=4", "--set", "all_kinds=0"],
        ["--set=num_players=3", "all_kinds=False", "num_players=4"],
    ],
)
def test_options_of_the_game(changes):
    found = evaluated("cockroach_poker", *changes, "--games", "2")
    assert found["options"]["num_players"] == 4
    assert found["options"]["all_kinds"] is False


def test_spread():
    several = {"--agents"}
    spread = common.spread
    assert spread(["--agents", "a", "--seed", "1", "x"], several) == [
        *("--agents", "a", "--seed", "1", "x")
    ]
    assert spread(["--agents=a", "b", "--", "c"], several) == [
        *("--agents=a", "--agents", "b", "--", "c")
    ]
    assert spread(["-", "--agents", "-", "-"], several) == ["-", "--agents", "-", "--agents", "-"]


@pytest.mark.parametrize(
    "args",
    [
        ("evaluate", "kuhn", "--agents", "--games", "60"),
        ("evaluate", "kuhn", "--games", "60", "--agents"),
        ("crossplay", "kuhn", "--agents", "--", "x"),
        ("evaluate", "kuhn", "--agents", "random", "--agents", "--json"),
    ],
)
def test_an_option_without_a_value_is_named(args):
    assert refused(*args) == "--agents stands there without a value"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["kuhn", "--set", "num_players"], "an option is set by name=value, not 'num_players'"),
        (["kuhn", "--set", "num_players=2"], "kuhn has no option 'num_players'"),
        *(
            (
                ["cockroach_poker", "--set", f"num_players={value}"],
                f"cockroach_poker: option num_players takes 2 to 6, not {value}",
            )
            for value in ("7", "x", "2.5")
        ),
        (["kuhn", "--agents", "random,,random"], "an agent's name is missing"),
        (["kuhn", "--agents", "random", "random", "random"], "kuhn has 2 seats, not 3"),
        (["kuhn", "--agents", "none.safetensors"], "there is no file none.safetensors"),
        (["kuhn", "--seed", "-1"], "a seed is an integer from 0 to"),
        (["kuhn", "--record", "nowhere/games.jsonl"], "nowhere: there is no such folder"),
    ],
)
def test_bad_input_is_refused(args, sentence):
    assert sentence in refused("evaluate", *args)


def test_file_names_may_hold_commas(tmp_path):
    path = tmp_path / "a,b.zip"
    path.touch()
    assert common.names_of([str(path), "x,y"]) == [str(path), "x", "y"]


def test_games_lists_all():
    text = run("games").stdout
    for rules in GAMES.values():
        assert re.search(rf"^ {rules.name} +{rules.title} ", text, re.M)


def test_games_tells_all_of_one(default_game):
    text = run("games", default_game.name).stdout
    for field in msgspec.structs.fields(default_game.rules.options):
        assert re.search(rf"^  {field.name}=\S+$", text, re.M)
    for number, action in enumerate(default_game.actions):
        assert f"{number:>3} {action}" in text
    for part in default_game.facts.parts:
        assert re.search(rf"^ {part.name} ", text, re.M)
    assert f"{default_game.observation_size} cells" in text


def test_games_with_options():
    text = run("games", "cockroach_poker", "--set", "num_players=2").stdout
    assert "player_0 to player_1" in text
    assert re.search(r"^  num_players=2  .default: 3.\n +seats *\n +values: 2 to 6", text, re.M)
    assert refused("games", "--set", "a=1") == "--set wants a game"


def test_train_hands_on_what_it_is_told(monkeypatch, tmp_path):
    told = []
    for module in (ppo, sb3):
        monkeypatch.setattr(module, "train", lambda *args: told.append(args))
    (tmp_path / "c.toml").write_text("epochs = 9")
    run("train", "kuhn", "--set", "seed=4")
    run("train", "kuhn", "--algorithm", "sb3")
    run(
        *("train", "the_gang", "--config", tmp_path / "c.toml", "--out", "o"),
        *("--algorithm", "sb3", "--set", "num_players=4", "games=8", "--resume"),
    )
    first, second, third = told
    assert first == (load(PPOSettings, "kuhn", None, ["seed=4"]), Path("runs/kuhn-4"), False)
    assert second == (load(SB3Settings, "kuhn"), Path("runs/kuhn-sb3-0"), False)
    settings, *others = third
    assert (settings.epochs, settings.games, others) == (9, 8, [Path("o"), True])
    assert settings.make_game() is configure("the_gang", num_players=4)


def test_train_without_torch(monkeypatch):
    def missing(name):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(training, "import_module", missing)
    assert refused("train", "kuhn").startswith("training needs torch: install the extra")


def test_bench_runs_the_benchmark(monkeypatch, tmp_path):
    monkeypatch.setattr(tools, "ROOT", tmp_path)
    assert "source checkout only" in refused("bench")
    (tmp_path / "benchmarks").mkdir()
    told = tmp_path / "told"
    (tmp_path / "benchmarks" / "throughput.py").write_text(
        f"import sys; open({str(told)!r}, 'w').write(' '.join(sys.argv[1:])); sys.exit(3)"
    )
    run("bench", "--json", "--seconds", "2", code=3)
    assert told.read_text() == "--json --seconds 2"


def test_warm():
    if numba.config.DISABLE_JIT:
        assert "there is nothing to compile" in refused("warm", "kuhn")
        return
    lines = run("warm", "kuhn").stdout.splitlines()
    assert {"kuhn: records", "kuhn: search"} <= {line.rpartition(",")[0] for line in lines}
