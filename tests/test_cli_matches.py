"""`backroom evaluate`, `crossplay`, `watch` and `verify`."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from command import ROOT, evaluated, refused, run, shell

from backroom.envs import configure
from backroom.envs.engine.record import Record
from backroom.envs.engine.record_file import read_records, write_records
from backroom.evaluate.match import play_match


@pytest.fixture
def games_file(tmp_path):
    path = tmp_path / "games.jsonl"
    write_records(path, play_match(configure("kuhn"), ["random"], 4, 7, keep=True).records())
    return path


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
    assert lines[1] == "6 games: 6 deals, 1 seating each; seed 0"
    text = "\n".join(lines)
    for figure in ("loss_rate", "return as player_2", "call_accuracy"):
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


def test_crossplay(tmp_path):
    path = tmp_path / "cross.svg"
    two = ("crossplay", "kuhn", "--games", "10", "--agents", "random", "ppo-1")
    found = json.loads(run(*two, "--plot", path, "--json").stdout)
    assert [found["matrix"][i][i] for i in range(2)] == [{"mean": 0, "low": 0, "high": 0}] * 2
    assert "<svg" in path.read_text()
    assert re.search(r"random +0  ", run(*two).stdout)
    nobody, one = refused("crossplay", "kuhn"), refused("crossplay", "kuhn", "--agents", "ppo-1")
    assert nobody == "cross-play wants at least two agents: name them by --agents"
    assert one == "cross-play wants at least two agents, not ppo-1 alone"
    assert "different agents" in refused("crossplay", "kuhn", "--agents", "random", "random")


def test_what_is_exact_has_no_interval():
    """What one loses the others win, so that who plays itself earns 0."""
    text = run("evaluate", "cockroach_poker", "--games", "40").stdout
    assert re.search(r"random +return +0 +exact *$", text, re.M)


@pytest.fixture
def weights(tmp_path):
    """Two files of weights whose paths are long."""
    folder = tmp_path / "a_folder_with_a_long_name" / "another_folder_with_a_long_name"
    files = [folder / run / "policy.safetensors" for run in ("first", "second")]
    for number, file in enumerate(files, 1):
        file.parent.mkdir(parents=True)
        file.write_bytes((ROOT / f"agents/pretrained/kuhn/ppo-{number}.safetensors").read_bytes())
    return files


def test_tables_shorten_names_and_never_break_numbers(weights, tmp_path):
    pair = ("--agents", *weights, "--games", "40")
    text = run("evaluate", "kuhn", *pair).stdout
    assert not re.search(r"policy|long_name", text)
    rows = [re.split(r" {2,}", line.rstrip()) for line in text.splitlines()[5:]]
    assert rows[0][0] == " first" and rows[0][1] == "return"
    assert all(re.fullmatch(r"\S+ to \S+|exact", row[-1]) for row in rows if row != [""])
    assert "return less that of second" in text
    assert re.search(
        r"^ first +0 +\S+ \[\S+, \S+\] *$", run("crossplay", "kuhn", *pair).stdout, re.M
    )


def test_records_are_a_line_a_game(weights, tmp_path):
    path = tmp_path / "games.jsonl"
    run("evaluate", "kuhn", "--agents", weights[0], "--games", "3", "--record", path)
    lines = run("records", path).stdout.splitlines()
    assert [line.split()[:4] for line in lines[3:6]] == [
        [str(k), "kuhn_v0", "first", "x2"] for k in range(3)
    ]
    assert run("records", path, "--agents", "first").stdout.endswith("3 of 3 games\n")
    assert run("records", path, "--agents", weights[0]).stdout.endswith("3 of 3 games\n")
    assert run("records", path, "--agents", "second").stdout == "0 of 3 games\n"


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


@pytest.mark.parametrize("name", ["k.png", "k", "html", "k.html.gz"])
def test_watch_writes_pages_only(monkeypatch, tmp_path, name, games_file):
    monkeypatch.chdir(tmp_path)
    for source in ("kuhn", games_file):
        sentence = f"{name}: a page ends in .html or .htm"
        assert refused("watch", source, "--html", name) == sentence
    assert not (tmp_path / name).exists()
    run("watch", "kuhn", "--html", "k.HTM")
    assert (tmp_path / "k.HTM").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("delay", ["inf", "nan", "-1", "1e9", "-inf"])
def test_watch_wants_a_delay_that_ends(delay):
    sentence = refused("watch", "kuhn", f"--delay={delay}")
    assert sentence.startswith("--delay is a number of seconds from 0 to 3600, not ")


NO_TARGETS = {
    "no folder": ("nowhere/x.png", "nowhere: there is no such folder"),
    "a folder": (".", "this is no ordinary file"),
    "in a file": ("file/x.png", "file: there is no such folder"),
    "read-only": ("/proc/x.png", "/proc: nothing can be written into this folder"),
}


@pytest.mark.parametrize(
    "command",
    [("evaluate", "--record"), ("watch", "--record"), ("watch", "--html"), ("crossplay", "--plot")],
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
        (match, "play_match"), (crossplay, "play_matches"), (recorder, "Recorder")
    ):  # fmt: skip
        monkeypatch.setattr(module, name, lambda *_, **__: pytest.fail("a game was begun"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    name, option = command
    if option == "--plot" and target == ".":
        (tmp_path / "x.png").mkdir()
        target = "x.png"
    if option == "--html":
        target = target.replace("x.png", "x.html")
        if target == ".":
            (tmp_path / "x.html").mkdir()
            target = "x.html"
    assert said in refused(name, "kuhn", option, target)


def test_a_plot_of_no_known_format_is_refused_first(monkeypatch, tmp_path):
    from backroom.evaluate import crossplay

    monkeypatch.setattr(crossplay, "play_matches", lambda *_, **__: pytest.fail("a game was begun"))
    for name in ("x", "x.txt", "png"):
        sentence = refused("crossplay", "kuhn", "--plot", tmp_path / name)
        assert sentence.startswith("a plot ends in one of") and "png" in sentence
    assert not list(tmp_path.iterdir())


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


def test_record_of_the_command_is_the_record_of_the_library(tmp_path):
    path = tmp_path / "games.jsonl"
    evaluated("kuhn", "--games", "3", "--record", path)
    expected = play_match(configure("kuhn"), ["random"], 3, keep=True).records()
    assert [Record.from_json(line) for line in path.read_text().splitlines()] == list(expected)


def test_verify_tells_the_first_bad_records_of_many(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text("{}\n" * 30)
    told = run("verify", path, code=1).stderr.splitlines()
    assert len(told) == 21 and told[-1] == "... and 10 more"
