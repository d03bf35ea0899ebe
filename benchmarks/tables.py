"""How many tables a server carries: bots at 200 tables over websockets, on one machine.

    python benchmarks/tables.py
    python benchmarks/tables.py --game the_gang --tables 50 --people 1 --agents clock

The server is a process of its own, as `backroom play` runs it, with no pause between moves; the
bots are all in another one, play a random legal action as soon as they are to move, and begin anew
when a game is over. Printed are moves a second (of bots and agents), what a bot waits until it sees
its own move, and the memory and processor time of the server.
"""

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np
from websockets.asyncio.client import connect

LEAST = 0.06
"""Seconds between two moves of a bot: the server takes no more than some 20 messages a second."""

DOOR = 32
"""So many bots come in at once; the server lets no more than some wait at the door."""


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="cockroach_poker")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--people", type=int, default=2, help="bots at each table")
    parser.add_argument("--agents", default="random", help="who has the other seats")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def serve(args: argparse.Namespace) -> None:
    """The server's process: prints where it is and the keys, and serves until it is ended."""
    from backroom.envs import configure
    from backroom.evaluate.tables.room import Room
    from backroom.evaluate.tables.server import Server, bound
    from backroom.evaluate.tables.table import lay

    game = configure(args.game)
    seats = range(min(args.people, game.players))
    agents = [args.agents] if len(seats) < game.players else []
    tables = [lay(game, seats, agents, seed) for seed in range(args.tables)]
    rooms = [Room(table, pace=0.0) for table in tables]
    socket = bound("127.0.0.1", 0)
    keys = [[room.keys[seat] for seat in seats] for room in rooms]
    print(json.dumps({"port": socket.getsockname()[1], "keys": keys}), flush=True)
    Server(rooms).serve(socket)


class Bot:
    """Plays at random; keeps how long it waited for each of its moves to be seen."""

    def __init__(self, port: int, key: str, first: bool) -> None:
        self.url, self.key, self.first = f"ws://127.0.0.1:{port}/table", key, first
        self.waits: list[float] = []
        self.steps = 0
        """Moves at the table that it has seen since the start."""
        self.seated = asyncio.Event()

    async def play(self, door: asyncio.Semaphore, begun: asyncio.Event) -> None:
        async with AsyncExitStack() as stack:
            async with door:
                link = connect(self.url, open_timeout=120, compression=None)
                socket = await stack.enter_async_context(link)
                await socket.send(json.dumps({"type": "hello", "key": self.key}))
                await socket.recv()
            self.seated.set()
            await begun.wait()
            sent: float | None = None
            async for text in socket:
                message = json.loads(text)
                if message["type"] != "update":
                    continue
                update = message["update"]
                self.steps += sum(frame["step"] > 0 for frame in update.get("frames", ()))
                if sent is not None:
                    self.waits.append(time.perf_counter() - sent)
                    sent = None
                asked = self._answer(update)
                if asked:
                    await asyncio.sleep(LEAST)
                    sent = time.perf_counter()
                    await socket.send(json.dumps(asked))

    def _answer(self, update: dict) -> dict | None:
        if choices := update.get("choices"):
            action = random.choice(list(choices["actions"]))
            number, step = update["number"], update["step"]
            return {"type": "play", "action": action, "number": number, "step": step}
        return {"type": "again"} if update.get("over") and self.first else None


async def load(port: int, keys: list[list[str]], seconds: float) -> tuple[list[Bot], float]:
    """Let bots play for a time; the bots, and how long it was."""
    bots = [Bot(port, key, k == 0) for table in keys for k, key in enumerate(table)]
    begun, door = asyncio.Event(), asyncio.Semaphore(DOOR)
    tasks = [asyncio.create_task(bot.play(door, begun)) for bot in bots]
    await asyncio.wait_for(asyncio.gather(*(bot.seated.wait() for bot in bots)), 120)
    began = time.perf_counter()
    begun.set()
    await asyncio.sleep(seconds)
    passed = time.perf_counter() - began
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    failed = [error for error in ended if not isinstance(error, asyncio.CancelledError)]
    if failed:
        raise RuntimeError(f"{len(failed)} of {len(bots)} bots failed: {failed[0]!r}")
    return bots, passed


def memory(pid: int) -> float:
    """Most memory that a process has had, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def processor(pid: int) -> float:
    """Processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    args = parsed()
    if args.serve:
        serve(args)
        return
    wanted = args.tables * args.people + 100
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard)), hard))
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", *sys.argv[1:]], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        where = json.loads(server.stdout.readline())
        before, used = memory(server.pid), processor(server.pid)
        bots, passed = asyncio.run(load(where["port"], where["keys"], args.seconds))
        after, used = memory(server.pid), processor(server.pid) - used
    finally:
        server.terminate()
        server.wait(30)
    waits = 1000 * np.concatenate([bot.waits for bot in bots])
    median, late = np.percentile(waits, [50, 99])
    result = {
        "game": args.game,
        "tables": args.tables,
        "bots": len(bots),
        "seconds": round(passed, 1),
        "moves a second": round(sum(bot.steps for bot in bots if bot.first) / passed),
        "bots' moves a second": round(waits.size / passed),
        "median ms": round(float(median), 1),
        "99 % ms": round(float(late), 1),
        "server's memory, empty, MB": round(before),
        "server's memory, MB": round(after),
        "server's processor time a second": round(used / passed, 2),
    }
    print(json.dumps(result) if args.json else "\n".join(f"{k:34}{v}" for k, v in result.items()))


if __name__ == "__main__":
    main()
