"""How fast the games are, beside PettingZoo's texas_holdem_v4 on the same machine in the same run.

    python benchmarks/throughput.py                  # the table, about two minutes
    python benchmarks/throughput.py --json           # the same for programs
    python benchmarks/throughput.py --cold           # compile times too, into an empty cache

All play random legal actions; a step is one decision, with the mover's observation and mask
produced. Every measurement is repeated in turn with all others, and the median is shown; a ratio
is the median of the repetitions' ratios. The machine's speed wanders: only ratios mean something.
Threads write what the caller reads, so how far two cores are from each other is measured as well:
a virtual machine may find them on one chip now and on two a second later.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Column, Table

from backroom.envs import GAMES, make, make_batch
from backroom.envs.engine.batch import random_legal
from backroom.envs.engine.jit import jit
from backroom.envs.engine.rng import STREAM
from backroom.envs.engine.threads import add

YARDSTICK = "texas_holdem_v4"
REFERENCE = 6000
"""Steps/s of the yardstick on the machine for which the batch targets are stated."""
TARGETS = {"single": 5 * REFERENCE, "batch": 3_000_000, "gangster_paradise batch": 1_000_000}
"""Steps/s to reach there, as multiples of the yardstick here."""

THREADS = 1.7
"""What two threads are to do to one, with two cores that have nothing else to do."""

COLD = """
import time
start = time.perf_counter()
import backroom.envs as envs
imported = time.perf_counter() - start
env = envs.make({name!r}); env.reset(seed=0); env.last()
single = time.perf_counter() - start - imported
envs.make_batch({name!r}, 16)
print(imported, single, time.perf_counter() - start - imported - single)
"""


def play_single(env: object, seconds: float) -> float:
    """Steps/s of a PettingZoo environment through `agent_iter` and `last`."""
    pick = np.random.default_rng(0)
    env.reset(seed=0)  # type: ignore[attr-defined]
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        env.reset()  # type: ignore[attr-defined]
        for _ in env.agent_iter():  # type: ignore[attr-defined]
            observation, _, over, cut, _ = env.last()  # type: ignore[attr-defined]
            if over or cut:
                env.step(None)  # type: ignore[attr-defined]
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(pick.random() * len(legal))]))  # type: ignore[attr-defined]
            steps += 1
    return steps / (time.perf_counter() - start)


def single(game: str, seconds: float) -> float:
    """Steps/s of one game after the other."""
    return play_single(make(game), seconds)


def play_batch(game: str, games: int, threads: int, seconds: float) -> float:
    """Steps/s of `games` games at once; choosing the actions is not counted."""
    batch, chance = make_batch(game, games, threads=threads), np.zeros(1, STREAM)
    actions = np.zeros(games, np.int64)
    steps, spent = 0, 0.0
    while spent < seconds:
        random_legal(batch.masks, chance, actions)
        start = time.perf_counter()
        batch.step(actions)
        spent += time.perf_counter() - start
        steps += games
    return steps / spent


def yardstick(seconds: float) -> float:
    """Steps/s of PettingZoo's own hold'em."""
    from pettingzoo.classic import texas_holdem_v4

    return play_single(texas_holdem_v4.env(), seconds)


@jit(nogil=True)
def hand_over(ball: np.ndarray, player: int, times: int) -> None:
    """Count `ball`, int64[1], on whenever it is the turn of `player`, 0 or 1; so often."""
    for _ in range(times):
        while add(ball, 0, 0) % 2 != player:
            pass
        add(ball, 0, 1)


def core_to_core(times: int = 2000) -> float:
    """Nanoseconds until what one core wrote has been seen by another: the least of three tries."""
    tries = []
    for _ in range(3):
        ball = np.zeros(1, np.int64)
        other = threading.Thread(target=hand_over, args=(ball, 1, times))
        other.start()
        hand_over(ball, 0, times // 10)  # until both are awake
        start = time.perf_counter()
        hand_over(ball, 0, times - times // 10)
        tries.append(time.perf_counter() - start)
        other.join()
    return min(tries) / (times - times // 10) / 2 * 1e9


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Lists = dict[str, list[float]]
"""Figures by name, one a repetition."""


def measure(games: list[str], batch: int, repeats: int, seconds: float) -> tuple[Lists, Lists]:
    """The speeds of everything, each repetition in turn; for two threads, how far cores are."""
    runs: dict[str, Callable[[], float]] = {YARDSTICK: partial(yardstick, seconds)}
    for game in games:
        runs[f"{game} single"] = partial(single, game, seconds)
        for threads in (1, 2):
            runs[f"{game} batch {threads}"] = partial(play_batch, game, batch, threads, seconds)
    for run in runs.values():
        run()
    several = cores() > 1
    if several:
        core_to_core()
    speeds: Lists = {name: [] for name in runs}
    apart: Lists = {name: [] for name in runs if name.endswith("batch 2")}
    for _ in range(repeats):
        for name, run in runs.items():
            speeds[name].append(run())
            if several and name in apart:
                apart[name].append(core_to_core())
    return speeds, apart


def ratio(speeds: Lists, name: str, base: str) -> float:
    """How many times faster `name` is than `base`."""
    return statistics.median(a / b for a, b in zip(speeds[name], speeds[base], strict=True))


def start_up(game: str, cache: str) -> list[float]:
    """Seconds to import, to the first move of a single game, to the first of a batch."""
    output = subprocess.run(
        [sys.executable, "-c", COLD.format(name=game)],
        env={**os.environ, "BACKROOM_CACHE": cache},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [float(x) for x in output.split()]


def compile_times(games: list[str]) -> dict[str, dict[str, list[float]]]:
    """Start-up of each game with an empty cache and with a full one."""
    times = {}
    for game in games:
        with tempfile.TemporaryDirectory() as cache:
            times[game] = {"cold": start_up(game, cache), "warm": start_up(game, cache)}
    return times


def show(
    speeds: Lists, apart: Lists, starts: dict[str, dict[str, list[float]]], batch: int
) -> None:
    """All tables, for people."""
    console = Console()
    table = Table(
        "what",
        "steps/s",
        "times the yardstick",
        "target",
        title="Random legal play",
        caption=f"The yardstick is PettingZoo's {YARDSTICK}. `batch 1`, `batch 2`: {batch:,} games "
        "on one thread and on two. Ratios are medians over the repetitions, and so not the "
        "quotients of the medians beside them. Targets that were missed are marked.",
    )
    threads = Table(
        Column("game", no_wrap=True),
        "times as fast",
        "target",
        "by repetition",
        "ns apart",
        title="Two threads against one",
        caption="Apart: until one core sees what another wrote, after each run. Threads and their "
        "caller share actions and masks, and gain less from cores that have no cache in common.",
    )
    for name, values in speeds.items():
        speed, times = statistics.median(values), ratio(speeds, name, YARDSTICK)
        kind = name.split()[1] if " " in name else ""
        goal = TARGETS.get(name[:-2], TARGETS.get(kind)) if not name.endswith("2") else None
        wanted = f"{goal / REFERENCE:.0f}" if goal and not name.startswith("kuhn") else ""
        if wanted and times < goal / REFERENCE:  # type: ignore[operator]
            wanted += ", missed"
        table.add_row(name, f"{speed:,.0f}", f"{times:,.1f}", wanted)
    console.print(table)
    for name, distances in apart.items():
        gain = ratio(speeds, name, name[:-1] + "1")
        gains = [b / a for a, b in zip(speeds[name[:-1] + "1"], speeds[name], strict=True)]
        threads.add_row(
            name.split()[0],
            f"{gain:.2f}",
            f"{THREADS:.1f}" + (", missed" if gain < THREADS else ""),
            " ".join(f"{g:.2f}" for g in gains),
            " ".join(f"{d:.0f}" for d in distances),
        )
    console.print(threads)
    if starts:
        table = Table(
            "game", "cache", "import", "first single game", "first batch", title="Seconds"
        )
        for game, kinds in starts.items():
            for kind, values in kinds.items():
                table.add_row(game, kind, *(f"{v:.1f}" for v in values))
        console.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", help="all if none is named")
    parser.add_argument("--batch", type=int, default=4096, help="games at once (4096)")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="a measurement takes")
    parser.add_argument("--cold", action="store_true", help="measure compile times too")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    games = options.games or list(GAMES)
    if unknown := set(games) - set(GAMES):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(GAMES)}")
    warnings.simplefilter("ignore")
    try:
        yardstick(0)
    except ImportError as error:
        sys.exit(f"the yardstick needs {error.name}, which `make setup` installs")
    speeds, apart = measure(games, options.batch, options.repeats, options.seconds)
    starts = compile_times(games) if options.cold else {}
    if options.json:
        medians = {name: statistics.median(values) for name, values in speeds.items()}
        print(
            json.dumps(
                {
                    "steps_per_second": medians,
                    "core_to_core_nanoseconds": apart,
                    "start_up_seconds": starts,
                }
            )
        )
    else:
        show(speeds, apart, starts, options.batch)


if __name__ == "__main__":
    main()
