"""PPO by self-play: who gets credit, who decides, what a step does, and that killed runs go on."""

import csv
import os
import signal
import subprocess
import sys
import time
import tomllib

import numpy as np
import pytest
import torch

from backroom.agents import Agent, load
from backroom.agents.neural import read
from backroom.envs import configure
from backroom.evaluate.exploitability import exploitability
from backroom.train import ppo, runs, selfplay
from backroom.train.ppo import Learner, Network, decide, log_shares, losses, train, update
from backroom.train.selfplay import LEARNER, Decisions, Moves, SelfPlay, credit
from backroom.train.settings import (
    CONFIGS,
    PPOSettings,
    SB3Settings,
    convert,
    describe,
    to_toml,
)
from backroom.train.settings import load as load_settings

KUHN = configure("kuhn")

# --- Credit -----------------------------------------------------------------------------------


def one_game(players, rewards, done, values, discount=1.0, trace=1.0, decided=None):
    """`credit` for one game; advantages and whether they are known, one a move."""
    moves = Moves(
        np.array(players)[:, None],
        np.ones((len(players), 1), np.bool_) if decided is None else np.array(decided)[:, None],
        np.array(rewards, np.float32)[:, None],
        np.array(done, np.bool_)[:, None],
        np.array(values, np.float32)[:, None],
    )
    advantages, closed = credit(moves, discount, trace)
    return advantages[:, 0].tolist(), closed[:, 0].tolist()


LOST_ON_ANOTHERS_MOVE = {
    "players": [0, 1, 0, 1],
    "rewards": [(0, 0), (0, 0), (0, 0), (-1, 1)],
    "done": [0, 0, 0, 1],
    "values": [0.5, 0.2, 0.3, -0.1],
}


def test_a_seat_is_credited_with_what_it_earns_on_anothers_move():
    """Seat 0 loses 1 on seat 1's last move: -1 - 0.5 and -1 - 0.3; seat 1 wins 1."""
    advantages, closed = one_game(**LOST_ON_ANOTHERS_MOVE)
    assert advantages == pytest.approx([-1.5, 0.8, -1.3, 1.1])
    assert closed == [True] * 4


def test_discount_and_trace_run_from_one_own_decision_to_the_next():
    """t2: -1 - 0.3; t0: 0.9 * 0.3 - 0.5 + 0.9 * 0.8 * -1.3; t1: 0.9 * -0.1 - 0.2 + 0.72 * 1.1."""
    advantages, _ = one_game(**LOST_ON_ANOTHERS_MOVE, discount=0.9, trace=0.8)
    assert advantages == pytest.approx([-1.166, 0.502, -1.3, 1.1])


def test_rewards_between_two_own_decisions_belong_to_the_first():
    """Seat 0 earns 0.25 on its own move, 0.5 on seat 1's: both before it decides again."""
    advantages, _ = one_game(
        [0, 1, 0, 1],
        [(0.25, 0), (0.5, 0), (0, 0), (2, -2)],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        trace=0.0,
    )
    assert advantages == pytest.approx([0.75, 0, 2, -2])


def test_a_seat_that_moves_twice_in_a_row():
    advantages, _ = one_game(
        [1, 1, 0], [(0, 0), (0, 3), (5, -5)], [0, 0, 1], [0.5, 1, 2], discount=0.5, trace=0.0
    )
    assert advantages == pytest.approx([0.5 * 1 - 0.5, 3 - 5 - 1, 5 - 2])


def test_nothing_crosses_the_end_of_a_game():
    """The second game's rewards and values are not the first one's; its own are its own."""
    advantages, closed = one_game(
        [0, 1, 0, 1],
        [(0, 0), (1, -1), (0, 0), (7, -7)],
        [0, 1, 0, 1],
        [0.5, 0.5, 100, 100],
    )
    assert advantages == pytest.approx([0.5, -1.5, -93, -107])
    assert closed == [True] * 4


