"""The gradient rules of the kit, in one table.

A rule takes plain arrays, in the order of the NumPy function that it stands for.
It returns the result, then one function for each argument: from the gradient of the result
to the gradient of that argument (None where there is none).
No rule minds broadcasting: `unbroadcast` undoes it for all of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import numpy.typing as npt

from attnkit.einsum import einsum
from attnkit.errors import LOST, instead, type_error, value_error

Array = npt.NDArray[np.float64]
Axis = int | tuple[int, ...] | None
Rule = Callable[..., tuple[Any, ...]]


def unbroadcast(grad: Array, shape: tuple[int, ...]) -> Array:
    """Return `grad` summed over the axes that broadcasting added or stretched."""
    if grad.shape == shape:
        return grad
    extra = grad.ndim - len(shape)
    if extra < 0 or any(n not in (1, m) for n, m in zip(shape, grad.shape[extra:], strict=True)):
        raise value_error(
            f"a gradient rule returned shape {grad.shape}, wanted {shape}: "
            "one number for each entry of the Value it belongs to"
        )
    stretched = (extra + i for i, n in enumerate(shape) if n == 1)
    total: Array = grad.sum((*range(extra), *stretched)).reshape(shape)
    return total


def matmul(a: Array, b: Array) -> tuple[Any, ...]:
    """Return a @ b and its rules; a vector is one row on the left, one column on the right."""
    if a.ndim and b.ndim and a.shape[-1] != b.shape[max(b.ndim - 2, 0)]:
        raise value_error(
            f"a @ b got shapes {a.shape} and {b.shape}, wanted (m, k) and (k, n): the columns of "
            "a must be as many as the rows of b; perhaps one of the two should be transposed"
        )
    rows = a if a.ndim > 1 else a[None, :]
    columns = b if b.ndim > 1 else b[:, None]

    def full(g: Array) -> Array:
        g = g if b.ndim > 1 else g[..., None]
        return g if a.ndim > 1 else g[..., None, :]

    def for_b(g: Array) -> Any:
        grad = rows.swapaxes(-1, -2) @ full(g)
        return grad if b.ndim > 1 else grad[..., 0]

    return a @ b, lambda g: full(g) @ columns.swapaxes(-1, -2), for_b


def dot(a: Array, b: Array) -> tuple[Any, ...]:
    """Return np.dot(a, b) and its rules for vectors and matrices, where it equals a @ b."""
    if {np.ndim(a), np.ndim(b)} <= {1, 2}:
        return matmul(np.asarray(a), np.asarray(b))
    raise value_error(
        f"np.dot got shapes {np.shape(a)} and {np.shape(b)}, wanted vectors or matrices; "
        "write a @ b, or a * b for a single number"
    )


def getitem(a: Array, index: Any) -> tuple[Any, ...]:
    """Return a[index] and its rule: each gradient goes back to the place it was read from."""
    y = a[index]

    def for_a(g: Array) -> Array:
        grad = np.zeros(a.shape)
        if np.may_share_memory(y, a):  # slices: no entry was read twice
            grad[index] = g
        else:
            np.add.at(grad, index, g)
        return grad

    return y, for_a


def sum_(a: Array, axis: Axis = None, *, keepdims: bool = False) -> tuple[Any, ...]:
    """Return the sum over `axis` and its rule: every entry gets the gradient of its sum."""
    y = a.sum(axis, keepdims=True)
    return _kept(y, axis, keepdims), lambda g: np.broadcast_to(g.reshape(y.shape), a.shape)


def mean(a: Array, axis: Axis = None, *, keepdims: bool = False) -> tuple[Any, ...]:
    """Return the mean over `axis` and its rule: every entry gets an equal share."""
    total, for_a = sum_(a, axis, keepdims=keepdims)
    size = a.size / np.size(total)
    return total / size, lambda g: for_a(g / size)


def max_(a: Array, axis: Axis = None, *, keepdims: bool = False) -> tuple[Any, ...]:
    """Return the maximum over `axis` and its rule: the largest entry gets all, equal ones share."""
    y = a.max(axis, keepdims=True)

    def for_a(g: Array) -> Any:
        largest = a == y
        return largest * (g.reshape(y.shape) / largest.sum(axis, keepdims=True))

    return _kept(y, axis, keepdims), for_a


def min_(a: Array, axis: Axis = None, *, keepdims: bool = False) -> tuple[Any, ...]:
    """Return the minimum over `axis` and its rule: the smallest gets all, equal ones share."""
    largest, for_a = max_(-a, axis, keepdims=keepdims)
    return -largest, for_a


def logsumexp(a: Array, axis: Axis = 0, *, keepdims: bool = False) -> tuple[Any, ...]:
    """Return np.logaddexp.reduce(a, axis) and its rule."""
    y = np.logaddexp.reduce(a, axis, keepdims=True)
    return _kept(y, axis, keepdims), lambda g: g.reshape(y.shape) * np.exp(a - y)


def _kept(y: Array, axis: Axis, keepdims: bool) -> Array:
    return y if keepdims else y.squeeze(axis)


def transpose(a: Array, axes: Sequence[int] | None = None) -> tuple[Any, ...]:
    """Return the transpose and its rule: the way back."""
    back = None if axes is None else np.argsort([axis % a.ndim for axis in axes])
    return np.transpose(a, axes), lambda g: np.transpose(g, back)


def stack(arrays: Sequence[Array], axis: int = 0) -> tuple[Any, ...]:
    """Return the arrays side by side along a new axis, and one rule for each."""

    def part(i: int, g: Array) -> Any:
        return np.moveaxis(g, axis, 0)[i]

    return np.stack(arrays, axis), *[partial(part, i) for i in range(len(arrays))]


def concatenate(arrays: Sequence[Array], axis: int = 0) -> tuple[Any, ...]:
    """Return the arrays end to end along `axis`, and one rule for each."""
    ends = np.cumsum([np.shape(a)[axis] for a in arrays])

    def part(end: int, length: int, g: Array) -> Any:
        return g.swapaxes(0, axis)[end - length : end].swapaxes(0, axis)

    parts = [partial(part, end, np.shape(a)[axis]) for end, a in zip(ends, arrays, strict=True)]
    return np.concatenate(arrays, axis), *parts


RULES: dict[Any, Rule] = {
    np.positive: lambda a: (a, lambda g: g),
    np.negative: lambda a: (-a, lambda g: -g),
    np.add: lambda a, b: (a + b, lambda g: g, lambda g: g),
    np.subtract: lambda a, b: (a - b, lambda g: g, lambda g: -g),
    np.multiply: lambda a, b: (a * b, lambda g: g * b, lambda g: g * a),
    np.divide: lambda a, b: (y := a / b, lambda g: g / b, lambda g: y * (g / -b)),
    np.power: lambda a, b: (
        y := a**b,
        lambda g: g * b * a ** np.where(b == 0, 1, b - 1),
        lambda g: g * y * np.log(np.where(a == 0, 1, a)),
    ),
    np.square: lambda a: (a * a, lambda g: g * 2 * a),
    np.sqrt: lambda a: (y := np.sqrt(a), lambda g: g / (2 * y)),
    np.exp: lambda a: (y := np.exp(a), lambda g: g * y),
    np.exp2: lambda a: (y := np.exp2(a), lambda g: g * y * np.log(2)),
    np.log: lambda a: (np.log(a), lambda g: g / a),
    np.tanh: lambda a: (y := np.tanh(a), lambda g: g * (1 - y * y)),
    # Where a and b are equal, each gets half.
    np.maximum: lambda a, b: (
        np.maximum(a, b),
        lambda g: g * ((a > b) + 0.5 * (a == b)),
        lambda g: g * ((b > a) + 0.5 * (a == b)),
    ),
    np.minimum: lambda a, b: (
        np.minimum(a, b),
        lambda g: g * ((a < b) + 0.5 * (a == b)),
        lambda g: g * ((b < a) + 0.5 * (a == b)),
    ),
    np.logaddexp: lambda a, b: (
        y := np.logaddexp(a, b),
        lambda g: g * np.exp(a - y),
        lambda g: g * np.exp(b - y),
    ),
    np.logaddexp.reduce: logsumexp,
    np.matmul: matmul,
    np.dot: dot,
    np.einsum: einsum,
    np.sum: sum_,
    np.mean: mean,
    np.max: max_,
    np.amax: max_,
    np.min: min_,
    np.amin: min_,
    operator.getitem: getitem,
    np.transpose: transpose,
    np.swapaxes: lambda a, axis1, axis2: (
        np.swapaxes(a, axis1, axis2),
        lambda g: np.swapaxes(g, axis1, axis2),
    ),
    np.reshape: lambda a, shape: (np.reshape(a, shape), lambda g: g.reshape(a.shape)),
    np.expand_dims: lambda a, axis: (np.expand_dims(a, axis), lambda g: g.reshape(a.shape)),
    np.broadcast_to: lambda array, shape: (np.broadcast_to(array, shape), lambda g: g),
    np.tril: lambda m, k=0: (np.tril(m, k), lambda g: np.tril(g, k)),
    np.triu: lambda m, k=0: (np.triu(m, k), lambda g: np.triu(g, k)),
    np.where: lambda c, a, b: (
        np.where(c, a, b),
        None,
        lambda g: np.where(c, g, 0),
        lambda g: np.where(c, 0, g),
    ),
    np.stack: stack,
    np.concatenate: concatenate,
    np.vstack: lambda arrays: concatenate([np.atleast_2d(a) for a in arrays]),
    np.hstack: lambda arrays: concatenate(arrays, axis=min(1, np.ndim(arrays[0]) - 1)),
}

# These take their arrays in one list.
LISTED = {np.stack, np.concatenate, np.vstack, np.hstack}

# These answer a question about the numbers, and the answer has no gradient.
PLAIN = {
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.isfinite, np.isinf, np.isnan, np.isclose, np.allclose, np.array_equal),
    *(np.argmax, np.argmin, np.argsort, np.shape, np.ndim, np.size),
    *(np.zeros_like, np.ones_like, np.full_like),
}


def arguments(function: Any, args: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return `args` and `options` as the rule of `function` takes them.

    `TypeError` where there is no rule, or none for such an option.
    """
    name = _name(function)
    if function not in RULES:
        raise type_error(
            f"{name} has no gradient rule here: {LOST}. {instead(function.__name__)}; "
            f"for the numbers alone write {name}(v.data)"
        )
    if "out" in options:
        raise type_error(
            f"{name} cannot write a Value into an array, as array += v and out= ask for: it would "
            "lose the graph, so that no gradient flows back. Write array = array + v"
        )
    taken = signature(RULES[function])
    try:
        bound = taken.bind(*args, **options)
    except TypeError as error:
        wanted = ", ".join(taken.parameters)
        raise type_error(f"{name} of a Value {error}; its rule takes {wanted}") from None
    return bound.args, bound.kwargs


def _name(function: Any) -> str:
    """Return how one writes the function: np.sin, np.linalg.norm, np.add.reduce."""
    owner = getattr(function, "__self__", None)
    module = getattr(function, "__module__", None) or "numpy"
    place = f"np.{owner.__name__}" if owner else module.replace("numpy", "np")
    return f"{place}.{function.__name__}"
