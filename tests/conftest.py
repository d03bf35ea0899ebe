import hypothesis
import numba
import pytest
from playing import ALL_VARIANTS, label

from backroom.envs import GAMES

hypothesis.settings.register_profile("compiled", max_examples=100, deadline=None)
hypothesis.settings.register_profile("plain", max_examples=10, deadline=None)
hypothesis.settings.load_profile("plain" if numba.config.DISABLE_JIT else "compiled")


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def rules(request):
    return request.param


@pytest.fixture(params=ALL_VARIANTS, ids=label)
def game(request):
    """Each game with each option changed in turn."""
    return request.param


@pytest.fixture
def default_game(rules):
    return rules.configure()
