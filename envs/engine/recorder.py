"""Play a game and write it down."""

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from .checks import checked_action, checked_seat, checked_seed
from .game import Game, legal, observe, step
from .names import several
from .record import Move, Record, Who, is_distribution
from .replay import begin
from .single import Player

Seen: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray]
"""By one seat to move: its observation, int8[1, O]; legal actions, bool[1, A]; itself, int[1]."""


class Recorder:
    """A game under way, written down as it is played.

    Attributes:
        game: the game that is played.
        state: the record of all, hidden cards too; not for players.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        deal: dict[str, str] | None = None,
        agents: Sequence[Who] | None = None,
    ) -> None:
        """Deal: the game that the PettingZoo shell plays after `reset(seed, {"deal": deal})`.

        Raises:
            TypeError, ValueError: if the seed, the deal or the number of `agents` does not fit.
        """
        self.game = game
        self.state = begin(game, seed, deal)[0]
        self._seed, self._deal = checked_seed(seed), deal
        self._agents = agents or [Who(name="unknown")] * game.players
        if len(self._agents) != game.players:
            raise ValueError(
                f"{game.name} has {several(game.players, 'seat')}, not {len(self._agents)}"
            )
        self._moves: list[Move] = []

    @property
    def player(self) -> int:
        """The seat to move, -1 when the game is over."""
        return int(self.state.player)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.player < 0

    def mask(self) -> np.ndarray:
        """The legal actions of the player to move, a fresh bool[A]."""
        mask = np.zeros(len(self.game.actions), np.bool_)
        legal(self.state, mask)
        return mask

    def observe(self, seat: int) -> np.ndarray:
        """What `seat` may know, a fresh int8[O].

        Raises:
            TypeError, ValueError: if there is no such seat.
        """
        observation = np.zeros(self.game.observation_size, np.int8)
        observe(self.state, checked_seat("seat", seat, self.game.players), observation)
        return observation

    def view(self) -> Seen:
        """What the seat to move may know, as players are asked.

        Raises:
            ValueError: if the game is over.
        """
        if self.over:
            raise ValueError("the game is over")
        return self.observe(self.player)[None], self.mask()[None], np.array([self.player])

    def ask(self, player: Player) -> Move:
        """Let `player` choose for the seat to move, from what that seat may know, and play it.

        Raises:
            ValueError: if it chooses what is not legal, or the game is over.
        """
        return self.play(*consult(player, self.view()))

    def play(
        self,
        action: int,
        probabilities: np.ndarray | None = None,
        value: float | None = None,
    ) -> Move:
        """Play `action` for the seat to move, drawn from `probabilities`, float[A], if known.

        Raises:
            TypeError, ValueError: if it is not legal, or `probabilities` are no distribution over
                what is; nothing is played then.
        """
        mask, action = self.mask(), checked_action(action)
        if not (0 <= action < len(mask) and mask[action]):
            allowed = np.flatnonzero(mask).tolist()
            raise ValueError(f"player_{self.player} may play {allowed}, not {action}")
        try:
            odds = None if probabilities is None else odds_of(self.game, probabilities, mask)
        except ValueError as error:
            raise ValueError(f"the probabilities of player_{self.player} {error}") from None
        move = Move(action=action, text=self.game.actions[action], probabilities=odds, value=value)
        step(self.state, action)
        self._moves.append(move)
        return move

    def record(self) -> Record:
        """What has been played so far."""
        return Record.of(self.game, self._seed, self._agents, self._moves, self.state, self._deal)


def consult(player: Player, view: Seen) -> tuple[int, np.ndarray | None, float | None]:
    """What `player` would play, with what it draws from and expects, as `Recorder.play` takes them.

    Raises:
        ValueError: if the answer is no action.
    """
    known = getattr(player, "probabilities", None)
    odds = None if known is None else known(*view)  # asked first: `act` may move its stream on
    judge = getattr(player, "value", None)
    value = None if judge is None else judge(view[0])
    action = np.asarray(player.act(*view))
    if action.shape != (1,) or action.dtype.kind not in "iu":
        raise ValueError(
            f"{_name(player)} chose {action.dtype}{action.shape}, not one whole number"
        )
    expected = None if value is None else float(value[0])
    if expected is not None and not math.isfinite(expected):
        expected = None  # JSON has no such number, and it tells nothing
    return int(action[0]), None if odds is None else odds[0], expected


def odds_of(game: Game, probabilities: np.ndarray, mask: np.ndarray) -> dict[str, float]:
    """What an action was drawn from, as records tell it: shares by text, without those of 0.

    Args:
        game: the game that is played.
        probabilities: float[A].
        mask: bool[A], the legal actions.

    Raises:
        ValueError: if the probabilities are no distribution over the legal actions.
    """
    shares = np.asarray(probabilities, np.float64)
    if shares.shape != mask.shape or shares[~mask].any() or not is_distribution(shares):
        raise ValueError("are no distribution over its legal actions")
    rounded = shares.round(6)
    return {game.actions[action]: float(rounded[action]) for action in np.flatnonzero(rounded)}


def play_game(
    game: Game, players: Sequence[Player], seed: int, deal: dict[str, str] | None = None
) -> Record:
    """Let `players`, one a seat, play one game.

    Raises:
        TypeError, ValueError: if the seats, the seed or the deal do not fit, or a player chooses
            what is not legal.
    """
    table = Recorder(game, seed, deal, [Who(name=_name(player)) for player in players])
    while not table.over:
        table.ask(players[table.player])
    return table.record()


def _name(player: Any) -> str:
    return str(getattr(player, "name", type(player).__name__))
