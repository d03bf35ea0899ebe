"""Policy networks: what they compute, how they draw, and which files they refuse."""

import json
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from safetensors.numpy import save_file

from backroom.agents import load
from backroom.agents.base import sample
from backroom.agents.neural import NeuralAgent, Policy, cells, read, save, softmax
from backroom.envs import configure, make_batch

KUHN = configure("kuhn")
COCKROACH = configure("cockroach_poker")


def random_policy(game, seed=0, layers=(8, 6), activation="relu", parts=None, step=0):
    noise = np.random.default_rng(seed)
    parts = parts or tuple(part.name for part in game.facts.parts)
    sizes = [len(cells(game, parts)), *layers]
    weights = {}
    for i, (before, after) in enumerate(pairwise(sizes)):
        weights[f"hidden.{i}.weight"] = noise.normal(size=(after, before))
        weights[f"hidden.{i}.bias"] = noise.normal(size=after)
    for name, size in (("policy", len(game.actions)), ("value", 1)):
        weights[f"{name}.weight"] = noise.normal(size=(size, sizes[-1]))
        weights[f"{name}.bias"] = noise.normal(size=size)
    weights = {name: array.astype(np.float32) for name, array in weights.items()}
    return Policy(game, parts, activation, weights, step)


def positions(game, games=40, moves=25, seed=0):
    """Observations, masks and movers of games in which random moves were made."""
    batch, player = make_batch(game, games, seed=seed), load("random", game, seed)
    for _ in range(moves):
        batch.step(player.act(batch.observations, batch.masks, batch.players))
    return batch.observations.copy(), batch.masks.copy(), batch.players.astype(np.int64)


def by_hand(policy, observation):
    """Logits and value of one observation: a network as a textbook has it, number by number."""
    x = []
    for part in policy.game.facts.parts:
        if part.name in policy.parts:
            x += [v / part.high for v in policy.game.parts(observation)[part.name].ravel().tolist()]
    bend = np.tanh if policy.activation == "tanh" else (lambda v: max(v, 0.0))
    w = policy.weights

    def layer(name, x):
        rows, bias = w[f"{name}.weight"].tolist(), w[f"{name}.bias"].tolist()
        return [
            sum(a * b for a, b in zip(r, x, strict=True)) + c
            for r, c in zip(rows, bias, strict=True)
        ]

    for i in range(policy.layers):
        x = [float(bend(v)) for v in layer(f"hidden.{i}", x)]
    return layer("policy", x), layer("value", x)[0]


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("parts", [None, ("hand", "tally", "chain_claim")])
def test_it_computes_what_a_textbook_network_does(backend, activation, parts):
    policy = random_policy(COCKROACH, 3, activation=activation, parts=parts)
    agent = NeuralAgent(COCKROACH, policy, backend=backend)
    observations, masks, players = positions(COCKROACH, 6)
    shares, values = agent.probabilities(observations, masks, players), agent.value(observations)
    assert shares.shape == masks.shape and shares.dtype == np.float32
    for i, observation in enumerate(observations):
        logits, value = by_hand(policy, observation)
        own = np.where(masks[i], np.exp(np.array(logits) - max(logits)), 0)
        assert shares[i] == pytest.approx(own / own.sum(), abs=1e-4)
        assert values[i] == pytest.approx(value, rel=1e-3, abs=1e-4)


def test_scaled_inputs_are_at_most_one():
    """Cells that count up to 8 and more weigh as much as cells that are 0 or 1."""
    high = COCKROACH.observation_bounds[1]
    assert high.max() > 1
    policy = random_policy(COCKROACH, layers=(1,))
    policy.weights["hidden.0.weight"][:] = 1
    policy.weights["hidden.0.bias"][:] = 0
    policy.weights["value.weight"][:] = 1
    policy.weights["value.bias"][:] = 0
    agent = NeuralAgent(COCKROACH, policy)
    assert agent.value(high[None]) == pytest.approx(COCKROACH.observation_size, rel=1e-5)


def test_draws_follow_the_probabilities_and_never_an_illegal_action():
    agent = NeuralAgent(KUHN, random_policy(KUHN, 1), seed=4)
    observation, mask, player = positions(KUHN, 1, 1)
    many = 20_000
    actions = agent.act(*(np.repeat(array, many, axis=0) for array in (observation, mask, player)))
    assert actions.dtype == np.int64
    shares = agent.probabilities(observation, mask, player)[0]
    assert np.bincount(actions, minlength=2) / many == pytest.approx(shares, abs=0.015)

    agent = NeuralAgent(COCKROACH, random_policy(COCKROACH, 1), seed=4)
    batch = make_batch(COCKROACH, 25)
    for _ in range(40):
        actions = agent.act(batch.observations, batch.masks, batch.players)
        assert batch.masks[np.arange(25), actions].all()
        batch.step(actions)


