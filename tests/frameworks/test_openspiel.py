"""OpenSpiel: its own checks pass, it finds the same figures, and its players sit at our tables."""

import pickle
from collections import Counter
from itertools import permutations

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import exploitability as spiel_exploitability
from open_spiel.python.bots.uniform_random import UniformRandomBot
from playing import observed

from backroom.agents import RandomAgent, load
from backroom.envs import configure, make
from backroom.envs.cockroach_poker.state import SPECIES
from backroom.evaluate.exploitability import exploitability
from backroom.evaluate.match import play_match
from backroom.train.adapters.openspiel import VARIANTS, AgentPolicy, SpielAgent


@pytest.fixture(params=VARIANTS)
def small(request):
    return pyspiel.load_game(request.param)


@pytest.fixture
def kuhn():
    return pyspiel.load_game("backroom_kuhn")


def test_its_own_checks_pass(small):
    pyspiel.random_sim_test(small, num_sims=10, serialize=False, verbose=False)


def test_shares_of_deals_sum_to_one(small):
    outcomes = small.new_initial_state().chance_outcomes()
    assert sum(share for _, share in outcomes) == pytest.approx(1)
    assert min(share for _, share in outcomes) > 0


def test_shares_of_deals_are_those_of_a_shuffled_deck():
    """Counted over all ways to draw two cards, in order, from the 64."""
    small = pyspiel.load_game("backroom_cockroach_poker")
    deck = [species for species in SPECIES for _ in range(8)]
    ways = Counter(permutations(deck, 2))
    for cards, share in small.variant.deals:
        assert share == pytest.approx(ways[cards["hand0"], cards["hand1"]] / (64 * 63 * 2))
    assert len(small.variant.deals) == 2 * len(ways)


def test_a_seat_is_told_all_that_it_saw_and_did_and_nothing_else(small):
    """Its text for a state stands for its past, both ways; in all states after some deals."""
    game, pasts, texts = small.variant.game, {}, {}
    todo = []
    for number in range(0, len(small.variant.deals), 1 if len(small.variant.deals) < 10 else 9):
        todo.append((small.new_initial_state().child(number), [(), ()]))
    while todo:
        state, past = todo.pop()
        record, mover = state._states[0], state.current_player()
        for seat in range(2):
            seen = observed(game, record, seat)
            assert state.observation_tensor(seat) == seen.tolist()
            own, text = (seat, *past[seat], seen.tobytes()), state.information_state_string(seat)
            assert pasts.setdefault(text, own) == own and texts.setdefault(own, text) == text
            assert state.observation_string(seat) == f"{seat} {seen.tobytes().hex()}"
        for action in state.legal_actions():
            then = list(past)
            then[mover] = (*past[mover], observed(game, record, mover).tobytes(), action)
            todo.append((state.child(action), then))
    assert len(pasts) > 20


def test_a_serialised_game_goes_on_where_it_was(small):
    state = small.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        text = pyspiel.serialize_game_and_state(small, state)
        again = pyspiel.deserialize_game_and_state(text)[1]
        assert str(again) == str(state) and again.returns() == state.returns()
        assert again.legal_actions() == state.legal_actions()


def test_illegal_actions_never_reach_the_rules(small):
    """Not even of a text that was altered: OpenSpiel itself plays whatever it is given."""
    state = small.new_initial_state()
    for number in (-2, len(small.variant.deals), 9999):
        with pytest.raises(ValueError, match=f"deals have the numbers .*; there is no {number}$"):
            state.apply_action(number)
    state.apply_action(0)
    while not state.is_terminal():
        mask, mover = state.mask(), state.current_player()
        for action in (-2, 9999, len(mask), *np.flatnonzero(~mask)[:3].tolist()):
            with pytest.raises(
                ValueError, match=rf"^player_{mover} may play \[.*\], not {action}$"
            ):
                state.apply_action(action)
        assert (state.mask() == mask).all() and state.current_player() == mover
        state.apply_action(state.legal_actions()[-1])
    before = state.returns(), str(state)
    with pytest.raises(ValueError, match=r"^the game is over: nobody may play$"):
        state.apply_action(0)
    assert (state.returns(), str(state)) == before


def test_games_can_be_pickled(small):
    """As OpenSpiel's own can."""
    again = pickle.loads(pickle.dumps(small))
    assert str(again) == str(small) and again.variant.game is small.variant.game
    assert again.num_distinct_actions() == small.num_distinct_actions()


def test_a_clone_goes_its_own_way(small):
    state = small.new_initial_state()
    state.apply_action(0)
    text = state.information_state_string(0)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert state.information_state_string(0) == text != clone.information_state_string(0)