def test_where_the_moves_end_the_last_decision_of_each_seat_is_open():
    """Seat 0 decides again at t2, so t0 is closed by that value; t1 and t2 have no successor."""
    advantages, closed = one_game([0, 1, 0], [(0, 0), (0.5, 0), (9, 9)], [0, 0, 0], [0.1, 0.2, 0.7])
    assert closed == [True, False, False]
    assert advantages == pytest.approx([0.5 + 0.7 - 0.1, 0, 0])


def test_others_decisions_get_no_credit_but_their_moves_bring_rewards():
    advantages, closed = one_game(
        [0, 1, 1, 0],
        [(0, 0), (1, 0), (1, 0), (1, 0)],
        [0, 0, 0, 1],
        [0, 50, 50, 0],
        decided=[True, False, False, True],
        trace=0.0,
    )
    assert closed == [True, False, False, True]
    assert advantages == pytest.approx([2, 0, 0, 1])


def naive_credit(moves, discount, trace):
    """The definition, seat by seat and game by game, forwards."""
    players, decided, rewards, done, values = moves
    steps, games, seats = rewards.shape
    advantages, closed = np.zeros((steps, games)), np.zeros((steps, games), np.bool_)
    for g in range(games):
        for p in range(seats):
            own = [t for t in range(steps) if decided[t, g] and players[t, g] == p]
            chain = []
            for k, t in enumerate(own):
                later = own[k + 1] if k + 1 < len(own) else steps
                end = next((e for e in range(t, later) if done[e, g]), None)
                last = later - 1 if end is None else end
                earned = sum(rewards[u, g, p] for u in range(t, last + 1))
                following = 0.0 if end is not None or later == steps else values[later, g]
                known = end is not None or later < steps
                chain.append((t, earned + discount * following - values[t, g], known, end))
            ahead = 0.0
            for t, error, known, end in reversed(chain):
                ahead = (error + discount * trace * (0 if end is not None else ahead)) * known
                advantages[t, g], closed[t, g] = ahead, known
    return advantages, closed


def test_credit_is_what_the_definition_says_on_random_games():
    noise = np.random.default_rng(3)
    for _ in range(40):
        steps, games, seats = noise.integers(1, 12), 3, noise.integers(2, 5)
        moves = Moves(
            noise.integers(seats, size=(steps, games)),
            noise.random((steps, games)) < 0.8,
            noise.normal(size=(steps, games, seats)),
            noise.random((steps, games)) < 0.2,
            noise.normal(size=(steps, games)),
        )
        found, expected = credit(moves, 0.9, 0.7), naive_credit(moves, 0.9, 0.7)
        assert found[0] == pytest.approx(expected[0], abs=1e-5)
        assert (found[1] == expected[1]).all()


# --- Self-play --------------------------------------------------------------------------------


def weights_of_cells(inputs):
    return np.random.default_rng(8).normal(size=inputs.shape[1])


def by_observation(inputs, masks):
    """A learner whose actions and values follow from the observation alone."""
    score = inputs @ weights_of_cells(inputs)
    legal = masks.sum(axis=1)
    wanted = (np.abs(score * 1000).astype(np.int64)) % legal
    actions = (np.cumsum(masks, axis=1) <= wanted[:, None]).sum(axis=1)
    return actions, -np.abs(score).astype(np.float32), score.astype(np.float32)


def rows_of(parts):
    """Decisions as sorted tuples."""
    rows = []
    for d in parts:
        floats = np.stack([d.logs, d.advantages, d.targets], axis=1).round(4).tolist()
        for i in range(len(d.actions)):
            rows.append((bytes(d.inputs[i]), bytes(d.masks[i]), int(d.actions[i]), *floats[i]))
    return sorted(rows)


SEVERAL_HEISTS = {"turns_per_round": 1, "episode": "game"}
"""With rewards in the middle of a game: they may come while a decision is carried over."""