def test_the_last_number_that_can_be_drawn_still_gives_a_legal_action():
    class Extreme:
        def __init__(self, value):
            self.value = value

        def random(self, shape):
            return np.full(shape, self.value)

    shares = np.array([[0, 0.1, 0.2, 0, 0.7, 0, 0]], np.float32)
    assert sample(shares, Extreme(0.0)) == 1
    assert sample(shares, Extreme(1 - 2**-53)) == 4
    thirds = np.array([[1 / 3, 1 / 3, 1 / 3, 0]], np.float32)  # their sum is not quite 1
    assert sample(thirds, Extreme(1 - 2**-53)) == 2


def test_temperature():
    logits, masks = np.array([[1.0, 3.0, 9.0]], np.float32), np.array([[True, True, False]])
    odds = [softmax(logits, masks, t)[0, 1] / softmax(logits, masks, t)[0, 0] for t in (0.5, 1, 2)]
    assert odds == pytest.approx([np.exp(4), np.exp(2), np.exp(1)], rel=1e-5)
    assert softmax(logits, masks, 0).tolist() == [[0, 1, 0]]
    agent = NeuralAgent(COCKROACH, random_policy(COCKROACH), temperature=0)
    observations, masks, players = positions(COCKROACH)
    first = agent.act(observations, masks, players)
    assert (agent.act(observations, masks, players) == first).all()
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="temperature"):
            NeuralAgent(KUHN, random_policy(KUHN), temperature=wrong)


def test_the_same_seed_plays_the_same():
    policy, seen = random_policy(COCKROACH), positions(COCKROACH)
    agents = [NeuralAgent(COCKROACH, policy, seed) for seed in (1, 1, 2)]
    first, second, other = (agent.act(*seen).tolist() for agent in agents)
    assert first == second != other
    agents[2].seed(1)
    assert agents[2].act(*seen).tolist() == first


def test_a_file_holds_all_that_is_needed(tmp_path):
    game = configure("cockroach_poker", num_players=4)
    policy = random_policy(game, activation="tanh", parts=("faceup", "hand"), step=123)
    folder = tmp_path / "four"
    folder.mkdir()
    save(folder / "policy.safetensors", policy)
    again = read(folder / "policy.safetensors")
    assert again.game is game
    assert again[1:3] == policy[1:3]
    assert again.step == 123
    assert all((again.weights[name] == array).all() for name, array in policy.weights.items())
    agent = load(str(folder / "policy.safetensors"), game, 7)
    assert isinstance(agent, NeuralAgent)
    assert agent.name == "four"
    seen = positions(game)
    assert (agent.act(*seen) == NeuralAgent(game, policy, 7).act(*seen)).all()


def test_other_options_are_played_if_actions_and_inputs_are_the_same(tmp_path):
    path = tmp_path / "p.safetensors"
    save(path, random_policy(COCKROACH))
    fewer = configure("cockroach_poker", cards_per_player=10, all_kinds=False)
    agent = load(str(path), fewer)
    batch = make_batch(fewer, 20)
    for _ in range(30):
        batch.step(agent.act(batch.observations, batch.masks, batch.players))
    with pytest.raises(ValueError, match=r"play cockroach_poker only with num_players=3$"):
        load(str(path), configure("cockroach_poker", num_players=4))
    with pytest.raises(ValueError, match="play cockroach_poker, not kuhn"):
        load(str(path), KUHN)


def test_only_the_parts_that_are_read_must_be_the_same():
    trained = configure("the_gang", turns_per_round=2)
    played = configure("the_gang", turns_per_round=3)
    with pytest.raises(ValueError, match=r"play the_gang only with turns_per_round=2$"):
        NeuralAgent(played, random_policy(trained))
    policy = random_policy(trained, parts=("hole", "board", "chips"))
    agent = NeuralAgent(played, policy)
    seen = positions(played, 5, 4)
    where = cells(played, policy.parts)
    own = np.zeros((5, trained.observation_size), np.int8)
    own[:, cells(trained, policy.parts)] = seen[0][:, where]
    expected = NeuralAgent(trained, policy).probabilities(own, *seen[1:])
    assert agent.probabilities(*seen) == pytest.approx(expected, abs=1e-6)


