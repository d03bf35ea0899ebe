"""Proximal policy optimisation (Schulman et al. 2017) by self-play, in one file.

One network plays all the seats that are the learner's, masked to legal actions. Games are played on
for some moves (`selfplay.SelfPlay`), each decision gets credit for what its own seat earns until it
decides again (`selfplay.credit`), and the network takes a few epochs of clipped steps over them.

All chance of an update comes from the run's seed and the update's number, and a checkpoint holds
all else that there is: weights, the optimiser's memory, games, open decisions. So a run that was
killed goes on from its last checkpoint as if nothing had happened, bit for bit on one thread.

    backroom train kuhn --out runs/kuhn-0
    backroom train the_gang --set num_players=4 --set total_decisions=2e7
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import nn

from backroom.agents.neural import NeuralAgent, Policy, cells, save, scales
from backroom.envs import Game

from .checkpoints import adam_memory, check_arrays, go_on, under, write_tensors
from .kept import kept_threads
from .runs import FILES_OF, Result, Run, carry_out, check_folder, write_atomically
from .selfplay import Decisions, SelfPlay
from .settings import PPOSettings

KIND, FOLDER = PPOSettings, "{game}-{seed}"
"""What `backroom train` reads, and what it calls a run."""
FILES = FILES_OF["ppo"]
"""A run's checkpoint and weights."""
ADAM_EPSILON = 1e-5
NOWHERE = -1e9
"""Logit of an illegal action: its probability is exactly 0, and nothing is infinite."""


def drawn(before: int, after: int, gain: float, chance: torch.Generator) -> nn.Linear:
    """A layer with orthogonal weights from `chance`; the global generator is left alone."""
    layer = nn.Linear(before, after, device="meta").to_empty(device="cpu")
    nn.init.orthogonal_(layer.weight, gain, chance)
    nn.init.zeros_(layer.bias)
    return layer


class Network(nn.Module):
    """Hidden layers that the policy and the value share. Its parameters are the file's weights."""

    def __init__(
        self, game: Game, parts: tuple[str, ...], settings: PPOSettings, chance: torch.Generator
    ) -> None:
        """Draw the weights; the policy starts close to uniform."""
        super().__init__()
        own = cells(game, parts)
        sizes = [len(own), *settings.layers]
        self.hidden = nn.ModuleList(
            drawn(before, after, 2**0.5, chance) for before, after in pairwise(sizes)
        )
        self.policy = drawn(sizes[-1], len(game.actions), 0.01, chance)
        self.value = drawn(sizes[-1], 1, 1.0, chance)
        self.bend = torch.tanh if settings.activation == "tanh" else torch.relu
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(scales(game)[own]), persistent=False)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """From int8[N, I] to logits [N, A] and values [N]."""
        x = inputs.float() * self.scale
        for linear in self.hidden:
            x = self.bend(linear(x))
        return self.policy(x), self.value(x).squeeze(1)


def log_shares(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Logarithms of the probabilities, [N, A]; illegal actions have probability 0."""
    return torch.log_softmax(torch.where(masks, logits, NOWHERE), dim=1)


@torch.inference_mode()
def decide(
    network: Network, chance: torch.Generator, inputs: np.ndarray, masks: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw an action for each row; also its log probability, and the values."""
    logits, values = network(torch.from_numpy(inputs))
    logs = log_shares(logits, torch.from_numpy(masks))
    race = torch.empty_like(logs).exponential_(generator=chance)  # the first to arrive is drawn
    actions = (logs.exp() / race).argmax(1)
    return actions.numpy(), logs.gather(1, actions[:, None])[:, 0].numpy(), values.numpy()


def losses(
    network: Network, batch: Sequence[torch.Tensor], clip: float
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """PPO's policy loss, the value's loss, the mean entropy, and each decision's log ratio."""
    inputs, masks, actions, old, advantages, targets = batch[:6]  # one network for all players
    logits, values = network(inputs)
    logs = log_shares(logits, masks)
    change = logs.gather(1, actions[:, None])[:, 0] - old
    ratio = change.exp()
    gain = torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    entropy = -(logs.exp() * logs).sum(1).mean()
    return -gain.mean(), (values - targets).square().mean() / 2, entropy, change


def update(
    network: Network,
    optimizer: torch.optim.Optimizer,
    decisions: Decisions,
    settings: PPOSettings,
    entropy_weight: float,
    chance: torch.Generator,
) -> dict[str, float]:
    """Some epochs over `decisions`; figures of how it went."""
    data = [torch.from_numpy(array) for array in decisions]
    spread = decisions.targets.var()
    error = (decisions.advantages**2).mean()
    if settings.normalize:
        data[4] = (data[4] - data[4].mean()) / (data[4].std() + 1e-8)
    sums = torch.zeros(5)
    steps = 0
    for _ in range(settings.epochs):
        order = torch.randperm(len(data[0]), generator=chance)
        for rows in order.chunk(max(1, round(len(order) / settings.minibatch))):
            batch = [array.index_select(0, rows) for array in data]
            policy_loss, value_loss, entropy, change = losses(network, batch, settings.clip)
            loss = policy_loss + settings.value_weight * value_loss - entropy_weight * entropy
            optimizer.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), settings.max_gradient)
            optimizer.step()
            with torch.no_grad():
                distance = (change.exp() - 1 - change).mean()
                clipped = ((change.exp() - 1).abs() > settings.clip).float().mean()
                sums += torch.stack([policy_loss, value_loss, entropy, distance, clipped])
            steps += 1
    names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
    return {
        **dict(zip(names, (sums / steps).tolist(), strict=True)),
        "explained": float(1 - error / spread) if spread > 0 else 0.0,
    }


