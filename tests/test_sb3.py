"""stable-baselines3: environments as it wants them, masks always, and files that run no code."""

import csv
import json
import random
import shutil
import tempfile
import zipfile
from functools import partial

import learning
import numpy as np
import pytest
import torch
from gymnasium.spaces import Discrete
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor

from backroom.agents import RandomAgent, load
from backroom.agents.sb3 import CARD, Sb3Agent, read_card
from backroom.envs import configure, make_batch, make_single
from backroom.evaluate.exploitability import exploitability
from backroom.train import sb3
from backroom.train.sb3 import SeatVecEnv, train
from backroom.train.settings import SB3Settings

KUHN = configure("kuhn")
COCKROACH = configure("cockroach_poker")


def settings(**changes):
    usual = {"total_decisions": 1024, "evaluate_every": 512, "checkpoint_every": 512}
    return learning.settings(SB3Settings, **{**usual, **changes})


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "whole"
    assert train(settings(), out).weights == out / "policy.zip"
    return out


@pytest.fixture(scope="module")
def cockroach(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "cockroach"
    train(settings(game={"name": "cockroach_poker"}, games=8, total_decisions=128), out)
    return out / "policy.zip"


def play_random(games, moves, seed=0):
    """Random legal moves in a vectorised environment; yields each step with the masks before it."""
    chance = np.random.default_rng(seed)
    games.seed(seed)
    observations = games.reset()
    for _ in range(moves):
        masks = get_action_masks(games)
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in masks])
        before = observations
        observations, rewards, done, infos = games.step(actions)
        yield before, masks, actions, observations, rewards, done, infos


def test_the_vectorised_games_say_their_masks():
    games = SeatVecEnv(COCKROACH, 6, opponents=RandomAgent(COCKROACH))
    assert is_masking_supported(games)
    games.reset()
    masks = get_action_masks(games)
    assert masks.shape == (6, len(COCKROACH.actions))
    assert masks.dtype == np.bool_
    assert np.array(games.env_method("action_masks", indices=[2])).tolist() == [masks[2].tolist()]
    assert not games.has_attr("hat")
    with pytest.raises(AttributeError):
        games.env_method("hat")
    for _, masks, actions, observations, *_ in play_random(games, 50):
        assert masks[np.arange(6), actions].all()
        assert observations.shape == (6, COCKROACH.observation_size)
        assert observations.dtype == np.int8
        assert all(observation in games.observation_space for observation in observations)


def test_rewards_and_last_observations_reach_the_learner():
    """What stands in the infos when a game ends is the end, not the next deal."""
    games = VecMonitor(SeatVecEnv(KUHN, 20, seat=0, opponents=RandomAgent(KUHN)))
    ends, returns = 0, []
    for before, _, actions, observations, rewards, done, infos in play_random(games, 30):
        assert (rewards[~done] == 0).all()
        for i in np.flatnonzero(done):
            ends += 1
            last = KUHN.parts(infos[i]["terminal_observation"])["history"]
            fresh = KUHN.parts(observations[i])["history"]
            assert last.any(axis=1).sum() >= 2 and not fresh.any()
            own = KUHN.parts(before[i])["card"]
            assert (KUHN.parts(infos[i]["terminal_observation"])["card"] == own).all()
            assert rewards[i] in (-2, -1, 1, 2)
            assert infos[i]["episode"]["r"] == pytest.approx(rewards[i])
            assert infos[i]["TimeLimit.truncated"] is False
            returns.append(rewards[i])
            folded = actions[i] == 0 and KUHN.parts(before[i])["history"].any()
            assert not folded or rewards[i] == -1
    assert ends > 100
    assert len(set(returns)) == 4


def test_a_loss_on_anothers_move_reaches_the_learner():
    """In Cockroach Poker the one who is to blame is often hit by another's call."""
    games = SeatVecEnv(COCKROACH, 20, opponents=RandomAgent(COCKROACH))
    lost = won = 0
    for *_, rewards, done, _ in play_random(games, 400):
        assert (rewards[~done] == 0).all()
        assert set(rewards[done]) <= {-1.0, 0.5}
        lost += (rewards == -1).sum()
        won += (rewards == 0.5).sum()
    assert lost / (lost + won) == pytest.approx(1 / 3, abs=0.1)


