"""`make demo`, with hardly anything learnt."""

from pathlib import Path

import pytest
import typer

from backroom.agents.neural import name_of
from backroom.envs.engine.jit import COMPILED
from backroom.envs.engine.record_file import RecordFile
from backroom.train import demo, ppo

pytestmark = pytest.mark.skipif(not COMPILED, reason="an update in plain Python takes minutes")


@pytest.fixture
def short(monkeypatch):
    """One update a game."""
    monkeypatch.setattr(demo, "KUHN_BUDGET", "1_000")
    monkeypatch.setattr(demo, "LESSONS", [le._replace(budget="1_000") for le in demo.LESSONS])
    monkeypatch.setattr(demo, "GAMES", 30)


def test_the_demo_learns_three_games_and_leaves_games_to_watch(short, tmp_path, capsys):
    demo.main(tmp_path)
    told = capsys.readouterr().out
    assert "1 of 3: Kuhn poker, 1,000 decisions" in told and "3 of 3: The Gang" in told
    assert "What was learnt" in told
    for game in ("cockroach_poker", "the_gang"):
        assert (tmp_path / f"{game}.html").as_uri() in told
        records = RecordFile(tmp_path / f"{game}.jsonl")
        assert len(records) == 12
        assert "trained" in {name_of(Path(who.name)) for who in records.read(0).agents}
        assert (tmp_path / game / "trained" / "curve.png").exists()
    demo.main(tmp_path)  # nothing is left to learn
    again = capsys.readouterr().out
    assert again[again.index("What was learnt") :] == told[told.index("What was learnt") :]


def test_a_stop_says_how_to_go_on(short, tmp_path, capsys, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(ppo, "train", stop)
    with pytest.raises(typer.Exit) as ended:
        demo.main(tmp_path)
    assert ended.value.exit_code == 130
    assert "the same command goes on" in capsys.readouterr().out