def read_parts(settings: PPOSettings, game: Game) -> tuple[str, ...]:
    """The parts of the observation that the network reads, in the observation's order.

    Raises:
        ValueError: if a name is none of a part, or named twice, or all parts are left out.
    """
    named = tuple(part.name for part in game.facts.parts)
    cells(game, settings.parts or settings.without or named)
    chosen = settings.parts or set(named) - set(settings.without)
    if not chosen:
        raise ValueError("without leaves out all parts of the observation")
    return tuple(name for name in named if name in chosen)


class Learner:
    """All that changes in a training, and can be saved: network, optimiser, games, counters."""

    def __init__(self, settings: PPOSettings) -> None:
        """Begin at the beginning.

        Raises:
            ValueError: if a setting does not fit the game.
        """
        self.settings, self.game = settings, settings.make_game()
        self.parts = read_parts(settings, self.game)
        weights, deals = np.random.SeedSequence(settings.seed).generate_state(2, np.uint64)
        chance = torch.Generator().manual_seed(int(weights >> np.uint64(1)))
        self.network = Network(self.game, self.parts, settings, chance)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), settings.learning_rate, eps=ADAM_EPSILON, fused=True
        )
        self.average = self.weights()
        self.play = SelfPlay(
            self.game,
            settings.games,
            settings.moves,
            self.parts,
            settings.opponents,
            settings.past_size,
            settings.threads,
            int(deals >> np.uint64(1)),
        )
        self.updates = self.decisions = 0

    def weights(self) -> dict[str, np.ndarray]:
        """A copy of the network's weights."""
        return {k: w.detach().numpy().copy() for k, w in self.network.named_parameters()}

    def policy(self, averaged: bool = True) -> Policy:
        """The network as others play it."""
        weights = self.average if averaged and self.settings.average else self.weights()
        return Policy(self.game, self.parts, self.settings.activation, weights, self.decisions)

    def agent(self) -> NeuralAgent:
        """The learner as it would be left now."""
        return NeuralAgent(self.game, self.policy(), name="learner", backend="torch")

    def export(self, path: Path) -> None:
        """Write the weights into the file `path`."""
        write_atomically(path, lambda new: save(new, self.policy()))

    def learn(self) -> dict[str, float]:
        """Play, and take the steps of one update; figures of how it went."""
        settings, seed = self.settings, [self.settings.seed, self.updates]
        chance = np.random.default_rng(seed)
        generator = torch.Generator().manual_seed(int(chance.integers(2**63)))
        done = min(self.decisions / settings.total_decisions, 1.0)
        rate = settings.learning_rate * (1 - done)
        first, last = settings.entropy
        entropy_weight = first + (last - first) * done
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if "past" in settings.opponents and (
            self.play.past_count < self.decisions // settings.past_every
        ):
            self.play.remember(self.policy(averaged=False))
        decisions = self.play.collect(
            lambda inputs, masks, _: decide(self.network, generator, inputs, masks),
            chance,
            settings.discount,
            settings.trace,
        )
        figures = {"learning_rate": rate, "entropy_weight": entropy_weight}
        if self.play.seats:
            figures["return"] = self.play.returns / self.play.seats
        if len(decisions.actions):
            figures |= update(
                self.network, self.optimizer, decisions, settings, entropy_weight, generator
            )
        self.updates += 1
        self.decisions += len(decisions.actions)
        # Early on, the average is over all updates so far: it does not remember the first weights.
        keep = min(settings.average, self.updates / (self.updates + 10))
        for name, weight in self.weights().items():
            self.average[name] = keep * self.average[name] + np.float32(1 - keep) * weight
        return figures

    def save(self, path: Path, run: Run) -> None:
        """Write a checkpoint."""
        arrays = {f"games.{name}": array for name, array in self.play.save().items()}
        arrays |= {f"network.{name}": w for name, w in self.weights().items()}
        arrays |= {f"average.{name}": w for name, w in self.average.items()}
        names = [name for name, _ in self.network.named_parameters()]
        for number, memory in self.optimizer.state_dict()["state"].items():
            for kind, tensor in memory.items():
                arrays[f"optimizer.{names[number]}.{kind}"] = tensor.numpy()
        for slot, policy in enumerate(self.play.past):
            arrays |= {f"past.{slot}.{name}": w for name, w in policy.weights.items()}
        header = {
            "game": self.game.rules.id,
            "settings": msgspec.to_builtins(self.settings),
            "updates": self.updates,
            "decisions": self.decisions,
            "past": [policy.step for policy in self.play.past],
            "seconds": run.elapsed(),
            "curve": run.curve,
            "record": layout_of(self.game),
        }
        write_tensors(path, arrays, header)

    def restore(self, path: Path, run: Run) -> None:
        """Go on from a checkpoint.

        Raises:
            ValueError: with a sentence, if it is damaged or belongs to a run with other settings.
        """
        go_on(path, self.game, self.settings, run, self._restore)

    def _restore(self, arrays: dict[str, np.ndarray], header: dict[str, Any]) -> None:
        games, current = under("games.", arrays), self.weights()
        if header.get("record") != layout_of(self.game):
            raise ValueError(f"another version of {self.game.name} has written its games")
        check_arrays("games", games, self.play.save())
        for part in ("network", "average"):
            check_arrays(part, under(f"{part}.", arrays), current)
        self.updates, self.decisions = header["updates"], header["decisions"]
        self.average = under("average.", arrays)
        weights = {k: torch.from_numpy(w) for k, w in under("network.", arrays).items()}
        self.network.load_state_dict(weights)
        names = [name for name, _ in self.network.named_parameters()]
        state = self.optimizer.state_dict()
        for number, name in enumerate(names):
            memory = under(f"optimizer.{name}.", arrays)
            if memory or self.updates:
                check_arrays(f"optimizer.{name}", memory, adam_memory(current[name]))
            state["state"][number] = {k: torch.from_numpy(a) for k, a in memory.items()}
        self.optimizer.load_state_dict(state)
        past = [
            Policy(
                self.game,
                self.parts,
                self.settings.activation,
                under(f"past.{slot}.", arrays),
                step,
            )
            for slot, step in enumerate(header["past"])
        ]
        for slot, policy in enumerate(past):
            check_arrays(f"past.{slot}", policy.weights, current)
        self.play.restore(games, past)


