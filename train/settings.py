"""Settings of a training: as files (TOML), and from the command line.

The file `configs/GAME.toml` is what `backroom train GAME` starts from unless another is named.
Single settings are changed by `name=value`; those of the game by `game.name=value`, or by the
option's own name where no setting is called that. The settings of a run are kept beside its
results as `settings.toml`, from which it can be run again.
"""

import ast
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from backroom.agents.neural import Activation
from backroom.envs import GAMES, Game, configure
from backroom.envs.engine.names import unknown

CONFIGS = Path(__file__).parent / "configs"

Count = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0, le=1)]
Amount = Annotated[float, Meta(ge=0, le=1e9)]


class Settings(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """What every way of training has."""

    game: Annotated[dict[str, Any], Meta(description="the game's name, and its options")]
    seed: Annotated[int, Meta(ge=0, lt=2**31, description="of deals, weights and moves")] = 0
    total_decisions: Annotated[
        Count,
        Meta(
            description="the budget: decisions of the learner that it is trained on; the update "
            "that reaches it is done whole, so a run takes up to `games * moves` more"
        ),
    ] = 10_000_000
    games: Annotated[Count, Meta(description="games played at once")] = 1024
    moves: Annotated[Count, Meta(description="moves in each game between two updates")] = 32
    layers: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=65_536)], ...],
        Meta(min_length=1, max_length=64, description="sizes of hidden layers"),
    ] = (256, 256)
    activation: Annotated[Activation, Meta(description="after each hidden layer")] = "relu"
    epochs: Annotated[Count, Meta(description="times that each decision is used")] = 3
    minibatch: Annotated[Count, Meta(description="decisions for one step of the optimiser")] = 4096
    learning_rate: Annotated[Amount, Meta(description="at the start; falls linearly to 0")] = 1e-3
    discount: Annotated[Share, Meta(description="gamma, from one own decision to the next")] = 1.0
    trace: Annotated[Share, Meta(description="lambda of the advantages' estimate (GAE)")] = 0.95
    entropy: Annotated[
        tuple[Amount, Amount],
        Meta(description="weight of the policy's entropy at the start and at the end, linear"),
    ] = (0.02, 0.02)
    clip: Annotated[Amount, Meta(description="PPO's bound on the change of a probability")] = 0.2
    value_weight: Annotated[Amount, Meta(description="of the value's loss")] = 0.5
    max_gradient: Annotated[Amount, Meta(description="gradients are cut to this norm")] = 0.5
    normalize: Annotated[
        bool, Meta(description="advantages are brought to mean 0 and deviation 1")
    ] = True
    threads: Annotated[int, Meta(ge=1, le=256, description="of the network and of the games")] = 2
    evaluate_every: Annotated[Count, Meta(description="decisions between evaluations")] = 500_000
    evaluate_games: Annotated[Count, Meta(description="games of an evaluation")] = 2000
    evaluate_against: Annotated[
        tuple[str, ...],
        Meta(description="agents, by name or file, whom the learner meets alone at a table"),
    ] = ("random",)
    checkpoint_every: Annotated[Count, Meta(description="decisions between checkpoints")] = 500_000

    def make_game(self) -> Game:
        """The game with its options.

        Raises:
            ValueError: if there is no such game or option.
        """
        options = dict(self.game)
        return configure(options.pop("name"), **options)


