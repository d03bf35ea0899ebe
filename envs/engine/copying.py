"""Rows of cells are copied without memory of their own; short ones of a known length in one go."""

from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import COMPILED, jit


@jit
def copy_cells(cells: np.ndarray, source: np.ndarray) -> None:
    """Copy all of `source` into the first of `cells`; both have one dimension.

    An assignment of a whole array first allocates memory, in case the two overlap.
    """
    for i in range(source.size):
        cells[i] = source[i]


def row_copy(length: int) -> Any:
    """A function that kernels can call: `copy(cells, at, row)`, both int8[>= length] in one piece.

    A loop of few steps that might write on what it reads next is compiled byte by byte. Numba has
    no word for a copy of fixed size, so it is written as LLVM has it: two or three instructions.

    It writes the first `length` of `row` into `cells` from `at` on. Nothing is checked: there must
    be room, and the two must not overlap.
    """

    def declare(context: Any, cells: Any, at: Any, row: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            to, source = (
                target.make_array(signature.args[k])(target, builder, arguments[k]).data
                for k in (0, 2)
            )
            size = ir.Constant(ir.IntType(64), length)
            cast(Any, cgutils).raw_memcpy(builder, builder.gep(to, [arguments[1]]), source, size, 1)
            return target.get_dummy_value()

        return types.none(cells, types.intp, row), build

    def copy_plain(cells: np.ndarray, at: int, row: np.ndarray) -> None:
        cells[at : at + length] = row[:length]

    return intrinsic(declare) if COMPILED else copy_plain
