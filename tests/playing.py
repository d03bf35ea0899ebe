"""What many tests need: the variants of each game, games played at random, what seats see."""

from backroom.agents import RandomAgent
from backroom.envs import GAMES
from backroom.envs.engine.game import Game
from backroom.envs.engine.record import Record
from backroom.envs.engine.recorder import play_game
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

ALL_VARIANTS = [game for rules in GAMES.values() for game in variants(rules)]
VARIANTS = ALL_VARIANTS


def recorded(game: Game, seed: int = 7) -> Record:
    """A random game on paper."""
    return play_game(game, [RandomAgent(game, seed)] * game.players, seed)
