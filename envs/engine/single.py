"""One seat's view of a game, for Gymnasium: given agents play the other seats."""

import secrets
from collections.abc import Sequence
from typing import Any, Protocol, get_args

import gymnasium
import numpy as np
from gymnasium import spaces

from .aec import Illegal, observation_space
from .batch import (
    DEAL,
    LEAVE,
    advance,
    legal_choice,
    look,
    new_arrays,
    random_legal,
    seed_streams,
)
from .checks import checked_action, checked_choice, checked_seed, checked_viewer
from .game import Game
from .jit import first_use
from .names import several
from .render import RENDER_MODES, show
from .replay import earnings
from .rng import STREAM, player_stream, seed_range, stream

MAX_DEALS = 1000
"""Deals in a row without a decision for the learner that are taken for an impossible setting."""


class Player(Protocol):
    """Whoever can sit at a table; the agents of this suite do."""

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """Choose an action in each of B games: int8[B, O], bool[B, A], int[B] -> int64[B]."""

    def seed(self, seed: int) -> None:
        """Begin the own random generator anew."""


class RandomPlayer:
    """A uniformly random legal action; draws from a stream of its own."""

    def __init__(self, seed: int = 0) -> None:
        """Begin the stream at `seed`."""
        self._chance = np.zeros(1, STREAM)
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Begin the stream anew; an environment's seed tells nothing of it."""
        self._chance["rng"] = player_stream(checked_seed(seed))

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """One of the legal actions of each game."""
        actions = np.empty(len(masks), np.int64)
        random_legal(np.asarray(masks, np.bool_), self._chance, actions)
        return actions


class SeatGames:
    """B games in which one seat is a learner's and given players take the others.

    Games stop where the learner is to decide or where they end; nothing is dealt by itself.

    Attributes:
        game: the game that is played, with its options.
        seats: int64[B], the learner's seat in each game.
        observations: int8[B, O], what the learner knows.
        masks: bool[B, A], the learner's legal actions; none once a game is over.
        rewards: float64[B], what the learner has earned since its last action.
        done: bool[B], whether the game is over.
    """

    def __init__(self, game: Game, count: int, seat: int | None, opponents: Any) -> None:
        """Take `seat`, or (None) one drawn for each deal; `opponents` as for `SingleSeatEnv`.

        Raises:
            ValueError: if the seat or the number of opponents does not fit the game.
        """
        self.game = game
        self.seat = checked_viewer("seat", seat, game.players)
        self.opponents = _table(game, opponents)
        self.seats = np.zeros(count, np.int64)
        self.rewards = np.zeros(count, np.float64)
        self.done = np.ones(count, np.bool_)
        self.observations = np.zeros((count, game.observation_size), np.int8)
        self.states = game.blank(count)
        self._out = new_arrays(game, count)
        self._begun = False

    @property
    def masks(self) -> np.ndarray:
        """The learner's legal actions, bool[B, A]."""
        return self._out.masks

    def seed(self, seeds: Sequence[int | None], chance: np.random.Generator) -> None:
        """Begin streams anew: game i from `seeds[i]`, if not None, the players' from `chance`."""
        for i, seed in enumerate(seeds):
            if seed is not None:
                self.states["rng"][i] = stream(seed)
        for player in {id(p): p for p in self.opponents}.values():
            player.seed(int(chance.integers(2**63)))

    def start(self, seeds: Sequence[int | None], chance: np.random.Generator) -> None:
        """Deal all games, after `seed` if there is one of `seeds`.

        The first streams are drawn here: copies of games that were not dealt yet deal differently.
        """
        if not self._begun:
            seed_streams(self.states, seed_range(secrets.randbits(64), len(self.states)))
            self._begun = True
        if any(seed is not None for seed in seeds):
            self.seed(seeds, chance)
        with first_use(self.game.name, "the rules"):
            self.deal(np.ones(len(self.done), np.bool_), chance)

    def shown(self, which: int | slice, flatten: bool) -> Any:
        """What the learner is shown of some games, as copies: observations, and masks beside."""
        observations: np.ndarray = self.observations[which].copy()
        if flatten:
            return observations
        return {"observation": observations, "action_mask": self.masks[which].astype(np.int8)}

    def deal(self, which: np.ndarray, chance: np.random.Generator) -> None:
        """Deal the games where `which`, bool[B]; seats are drawn from `chance`.

        A game that ends before the learner decides anything is dealt anew, seat and all.
        """
        for _ in range(MAX_DEALS):
            if self.seat is None:
                drawn = chance.integers(self.game.players, size=len(which))
                self.seats[which] = drawn[which]
            else:
                self.seats[which] = self.seat
            self.rewards[which] = 0
            self.done[which] = False
            self._advance(np.where(which, DEAL, LEAVE))
            self._play_others()
            which = which & self.done
            if not which.any():
                break
        else:
            raise ValueError(f"the learner never comes to decide in {self.game.settings()}")

    def play(self, actions: np.ndarray) -> None:
        """Play the learner's legal actions, int64[B] (LEAVE for none), and the others' answers."""
        self.rewards[:] = 0
        self._advance(actions)
        self._play_others()

    def forfeit(self, which: np.ndarray) -> None:
        """End the games where `which`: the learner is left with the least return of the game."""
        for i in np.flatnonzero(which):
            earned = earnings(self.game, self.states[i])[self.seats[i]]
            self.rewards[i] = self.game.bounds[0] - earned
        self.states["player"][which] = -1
        self.done[which] = True
        self.masks[which] = False
        look(self.states, self.seats, self.observations)

    def _advance(self, actions: np.ndarray) -> None:
        advance(self.states, actions.astype(np.int64, copy=False), self._out, False, 0)
        self.rewards += self._out.rewards[np.arange(len(self.seats)), self.seats] * (
            actions != LEAVE
        )

    def _play_others(self) -> None:
        out, seats = self._out, self.game.players
        while True:
            waiting = (out.players >= 0) & (out.players != self.seats)
            if not waiting.any():
                break
            actions = np.full(len(self.seats), LEAVE, np.int64)
            distance = (out.players - self.seats) % seats - 1
            for k, player in enumerate(self.opponents):
                rows = np.flatnonzero(waiting & (distance == k))
                if rows.size:
                    masks, players = out.masks[rows], out.players[rows].astype(np.int64)
                    chosen = player.act(out.observations[rows], masks.copy(), players.copy())
                    who = getattr(player, "name", type(player).__name__)
                    actions[rows] = legal_choice(chosen, masks, players, f"opponent {who!r}")
            self._advance(actions)
        self.done[:] = out.players < 0
        look(self.states, self.seats, self.observations)


