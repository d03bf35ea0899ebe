"""`backroom verify`: whether records are what they say."""

from pathlib import Path
from typing import Annotated

import typer

from .common import FAILED, progress

MOST = 20
"""Sentences on wrong records of one file; more of them say nothing new."""


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Files of records.")],
) -> None:
    """Play recorded games again and compare.

    What must agree are the moves, the returns and the last state. Ends with code 1 and a sentence
    for each record that is wrong (the first 20 of a file), or for a file that is none of records.
    """
    if not all([_verify(path) for path in files]):
        raise typer.Exit(FAILED)


def _verify(path: Path) -> bool:
    """Whether all records of the file are right."""
    from backroom.envs.engine.names import several
    from backroom.envs.engine.record import RecordError
    from backroom.envs.engine.record_file import verify_file

    try:
        with progress(f"{path}", path.stat().st_size) as tell:
            good, wrong = verify_file(path, tell)
    except RecordError as error:
        typer.echo(f"backroom: {error}", err=True)
        return False
    for sentence in wrong[:MOST]:
        typer.echo(sentence, err=True)
    if len(wrong) > MOST:
        typer.echo(f"... and {len(wrong) - MOST} more", err=True)
    count = f"{several(good, 'game')} verified"
    typer.echo(f"{path}: {count}" + (f", {len(wrong)} wrong" if wrong else ""))
    return not wrong
