"""Thousands of games at once: one kernel call a move."""

from typing import Any, NamedTuple

import numpy as np

from .borrowing import borrowed
from .checks import checked_count, checked_seed
from .fetching import fetch_ahead
from .game import Game, deal, legal, observe, returns, step
from .jit import first_use, jit
from .names import several
from .rng import draw, mix, seed_range
from .threads import FINISHED, add, call_helpers, linger, new_desk, open_desk, take, wait_for_all

LEAVE = -1
"""As an action: leave this game as it is."""
DEAL = -2
"""As an action: deal this game anew, though it may not be over."""
STRETCH = 128
"""So many games are played, then looked at, then asked for legal actions: rules that are run again
and again stay in the nearest cache, and the records of so few games in the next one."""
APART = 16
"""float32 in a cache line: no two threads write on the same one all the time, or it would go to and
fro between their cores."""


class Arrays(NamedTuple):
    """What a step writes. B games, O observation cells, A actions, P seats.

    Attributes:
        observations: int8[B, O], as the player to move sees it.
        masks: bool[B, A], legal actions of the player to move.
        players: int8[B], the player to move; -1 once a game is over.
        rewards: float32[B, P], what each seat earned in this step.
        done: bool[B], whether the game ended in this step.
        final_observations: int8[B, P, O]; where `done` and the game was dealt anew, what each seat
            saw when it ended. P is 0 where games are not dealt anew.
        desk: int64[2 + threads], which games are taken; see `threads`.
        before: float32[threads, APART + P + APART], in the middle the returns before a move.
    """

    observations: np.ndarray
    masks: np.ndarray
    players: np.ndarray
    rewards: np.ndarray
    done: np.ndarray
    final_observations: np.ndarray
    desk: np.ndarray
    before: np.ndarray


def new_arrays(game: Game, games: int, *, renew: bool = False, threads: int = 1) -> Arrays:
    """Arrays for `games` games, all over; with `renew`, room for what players saw at the end."""
    size, seats = game.observation_size, game.players
    return Arrays(
        observations=np.zeros((games, size), np.int8),
        masks=np.zeros((games, len(game.actions)), np.bool_),
        players=np.full(games, -1, np.int8),
        rewards=np.zeros((games, seats), np.float32),
        done=np.zeros(games, np.bool_),
        final_observations=np.zeros((games, seats if renew else 0, size), np.int8),
        desk=new_desk(games, threads),
        before=np.zeros((threads, APART + seats + APART), np.float32),
    )


@jit(nogil=True)
def seed_streams(states: np.ndarray, seeds: np.ndarray) -> None:
    """Give the games the streams of `seeds`, uint64[B]."""
    for i in range(states.shape[0]):
        states[i].rng = mix(seeds[i])


@jit(nogil=True)
def advance(states: np.ndarray, actions: np.ndarray, out: Arrays, renew: bool, thread: int) -> None:
    """Play `actions`, int64[B], legal ones or LEAVE or DEAL, and write all of `out`.

    A game that ends is dealt anew from its own stream if `renew`; what its players saw last then
    stays in `final_observations`. Otherwise its mover is -1 and its mask empty. `thread` 0 returns
    when all games are played; others play some of them meanwhile.
    """
    games, seats = out.rewards.shape
    states, actions, out = borrowed(states), borrowed(actions), borrowed(out)
    before = out.before[thread, APART : APART + seats]
    if thread == 0:
        open_desk(out.desk, games)
    while True:
        first, end = take(out.desk, games, thread)
        if first == end:
            if thread and linger(out.desk, games):
                continue
            break
        for low in range(first, end, STRETCH):
            high = min(low + STRETCH, end)
            for i in range(low, high):  # in a function of its own each would take 40 ns longer
                s = states[i]
                reward = out.rewards[i]
                reward[:] = 0
                out.done[i] = False
                if actions[i] == LEAVE:
                    continue
                fetch_ahead(states, i)
                if actions[i] >= 0:
                    returns(s, before)
                    step(s, actions[i])
                    returns(s, reward)
                    for p in range(seats):
                        reward[p] -= before[p]
                    out.done[i] = s.player < 0
                if actions[i] == DEAL or (renew and s.player < 0):
                    if out.done[i]:
                        for p in range(seats):
                            observe(s, p, out.final_observations[i, p])
                    deal(s)
                out.players[i] = s.player
            for i in range(low, high):
                if actions[i] != LEAVE:
                    s = states[i]
                    observe(s, max(s.player, 0), out.observations[i])
            for i in range(low, high):
                if actions[i] != LEAVE:
                    legal(states[i], out.masks[i])
        add(out.desk, FINISHED, end - first)
    if thread == 0:
        wait_for_all(out.desk, games)


