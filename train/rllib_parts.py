"""What RLlib is made of here: its module, its learner, its runner, its algorithm.

RLlib's own `MultiAgentEnvRunner` steps one game at a time, in Python; `TableRunner` plays thousands
at once (`selfplay.SelfPlay`), gives each seat its credit, and sends back arrays of decisions. What
is RLlib's: the processes on other machines, what becomes of them when they are lost, the modules,
and PPO's steps.

Between machines go, an update:

- to each runner a `Task`: the weights, 4 bytes each, twice 0.3 MB for networks of 256 x 256; the
  object store sends it once to a machine, however many runners it has. A former self is sent once.
- back a `Sample`: for each decision the cells that the network reads and the mask, a byte each, and
  32 bytes beside them: 32,768 decisions of The Gang are 4 MB.

The package itself is not sent: each machine has it installed, in the same version.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.learner.training_data import TrainingData
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env import INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.env.env_runner_group import EnvRunnerGroup
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils.metrics import LEARNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME

from backroom.agents.neural import NeuralAgent, Policy, Weights, cells
from backroom.agents.seats import SeatsAgent
from backroom.envs import Game

from .ppo import NOWHERE, Network, decide, read_parts
from .selfplay import Decisions, SelfPlay
from .settings import RLlibSettings, convert

SAMPLE_SECONDS = 600.0
"""A runner that has not answered by then is left out of an update. The first answer takes long: a
machine compiles the game when it plays it for the first time."""
PROBE_SECONDS = 0.5
"""Runners that were lost are asked that long, each update, whether they are back."""
SEEN, MASK = "observations", "action_mask"
"""The parts of what RLlib calls an observation."""

PolicyWeights = dict[str, Weights]
"""The weights of each policy, by its name."""


def policy_names(settings: RLlibSettings, game: Game) -> tuple[str, ...]:
    """What the policies are called: one, or one a seat."""
    if settings.policies == "shared":
        return ("policy",)
    return tuple(f"policy-{seat}" for seat in range(game.players))


def spaces_of(game: Game, parts: tuple[str, ...]) -> tuple[spaces.Dict, spaces.Discrete]:
    """What RLlib calls the spaces of observations and actions; nothing here is drawn from them."""
    own, actions = cells(game, parts), len(game.actions)
    low, high = game.observation_bounds
    seen = spaces.Box(low[own], high[own], dtype=np.int8)
    shown = spaces.Dict({SEEN: seen, MASK: spaces.Box(0, 1, (actions,), np.bool_)})
    return shown, spaces.Discrete(actions)


def to_module(weights: Weights) -> Weights:
    """The weights by the names that `PolicyModule` has for them."""
    return {f"network.{name}": array for name, array in weights.items()}


def from_module(state: Mapping[str, np.ndarray]) -> Weights:
    """The weights by the names that files have for them; a copy."""
    return {name.removeprefix("network."): np.array(array) for name, array in state.items()}


def agent_of(
    settings: RLlibSettings, game: Game, weights: PolicyWeights, step: int, name: str = "former"
) -> NeuralAgent | SeatsAgent:
    """The agent that plays `weights`, with one policy or one a seat."""
    agents = [
        NeuralAgent(game, policy, name=name, backend="torch")
        for policy in policies_of(settings, game, weights, step).values()
    ]
    return agents[0] if len(agents) == 1 else SeatsAgent(game, agents, name=name)


def policies_of(
    settings: RLlibSettings, game: Game, weights: PolicyWeights, step: int
) -> dict[str, Policy]:
    """The policies by name, as files hold them."""
    parts = read_parts(settings, game)
    return {
        name: Policy(game, parts, settings.activation, weights[name], step)
        for name in policy_names(settings, game)
    }


class PolicyModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """The suite's own network; illegal actions have probability 0."""

    def setup(self) -> None:
        """Make the network as `model_config` tells: `settings`, and the seed of its weights."""
        settings = convert(RLlibSettings, self.model_config["settings"])
        chance = torch.Generator().manual_seed(self.model_config["seed"])
        game = settings.make_game()
        self.network = Network(game, read_parts(settings, game), settings, chance)
        self.action_dist_cls = TorchCategorical

    def _forward(self, batch: Mapping[str, Any], **_: Any) -> dict[str, Any]:
        """Masked logits; the values come in the same pass, and are kept as RLlib's embeddings."""
        seen = batch[Columns.OBS]
        logits, values = self.network(seen[SEEN])
        masked = torch.where(seen[MASK].bool(), logits, NOWHERE)
        return {Columns.ACTION_DIST_INPUTS: masked, Columns.EMBEDDINGS: values}

    def compute_values(
        self, batch: Mapping[str, Any], embeddings: torch.Tensor | None = None
    ) -> torch.Tensor:
        """What the movers are expected still to earn, [N]."""
        if embeddings is not None:
            return embeddings
        values: torch.Tensor = self.network(batch[Columns.OBS][SEEN])[1]
        return values


