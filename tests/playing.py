"""What many tests need: the variants of each game, games played at random, what seats see."""

from typing import Any, Literal, get_args, get_origin

import msgspec
import numpy as np

from backroom.agents import RandomAgent
from backroom.envs import GAMES
from backroom.envs.engine.game import Game, Rules, deal, legal, observe, step
from backroom.envs.engine.jit import jit
from backroom.envs.engine.record import Record
from backroom.envs.engine.recorder import play_game
from backroom.envs.engine.rng import STREAM, draw, stream


def values(annotation: Any) -> list[Any]:
    """Values to try for an option of this type: all of a few, both ends of a range."""
    if annotation is bool:
        return [False, True]
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    base, *metas = get_args(annotation) or (annotation,)
    limits = next((m for m in metas if isinstance(m, msgspec.Meta)), msgspec.Meta())
    if type(None) in (base, *metas):
        return [
            None,
            *(value for part in (base, *metas) if part is not type(None) for value in values(part)),
        ]
    if base is int and limits.ge is not None and limits.le is not None:
        return [limits.ge, min(limits.le, limits.ge + 5)]
    return values(base) if metas else []


def variants(rules: Rules) -> list[Game]:
    """The default game, then one game for each other value of each option."""
    games = [rules.configure()]
    for field in msgspec.structs.fields(rules.options):
        for value in values(field.type):
            try:
                games.append(rules.configure(**{field.name: value}))
            except ValueError:  # impossible with the defaults of the others
                continue
    return list(dict.fromkeys(games))


def label(game: Game) -> str:
    """The game's name and the options that differ from the default."""
    default = game.rules.configure().settings()
    changed = [f"{k}={v}" for k, v in game.settings().items() if v != default[k]]
    return "-".join([game.name, *changed])


ALL_VARIANTS = [game for rules in GAMES.values() for game in variants(rules)]
VARIANTS = ALL_VARIANTS


@jit
def play_on(s: Any, chance: Any, mask: np.ndarray, actions: np.ndarray) -> int:
    """Play random legal moves until the end or until `actions` is full; how many were played."""
    for count in range(actions.size):
        if s.player < 0:
            return count
        legal(s, mask)
        k = draw(chance, mask.sum())
        action = 0
        while k > 0 or not mask[action]:
            k -= mask[action]
            action += 1
        actions[count] = action
        step(s, action)
    return actions.size


def dealt(game: Game, seed: int) -> np.ndarray:
    """One record, dealt from `seed`, as an array of one."""
    states = game.blank(1)
    states["rng"] = stream(seed)
    deal(states[0])
    return states


def played(game: Game, seed: int, moves: int) -> tuple[Any, list[int]]:
    """A state after at most `moves` random legal moves, and the moves."""
    states, chance = dealt(game, seed), np.zeros(1, STREAM)
    chance["rng"] = stream(seed + 1)
    actions = np.zeros(moves, np.int64)
    count = play_on(states[0], chance[0], np.zeros(len(game.actions), np.bool_), actions)
    return states[0], actions[:count].tolist()


def legal_mask(game: Game, state: Any) -> np.ndarray:
    """The legal actions of the mover, bool[A]."""
    mask = np.zeros(len(game.actions), np.bool_)
    legal(state, mask)
    return mask


def observed(game: Game, state: Any, player: int) -> np.ndarray:
    """What `player` may know, int8[O]."""
    observation = np.zeros(game.observation_size, np.int8)
    observe(state, player, observation)
    return observation


def recorded(game: Game, seed: int = 7) -> Record:
    """A random game on paper."""
    return play_game(game, [RandomAgent(game, seed)] * game.players, seed)
