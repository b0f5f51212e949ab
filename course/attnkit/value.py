"""Value: an array that remembers how it was made, so that gradients can flow back through it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NoReturn

import numpy as np

from attnkit.errors import attribute_error, instead, type_error, value_error
from attnkit.rules import LISTED, PLAIN, RULES, Array, Axis, arguments, unbroadcast

LocalGradient = Callable[[Array], Any]
Operator = Callable[[Any, Any], "Value"]
_serial_numbers = count()
GIVE = "give it numbers or an array of numbers"


def _both_ways(function: np.ufunc) -> tuple[Operator, Operator]:
    """Return the methods behind `v + other` and `other + v`."""
    return (lambda self, other: function(self, other)), (lambda self, other: function(other, self))


def _compared(function: np.ufunc) -> tuple[Any, Any]:
    """Return the methods behind `v < other` and `other < v`, which give plain arrays."""
    return _both_ways(function)


class Value:
    """A node of the graph: an array of float64, and the Values it was computed from.

    `Value(data)` copies a number, an array or nested lists of numbers.
    A list that holds Values is stacked and keeps the graph: `Value([v0, v1])`.
    `Value(v)` stays on the graph of v; `Value(v.data)` is cut off from it.
    `.grad` is None until `backward` reaches the node.
    `.operation` is NumPy's name for what made it, such as "multiply"; "" for a node made otherwise.

    >>> Value([[1, 2], [3, 4], [5, 6]]).shape
    (3, 2)
    """

    __slots__ = ("_parents", "_serial", "data", "grad", "operation")
    data: Array
    grad: Any
    operation: str
    _parents: tuple[tuple[Value, LocalGradient], ...]
    _serial: int

    def __init__(self, data: Any) -> None:
        joined = _joined(data)
        on_graph = isinstance(joined, Value)
        self.data = joined.data if on_graph else _floats(joined).copy()
        self._parents = ((joined, lambda g: g),) if on_graph else ()
        self.grad, self.operation, self._serial = None, "", next(_serial_numbers)

    @classmethod
    def from_rule(cls, data: Any, *parents: tuple[Value, LocalGradient]) -> Value:
        """Return a new node that holds `data`: an operation with a gradient rule of your own.

        Each of `parents` is a pair: a Value that `data` was computed from, and the function that
        turns the gradient of the new node into the gradient of that Value.

        >>> v = Value([1, 2, 3])
        >>> Value.from_rule(v.data**3, (v, lambda g: g * 3 * v.data**2)).shape
        (3,)
        """
        for parent, local in parents:
            if not (isinstance(parent, Value) and callable(local)):
                raise type_error(
                    f"Value.from_rule got a pair ({type(parent).__name__}, "
                    f"{type(local).__name__}), wanted (Value, function from gradient to gradient)"
                )
        node = cls.__new__(cls)
        node.data, node._parents = _floats(data), parents
        node.grad, node.operation, node._serial = None, "", next(_serial_numbers)
        return node

    def backward(self, upstream: Any = None) -> None:
        """Set `.grad` afresh on this node and on every node it was computed from.

        `upstream` is the gradient that arrives here, of this node's shape; ones if left out.
        """
        nodes = self._newest_first()
        for node in nodes:
            node.grad = None
        self.grad = self._arriving(upstream)
        for node in nodes:
            for parent, local in node._parents:
                grad = unbroadcast(_floats(local(node.grad)), parent.shape)
                parent.grad = grad if parent.grad is None else np.asarray(parent.grad + grad)
            if not node._parents:
                node.grad = node.grad.copy()  # shared with no other node: free to be changed

    def _newest_first(self) -> list[Value]:
        """Return this node and all before it; a node is always newer than its parents."""
        found, waiting = {self}, [self]
        while waiting:
            for parent, _ in waiting.pop()._parents:
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return sorted(found, key=lambda node: node._serial, reverse=True)

    def _arriving(self, upstream: Any) -> Array:
        if upstream is None:
            return np.ones(self.shape)
        if np.shape(upstream) != self.shape:
            raise value_error(
                f"backward got an upstream gradient of shape {np.shape(upstream)}, wanted "
                f"{self.shape}: one number for each entry of the Value"
            )
        return _floats(upstream).copy()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Return np.exp(v), array + v, v > 0, … for NumPy, which asks here."""
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        args = [one if isinstance(one, Value) else _floats(one) for one in inputs]
        return _for_numpy(function, args, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        """Return np.sum(v), np.stack([v, w]), … for NumPy, which asks here."""
        return _for_numpy(function, args, options)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        """Refuse np.array(v), array[i] = v, and all else that wants bare numbers."""
        raise type_error(
            "a plain array cannot hold a Value: it would keep the numbers and lose the graph, so "
            "that no gradient flows back. To put Values together write np.stack(rows) or "
            "Value([v0, v1]) instead of array[i] = v; for the numbers alone write v.data"
        )

    def __float__(self) -> NoReturn:
        """Refuse float(v), math.exp(v), array[i, j] = v."""
        raise type_error(
            "a plain number cannot hold a Value: it would lose the graph, so that no gradient "
            "flows back. For the number alone write float(v.data); write np.exp(v) instead of "
            "math.exp(v), and Value([[v00, v01], …]) instead of array[i, j] = v"
        )

    __int__ = __complex__ = __float__

    def __index__(self) -> NoReturn:
        """Refuse range(v), np.ones((v, v))."""
        raise type_error(
            f"a Value of shape {self.shape} was given where a whole number is wanted; for the "
            "number of its rows write len(v), for its columns v.shape[1]"
        )

    def __call__(self, *arguments: Any, **options: Any) -> NoReturn:
        """Refuse v(x)."""
        raise type_error(
            "a Value is called like a function; if it has taken the place of a layer, as in "
            "self.W_q = self.W_q(x), give the result a name of its own: Q = self.W_q(x)"
        )

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_error(
            f"a Value has no {name} here. {instead(name)}; for the numbers alone take v.data"
        )

    def __setitem__(self, index: Any, item: Any) -> NoReturn:
        """Refuse v[i] = …."""
        raise type_error(
            "a Value is not changed in place: what was computed from it would no longer fit. "
            "Make a new one with np.where(condition, a, b), np.stack(rows) or Value([v0, v1])"
        )

    def __bool__(self) -> bool:
        if self.data.size != 1:
            raise type_error(
                f"a Value of shape {self.shape} is neither true nor false as a whole; "
                "write (v > 0).all() or (v > 0).any()"
            )
        return bool(self.data)

    __add__, __radd__ = _both_ways(np.add)
    __sub__, __rsub__ = _both_ways(np.subtract)
    __mul__, __rmul__ = _both_ways(np.multiply)
    __truediv__, __rtruediv__ = _both_ways(np.divide)
    __matmul__, __rmatmul__ = _both_ways(np.matmul)
    __pow__, __rpow__ = _both_ways(np.power)
    __lt__, __gt__ = _compared(np.less)
    __le__, __ge__ = _compared(np.less_equal)
    __eq__ = _compared(np.equal)[0]
    __ne__ = _compared(np.not_equal)[0]
    __hash__ = object.__hash__

    def __neg__(self) -> Value:
        return _node(np.negative, [self])

    def __abs__(self) -> Any:
        return np.abs(self)

    def __getitem__(self, index: Any) -> Value:
        return _node(operator.getitem, [self, index])

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Value]:
        return (self[i] for i in range(len(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""
        return self.data.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.data.ndim

    @property
    def size(self) -> int:
        """The number of entries."""
        return self.data.size

    @property
    def T(self) -> Value:
        """The transpose: rows become columns."""
        return self.transpose()

    def transpose(self, *axes: Any) -> Value:
        """Return the same numbers with the axes in reverse, or in the order given."""
        return _node(np.transpose, [self, _sizes(axes) or None])

    def swapaxes(self, axis1: int, axis2: int) -> Value:
        """Return the same numbers with two axes exchanged."""
        return _node(np.swapaxes, [self, axis1, axis2])

    def reshape(self, *shape: Any) -> Value:
        """Return the same numbers in another shape, given as `2, 3` or as `(2, 3)`."""
        return _node(np.reshape, [self, _sizes(shape)])

    def flatten(self) -> Value:
        """Return the same numbers in one row."""
        return self.reshape(-1)

    ravel = flatten

    def copy(self) -> Value:
        """Return a new Value with the same numbers, on the graph of this one."""
        return Value(self)

    def dot(self, other: Any) -> Value:
        """Return the product with `other`, as `v @ other`."""
        return _node(np.dot, [self, other])

    def argmax(self, axis: int | None = None) -> Any:
        """Return where the largest entry is, as a plain number or array."""
        return np.argmax(self.data, axis)

    def argmin(self, axis: int | None = None) -> Any:
        """Return where the smallest entry is, as a plain number or array."""
        return np.argmin(self.data, axis)

    def sum(self, axis: Axis = None, keepdims: bool = False, **others: Any) -> Value:
        """Return the sum over `axis`, or over everything."""
        return _along(np.sum, self, axis, keepdims, others)

    def mean(self, axis: Axis = None, keepdims: bool = False, **others: Any) -> Value:
        """Return the mean over `axis`, or over everything."""
        return _along(np.mean, self, axis, keepdims, others)

    def max(self, axis: Axis = None, keepdims: bool = False, **others: Any) -> Value:
        """Return the largest entry over `axis`, or of all; equal ones share the gradient."""
        return _along(np.max, self, axis, keepdims, others)

    def min(self, axis: Axis = None, keepdims: bool = False, **others: Any) -> Value:
        """Return the smallest entry over `axis`, or of all; equal ones share the gradient."""
        return _along(np.min, self, axis, keepdims, others)

    def exp(self) -> Value:
        """Return e to the power of each entry."""
        return _node(np.exp, [self])

    def log(self) -> Value:
        """Return the natural logarithm of each entry."""
        return _node(np.log, [self])

    def sqrt(self) -> Value:
        """Return the square root of each entry."""
        return _node(np.sqrt, [self])

    def tanh(self) -> Value:
        """Return the hyperbolic tangent of each entry."""
        return _node(np.tanh, [self])

    def __repr__(self) -> str:
        shape = f", shape={self.shape}" if self.ndim else ""
        with np.printoptions(precision=4, suppress=True, threshold=100):
            return f"Value({np.array2string(self.data, separator=', ', prefix='Value(')}{shape})"

    def __format__(self, spec: str) -> str:
        return format(self.data, spec) if spec else repr(self)


def _for_numpy(function: Any, args: Any, options: dict[str, Any]) -> Any:
    """Return what NumPy's `function` gives: a Value, or a plain array if no gradient flows."""
    if function in PLAIN:
        named = {name: _bare(one) for name, one in options.items()}
        return function(*[_bare(one) for one in args], **named)
    if options or function not in RULES:
        args, options = arguments(function, args, options)
    return _node(function, args, **options)


def _along(function: Any, v: Value, axis: Axis, keepdims: bool, others: dict[str, Any]) -> Value:
    """Return `function` of v over `axis`; `TypeError` that names what is in `others`."""
    if others:
        arguments(function, (v, axis), {"keepdims": keepdims, **others})
    return _node(function, [v, axis], keepdims=keepdims)


def _node(function: Any, args: Any, **options: Any) -> Value:
    """Return `function(*args, **options)` as a new node, by the rule in the table."""
    operands = list(args[0]) if function in LISTED else args
    bare = [_bare(one) for one in operands]
    call = [bare, *args[1:]] if function in LISTED else bare
    try:
        data, *local = RULES[function](*call, **options)
    except ValueError as problem:
        raise _misfit(function, bare, problem) from None
    pairs = zip(operands, local, strict=False)
    node = Value.from_rule(data, *[pair for pair in pairs if isinstance(pair[0], Value)])
    node.operation = function.__name__
    return node


def _misfit(function: Any, args: list[Any], problem: ValueError) -> ValueError:
    """Return the error to raise where shapes cannot be lined up, else `problem` itself."""
    if "could not be broadcast together with shapes" not in str(problem):
        return problem
    shapes = " and ".join(str(np.shape(one)) for one in args)
    return value_error(
        f"{function.__name__} got shapes {shapes}: {_why_not(*map(np.shape, args[:2]))}"
    )


def _why_not(a: tuple[int, ...], b: tuple[int, ...]) -> str:
    """Return what keeps two shapes from lining up."""
    unequal = (i for i, (n, m) in enumerate(zip(a, b, strict=False)) if n != m and 1 not in (n, m))
    axis = next(unequal, None)
    if len(a) != len(b) or axis is None:
        return (
            "wanted lengths that are equal, or 1, counted from the last axis; perhaps a sum, mean "
            "or max before it needs keepdims=True"
        )
    what = ("rows", "columns")[axis] if len(a) == 2 else f"entries along axis {axis}"
    return (
        f"the first has {a[axis]} {what}, the second {b[axis]}, and these must be equal; look at "
        "where each of the two lengths comes from"
    )


def _bare(one: Any) -> Any:
    return one.data if isinstance(one, Value) else one


def _sizes(given: tuple[Any, ...]) -> Any:
    """Return (2, 3) for the arguments `2, 3` and for the one argument `(2, 3)`."""
    return given[0] if len(given) == 1 else given


def _joined(data: Any) -> Any:
    """Return `data`, stacked into one Value if it is a list that holds Values."""
    if not isinstance(data, list | tuple):
        return data
    parts = [_joined(one) for one in data]
    return np.stack(parts) if any(isinstance(one, Value) for one in parts) else data


def _floats(data: Any) -> Array:
    """Return numbers as an array of float64; `TypeError` for all that is not real numbers."""
    array = np.asarray(data)
    if array.dtype.kind not in "biuf":
        raise type_error(
            f"a Value holds real numbers, got {type(data).__name__} with entries of type "
            f"{array.dtype}; {'is a return missing?' if data is None else GIVE}"
        )
    return array.astype(np.float64, copy=False)
