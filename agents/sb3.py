"""Policies trained with stable-baselines3's MaskablePPO (sb3-contrib), from their `.zip` files.

Such a file holds Python objects too, which would run a stranger's code when loaded. They are left
alone: the network is built anew from `backroom.json`, which `train/sb3.py` adds to the file, and
only its weights are read, by a loader that makes nothing but tensors (`weights_only`).
"""

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from ..envs.engine.game import Game, find
from .base import Agent
from .neural import checked_temperature, name_of, one_thread, scales, softmax

FORMAT = "1"
"""Version of the layout of `backroom.json`."""
CARD = "backroom.json"
MAX_BYTES = 1 << 30
"""A part of a file that unpacks to more is not read."""
MAX_LAYERS = 64

ACTIVATIONS: dict[str, type[torch.nn.Module]] = {"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh}


class Scaled(BaseFeaturesExtractor):
    """Observations, each cell divided by its greatest value."""

    def __init__(self, observation_space: spaces.Box, scale: list[float]) -> None:
        """`scale`, float[O], is what cells are multiplied by."""
        super().__init__(observation_space, len(scale))
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.tensor(scale), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float32[B, O] -> float32[B, O]."""
        return observations * self.scale


def policy_arguments(game: Game, layers: list[int], activation: str) -> dict[str, Any]:
    """What MaskablePPO's policy is built with for `game`, beside its spaces."""
    return {
        "net_arch": list(layers),
        "activation_fn": ACTIVATIONS[activation],
        "features_extractor_class": Scaled,
        "features_extractor_kwargs": {"scale": scales(game).tolist()},
    }


class Card(NamedTuple):
    """What `backroom.json` tells of a policy."""

    game: Game
    """With the options that it was trained on."""
    layers: list[int]
    """Sizes of hidden layers, of the policy and of the value alike."""
    activation: str
    step: int = 0
    """Decisions that it was trained on."""


def add_card(path: Path, card: Card) -> None:
    """Add `backroom.json` to the `.zip` file that stable-baselines3 wrote at `path`."""
    text = {
        "format": FORMAT,
        "game": card.game.name,
        "version": card.game.rules.version,
        "options": card.game.settings(),
        "layers": card.layers,
        "activation": card.activation,
        "step": card.step,
    }
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(CARD, json.dumps(text))


def read_card(path: Path) -> Card:
    """The card in the file `path`.

    Raises:
        ValueError: with a sentence, if the file is damaged, holds something else, or was made by
            another version of the game.
    """
    try:
        text = json.loads(_part(path, CARD))
        if text["format"] != FORMAT:
            raise ValueError("it has another format")
        rules = find(text["game"])
        if text["version"] != rules.version:
            raise ValueError(f"it plays version {text['version']} of {rules.name}, not {rules.id}")
        layers = text["layers"]
        if not isinstance(layers, list) or not all(type(n) is int and n > 0 for n in layers):
            raise ValueError(f"layers are numbers above 0, not {layers}")
        if len(layers) > MAX_LAYERS:
            raise ValueError(f"it has {len(layers)} layers; no more than {MAX_LAYERS} are known")
        if text["activation"] not in ACTIVATIONS:
            raise ValueError(f"there is no activation {text['activation']!r}")
        game = rules.configure(**text["options"])
        return Card(game, layers, text["activation"], int(text["step"]))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path} holds no policy that can be played: {what}") from None