class TableLearner(PPOTorchLearner):  # type: ignore[misc]
    """RLlib's PPO, with schedules that hold from the first update on."""

    def before_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Turn learning rate and entropy to where the run stands, also where it was resumed.

        RLlib does so after an update only, and begins at the schedules' beginning.
        """
        super().before_gradient_based_update(timesteps=timesteps)
        self.after_gradient_based_update(timesteps=timesteps)

    def compute_loss_for_module(
        self, *, batch: dict[str, Any], fwd_out: dict[str, Any], **rest: Any
    ) -> torch.Tensor:
        """RLlib asks for the logits at the time of the decision too, for a loss that is off.

        They would be most of what is sent between machines; so it is given those of now.
        """
        seen = {**batch, Columns.ACTION_DIST_INPUTS: fwd_out[Columns.ACTION_DIST_INPUTS]}
        loss: torch.Tensor = super().compute_loss_for_module(batch=seen, fwd_out=fwd_out, **rest)
        return loss


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
            ValueError: if this machine has another version of the game than the training.
        """
        super().__init__(config=config, **rest)
        self.settings = convert(RLlibSettings, config.env_config["settings"])
        self.game = self.settings.make_game()
        if self.game.rules.id != config.env_config["rules"]:
            raise ValueError(
                f"{config.env_config['rules']} is trained, and a machine of the cluster has "
                f"{self.game.rules.id}: install the same version of backroom on each"
            )
        self.parts = read_parts(self.settings, self.game)
        self.names = policy_names(self.settings, self.game)
        self.module = config.get_multi_rl_module_spec(spaces=self.get_spaces()).build()
        self.threads = self.settings.cores if self.worker_index else self.settings.threads
        if self.worker_index:  # a process of its own
            torch.set_num_threads(self.threads)
        self._play: SelfPlay | None = None
        self._past: dict[int, tuple[int, NeuralAgent | SeatsAgent]] = {}

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


