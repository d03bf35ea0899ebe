"""Records are asked for before they are played.

Rules jump about in a record. With thousands of games it lies in no near cache, and each jump would
be waited for. So while a game is played the records of those after it are on their way. Numba has
no word for that: the instruction is written as LLVM has it. It waits for nothing and cannot fail.

A large record can say what of it a move and a look at it need, in two fields, both bytes:
`shared_bytes`, from its start, and `seat_bytes`: behind those lies so much for each seat in turn,
of which only the part of the player to move is asked for. The rest is waited for if it is needed.
"""

from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from .game import CACHE_LINE, State
from .jit import COMPILED, jit

SHARED_AHEAD, SEAT_AHEAD = 6, 2
"""So many games before its turn a record is asked for; and the mover's part of it, as who that is
must have come first."""
READ, SECOND_CACHE, DATA = 0, 2, 1
"""What the instruction is told. A record is played, looked at and asked for legal actions with many
others in between: in the first cache it would only be in the way."""


def _declare_ask(context: Any, states: Any, i: Any, start: Any, size: Any) -> Any:
    """Ask for `size` bytes of `states[i]` from `start` on, line by line."""
    number, flag, byte = ir.IntType(64), ir.IntType(32), ir.IntType(8)
    tools = cast(Any, cgutils)

    def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = target.make_array(signature.args[0])(target, builder, arguments[0])
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), flag, flag, flag])
        ask = tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        record = builder.mul(arguments[1], builder.extract_value(array.strides, 0))
        first = builder.bitcast(array.data, byte.as_pointer())
        first = builder.gep(first, [builder.add(record, arguments[2])])
        lines = builder.add(arguments[3], number(CACHE_LINE - 1))
        with tools.for_range(builder, builder.sdiv(lines, number(CACHE_LINE))) as loop:
            line = builder.gep(first, [builder.mul(loop.index, number(CACHE_LINE))])
            builder.call(ask, [line, flag(READ), flag(SECOND_CACHE), flag(DATA)])
        return target.get_dummy_value()

    return types.none(states, types.intp, types.intp, types.intp), build


_ask: Any = intrinsic(_declare_ask)


def parts(state: State) -> tuple[int, int]:
    """`shared_bytes` and `seat_bytes`; for a record without them, all of it and nothing."""
    if "shared_bytes" in state.dtype.fields:
        return int(state.shared_bytes), int(state.seat_bytes)
    return state.dtype.itemsize, 0


@overload(parts)
def _parts(state):  # type: ignore[no-untyped-def]
    if "shared_bytes" in state.fields:
        return lambda state: (int(state.shared_bytes), int(state.seat_bytes))
    size = state.size
    return lambda state: (size, 0)


@jit
def fetch_ahead(states: np.ndarray, i: int) -> None:
    """Ask for what comes after `states[i]`; in plain Python, nothing."""
    if not COMPILED:
        return
    last = states.shape[0] - 1
    shared, own = parts(states[i])  # the same in all games
    _ask(states, min(i + SHARED_AHEAD, last), 0, shared)
    soon = min(i + SEAT_AHEAD, last)
    if own > 0 and states[soon].player >= 0:
        _ask(states, soon, shared + int(states[soon].player) * own, own)
