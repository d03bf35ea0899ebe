"""The command line: what it prints, and what it refuses."""

import doctest
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import msgspec
import numba
import pytest
from typer.testing import CliRunner

from backroom.envs import GAMES, configure
from backroom.envs.engine.record import Record, read_records, write_records
from backroom.evaluate.match import play_match
from backroom.train import ppo, sb3
from backroom.train.cli import LISTED, app
from backroom.train.commands import common, new_game, tools, training
from backroom.train.settings import PPOSettings, SB3Settings, load

ROOT = Path(__file__).parents[1]
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run(*args, code=0, given=None):
    """Run `backroom args` in this process."""
    result = CliRunner().invoke(app, [str(arg) for arg in args], input=given)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


def refused(*args, code=2):
    """The one sentence with which `backroom args` is refused."""
    result = run(*args, code=code)
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("backroom: ")
    assert result.stdout == ""
    return sentence.removeprefix("backroom: ")


def shell(*args, **options):
    """Run `backroom args` in a process of its own."""
    command = [sys.executable, "-m", "backroom.train", *map(str, args)]
    return subprocess.run(command, env=PLAIN, capture_output=True, text=True, **options)


def evaluated(*args):
    return json.loads(run("evaluate", *args, "--json").stdout)


@pytest.fixture
def games_file(tmp_path):
    path = tmp_path / "games.jsonl"
    write_records(path, play_match(configure("kuhn"), ["random"], 4, 7, keep=True).records())
    return path


@pytest.mark.parametrize("module", [common, new_game])
def test_examples(module):
    assert doctest.testmod(module).failed == 0


# All commands


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