class TablePPO(PPO):  # type: ignore[misc]
    """RLlib's algorithm: its runners play, its learner takes PPO's steps, an update at a time.

    Attributes:
        updates: so far.
        decisions: that were learned from so far; what lost runners had played is not in it.
        past: the former selves.
        playing: runners that sent something for the last update; 0: the training played itself.
        figures: of the last update.
    """

    def setup(self, config: PPOConfig) -> None:
        """Begin at the beginning."""
        self.settings = convert(RLlibSettings, config.env_config["settings"])
        self.updates = self.decisions = self.past_count = 0
        self.past: list[Former] = []
        self.playing = self.settings.runners
        self.figures: dict[str, float] = {}
        super().setup(config)

    def training_step(self) -> None:
        """Play, and take the steps of one update."""
        samples = self.play()
        batch = self.batch_of(samples)
        if batch is None:
            return
        sizes = [len(own) for own in batch.policy_batches.values()]
        # A policy with fewer decisions would be given them twice in one step.
        minibatch = min(self.settings.minibatch, *sizes)
        results = self.learner_group.update(
            training_data=TrainingData(batch=batch),
            timesteps={NUM_ENV_STEPS_SAMPLED_LIFETIME: self.decisions},
            num_epochs=self.settings.epochs,
            minibatch_size=max(minibatch // max(self.settings.learners, 1), 1),
            # As many for each learner, however few its share: they wait for each other.
            num_total_minibatches=self.settings.epochs * math.ceil(max(sizes) / minibatch),
            shuffle_batch_per_epoch=True,
        )
        self.metrics.aggregate(results, key=LEARNER_RESULTS)
        self.updates += 1
        self.decisions += batch.env_steps()
        seats = sum(sample.seats for sample in samples)
        earned = sum(sample.returns for sample in samples)
        self.figures = {"return": earned / seats} if seats else {}

    def play(self) -> list[Sample]:
        """All runners that are there play their games; where none is, the training itself does."""
        weights = {name: from_module(own) for name, own in self.learner_group.get_weights().items()}
        settings = self.settings
        if "past" in settings.opponents and (
            self.past_count < self.decisions // settings.past_every
        ):
            self.remember(Former(self.decisions, weights))
        task = Task(self.updates, weights, tuple(self.past))
        group = self.env_runner_group
        samples: list[Sample] = []
        if group.num_healthy_remote_workers():
            samples = group.foreach_env_runner(
                "sample",
                kwargs={"task": ray.put(task)},
                local_env_runner=False,
                timeout_seconds=SAMPLE_SECONDS,
            )
        self.playing = len(samples)
        return samples or [self.env_runner.sample(task)]

    def remember(self, former: Former) -> None:
        """Keep a former self; the oldest goes when there are too many."""
        slot = self.past_count % self.settings.past_size
        self.past[slot : slot + 1] = [Former(former.step, ray.put(former.weights))]
        self.past_count += 1

    def batch_of(self, samples: Iterable[Sample]) -> MultiAgentBatch | None:
        """The decisions of all runners, mixed, as RLlib's learner takes them."""
        chance = np.random.default_rng([self.settings.seed, self.updates])
        found: dict[str, list[Decisions]] = {}
        for sample in samples:
            for name, decisions in sample.decisions.items():
                found.setdefault(name, []).append(decisions)
        batches = {name: self._rows(parts, chance) for name, parts in sorted(found.items())}
        if not batches:
            return None
        return MultiAgentBatch(batches, env_steps=sum(map(len, batches.values())))

    def _rows(self, parts: list[Decisions], chance: np.random.Generator) -> SampleBatch:
        """The first epoch goes through these as they lie: RLlib mixes them after it only."""
        whole = Decisions(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
        order = chance.permutation(len(whole.actions))
        whole = Decisions(*(array[order] for array in whole))
        advantages = whole.advantages
        if self.settings.normalize:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        return SampleBatch(
            {
                Columns.OBS: {SEEN: whole.inputs, MASK: whole.masks},
                Columns.ACTIONS: whole.actions,
                Columns.ACTION_LOGP: whole.logs,
                Postprocessing.ADVANTAGES: advantages,
                Postprocessing.VALUE_TARGETS: whole.targets,
            }
        )

    def restore_env_runners(self, env_runner_group: EnvRunnerGroup) -> list[int]:
        """Take back runners that were lost and have been begun anew; there is nothing to tell them.

        Returns:
            Their numbers.
        """
        back: list[int] = env_runner_group.probe_unhealthy_env_runners(PROBE_SECONDS)
        return back

    def _setup_logdir(self) -> None:
        """RLlib would leave a folder in the home directory; the run's own folder holds all."""
        self._logdir = None


def config_of(settings: RLlibSettings, game: Game) -> PPOConfig:
    """The settings in RLlib's words."""
    names, total = policy_names(settings, game), settings.total_decisions
    shown, actions = spaces_of(game, read_parts(settings, game))
    plain = msgspec.to_builtins(settings)
    seeds = np.random.SeedSequence(settings.seed).generate_state(len(names), np.uint32)
    modules = {
        name: RLModuleSpec(
            module_class=PolicyModule,
            observation_space=shown,
            action_space=actions,
            model_config={"settings": plain, "seed": int(seed)},
        )
        for name, seed in zip(names, seeds, strict=True)
    }
    return (
        PPOConfig(algo_class=TablePPO)
        .environment(
            observation_space=shown,
            action_space=actions,
            env_config={"settings": plain, "rules": game.rules.id},
        )
        .api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
        .framework("torch")
        .env_runners(
            env_runner_cls=TableRunner,
            num_env_runners=settings.runners,
            num_cpus_per_env_runner=settings.cores,
            merge_env_runner_states=False,  # they have none
            broadcast_env_runner_states=False,
        )
        .learners(num_learners=settings.learners, num_cpus_per_learner=settings.cores)
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=1.0)
        .multi_agent(policies=set(names), policy_mapping_fn=lambda agent, *_, **__: agent)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .training(
            learner_class=TableLearner,
            lr=[[0, settings.learning_rate], [total, 0.0]],
            gamma=settings.discount,
            lambda_=settings.trace,
            entropy_coeff=[[0, settings.entropy[0]], [total, settings.entropy[1]]],
            clip_param=settings.clip,
            vf_loss_coeff=settings.value_weight / 2,  # of the whole square
            vf_clip_param=math.inf,
            use_kl_loss=False,
            grad_clip=settings.max_gradient,
            grad_clip_by="global_norm",
            num_epochs=settings.epochs,
            minibatch_size=settings.minibatch,
            train_batch_size_per_learner=settings.games * settings.moves,
        )
        .debugging(seed=settings.seed, log_level="ERROR")
    )
