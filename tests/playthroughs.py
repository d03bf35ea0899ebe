"""Random games written out move by move: what deals, masks, observations and returns were.

A change of any of them shows as a difference, and must raise the game's version. Then
`python tests/playthroughs.py` writes new files; the old version's file is removed by hand.
"""

import hashlib
from pathlib import Path

import numpy as np
from playing import OWN, dealt, label, legal_mask, observed, variants

from backroom.envs.engine.game import Game, Rules, returns, step

FOLDER = Path(__file__).parent / "playthroughs"
MOVES = 40


def written(game: Game, seed: int) -> list[str]:
    """One game: a line a move, with what the spectator is told and a digest of all views."""
    state, pick = dealt(game, seed)[0], np.random.default_rng(seed)
    out, lines = np.zeros(game.players, np.float32), [f"# {label(game)} seed {seed}"]
    for _ in range(MOVES):
        if state["player"] < 0:
            break
        mask = legal_mask(game, state)
        action = int(pick.choice(np.flatnonzero(mask)))
        before = state.copy()
        views = b"".join(observed(game, state, p).tobytes() for p in range(game.players))
        step(state, action)
        returns(state, out)
        told = "; ".join(game.rules.events(game, before, action, state, None))
        digest = hashlib.sha256(views + mask.tobytes()).hexdigest()[:8]
        lines.append(
            f"{before['player']} {game.actions[action]} [{mask.sum()} legal, {digest}] {told}"
        )
        if out.any():
            lines[-1] += " = " + " ".join(f"{x:g}" for x in out)
    return lines


def playthrough(rules: Rules) -> str:
    """The default game at length, and the beginning of each variant."""
    games = variants(rules)
    lines = [line for seed in range(3) for line in [*written(games[0], seed), ""]]
    for game in games[1:]:
        lines += [*written(game, 0)[:12], ""]
    return "\n".join(lines)


def main() -> None:
    """Write the files of all games."""
    FOLDER.mkdir(exist_ok=True)
    for rules in OWN.values():
        (FOLDER / f"{rules.id}.txt").write_text(playthrough(rules))


if __name__ == "__main__":
    main()
