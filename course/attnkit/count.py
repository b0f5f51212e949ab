"""What a computation costs: `with counting() as counted:` notes every operation on Values.

Counted are the multiplications behind a result, and the bytes of the result.

- `a @ b`, np.dot and np.einsum: one for each product of two numbers.
- `a * b` and np.square: one for each entry.
- All else, such as a sum, a division, a power or exp: none.
- A result takes 8 bytes an entry; a view of an array that is there, such as a slice, takes none.

Not seen are work on plain arrays, `Value(…)` and `Value.from_rule`, what a rule keeps for later,
and `backward`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from attnkit import value
from attnkit.einsum import indices
from attnkit.rules import Array
from attnkit.value import Value


class Operation(NamedTuple):
    """One operation: its NumPy name, the shape of its result, and what the result took."""

    name: str
    shape: tuple[int, ...]
    multiplications: int
    bytes: int


class Counted:
    """The operations of a block in order; printed, it is a table of them with their sums."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []

    @property
    def multiplications(self) -> int:
        """The multiplications of all operations."""
        return sum(one.multiplications for one in self.operations)

    @property
    def bytes(self) -> int:
        """The bytes of all results; they stay as long as the graph does."""
        return sum(one.bytes for one in self.operations)

    def __str__(self) -> str:
        rows = [(one.name, str(one.shape), *one[2:]) for one in self.operations]
        rows.append(("together", "", self.multiplications, self.bytes))
        head = f"{'operation':<11} {'result':<12} {'multiplications':>15} {'bytes':>11}"
        return "\n".join([head, *(f"{a:<11} {b:<12} {c:>15,} {d:>11,}" for a, b, c, d in rows)])


@contextmanager
def counting() -> Iterator[Counted]:
    """Yield the count of the operations on Values from here to the end of the block.

    A block may stand within another: each counts all that happens in it.

    >>> with counting() as counted:
    ...     y = Value(np.ones((3, 2))) @ np.ones((2, 4))
    >>> counted.operations[0].shape
    (3, 4)
    """
    counted, make = Counted(), value._node

    def make_and_note(function: Any, args: Any, **options: Any) -> Value:
        result = make(function, args, **options)
        counted.operations.append(_operation(function, args, result.data))
        return result

    value._node = make_and_note
    try:
        yield counted
    finally:
        value._node = make


def _operation(function: Any, args: Sequence[Any], data: Array) -> Operation:
    arrays = [one.data if isinstance(one, Value) else one for one in args]
    sources = [one for one in arrays if isinstance(one, np.ndarray)]
    is_view = any(np.may_share_memory(data, one) for one in sources)
    number = _multiplications(function, args, data.size)
    return Operation(function.__name__, data.shape, number, 0 if is_view else data.nbytes)


def _multiplications(function: Any, args: Sequence[Any], entries: int) -> int:
    if function in (np.matmul, np.dot):
        return entries * np.shape(args[0])[-1]
    if function in (np.multiply, np.square):
        return entries
    return _of_einsum(*args) if function is np.einsum else 0


def _of_einsum(spec: str, *operands: Any) -> int:
    """Return one less than the operands for each setting of all indices: the plain nested loop."""
    lengths: dict[str, int] = {}
    for names, operand in zip(indices(spec, operands)[0], operands, strict=True):
        for name, length in zip(names, np.shape(operand), strict=True):
            lengths[name] = max(length, lengths.get(name, 1))
    return math.prod(lengths.values()) * (len(operands) - 1)
