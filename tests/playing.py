"""What many tests need: the variants of each game, games played at random, what seats see."""

from backroom.agents import RandomAgent
from backroom.envs import GAMES
from backroom.envs.engine.game import Game
from backroom.envs.engine.record import Record, Who
from backroom.envs.engine.recorder import Recorder, play_game
from backroom.envs.engine.testing import (
    dealt,
    label,
    legal_mask,
    observed,
    play_on,
    played,
    variants,
)

__all__ = ["dealt", "label", "legal_mask", "observed", "play_on", "played", "recorded", "variants"]

OWN = {n: r for n, r in GAMES.items() if r.options.__module__.startswith("backroom.envs.")}
"""The suite's games; packages that are installed beside it test theirs."""
ALL_VARIANTS = [game for rules in OWN.values() for game in variants(rules)]
VARIANTS = ALL_VARIANTS


def recorded(game: Game, seed: int = 7) -> Record:
    """A random game on paper."""
    return play_game(game, [RandomAgent(game, seed)] * game.players, seed)


def begun(game: Game, seed: int = 7, moves: int = 60) -> Record:
    """The first moves of a random game on paper: some games are long."""
    player = RandomAgent(game, seed)
    table = Recorder(game, seed, agents=[Who(name="random")] * game.players)
    while not table.over and len(table.record().moves) < moves:
        table.ask(player)
    return table.record()
