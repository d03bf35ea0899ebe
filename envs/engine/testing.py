"""What the rules of every game must satisfy, as checks that any game can be put to.

`check(rules)` puts a game to all of them, with each option changed in turn; it is the whole test
that a new game needs beside its golden games:

    from backroom.envs.engine.testing import check
    check(RULES)

Each check raises AssertionError with what it found. They need no test framework.
"""

import copy
import pickle
from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec
import numpy as np

from .aec import CardGameEnv
from .batch import Batch
from .game import Game, Rules, State, deal, legal, observe, redeal, returns, step
from .jit import jit
from .names import several
from .recorder import play_game
from .rng import STREAM, draw, stream
from .scene import Scene, scene
from .single import RandomPlayer

MOVES = 60
"""Moves into a game after which most checks look."""


def values(annotation: Any) -> list[Any]:
    """Values to try for an option of this type: all of a few, both ends of a range."""
    if annotation is bool:
        return [False, True]
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    base, *metas = get_args(annotation) or (annotation,)
    limits = next((m for m in metas if isinstance(m, msgspec.Meta)), msgspec.Meta())
    if type(None) in (base, *metas):
        some = [part for part in (base, *metas) if part is not type(None)]
        return [None, *(value for part in some for value in values(part))]
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
    return "-".join([game.name, *(f"{k}={v}" for k, v in game.changed().items())])


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


def played(game: Game, seed: int, moves: int) -> tuple[State, list[int]]:
    """A state after at most `moves` random legal moves, and the moves."""
    states, chance = dealt(game, seed), np.zeros(1, STREAM)
    chance["rng"] = stream(seed + 1)
    actions = np.zeros(moves, np.int64)
    count = play_on(states[0], chance[0], np.zeros(len(game.actions), np.bool_), actions)
    return states[0], actions[:count].tolist()


def legal_mask(game: Game, state: State) -> np.ndarray:
    """The legal actions of the mover, bool[A]."""
    mask = np.zeros(len(game.actions), np.bool_)
    legal(state, mask)
    return mask


def observed(game: Game, state: State, player: int) -> np.ndarray:
    """What `player` may know, int8[O]."""
    observation = np.zeros(game.observation_size, np.int8)
    observe(state, player, observation)
    return observation


def seen(game: Game, state: State, player: int) -> list[int]:
    """Observation and mask of `player`, as the verbs write them over whatever was there before."""
    written = []
    for garbage in (77, 78):
        observation = np.full(game.observation_size, garbage, np.int8)
        mask = np.full(len(game.actions), garbage == 77)
        observe(state, player, observation)
        legal(state, mask)
        written.append([*observation, *(mask if player == state["player"] else ())])
    assert written[0] == written[1], "observe and legal must write every cell"
    return written[0]


def scrambled(game: Game, state: State, player: int, noise: np.random.Generator) -> State:
    """A copy of `state`, all changed that `player` may not see."""
    other = state.copy()
    other["rng"] = noise.integers(2**63)
    for field, who in game.rules.hidden.items():
        cells = np.atleast_1d(state[field])
        if callable(who):
            known = who(state, player)
        else:
            known = np.zeros(cells.shape, np.bool_)
            if who == "owner":
                known[player] = True
        mixed = cells.copy()
        mixed[~known] = noise.permutation(cells[~known])
        other[field] = mixed.reshape(np.shape(state[field]))
    return other


def check_leaks(game: Game, seed: int, moves: int) -> None:
    """What a seat sees does not change when all that it may not see does."""
    state, _ = played(game, seed, moves)
    noise = np.random.default_rng(seed)
    for player in range(game.players):
        before = seen(game, state, player)
        table, drawn = game.rules.table(game, state, player), scene(game, state, player)
        redealt = state.copy()
        redeal(redealt, player, seed + 1)
        assert seen(game, redealt, player) == before, f"player_{player} sees what redeal changes"
        assert game.rules.table(game, redealt, player) == table, "the table as text tells more"
        assert scene(game, redealt, player) == drawn, "the table as a scene tells more"
        other = scrambled(game, state, player, noise)
        assert seen(game, other, player) == before, f"player_{player} sees hidden fields"


def check_redeal(game: Game, seed: int, moves: int) -> None:
    """A redealt state tells nothing of the stream, and can be played to the end."""
    state, actions = played(game, seed, moves)
    other = state.copy()
    other["rng"] += np.uint64(1)
    pick = np.random.default_rng(seed)
    player = int(pick.integers(game.players))
    for world in (state, other):
        redeal(world, player, seed)
    assert state.tobytes() == other.tobytes(), "redeal lets the true stream through"
    _finish(game, state, pick, game.facts.max_moves - len(actions))


def _finish(game: Game, state: State, pick: np.random.Generator, most: int) -> None:
    """Play random moves to the end, `most` at most; masks, returns and length keep their bounds."""
    out = np.zeros(game.players, np.float32)
    for _ in range(most):
        if state["player"] < 0:
            break
        assert 0 <= state["player"] < game.players
        mask = legal_mask(game, state)
        assert mask.any(), "a player is to move and may do nothing"
        step(state, int(pick.choice(np.flatnonzero(mask))))
        returns(state, out)
        within = out.min() >= game.bounds[0] - 1e-5 and out.max() <= game.bounds[1] + 1e-5
        assert within, f"returns {out.tolist()} are out of bounds"
    assert state["player"] == -1, (
        f"the game is not over after {several(game.facts.max_moves, 'move')}"
    )
    assert not legal_mask(game, state).any(), "there are legal actions after the end"


