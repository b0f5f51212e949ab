"""How a hidden check compares: shape before values, no broadcasting, NaN never equal.

Numbers are close where `abs(error) <= 1e-9 + 1e-7 * abs(wanted)`; gradients where it is at
most `1e-6 + 1e-6 * abs(wanted)`. Each function returns nothing or raises `CheckFailure` with
a message that shows one entry, never the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from attnkit.patterns import pattern, unequal

from grader.checks.interface import CheckFailure, Reply


def shape(reply: Reply, wanted: tuple[int, ...], of: str) -> np.ndarray:
    """Return the output as float64, if it is a table of numbers with the wanted shape."""
    output = reply.output
    if reply.type_name == "NoneType":
        raise CheckFailure(f"{of} is None: a return is missing")
    if not isinstance(output, np.ndarray) or output.dtype.kind not in "iuf":
        raise CheckFailure(f"{of} {_kind(reply)}, wanted a table of numbers {wanted}")
    if output.shape != wanted:
        raise CheckFailure(f"{of} has shape {output.shape}, wanted {wanted}")
    return output.astype(np.float64)


def values(reply: Reply, wanted: np.ndarray, of: str) -> None:
    """Compare the output with the wanted numbers."""
    output = shape(reply, wanted.shape, of)
    _close(output, wanted, 1e-9 + 1e-7 * np.abs(wanted), of)


def right(reply: Reply, wanted: np.ndarray) -> bool:
    """Return whether the output holds the wanted numbers: wrong ones cost their own check alone."""
    try:
        values(reply, wanted, "")
    except CheckFailure:
        return False
    return True


def gradient(
    reply: Reply, upstream: np.ndarray, wanted: Sequence[np.ndarray], sources: Sequence[str]
) -> None:
    """Compare the gradient of each source with the wanted one, for `upstream` sent backward."""
    shape(reply, upstream.shape, "the result")
    for name, got, right in zip(sources, reply.grads, wanted, strict=True):
        if got is None:
            raise CheckFailure(f"no gradient reaches {name}: {_why_none(reply, name)}")
        if got.shape != right.shape:
            raise CheckFailure(
                f"the gradient of {name} has shape {got.shape}, wanted {right.shape}: "
                f"something changed {name} in place"
            )
        tolerance = 1e-6 + 1e-6 * np.abs(right)
        hint = f"; if the values are right, look for .data between {name} and the result"
        _close(got.astype(np.float64), right, tolerance, f"the gradient of {name}", hint)


def slopes(
    function: Callable[..., np.ndarray], arrays: Sequence[np.ndarray], upstream: np.ndarray
) -> list[np.ndarray]:
    """Return how fast `sum(upstream * function(*arrays))` grows with each number.

    By complex steps: the imaginary part of f(x + ih) / h is f'(x), with no rounding error
    (Squire and Trapp 1998, SIAM Review 40).
    """
    step, found = 1e-30, [np.zeros(array.shape) for array in arrays]
    for source, slope in enumerate(found):
        for entry in np.ndindex(slope.shape):
            nudged = [array.astype(complex) for array in arrays]
            nudged[source][entry] += step * 1j
            slope[entry] = (upstream * function(*nudged)).sum().imag / step
    return found


def computed(first: Reply, again: Reply, other: Reply, names: Sequence[str]) -> None:
    """Compare three results: of inputs, of the same inputs again, and of other inputs.

    A constant, nan, random numbers and an argument that comes back as it is are no results.
    """
    given = " and ".join(names)
    of, same, different = (_stacked(reply.output) for reply in (first, again, other))
    if of.dtype.kind not in "iuf" or not np.isfinite(of).all():
        raise CheckFailure(f"the result holds no finite numbers: nothing was computed from {given}")
    if np.array_equal(of, different):
        raise CheckFailure(f"the result is the same whatever {given} hold: nothing was computed")
    if of.shape != same.shape or not np.allclose(of, same):
        raise CheckFailure(f"two calls with the same {given} give different results")
    for name, argument in zip(names, first.arguments, strict=True):
        if np.array_equal(of, argument):
            raise CheckFailure(f"the result is {name} itself: nothing was computed from it yet")


def untouched(reply: Reply, handed: Sequence[np.ndarray], names: Sequence[str]) -> None:
    """Compare the arguments after the call with what was handed over.

    A result that is one number everywhere leaves them as they are, too, and earns nothing.
    """
    output = reply.output
    if isinstance(output, np.ndarray) and output.size > 1 and (output == output.flat[0]).all():
        raise CheckFailure(
            f"every entry of the result is {output.flat[0]:.10g}: nothing was computed from "
            f"{' and '.join(names)} yet"
        )
    for name, before, after in zip(names, handed, reply.arguments, strict=True):
        if not np.array_equal(before, after):
            raise CheckFailure(
                f"{name} was changed in place: it belongs to the caller, so make a new Value "
                f"instead of writing into {name}"
            )


def _close(
    got: np.ndarray, wanted: np.ndarray, tolerance: np.ndarray, of: str, hint: str = ""
) -> None:
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(got - wanted) <= tolerance)
    if wrong.any():
        where = tuple(int(i) for i in np.argwhere(wrong)[0])
        seen = pattern(got, wanted)
        raise CheckFailure(
            f"{of}: {wrong.sum()} of {wrong.size} entries are not right; {list(where)} is "
            f"{unequal(got[where], wanted[where])}{'; ' * bool(seen)}{seen}{hint}"
        )


def _stacked(output: Any) -> np.ndarray:
    """Return a result as one array, also where it is a list of rows; text where it has none."""
    rows = isinstance(output, tuple) and len({np.shape(one) for one in output}) == 1
    return np.array(output) if rows or isinstance(output, np.ndarray) else np.array("")


def _kind(reply: Reply) -> str:
    if isinstance(reply.output, np.ndarray) and reply.output.dtype == bool:
        return "holds True and False"
    return f"is of type {reply.type_name}"


def _why_none(reply: Reply, name: str) -> str:
    if reply.type_name != "Value":
        return f"{reply.type_name} came back, and only a Value knows how it was made"
    return (
        f"on the way from {name} to the result the numbers left the graph "
        "(.data, plain numbers, or a new Value)"
    )
