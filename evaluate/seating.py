"""Who sits where: agents by seat, rotated around the table, with seeds of their own."""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..agents.base import Agent
from ..agents.registry import files_of, load
from ..envs.engine.game import Game
from ..envs.engine.names import several
from ..envs.engine.record import Who
from ..envs.engine.single import check_made_for


class Lineup(NamedTuple):
    """Who plays, and where."""

    agents: tuple[Agent, ...]
    """Each once."""
    who: tuple[Who, ...]
    """The agents' names and hashes."""
    seats: np.ndarray
    """int64[R, P]: which of the agents sits at a seat in a rotation."""

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return len(self.seats)


def seat_agents(
    game: Game, agents: Sequence[str | Agent], loaded: dict[str, Agent] | None = None
) -> Lineup:
    """Seat `agents` in order, the last one at all seats that are left, and rotate them.

    Args:
        game: what they play.
        agents: names, files or agents.
        loaded: agents by name, which are used, and to which those that are loaded are added.

    Raises:
        ValueError: if there are none, too many, or one is not known or was made for another game.
    """
    if not 1 <= len(agents) <= game.players:
        raise ValueError(f"{game.name} has {several(game.players, 'seat')}, not {len(agents)}")
    entries = [*agents, *[agents[-1]] * (game.players - len(agents))]
    distinct = list({id(e) if isinstance(e, Agent) else e: e for e in entries}.values())
    base = [next(k for k, d in enumerate(distinct) if d is e or d == e) for e in entries]
    turns = [np.roll(base, turn) for turn in range(game.players)]
    period = next(t for t in range(1, game.players + 1) if base == np.roll(base, t).tolist())
    loaded = {} if loaded is None else loaded
    for entry in distinct:
        if isinstance(entry, Agent):
            check_made_for(game, entry)
        elif entry not in loaded:
            loaded[entry] = load(entry, game)
    seated = [e if isinstance(e, Agent) else loaded[e] for e in distinct]
    names = [e.name if isinstance(e, Agent) else e for e in distinct]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two different agents are called {', '.join(sorted(twice))}")
    who = [identify(game, name) for name in names]
    return Lineup(tuple(seated), tuple(who), np.array(turns[:period], np.int64))


def identify(game: Game, name: str) -> Who:
    """The agent's name, and the hash of the weights that it was loaded from, if it was.

    With a file for each seat it is the hash of all of them in a row.
    """
    paths = files_of(name, game)
    if not paths:
        return Who(name=name)
    content = b"".join(path.read_bytes() for path in paths)
    return Who(name=name, weights=hashlib.sha256(content).hexdigest())


def seed_agents(lineup: Lineup, seed: int, first: int = 0) -> None:
    """Begin the agents' generators anew, from the match's seed and the number of a deal."""
    for k, agent in enumerate(lineup.agents):
        chance = np.random.SeedSequence([seed, first, k])
        agent.seed(int(chance.generate_state(1, np.uint64)[0] >> np.uint64(1)))