def check_game(game: Game, seed: int) -> None:
    """A whole game keeps the bounds of observations, returns and length."""
    state, moves = dealt(game, seed)[0], 0
    low, high = game.observation_bounds
    pick = np.random.default_rng(seed)
    while state["player"] >= 0 and moves < MOVES:
        if moves % 7 == 0:
            check_bounds(game, state, low, high)
        mask = legal_mask(game, state)
        assert mask.any(), "a player is to move and may do nothing"
        step(state, int(pick.choice(np.flatnonzero(mask))))
        moves += 1
    _finish(game, state, pick, game.facts.max_moves - moves)
    check_bounds(game, state, low, high)


def check_bounds(game: Game, state: State, low: np.ndarray, high: np.ndarray) -> None:
    """All seats' observations keep their bounds."""
    for player in range(game.players):
        view = observed(game, state, player)
        wrong = np.flatnonzero((view < low) | (view > high))
        assert not wrong.size, f"cells {wrong.tolist()} of player_{player} are out of bounds"


def check_deal(game: Game, seed: int, moves: int) -> None:
    """A deal forgets the game before, and leaves the options."""
    used, _ = played(game, seed, moves)
    blank = game.blank(1)[0]
    used["rng"] = blank["rng"]
    deal(blank)
    deal(used)
    assert used.tobytes() == blank.tobytes(), "a deal remembers the game before"
    assert game.owns(used), "playing has changed the options"


def check_worlds(game: Game) -> None:
    """Different seeds give different hidden cards: a search sees more than one world."""
    state, _ = played(game, 3, 1)
    worlds = set()
    for seed in range(20):
        world = state.copy()
        redeal(world, 0, seed)
        world["rng"] = 0
        worlds.add(world.tobytes())
    assert len(worlds) > 1, "redeal draws nothing anew"
    views = [
        b"".join(observed(game, dealt(game, deal)[0], p).tobytes() for deal in range(20))
        for p in range(game.players)
    ]
    assert len(set(views)) == game.players, "seats are shown the same in every deal"


def check_facts(game: Game) -> None:
    """Actions and parts are named once each, and are as large as they say."""
    assert len(set(game.actions)) == len(game.actions), "two actions have one text"
    for text in game.actions:
        assert text and text == text.strip() and text.isprintable(), f"action {text!r}"
    names = [part.name for part in game.facts.parts]
    assert len(set(names)) == len(names), "two parts have one name"
    for part in game.facts.parts:
        assert -128 <= part.low <= part.high <= 127 and part.meaning, f"part {part.name}"
    assert sum(int(np.prod(p.shape)) for p in game.facts.parts) == game.observation_size


def check_texts(game: Game, seed: int) -> None:
    """The table fits its canvas, scenes are plain data, and every move is told to everybody."""
    columns, lines = game.facts.canvas
    state, actions = dealt(game, seed)[0], played(game, seed, MOVES)[1]
    for action in actions:
        before = state.copy()
        step(state, action)
        for viewer in (None, *range(game.players)):
            told = game.rules.events(game, before, action, state, viewer)
            assert told and all(isinstance(line, str) and line for line in told), "silent move"
            text = game.rules.table(game, state, viewer)
            fits = text.count("\n") < lines and max(map(len, text.split("\n"))) <= columns
            assert fits, f"the table is larger than {columns} x {lines}"
            drawn = scene(game, state, viewer)
            assert len(drawn.places) == game.players and drawn.turn == state["player"], "scene"
            assert msgspec.json.decode(msgspec.json.encode(drawn), type=Scene) == drawn, "scene"


def check_shells(game: Game, seed: int, moves: int = MOVES) -> None:
    """The batch plays as the PettingZoo environment; copies and records are the same game."""
    batch, env = Batch(game, 1, seed=seed), CardGameEnv(game)
    env.reset(seed=seed)
    pick = np.random.default_rng(seed)
    for move in range(moves):
        shown = env.observe(env.agent_selection)
        assert (shown["observation"] == batch.observations[0]).all(), f"move {move}: observations"
        assert (shown["action_mask"].astype(bool) == batch.masks[0]).all(), f"move {move}: masks"
        action = int(pick.choice(np.flatnonzero(batch.masks[0])))
        if move % 10 == 0:
            env = pickle.loads(pickle.dumps(copy.deepcopy(env)))
        batch.step(np.array([action]))
        env.step(action)
        assert list(env.rewards.values()) == batch.rewards[0].tolist(), f"move {move}: rewards"
        if batch.done[0]:
            env.reset()
    play_game(game, [RandomPlayer(seed)] * game.players, seed).verify()


def check(rules: Rules, seeds: Sequence[int] = range(5)) -> None:
    """Put a game to all checks, with each option changed in turn.

    Args:
        rules: the game.
        seeds: of the games that are played for each variant.

    Raises:
        AssertionError: with the variant, the seed and what was found.
    """
    for game in variants(rules):
        try:
            check_facts(game)
            for seed in seeds:  # first of all: other checks rely on masks that are not empty
                check_game(game, seed)
            check_worlds(game)
            for seed in seeds:
                moves = 7 * seed % MOVES
                check_texts(game, seed)
                check_shells(game, seed)
                for test in (check_leaks, check_redeal, check_deal):
                    test(game, seed, moves)
        except AssertionError as error:
            raise AssertionError(f"{label(game)}: {error}") from error
