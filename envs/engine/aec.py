"""One game at a time, for PettingZoo's agent-environment cycle."""

import secrets
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .batch import DEAL, advance, look, new_arrays
from .checks import checked_action, checked_agent, checked_choice, checked_seed, checked_viewer
from .game import Game, State
from .jit import first_use
from .names import meant
from .render import RENDER_MODES, show
from .replay import earnings
from .rng import stream

Illegal: TypeAlias = Literal["terminate", "raise"]
Observation: TypeAlias = dict[str, np.ndarray]


def observation_space(game: Game, actions: int) -> spaces.Dict:
    """The space of `{"observation": int8[O], "action_mask": int8[actions]}`."""
    low, high = game.observation_bounds
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def _deal_of(options: dict[str, Any]) -> dict[str, str] | None:
    """The cards that `reset` is asked for.

    Raises:
        ValueError: if they are no texts by name, or a key was probably meant to be `deal`.
    """
    for key in options:
        if key != "deal" and (guess := meant(key, ["deal"])):
            raise ValueError(f"reset has no option {key!r}{guess}")
    cards = options.get("deal")
    if cards is None:
        return None
    if isinstance(cards, dict) and all(isinstance(t, str) for pair in cards.items() for t in pair):
        return cards
    raise ValueError(f"a deal is a dictionary of texts by name, not {cards!r}")


class CardGameEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A PettingZoo shell over the rules: it holds one game and forwards to the verbs.

    All players stay in the game until its end, which is the same step for all. Every seat's reward
    is written in the step in which it arises; `last` hands each agent what it has earned since its
    own last action. Arrays are fresh on each call, infos are empty.

    An illegal action ends the game for all: its player is left with the least return that the game
    has, the others with what they had. With `illegal="raise"` it is a ValueError instead, and the
    player may choose again.

    Attributes:
        game: the game that is played, with its options.
        possible_agents: `player_0`, `player_1`, ... in the order of the seats.
    """

    def __init__(
        self,
        game: Game,
        render_mode: str | None = None,
        illegal: Illegal = "terminate",
        viewer: int | None = None,
    ) -> None:
        """Prepare spaces; `reset` deals. Pictures show what seat `viewer` sees, or all (None).

        Raises:
            TypeError, ValueError: if an argument is none of its choices.
        """
        super().__init__()
        self.game = game
        self.render_mode = checked_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.illegal = checked_choice("illegal", illegal, get_args(Illegal))
        self.viewer = checked_viewer("viewer", viewer, game.players)
        self.metadata = {
            "name": game.rules.id,
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{i}" for i in range(game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space, action_space = observation_space(game, len(game.actions)), spaces.Discrete
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {a: action_space(len(game.actions)) for a in self.possible_agents}
        low, high = game.observation_bounds
        self.state_space = spaces.Box(
            np.tile(low, game.players), np.tile(high, game.players), dtype=np.int8
        )
        self._states = game.blank(1)
        self._action = np.zeros(1, np.int64)
        self._out = new_arrays(game, 1)
        self._dealt = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation and the action mask; the same space for every agent.

        Raises:
            ValueError: if there is no such agent.
        """
        return self.observation_spaces[checked_agent(agent, self.possible_agents)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same actions for every seat; each seat's space has its own generator.

        Raises:
            ValueError: if there is no such agent.
        """
        return self.action_spaces[checked_agent(agent, self.possible_agents)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal; without `seed`, the stream goes on, the first time from a place that is drawn anew.

        So copies of an environment that was not dealt yet, as frameworks make them, play different
        games.

        Args:
            seed: an integer in [0, 2**64); the same seed deals the same game.
            options: `{"deal": {...}}` puts given cards in place of the drawn ones, in the game's
                own words; the game's README tells them. Other keys are for wrappers, and ignored,
                but for those that look like a slip of the pen.

        Raises:
            TypeError, ValueError: if the seed or an option makes no sense; nothing is dealt then.
        """
        cards = _deal_of(options or {})
        before = self._states.copy()
        if seed is not None:
            self._states["rng"] = stream(checked_seed(seed))
        elif not self._dealt:
            self._states["rng"] = secrets.randbits(64)
        with first_use(self.game.name, "the rules"):
            self._advance(DEAL)
        if cards:
            try:
                self.game.rules.arrange(self.game, self._states[0], cards)
            except ValueError:
                self._states[:] = before
                raise
            finally:
                self._refresh()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {a: {} for a in self.agents}
        self.agent_selection = self.agents[self._mover]
        self._dealt = True

    def observe(self, agent: str) -> Observation:
        """What `agent` may know; the mask is empty for all but the agent to move.

        Raises:
            RuntimeError: before the first `reset`.
            ValueError: if there is no such agent.
        """
        if not self._dealt:
            raise RuntimeError("call reset() before observe()")
        seat = self._seat(agent)
        mask = np.zeros(len(self.game.actions), np.int8)
        if seat == self._mover:
            mask[:] = self._out.masks[0]
            return {"observation": self._out.observations[0].copy(), "action_mask": mask}
        return {"observation": self._look(seat), "action_mask": mask}

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """For the agent to move: what it sees, what it has earned since its last action, the rest.

        Raises:
            RuntimeError: before the first `reset`, and after every agent's last step.
        """
        self._check_under_way("last")
        found: tuple[Observation | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: int | None) -> None:
        """Play `action`, an integer of any kind, for the agent to move.

        Raises:
            RuntimeError: before the first `reset`, and after every agent's last step.
            TypeError: if `action` is no integer.
            ValueError: if it is illegal and the environment was made with `illegal="raise"`.
        """
        self._check_under_way("step")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        number = checked_action(action)
        mover = self.agent_selection
        if 0 <= number < len(self.game.actions) and self._out.masks[0, number]:
            self._advance(number)
            self._hand_out(self._out.rewards[0].tolist())
        elif self.illegal == "raise":
            allowed = np.flatnonzero(self._out.masks[0]).tolist()
            raise ValueError(f"{mover} may play {allowed}, not {number}")
        else:
            self.forfeit(mover)

    def forfeit(self, agent: str) -> None:
        """End the game for all: `agent` is left with the least return of the game.

        What it has earned so far is taken off again; the others earn nothing more.
        """
        seat = self._seat(agent)
        loss = self.game.bounds[0] - earnings(self.game, self._states[0])[seat]
        self._states["player"] = -1
        self._refresh()
        self._hand_out([loss if p == seat else 0.0 for p in range(self.game.players)])

    def _hand_out(self, rewards: list[float]) -> None:
        """Book what a step earned each seat, and pass on to the next mover."""
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        if self._mover < 0:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[max(self._mover, 0)]
        self._accumulate_rewards()

    def state(self) -> np.ndarray:
        """For centralised critics: the observations of all seats, in a row, int8[P * O]."""
        return np.concatenate([self._look(seat) for seat in range(self.game.players)])

    def render(self) -> str | np.ndarray | None:
        """The table as `viewer` sees it: text, uint8[H, W, 3], or printed, by `render_mode`."""
        return show(self.game, self._states[0], self.viewer, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def get_state(self) -> State:
        """A copy of the game's record, for `set_state`; it holds all hidden cards."""
        return self._states[0].copy()

    def set_state(self, state: State) -> None:
        """Go on from `state`, a record of this game; rewards earned before count as handed out.

        Raises:
            ValueError: if it is a record of another game, or of other options.
        """
        if not self.game.owns(state):
            raise ValueError(f"set_state wants a record of {self.game.name} with these options")
        if not self._dealt:
            self.reset()
        self._states[0] = state
        self._refresh()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self._mover < 0)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[max(self._mover, 0)]

    def clone(self) -> "CardGameEnv":
        """An independent environment in the same state, its rewards included."""
        twin = CardGameEnv(self.game, self.render_mode, self.illegal, self.viewer)
        if self._dealt:
            twin.set_state(self._states[0])
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations"):
                setattr(twin, name, dict(getattr(self, name)))
            twin.agents = self.agents[:]
            twin.agent_selection = self.agent_selection
        return twin

    def _check_under_way(self, what: str) -> None:
        if not self._dealt or not self.agents:
            over = ": the game is over" if self._dealt else ""
            raise RuntimeError(f"call reset() before {what}(){over}")

    @property
    def _mover(self) -> int:
        """The seat to move, -1 when the game is over or not dealt."""
        return int(self._out.players[0])

    def _seat(self, agent: str) -> int:
        return self._seats[checked_agent(agent, self.possible_agents)]

    def _look(self, seat: int) -> np.ndarray:
        observation = np.empty(self.game.observation_size, np.int8)
        look(self._states, np.array([seat], np.int64), observation[None])
        return observation

    def _advance(self, action: int) -> None:
        self._action[0] = action
        advance(self._states, self._action, self._out, False, 0)

    def _refresh(self) -> None:
        """Write mover, observation and mask anew after a change of the record from outside."""
        self._out.players[0] = self._states[0]["player"]
        self._out.observations[0] = self._look(max(self._mover, 0))
        self.game.rules.legal(self._states[0], self._out.masks[0])