@pytest.mark.parametrize("name", ["random", "ppo-1"])
def test_exploitability_of_kuhn_is_the_same(kuhn, name):
    agent = load(name, kuhn.variant.game)
    theirs = spiel_exploitability.nash_conv(kuhn, AgentPolicy(kuhn, agent))
    ours = exploitability(kuhn.variant.game, agent).nash_conv
    assert theirs == pytest.approx(ours, abs=1e-6)  # networks play in float32
    assert theirs > 0


def test_kuhn_is_theirs(kuhn):
    """OpenSpiel's own Kuhn poker has the same exploitability of uniform play."""
    own = pyspiel.load_game("kuhn_poker")
    theirs = spiel_exploitability.nash_conv(own, spiel_policy.UniformRandomPolicy(own))
    assert exploitability(kuhn.variant.game, RandomAgent(kuhn.variant.game)).nash_conv == (
        pytest.approx(theirs)
    )


def test_returns_are_the_engines(small, conserved, ledger):
    """Random games in OpenSpiel, played again in PettingZoo's environment."""
    chance, deals = np.random.default_rng(7), small.variant.deals
    env = make(small.variant.game, illegal="raise")
    env.reset(seed=7)
    sums = []
    for _ in range(1000):
        state, now = small.new_initial_state(), np.zeros(2)
        while not state.is_terminal():
            if state.is_chance_node():
                action = int(chance.choice(len(deals), p=[deal.share for deal in deals]))
                env.reset(options={"deal": deals[action].cards})
            else:
                action = int(chance.choice(state.legal_actions()))
                mover = env.agent_selection
                assert env.possible_agents.index(mover) == state.current_player()
                mask = env.observe(mover)["action_mask"]
                assert np.flatnonzero(mask).tolist() == state.legal_actions()
                env.step(action)
            state.apply_action(action)
            now += state.rewards()
        assert now.tolist() == state.returns()
        sums.append(tuple(now))
    conserved(sums)


def test_a_policy_of_theirs_plays_at_our_table(kuhn):
    """The uniform policy there is the random agent here; an equilibrium is one here too."""
    uniform = SpielAgent(kuhn, spiel_policy.UniformRandomPolicy(kuhn))
    ours = exploitability(kuhn.variant.game, RandomAgent(kuhn.variant.game))
    assert exploitability(kuhn.variant.game, uniform).values == pytest.approx(ours.values)
    match = play_match(kuhn.variant.game, [uniform, load("ppo-1", kuhn.variant.game)], 200, 7)
    assert match is not None


def test_their_players_can_be_sent_to_processes(kuhn):
    """Each of which learns of the games by itself."""
    table = [SpielAgent(kuhn, spiel_policy.UniformRandomPolicy(kuhn)), "ppo-1"]
    here, there = (
        play_match(kuhn.variant.game, table, 20, 7, executor=way) for way in ("local", "process")
    )
    assert here.played.returns.tolist() == there.played.returns.tolist()


def test_a_bot_of_theirs_plays_at_our_table(small):
    chance = np.random.RandomState(7)
    bots = {seat: UniformRandomBot(seat, chance) for seat in range(2)}
    agent = SpielAgent(small, bots)
    game, env = small.variant.game, make(small.variant.game, illegal="raise")
    for deal in small.variant.deals[:20]:
        env.reset(seed=7, options={"deal": deal.cards})
        while not all(env.terminations.values()):
            seat = env.possible_agents.index(env.agent_selection)
            seen = env.observe(env.agent_selection)
            mask = seen["action_mask"].astype(bool)
            action = agent.act(seen["observation"][None], mask[None], np.array([seat]))[0]
            assert mask[action]
            env.step(action)
    assert agent.probabilities(np.zeros((1, 1)), np.ones((1, 2), bool), np.zeros(1, int)) is None
    assert game.players == 2


def test_a_bot_knows_no_other_game(kuhn):
    agent = SpielAgent(kuhn, spiel_policy.UniformRandomPolicy(kuhn))
    strange = np.full((1, kuhn.variant.game.observation_size), 9, np.int8)
    with pytest.raises(ValueError, match="no deal of the small kuhn shows seat 0"):
        agent.act(strange, np.ones((1, 2), bool), np.zeros(1, np.int64))


def test_agents_of_other_games_and_states_without_a_mover_are_refused(small):
    with pytest.raises(ValueError, match=r"agent 'random' was made for the_gang .*, not for"):
        AgentPolicy(small, RandomAgent(configure("the_gang")))
    policy = AgentPolicy(small, RandomAgent(small.variant.game))
    state = small.new_initial_state()
    with pytest.raises(ValueError, match=r"^nobody is to move"):
        policy.action_probabilities(state)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(ValueError, match=r"^nobody is to move"):
        policy.action_probabilities(state)


@pytest.mark.slow
def test_the_example_runs(run_example):
    assert "return against honest play" in run_example("openspiel", 1000)
