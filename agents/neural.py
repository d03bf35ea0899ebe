"""Policy networks: played with NumPy alone, kept in `.safetensors` files.

The network is a stack of hidden layers that the policy and the value share. A file holds its
weights and, as text in the header, all that is needed to play them; nothing in it is ever executed.
`train/` writes such files.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError, safe_open

from ..envs.engine.game import Game, find, option_text
from ..envs.engine.names import unknown
from .base import Agent

FORMAT = "1"
"""Version of the layout of the files, in their header."""

Activation = Literal["relu", "tanh"]
Backend = Literal["numpy", "torch"]
Weights = dict[str, np.ndarray]
"""`hidden.0.weight` float32[H, I], `hidden.0.bias` float32[H], ... `policy.weight` [A, H],
`policy.bias` [A], `value.weight` [1, H], `value.bias` [1]."""


class Policy(NamedTuple):
    """A network's weights, and what they were made for."""

    game: Game
    """The game with the options that it was trained on."""
    parts: tuple[str, ...]
    """The parts of the observation that it reads, in the observation's order."""
    activation: Activation
    """After each hidden layer."""
    weights: Weights
    step: int = 0
    """Decisions that it was trained on."""

    @property
    def layers(self) -> int:
        """How many hidden layers there are."""
        return sum(name.startswith("hidden.") for name in self.weights) // 2


def cells(game: Game, parts: tuple[str, ...]) -> np.ndarray:
    """Where the named parts stand in an observation: int64[I].

    Raises:
        ValueError: if a part is named twice or the observation has none of that name.
    """
    names = game.observation.names or ()
    strange = [part for part in parts if part not in names]
    if strange or not parts or len(set(parts)) < len(parts):
        if strange:
            raise ValueError(f"{_text(game)}: {unknown('part', strange[0], names)}")
        raise ValueError(
            f"parts are some of {', '.join(names)}, each once, not {', '.join(parts) or 'none'}"
        )
    where = np.zeros(1, game.observation)
    for part in parts:
        where[part] = 1
    return np.flatnonzero(where.view(np.int8))


def scales(game: Game) -> np.ndarray:
    """What the cells of an observation are multiplied by, float32[O]: 1 / greatest value."""
    scale: np.ndarray = (1 / game.observation_bounds[1].astype(np.float64)).astype(np.float32)
    return scale


def save(path: Path, policy: Policy) -> None:
    """Write `policy` into the file `path`."""
    w = policy.weights
    header = {
        "format": FORMAT,
        "game": policy.game.name,
        "version": str(policy.game.rules.version),
        "options": json.dumps(policy.game.settings()),
        "parts": json.dumps(policy.parts),
        "layers": json.dumps(
            [len(policy.weights[f"hidden.{i}.bias"]) for i in range(policy.layers)]
        ),
        "activation": policy.activation,
        "step": str(policy.step),
    }
    path.write_bytes(to_bytes({k: np.asarray(array, np.float32) for k, array in w.items()}, header))


def to_bytes(arrays: Mapping[str, np.ndarray], header: dict[str, str]) -> bytes:
    """A safetensors file: the same bytes, and so the same hash, for the same arrays and header."""
    plain = safetensors.numpy.save(
        {k: np.asarray(array, order="C") for k, array in arrays.items()}, metadata=header
    )  # the library writes the header in any order
    size = int.from_bytes(plain[:8], "little")
    text = json.dumps(json.loads(plain[8 : 8 + size]), sort_keys=True).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + plain[8 + size :]