@jit(nogil=True)
def look(states: np.ndarray, players: np.ndarray, observations: np.ndarray) -> None:
    """Write what seat `players[i]` may know of game i into `observations[i]`."""
    observations = borrowed(observations)
    for i in range(states.shape[0]):
        observe(states[i], players[i], observations[i])


@jit(nogil=True)
def random_legal(masks: np.ndarray, chance: np.ndarray, actions: np.ndarray) -> None:
    """Write a uniformly drawn legal action into each of `actions`, int64[B]; LEAVE where none is.

    `chance` is STREAM[1], whose stream moves on.
    """
    legal_here = np.empty(masks.shape[1], np.int64)
    for i in range(masks.shape[0]):
        count = 0
        for a in range(masks.shape[1]):  # no branch: which actions are legal cannot be predicted
            legal_here[count] = a
            count += masks[i, a]
        actions[i] = legal_here[draw(chance[0], count)] if count else LEAVE


@jit(nogil=True)
def _first_illegal(masks: np.ndarray, actions: np.ndarray) -> int:
    for i in range(actions.shape[0]):
        a = actions[i]
        if a >= masks.shape[1] or a < DEAL or (a >= 0 and not masks[i, a]):
            return i
    return -1


def legal_choice(chosen: Any, masks: np.ndarray, players: np.ndarray, who: str) -> np.ndarray:
    """What a player chose in B games, integers[B], if all of it is legal by `masks`, bool[B, A].

    Raises:
        ValueError: with a sentence that names `who`, if it is not.
    """
    actions: np.ndarray = np.asarray(chosen)
    if actions.shape != players.shape or actions.dtype.kind not in "iu":
        raise ValueError(
            f"{who} was to choose {len(players)} whole numbers, "
            f"and gave {actions.dtype}{list(actions.shape)}"
        )
    known = (actions >= 0) & (actions < masks.shape[1])
    fine = known & masks[np.arange(len(players)), np.where(known, actions, 0)]
    if not fine.all():
        i = int(np.argmin(fine))
        allowed = np.flatnonzero(masks[i]).tolist()
        raise ValueError(f"{who} as player_{players[i]} chose {actions[i]} of {allowed}")
    return actions


