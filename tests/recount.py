"""Random games played through an adapter, and counted again from their seeds and moves alone.

What the adapter hands out is summed up for each seat. What the seats have earned is told by the
engine, which deals from the same seed and follows the same moves without any environment: nothing
that an adapter does to its table can hide a reward.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from backroom.envs import Game
from backroom.envs.engine.replay import begin, earnings, follow

Moves = list[tuple[str, int]]
"""Who moved, and how."""


class Handed(NamedTuple):
    """A game that was played through an adapter."""

    moves: Moves
    sums: dict[str, float]
    """Of all rewards that each agent was handed."""


class Recount(NamedTuple):
    """Of all games what each seat was handed and what it has earned."""

    handed: np.ndarray
    """float64[G, P]"""
    earned: np.ndarray
    """float64[G, P]"""
    idle: np.ndarray
    """Seats that never came to decide, bool[G, P]."""


def recount(game: Game, play: Callable[[int, np.random.Generator], Handed], games: int) -> Recount:
    """Play `games` games by `play`, which is given a seed to deal from; count them again.

    Raises:
        AssertionError: if a move was illegal or another seat's, or a game was not over.
    """
    chance, agents = np.random.default_rng(7), [f"player_{seat}" for seat in range(game.players)]
    handed, earned, idle = [], [], []
    for seed in range(games):
        moves, sums = play(seed, chance)
        assert list(sums) == agents
        handed.append(list(sums.values()))
        earned.append(followed(game, seed, moves))
        idle.append([agent not in dict(moves) for agent in agents])
    return Recount(np.array(handed), np.array(earned), np.array(idle))


def followed(game: Game, seed: int, moves: Moves) -> tuple[float, ...]:
    """What the engine says that the seats have earned by `moves`."""
    states = begin(game, seed)
    for agent, action in moves:
        assert agent == f"player_{states[0]['player']}", "another seat was to move"
        assert follow(game, states, [action]) == 1, f"{agent} played {action}, which was illegal"
    assert states[0]["player"] < 0, "the game was not over"
    return earnings(game, states[0])


def drawn(mask, chance: np.random.Generator) -> int:
    """One of the legal actions."""
    legal = np.flatnonzero(mask)
    return int(legal[chance.integers(legal.size)])


def through_rllib(env) -> Callable[[int, np.random.Generator], Handed]:
    """Play through a `MultiAgentEnv`, by its masks."""

    def play(seed, chance):
        sums, moves = dict.fromkeys(env.possible_agents, 0.0), []
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            ((mover, shown),) = seen.items()
            action = drawn(shown["action_mask"], chance)
            moves.append((mover, action))
            seen, rewards, ends, cut_off, _ = env.step({mover: action})
            over = ends["__all__"]
            assert not cut_off["__all__"] and not env.agents == over
            for agent, reward in rewards.items():
                assert over or not reward or agent in dict(moves), "RLlib would lose this"
                sums[agent] += reward
        return Handed(moves, sums)

    return play


def through_infos(env) -> Callable[[int, np.random.Generator], Handed]:
    """Play through a parallel environment whose infos hold the masks; idle seats wait."""
    wait = env.action_space(env.possible_agents[0]).n - 1

    def play(seed, chance):
        sums, moves = dict.fromkeys(env.possible_agents, 0.0), []
        _, infos = env.reset(seed=seed)
        while env.agents:
            actions = {agent: drawn(info["action_mask"], chance) for agent, info in infos.items()}
            moves += [(agent, action) for agent, action in actions.items() if action != wait]
            _, rewards, _, _, infos = env.step(actions)
            for agent, reward in rewards.items():
                sums[agent] += reward
        return Handed(moves, sums)

    return play
