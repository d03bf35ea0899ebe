"""Large records are read ahead before they are played.

Rules jump about in a record. With thousands of games it lies in no near cache, and each jump is
waited for; read through in order first, it is a stream that the processor fetches ahead of time.
Numba has no such operation, so the loop is written as LLVM has it.
"""

from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import COMPILED

CACHE_LINE, LARGE = 64, 2048
"""Bytes that a processor fetches at once; bytes of a record that is worth reading ahead."""


def _declare_fetch(context: Any, states: Any, i: Any) -> Any:
    """A loop that adds up a byte of each cache line of `states[i]`; nothing is done with it."""
    number, byte, tools = ir.IntType(64), ir.IntType(8), cast(Any, cgutils)

    def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if states.dtype.size < LARGE:
            return target.get_dummy_value()
        array = target.make_array(signature.args[0])(target, builder, arguments[0])
        size = builder.extract_value(array.strides, 0)
        lines = builder.sdiv(builder.add(size, number(CACHE_LINE - 1)), number(CACHE_LINE))
        first = builder.bitcast(array.data, byte.as_pointer())
        first = builder.gep(first, [builder.mul(arguments[1], size)])
        total = tools.alloca_once_value(builder, number(0))
        with tools.for_range(builder, lines) as loop:
            line = builder.gep(first, [builder.mul(loop.index, number(CACHE_LINE))])
            value = builder.zext(builder.load(line), number)
            builder.store(builder.add(builder.load(total), value), total)
        kept = ir.FunctionType(ir.VoidType(), [number])  # no instruction: the sum is only asked for
        builder.asm(kept, "", "r", [builder.load(total)], True)
        return target.get_dummy_value()

    return types.none(states, types.intp), build


def _fetch_plain(states: np.ndarray, i: int) -> None:
    pass


fetch: Any = intrinsic(_declare_fetch) if COMPILED else _fetch_plain
"""Read through the record `states[i]`, in order, if it is LARGE; in plain Python, nothing."""
