"""What a killed run goes on from: arrays, and plain data as text beside them. No pickle."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from safetensors import SafetensorError, safe_open

from backroom.agents.neural import to_bytes
from backroom.envs import Game

from .runs import Run, write_atomically
from .settings import Settings, convert

FREE = (
    "threads",
    "runners",
    "learners",
    "cores",
    "evaluate_games",
    "evaluate_every",
    "checkpoint_every",
    "total_decisions",
)
"""Settings that a run need not keep when it goes on."""


Count = Annotated[int, msgspec.Meta(ge=0)]


class Header(msgspec.Struct):
    """What stands in every checkpoint beside the arrays."""

    game: str
    """The game, by its id."""
    settings: dict[str, Any]
    """Those of the training."""
    updates: Count
    """So far, and"""
    decisions: Count
    """those that were learned from."""
    past: list[Count]
    """After how many decisions the former selves were made."""
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    """That it took."""
    curve: list[dict[str, float]]
    """The evaluations."""


def write_tensors(path: Path, arrays: Mapping[str, np.ndarray], header: Mapping[str, Any]) -> None:
    """Write a checkpoint, atomically: arrays, and plain data as JSON in the header."""
    text = {name: json.dumps(value) for name, value in header.items()}
    write_atomically(path, lambda new: new.write_bytes(to_bytes(arrays, text)))


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays and the plain data of a checkpoint.

    Raises:
        ValueError: with a sentence, if the file is damaged.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}
            return arrays, {k: json.loads(v) for k, v in (file.metadata() or {}).items()}
    except (SafetensorError, OSError, ValueError) as error:
        raise ValueError(f"{path} is no readable checkpoint: {error}") from None


def under(prefix: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays whose names begin with `prefix`, by the rest of their names."""
    return {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}


def go_on(
    path: Path,
    game: Game,
    settings: Settings,
    run: Run,
    take: Callable[[dict[str, np.ndarray], dict[str, Any]], None],
) -> None:
    """Go on from a checkpoint: `take` is given its arrays and its plain data.

    Raises:
        ValueError: with a sentence, if it is damaged or belongs to a run with other settings.
    """
    arrays, header = read_tensors(path)
    try:
        msgspec.convert(header, Header)
    except msgspec.ValidationError as error:
        raise ValueError(f"{path} is no checkpoint of this training: {error}") from None
    check_header(path, header, game, settings)
    try:
        take(arrays, header)
    except (LookupError, TypeError, ValueError, RuntimeError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"{path} is no checkpoint of this training: {reason}") from None
    run.resumed(header["decisions"], header["seconds"], header["curve"])


def check_arrays(
    what: str, found: Mapping[str, np.ndarray], wanted: Mapping[str, np.ndarray]
) -> None:
    """Whether arrays have the names, shapes and types of those that are wanted.

    Raises:
        ValueError: with the name of one that has not, which begins with `what`.
    """
    for name in sorted(found.keys() | wanted.keys()):
        here, there = (arrays.get(name) for arrays in (found, wanted))
        kinds = [None if a is None else f"{a.dtype}{list(a.shape)}" for a in (here, there)]
        if kinds[0] != kinds[1]:
            has, wants = (kind or "nothing" for kind in kinds)
            raise ValueError(f"{what}.{name} is {has}, not {wants}")


def adam_memory(weights: np.ndarray, step: np.dtype | None = None) -> dict[str, np.ndarray]:
    """Arrays of the names, shapes and types of what Adam keeps of a parameter like `weights`.

    It counts steps in float32, unless `step` tells another type.
    """
    return {"step": np.zeros((), step or np.float32), "exp_avg": weights, "exp_avg_sq": weights}


def check_header(path: Path, header: Mapping[str, Any], game: Game, settings: Settings) -> None:
    """Whether a training of `game` with these settings can go on from a checkpoint.

    Args:
        path: the checkpoint.
        header: what is in it beside the arrays: `game`, `settings`, `decisions`.
        game: the game to train.
        settings: those of the training.

    Raises:
        ValueError: with a sentence, if not.
    """
    if header["game"] != game.rules.id:
        raise ValueError(f"{path} is of {header['game']}, not {game.rules.id}")
    try:
        old, new = convert(type(settings), header["settings"]), settings
    except ValueError as error:
        raise ValueError(f"{path} was made with settings that are none now: {error}") from None
    if new.total_decisions < min(old.total_decisions, header["decisions"]):
        raise ValueError(
            f"{path} was made after {header['decisions']:,} decisions: a run is extended by "
            f"more of them, not cut to {new.total_decisions:,}"
        )
    for name in type(settings).__struct_fields__:
        before, now = getattr(old, name), getattr(new, name)
        if name not in FREE and before != now:
            raise ValueError(
                f"{path} was made with {name} = {before}, not {now}: a run goes on with the "
                "settings that it began with"
            )
