"""TorchRL: one policy for all thieves learns The Gang in self-play by PPO, masks kept.

python examples/frameworks/with_torchrl.py [updates]
"""

import sys

import torch
from tensordict.nn import TensorDictModule as Module
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from backroom.envs import the_gang_v0

P = "player"  # TorchRL groups agents by their names: player_0, player_1, ...
SEEN, MASK, VALUE = (P, "observation", "observation"), (P, "action_mask"), (P, "state_value")


def main(updates: int = 40) -> None:
    """Train, and tell how the last games went."""
    torch.manual_seed(7)
    env = PettingZooWrapper(the_gang_v0.parallel_env(num_players=3, features="strength"), seed=7)
    cells, actions = env.observation_spec[SEEN].shape[-1], env.full_action_spec[P, "action"].n
    actor, critic = (MLP(cells, out, num_cells=[128, 128]) for out in (actions, 1))
    policy = ProbabilisticActor(
        Module(lambda x: actor(x.float()), [SEEN], [(P, "logits")]),
        in_keys={"logits": (P, "logits"), "mask": MASK},
        out_keys=[(P, "action")],
        distribution_class=MaskedCategorical,  # a seat that is not to move can only wait
        return_log_prob=True,
        log_prob_key=(P, "log_prob"),
    )
    value = Module(lambda x: critic(x.float()), [SEEN], [VALUE])
    loss = ClipPPOLoss(policy, value, entropy_coeff=0.01, normalize_advantage=True)
    gae = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    ends = {"reward": (P, "reward"), "done": (P, "done"), "terminated": (P, "terminated")}
    gae.set_keys(value=VALUE, advantage=(P, "advantage"), value_target=(P, "target"), **ends)
    loss.set_keys(
        action=(P, "action"), sample_log_prob=(P, "log_prob"), value=VALUE,
        advantage=(P, "advantage"), value_target=(P, "target"), **ends,
    )  # fmt: skip
    weights = [*actor.parameters(), *critic.parameters()]
    optimiser = torch.optim.Adam(weights, lr=1e-3)
    collector = Collector(env, policy, frames_per_batch=1000, total_frames=1000 * updates)
    for batch in collector:
        with torch.no_grad():
            gae(batch)
        for _ in range(5):
            for part in batch.reshape(-1)[torch.randperm(1000)].split(250):
                losses = loss(part)
                optimiser.zero_grad()
                sum(losses[k] for k in losses.keys() if k.startswith("loss_")).backward()
                torch.nn.utils.clip_grad_norm_(weights, 0.5)
                optimiser.step()
    earned, games = batch["next", P, "reward"].sum() / 3, batch["next", "done"].sum()
    collector.shutdown()
    print(f"mean return {earned / games:.3f} after {1000 * updates} moves")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