@pytest.mark.parametrize(
    ("game", "options"), [("kuhn", {}), ("cockroach_poker", {}), ("the_gang", SEVERAL_HEISTS)]
)
def test_short_stretches_bring_the_same_decisions_as_one_long_one(game, options):
    """Open decisions are carried over, however often; with trace 0 nothing else differs."""
    game = configure(game, **options)
    found = []
    for moves in (96, 3, 1):
        play = SelfPlay(game, 5, moves, seed=11)
        chance = np.random.default_rng(0)
        found.append(
            rows_of([play.collect(by_observation, chance, 0.9, 0.0) for _ in range(96 // moves)])
        )
    assert len(found[0]) > 5 * 96 // 2
    assert found[0] == found[1] == found[2]


def test_every_decision_is_learned_from_once():
    play = SelfPlay(KUHN, 20, 8, seed=1)
    chance = np.random.default_rng(0)
    closed = sum(len(play.collect(by_observation, chance, 1.0, 0.95).actions) for _ in range(30))
    assert closed + play._rows.decided[:2].sum() >= 30 * 8 * 20 - 2 * 20
    assert 30 * 8 * 20 - closed <= 2 * 20


class LastLegal(Agent):
    """Plays the last legal action, as no learner here does."""

    def act(self, observations, masks, players):
        return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], axis=1)


def first_legal(inputs, masks):
    return masks.argmax(axis=1), np.zeros(len(masks), np.float32), np.zeros(len(masks), np.float32)


@pytest.fixture
def last_legal(monkeypatch):
    monkeypatch.setattr(
        selfplay, "load", lambda name, game: LastLegal(game) if name == "last" else load(name, game)
    )


def test_others_decide_for_themselves_and_are_not_learned_from(last_legal):
    game = configure("cockroach_poker")
    play = SelfPlay(game, 16, 40, opponents={"last": 1.0}, seed=2)
    chance = np.random.default_rng(0)
    decisions = play.collect(first_legal, chance, 1.0, 0.95)
    assert ((play.tables == LEARNER).sum(axis=1) == 1).all()
    assert (decisions.actions == decisions.masks.argmax(axis=1)).all()
    chose = decisions.masks.sum(axis=1) > 1
    assert chose.any()
    # 16 games * 40 moves, the learner in one of three seats
    assert 16 * 40 / 8 < len(decisions.actions) < 16 * 40 / 2


def test_tables_are_drawn_by_shares_and_only_when_a_game_is_dealt(last_legal):
    play = SelfPlay(
        configure("cockroach_poker"), 800, 1, opponents={"self": 0.5, "last": 0.5}, seed=2
    )
    chance = np.random.default_rng(0)
    play.collect(first_legal, chance, 1.0, 0.95)
    learners = (play.tables == LEARNER).sum(axis=1)
    assert set(learners) == {1, 2, 3}
    # one seat always, each of the two others by half: 1/4, 1/2, 1/4
    assert np.bincount(learners, minlength=4)[1:] / 800 == pytest.approx(
        [0.25, 0.5, 0.25], abs=0.06
    )
    assert (play.tables == LEARNER).mean(axis=0) == pytest.approx([2 / 3] * 3, abs=0.06)
    play = SelfPlay(KUHN, 400, 1, opponents={"self": 0.5, "last": 0.5}, seed=2)
    play.collect(first_legal, chance, 1.0, 0.95)
    changed = 0
    for _ in range(6):
        before = play.tables.copy()
        play.collect(first_legal, chance, 1.0, 0.95)
        assert (play.tables == before)[~play.batch.done].all()
        changed += (play.tables != before).any(axis=1).sum()
    assert changed > 100


def test_former_selves_sit_at_the_table_and_the_oldest_go(monkeypatch):
    learner = Learner(settings(opponents={"past": 1.0}, past_size=2, games=50))
    play, chance = learner.play, np.random.default_rng(0)
    play.collect(first_legal, chance, 1.0, 0.95)
    assert (play.tables == LEARNER).all()  # none there yet
    for step in range(3):
        play.remember(learner.policy()._replace(step=step))
    assert [policy.step for policy in play.past] == [2, 1]
    for _ in range(5):
        play.collect(first_legal, chance, 1.0, 0.95)
    assert set(np.unique(play.tables)) == {LEARNER, 1, 2}
    assert ((play.tables == LEARNER).sum(axis=1) == 1).all()


def test_shares_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="share above 0"):
        SelfPlay(KUHN, 2, 2, opponents={"self": 0.0})
    with pytest.raises(ValueError, match="no agent 'nobody'"):
        SelfPlay(KUHN, 2, 2, opponents={"nobody": 1.0})


