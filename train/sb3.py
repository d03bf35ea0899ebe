"""MaskablePPO and PPO of stable-baselines3: one seat learns against given agents.

    backroom train kuhn --algorithm sb3 --out runs/kuhn-sb3
    backroom train caribbean_poker --algorithm sb3 --set masks=false
    backroom train cockroach_poker --algorithm sb3 --set 'opponents=["counting"]'

The library draws from global generators; they are put back when training ends. A run that was
killed goes on from its last checkpoint with the same weights and the same memory of the optimiser,
but with games dealt anew: not bit for bit, as `ppo.py` does.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import VecEnv

from backroom.agents import load as load_agent
from backroom.agents.sb3 import Card, Sb3Agent, add_card, policy_arguments, read_card
from backroom.envs import Game, make_vector
from backroom.envs.engine.single import Player

from .kept import kept_generators, kept_threads
from .runs import FILES_OF, Result, Run, Timer, check_folder, measure, write_atomically
from .settings import SB3Settings
from .stopping import asked_to_stop

KIND, FOLDER = SB3Settings, "{game}-sb3-{seed}"
"""What `backroom train` reads, and what it calls a run."""
FILES = FILES_OF["sb3"]
"""A run's checkpoint and weights."""


class SeatVecEnv(VecEnv):
    """Many games for one seat each, as stable-baselines3 wants its environments.

    One kernel call a move steps all games; `env_method("action_masks")` is what MaskablePPO asks
    for masks. The library's own `DummyVecEnv` and `SubprocVecEnv` over `make_single` work too, but
    step each game by itself.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seat: int | None = None,
        opponents: Player | Sequence[Player] | None = None,
    ) -> None:
        """Arguments as for `make_vector`."""
        self.games = make_vector(game, num_envs, seat=seat, opponents=opponents, flatten=True)
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        super().__init__(
            num_envs, self.games.single_observation_space, self.games.single_action_space
        )

    def reset(self) -> np.ndarray:
        """Deal all games; from the seed, if `seed` was called before."""
        seed = self._seeds[0]
        if seed is not None:  # far from the seeds that evaluations use
            seed = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] >> np.uint64(1))
        self._reset_seeds()
        self._returns[:] = self._lengths[:] = 0
        observations: np.ndarray = self.games.reset(seed=seed)[0]
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play; games that end are dealt anew, their last observation stands in the infos."""
        observations, rewards, done, _, more = self.games.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(done).tolist():
            episode = {"r": self._returns[i], "l": int(self._lengths[i]), "t": 0.0}
            infos[i] = {
                "terminal_observation": more["final_obs"][i],
                "TimeLimit.truncated": False,
                "episode": episode,
            }
        self._returns[done] = self._lengths[done] = 0
        return observations, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """There is nothing to close."""

    def action_masks(self) -> np.ndarray:
        """The legal actions, bool[B, A]."""
        return self.games.action_masks()

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks` of each game; there is no other method.

        Raises:
            AttributeError: for any other.
        """
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of all games: `action_masks`, `render_mode`.

        Raises:
            AttributeError: for any other.
        """
        values = {"action_masks": self.action_masks, "render_mode": None}
        if attr_name not in values:
            raise AttributeError(f"the games have no attribute {attr_name!r}")
        return [values[attr_name] for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """The games have no attributes to set."""
        raise AttributeError(f"the games have no attribute {attr_name!r} to set")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False for _ in self._get_indices(indices)]


class Told(BaseCallback):
    """Progress, evaluations and checkpoints along the way."""

    def __init__(
        self,
        run: Run,
        save: Callable[[], Any],
        evaluate: Callable[[], Any],
        asked: Callable[[], bool],
    ) -> None:
        """`save` writes a checkpoint, `evaluate` adds a point to the curve, `asked`: to stop.

        The weight of the entropy, which the library keeps constant, is led along here too.
        """
        super().__init__()
        self._run, self._save, self._evaluate, self._asked = run, save, evaluate, asked
        self._before = 0
        self._evaluations = Timer(run.settings.evaluate_every)
        self._checkpoints = Timer(run.settings.checkpoint_every)

    def _on_training_start(self) -> None:
        self._before = self.num_timesteps

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        """After an update: nothing is half done then."""
        now = self.num_timesteps
        figures = {k: v for k, v in self.logger.name_to_value.items() if k.startswith("train/")}
        self._run.scalars(now, figures)
        self._run.tell(now)
        settings: Any = self._run.settings
        first, last = settings.entropy
        done = min(now / settings.total_decisions, 1.0)
        self.model.ent_coef = first + (last - first) * done  # type: ignore[attr-defined]
        if self._evaluations.due(self._before, now):
            self._evaluate()
        asked = self._asked()
        if asked or self._checkpoints.due(self._before, now):
            self._save()
        if asked:
            self._run.stopped(now)
        self._before = now


def train(settings: SB3Settings, out: Path, resume: bool = False) -> Result:
    """Train a policy; everything is written to the folder `out`, the policy as `policy.zip`.

    Args:
        settings: the game, the opponents, the budget, and how to learn.
        out: the run's folder; see `runs.py` for what it holds.
        resume: go on from the checkpoint in `out`; a run that was stopped before its first one
            begins anew. With more `total_decisions` than before, a run is extended.

    Raises:
        ValueError: with a sentence, if a setting does not fit the game; if `out` holds a run
            already and `resume` is False, or none and `resume` is True; if its checkpoint is
            damaged or of another game.
    """
    out, game = Path(out), settings.make_game()
    checkpoint, weights = (out / name for name in FILES)
    check_folder(out, resume, FILES)
    run = Run(out, settings, f"{game.name}-sb3-{settings.seed}")
    with kept_generators(), kept_threads(settings.threads):
        model = build(settings, game)
        done = _restore(model, checkpoint, game, run) if checkpoint.exists() else 0
        if resume and not checkpoint.exists():
            run.anew()

        def save(path: Path) -> None:
            step = model.num_timesteps
            card = Card(game, list(settings.layers), settings.activation, step)
            write_atomically(path, lambda new: _save(model, new, card))

        def evaluate() -> Any:
            agent = Sb3Agent(game, model.policy, name="learner")
            figures = measure(game, agent, settings.evaluate_against, settings.evaluate_games)
            if not run.curve or run.curve[-1]["decisions"] != model.num_timesteps:
                run.point(model.num_timesteps, figures)
            return figures

        with run, asked_to_stop(run.say) as asked:
            told = Told(run, lambda: save(checkpoint), evaluate, asked)
            if done < settings.total_decisions:
                model.learn(settings.total_decisions - done, told, reset_num_timesteps=False)
            save(weights)
            figures = evaluate()
            save(checkpoint)
            return run.finish(weights, model.num_timesteps, figures)


def build(settings: SB3Settings, game: Game) -> MaskablePPO | PPO:
    """The learner and its games.

    The minibatch is the greatest number up to the wanted one that divides the decisions of a
    rollout: the library wants no rest.

    Raises:
        ValueError: if the opponents or the seat do not fit the game.
    """
    names = settings.opponents
    opponents = [load_agent(name, game) for name in names]
    games = SeatVecEnv(
        game, settings.games, settings.seat, opponents[0] if len(names) == 1 else opponents
    )
    rollout = settings.games * settings.moves
    wanted = min(settings.minibatch, rollout)
    algorithm = MaskablePPO if settings.masks else PPO
    model = algorithm(
        "MlpPolicy",
        games,
        learning_rate=lambda left: settings.learning_rate * left,
        n_steps=settings.moves,
        batch_size=next(n for n in range(wanted, 0, -1) if rollout % n == 0),
        n_epochs=settings.epochs,
        gamma=settings.discount,
        gae_lambda=settings.trace,
        clip_range=settings.clip,
        normalize_advantage=settings.normalize,
        ent_coef=settings.entropy[0],
        vf_coef=settings.value_weight,
        max_grad_norm=settings.max_gradient,
        policy_kwargs=policy_arguments(game, list(settings.layers), settings.activation),
        seed=settings.seed,
        device="cpu",
    )
    model.set_logger(Logger(None, []))  # its own would leave a folder behind; `Told` hands it on
    return model


def _save(model: MaskablePPO | PPO, path: Path, card: Card) -> None:
    with path.open("wb") as file:
        model.save(file)
    add_card(path, card)


def _restore(model: MaskablePPO | PPO, path: Path, game: Game, run: Run) -> int:
    """Give `model` the weights and the optimiser's memory of a checkpoint; its decisions."""
    card = read_card(path)
    settings = run.settings
    if card.game is not game or (tuple(card.layers), card.activation) != (
        settings.layers,
        settings.activation,
    ):
        raise ValueError(f"{path} is of another game, or of a network of another shape")
    try:
        model.set_parameters(str(path), exact_match=True, device="cpu")
    except Exception as error:  # the loader fails in as many ways as files can be damaged
        raise ValueError(f"{path} is no readable checkpoint: {error}") from None
    model.num_timesteps = card.step
    model.set_random_seed((settings.seed + card.step) % 2**31)  # not the same games again
    curve = run.read_curve(card.step)
    run.resumed(card.step, curve[-1]["seconds"] if curve else 0.0, curve)
    return card.step
