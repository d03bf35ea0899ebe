"""TorchRL: one policy for all thieves learns The Gang in self-play by PPO, masks kept.

python examples/frameworks/torchrl.py [updates]
"""

import sys

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import SyncDataCollector
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss, ValueEstimators

from backroom.envs import the_gang_v0

SEATS = "player"  # TorchRL groups agents by their names: player_0, player_1, ...


def main(updates: int = 40) -> None:
    """Train, and tell how the last games went."""
    torch.manual_seed(7)
    env = PettingZooWrapper(the_gang_v0.parallel_env(num_players=3, features="strength"))
    env.set_seed(7)
    cells = env.observation_spec[SEATS, "observation", "observation"].shape[-1]
    actions = env.full_action_spec[SEATS, "action"].space.n
    seen, mask = (SEATS, "observation", "observation"), (SEATS, "action_mask")
    net = MLP(cells, actions, num_cells=[128, 128])
    policy = ProbabilisticActor(
        TensorDictModule(lambda x: net(x.float()), [seen], [(SEATS, "logits")]),
        in_keys={"logits": (SEATS, "logits"), "mask": mask},
        out_keys=[(SEATS, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(SEATS, "log_prob"),
    )
