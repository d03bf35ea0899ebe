"""Cards drawn from another's hand, to be seen or taken. R-numbers: README.md one folder up."""

from ...engine.game import State
from ...engine.jit import jit
from ...engine.rng import draw
from ..state import (
    AFTER,
    ALIVE,
    ASK_NEXT,
    BLACK,
    DECIDE,
    DIE,
    EVADE,
    GIVE,
    GRAY,
    LIFE,
    LOOKED,
    NOTHING,
    PICK,
    PURPLE,
    SPY,
    SWAP,
)
from .hands import count_in, hand_over, learn


@jit
def draw_picks(s: State) -> int:
    """R34 to R38: draw cards from the target's hand; LIFE is among them but where one is taken."""
    k, target = int(s.card), int(s.target)
    effect = int(s.effect[k])
    count = 1
    if effect == SPY:
        count = int(s.numbers[k, s.mode])
    elif effect != SWAP:
        count = int(s.numbers[k, 0])
    cards = int(s.held[target]) + int(s.fate[target] == ALIVE and effect != SWAP)
    s.picks[:] = NOTHING
    s.picked = 0
    for _ in range(min(count, cards)):
        s.picks[s.picked] = another(s, NOTHING)
        s.picked += 1
    s.looks += 1
    s.shots += 1
    if cards == 0:  # R46: the last one was BEAUTY, and PORNO has undone what it did
        return AFTER
    s.asking = EVADE
    s.asked = 0
    return ASK_NEXT


@jit
def another(s: State, but: int) -> int:
    """One more card of the target's hand, beyond those picked; `but` is set aside if it can be."""
    target, picked = int(s.target), int(s.picked)
    life = int(s.life_kind[s.life[target]])
    with_life = s.fate[target] == ALIVE and s.effect[s.card] != SWAP
    left = int(s.held[target]) + int(with_life) - picked - int(but != NOTHING)
    if left <= 0:
        return but
    at = draw(s, left)
    for k in range(s.kinds):
        count = int(s.hand[target, k]) + int(with_life and k == life)
        count -= count_in(s.picks, picked, k) + int(k == but)
        if at < count:
            return k
        at -= count
    return but


@jit
def repick(s: State, k: int) -> int:
    """R47: the target puts a picked card back; another one is drawn."""
    i = 0
    while s.picks[i] != k:
        i += 1
    s.picked -= 1
    s.picks[i] = s.picks[s.picked]
    s.picks[s.picked] = another(s, k)
    s.picked += 1
    s.player = s.turn
    return LOOKED


@jit
def looked(s: State) -> int:
    """R34 to R38: the player sees the picked cards, or takes one; R48, R49: LIFE that is seen."""
    seat, target = int(s.turn), int(s.target)
    effect = int(s.effect[s.card])
    if effect == SWAP:
        hand_over(s, target, seat, int(s.picks[0]))
        if s.held[seat] == 1:
            return AFTER
        s.phase = GIVE
        s.player = seat
        return DECIDE
    life = others = False
    for i in range(s.picked):
        k = int(s.picks[i])
        if s.sort_of[k] == LIFE:
            life = True
            s.life_seen[seat, target] = 1
        else:
            others = True
            learn(s, seat, target, k, count_in(s.picks, i + 1, k))
    if life:
        dies = sight_kills(s, seat, target)
        infer(s, seat, target, dies)
        if dies:
            return DIE
    if effect == SPY and s.mode == 1 and others:
        s.phase = PICK
        s.player = seat
        return DECIDE
    return AFTER


@jit
def sight_kills(s: State, seat: int, target: int) -> bool:
    """R48, R49: whether `target` dies when `seat` sees its LIFE."""
    if s.round_no == 1 and not s.sight_first:
        return False
    safe = s.gray_safe and s.life[seat] == BLACK
    return bool(s.life[target] == PURPLE or (s.life[target] == GRAY and not safe))


@jit
def infer(s: State, seat: int, target: int, dies: bool) -> None:
    """R27: what it tells that `target`, whose LIFE `seat` has seen, dies of it or lives on.

    To all, if it dies or if the whole hand was seen; and to GRAY that lives on, who has seen it.
    """
    if s.round_no == 1 and not s.sight_first:
        return
    gray = s.life[target] == GRAY
    if dies and gray and s.gray_safe:
        s.cleared[seat] |= 1 << BLACK
    if dies:
        return
    if gray:
        s.life_seen[target, seat] = 1
    if s.picked > s.held[target]:
        s.outlived[target] |= 1 << seat
        s.cleared[target] |= 1 << PURPLE
        if not s.gray_safe or (s.life_open[seat] and s.life[seat] != BLACK):
            s.cleared[target] |= 1 << GRAY