def read(path: Path) -> Policy:
    """The policy in the file `path`.

    Raises:
        ValueError: with a sentence, if the file is damaged, or holds something else, or was made by
            another version of the game.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            header = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise ValueError(f"{path} is no readable safetensors file: {error}") from None
    if header.get("format") != FORMAT:
        raise ValueError(f"{path} holds no policy of this suite, or one of another format")
    try:
        rules = find(header["game"])
        if int(header["version"]) != rules.version:
            raise ValueError(
                f"it plays version {header['version']} of {rules.name}, not {rules.id}"
            )
        game = rules.configure(**json.loads(header["options"]))
        activation: Any = header["activation"]
        policy = Policy(
            game, tuple(json.loads(header["parts"])), activation, weights, int(header["step"])
        )
        _check(policy, json.loads(header["layers"]))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"{path} holds no policy that can be played: {what}") from None
    return policy


def _check(policy: Policy, layers: list[int]) -> None:
    """ValueError unless the weights are finite and are those that the header speaks of."""
    if policy.activation not in get_args(Activation):
        raise ValueError(f"there is no activation {policy.activation!r}")
    if not layers:
        raise ValueError("it has no hidden layer")
    sizes = [len(cells(policy.game, policy.parts)), *layers]
    outputs = {"policy": len(policy.game.actions), "value": 1}
    shapes: dict[str, tuple[int, ...]] = {}
    for i in range(len(layers)):
        shapes[f"hidden.{i}.weight"] = (sizes[i + 1], sizes[i])
        shapes[f"hidden.{i}.bias"] = (sizes[i + 1],)
    for name, size in outputs.items():
        shapes[f"{name}.weight"] = (size, sizes[-1])
        shapes[f"{name}.bias"] = (size,)
    if {name: w.shape for name, w in policy.weights.items()} != shapes:
        raise ValueError("its weights have other names or shapes than its header says")
    if not all(w.dtype == np.float32 and np.isfinite(w).all() for w in policy.weights.values()):
        raise ValueError("its weights are not all finite float32 numbers")


def _check_fit(policy: Policy, game: Game) -> None:
    """ValueError unless a network made for `policy.game` can play `game`."""
    if game.rules is not policy.game.rules:
        raise ValueError(f"these weights play {policy.game.name}, not {game.name}")
    if not _fits(policy, game):
        raise ValueError(f"these weights play {game.name} only with {needed(policy, game)}")


def _fits(policy: Policy, game: Game) -> bool:
    """Whether actions and the parts that are read are those of the training."""
    trained, played = (
        {part.name: part.shape for part in g.facts.parts} for g in (policy.game, game)
    )
    return game.actions == policy.game.actions and all(
        trained[part] == played.get(part) for part in policy.parts
    )


def needed(policy: Policy, game: Game) -> str:
    """The options to set in `game`, which `policy` cannot play, so that it can.

    Returns:
        As `--set` takes them, no more than needed: `num_players=3, features=strength`.
    """
    here, there = game.settings(), policy.game.settings()
    changes = {name: value for name, value in there.items() if here[name] != value}
    for name in list(changes):
        fewer = {k: v for k, v in changes.items() if k != name}
        try:
            enough = _fits(policy, game.rules.configure(**{**here, **fewer}))
        except ValueError:  # these options do not go together
            enough = False
        if enough:
            changes = fewer
    return _options_text(changes)


def _options_text(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={option_text(value)}" for name, value in options.items())


def _text(game: Game) -> str:
    changed = _options_text(game.changed())
    return f"{game.name} with {changed}" if changed else game.name


Function = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""From inputs float32[B, I], not yet scaled, to logits float32[B, A] and values float32[B]."""


