"""Value: an array that remembers how it was made, and so can be differentiated."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NoReturn

import numpy as np

from attnkit.rules import LISTED, PLAIN, RULES, Array, Axis

Gradient = Callable[[Array], Any]
_serials = count()


def _ways(function: np.ufunc) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the operator `v + w` of a function and its mirror image, used for `3 + v`."""
    return (lambda self, other: function(self, other)), (lambda self, other: function(other, self))


class Value:
    """A node of the graph: an array of float64 and the nodes it was made from.

    `Value(data)` takes numbers, arrays and nested lists of them, and copies them.
    A list that holds Values stacks them and keeps the graph, and `Value(v)` stays on the graph of
    `v`; `Value(v.data)` cuts it.
    `.grad` is None until a `backward` reaches the node.

    >>> Value([[1, 2], [3, 4]]).shape
    (2, 2)
    """

    __slots__ = ("_parents", "_serial", "data", "grad")
    data: Array
    grad: Any  # an array, or None before `backward`
    _parents: tuple[tuple[Value, Gradient], ...]
    _serial: int

    def __init__(self, data: Any) -> None:
        source = _joined(data)
        self.data = source.data if isinstance(source, Value) else np.array(_floats(source))
        self._parents = source._parents if isinstance(source, Value) else ()
        self.grad, self._serial = None, next(_serials)

    @classmethod
    def from_rule(cls, data: Any, *parents: tuple[Value, Gradient]) -> Value:
        """Return a new node that holds `data`: an operation with a gradient rule of your own.

        Each of `parents` is a pair: a Value that `data` was computed from, and the function that
        turns the gradient of the new node into the gradient of that Value.

        >>> v = Value([1, 2, 3])
        >>> Value.from_rule(v.data**3, (v, lambda g: g * 3 * v.data**2)).shape
        (3,)
        """
        for parent, local in parents:
            if not (isinstance(parent, Value) and callable(local)):
                raise TypeError(
                    f"Value.from_rule got the pair ({type(parent).__name__}, "
                    f"{type(local).__name__}), wanted (Value, function from gradient to gradient)"
                )
        node = cls.__new__(cls)
        node.data, node.grad = _floats(data), None
        node._parents, node._serial = parents, next(_serials)
        return node

    # The graph

    def backward(self, upstream: Any = None) -> None:
        """Set `.grad` afresh on this node and on every node it was made from.

        `upstream` has the shape of this Value: the gradient that arrives here, ones if left out.
        """
        nodes = self._newest_first()
        for node in nodes:
            node.grad = None
        self.grad = self._checked(upstream)
        for node in nodes:
            for parent, local in node._parents:
                grad = _unbroadcast(_floats(local(node.grad)), parent.shape)
                parent.grad = grad if parent.grad is None else parent.grad + grad

    def _newest_first(self) -> list[Value]:
        """Return the nodes this one was made from; none is older than what it was made from."""
        found, waiting = {self}, [self]
        while waiting:
            for parent, _ in waiting.pop()._parents:
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return sorted(found, key=lambda node: node._serial, reverse=True)

    def _checked(self, upstream: Any) -> Array:
        if upstream is None:
            return np.ones(self.shape)
        if np.shape(upstream) != self.shape:
            raise ValueError(
                f"backward got an upstream gradient of shape {np.shape(upstream)}, wanted "
                f"{self.shape}: one number for each entry of this Value"
            )
        return np.array(_floats(upstream))

    # NumPy

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        """Return np.add(v, w), v > 0, … by the rule of the function."""
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return _apply(function, [_operand(one) for one in inputs], options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        """Return np.sum(v), np.stack([v, w]), … by the rule of the function."""
        return _apply(function, args, options)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        """Refuse np.array(v), np.asarray(v), array[i] = v and whatever else wants bare numbers."""
        raise TypeError(
            "a plain array cannot hold a Value: it would keep the numbers and lose the graph, and "
            "no gradient would flow back. To put Values together write np.stack(rows) or "
            "Value([v0, v1]), not array[i] = v; for the numbers alone write v.data"
        )

    def __float__(self) -> NoReturn:
        """Refuse float(v), math.exp(v) and the like."""
        raise TypeError(
            "float(v) would keep the number and lose the graph, and no gradient would flow back. "
            "Write np.exp(v) for math.exp(v); for the number alone write float(v.data)"
        )

    __int__ = __complex__ = __float__

    def __setitem__(self, index: Any, item: Any) -> NoReturn:
        """Refuse v[i] = …."""
        raise TypeError(
            "a Value is never changed in place: what was computed from it would no longer match. "
            "Make a new one: np.stack(rows), np.where(condition, a, b) or Value([v0, v1])"
        )

    def __bool__(self) -> bool:
        """Return the truth of a single number."""
        if self.data.size != 1:
            raise TypeError(
                f"a Value of shape {self.shape} is neither true nor false; "
                "write (v > 0).all() or (v > 0).any()"
            )
        return bool(self.data)

    # Operators and methods: each is a NumPy function

    __add__, __radd__ = _ways(np.add)
    __sub__, __rsub__ = _ways(np.subtract)
    __mul__, __rmul__ = _ways(np.multiply)
    __truediv__, __rtruediv__ = _ways(np.divide)
    __matmul__, __rmatmul__ = _ways(np.matmul)
    __pow__, __rpow__ = _ways(np.power)
    __lt__, __gt__ = _ways(np.less)
    __le__, __ge__ = _ways(np.less_equal)
    __eq__ = _ways(np.equal)[0]
    __ne__ = _ways(np.not_equal)[0]
    __hash__ = object.__hash__

    def __neg__(self) -> Value:
        return _apply(np.negative, [self])

    def __getitem__(self, index: Any) -> Value:
        return _apply(operator.getitem, [self, index])

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Value]:
        return (self[i] for i in range(len(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes, as of an array."""
        return self.data.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.data.ndim

    @property
    def T(self) -> Value:
        """The transpose: rows become columns."""
        return self.transpose()

    def transpose(self, *axes: Any) -> Value:
        """Return the axes in reverse, or in the order of `axes`."""
        return _apply(np.transpose, [self, _spread(axes) or None])

    def swapaxes(self, i: int, j: int) -> Value:
        """Return the same numbers with axes i and j exchanged."""
        return _apply(np.swapaxes, [self, i, j])

    def reshape(self, *shape: Any) -> Value:
        """Return the same numbers in another shape, given as `2, 3` or `(2, 3)`."""
        return _apply(np.reshape, [self, _spread(shape)])

    def sum(self, axis: Axis = None, keepdims: bool = False) -> Value:
        """Return the sum over `axis`, or over everything."""
        return _apply(np.sum, [self, axis, keepdims])

    def mean(self, axis: Axis = None, keepdims: bool = False) -> Value:
        """Return the mean over `axis`, or over everything."""
        return _apply(np.mean, [self, axis, keepdims])

    def max(self, axis: Axis = None, keepdims: bool = False) -> Value:
        """Return the largest entry over `axis`; equal ones share the gradient."""
        return _apply(np.max, [self, axis, keepdims])

    def exp(self) -> Value:
        """Return e to the power of each entry."""
        return _apply(np.exp, [self])

    def log(self) -> Value:
        """Return the natural logarithm of each entry."""
        return _apply(np.log, [self])

    def sqrt(self) -> Value:
        """Return the square root of each entry."""
        return _apply(np.sqrt, [self])

    def tanh(self) -> Value:
        """Return the hyperbolic tangent of each entry."""
        return _apply(np.tanh, [self])

    def __repr__(self) -> str:
        shape = f", shape={self.shape}" if self.ndim else ""
        with np.printoptions(precision=4, suppress=True, threshold=100):
            return f"Value({np.array2string(self.data, separator=', ', prefix='Value(')}{shape})"

    def __format__(self, spec: str) -> str:
        return format(self.data, spec) if spec else str(self)


def _apply(function: Any, args: Any, options: Any = {}) -> Any:  # noqa: B006 (never changed)
    """Return `function(*args, **options)`: a new node, or a plain array where none flows back."""
    if "out" in options:
        raise TypeError(
            f"np.{function.__name__} with out= (as in array += v) would write into a plain array "
            "and lose the graph; write array = array + v"
        )
    if function in PLAIN:
        return function(*[_bare(one) for one in args], **options)
    if function not in RULES:
        name = function.__name__
        raise TypeError(
            f"np.{name} has no gradient rule here, so its result would lose the graph and no "
            f"gradient would flow back. Build it from functions that have one, or make a rule "
            f"with Value.from_rule; for the numbers alone write np.{name}(v.data)"
        )
    operands, rest = (list(args[0]), args[1:]) if function in LISTED else (args, ())
    bare = [_bare(one) for one in operands]
    call = [bare, *rest] if function in LISTED else bare
    data, *local = RULES[function](*call, **options)
    parents = [pair for pair in zip(operands, local, strict=False) if isinstance(pair[0], Value)]
    return Value.from_rule(data, *parents)


def _bare(one: Any) -> Any:
    return one.data if isinstance(one, Value) else one


def _operand(one: Any) -> Any:
    return one if isinstance(one, Value) else _floats(one)


def _spread(sizes: tuple[Any, ...]) -> Any:
    """Return (2, 3) for the arguments `2, 3` and for the one argument `(2, 3)`."""
    return sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes


def _joined(data: Any) -> Any:
    """Return `data` with every list that holds Values stacked into one Value."""
    if isinstance(data, list | tuple):
        parts = [_joined(one) for one in data]
        return np.stack(parts) if any(isinstance(one, Value) for one in parts) else data
    return data


def _floats(data: Any) -> Array:
    """Return numbers as an array of float64; `TypeError` for anything that is not real numbers."""
    array = np.asarray(data)
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"a Value holds real numbers, got {type(data).__name__} with entries of type "
            f"{array.dtype}; give it numbers or an array of numbers"
        )
    return array.astype(np.float64, copy=False)


def _unbroadcast(grad: Array, shape: tuple[int, ...]) -> Array:
    """Return `grad` summed over the axes that broadcasting added or stretched."""
    if grad.shape == shape:
        return grad
    extra = grad.ndim - len(shape)
    fits = all(n in (1, m) for n, m in zip(shape, grad.shape[max(extra, 0) :], strict=False))
    if extra < 0 or not fits:
        raise ValueError(
            f"a gradient rule returned shape {grad.shape}, wanted {shape}: "
            "one number for each entry of the Value it belongs to"
        )
    stretched = (extra + i for i, n in enumerate(shape) if n == 1)
    return grad.sum(axis=(*range(extra), *stretched)).reshape(shape)