class PPOSettings(Settings, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """What `train/ppo.py` is told."""

    average: Annotated[
        float,
        Meta(
            ge=0,
            lt=1,
            description="the weights that are evaluated and saved are a moving average over the "
            "updates with this decay; 0: the last weights",
        ),
    ] = 0.0
    parts: Annotated[
        tuple[str, ...],
        Meta(description="parts of the observation that the network reads; none: all"),
    ] = ()
    without: Annotated[
        tuple[str, ...],
        Meta(description="parts that it does not read; only where `parts` names none"),
    ] = ()
    opponents: Annotated[
        dict[str, Amount],
        Meta(
            description="who sits with the learner, and how often: self, past (former selves), or "
            "an agent by name or file; in each game one seat is the learner's, each other is drawn"
        ),
    ] = msgspec.field(default_factory=lambda: {"self": 1.0})
    past_every: Annotated[
        Count, Meta(description="decisions between two former selves that are kept")
    ] = 500_000
    past_size: Annotated[Count, Meta(description="former selves kept, the oldest go first")] = 8


class RLlibSettings(PPOSettings, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """What `train/rllib.py` is told: all that `train/ppo.py` is, and where the games are played."""

    policies: Annotated[
        Literal["shared", "separate"],
        Meta(description="one network for all seats, or one for each"),
    ] = "shared"
    runners: Annotated[
        int,
        Meta(
            ge=0,
            le=10_000,
            description="processes that play, on any machine of the cluster, `games / runners` "
            "games each; 0: the training's own",
        ),
    ] = 2
    learners: Annotated[
        int,
        Meta(
            ge=0,
            le=1000,
            description="processes that share each step of the optimiser, on any machine too; 0: "
            "the training's own. More than one share a `minibatch` evenly",
        ),
    ] = 0
    cores: Annotated[
        int, Meta(ge=1, le=256, description="of a runner or a learner, each used by a thread")
    ] = 1


class SB3Settings(Settings, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """What `train/sb3.py` is told."""

    masks: Annotated[
        bool,
        Meta(description="MaskablePPO; without masks PPO, whose illegal actions lose the game"),
    ] = True
    seat: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="the learner's seat; without it, drawn for each game"),
    ] = None
    opponents: Annotated[
        tuple[str, ...],
        Meta(
            min_length=1,
            description="agents by name or file: one for all other seats, or one for each, in the "
            "order of turns after the learner",
        ),
    ] = ("random",)


AnySettings = TypeVar("AnySettings", bound=Settings)


class Described(NamedTuple):
    """A setting, for tables."""

    name: str
    default: Any
    description: str


KINDS: dict[str, type[Settings]] = {
    "ppo": PPOSettings,
    "sb3": SB3Settings,
    "rllib": RLlibSettings,
}
"""The settings of each `--algorithm`."""


def describe(kind: type[Settings]) -> list[Described]:
    """All settings of a way of training."""
    table = []
    for field in msgspec.structs.fields(kind):
        metas = [m for m in getattr(field.type, "__metadata__", ()) if isinstance(m, Meta)]
        default = (
            field.default_factory()
            if field.default is msgspec.NODEFAULT
            and (field.default_factory is not msgspec.NODEFAULT)
            else field.default
        )
        text = " ".join(m.description for m in metas if m.description)
        table.append(Described(field.name, default, text))
    return table


def default_config(kind: type[Settings], game: str) -> Path:
    """The file that a training of `game` starts from; it need not exist."""
    return CONFIGS / ("sb3" if kind is SB3Settings else "") / f"{game}.toml"


def load(
    kind: type[AnySettings],
    game: str,
    config: Path | None = None,
    changes: Iterable[str] = (),
) -> AnySettings:
    """The settings for a training of `game`.

    Args:
        kind: `PPOSettings`, `SB3Settings` or `RLlibSettings`.
        game: the game's name.
        config: a TOML file; None for the game's own in `configs/`, if there is one.
        changes: `name=value` each; later ones win.

    Raises:
        ValueError: with a sentence on what is wrong with the file, a name or a value.
    """
    if game not in GAMES:
        raise ValueError(unknown("game", game, sorted(GAMES)))
    plain: dict[str, Any] = {}
    path = config or default_config(kind, game)
    if config is not None or path.exists():
        try:
            plain = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise ValueError(f"{path} is no readable TOML file: {error}") from None
    if not isinstance(plain.setdefault("game", {}), dict):
        raise ValueError(f"{path}: game is a table of the game's options, not {plain['game']!r}")
    if plain["game"].setdefault("name", game) != game:
        raise ValueError(f"{path} is for {plain['game']['name']}, not {game}")
    for change in changes:
        _change(kind, plain, change)
        if not isinstance(plain["game"], dict) or plain["game"].get("name") != game:
            raise ValueError(f"{change!r}: the game to train is {game}, and its options game.NAME")
    settings = convert(kind, plain)
    settings.make_game()
    return settings


def convert(kind: type[AnySettings], plain: Mapping[str, Any]) -> AnySettings:
    """Settings from plain data.

    Raises:
        ValueError: with a sentence that names the setting, if one is unknown or out of range.
    """
    known = kind.__struct_fields__
    for name in plain:
        if name not in known:
            raise ValueError(unknown("setting", name, known))
    try:
        return msgspec.convert(plain, kind, strict=False)
    except msgspec.ValidationError as error:
        said = str(error).replace("Expected `object`", "Expected a table, {name=number}")
        what, _, where = said.rpartition(" - at `$.")
        text = f"setting {where.rstrip('`')}: {what}" if what else said
        raise ValueError(text) from None


def _change(kind: type[Settings], plain: dict[str, Any], change: str) -> None:
    """Write `name=value` or `table.name=value` into `plain`."""
    where, equals, text = change.partition("=")
    name, dot, key = where.strip().partition(".")
    if not equals or not name or (dot and not key):
        raise ValueError(
            f"a change of settings is name=value, not {change!r}; several values of one setting "
            "stand without spaces, or in quotes: name=[a,b]"
        )
    options = GAMES[plain["game"]["name"]].options.__struct_fields__
    if not dot and name not in kind.__struct_fields__ and name in options:
        name, dot, key = "game", ".", name
    if not dot:
        plain[name] = _value(text.strip())
        return
    defaults = {setting.name: setting.default for setting in describe(kind)}
    table = plain.setdefault(name, defaults.get(name))
    if not isinstance(table, dict):
        raise ValueError(f"there is no table of settings {name!r}: {change!r} cannot be set")
    table[key] = _value(text.strip())


def _value(text: str) -> Any:
    """A value as Python or TOML writes it, else the text itself, or in brackets texts.

    >>> _value("2e7"), _value("[64, 32]"), _value("[counting,runs/a]"), _value("{self=0.5}")
    (20000000.0, [64, 32], ['counting', 'runs/a'], {'self': 0.5})
    >>> _value("{self=0.5, runs/a=0.5}")
    {'self': 0.5, 'runs/a': 0.5}
    """
    for read in (ast.literal_eval, lambda text: tomllib.loads(f"x = {text}")["x"]):
        try:
            return read(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
    if text.startswith("[") and text.endswith("]"):
        return [_value(part.strip()) for part in text[1:-1].split(",") if part.strip()]
    if text.startswith("{") and text.endswith("}"):
        pairs = [part.partition("=") for part in text[1:-1].split(",") if part.strip()]
        if all(equals for _, equals, _ in pairs):
            return {name.strip(" \"'"): _value(value.strip()) for name, _, value in pairs}
    return text


def to_toml(settings: Settings) -> str:
    """The settings as a file that `load` reads."""
    plain = msgspec.to_builtins(settings)
    flat = [f"{k} = {value_text(v)}" for k, v in plain.items() if not isinstance(v, dict | None)]
    for name, table in plain.items():
        if isinstance(table, dict):
            flat += [
                "",
                f"[{name}]",
                *(f"{json.dumps(k)} = {value_text(v)}" for k, v in table.items()),
            ]
    return "\n".join(flat) + "\n"


def value_text(value: Any) -> str:
    """A value as a settings file has it, and as `--set` reads it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {value_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(value_text(v) for v in value)}]"
    if value is None:  # TOML has no such value; options of games read the text
        value = "none"
    return json.dumps(value, ensure_ascii=False)  # numbers, texts, truth values look the same
