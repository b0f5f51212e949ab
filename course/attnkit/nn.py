"""Linear, its tables, and Adam: what a model needs besides attention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from attnkit.errors import attribute_error, type_error, value_error
from attnkit.value import Value


class Linear:
    """A layer `y = x W (+ b)` with `W` of shape (d_in, d_out).

    `W` is drawn from a normal distribution of spread 1/sqrt(d_in), so that y is about as large
    as x (LeCun et al. 1998, Efficient BackProp, section 4.6); `b` starts at zero.
    `rng` is a generator or a seed, as for `np.random.default_rng`; without it each layer differs.

    >>> Linear(4, 2, rng=0)(np.ones((3, 4))).shape
    (3, 2)
    """

    def __init__(
        self,
        d_in: int,
        d_out: int,
        *,
        bias: bool = False,
        rng: np.random.Generator | int | None = None,
    ) -> None:
        spread = 1 / np.sqrt(d_in)
        self.W = Value(np.random.default_rng(rng).normal(0, spread, (d_in, d_out)))
        self.b = Value(np.zeros(d_out)) if bias else None

    def __call__(self, x: Any) -> Value:
        """Return `x W (+ b)`, shape (T, d_out), for x of shape (T, d_in)."""
        d_in, d_out = self.W.shape
        if np.shape(x)[-1:] != (d_in,):
            raise value_error(
                f"Linear({d_in}, {d_out}) got x of shape {np.shape(x)}, wanted (T, {d_in}): "
                f"give each row of x {d_in} numbers, or make the layer for the width of x"
            )
        y: Value = x @ self.W
        return y if self.b is None else y + self.b

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        """Refuse x @ layer and all else that takes the layer for its table."""
        raise type_error(
            "a layer is no table: call it with x, as in self.W_q(x), in place of x @ self.W_q"
        )

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_error(
            f"a Linear has W and b, and no {name}: call the layer, as in self.W_q(x), or write "
            f"self.W_q.W.{name} where you mean its table"
        )

    def parameters(self) -> list[Value]:
        """Return the learnables: [W], or [W, b]."""
        return [self.W] if self.b is None else [self.W, self.b]


def load(model: Any, tables: Mapping[str, Any]) -> list[Value]:
    """Give each named layer of `model` its table as `W`, and return these `W`s.

    The layers stay the objects that they are, wherever the model keeps them.
    `AttributeError`, `TypeError` or `ValueError` where a layer is missing, is no layer, has
    another size, or is the same as another.
    """
    parameters = [_table(model, name, np.shape(table)) for name, table in tables.items()]
    if len(set(parameters)) < len(parameters):
        raise value_error(
            f"{type(model).__name__} has one layer for two of {', '.join(tables)}, wanted a "
            "Linear of its own for each"
        )
    for parameter, table in zip(parameters, tables.values(), strict=True):
        parameter.data = np.array(table, dtype=np.float64)
    return parameters


def _table(model: Any, name: str, shape: tuple[int, ...]) -> Value:
    who, wanted = type(model).__name__, f"Linear{shape}"
    if not hasattr(model, name):
        raise attribute_error(
            f"{who} needs an attribute {name}: make a Linear(D, D) of that name in __init__"
        )
    layer = getattr(model, name)
    table = getattr(layer, "W", None)
    if not isinstance(table, Value):
        raise type_error(f"{name} of {who} is a {type(layer).__name__}, wanted a layer, {wanted}")
    if table.shape != shape:
        raise value_error(f"{name} of {who} has a table of shape {table.shape}, wanted {shape}")
    return table


class Adam:
    """The optimiser of Kingma and Ba (2015), Algorithm 1, with its standard constants.

    `step()` moves every parameter against its `.grad`.
    """

    beta_1, beta_2, eps = 0.9, 0.999, 1e-8

    def __init__(self, parameters: Iterable[Value], lr: float = 0.01) -> None:
        self.parameters, self.lr, self.t = list(parameters), lr, 0
        self._m = [np.zeros(p.shape) for p in self.parameters]
        self._v = [np.zeros(p.shape) for p in self.parameters]

    def step(self) -> None:
        """Give each parameter new data; needs the gradients of a `backward`."""
        self.t += 1
        for i, parameter in enumerate(self.parameters):
            g = parameter.grad
            if g is None:
                raise value_error(
                    f"Adam.step got no gradient for parameter {i} of shape {parameter.shape}; call "
                    "backward() before step(), and if you did, the graph is cut on the way to it"
                )
            self._m[i] = m = self.beta_1 * self._m[i] + (1 - self.beta_1) * g
            self._v[i] = v = self.beta_2 * self._v[i] + (1 - self.beta_2) * g**2
            m_hat = m / (1 - self.beta_1**self.t)
            v_hat = v / (1 - self.beta_2**self.t)
            parameter.data = parameter.data - self.lr * m_hat / (np.sqrt(v_hat) + self.eps)
