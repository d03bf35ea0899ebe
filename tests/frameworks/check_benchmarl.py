"""BenchMARL: its own sampling keeps to the masks, and hands on all rewards."""

import pytest
from benchmarl.algorithms import IppoConfig
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig
from ledger import Sums
from torchrl.envs import ParallelEnv, SerialEnv
from torchrl.envs.utils import check_env_specs

from backroom.train.adapters.benchmarl import BackroomTask


def test_returns_are_the_engines(short, conserved, ledger, tmp_path):
    """Games sampled by BenchMARL's collector with the untrained policy of its IPPO."""
    config = ExperimentConfig.get_from_yaml()
    config.loggers, config.create_json, config.render = [], False, False
    config.evaluation, config.save_folder = False, str(tmp_path)
    config.on_policy_collected_frames_per_batch, config.on_policy_n_envs_per_worker = 1000, 1
    config.max_n_iters = 50
    network = MlpConfig.get_from_yaml()
    experiment = Experiment(
        task=BackroomTask(short.name, short.settings()),
        algorithm_config=IppoConfig.get_from_yaml(),
        model_config=network,
        critic_model_config=network,
        seed=7,
        config=config,
    )
    ledger.forget()  # the environment was tried out
    sums = Sums()
    for batch in experiment.collector:
        step = batch["next"]
        rewards, done = step["player", "reward"][..., 0], step["done"][..., 0]
        for now, over in zip(rewards.reshape(-1, short.players), done.reshape(-1), strict=True):
            sums.add(now, bool(over))
        if len(sums.games) >= 1000:
            break
    conserved(sums.games)


def test_specifications_fit():
    task = BackroomTask("kuhn")
    check_env_specs(task.get_env_fun(1, False, 7, "cpu")())


def dealt(many, seed):
    """What seats see after two deals in each of four environments, made as BenchMARL makes them."""
    task = BackroomTask("cockroach_poker", {"num_players": 3})
    env = many(4, task.get_env_fun(4, False, seed, "cpu"))
    try:
        return [[o.tolist() for o in env.reset()["player", "observation"]] for _ in range(2)]
    finally:
        env.close()


@pytest.mark.parametrize("many", [SerialEnv, ParallelEnv])
def test_environments_of_one_seed_play_different_games(many):
    for deals in dealt(many, 7):
        assert all(one not in deals[:i] for i, one in enumerate(deals))


def test_the_same_seed_deals_the_same():
    found = [dealt(SerialEnv, seed) for seed in (7, 7, 8)]
    assert found[0] == found[1] != found[2]


def test_an_unknown_game_is_named():
    with pytest.raises(ValueError, match="there is no game 'poke'"):
        BackroomTask("poke")


def test_the_example_trains(run_example):
    assert "mean return" in run_example("benchmarl", 5)