def _table(game: Game, opponents: Any) -> list[Player]:
    """One player for each seat but the learner's, in the order of turns after it."""
    others = game.players - 1
    if opponents is None:
        return [RandomPlayer()] * others
    one = isinstance(opponents, str) or not isinstance(opponents, Sequence)
    table = [opponents] * others if one else list(opponents)
    if len(table) != others:
        raise ValueError(
            f"{game.name} with {game.players} seats needs {several(others, 'opponent')}, "
            f"not {len(table)}"
        )
    for player in table:
        _check_player(game, player)
    return table


def _check_player(game: Game, player: Any) -> None:
    """Whether `player` can sit at a table of `game`.

    Raises:
        TypeError: if it is no player.
        ValueError: if it was made for another game, or for other options.
    """
    if not (hasattr(player, "act") and hasattr(player, "seed")):
        raise TypeError(f"an opponent is an agent, such as load('random', game), not {player!r}")
    check_made_for(game, player, "opponent")


def check_made_for(game: Game, player: Any, role: str = "agent") -> None:
    """Whether `player` was made for this very game, if it tells: what it knows of another is wrong.

    Raises:
        ValueError: if it was made for another game, or for other options.
    """
    own = getattr(player, "game", game)
    if isinstance(own, Game) and (own.rules, own.options) != (game.rules, game.options):
        name = getattr(player, "name", type(player).__name__)
        raise ValueError(
            f"{role} {name!r} was made for {own.described()}, not for {game.described()}"
        )


class SingleSeatEnv(gymnasium.Env[Any, Any]):
    """A Gymnasium environment for one seat; `action_masks()` as sb3-contrib's MaskablePPO wants.

    The reward of a step is all that the seat earns until it decides again, on whosever move. The
    mask also stands in the observation. Games in which the seat has nothing to decide are skipped.
    An illegal action ends the episode, whose rewards then sum to the least return of the game, or
    is a ValueError with `illegal="raise"`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        seat: int | None = None,
        opponents: Player | Sequence[Player] | None = None,
        flatten: bool = False,
        render_mode: str | None = None,
        illegal: Illegal = "terminate",
    ) -> None:
        """Prepare spaces; `reset` deals.

        Args:
            game: the game to play.
            seat: the learner's, or None to draw it anew for each episode.
            opponents: one player for all other seats, or one for each, in the order of turns after
                the learner; None for uniformly random play.
            flatten: observations are the int8 vector alone, not a dictionary with the mask.
            render_mode: None, "human", "ansi" or "rgb_array", as the learner sees the table.
            illegal: "terminate" or "raise".

        Raises:
            ValueError: if an argument is none of its choices or does not fit the game.
        """
        self.game, self.flatten = game, flatten
        self.render_mode = checked_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.illegal = checked_choice("illegal", illegal, get_args(Illegal))
        self._games = SeatGames(game, 1, seat, opponents)
        space = observation_space(game, len(game.actions))
        self.observation_space = space["observation"] if flatten else space
        self.action_space = spaces.Discrete(len(game.actions))

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._games.seats[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal, and play until the learner is to decide; there are no `options`.

        Raises:
            TypeError, ValueError: if `seed` is no integer in [0, 2**64).
        """
        if seed is not None:
            seed = checked_seed(seed)
        super().reset(seed=seed)
        self._games.start([seed], self.np_random)
        return self._games.shown(0, self.flatten), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play `action`, then the others until the learner is to decide or the game is over.

        Raises:
            RuntimeError: if no episode is under way.
            TypeError: if `action` is no integer.
            ValueError: if it is illegal and the environment was made with `illegal="raise"`.
        """
        games = self._games
        if games.done[0]:
            raise RuntimeError("call reset() before step(): no episode is under way")
        number = checked_action(action)
        if 0 <= number < len(self.game.actions) and games.masks[0, number]:
            games.play(np.array([number], np.int64))
        elif self.illegal == "raise":
            allowed = np.flatnonzero(games.masks[0]).tolist()
            raise ValueError(f"player_{self.seat} may play {allowed}, not {number}")
        else:
            games.forfeit(np.ones(1, np.bool_))
        shown = games.shown(0, self.flatten)
        return shown, float(games.rewards[0]), bool(games.done[0]), False, {}

    def action_masks(self) -> np.ndarray:
        """The legal actions, a fresh bool[A]."""
        mask: np.ndarray = self._games.masks[0].copy()
        return mask

    def render(self) -> Any:
        """The table as the learner sees it."""
        return show(self.game, self._games.states[0], self.seat, self.render_mode)
