"""`backroom verify`: whether records are what they say."""

from pathlib import Path
from typing import Annotated

import typer

from .common import FAILED, progress


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of records.")],
) -> None:
    """Play recorded games again and compare.

    What must agree are the moves, the returns and the last state. Ends with code 1 and a sentence
    for each record that is wrong.
    """
    bad = 0
    for path in files:
        bad += _verify(path)
    if bad:
        raise typer.Exit(FAILED)


def _verify(path: Path) -> int:
    """How many records of the file are wrong."""
    from backroom.envs.engine.record import Record, RecordError, read_lines

    good = bad = 0
    try:
        with progress(f"{path}", path.stat().st_size) as tell:
            for number, line in read_lines(path):
                try:
                    Record.from_json(line).verify()
                    good += 1
                except RecordError as error:
                    bad += 1
                    typer.echo(f"{path}, line {number}: {error}", err=True)
                if tell:
                    tell(len(line))
    except RecordError as error:
        bad += 1
        typer.echo(str(error), err=True)
    typer.echo(f"{path}: {good} games verified" + (f", {bad} wrong" if bad else ""))
    return bad
