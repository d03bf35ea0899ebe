"""RLlib's module and learner, with the suite's own network: what is exported plays alike."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from backroom.agents.neural import NeuralAgent, Policy, Weights, cells
from backroom.agents.seats import SeatsAgent
from backroom.envs import Game

from .ppo import NOWHERE, Network, read_parts
from .settings import RLlibSettings, convert

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