def test_returns_are_those_of_the_learners_seats(last_legal):
    """Against one that always bets, one that always passes loses its ante in each game."""
    play = SelfPlay(KUHN, 50, 30, opponents={"last": 1.0}, seed=2)
    play.collect(first_legal, np.random.default_rng(0), 1.0, 0.95)
    assert play.finished == play.seats > 100
    assert play.returns == -play.seats


# --- Steps of the network ---------------------------------------------------------------------


def settings(**changes):
    plain = {
        "game": {"name": "kuhn"},
        "games": 32,
        "moves": 8,
        "layers": [16],
        "minibatch": 64,
        "threads": 1,
        "total_decisions": 2000,
        "evaluate_every": 1000,
        "evaluate_games": 20,
        "checkpoint_every": 500,
    }
    return convert(PPOSettings, {**plain, **changes})


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


# --- Runs -------------------------------------------------------------------------------------

MIXED = {
    "opponents": {"self": 0.4, "past": 0.3, "random": 0.3},
    "past_every": 300,
    "past_size": 2,
    "average": 0.9,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a run that nobody interrupted."""
    out = tmp_path_factory.mktemp("runs") / "whole"
    result = train(settings(**MIXED), out)
    assert result.weights == out / "policy.safetensors"
    return out


def curve_of(out):
    with (out / "curve.csv").open(encoding="utf-8") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]


def assert_same_run(one, other):
    assert (one / "policy.safetensors").read_bytes() == (other / "policy.safetensors").read_bytes()
    assert curve_of(one) == curve_of(other)
    first, second = (
        runs.read_tensors(out / "checkpoint/latest.safetensors") for out in (one, other)
    )
    assert first[0].keys() == second[0].keys()
    for name, array in first[0].items():
        assert array.tobytes() == second[0][name].tobytes(), name


@pytest.mark.parametrize("stop", [1, 4, 7])
def test_an_interrupted_run_goes_on_bit_for_bit(whole, tmp_path, monkeypatch, stop):
    """Stopped in the middle of an update, whatever had been done since the last checkpoint."""
    learn = Learner.learn

    def until(learner):
        if learner.updates == stop:
            learn(learner)
            raise KeyboardInterrupt
        return learn(learner)

    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", until)
        with pytest.raises(KeyboardInterrupt):
            train(settings(**MIXED), tmp_path)
    assert not (tmp_path / "policy.safetensors").exists()
    train(settings(**MIXED), tmp_path, resume=True)
    assert_same_run(whole, tmp_path)


def test_a_killed_process_loses_no_more_than_an_interval(whole, tmp_path):
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from backroom.train.ppo import train\n"
        "from backroom.train.settings import PPOSettings, convert\n"
        "import tomllib\n"
        "plain = tomllib.loads(Path(sys.argv[1]).read_text())\n"
        "train(convert(PPOSettings, plain), Path(sys.argv[2]))\n"
    )
    arguments = [sys.executable, "-c", script, str(whole / "settings.toml"), str(tmp_path)]
    process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    checkpoint = tmp_path / "checkpoint/latest.safetensors"
    end = time.monotonic() + 120
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert runs.read_tensors(checkpoint)[1]["decisions"] >= 500
    train(settings(**MIXED), tmp_path, resume=True)
    assert_same_run(whole, tmp_path)


def test_a_finished_run_that_goes_on_is_left_as_it_is(whole, tmp_path):
    import shutil

    shutil.copytree(whole, tmp_path / "copy")
    result = train(settings(**MIXED), tmp_path / "copy", resume=True)
    assert result.decisions >= 2000
    assert_same_run(whole, tmp_path / "copy")


def test_what_a_run_leaves(whole):
    assert read(whole / "policy.safetensors").step >= 2000
    plain = tomllib.loads((whole / "settings.toml").read_text())
    assert convert(PPOSettings, plain) == settings(**MIXED)
    rows = curve_of(whole)
    assert [int(float(row["decisions"])) // 1000 for row in rows] == [1, 2]
    for row in rows:
        assert float(row["random.return.low"]) <= float(row["random.return"])
        assert 0 < float(row["exploitability"]) < 1
    assert (whole / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((whole / "tensorboard").glob("events*"))
    assert not list(whole.rglob("*.new"))
    agent = load(str(whole / "policy.safetensors"), KUHN)
    assert float(rows[-1]["exploitability"]) == pytest.approx(
        exploitability(KUHN, agent).exploitability, abs=1e-5
    )


def test_tensorboard_shows_what_was_measured(whole):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(whole / "tensorboard"))
    events.Reload()
    tags = events.Tags()["scalars"]
    assert {"train/kl", "train/entropy", "evaluation/exploitability"} <= set(tags)
    points = events.Scalars("evaluation/exploitability")
    rows = curve_of(whole)
    assert [p.step for p in points] == [int(float(row["decisions"])) for row in rows]
    assert [p.value for p in points] == pytest.approx(
        [float(row["exploitability"]) for row in rows]
    )


def test_other_settings_do_not_go_on(whole):
    for changes, name in (({"learning_rate": 0.5}, "learning_rate"), ({"seed": 3}, "seed")):
        with pytest.raises(ValueError, match=f"made with {name} = "):
            train(settings(**MIXED, **changes), whole, resume=True)
    with pytest.raises(ValueError, match="of kuhn_v0, not cockroach_poker"):
        train(settings(game={"name": "cockroach_poker"}), whole, resume=True)
    with pytest.raises(ValueError, match="holds a run already"):
        train(settings(**MIXED), whole)
    assert convert(PPOSettings, tomllib.loads((whole / "settings.toml").read_text())) == settings(
        **MIXED
    )


def test_a_damaged_checkpoint_gets_a_sentence(whole, tmp_path):
    checkpoint = tmp_path / "checkpoint/latest.safetensors"
    checkpoint.parent.mkdir()
    good = (whole / "checkpoint/latest.safetensors").read_bytes()
    for bad in (b"", good[:100], good[: len(good) // 2]):
        checkpoint.write_bytes(bad)
        with pytest.raises(ValueError, match="no readable checkpoint"):
            train(settings(**MIXED), tmp_path, resume=True)
    arrays, header = runs.read_tensors(whole / "checkpoint/latest.safetensors")
    for gone in ("games.states", "network.policy.bias", "optimizer.policy.bias.exp_avg"):
        fewer = {k: v for k, v in arrays.items() if k != gone}
        runs.write_tensors(checkpoint, fewer, header)
        with pytest.raises(ValueError, match="no checkpoint of this training"):
            train(settings(**MIXED), tmp_path, resume=True)


def test_a_file_is_the_old_one_or_the_new_one(tmp_path):
    path = tmp_path / "x"
    runs.write_atomically(path, lambda new: new.write_text("old"))

    def fail(new):
        new.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        runs.write_atomically(path, fail)
    assert path.read_text() == "old"


def test_global_generators_are_left_alone(tmp_path):
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002
    threads = torch.get_num_threads()
    train(settings(total_decisions=300), tmp_path)
    assert (torch.get_rng_state() == before[0]).all()
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002
    assert torch.get_num_threads() == threads


def test_progress_is_plain_lines_where_there_is_no_terminal(tmp_path, capsys):
    chosen = ["total_decisions=300", "games=32", "moves=8"]
    train(load_settings(PPOSettings, "kuhn", None, chosen), tmp_path / "x")
    said = capsys.readouterr().err
    assert "decisions in" in said
    assert "policy.safetensors" in said
    assert "\x1b" not in said


def test_one_seed_gives_one_result_and_another_another(whole, tmp_path):
    train(settings(**MIXED), tmp_path / "same")
    train(settings(**MIXED, seed=1), tmp_path / "other")
    assert_same_run(whole, tmp_path / "same")
    same, other = (read(out / "policy.safetensors").weights for out in (whole, tmp_path / "other"))
    assert (same["policy.weight"] != other["policy.weight"]).any()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_kuhn_is_learned(tmp_path, seed):
    """Self-play comes close to an equilibrium: uniform play can be exploited by 0.458."""
    chosen = load_settings(PPOSettings, "kuhn", None, [f"seed={seed}", "evaluate_games=100"])
    result = train(chosen, tmp_path / "run")
    agent = load(str(result.weights), KUHN)
    assert exploitability(KUHN, agent).exploitability < 0.05


# --- Settings ---------------------------------------------------------------------------------


def test_each_game_has_a_file_that_can_be_run():
    files = sorted(CONFIGS.glob("*.toml"))
    assert {"kuhn.toml", "the_gang.toml", "cockroach_poker.toml"} <= {f.name for f in files}
    for file in files:
        found = load_settings(PPOSettings, file.stem)
        assert found.make_game().name == file.stem
        assert convert(PPOSettings, tomllib.loads(to_toml(found))) == found


def test_every_setting_is_described():
    for kind in (PPOSettings, SB3Settings):
        assert all(setting.description for setting in describe(kind))


def test_changes_of_settings():
    found = load_settings(
        PPOSettings,
        "cockroach_poker",
        None,
        [
            "total_decisions=2e6",
            "layers=[64, 32]",
            "entropy=(.1, 0)",
            "num_players=4",
            "game.cards_per_player=5",
            "opponents.runs/a/policy.safetensors=.5",
            "normalize=false",
            "activation=tanh",
        ],
    )
    assert found.total_decisions == 2_000_000
    assert found.layers == (64, 32)
    assert found.entropy == (0.1, 0)
    assert found.make_game().settings()["num_players"] == 4
    assert found.make_game().settings()["cards_per_player"] == 5
    assert found.opponents["runs/a/policy.safetensors"] == 0.5
    assert found.opponents["counting"] == 1
    assert found.normalize is False


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("total=1", "no setting 'total'; there are game, seed"),
        ("total_decisions=0", "setting total_decisions: .*>= 1"),
        ("total_decisions=many", "setting total_decisions: Expected `int`"),
        ("layers=[]", "setting layers"),
        ("layers=[0]", "setting layers"),
        ("entropy=1", "setting entropy"),
        ("activation=sin", "setting activation"),
        ("average=1", "setting average"),
        ("seed.x=1", "no table of settings 'seed'"),
        ("hat.x=1", "no table of settings 'hat'"),
        ("total_decisions", "name=value"),
        ("=3", "name=value"),
        ("opponents.=3", "name=value"),
        ("game.num_players=3", "kuhn has no option 'num_players'"),
        ("opponents.self=-1", "setting opponents"),
        ("seed={[]: 1}", "setting seed: Expected `int`, got `str`"),
        ("seed={1: [2]}", "setting seed: Expected `int`, got `object`"),
        ("layers={[]}", "setting layers"),
        ("game={[]: 1}", "the game to train is kuhn"),
        ("opponents.self={{}}", "setting opponents"),
        (f"seed={'[' * 5000}", "setting seed"),
        (f"seed={'-' * 100_000}1", "setting seed"),
    ],
)
def test_what_is_wrong_with_a_setting_is_said(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        load_settings(PPOSettings, "kuhn", None, [change])


def test_what_is_wrong_with_a_file_is_said(tmp_path):
    path = tmp_path / "x.toml"
    for text, sentence in (
        ("x = [", "no readable TOML file"),
        ("colour = 1", "no setting 'colour'"),
        ('[game]\nname = "the_gang"', "is for the_gang, not kuhn"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=sentence):
            load_settings(PPOSettings, "kuhn", path)
    with pytest.raises(ValueError, match="no readable TOML file"):
        load_settings(PPOSettings, "kuhn", tmp_path / "none.toml")
    with pytest.raises(ValueError, match="no game 'chess'"):
        load_settings(PPOSettings, "chess")
    with pytest.raises(ValueError, match="parts are some of"):
        Learner(settings(parts=["hat"]))
