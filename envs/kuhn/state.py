"""What a game of Kuhn poker is."""

from ..engine.game import Facts, Options, Part, State, Visible, record

PLAYERS, CARDS, MAX_MOVES = 2, 3, 3

PASS, BET = 0, 1
ACTIONS = ("pass", "bet")
RANKS = "JQK"

STATE = record(
    [
        ("kuhn_v0", "i1"),  # the type's own name: it tells these records from any other game's
        ("seats", "i1"),  # always two
        ("rng", "u8"),  # the random stream
        ("player", "i1"),  # to move; -1 when over
        ("deck", "i1", CARDS),  # 0 J, 1 Q, 2 K; deck[p] is player p's card, deck[2] lies face down
        ("moves", "i1"),  # how many were made
        ("history", "i1", MAX_MOVES),  # the moves, in order
        ("chips", "i4", PLAYERS),  # put in the pot by each
    ]
)
HIDDEN: dict[str, Visible] = {"deck": "owner"}  # all other fields are open to all

PARTS = (
    Part("seat", (PLAYERS,), 1, "one-hot, own seat"),
    Part("card", (CARDS,), 1, "one-hot, own card: J, Q, K"),
    Part("history", (MAX_MOVES, len(ACTIONS)), 1, "one-hot a move; zeros for those to come"),
)


class KuhnOptions(Options, frozen=True, kw_only=True):
    """Kuhn poker has no options."""


def facts(options: KuhnOptions) -> Facts:
    """What is fixed about the game."""
    return Facts(
        players=PLAYERS,
        actions=ACTIONS,
        parts=PARTS,
        bounds=(-2, 2),
        max_moves=MAX_MOVES,
        canvas=(40, 6),
    )


def setup(options: KuhnOptions, s: State) -> None:
    """There is nothing to set."""
