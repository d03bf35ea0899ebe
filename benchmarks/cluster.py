"""Matches on one worker and on two: this thread, processes, Ray; and what is sent.

    python benchmarks/cluster.py [--game GAME] [--agents NAME ...] [--blocks N] [--json]

All ways play the same match in one run, one after the other, after they have played a block to warm
up. What a block costs beyond its games is measured on blocks of two games of Kuhn poker.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from backroom.envs import configure
from backroom.evaluate import match
from backroom.evaluate.executors import Way, opened, packed
from backroom.evaluate.match import BLOCK, planned, play_match, play_part
from backroom.evaluate.ray_executor import pickled

WAYS: tuple[tuple[Way, int], ...] = (
    ("local", 1), ("process", 1), ("process", 2), ("ray", 1), ("ray", 2)
)  # fmt: skip
SMALL = 200
"""Blocks of two games."""
KEPT = {"result": {}, "moves": {"keep": True}, "moves and odds": {"keep": True, "think": True}}
"""What of a block is sent back."""


def measured(game: Any, agents: list[str], blocks: int) -> Iterator[dict[str, Any]]:
    """Of each way: seconds of a match; milliseconds of a small block, in all and at the driver."""
    for way, workers in WAYS:
        begun = time.perf_counter()
        with opened(way, None if way == "local" else workers) as executor:
            play = partial(play_match, game, agents, executor=executor)
            play(workers * BLOCK)
            ready = time.perf_counter()
            play(blocks * BLOCK)
            done, own = time.perf_counter(), time.process_time()
            match.BLOCK = 2
            try:
                play_match(configure("kuhn"), ["random"], 2 * SMALL, executor=executor)
            finally:
                match.BLOCK = BLOCK
        yield {
            "way": way,
            "workers": workers,
            "start": ready - begun,
            "seconds": done - ready,
            "small": (time.perf_counter() - done) / SMALL * 1000,
            "driver": (time.process_time() - own) / SMALL * 1000,
        }


def sizes(game: Any, agents: list[str]) -> dict[str, int]:
    """Bytes that a match sends: once to each node, and back for each block."""
    found = {}
    for name, kept in KEPT.items():
        whole = planned(game, agents, BLOCK, 0, **kept)
        found["agents"] = len(pickled(partial(play_part, [whole])))
        found[name] = len(packed(play_part([whole], (0, 0, whole.deals))))
    return found


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="cockroach_poker")
    parser.add_argument("--agents", nargs="+", default=["ppo-1"])
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--json", action="store_true", help="one JSON object, and nothing else")
    asked = parser.parse_args()
    game = configure(asked.game)
    rows = list(measured(game, asked.agents, asked.blocks))
    sent = sizes(game, asked.agents)
    if asked.json:
        print(json.dumps({"cpus": os.cpu_count(), "rows": rows, "bytes": sent}))
        return
    heads = ("start, s", "match, s", "speed-up", "small block, ms", "driver's CPU, ms")
    table = Table("executor", "workers", *heads)
    first = rows[0]["seconds"]
    for row in rows:
        figures = (f"{row['start']:.1f}", f"{row['seconds']:.1f}", f"{first / row['seconds']:.2f}")
        table.add_row(
            row["way"],
            str(row["workers"]),
            *figures,
            *(f"{row[k]:.1f}" for k in ("small", "driver")),
        )
    out = Console()
    games = asked.blocks * BLOCK
    out.print(f"{asked.game}, {', '.join(asked.agents)}: {games:,} games, {os.cpu_count()} CPUs")
    out.print(table)
    out.print("bytes:", ", ".join(f"{name} {size:,}" for name, size in sent.items()))


if __name__ == "__main__":
    main()
