"""How a hidden check compares: shape before values, no broadcasting, NaN never equal.

Numbers are close where `abs(error) <= 1e-9 + 1e-7 * abs(wanted)`; gradients where it is at
most `1e-6 + 1e-6 * abs(wanted)`. Each function returns nothing or raises `CheckFailure` with
a message that shows one entry, never the table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.checks.interface import CheckFailure, Reply


def shape(reply: Reply, wanted: tuple[int, ...], of: str) -> np.ndarray:
    """Return the output as float64, if it is a table of numbers with the wanted shape."""
    output = reply.output
    if reply.type_name == "NoneType":
        raise CheckFailure(f"{of} is None: a return is missing")
    if not isinstance(output, np.ndarray) or output.dtype.kind not in "iuf":
        raise CheckFailure(f"{of} is {_kind(reply)}, wanted a table of numbers {wanted}")
    if output.shape != wanted:
        raise CheckFailure(f"{of} has shape {output.shape}, wanted {wanted}")
    return output.astype(np.float64)


def values(reply: Reply, wanted: np.ndarray, of: str) -> None:
    """Compare the output with the wanted numbers."""
    output = shape(reply, wanted.shape, of)
    _close(output, wanted, 1e-9 + 1e-7 * np.abs(wanted), of)


def gradient(reply: Reply, wanted: Sequence[np.ndarray], sources: Sequence[str]) -> None:
    """Compare the gradient of each source with the wanted one."""
    for name, got, right in zip(sources, reply.grads, wanted, strict=True):
        if got is None:
            raise CheckFailure(
                f"no gradient reaches {name}: on the way from the result back to {name} the "
                "numbers left the graph (.data, plain numbers, or a new Value)"
            )
        if got.shape != right.shape:
            raise CheckFailure(
                f"the gradient of {name} has shape {got.shape}, wanted {right.shape}: "
                f"something changed {name} in place"
            )
        tolerance = 1e-6 + 1e-6 * np.abs(right)
        _close(got.astype(np.float64), right, tolerance, f"the gradient of {name}")


def untouched(reply: Reply, handed: Sequence[np.ndarray], names: Sequence[str]) -> None:
    """Compare the arguments after the call with what was handed over."""
    for name, before, after in zip(names, handed, reply.arguments, strict=True):
        if not np.array_equal(before, after):
            raise CheckFailure(
                f"{name} was changed in place: it belongs to the caller, so make a new Value "
                f"instead of writing into {name}"
            )


def _close(got: np.ndarray, wanted: np.ndarray, tolerance: np.ndarray, of: str) -> None:
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(got - wanted) <= tolerance)
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise CheckFailure(
            f"{wrong.sum()} of {wrong.size} entries of {of} are not right; at {list(where)} it is "
            f"{got[where]:.4g}, wanted {wanted[where]:.4g}"
        )


def _kind(reply: Reply) -> str:
    if isinstance(reply.output, np.ndarray) and reply.output.dtype == bool:
        return "True and False"
    return f"of type {reply.type_name}"