class Batch:
    """`games` games of one kind; a game that ends is dealt anew at once, from its own stream.

    All arrays are the environment's own and are overwritten by each step: copy what you keep.
    B is the number of games, O the observation's size, A the number of actions, P of seats.

    Attributes:
        game: the game that is played, with its options.
        observations: int8[B, O], as the player to move sees it.
        masks: bool[B, A], legal actions of the player to move.
        players: int8[B], the player to move.
        rewards: float32[B, P], what each seat earned in this step.
        done: bool[B], whether the game ended in this step.
        final_observations: int8[B, P, O]; where `done`, what each seat saw when the game ended.
    """

    def __init__(self, game: Game, games: int, threads: int = 1, seed: int = 0) -> None:
        """Deal `games` games, shared out over `threads`.

        Game i is the one that the PettingZoo shell plays after `reset(seed + i)`.

        Raises:
            TypeError, ValueError: if a number is no integer, or out of range.
        """
        games, threads = checked_count("games", games), checked_count("threads", threads)
        self.game = game
        self.states = game.blank(games)
        self._threads = threads
        self._out = new_arrays(game, games, renew=True, threads=threads)
        self.observations, self.masks, self.players = self._out[:3]
        self.rewards, self.done, self.final_observations = self._out[3:6]
        self._actions = np.zeros(games, np.int64)
        self.seed(seed)

    def __len__(self) -> int:
        """How many games there are."""
        return len(self.states)

    def seed(self, seed: int) -> None:
        """Deal all games anew: game i from `seed` + i.

        Raises:
            TypeError, ValueError: if `seed` is no integer in [0, 2**64).
        """
        with first_use(self.game.name, "the rules"):
            seed_streams(self.states, seed_range(checked_seed(seed), len(self)))
            self._actions[:] = DEAL
            self._advance()

    def step(self, actions: np.ndarray) -> None:
        """Play one legal action in each game: integers[B]; LEAVE and DEAL are allowed too.

        Raises:
            ValueError: if there are not B integers or one is illegal; nothing is played then.
        """
        actions = np.asarray(actions)
        if actions.shape != (len(self),) or actions.dtype.kind not in "iu":
            raise ValueError(f"step wants {len(self)} integers, not {actions.dtype}{actions.shape}")
        if actions.dtype == np.uint64 and (actions > np.uint64(2**63 - 1)).any():
            raise ValueError("step wants actions, not integers of 2**63 and more")
        actions = actions.astype(np.int64, copy=False)
        wrong = _first_illegal(self.masks, actions)
        if wrong >= 0:
            allowed = np.flatnonzero(self.masks[wrong]).tolist()
            raise ValueError(
                f"game {wrong}: player_{self.players[wrong]} may play {allowed}, "
                f"not {actions[wrong]}"
            )
        self._actions[:] = actions
        self._advance()

    def observe(self, players: np.ndarray) -> np.ndarray:
        """What seat `players[i]`, integers[B], may know of game i, as a fresh int8[B, O].

        Raises:
            ValueError: if there are not B seats of the game.
        """
        players = np.asarray(players)
        if (
            players.shape != (len(self),)
            or players.dtype.kind not in "iu"
            or not ((players >= 0) & (players < self.game.players)).all()
        ):
            raise ValueError(
                f"observe wants {several(len(self), 'seat')} from 0 to {self.game.players - 1}"
            )
        observations = np.empty_like(self.observations)
        look(self.states, players.astype(np.int64), observations)
        return observations

    def get_states(self) -> np.ndarray:
        """A copy of all games' records, for `set_states`."""
        return self.states.copy()

    def set_states(self, states: np.ndarray) -> None:
        """Go on from `states`, records[B] of this game with these options.

        Raises:
            ValueError: if they are not B records of this game.
        """
        states = np.asarray(states)
        if states.shape != self.states.shape or not all(map(self.game.owns, states)):
            raise ValueError(
                f"set_states wants {several(len(self), 'record')} of {self.game.name} with these "
                "options"
            )
        self.states[:] = states
        self.rewards[:] = 0
        self.done[:] = False
        look(self.states, np.maximum(self.states["player"], 0).astype(np.int64), self.observations)
        self.players[:] = self.states["player"]
        for state, mask in zip(self.states, self.masks, strict=True):
            legal(state, mask)

    def _advance(self) -> None:
        """Play `_actions`: always that array, since a helper may come late, for the next step."""
        call_helpers(self._out.desk, advance, self.states, self._actions, self._out, True)
        advance(self.states, self._actions, self._out, True, 0)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle or a deep copy goes on from the same games, with arrays of its own."""
        return _revive, (self.game, self.states, self._threads)


def _revive(game: Game, states: np.ndarray, threads: int) -> Batch:
    batch = Batch(game, len(states), threads)
    batch.set_states(states)
    return batch
