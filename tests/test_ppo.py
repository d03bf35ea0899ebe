"""PPO: what a step of the network does."""

import numpy as np
import pytest
import torch
from learning import KUHN, settings

from backroom.envs import configure
from backroom.train import ppo
from backroom.train.ppo import Learner, Network, decide, log_shares, losses, update
from backroom.train.selfplay import Decisions


def one_decision(game, advantage, action=1, count=64, chance_of_it=0.5):
    inputs = np.zeros((count, game.observation_size), np.int8)
    inputs[:, 0] = 1
    masks = np.zeros((count, len(game.actions)), np.bool_)
    masks[:, :2] = True
    full = np.float32
    return Decisions(
        inputs,
        masks,
        np.full(count, action),
        np.full(count, np.log(chance_of_it), full),
        np.full(count, advantage, full),
        np.full(count, advantage, full),
        np.zeros(count, np.int64),
    )


def shares_after(game, decisions, **changes):
    chosen = settings(game={"name": game.name}, normalize=False, **changes)
    chance = torch.Generator().manual_seed(0)
    network = Network(game, tuple(p.name for p in game.facts.parts), chosen, chance)
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    figures = update(network, optimizer, decisions, chosen, chosen.entropy[0], chance)
    logits, values = network(torch.from_numpy(decisions.inputs[:1]))
    logs = log_shares(logits, torch.from_numpy(decisions.masks[:1]))
    return logs.exp()[0].detach().numpy(), float(values[0].detach()), figures


def test_a_step_makes_good_actions_likelier_and_bad_ones_less_likely():
    better, up, _ = shares_after(KUHN, one_decision(KUHN, 1.0), entropy=(0, 0))
    worse, down, _ = shares_after(KUHN, one_decision(KUHN, -1.0), entropy=(0, 0))
    assert better[1] > 0.505 > 0.495 > worse[1]
    assert up > down


def test_entropy_is_sought_by_its_weight():
    sure = one_decision(KUHN, 1.0)
    free, _, figures = shares_after(KUHN, sure, entropy=(0, 0), epochs=50, clip=1e9)
    held, _, _ = shares_after(KUHN, sure, entropy=(10, 10), epochs=50, clip=1e9)
    assert free[1] > 0.95
    assert held[1] == pytest.approx(0.5, abs=0.1)
    assert figures["entropy"] > 0


def test_a_probability_is_not_changed_much_beyond_the_clip():
    kept, _, figures = shares_after(KUHN, one_decision(KUHN, 1.0), entropy=(0, 0), epochs=50)
    assert 0.55 < kept[1] < 0.8
    assert figures["clipped"] > 0


def test_illegal_actions_have_no_probability_and_no_gradient():
    game = configure("cockroach_poker")
    chosen = settings(game={"name": game.name})
    chance = torch.Generator().manual_seed(0)
    network = Network(game, tuple(p.name for p in game.facts.parts), chosen, chance)
    decisions = one_decision(game, 1.0)
    inputs, masks = decisions.inputs[:1].repeat(500, 0), decisions.masks[:1].repeat(500, 0)
    actions, logs, _ = decide(network, chance, inputs, masks)
    assert set(actions) == {0, 1}
    assert logs == pytest.approx(np.log(0.5), abs=0.1)
    policy_loss, _, entropy, _ = losses(
        network, [torch.from_numpy(array) for array in decisions], 0.2
    )
    (policy_loss - entropy).backward()
    gradient = network.policy.bias.grad
    assert (gradient[2:] == 0).all()
    assert (gradient[:2] != 0).all()
    assert torch.isfinite(gradient).all()
    assert float(entropy.detach()) == pytest.approx(np.log(2), abs=0.01)


def test_the_policy_that_is_drawn_from_is_the_one_that_is_saved():
    learner = Learner(settings(parts=["card", "history"]))
    agent = ppo.NeuralAgent(KUHN, learner.policy())
    for weight in learner.network.parameters():
        weight.data += 0.3 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(1))
    agent = ppo.NeuralAgent(KUHN, learner.policy())
    batch = learner.play.batch
    shares = agent.probabilities(batch.observations, batch.masks, batch.players)
    inputs = batch.observations[:, learner.play._cells]
    chance = torch.Generator().manual_seed(0)
    actions, logs, values = decide(learner.network, chance, inputs, batch.masks)
    assert np.exp(logs) == pytest.approx(shares[np.arange(32), actions], abs=1e-5)
    assert values == pytest.approx(agent.value(batch.observations), abs=1e-4)


def test_the_learning_rate_falls_to_nothing_and_the_entropy_weight_from_end_to_end():
    learner = Learner(settings(entropy=[0.3, 0.1], learning_rate=0.002))
    found = []
    while learner.decisions < 2000:
        done = learner.decisions / 2000
        figures = learner.learn()
        assert figures["learning_rate"] == pytest.approx(0.002 * (1 - done))
        assert learner.optimizer.param_groups[0]["lr"] == figures["learning_rate"]
        assert figures["entropy_weight"] == pytest.approx(0.3 - 0.2 * done)
        found.append(figures["learning_rate"])
    assert found[0] == 0.002
    assert found[-1] < 0.0004


def test_the_average_is_over_the_updates():
    learner = Learner(settings(average=0.5))
    before = learner.weights()["policy.bias"]
    learner.learn()
    first = learner.weights()["policy.bias"]
    keep = 1 / 11  # so early, little is remembered
    expected = keep * before + (1 - keep) * first
    assert learner.policy().weights["policy.bias"] == pytest.approx(expected, abs=1e-7)
    assert (learner.policy(averaged=False).weights["policy.bias"] == first).all()
