"""RLlib's runner, which plays thousands of games at once, on whichever machine.

RLlib's own `MultiAgentEnvRunner` steps one game at a time, in Python. This one plays them all
(`selfplay.SelfPlay`), gives each seat its credit, and sends back arrays of decisions.

Between machines go, an update:

- to each runner a `Task`: the weights, 0.65 MB for The Gang and layers of 256 and 256; the object
  store sends it once to a machine, however many runners it has. A former self is sent once.
- back a `Sample`: for each decision the cells that the network reads and the mask, a byte each, and
  28 bytes beside them: 406 for The Gang, 13 MB for an update of 32,768.

Agents that play along from files are sent once, where they are named by paths below the current
folder. The package itself is not sent: each machine has it installed, in the same version.
"""

import math
import os
import socket
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner

from backroom.agents.neural import NeuralAgent
from backroom.agents.seats import SeatsAgent
from backroom.envs.engine.jit import suite_hash

from .ppo import decide, read_parts
from .rllib_module import (
    PolicyWeights,
    agent_of,
    from_module,
    policy_names,
    spaces_of,
    to_module,
)
from .runs import write_atomically
from .selfplay import Decisions, SelfPlay
from .settings import RLlibSettings, convert
from .sweep import named_weights


def terms(settings: RLlibSettings) -> dict[str, Any]:
    """What each machine is told of a training, as plain data."""
    return {
        "settings": msgspec.to_builtins(settings),
        "suite": suite_hash(),
        "agents": named_weights(settings),
    }


def check_machine(what: Mapping[str, Any]) -> None:
    """ValueError if this machine has another version of this suite than the training."""
    if what["suite"] != suite_hash():
        raise ValueError(
            f"the machine {socket.gethostname()} has another version of backroom than this one: "
            "install the same one everywhere"
        )


class Former(NamedTuple):
    """A former self."""

    step: int
    """Decisions that it was trained on."""
    weights: "PolicyWeights | ray.ObjectRef"
    """Its weights, or where Ray keeps them."""


class Task(NamedTuple):
    """What a runner needs to know for an update.

    It keeps nothing but its games and the former selves; one that is begun anew misses nothing.
    """

    update: int
    weights: PolicyWeights
    past: tuple[Former, ...]
    """The former selves; each keeps its place until a newer one takes it."""


class Sample(NamedTuple):
    """What a runner sends back."""

    decisions: dict[str, Decisions]
    """By policy; policies that decided nothing are left out."""
    returns: float
    """Sum of what the learner's seats earned in games that ended, and"""
    seats: int
    """the number of those seats."""


class TableRunner(EnvRunner):  # type: ignore[misc]
    """Plays its share of the games, wherever Ray has put it."""

    def __init__(self, *, config: PPOConfig, **rest: Any) -> None:
        """Prepare; the games are dealt with the first task.

        Raises:
            ValueError: if this machine has another version of this suite than the training.
        """
        super().__init__(config=config, **rest)
        check_machine(config.env_config)
        self.settings = convert(RLlibSettings, config.env_config["settings"])
        self.game = self.settings.make_game()
        self.parts = read_parts(self.settings, self.game)
        self.names = policy_names(self.settings, self.game)
        self.module = config.get_multi_rl_module_spec(spaces=self.get_spaces()).build()
        self.threads = self.settings.cores if self.worker_index else self.settings.threads
        if self.worker_index:  # a process of its own
            torch.set_num_threads(self.threads)
            self._unpack(config.env_config["agents"])
        self._play: SelfPlay | None = None
        self._past: dict[int, tuple[int, NeuralAgent | SeatsAgent]] = {}

    def _unpack(self, agents: Mapping[str, bytes]) -> None:
        """Put files of agents where the settings look for them: this machine need not have them."""
        if agents:
            self._home = TemporaryDirectory(prefix="backroom-")
            for name, content in agents.items():
                write_atomically(
                    Path(self._home.name) / name, partial(Path.write_bytes, data=content)
                )
            os.chdir(self._home.name)

    def sample(self, task: Task) -> Sample:
        """Play `moves` moves in each game."""
        seed = [self.settings.seed, self.worker_index, task.update]
        chance = np.random.default_rng(seed)
        generator = torch.Generator().manual_seed(int(chance.integers(2**63)))
        self.module.set_state({name: to_module(own) for name, own in task.weights.items()})
        play = self._games(seed)
        play.meet([self._former(slot, former) for slot, former in enumerate(task.past)])
        decisions = play.collect(
            lambda inputs, masks, players: self._decide(generator, inputs, masks, players),
            chance,
            self.settings.discount,
            self.settings.trace,
        )
        return Sample(self._by_policy(decisions), play.returns, play.seats)

    def _games(self, seed: list[int]) -> SelfPlay:
        """The games; a runner that was begun anew does not deal the same ones again."""
        if self._play is None:
            settings = self.settings
            deals = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
            self._play = SelfPlay(
                self.game,
                math.ceil(settings.games / max(settings.runners, 1)),
                settings.moves,
                self.parts,
                settings.opponents,
                settings.past_size,
                self.threads,
                int(deals >> np.uint64(1)),
            )
        return self._play

    def _former(self, slot: int, former: Former) -> NeuralAgent | SeatsAgent:
        if slot not in self._past or self._past[slot][0] != former.step:
            kept = ray.get(former.weights)  # not to be written to, which PyTorch warns of
            weights = {name: from_module(own) for name, own in kept.items()}
            player = agent_of(self.settings, self.game, weights, former.step)
            self._past[slot] = former.step, player
        return self._past[slot][1]

    def _decide(
        self,
        generator: torch.Generator,
        inputs: np.ndarray,
        masks: np.ndarray,
        players: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Each seat's policy draws for its own rows."""
        if len(self.names) == 1:
            return decide(self.module[self.names[0]].network, generator, inputs, masks)
        count = len(players)
        actions = np.zeros(count, np.int64)
        logs, values = np.zeros(count, np.float32), np.zeros(count, np.float32)
        for seat, name in enumerate(self.names):
            rows = np.flatnonzero(players == seat)
            if rows.size:
                network = self.module[name].network
                drawn = decide(network, generator, inputs[rows], masks[rows])
                actions[rows], logs[rows], values[rows] = drawn
        return actions, logs, values

    def _by_policy(self, decisions: Decisions) -> dict[str, Decisions]:
        if len(self.names) == 1:
            parts = {self.names[0]: decisions}
        else:
            parts = {
                name: Decisions(*(array[decisions.players == seat] for array in decisions))
                for seat, name in enumerate(self.names)
            }
        return {name: own for name, own in parts.items() if len(own.actions)}

    def get_spaces(self) -> dict[str, tuple[spaces.Space[Any], spaces.Space[Any]]]:
        """What RLlib calls the spaces, of the environment and of each module."""
        shown = spaces_of(self.game, self.parts)
        return dict.fromkeys((INPUT_ENV_SPACES, *self.names), shown)

    def assert_healthy(self) -> None:
        """A runner that was made is healthy."""

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Nothing: each task holds all that there is to know."""
