"""PPO of RLlib: games played by many processes, on one machine or many.

    backroom train the_gang --algorithm rllib --out runs/gang-rllib
    backroom train the_gang --algorithm rllib --set runners=64 games=8192 --address auto
    backroom train cockroach_poker --algorithm rllib --set policies=separate
    backroom train cockroach_poker --algorithm rllib --set opponents.past=0.3 opponents.counting=0.2

The settings are those of `ppo.py`, and what is learned from is the same: `selfplay.py` has who sits
where and gets which credit, `rllib_algorithm.py` what is RLlib's, `rllib_runner.py` what goes over
the wire, `rllib_cluster.py` what a cluster must have. The training itself evaluates and writes the
run's folder; nobody else writes.

A runner that is lost, with its machine or without, is left out until Ray has begun it anew where
there is room; while there is none at all, the training plays for itself. Decisions are counted when
they are learned from. Learners are not made good: a run that loses one ends with a sentence, and
goes on with `--resume`. A run that was killed goes on from its last checkpoint with the same
weights, the same memory of the optimiser and the same former selves, but with games dealt anew.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import ray
from ray.exceptions import RayError, RayTaskError

from backroom.agents.neural import NeuralAgent, save
from backroom.agents.seats import SeatsAgent
from backroom.evaluate.ray_clusters import LONG, hushed

from .checkpoints import adam_memory, check_arrays, go_on, under, write_tensors
from .kept import kept_generators, kept_threads
from .ppo import read_parts
from .rllib_algorithm import TablePPO, config_of
from .rllib_cluster import on_ray
from .rllib_module import (
    PolicyWeights,
    agent_of,
    from_module,
    policies_of,
    policy_names,
    to_module,
)
from .rllib_runner import Former
from .runs import FILES_OF, Result, Run, carry_out, check_folder, write_atomically
from .selfplay import SelfPlay
from .settings import RLlibSettings

KIND, FOLDER = RLlibSettings, "{game}-rllib-{seed}"
"""What `backroom train` reads, and what it calls a run."""
FILES = FILES_OF["rllib"]
"""A run's checkpoint and weights."""
FIGURES = {
    "default_optimizer_learning_rate": "learning_rate",
    "curr_entropy_coeff": "entropy_weight",
    "policy_loss": "policy_loss",
    "vf_loss": "value_loss",
    "entropy": "entropy",
    "vf_explained_var": "explained",
}
"""Figures of an update by RLlib's names, and what `ppo.py` calls them; of its last step alone."""


PATIENCE = 10.0
"""Seconds in which learners have to answer, when something has failed, or count as lost."""


class Learner:
    """RLlib's algorithm, and what is kept of it."""

    def __init__(self, settings: RLlibSettings, say: Callable[[str], None]) -> None:
        """Begin at the beginning: runners are made, wherever Ray has room for them.

        `say` is told when runners are lost and when they are back.
        """
        self.settings, self.game = settings, settings.make_game()
        self._say, self._playing = say, settings.runners
        self.names = policy_names(settings, self.game)
        with hushed():  # Ray warns of how RLlib calls it
            self.algorithm: TablePPO = config_of(settings, self.game).build_algo()
        self.average = self.weights()

    @property
    def decisions(self) -> int:
        """That were learned from so far."""
        return self.algorithm.decisions

    def weights(self) -> PolicyWeights:
        """A copy of the weights, by policy."""
        found = self.algorithm.learner_group.get_weights()
        return {name: from_module(found[name]) for name in self.names}

    def agent(self) -> NeuralAgent | SeatsAgent:
        """The learner as it would be left now."""
        return agent_of(self.settings, self.game, self._left(), self.decisions, "learner")

    def _left(self) -> PolicyWeights:
        return self.average if self.settings.average else self.weights()

    def export(self, path: Path) -> None:
        """Write the weights into the file `path`, or into this folder, one a seat."""
        policies = policies_of(self.settings, self.game, self._left(), self.decisions)
        for name, policy in policies.items():
            file = path / f"{name}.safetensors" if len(policies) > 1 else path
            write_atomically(file, partial(save, policy=policy))

    def learn(self) -> dict[str, float]:
        """Play, and take the steps of one update; figures of how it went."""
        told = self.algorithm.train().get("learners", {})
        figures = {
            f"{name}/{ours}" if len(self.names) > 1 else ours: float(told[name][theirs])
            for name in self.names
            for theirs, ours in FIGURES.items()
            if theirs in told.get(name, {})
        }
        if self.algorithm.playing != self._playing:
            self._playing = self.algorithm.playing
            self._say(f"{self._playing} of {self.settings.runners} runners play")
        self._follow()
        return {**self.algorithm.figures, "runners": float(self._playing), **figures}

    def _follow(self) -> None:
        """Draw the average after the weights."""
        updates = self.algorithm.updates
        keep = min(self.settings.average, updates / (updates + 10))
        for name, weights in self.weights().items():
            own = self.average[name]
            for key, weight in weights.items():
                own[key] = keep * own[key] + np.float32(1 - keep) * weight

    def save(self, path: Path, run: Run) -> None:
        """Write a checkpoint."""
        algorithm, memories = self.algorithm, self._optimizers()
        arrays: dict[str, np.ndarray] = {}
        for name, weights in self.weights().items():
            arrays |= {f"network.{name}.{key}": w for key, w in weights.items()}
            arrays |= {f"average.{name}.{key}": w for key, w in self.average[name].items()}
            for number, memory in memories[name]["state"]["state"].items():
                where = f"optimizer.{name}.{list(weights)[number]}"
                arrays |= {f"{where}.{kind}": np.asarray(w) for kind, w in memory.items()}
        for slot, former in enumerate(algorithm.past):
            for name, weights in ray.get(former.weights).items():
                arrays |= {f"past.{slot}.{name}.{key}": w for key, w in weights.items()}
        header = {
            "game": self.game.rules.id,
            "settings": msgspec.to_builtins(self.settings),
            "updates": algorithm.updates,
            "decisions": algorithm.decisions,
            "past": [former.step for former in algorithm.past],
            "past_count": algorithm.past_count,
            "seconds": run.elapsed(),
            "curve": run.curve,
        }
        write_tensors(path, arrays, header)

    def restore(self, path: Path, run: Run) -> None:
        """Go on from a checkpoint.

        Raises:
            ValueError: with a sentence, if it is damaged or belongs to a run with other settings.
        """
        go_on(path, self.game, self.settings, run, self._restore)

    def _restore(self, arrays: dict[str, np.ndarray], header: dict[str, Any]) -> None:
        algorithm = self.algorithm
        memories, modules = self._optimizers(), {}
        for name, current in self.weights().items():
            weights = under(f"network.{name}.", arrays)
            self.average[name] = under(f"average.{name}.", arrays)
            check_arrays(f"network.{name}", weights, current)
            check_arrays(f"average.{name}", self.average[name], current)
            modules[name] = to_module(weights)
            memory = memories[name]["state"]["state"] = {}
            for number, key in enumerate(current):
                memory[number] = under(f"optimizer.{name}.{key}.", arrays)
                wanted = adam_memory(current[key], np.dtype(np.float64))  # as RLlib tells steps
                check_arrays(f"optimizer.{name}.{key}", memory[number], wanted)
        optimizers = {memory["name"]: memory for memory in memories.values()}
        state = {"rl_module": modules, "optimizer": optimizers}
        algorithm.learner_group.set_state({"learner": state})
        algorithm.updates, algorithm.decisions = header["updates"], header["decisions"]
        for slot, step in enumerate(header["past"]):
            former = {name: under(f"past.{slot}.{name}.", arrays) for name in self.names}
            for name, weights in self.weights().items():
                check_arrays(f"past.{slot}.{name}", former[name], weights)
            algorithm.remember(Former(step, former))
        algorithm.past_count = header["past_count"]

    def lost(self) -> int:
        """Learners in processes of their own that answer no more."""
        if not self.settings.learners:
            return 0
        told = self.algorithm.learner_group.foreach_learner(
            answers, healthy_only=False, timeout_seconds=PATIENCE
        )
        return self.settings.learners - len([answer for answer in told if answer.ok])

    def end(self) -> None:
        """End runners and learners, those that are there."""
        with hushed(), suppress(RayError):
            self.algorithm.stop()

    def _optimizers(self) -> dict[str, dict[str, Any]]:
        """The state of each policy's optimiser, as RLlib tells it and takes it, and its `name`."""
        told = self.algorithm.learner_group.get_state("learner/optimizer")["learner"]["optimizer"]
        return {own["module_id"]: {**own, "name": name} for name, own in told.items()}