def test_parts_that_are_not_there_are_refused():
    for parts in (("card", "card"), ()):
        with pytest.raises(ValueError, match="parts are some of seat, card, history"):
            cells(KUHN, parts)
    with pytest.raises(ValueError, match=r"^kuhn: there is no part 'cart' .did you mean card"):
        cells(KUHN, ("seat", "cart"))


def change(path, weights=None, **header):
    """Write the policy file `path` with another header or other weights."""
    policy = random_policy(KUHN)
    save(path, policy)
    from safetensors import safe_open

    with safe_open(path, "numpy") as file:
        known = file.metadata()
    known = {k: v for k, v in {**known, **header}.items() if v is not None}
    save_file({**policy.weights, **(weights or {})}, path, metadata=known)


@pytest.mark.parametrize(
    ("header", "weights", "sentence"),
    [
        ({"format": "2"}, {}, "another format"),
        ({"format": None}, {}, "no policy of this suite"),
        ({"game": "chess"}, {}, "there is no game 'chess'"),
        ({"game": None}, {}, "'game' is missing"),
        ({"version": "9"}, {}, "plays version 9 of kuhn, not kuhn_v0"),
        ({"version": "x"}, {}, "can be played"),
        ({"options": "[]"}, {}, "can be played"),
        ({"options": "{"}, {}, "can be played"),
        ({"options": '{"deck": 3}'}, {}, "no option 'deck'"),
        ({"options": "[" * 100_000}, {}, "can be played"),
        ({"parts": '["seat"]'}, {}, "names or shapes"),
        ({"parts": '["hat"]'}, {}, "no part 'hat'"),
        ({"parts": "7"}, {}, "can be played"),
        ({"layers": "[8]"}, {}, "names or shapes"),
        ({"layers": "[]"}, {}, "no hidden layer"),
        ({"layers": '["a", "b"]'}, {}, "names or shapes"),
        ({"activation": "os.system"}, {}, "no activation"),
        ({"step": "many"}, {}, "can be played"),
        ({}, {"policy.bias": np.zeros(3, np.float32)}, "names or shapes"),
        ({}, {"extra": np.zeros(3, np.float32)}, "names or shapes"),
        ({}, {"policy.bias": np.full(2, np.nan, np.float32)}, "finite"),
        ({}, {"policy.bias": np.zeros(2, np.float64)}, "float32"),
    ],
)
def test_a_foreign_header_gets_a_sentence(tmp_path, header, weights, sentence):
    path = tmp_path / "x.safetensors"
    change(path)
    read(path)
    change(path, weights, **header)
    with pytest.raises(ValueError, match=sentence) as error:
        read(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_damaged_files_get_a_sentence(tmp_path):
    path = tmp_path / "x.safetensors"
    save(path, random_policy(KUHN))
    whole = path.read_bytes()
    for cut in (0, 1, 8, 20, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(ValueError, match="no readable safetensors file"):
            read(path)
    noise = np.random.default_rng(0)
    for _ in range(200):
        broken = bytearray(whole)
        broken[noise.integers(300)] = noise.integers(256)
        path.write_bytes(bytes(broken))
        try:
            read(path)
        except ValueError:
            pass
    path.write_bytes(b"PK\x03\x04 not this")
    with pytest.raises(ValueError, match="no readable safetensors file"):
        load(str(path), KUHN)


def test_header_is_text(tmp_path):
    path = tmp_path / "x.safetensors"
    save(path, random_policy(KUHN, step=5))
    size = int.from_bytes(path.read_bytes()[:8], "little")
    header = json.loads(path.read_bytes()[8 : 8 + size])["__metadata__"]
    assert header == {
        "format": "1",
        "game": "kuhn",
        "version": "0",
        "options": "{}",
        "parts": '["seat", "card", "history"]',
        "layers": "[8, 6]",
        "activation": "relu",
        "step": "5",
    }


def test_it_plays_without_torch(tmp_path):
    save(tmp_path / "x.safetensors", random_policy(KUHN))
    script = f"""
import sys
sys.modules["torch"] = None
from backroom.agents import load
from backroom.envs import make_batch
batch = make_batch("kuhn", 3)
agent = load({str(tmp_path / "x.safetensors")!r}, batch.game)
batch.step(agent.act(batch.observations, batch.masks, batch.players))
"""
    subprocess.run([sys.executable, "-c", script], check=True)