# Options with several values


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
    ("args", "sentence"),
    [
        (["kuhn", "--set", "num_players"], "an option is set by name=value, not 'num_players'"),
        (["kuhn", "--set", "num_players=2"], "kuhn has no option 'num_players'"),
        (["cockroach_poker", "--set", "num_players=7"], "cockroach_poker: option num_players"),
        (["cockroach_poker", "--set", "num_players=x"], "cockroach_poker: option num_players"),
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


# backroom games


def test_games_lists_all():
    text = run("games").stdout
    for rules in GAMES.values():
        assert re.search(rf"^ {rules.name} +{rules.title} ", text, re.M)


def test_games_tells_all_of_one(default_game):
    text = run("games", default_game.name).stdout
    for field in msgspec.structs.fields(default_game.rules.options):
        assert re.search(rf"^ {field.name} ", text, re.M)
    for number, action in enumerate(default_game.actions):
        assert f"{number:>3} {action}" in text
    for part in default_game.facts.parts:
        assert re.search(rf"^ {part.name} ", text, re.M)
    assert f"{default_game.observation_size} cells" in text


def test_games_with_options():
    text = run("games", "cockroach_poker", "--set", "num_players=2").stdout
    assert "player_0 to player_1" in text
    assert re.search(r"^ num_players +2 +3 +2 to 6 +seats", text, re.M)
    assert refused("games", "--set", "a=1") == "--set wants a game"


# backroom evaluate


def test_evaluate_json():
    result = run("evaluate", "the_gang", "--games", "3", "--seed", "5", "--json")
    found = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert (found["game"], found["games"], found["seed"]) == ("the_gang", 3, 5)
    assert found["options"]["num_players"] == 3
    for name in ("heist_success", "game_win_rate"):
        assert set(found[name]) == {"mean", "low", "high"}
    (agent,) = found["agents"]
    assert agent["name"] == "random"
    assert agent["low"] <= agent["mean"] <= agent["high"]
    assert len(agent["seats"]) == 3


def test_evaluate_table():
    lines = run("evaluate", "cockroach_poker", "--games", "6").stdout.splitlines()
    assert lines[0].startswith("cockroach_poker_v0 with num_players=3")
    assert lines[1] == "6 games: 6 deals, 1 seatings each; seed 0"
    text = "\n".join(lines)
    for figure in ("return", "loss_rate", "return as player_2", "call_accuracy"):
        assert re.search(rf"{figure} +\S+ +\S+ to \S+", text)


def test_evaluate_in_a_process_prints_json_alone():
    done = shell("evaluate", "kuhn", "--games", "5", "--json", check=True)
    assert json.loads(done.stdout)["games"] == 5


def test_evaluate_records_games(tmp_path):
    path = tmp_path / "games.jsonl"
    found = evaluated("kuhn", "--games", "6", "--seed", "9", "--record", path)
    records = read_records(path)
    assert [record.seed for record in records] == [9, 10, 11, 12, 13, 14]
    mean = sum(record.returns[0] for record in records) / 6
    assert found["agents"][0]["seats"][0]["mean"] == pytest.approx(mean)
    assert run("verify", path).stdout == f"{path}: 6 games verified\n"


def test_workers_change_nothing(monkeypatch):
    from backroom.evaluate import match

    monkeypatch.setattr(match, "BLOCK", 4)
    few = evaluated("kuhn", "--games", "10")
    assert few == evaluated("kuhn", "--games", "10", "--workers", "2")


# backroom crossplay


def test_crossplay(tmp_path):
    path = tmp_path / "cross.svg"
    found = json.loads(run("crossplay", "kuhn", "--games", "10", "--plot", path, "--json").stdout)
    assert found["matrix"] == [[{"mean": 0, "low": 0, "high": 0}]]
    assert "<svg" in path.read_text()
    text = run("crossplay", "kuhn", "--games", "10").stdout
    assert re.search(r"random +0 \[0, 0\]", text)
    assert "different agents" in refused("crossplay", "kuhn", "--agents", "random", "random")


# backroom watch


def test_watch_live():
    text = run("watch", "kuhn", "--seed", "3").stdout
    assert text.startswith("Kuhn poker\n> player_0  card Q  chips 1\n  player_1  card J  chips 1\n")
    assert "* player_0 " in text
    assert re.search(r"player_0 \(random\) earned -?\d\nplayer_1 \(random\) earned -?\d\n$", text)
    assert run("watch", "kuhn", "--seed", "3").stdout == text
    assert run("watch", "kuhn", "--seed", "4").stdout != text


def test_watch_from_a_seat():
    text = run("watch", "kuhn", "--seed", "3", "--seat", "1").stdout
    first = text.split("\n\n")[0]
    assert "player_0  card ?" in first and "player_1  card J" in first
    assert "player_0 (random) earned" not in text
    assert "player_1 (random) earned" in text
    assert refused("watch", "kuhn", "--seat", "2") == "kuhn has seats 0 to 1, not 2"


def test_watch_live_is_what_its_record_says(tmp_path):
    path = tmp_path / "game.jsonl"
    for seat in ([], ["--seat", "0"]):
        args = ["watch", "cockroach_poker", "--seed", "2", *seat, "--odds"]
        live = run(*args, "--record", path).stdout
        assert "drawn from: " in live
        assert run("watch", path, *seat, "--odds").stdout == live
    read_records(path)[0].verify()


def test_watch_a_record(games_file):
    third = read_records(games_file)[2]
    text = run("watch", games_file, "--game", "2").stdout
    for view in third.views(None):
        assert view.table in text
    assert text.endswith(f"player_1 (random) earned {third.returns[1]:g}\n")
    assert refused("watch", games_file, "--game", "4").endswith("holds games 0 to 3, not 4")
    assert "for a live game" in refused("watch", games_file, "--agents", "random")
    assert "for files of records" in refused("watch", "kuhn", "--game", "0")


def test_watch_what_a_seat_saw(tmp_path, games_file):
    record = read_records(games_file)[0]
    path = tmp_path / "seat.jsonl"
    write_records(path, [record.seen_by(1)])
    assert run("watch", path).stdout == run("watch", games_file, "--seat", "1").stdout
    assert refused("watch", path, "--seat", "0") == "the record holds only what seat 1 saw"
    assert refused("watch", games_file, "--seat", "2") == "kuhn has seats 0 to 1, not 2"
    path.write_text(path.read_text().replace('"seat":1', '"seat":9'))
    assert "line 1: this is no whole record: seat is one of 0, 1, not 9" in refused("watch", path)


def test_watch_step_by_step():
    """One Enter a move; when there is nobody to press it, the game goes on."""
    text = run("watch", "kuhn", "--seed", "3").stdout
    for given in ("\n" * 9, ""):
        assert run("watch", "kuhn", "--seed", "3", "--step", given=given).stdout == text


def test_watch_at_a_speed(monkeypatch):
    waited = []
    monkeypatch.setattr("time.sleep", waited.append)
    text = run("watch", "kuhn", "--delay", "0.5").stdout
    assert waited == [0.5] * text.count("* player_")


@pytest.mark.parametrize("delay", ["inf", "nan", "-1", "1e9", "-inf"])
def test_watch_wants_a_delay_that_ends(delay):
    sentence = refused("watch", "kuhn", f"--delay={delay}")
    assert sentence.startswith("--delay is a number of seconds from 0 to 3600, not ")


# Files that cannot be written

NO_TARGETS = {
    "no folder": ("nowhere/x.png", "nowhere: there is no such folder"),
    "a folder": (".", "this is no ordinary file"),
    "in a file": ("file/x.png", "file: there is no such folder"),
    "read-only": ("/proc/x.png", "/proc: nothing can be written into this folder"),
}


@pytest.mark.parametrize(
    "command", [("evaluate", "--record"), ("watch", "--record"), ("crossplay", "--plot")]
)
@pytest.mark.parametrize(("target", "said"), NO_TARGETS.values(), ids=NO_TARGETS)
def test_a_file_that_cannot_be_written_is_noticed_first(
    monkeypatch, tmp_path, command, target, said
):
    """No game is played for nothing."""
    from backroom.envs.engine import recorder
    from backroom.evaluate import crossplay, match

    if target.startswith("/proc") and not Path("/proc").is_dir():
        pytest.skip("there is no folder /proc")
    for module, name in (
        (match, "play_match"), (crossplay, "play_match"), (recorder, "Recorder")
    ):  # fmt: skip
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("a game was begun"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    name, option = command
    if option == "--plot" and target == ".":
        (tmp_path / "x.png").mkdir()
        target = "x.png"
    assert said in refused(name, "kuhn", option, target)


def test_a_plot_of_no_known_format_is_refused_first(monkeypatch, tmp_path):
    from backroom.evaluate import crossplay

    monkeypatch.setattr(crossplay, "play_match", lambda *_, **__: pytest.fail("a game was begun"))
    for name in ("x", "x.txt", "png"):
        sentence = refused("crossplay", "kuhn", "--plot", tmp_path / name)
        assert sentence.startswith("a plot ends in one of") and "png" in sentence
    assert not list(tmp_path.iterdir())


# backroom verify


def test_verify_tells_each_bad_record(tmp_path, games_file):
    lines = games_file.read_text().splitlines()
    altered = json.loads(lines[1]) | {"seed": 10**6}
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([lines[0], json.dumps(altered), lines[2][:40], lines[3]]))
    result = run("verify", games_file, path, code=1)
    assert result.stdout == f"{games_file}: 4 games verified\n{path}: 2 games verified, 2 wrong\n"
    second, third = result.stderr.splitlines()
    assert second.startswith(f"{path}, line 2: ")
    assert third.startswith(f"{path}, line 3: this is no whole record: ")


def test_verify_files_that_are_none(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert "holds no record" in run("verify", empty, code=1).stderr
    assert refused("verify", tmp_path / "none.jsonl").endswith("No such file or directory")


def test_verify_refuses_other_rules(tmp_path, games_file):
    record = read_records(games_file)[0]
    path = tmp_path / "old.jsonl"
    write_records(path, [msgspec.structs.replace(record, game="kuhn_v9")])
    assert "version 9, these are the rules of kuhn_v0" in run("verify", path, code=1).stderr


# backroom train, bench, warm


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


# backroom new-game


@pytest.fixture
def checkout(tmp_path):
    """A copy of the source tree, and a way to run a module of it."""
    home = tmp_path / "backroom"
    for folder in ("envs", "agents", "evaluate", "train", "tests"):
        skip = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, home / folder, ignore=skip)

    def go(*args, **options):
        command = [sys.executable, "-m", *args]
        env = {**PLAIN, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(command, cwd=home, env=env, capture_output=True, text=True, **options)

    return home, go


def test_new_game_is_a_game(checkout):
    """It plays, is evaluated and recorded, and its golden games pass, once it is registered."""
    home, go = checkout
    said = go("backroom.train", "new-game", "skull_king", check=True).stdout
    assert "envs/skull_king is a copy of Kuhn poker" in said
    made = [*(home / "envs" / "skull_king").iterdir(), home / "envs" / "skull_king_v0.py"]
    made += (home / "tests" / "golden" / "skull_king").iterdir()
    assert len(made) == 10
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


@pytest.mark.parametrize("name", ["Skull", "2skull", "skull-king", "_skull", "class", "kuhn", ""])
def test_new_game_wants_a_name(name):
    sentence = refused("new-game", name)
    assert "lower case" in sentence or "is there already" in sentence


def test_new_game_wants_a_checkout(monkeypatch, tmp_path):
    monkeypatch.setattr(new_game, "ROOT", tmp_path)
    assert "source checkout only" in refused("new-game", "skull")


def test_record_of_the_command_is_the_record_of_the_library(tmp_path):
    path = tmp_path / "games.jsonl"
    evaluated("kuhn", "--games", "3", "--record", path)
    expected = play_match(configure("kuhn"), ["random"], 3, keep=True).records()
    assert [Record.from_json(line) for line in path.read_text().splitlines()] == list(expected)