def _part(path: Path, name: str) -> bytes:
    """A part of a `.zip` file; ValueError if it cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(name).file_size > MAX_BYTES:
                raise ValueError(f"{name} is too large")
            return archive.read(name)
    except KeyError:
        raise ValueError(f"it has no {name}: it was not trained by this suite") from None
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, EOFError, RuntimeError) as error:
        raise ValueError(f"it is no readable zip file ({error})") from None


class Sb3Agent(Agent):
    """Plays a policy of MaskablePPO or PPO; illegal actions have probability 0.

    Attributes:
        temperature: logits are divided by it; 1 plays as trained, 0 always the likeliest action.
    """

    def __init__(
        self,
        game: Game,
        policy: MaskableActorCriticPolicy | ActorCriticPolicy,
        seed: int = 0,
        temperature: float = 1.0,
        name: str = "sb3",
    ) -> None:
        """Prepare to play `policy`.

        Raises:
            ValueError: if the policy was made for other observations or actions, or `temperature`
                is no number from 0 up.
        """
        super().__init__(game, seed)
        shapes = (game.observation_size,), spaces.Discrete(len(game.actions))
        if (policy.observation_space.shape, policy.action_space) != shapes:
            raise ValueError(
                f"this policy was made for other observations or actions than {game.name} has with "
                f"{', '.join(f'{k}={v}' for k, v in game.settings().items()) or 'no options'}"
            )
        self.policy, self.name = policy, name
        self.temperature = checked_temperature(temperature)

    @classmethod
    def from_file(
        cls, game: Game, path: Path, seed: int = 0, temperature: float = 1.0
    ) -> "Sb3Agent":
        """The agent whose policy is in the file `path`, named after the file or its run.

        Raises:
            ValueError: if the file is damaged or its policy cannot play this game.
        """
        path = Path(path)
        card = read_card(path)
        if card.game.rules is not game.rules or card.game.observation != game.observation:
            options = ", ".join(f"{k}={v}" for k, v in card.game.settings().items())
            raise ValueError(f"{path} plays {card.game.name} with {options or 'no options'} only")
        try:
            content = _part(path, "policy.pth")
            weights = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
            if len(content) < 4 * weight_count(card):  # before room is made for so many
                raise ValueError("they are fewer than its layers need")
            policy = blank_policy(card)
            policy.load_state_dict(weights)
        except pickle.UnpicklingError:
            raise ValueError(f"{path} holds more than weights, which is not loaded") from None
        except Exception as error:  # the loader fails in as many ways as files can be damaged
            raise ValueError(f"{path} holds no weights that can be read: {_line(error)}") from None
        if not all(torch.isfinite(w).all() for w in policy.state_dict().values()):
            raise ValueError(f"{path} holds weights that are not all finite numbers")
        return cls(game, policy, seed, temperature, name_of(path))

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """The distribution that `act` draws from, float32[B, A]."""
        with torch.inference_mode(), one_thread():
            features = self.policy.features_extractor(_floats(observations))
            latent = self.policy.mlp_extractor.forward_actor(features)
            logits: np.ndarray = self.policy.action_net(latent).numpy()
        return softmax(logits, np.asarray(masks, np.bool_), self.temperature)

    def value(self, observations: np.ndarray) -> np.ndarray:
        """What the network expects the movers still to earn, float32[B]."""
        with torch.inference_mode(), one_thread():
            values: np.ndarray = self.policy.predict_values(_floats(observations))[:, 0].numpy()
        return values


def weight_count(card: Card) -> int:
    """How many numbers the policy's and the value's layers hold."""
    game = card.game
    inputs = [game.observation_size, *card.layers]
    return sum(
        (before + 1) * after
        for last in (len(game.actions), 1)
        for before, after in zip(inputs, [*card.layers, last], strict=True)
    )


def blank_policy(card: Card) -> MaskableActorCriticPolicy:
    """The network that `card` tells of, with weights of no meaning; no global generator moves."""
    low, high = card.game.observation_bounds
    with torch.random.fork_rng(devices=[]):
        return MaskableActorCriticPolicy(
            spaces.Box(low, high, dtype=np.int8),
            spaces.Discrete(len(card.game.actions)),
            lambda _: 0.0,
            **policy_arguments(card.game, card.layers, card.activation),
        )


def _floats(observations: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(np.asarray(observations).astype(np.float32))


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
