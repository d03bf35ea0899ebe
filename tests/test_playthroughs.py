"""A change of rules or observations shows, and raises the version."""

from playthroughs import FOLDER, playthrough


def test_the_game_is_the_one_that_its_version_names(rules):
    path = FOLDER / f"{rules.id}.txt"
    assert path.exists(), "a new version: run `python tests/playthroughs.py`"
    assert playthrough(rules) == path.read_text(), (
        f"{rules.id} plays differently than it did: raise its version, or make the change invisible"
    )