def numpy_function(policy: Policy) -> Function:
    """The network in NumPy."""
    hidden, heads = _prepared(policy)
    tanh = policy.activation == "tanh"

    def run(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for weight, bias in hidden:
            x = x @ weight
            x += bias
            x = np.tanh(x, out=x) if tanh else np.maximum(x, 0, out=x)
        out = x @ heads[0] + heads[1]
        return out[:, :-1], out[:, -1]

    return run


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep PyTorch to one thread: with more, it rounds sums in another order, and plays otherwise.

    What an agent plays is so the same on all machines of one kind, and in pools of processes.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def torch_function(policy: Policy) -> Function:
    """The network in PyTorch, which is not needed otherwise."""
    import torch

    hidden, heads = _prepared(policy)
    layers = [(torch.from_numpy(w), torch.from_numpy(b)) for w, b in (*hidden, heads)]
    bend = torch.tanh if policy.activation == "tanh" else torch.relu

    def run(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.inference_mode(), one_thread():
            y = torch.from_numpy(x)
            for weight, bias in layers[:-1]:
                y = bend(torch.addmm(bias, y, weight))
            out = torch.addmm(layers[-1][1], y, layers[-1][0]).numpy()
        return out[:, :-1], out[:, -1]

    return run


Layer = tuple[np.ndarray, np.ndarray]


def _prepared(policy: Policy) -> tuple[list[Layer], Layer]:
    """Each layer's matrix [in, out] and bias; inputs scaled by the first; both heads in one."""
    w = policy.weights
    names = [f"hidden.{i}" for i in range(policy.layers)]
    hidden = [(np.ascontiguousarray(w[f"{n}.weight"].T), w[f"{n}.bias"]) for n in names]
    scale = scales(policy.game)[cells(policy.game, policy.parts)][:, None]
    hidden[0] = (hidden[0][0] * scale, hidden[0][1])
    weight = np.concatenate([w["policy.weight"], w["value.weight"]])
    bias = np.concatenate([w["policy.bias"], w["value.bias"]])
    return hidden, (np.ascontiguousarray(weight.T), bias)


def softmax(logits: np.ndarray, masks: np.ndarray, temperature: float) -> np.ndarray:
    """Probabilities float32[B, A], 0 where `masks` is False; greedy if `temperature` is 0."""
    masked = np.where(masks, logits.astype(np.float64), -np.inf)
    if temperature == 0:
        shares = np.zeros(masked.shape)
        shares[np.arange(len(masked)), masked.argmax(axis=1)] = 1
    else:
        shares = np.exp((masked - masked.max(axis=1, keepdims=True)) / temperature)
        shares /= shares.sum(axis=1, keepdims=True)
    return shares.astype(np.float32)


def checked_temperature(temperature: float) -> float:
    """`temperature`, if it is a number from 0 up, else a ValueError."""
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature is a number from 0 up, not {temperature}")
    return temperature


def name_of(path: Path) -> str:
    """What a policy in a file is called: as the file, or as the run that left it, and its seat.

    >>> name_of(Path("runs/a/policy.safetensors")), name_of(Path("runs/a/policy-0.safetensors"))
    ('a', 'a-0')
    """
    kind, _, seat = path.stem.partition("-")
    if kind != "policy" or not path.parent.name:
        return path.stem
    return f"{path.parent.name}-{seat}" if seat else path.parent.name


class NeuralAgent(Agent):
    """Plays a policy network.

    It also plays other options than those of its training, as long as the actions and the parts of
    the observation that the network reads are the same.

    Attributes:
        policy: the network.
        temperature: logits are divided by it; 1 plays as trained, 0 always the likeliest action.
    """

    def __init__(
        self,
        game: Game,
        policy: Policy,
        seed: int = 0,
        temperature: float = 1.0,
        backend: Backend = "numpy",
        name: str = "neural",
    ) -> None:
        """Prepare to play `policy`; `backend` "torch" is faster in large batches.

        Raises:
            ValueError: if the network cannot play this game or these options, or an argument is
                out of range.
        """
        super().__init__(game, seed)
        _check_fit(policy, game)
        if backend not in get_args(Backend):
            raise ValueError(f"backend is one of {', '.join(get_args(Backend))}, not {backend!r}")
        self.policy, self.name = policy, name
        self.temperature = checked_temperature(temperature)
        own = cells(game, policy.parts)
        self._cells = None if len(own) == game.observation_size else own
        self._backend: Backend = backend
        self._prepare()

    def _prepare(self) -> None:
        make = torch_function if self._backend == "torch" else numpy_function
        self._function = make(self.policy)

    def __getstate__(self) -> dict[str, Any]:
        """All but the function, which other processes and copies make from the weights anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_function"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where the other one stood, its generator included."""
        self.__dict__.update(state)
        self._prepare()

    @classmethod
    def from_file(
        cls,
        game: Game,
        path: Path,
        seed: int = 0,
        temperature: float = 1.0,
        backend: Backend = "numpy",
    ) -> "NeuralAgent":
        """The agent that plays the network in the file `path`, named after the file or its run.

        Raises:
            ValueError: if the file is damaged or its network cannot play this game.
        """
        path = Path(path)
        return cls(game, read(path), seed, temperature, backend, name_of(path))

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray:
        """The distribution that `act` draws from, float32[B, A]."""
        logits, _ = self._run(observations)
        return softmax(logits, np.asarray(masks, np.bool_), self.temperature)

    def value(self, observations: np.ndarray) -> np.ndarray:
        """What the network expects the movers still to earn, float32[B]."""
        return self._run(observations)[1]

    def _run(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        own = observations if self._cells is None else observations[:, self._cells]
        return self._function(own.astype(np.float32))
