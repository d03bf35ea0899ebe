"""The page of results says what the file of results says."""

import pytest

from backroom.evaluate import results
from backroom.evaluate.statistics import Estimate


def test_the_page_is_made_from_the_file():
    rows = results.read()
    assert (results.ROOT / "RESULTS.md").read_text(encoding="utf-8") == results.page(rows)
    assert {row["table"] for row in rows} == {table.key for table in results.TABLES}
    assert all(row["command"].startswith(("backroom ", "python -m backroom.")) for row in rows)


def test_its_pictures_are_there():
    for table in results.TABLES:
        assert table.picture is None or (results.FOLDER / table.picture[0]).is_file()


def test_figures_are_written_with_the_digits_that_they_need():
    assert results.shown(Estimate(0.5, 0.4, 0.6)) == "0.500 ± 0.100"
    assert results.shown(Estimate(-0.0522430584, -0.0522430584, -0.0522430584), "value") == (
        "-0.052243"
    )
    assert results.shown(Estimate(24e6, 24e6, 24e6), "decisions") == "24,000,000"


def test_tables_that_cannot_be_made_are_named():
    with pytest.raises(SystemExit, match="there is no table hat; there are gang_scripted, "):
        results.main(["hat"])
    with pytest.raises(SystemExit, match="caribbean_learning are made one by one"):
        results.main(["caribbean_learning"])
