"""How tests run the command `backroom`."""

import json
import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from backroom.train.cli import app

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