def layout_of(game: Game) -> str:
    """The fields of a game's record, as text: a checkpoint keeps records as bytes."""
    return str(game.rules.state.descr)


def train(
    settings: PPOSettings, out: Path, resume: bool = False, until: int | None = None
) -> Result:
    """Train a policy; everything is written to the folder `out`.

    Args:
        settings: the game, the budget, and how to learn.
        out: the run's folder; see `runs.py` for what it holds.
        resume: go on from the checkpoint in `out`; a run that was stopped before its first one
            begins anew. With more `total_decisions` than before, a run is extended: the schedules
            are those of the new budget from there on.
        until: stop after the update that reaches so many decisions, with a checkpoint and without
            weights: whoever resumes the run gets what it would have been in one go, bit for bit.

    Raises:
        ValueError: with a sentence, if a setting does not fit the game; if `out` holds a run
            already and `resume` is False, or none and `resume` is True; if its checkpoint is
            damaged or of other settings.
    """
    out = Path(out)
    checkpoint, weights = (out / name for name in FILES)
    check_folder(out, resume, FILES)
    learner = Learner(settings)
    run = Run(out, settings, f"{settings.game['name']}-{settings.seed}")
    if checkpoint.exists():
        learner.restore(checkpoint, run)
    elif resume:
        run.anew()
    with kept_threads(settings.threads):
        return carry_out(learner, run, checkpoint, weights, until)
