"""OpenSpiel: small games of this suite as `pyspiel` games, and OpenSpiel's players at its tables.

    import pyspiel
    from backroom.train.adapters import openspiel  # registers the games

    game = pyspiel.load_game("backroom_cockroach_poker")

All chance of such a game is in its deal, one chance node at the root. What a seat knows is all that
it has observed at its own decisions, what it did there, and what it observes now: so each game has
perfect recall, whatever its observations hold.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
import pyspiel
from open_spiel.python import policy as spiel_policy

from backroom.agents import Agent
from backroom.envs import Game, configure
from backroom.envs.cockroach_poker.state import COPIES, SPECIES
from backroom.envs.engine.game import deal, legal, observe, step
from backroom.envs.engine.replay import earnings
from backroom.envs.engine.single import check_made_for
from backroom.evaluate.exploitability import Deal, Distribution, kuhn_deals


class Chance(NamedTuple):
    """A deal and how likely it is."""

    cards: Deal
    share: float


class Variant(NamedTuple):
    """A game that is small enough, with all its deals."""

    game: Game
    deals: list[Chance]

    def __deepcopy__(self, memo: Any) -> "Variant":
        """The variant itself: nothing in it changes, and OpenSpiel copies states at each step."""
        return self


def kuhn() -> Variant:
    """Kuhn poker, whole."""
    deals = kuhn_deals()
    return Variant(configure("kuhn"), [Chance(cards, 1 / len(deals)) for cards in deals])


def cockroach_poker() -> Variant:
    """Cockroach Poker of two seats with one card each.

    Two or four moves: who is caught has no card left to offer; whoever calls wrongly offers next.
    """
    game = configure("cockroach_poker", num_players=2, cards_per_player=1)
    cards, deals = len(SPECIES) * COPIES, []
    for i, first in enumerate(SPECIES):
        for j, second in enumerate(SPECIES):
            share = COPIES * (COPIES - (i == j)) / (cards * (cards - 1)) / 2
            hands = {"hand0": first, "hand1": second}
            deals += [Chance({**hands, "starter": str(seat)}, share) for seat in range(2)]
    return Variant(game, deals)


VARIANTS = {"backroom_kuhn": kuhn, "backroom_cockroach_poker": cockroach_poker}
"""The games by the name that `pyspiel.load_game` knows. All are zero-sum, and pay at the end."""


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game under way, or before its deal."""

    def __init__(self, game: "SpielGame") -> None:
        """Before the deal."""
        super().__init__(game)
        self.variant = game.variant
        self._states: np.ndarray | None = None  # records[1] once dealt
        self._moves: list[int] = []  # the deal's number, then actions
        self._recall: list[tuple[bytes, ...]] = [() for _ in range(self.variant.game.players)]

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's numbers for chance and the end."""
        if self._states is None:
            return int(pyspiel.PlayerId.CHANCE)
        mover = int(self._states[0].player)
        return mover if mover >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._states is not None and self._states[0].player < 0

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals by number, and how likely each is."""
        return [(number, chance.share) for number, chance in enumerate(self.variant.deals)]

    def mask(self) -> np.ndarray:
        """The legal actions of the seat to move, bool[A]; none at the end or before the deal."""
        mask = np.zeros(len(self.variant.game.actions), np.bool_)
        if self._states is not None:
            legal(self._states[0], mask)
        return mask

    def observed(self, player: int) -> np.ndarray:
        """What `player` observes, int8[O]; zeros before the deal."""
        observation = np.zeros(self.variant.game.observation_size, np.int8)
        if self._states is not None:
            observe(self._states[0], player, observation)
        return observation

    def recalled(self, player: int) -> tuple[bytes, ...]:
        """All that `player` observed at its decisions and did there, and what it observes now."""
        return (*self._recall[player], self.observed(player).tobytes())

    def returns(self) -> list[float]:
        """What each seat has earned; all of it comes at the end."""
        if self._states is None:
            return [0.0] * self.variant.game.players
        return [float(x) for x in earnings(self.variant.game, self._states[0])]

    def _legal_actions(self, player: int) -> list[int]:
        actions: list[int] = np.flatnonzero(self.mask()).tolist()
        return actions

    def _apply_action(self, action: int) -> None:
        """Deal, or play for the seat to move.

        Raises:
            ValueError: if there is no such deal, or `action` is not legal now.
        """
        game = self.variant.game
        self._check(action)
        if self._states is None:
            self._states = game.blank(1)
            deal(self._states[0])
            game.rules.arrange(game, self._states[0], dict(self.variant.deals[action].cards))
        else:
            mover = int(self._states[0].player)
            self._recall[mover] = (*self.recalled(mover), action.to_bytes(2, "little"))
            step(self._states[0], action)
        self._moves.append(action)

    def _check(self, action: int) -> None:
        """Rules take what they are given, and OpenSpiel hands on what it is given."""
        if action in self.legal_actions():
            return
        if self._states is None:
            deals = len(self.variant.deals)
            raise ValueError(f"deals have the numbers from 0 to {deals - 1}; there is no {action}")
        if self.is_terminal():
            raise ValueError("the game is over: nobody may play")
        raise ValueError(
            f"player_{self.current_player()} may play {self.legal_actions()}, not {action}"
        )

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            cards = self.variant.deals[action].cards
            return "; ".join(f"{name}={text}" for name, text in cards.items())
        return self.variant.game.actions[action]

    def __str__(self) -> str:
        """The deal and all actions, by number: another text for each history."""
        return " ".join(map(str, self._moves))


class Observer:
    """What OpenSpiel asks for what a seat sees: with perfect recall a text, else a tensor too."""

    def __init__(self, kind: pyspiel.IIGObservationType, variant: Variant) -> None:
        """Prepare to show `variant` in the way that `kind` tells."""
        self._recall = kind.perfect_recall
        size = variant.game.observation_size
        self.tensor = None if self._recall else np.zeros(size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what `player` observes into `tensor`."""
        if self.tensor is not None:
            self.tensor[:] = state.observed(player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same as text, the bytes as hexadecimal digits."""
        seen = state.recalled(player) if self._recall else (state.observed(player).tobytes(),)
        return f"{player} " + " ".join(part.hex() for part in seen)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as OpenSpiel has it; `pyspiel.load_game` makes them, of a class for each variant.

    Attributes:
        short_name: what `pyspiel.load_game` calls it.
        variant: the game, and its deals.
    """

    short_name: ClassVar[str]
    variant: ClassVar[Variant]

    def __init__(self, params: Any = None) -> None:
        """There are no parameters: `params` is what OpenSpiel hands on."""
        kind = game_type(self.short_name, self.variant)
        super().__init__(kind, game_info(self.variant), params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle is the name, and knows where it is registered."""
        return load_game, (self.short_name,)

    def new_initial_state(self) -> SpielState:
        """A game before its deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What shows a state to a seat; there are no `params`."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(iig_obs_type or usual, self.variant)


def game_type(name: str, variant: Variant) -> pyspiel.GameType:
    """What kind of game OpenSpiel is to expect."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name=f"{variant.game.rules.title} (backroom, small)",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=variant.game.players,
        min_num_players=variant.game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,  # it would have no fixed length
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


def game_info(variant: Variant) -> pyspiel.GameInfo:
    """The sizes and bounds of a game."""
    game = variant.game
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.actions),
        max_chance_outcomes=len(variant.deals),
        num_players=game.players,
        min_utility=float(game.bounds[0]),
        max_utility=float(game.bounds[1]),
        utility_sum=0.0,
        max_game_length=game.facts.max_moves,
    )


def load_game(name: str) -> SpielGame:
    """The game that is registered as `name`."""
    game: SpielGame = pyspiel.load_game(name)
    return game


def _register() -> None:
    """Tell OpenSpiel of all variants.

    It keeps what it is given beyond the end of Python, where a function that it lets go crashes;
    classes are never let go.
    """
    for name, make in VARIANTS.items():
        if name not in pyspiel.registered_names():
            variant = make()
            kind = type(name, (SpielGame,), {"short_name": name, "variant": variant})
            pyspiel.register_game(game_type(name, variant), kind)


_register()


class AgentPolicy(spiel_policy.Policy):  # type: ignore[misc]
    """An agent of this suite as a policy of OpenSpiel, for its exploitability and its matches."""

    def __init__(self, game: SpielGame, agent: Distribution) -> None:
        """`agent` must tell its probabilities.

        Raises:
            ValueError: if it was made for another game.
        """
        check_made_for(game.variant.game, agent)
        super().__init__(game, list(range(game.num_players())))
        self._agent = agent

    def action_probabilities(
        self, state: SpielState, player_id: int | None = None
    ) -> dict[int, float]:
        """The share of each legal action.

        Raises:
            ValueError: if the agent does not tell them, or nobody is to move.
        """
        seat = state.current_player() if player_id is None else player_id
        if seat < 0:
            raise ValueError("nobody is to move: the cards are not dealt, or the game is over")
        mask = state.mask()
        shares = self._agent.probabilities(
            state.observed(seat)[None], mask[None], np.array([seat], np.int64)
        )
        if shares is None:
            raise ValueError("OpenSpiel needs an agent that tells its probabilities")
        legal_shares = np.asarray(shares[0], np.float64)[mask]
        legal_shares /= legal_shares.sum()  # float32 leaves an error in the seventh place
        return dict(zip(np.flatnonzero(mask).tolist(), legal_shares.tolist(), strict=True))


class Policy(Protocol):
    """What OpenSpiel's policies have, those in Python and those in C++."""

    def action_probabilities(self, state: Any) -> Mapping[int, float]:
        """The share of each legal action in `state`."""


class Bot(Protocol):
    """What OpenSpiel's bots have."""

    def step(self, state: Any) -> int:
        """The action in `state`."""


class SpielAgent(Agent):
    """A policy or a bot of OpenSpiel at this suite's tables, in the game of a variant.

    It is shown a state in which its seat observes the very same. So it cannot cheat: cards that it
    may not know are those of some deal, not of the true one. Where observations forget, as those of
    Cockroach Poker forget old claims, the past of that state may be another too.
    """

    name = "openspiel"

    def __init__(self, game: SpielGame, player: Policy | Mapping[int, Bot], seed: int = 0) -> None:
        """Seat `player`: a policy for all seats, or a bot by seat."""
        super().__init__(game.variant.game, seed)
        self._player = player
        self._known = known_states(game)

    def act(self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> np.ndarray:
        """The bots' actions, or one drawn from the policy, int64[B]."""
        if not isinstance(self._player, Mapping):
            return super().act(observations, masks, players)
        rows = zip(players.tolist(), observations, strict=True)
        chosen = [self._player[p].step(self._state(p, seen)) for p, seen in rows]
        return np.array(chosen, np.int64)

    def probabilities(
        self, observations: np.ndarray, masks: np.ndarray, players: np.ndarray
    ) -> np.ndarray | None:
        """The policy's shares, float64[B, A]; None for bots."""
        if isinstance(self._player, Mapping):
            return None
        shares = np.zeros(masks.shape)
        for row, (seat, seen) in enumerate(zip(players.tolist(), observations, strict=True)):
            told = self._player.action_probabilities(self._state(seat, seen))
            shares[row, list(told)] = list(told.values())
        return shares

    def _state(self, seat: int, observation: np.ndarray) -> SpielState:
        try:
            return self._known[seat, observation.tobytes()]
        except KeyError:
            raise ValueError(
                f"no deal of the small {self.game.name} shows seat {seat} this observation"
            ) from None


def known_states(game: SpielGame) -> dict[tuple[int, bytes], SpielState]:
    """For each mover and what it observes, a state in which it does, the first that is found."""
    found: dict[tuple[int, bytes], SpielState] = {}
    todo = [game.new_initial_state()]
    while todo:
        state = todo.pop()
        mover = state.current_player()
        if mover >= 0:
            found.setdefault((mover, state.observed(mover).tobytes()), state)
        todo += [state.child(action) for action in state.legal_actions()]
    return found
