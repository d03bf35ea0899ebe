"""What can happen in Kuhn poker. R-numbers: README.md beside this file."""

import numpy as np

from ..engine.game import Game, State
from ..engine.jit import jit
from ..engine.rng import shuffle
from .state import BET, CARDS, PASS, RANKS


@jit
def deal(s: State) -> None:
    """R1, R2."""
    for card in range(CARDS):
        s.deck[card] = card
    shuffle(s.deck, s)
    s.chips[:] = 1
    s.history[:] = 0
    s.moves = 0
    s.player = 0


@jit
def legal(s: State, mask: np.ndarray) -> None:
    """R3: both actions, always."""
    mask[:] = s.player >= 0


@jit
def step(s: State, action: int) -> None:
    """R3 to R5."""
    facing_bet = s.moves > 0 and s.history[s.moves - 1] == BET
    s.history[s.moves] = action
    s.moves += 1
    if action == BET:
        s.chips[s.player] += 1
    over = facing_bet or (action == PASS and s.moves == 2)  # R4, R5
    s.player = -1 if over else 1 - s.player


@jit
def shown_down(s: State) -> bool:
    """R5: whether both have shown their cards; not so if the game was broken off."""
    return bool(s.player < 0 and s.moves >= 2 and s.chips[0] == s.chips[1])


@jit
def returns(s: State, out: np.ndarray) -> None:
    """R4, R5: chips won, net of one's own; nothing before the end."""
    out[:] = 0
    if s.player >= 0:
        return
    if s.chips[0] != s.chips[1]:  # R4: the one who put in more was not called
        winner = 0 if s.chips[0] > s.chips[1] else 1
    else:  # R5
        winner = 0 if s.deck[0] > s.deck[1] else 1
    out[winner] = s.chips[1 - winner]
    out[1 - winner] = -s.chips[1 - winner]


def arrange(game: Game, s: State, cards: dict[str, str]) -> None:
    """`deck`: the cards of player 0 and player 1 and the one left over, such as "J K Q"."""
    order = cards.get("deck", "").split()
    if set(cards) != {"deck"} or sorted(order) != sorted(RANKS):
        raise ValueError(f'a deal of kuhn is {{"deck": "J K Q"}} in some order, not {cards}')
    s.deck[:] = [RANKS.index(card) for card in order]
