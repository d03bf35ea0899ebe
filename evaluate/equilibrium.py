"""The best play of two-player zero-sum games that are small enough to be walked, exactly.

The sequence form of the game (Koller, Megiddo, von Stengel 1996) is a linear program of the size of
the tree: a seat's plan says how likely it is to play each of its sequences of moves, and the other
seat's answer to it is worth as little as the constraints allow.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from .exploitability import Tree

Sequence = tuple[int, int] | None
"""A seat's last information set and action; None before its first."""


class Equilibrium(NamedTuple):
    """Best play for both seats."""

    value: float
    """Expected return of seat 0."""
    policy: np.ndarray
    """Shares of actions at each information set, float64[sets, A]. There may be others as good."""


def equilibrium(tree: Tree) -> Equilibrium:
    """Solve the game of `tree`.

    Raises:
        ValueError: if it has not two seats, or its returns do not sum to zero.
    """
    if tree.game.players != 2 or any(
        end is not None and abs(end.sum()) > 1e-9 for end in tree.ends
    ):
        raise ValueError(f"{tree.game.name} is no game of two seats whose returns sum to zero")
    policy = np.zeros((len(tree.owners), len(tree.game.actions)))
    values = [_solve_seat(tree, seat, policy) for seat in range(2)]
    return Equilibrium((values[0] - values[1]) / 2, policy)


def _sequences(tree: Tree, seat: int) -> dict[Sequence, int]:
    """The number of each sequence of `seat`; the empty one is 0."""
    found: list[Sequence] = [None]
    for here, owner in enumerate(tree.owners):
        if owner == seat:
            found += [(here, action) for action in np.flatnonzero(tree.masks[here]).tolist()]
    return {sequence: number for number, sequence in enumerate(found)}


def _payoffs(tree: Tree, seat: int) -> np.ndarray:
    """What `seat` earns by the sequences of both, its own first, weighted by chance."""
    own, other = _sequences(tree, seat), _sequences(tree, 1 - seat)
    table = np.zeros((len(own), len(other)))
    last: dict[int, list[Sequence]] = {root: [None, None] for root in tree.roots}
    for node, below in enumerate(tree.children):  # parents stand before their children
        for action, child in below.items():
            last[child] = list(last[node])
            last[child][tree.movers[node]] = (tree.sets[node], action)
        end = tree.ends[node]
        if end is not None:
            table[own[last[node][seat]], other[last[node][1 - seat]]] += end[seat]
    return table / len(tree.roots)


def _solve_seat(tree: Tree, seat: int, policy: np.ndarray) -> float:
    """Write the best play of `seat` into `policy`; what it can be sure to earn on average."""
    own, other = _sequences(tree, seat), _sequences(tree, 1 - seat)
    sets = [here for here, owner in enumerate(tree.owners) if owner != seat]
    place: dict[int | None, int] = {None: 0}
    place |= {here: number for number, here in enumerate(sets, 1)}
    payoffs = _payoffs(tree, seat)
    # Unknown are the plan, then what is left to earn at the other's start and at each of its sets.
    answers = np.hstack([-payoffs.T, np.zeros((len(other), len(place)))])
    for sequence, number in other.items():
        answers[number, len(own) + place[sequence[0] if sequence else None]] += 1
    for here in sets:
        answers[other[tree.past[here]], len(own) + place[here]] -= 1
    mine = [here for here, owner in enumerate(tree.owners) if owner == seat]
    plan = np.zeros((1 + len(mine), answers.shape[1]))
    plan[0, 0] = 1
    for row, here in enumerate(mine, 1):
        plan[row, own[tree.past[here]]] = -1
        plan[row, [own[here, a] for a in np.flatnonzero(tree.masks[here]).tolist()]] = 1
    found = linprog(
        -np.eye(1, answers.shape[1], len(own))[0],
        answers,
        np.zeros(len(other)),
        plan,
        np.eye(1, len(plan))[0],
        [(0, None)] * len(own) + [(None, None)] * len(place),
    )
    for here in mine:
        actions = np.flatnonzero(tree.masks[here]).tolist()
        shares = np.maximum([found.x[own[here, action]] for action in actions], 0)
        whole = shares.sum()  # 0 where best play never comes
        policy[here, actions] = shares / whole if whole > 1e-9 else 1 / len(actions)
    return float(-found.fun)