def test_the_same_seed_deals_the_same():
    found = []
    for seed in (3, 3, 4):
        games = SeatVecEnv(KUHN, 8, opponents=RandomAgent(KUHN))
        found.append([step[3].tolist() for step in play_random(games, 10, seed)])
    assert found[0] == found[1] != found[2]


def test_processes_of_their_own_work_too():
    """The library's own way: an environment a process, started by spawn."""
    make = partial(make_single, "kuhn", flatten=True, opponents=RandomAgent(KUHN))
    games = SubprocVecEnv([make, make], start_method="spawn")
    try:
        assert is_masking_supported(games)
        model = MaskablePPO("MlpPolicy", games, n_steps=16, batch_size=16, device="cpu")
        model.set_logger(Logger(None, []))  # its own leaves a folder behind
        model.learn(64)
    finally:
        games.close()


def test_what_a_run_leaves(whole):
    with (whole / "curve.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(float(row["decisions"])) for row in rows] == [512, 1024]
    assert (whole / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert list((whole / "tensorboard").glob("events*"))
    assert (whole / "settings.toml").exists()
    assert read_card(whole / "policy.zip").step == 1024
    with pytest.raises(ValueError, match="holds a run already"):
        train(settings(), whole)


def test_without_masks_it_is_plain_ppo(tmp_path):
    """Its policies are read and played as the others are."""
    game = {"name": "caribbean_poker", "fixed_ante": 1}
    changes = {"masks": False, "total_decisions": 512, "evaluate_against": []}
    run = train(settings(game=game, **changes), tmp_path / "run")
    agent = load(str(run.weights), configure("caribbean_poker", fixed_ante=1))
    library = PPO.load(run.weights, device="cpu")
    batch = make_batch(agent.game, 50)
    shares = agent.probabilities(batch.observations, batch.masks, batch.players)
    with torch.inference_mode():
        views = torch.from_numpy(batch.observations)
        theirs = library.policy.get_distribution(views).distribution.probs.numpy()
    assert np.allclose(shares, theirs, atol=1e-6)


def test_the_agent_plays_what_the_library_would(cockroach):
    agent = load(str(cockroach), COCKROACH)
    assert isinstance(agent, Sb3Agent)
    batch, player = make_batch(COCKROACH, 12), RandomAgent(COCKROACH)
    for _ in range(20):
        batch.step(player.act(batch.observations, batch.masks, batch.players))
    shares = agent.probabilities(batch.observations, batch.masks, batch.players)
    with torch.no_grad():
        expected = agent.policy.get_distribution(
            torch.from_numpy(batch.observations), batch.masks
        ).distribution.probs.numpy()
    assert shares == pytest.approx(expected, abs=1e-6)
    assert (shares[~batch.masks] == 0).all()
    library = MaskablePPO.load(cockroach, device="cpu")
    best, _ = library.predict(batch.observations, action_masks=batch.masks, deterministic=True)
    greedy = Sb3Agent(COCKROACH, agent.policy, temperature=0)
    assert (greedy.act(batch.observations, batch.masks, batch.players) == best).all()
    values = agent.value(batch.observations)
    assert values.shape == (12,)
    high = COCKROACH.observation_bounds[1]
    features = agent.policy.features_extractor(torch.from_numpy(high[None].astype(np.float32)))
    assert features.numpy() == pytest.approx(np.ones((1, len(high))))


def test_no_illegal_move_in_a_thousand_games(cockroach):
    """The environment refuses them: `step` would raise."""
    agent = load(str(cockroach), COCKROACH, 3)
    batch, ended = make_batch(COCKROACH, 200), 0
    while ended < 1000:
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
        ended += int(batch.done.sum())


def test_the_last_part_of_a_run_goes_on_from_its_checkpoint(whole, tmp_path, monkeypatch):
    shutil.copytree(whole, tmp_path / "run")
    (tmp_path / "run" / "policy.zip").unlink()
    longer = settings(total_decisions=2048)
    seen = []
    collect = MaskablePPO.collect_rollouts

    def spy(model, *args, **kwargs):
        seen.append((model.num_timesteps, model._current_progress_remaining))
        if len(seen) == 1:
            weights = torch.load(  # what the checkpoint holds
                zipfile.ZipFile(whole / "checkpoint/latest.zip").open("policy.pth"),
                weights_only=True,
            )
            for name, tensor in model.policy.state_dict().items():
                assert (tensor == weights[name]).all()
            memory = model.policy.optimizer.state_dict()["state"]
            assert memory and all(m["exp_avg_sq"].any() for m in memory.values())
        return collect(model, *args, **kwargs)

    monkeypatch.setattr(MaskablePPO, "collect_rollouts", spy)
    before = read_card(whole / "checkpoint/latest.zip").step
    result = train(longer, tmp_path / "run", resume=True)
    assert seen[0][0] == before == 1024
    assert result.decisions == 2048
    assert [row["decisions"] for row in result.curve] == [512, 1024, 1536, 2048]
    with pytest.raises(ValueError, match="another game, or of a network of another shape"):
        train(settings(layers=[8]), tmp_path / "run", resume=True)


def test_the_weight_of_the_entropy_goes_from_end_to_end(tmp_path, monkeypatch):
    seen = []
    learn = MaskablePPO.train

    def spy(model):
        seen.append((model.num_timesteps, model.ent_coef))
        learn(model)

    monkeypatch.setattr(MaskablePPO, "train", spy)
    train(settings(entropy=[0.3, 0.1]), tmp_path)
    assert len(seen) == 4
    for after, weight in seen:  # set when the decisions that it is for begin to be made
        assert weight == pytest.approx(0.3 - 0.2 * (after - 256) / 1024)


def test_global_generators_are_left_alone(tmp_path):
    before = torch.get_rng_state(), np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002
    train(settings(total_decisions=256), tmp_path)
    assert (torch.get_rng_state() == before[0]).all()
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002
    assert random.getstate() == before[2]


def test_a_run_writes_into_its_folder_alone(tmp_path, monkeypatch):
    """The library's own logger would leave a folder among the temporary ones."""
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    train(settings(total_decisions=512), tmp_path / "run")
    assert not list(elsewhere.glob("*SB3*"))
    assert {path.name for path in tmp_path.iterdir()} == {"temporary", "run"}
    assert "train/loss" in scalars(tmp_path / "run" / "tensorboard")


def scalars(folder):
    """The names of the figures in TensorBoard's files."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    return EventAccumulator(str(folder)).Reload().Tags()["scalars"]


def test_it_learns_to_beat_random_play(tmp_path):
    """A best response to uniform play is worth 11/24; nothing is 0."""
    learned = settings(
        total_decisions=40_000, games=64, moves=16, layers=[64, 64], minibatch=256,
        evaluate_games=2000, evaluate_every=40_000, learning_rate=2e-3,
    )  # fmt: skip
    figures = train(learned, tmp_path).curve[-1]
    assert figures["random.return.low"] > 0.2


class Evil:
    """Unpickled, it would make a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def changed(source, target, name, content):
    """A copy of the zip file `source` with another part `name`; None leaves it out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for part in old.namelist():
            if part != name:
                new.writestr(part, old.read(part))
        if content is not None:
            new.writestr(name, content)


def test_nothing_in_a_file_is_executed(whole, tmp_path):
    trap, path = tmp_path / "sprung", tmp_path / "x.zip"
    evil = tmp_path / "evil.pth"
    torch.save(Evil(trap), evil)
    changed(whole / "policy.zip", path, "policy.pth", evil.read_bytes())
    with pytest.raises(ValueError, match="more than weights"):
        load(str(path), KUHN)
    data = {"policy_class": {":type:": "x", ":serialized:": "gASVLgAAAA=="}}
    changed(whole / "policy.zip", path, "data", json.dumps(data))
    load(str(path), KUHN)  # never looked at
    assert not trap.exists()


def test_weights_that_are_junk_get_a_sentence(whole, tmp_path):
    """In however many ways the library's loader fails."""
    path = tmp_path / "x.zip"
    weights = zipfile.ZipFile(whole / "policy.zip").read("policy.pth")
    noise = np.random.default_rng(0)
    for junk in (
        b"", b"x", b"\x80", b"\x80\x02.", weights[: len(weights) // 2], weights[100:],
        *(noise.bytes(len(weights)) for _ in range(20)),
        *(b"\x80\x02" + noise.bytes(len(weights)) for _ in range(60)),
        *(weights[:at] + noise.bytes(8) + weights[at + 8 :] for at in range(0, 2000, 40)),
    ):  # fmt: skip
        changed(whole / "policy.zip", path, "policy.pth", junk)
        try:
            load(str(path), KUHN)  # what is changed may be a number, or not matter
        except ValueError as error:
            assert str(error).startswith(f"{path} holds ") and "\n" not in str(error)
        else:
            assert junk[:2] == weights[:2]


def test_damaged_and_foreign_files_get_a_sentence(whole, cockroach, tmp_path):
    path, good = tmp_path / "x.zip", (whole / "policy.zip").read_bytes()
    for cut in (0, 10, len(good) // 2, len(good) - 10):
        path.write_bytes(good[:cut])
        with pytest.raises(ValueError, match="no readable zip file"):
            load(str(path), KUHN)
    changed(whole / "policy.zip", path, CARD, None)
    with pytest.raises(ValueError, match=r"no backroom\.json: it was not trained by this suite"):
        load(str(path), KUHN)
    with pytest.raises(ValueError, match="plays cockroach_poker with num_players=3"):
        load(str(cockroach), KUHN)
    with pytest.raises(ValueError, match="plays cockroach_poker with num_players=3"):
        load(str(cockroach), configure("cockroach_poker", num_players=4))
    card = json.loads(zipfile.ZipFile(whole / "policy.zip").read(CARD))
    for change, sentence in (
        ({"format": "9"}, "another format"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"version": 8}, "plays version 8"),
        ({"layers": [8]}, "no weights that can be read"),
        ({"layers": "x"}, "layers are numbers"),
        ({"layers": [0]}, "layers are numbers"),
        ({"layers": [10**6, 10**6]}, "fewer than its layers need"),
        ({"layers": [10**30]}, "fewer than its layers need"),
        ({"layers": [1] * 65}, "65 layers; no more than 64 are known"),
        ({"layers": [1] * 10**5}, "100000 layers; no more than 64 are known"),
        ({"activation": "sin"}, "no activation"),
        ({"options": {"deck": 1}}, "no option 'deck'"),
        ({"options": None}, "can be played"),
    ):
        changed(whole / "policy.zip", path, CARD, json.dumps({**card, **change}))
        with pytest.raises(ValueError, match=sentence) as error:
            load(str(path), KUHN)
        assert "\n" not in str(error.value)


def test_a_policy_for_another_table_is_refused(cockroach):
    policy = load(str(cockroach), COCKROACH).policy
    assert policy.action_space == Discrete(len(COCKROACH.actions))
    with pytest.raises(ValueError, match="other observations or actions"):
        Sb3Agent(KUHN, policy)
    with pytest.raises(ValueError, match="temperature"):
        Sb3Agent(COCKROACH, policy, temperature=-1)


def test_its_exploitability_can_be_measured(whole):
    found = exploitability(KUHN, load(str(whole / "policy.zip"), KUHN))
    assert 0 < found.exploitability < 1


def test_opponents_that_do_not_fit_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no agent 'nobody'"):
        train(settings(opponents=["nobody"]), tmp_path)
    with pytest.raises(ValueError, match="needs 1 opponent, not 2"):
        train(settings(opponents=["random", "random"]), tmp_path)
    assert sb3.build(settings(games=3, moves=7, minibatch=20), KUHN).batch_size == 7


@pytest.mark.slow
def test_many_actions_do_not_break_the_distribution(tmp_path):
    """363 actions, a hundred thousand decisions: no rounding error stops training."""
    game = configure("cockroach_poker", num_players=6)
    assert len(game.actions) >= 363
    chosen = settings(
        game={"name": "cockroach_poker", "num_players": 6}, games=256, moves=32, minibatch=2048,
        total_decisions=100_000, layers=[64, 64], evaluate_every=100_000, evaluate_games=60,
        epochs=2,
    )  # fmt: skip
    assert train(chosen, tmp_path).decisions >= 100_000