def answers(learner: Any) -> bool:
    """That a learner is there."""
    return True


@contextmanager
def spread(settings: RLlibSettings, run: Run) -> Iterator[Learner]:
    """A learner; its runners and learners on other machines end with it.

    Raises:
        ConnectionError: with a sentence, if it cannot go on because some of those are lost.
    """
    learner, goes_on = None, "the same command begins it again"
    try:
        learner = Learner(settings, run.say)
        goes_on = "--resume goes on from the last checkpoint"
        yield learner
    except Exception as error:
        if learner and (lost := learner.lost()):
            what = f"{lost} of {settings.learners} learners are lost, with their machine or alone"
        elif isinstance(error, RayError) and not isinstance(error, RayTaskError):  # no bug of ours
            what = f"the Ray cluster failed: {' '.join(str(error).split())[:LONG]}"
        else:
            raise
        raise ConnectionError(f"{what}; {goes_on}") from error
    finally:
        if learner:
            learner.end()


def train(
    settings: RLlibSettings, out: Path, resume: bool = False, address: str | None = None
) -> Result:
    """Train; everything is written to the folder `out` by this process.

    Args:
        settings: the game, the budget, how to learn, and how many processes play.
        out: the run's folder; see `runs.py` for what it holds.
        resume: go on from the checkpoint in `out`; a run that was stopped before its first one
            begins anew. With more `total_decisions` than before, a run is extended.
        address: of a Ray cluster that this machine belongs to: `auto`, or its head's `host:port`.
            Without it the one that the process is connected to or that RAY_ADDRESS names, else a
            Ray of this machine alone, which is ended with the training.

    Raises:
        ValueError: with a sentence, if a setting does not fit the game; if `out` holds a run
            already and `resume` is False, or none and `resume` is True; if its checkpoint is
            damaged or of other settings; if `address` is none, or the cluster is too small.
        ConnectionError: with a sentence, if there is no cluster, or it or a learner is lost.
    """
    out = Path(out)
    checkpoint = out / FILES[0]
    check_folder(out, resume, FILES)
    game = settings.make_game()
    SelfPlay(game, 1, 1, read_parts(settings, game), settings.opponents)  # says what does not fit
    run = Run(out, settings, f"{settings.game['name']}-rllib-{settings.seed}")
    weights = out / FILES[1] if settings.policies == "shared" else out
    with (
        on_ray(settings, address, run.say),
        kept_generators(),
        kept_threads(settings.threads),
        spread(settings, run) as learner,
    ):
        if checkpoint.exists():
            learner.restore(checkpoint, run)
        elif resume:
            run.anew()
        return carry_out(learner, run, checkpoint, weights)
