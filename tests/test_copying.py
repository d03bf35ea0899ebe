"""Rows of fixed length that kernels copy."""

import numpy as np
import pytest

from backroom.envs.engine.copying import row_copy
from backroom.envs.engine.jit import jit

copy_five = row_copy(5)


@jit(cache=False)
def copied(cells, at, rows, k):
    copy_five(cells, at, rows[k])


@pytest.mark.parametrize("at", [0, 2, 6])
def test_a_row_is_copied_and_nothing_else(at):
    rows = np.arange(1, 22, dtype=np.int8).reshape(3, 7)
    cells = np.full(11, -1, np.int8)
    copied(cells, at, rows, 1)
    assert cells.tolist() == [-1] * at + [8, 9, 10, 11, 12] + [-1] * (6 - at)
    assert rows.tolist() == np.arange(1, 22).reshape(3, 7).tolist()
