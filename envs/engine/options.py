"""The values of options: what texts stand for, which there are, and what is said of others."""

from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from .names import unknown


def parsed(value: Any, annotation: Any) -> Any:
    """Text for an option of several values as a list, and "none" where nothing is a value.

    >>> parsed("1, 5", tuple[int, ...]), parsed("none", tuple[int, ...] | None)
    (['1', '5'], None)
    >>> parsed("all", Literal["all"] | tuple[str, ...])
    'all'
    """
    if not isinstance(value, str):
        return value
    kinds = option_types(annotation)
    if type(None) in kinds and value.strip().lower() == "none":
        return None
    words = {word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)}
    if value in words or all(get_origin(kind) is not tuple for kind in kinds):
        return value
    parts = (part.strip().strip("'\"") for part in value.strip().strip("()[]").split(","))
    return [part for part in parts if part]


def check_words(what: str, value: Any, annotation: Any) -> None:
    """Words that are none of an option's words get a sentence that lists those.

    Raises:
        ValueError: if `value` is text, or holds text, that the option does not know.
    """
    kinds = option_types(annotation)
    several = isinstance(value, list | tuple)
    if several:
        inner = [get_args(kind)[0] for kind in kinds if get_origin(kind) is tuple]
        kinds = [kind for part in inner for kind in option_types(part)]
    words = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    if not words or not all(get_origin(kind) in (Literal, tuple) for kind in kinds):
        return
    for word in value if several else (value,):
        if isinstance(word, str) and word not in words:
            raise ValueError(f"{what}: {unknown('value', word, words)}")


def option_types(annotation: Any) -> list[Any]:
    """The types that an annotation stands for: without `Annotated`, unions taken apart.

    >>> option_types(Annotated[Annotated[int, "some"] | None, "more"])
    [<class 'int'>, <class 'NoneType'>]
    """
    if get_origin(annotation) is Annotated:
        return option_types(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return [kind for part in get_args(annotation) for kind in option_types(part)]
    return [annotation]


def value_range(annotation: Any) -> str:
    """The values that an option of this type takes, in words.

    >>> value_range(Literal["all"] | tuple[bool, ...])
    '`all`; or each `true`, `false`'
    >>> value_range(Literal["a", "b"])
    '`a`, `b`'
    >>> value_range(tuple[bool, ...] | None)
    'each `true`, `false`; or `none`'
    >>> value_range(Annotated[tuple[bool, ...], msgspec.Meta(min_length=1, max_length=3)])
    '1 to 3 values, each `true`, `false`'
    """
    if get_origin(annotation) in (Union, UnionType):
        kinds = sorted(get_args(annotation), key=lambda kind: kind is type(None))
        return "; or ".join("`none`" if k is type(None) else value_range(k) for k in kinds)
    if get_origin(annotation) is tuple:
        return f"each {value_range(get_args(annotation)[0])}"
    if annotation is bool:
        return "`true`, `false`"
    if get_origin(annotation) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(annotation))
    base, *metas = get_args(annotation) or (annotation,)
    limits = next((m for m in metas if isinstance(m, msgspec.Meta)), msgspec.Meta())
    if limits.ge is not None and limits.le is not None:
        return f"{limits.ge} to {limits.le}"
    if limits.ge is not None:
        return f"at least {limits.ge}"
    if limits.min_length is not None and limits.max_length is not None:
        ends = dict.fromkeys((limits.min_length, limits.max_length))
        return f"{' to '.join(map(str, ends))} values, {value_range(base)}"
    return value_range(base) if metas else getattr(base, "__name__", str(base))


def refusal(option: str, text: str, annotation: Any) -> str:
    """What is said of a value, as text, that an option of this type does not take.

    >>> refusal("seats", "9", Annotated[int, msgspec.Meta(ge=2, le=6)])
    'option seats takes 2 to 6, not 9'
    """
    values = value_range(annotation).replace("`", "")
    return f"option {option} takes {values}, not {text}"
