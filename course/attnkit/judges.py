"""The judges of the visible checks: each says what it saw, or None where the property holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from attnkit.errors import meant
from attnkit.examples import PROBES, Array
from attnkit.patterns import pattern, unequal
from attnkit.probes import Observation, slope, sources

SOURCES = {
    "centre_rows": ["x"],
    "softmax": ["scores"],
    "attention_scores": ["Q", "K"],
    "apply_attention": ["weights", "V"],
    "SelfAttention": ["x", "W_q", "W_k", "W_v", "W_o"],
}


class Trial(NamedTuple):
    """A piece on trial and what was observed of it."""

    piece: str
    target: Any
    observation: Observation


def raised(problem: Exception) -> str:
    """Return one line that says what was raised."""
    text = meant(problem)
    return f"it raised {type(problem).__name__}: {text}" if text else f"it raised {problem!r}"


def is_value(trial: Trial, name: str) -> str | None:
    """Judge whether a Value came back."""
    kind = trial.observation[name].type_name
    return None if kind == "Value" else f"{_a(kind)} came back, wanted a Value"


def is_array(trial: Trial, name: str) -> str | None:
    """Judge whether a plain array of numbers came back."""
    kind, output = trial.observation[name].type_name, trial.observation[name].output
    if kind == "Value":
        return "a Value came back, wanted a plain array: a mask holds no parameters"
    if kind != "ndarray":
        return f"{_a(kind)} came back, wanted an array, as np.array or np.zeros makes it"
    return None if output is not None else "an array came back, but not of real numbers"


def has_shape(trial: Trial, name: str) -> str | None:
    """Judge the shape of the result."""
    wanted, output = np.shape(PROBES[trial.piece][name].wanted), trial.observation[name].output
    if output is None:
        return f"{_a(trial.observation[name].type_name)} came back, wanted numbers"
    return None if output.shape == wanted else f"the shape is {output.shape}, wanted {wanted}"


def has_values(trial: Trial, name: str) -> str | None:
    """Judge the numbers of the result."""
    if wrong_shape := has_shape(trial, name):
        return f"{_what(name)}{wrong_shape}"
    wanted, output = PROBES[trial.piece][name].wanted, trial.observation[name].output
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(output - wanted) <= 1e-9 + 1e-7 * np.abs(wanted))
    if not wrong.any():
        return None
    where = [int(i) for i in np.argwhere(wrong)[0]]
    numbers = unequal(output[tuple(where)], wanted[tuple(where)])
    parts = [f"{wrong.sum()} of {wrong.size} entries differ", pattern(output, wanted)]
    return f"{_what(name)}{where} is {numbers}; {'; '.join(part for part in parts if part)}"


def has_places(trial: Trial, name: str) -> str | None:
    """Judge whether a mask has 0 where a token may look, and something else where not."""
    if wrong_shape := has_shape(trial, name):
        return wrong_shape
    wanted, output = PROBES[trial.piece][name].wanted, trial.observation[name].output
    if output.dtype == bool:
        return "True and False came back, wanted numbers that can be added to scores"
    wrong = np.argwhere((output != 0) != (wanted != 0))
    return _first_wrong(wrong, output, wanted) if len(wrong) else None


def is_exact(trial: Trial, name: str) -> str | None:
    """Judge the numbers of a mask, which have no rounding."""
    if wrong_type := is_array(trial, name) or has_shape(trial, name):
        return f"{_what(name)}{wrong_type}"
    wanted, output = PROBES[trial.piece][name].wanted, trial.observation[name].output
    wrong = np.argwhere(output != wanted)
    return f"{_what(name)}{_first_wrong(wrong, output, wanted)}" if len(wrong) else None


def _first_wrong(places: npt.NDArray[np.intp], output: Array, wanted: Array) -> str:
    where = [int(i) for i in places[0]]
    got, right = output[tuple(where)], wanted[tuple(where)]
    if np.isneginf(got) and right < 0:
        return f"{where} is -inf; the course uses -1e9"
    return f"{where} is {unequal(got, right)}; {len(places)} of {wanted.size} entries differ"


def has_gradient(trial: Trial, name: str) -> str | None:
    """Judge whether what `backward` says agrees with what a nudge does."""
    probe, seen = PROBES[trial.piece][name], trial.observation[name]
    for i, array in enumerate(sources(trial.target, probe)):
        who, grad = SOURCES[trial.piece][i], seen.grads[i]
        if grad is None:
            return f"{_what(name)}no gradient reaches {who}"
        for entry in np.ndindex(array.shape):
            said, felt = float(grad[entry]), slope(trial.target, probe, i, entry)
            if not abs(said - felt) <= 1e-5 * (1 + abs(felt)):
                slopes = unequal(said, felt).replace("wanted", "a nudge says")
                return f"{_what(name)}backward says for {who}{list(entry)} {slopes}"
    return None


def is_untouched(trial: Trial, name: str) -> str | None:
    """Judge whether the arguments are as they were."""
    changed = trial.observation[name].changed
    return f"{SOURCES[trial.piece][changed.index(True)]} was changed" if any(changed) else None


def _a(kind: str) -> str:
    if kind == "NoneType":
        return "None (is a return missing?)"
    return f"{'an' if kind[:1] in 'aeiou' or kind == 'ndarray' else 'a'} {kind}"


def _what(name: str) -> str:
    plain = name == "large" or (name.startswith("example") and "again" not in name)
    return "" if plain else f"{name}: "
