"""One call of a learner's piece, on the learner's side: arrays in, arrays out.

The same function serves tests and plain nbgrader (in process) and the sandboxed
child (across two pipes), so a verdict cannot depend on where it was reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from attnkit import Value
from attnkit.nn import load
from attnkit.results import overwritten, spoil, type_name


class Plain(NamedTuple):
    """An argument that the piece receives as an ordinary array, not as a `Value`."""

    array: np.ndarray


class Reply(NamedTuple):
    """What one call came to.

    `output` is an array, a string, or a tuple of these; of anything else it is "".
    `grads` holds, for each `Value` handed over and then for each injected
    parameter, the gradient or None where backward did not reach.
    `arguments` are the arrays handed over, as they were after the call.
    """

    output: Any
    grads: tuple[np.ndarray | None, ...]
    arguments: tuple[np.ndarray, ...]
    type_name: str


def call(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    options: Mapping[str, Any],
    upstream: np.ndarray | None = None,
    parameters: Sequence[Value] = (),
) -> Reply:
    """Return the reply of `function(*arguments, **options)`.

    Arrays are handed over as fresh `Value`s, `Plain` ones as arrays, all else as it is.
    With `upstream` of the output's shape, `backward(upstream)` runs on the result.
    Arrays among the options are what a step of training makes of the parameters: the call is made
    before that step and, with the same `Value`s, after it; the reply is the second one's.
    """
    stepped = [one for one in options.values() if isinstance(one, np.ndarray)]
    options = {name: one for name, one in options.items() if not isinstance(one, np.ndarray)}
    handed = [_hand_over(argument) for argument in arguments]
    for parameter in parameters:
        parameter.grad = None
    with overwritten(_asked_before(function, handed)):
        result = function(*handed, **options)
        if stepped:
            for parameter, table in zip(parameters, stepped, strict=True):
                parameter.data = table.copy()
            result = function(*handed, **options)
        output = _numbers(result)
    _latest[:] = [((function, *handed), result)] if _are_plain(handed) else []
    sources = [one for one in handed if isinstance(one, Value)] + list(parameters)
    if upstream is not None and isinstance(result, Value) and result.shape == upstream.shape:
        result.backward(upstream)
    grads = tuple(None if one.grad is None else np.array(one.grad) for one in sources)
    after = tuple(_numbers(one) for one in handed if isinstance(one, Value | np.ndarray))
    if handed and isinstance(result, Value):
        spoil(result.data)  # one that is kept and returned for other arguments shows
    return Reply(output, grads, after, type_name(result))


def inject(cls: type, arguments: Sequence[Any], parameters: Mapping[str, np.ndarray]) -> Any:
    """Return `cls(*arguments)` with the tables of its named layers set to the given arrays."""
    built = cls(*arguments)
    load(built, parameters)
    return built


def _hand_over(argument: Any) -> Any:
    if isinstance(argument, Plain):
        return argument.array.copy()
    return Value(argument.copy()) if isinstance(argument, np.ndarray) else argument


def _numbers(result: Any) -> Any:
    """Return a copy of what counts in `result`: an array, a string, or a tuple of these."""
    if isinstance(result, Value):
        return np.array(result.data)
    if isinstance(result, str):
        return result
    if isinstance(result, tuple | list) and any(
        isinstance(one, str | np.ndarray | Value) for one in result
    ):
        return tuple(_numbers(one) for one in result)
    try:
        array = np.array(result)
        if array.dtype == object or array.dtype.itemsize > 8:
            array = array.astype(np.float64)
    except (TypeError, ValueError):
        # A table and a longer one, as lists of rows: each is an array of its own.
        return tuple(_numbers(one) for one in result) if isinstance(result, tuple) else ""
    return array if array.dtype.kind in "biuf" else ""


_latest: list[tuple[Any, Any]] = []  # a function with its plain numbers, and what came back


def _asked_before(function: Callable[..., Any], handed: Sequence[Any]) -> Any:
    """Return the latest result where the same plain numbers are asked for twice in a row.

    It is overwritten meanwhile: an array that is kept and returned again shows.
    """
    again = _are_plain(handed) and _latest and _latest[0][0] == (function, *handed)
    return _latest[0][1] if again else None


def _are_plain(handed: Sequence[Any]) -> bool:
    return len(handed) > 0 and all(isinstance(one, int | float) for one in handed)
