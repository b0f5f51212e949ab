"""Tries the examples on a piece and returns numbers; a mistake is known by the numbers it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from attnkit.examples import PARAMETERS, PROBES, Array, Probe
from attnkit.nn import load
from attnkit.results import numbers, overwritten, spoil, type_name
from attnkit.value import Value


class Seen(NamedTuple):
    """What a call came to: its numbers, the `result` itself, and which arrays it `changed`."""

    output: Any
    grads: tuple[Array | None, ...]
    changed: tuple[bool, ...]
    type_name: str
    result: Any = None


Ask = Callable[[Probe], Seen]
Observation = dict[str, Any]


def observe(piece: str, ask: Ask) -> Observation:
    """Return what `ask` saw for each probe of the piece: a `Seen`, or the exception."""
    observation: Observation = {}
    latest = None
    for name, probe in PROBES[piece].items():
        with overwritten(latest if name.endswith("again") else None):
            observation[name] = _try(ask, probe)
        latest = getattr(observation[name], "result", None)
    for seen in reversed(observation.values()):  # a Value that is kept ends as it began
        if isinstance(seen, Seen) and isinstance(seen.result, Value):
            _restore(seen)
    return observation


def _try(ask: Ask, probe: Probe) -> Seen | Exception:
    try:
        return ask(probe)
    except Exception as problem:
        return problem


def asker(target: Any) -> Ask:
    """Return the function that tries a probe on a function, or on `forward` of a class.

    Of a class there is one object for each width, and all probes of that width meet it.
    """
    if not isinstance(target, type):
        return lambda probe: _ask(target, [], probe)
    heads: dict[int, tuple[Any, list[Value]]] = {}

    def ask(probe: Probe) -> Seen:
        D = len(probe.parameters["W_q"])
        if D not in heads:
            model = target(D)
            heads[D] = model, load(model, probe.parameters)
        model, layers = heads[D]
        return _ask(model.forward, layers, probe)

    return ask


def sources(target: Any, probe: Probe) -> list[Array]:
    """Return the arrays that a gradient should reach: the arguments, then the parameters."""
    parameters = probe.parameters.values() if isinstance(target, type) else ()
    return [*(one for one in probe.arguments if isinstance(one, np.ndarray)), *parameters]


def slope(target: Any, probe: Probe, source: int, entry: tuple[int, ...]) -> float:
    """Return how fast `sum(upstream * result)` grows when one number of one source is nudged."""

    def total(step: float) -> float:
        arrays = [one.copy() for one in sources(target, probe)]
        arrays[source][entry] += step
        given = arrays[: len(arrays) - len(PARAMETERS)] if isinstance(target, type) else arrays
        arguments = (*given, *probe.arguments[len(given) :])
        parameters = dict(zip(PARAMETERS, arrays[len(given) :], strict=False))
        nudged = probe._replace(arguments=arguments, parameters=parameters)
        result = asker(target)(nudged).output
        return float((probe.upstream * result).sum())

    return (total(1e-5) - total(-1e-5)) / 2e-5


def _ask(function: Callable[..., Any], parameters: list[Value], probe: Probe) -> Seen:
    handed = [Value(one) if isinstance(one, np.ndarray) else one for one in probe.arguments]
    values = [one for one in handed if isinstance(one, Value)]
    for parameter in parameters:
        parameter.grad = None
    result = function(*handed, **probe.options)
    if probe.after:
        for parameter, table in zip(parameters, probe.after.values(), strict=True):
            parameter.data = table.copy()
        result = function(*handed, **probe.options)
    output = numbers(result)
    upstream = probe.upstream
    if upstream is not None and isinstance(result, Value) and result.shape == upstream.shape:
        result.backward(upstream)
    grads = tuple(one.grad for one in [*values, *parameters])
    arrays = [one for one in probe.arguments if isinstance(one, np.ndarray)]
    changed = tuple(
        not np.array_equal(one.data, array) for one, array in zip(values, arrays, strict=True)
    )
    if isinstance(result, Value):
        spoil(result.data)  # one that is kept and returned again shows
    return Seen(output, grads, changed, type_name(result), result)


def _restore(seen: Seen) -> None:
    if seen.result.data.flags.writeable:
        seen.result.data[...] = seen.output
