"""What the engine says happened in all environments of this process, whoever plays in them.

Frameworks wrap environments in their own ways, and sum rewards in their own ways. The ledger stands
below all of that: it is written where the shells forward a move to the rules.
"""

from dataclasses import dataclass, field

import numpy as np
import pytest

from backroom.envs.engine.aec import CardGameEnv
from backroom.envs.engine.replay import earnings
from backroom.envs.engine.single import SeatGames


@dataclass
class Ledger:
    """Games that were played to their end.

    Attributes:
        games: each seat's return, of each game in the order in which they ended; of environments
            for one seat, the learner's alone.
        moves: how many moves were made, by the learner alone where others are given.
        illegal: how many were illegal.
    """

    games: list[tuple[float, ...]] = field(default_factory=list)
    moves: int = 0
    illegal: int = 0

    def forget(self) -> None:
        """Begin anew."""
        self.games.clear()
        self.moves = self.illegal = 0

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Write down what happens from now on, until `patch` is undone."""
        self._watch_tables(patch)
        self._watch_seats(patch)

    def _watch_tables(self, patch: pytest.MonkeyPatch) -> None:
        hand_out, forfeit = CardGameEnv._hand_out, CardGameEnv.forfeit

        def watched_hand_out(env, rewards):
            hand_out(env, rewards)
            self.moves += 1
            if all(env.terminations.values()):
                self.games.append(earnings(env.game, env._states[0]))

        def watched_forfeit(env, agent):
            self.illegal += 1
            forfeit(env, agent)

        patch.setattr(CardGameEnv, "_hand_out", watched_hand_out)
        patch.setattr(CardGameEnv, "forfeit", watched_forfeit)

    def _watch_seats(self, patch: pytest.MonkeyPatch) -> None:
        play, forfeit = SeatGames.play, SeatGames.forfeit

        def watched_play(games, actions):
            before = games.done.copy()
            play(games, actions)
            self.moves += int((actions >= 0).sum())
            for i in np.flatnonzero(games.done & ~before):
                self.games.append((earnings(games.game, games.states[i])[games.seats[i]],))

        def watched_forfeit(games, which):
            self.illegal += int(which.sum())
            forfeit(games, which)

        patch.setattr(SeatGames, "play", watched_play)
        patch.setattr(SeatGames, "forfeit", watched_forfeit)


class Sums:
    """Sums of what a framework hands its agents, game by game; to compare with a ledger's."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.games: list[tuple[float, ...]] = []
        self._now: np.ndarray | float = 0.0

    def add(self, rewards, over) -> None:
        """A step's rewards of all agents of one environment, and whether its game is over."""
        self._now = self._now + np.asarray(rewards, np.float64)
        if over:
            self.games.append(tuple(np.atleast_1d(self._now).tolist()))
            self._now = 0.0
