"""RLlib's algorithm: its runners play, its learners take PPO's steps.

What is RLlib's are the processes on other machines, what becomes of them when they are lost, the
modules, and the steps. Credit is given where the games are played (`rllib_runner.py`), so the
learners are handed arrays, not episodes.
"""

import math
from collections.abc import Iterable

import msgspec
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.training_data import TrainingData
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.env_runner_group import EnvRunnerGroup
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils.metrics import LEARNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME

from backroom.envs import Game

from .ppo import read_parts
from .rllib_module import (
    MASK,
    SEEN,
    PolicyModule,
    TableLearner,
    from_module,
    policy_names,
    spaces_of,
)
from .rllib_runner import Former, Sample, TableRunner, Task, terms
from .selfplay import Decisions
from .settings import RLlibSettings, convert

SAMPLE_SECONDS = 600.0
"""A runner that has not answered by then is left out of an update. The first answer takes long: a
machine compiles the game when it plays it for the first time."""
PROBE_SECONDS = 0.5
"""Runners that were lost are asked that long, each update, whether they are back."""


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
            env_config=terms(settings),
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
        .learners(
            learner_class=TableLearner,
            num_learners=settings.learners,
            num_cpus_per_learner=settings.cores,
        )
        .fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=1.0)
        .multi_agent(policies=set(names), policy_mapping_fn=lambda agent, *_, **__: agent)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .training(
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
