"""BenchMARL: independent PPO with shared weights learns The Gang in self-play, masks kept.

python examples/frameworks/with_benchmarl.py [iterations]
"""

import sys
import tempfile

from benchmarl.algorithms import IppoConfig
from benchmarl.experiment import Experiment, ExperimentConfig
from benchmarl.models.mlp import MlpConfig

from backroom.train.adapters.benchmarl import BackroomTask


def main(iterations: int = 10) -> None:
    """Train; what BenchMARL writes goes into a temporary folder here."""
    config = ExperimentConfig.get_from_yaml()
    config.loggers, config.create_json, config.render = [], False, False
    config.on_policy_collected_frames_per_batch, config.on_policy_n_envs_per_worker = 1000, 1
    config.on_policy_n_minibatch_iters, config.on_policy_minibatch_size = 5, 250
    config.max_n_iters, config.lr, config.gamma = iterations, 1e-3, 1.0
    config.evaluation_interval, config.evaluation_episodes = 1000 * iterations, 100
    network = MlpConfig.get_from_yaml()
    with tempfile.TemporaryDirectory() as config.save_folder:
        experiment = Experiment(
            task=BackroomTask("the_gang", {"num_players": 3, "features": "strength"}),
            algorithm_config=IppoConfig.get_from_yaml(),
            model_config=network,
            critic_model_config=network,
            seed=7,
            config=config,
        )
        experiment.run()
    print(f"mean return {experiment.mean_return:.3f} after {experiment.total_frames} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
