"""Arrays whose owners nobody counts.

Numba counts who holds an array: each row of it that a kernel passes on is counted up and down, with
a locked operation each. Of short moves that is a seventh of the time. But what calls a kernel holds
its arguments until it returns, so it may as well only borrow them.
"""

from typing import Any, cast

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import COMPILED


def _declare_borrowed(context: Any, held: Any) -> Any:
    """The same array, or tuple of arrays, with nothing to count in: what has no owner is passed."""

    def lend(target: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            for i, part in enumerate(cast(Any, kind)):
                lent = lend(target, builder, part, builder.extract_value(value, i))
                value = builder.insert_value(value, lent, i)
            return value
        array = target.make_array(kind)(target, builder, value)
        array.meminfo = cast(Any, cgutils).get_null_value(array.meminfo.type)
        return array._getvalue()

    def build(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return lend(target, builder, signature.args[0], arguments[0])

    return held(held), build


def _borrow_plain(held: Any) -> Any:
    return held


borrowed: Any = intrinsic(_declare_borrowed) if COMPILED else _borrow_plain
"""In a kernel: an argument of its own, an array or a tuple of arrays, that it does not keep."""
