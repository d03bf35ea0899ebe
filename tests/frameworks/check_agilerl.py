"""AgileRL: its IPPO keeps to the masks that it finds in the infos, and no reward is lost."""

import numpy as np
from agilerl.algorithms import IPPO
from agilerl.vector.dummy_vec_env import PzDummyVecEnv
from ledger import Sums

from backroom.envs import make_parallel
from backroom.train.adapters.agilerl import AgileRLEnv


def test_returns_are_the_engines(short, conserved):
    """Games played by an untrained network, as AgileRL's training loop plays them."""
    env, sums = AgileRLEnv(make_parallel(short)), Sums()
    agents = env.possible_agents
    games = PzDummyVecEnv(env)
    player = IPPO(
        [env.observation_space(a) for a in agents], [env.action_space(a) for a in agents], agents
    )
    seen, infos = games.reset(seed=7)
    while len(sums.games) < 1000:
        actions = player.get_action(obs=seen, infos=infos)[0]
        seen, rewards, ends, _, infos = games.step(actions)
        sums.add([rewards[a][0] for a in agents], bool(ends[agents[0]][0]))
    conserved(sums.games)


def test_the_next_game_is_the_one_whose_masks_were_told():
    env = AgileRLEnv(make_parallel("kuhn"))
    env.reset(seed=7)
    while env.agents:
        moves = {a: env.table.wait for a in env.agents}
        mover = env.table._game.agent_selection
        _, _, ends, _, infos = env.step({**moves, mover: 0})
    assert all(ends.values())
    assert env.reset()[1] == infos
    assert all(isinstance(info["action_mask"], list) for info in infos.values())
    assert np.array_equal(env.reset(seed=7)[0]["player_0"], env.reset(seed=7)[0]["player_0"])


def test_the_example_trains(run_example):
    assert "mean return" in run_example("agilerl", 4)
