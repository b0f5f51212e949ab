"""What a call returned: its kind in words, its numbers, and whether it is made anew each time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from attnkit.rules import Array
from attnkit.value import Value

OTHER_ARRAYS = {
    "O": "array of objects",
    "c": "array of complex numbers",
    "U": "array of text",
    "S": "array of text",
}


@contextlib.contextmanager
def overwritten(result: Any) -> Iterator[None]:
    """Overwrite an array that was returned, for a while: one that is returned again shows."""
    if not _is_table(result):
        yield
        return
    frozen = _unlocked(result)
    before = result.copy()
    try:
        spoil(result)
        yield
    finally:
        if result.flags.writeable:
            result[...] = before
        for one in frozen:
            one.flags.writeable = False


def spoil(array: Any) -> None:
    """Overwrite the numbers of an array; neither a lock nor a `fill` of its own keeps them."""
    if _is_table(array):
        _unlocked(array)
        if array.flags.writeable:
            np.ndarray.fill(array, np.nan if array.dtype.kind == "f" else 77)


def _unlocked(array: Array) -> list[Array]:
    """Return the arrays that had to be made writeable so that this one is."""
    owners: list[Any] = [array]
    while isinstance(owners[-1], np.ndarray):
        owners.append(owners[-1].base)
    frozen = [one for one in reversed(owners[:-1]) if not one.flags.writeable]
    for one in frozen:
        with contextlib.suppress(ValueError):  # its memory is not NumPy's to write to
            one.flags.writeable = True
    return [one for one in reversed(frozen) if one.flags.writeable]


def _is_table(array: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype.kind in "iuf"


def type_name(result: Any) -> str:
    """Return the name of the type of a result; a name of ours is not borrowed.

    An array of no numbers has a name of its own.
    """
    name = type(result).__name__
    if isinstance(result, np.ndarray) and result.dtype.kind not in "biuf":
        return OTHER_ARRAYS.get(result.dtype.kind, "array of no numbers")
    is_borrowed = name in ("ndarray", "Value") and not isinstance(result, np.ndarray | Value)
    return f"another {name}" if is_borrowed else name


def numbers(result: Any) -> Any:
    """Return a copy of the numbers in `result`, or None where it holds something else."""
    try:
        array = np.array(result.data if isinstance(result, Value) else result)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "biuf" else None
