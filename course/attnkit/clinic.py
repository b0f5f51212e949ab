"""The clinic: what a head with one fault shows, and what a learner's check says of a version."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from attnkit.plot.numerals import numerals
from attnkit.value import Value

Array = npt.NDArray[np.float64]
WORDS = ("ada", "saw", "bob")
MOST_ROWS, LARGEST = 32, 1e6


class Chart(NamedTuple):
    """What a causal head shows on the worked example.

    `moved[i, j]` is 1 where a nudge of word j moves output i. `far_above` is the attended row of
    the first word for an x 40 times as large, divided by 40. `spread` is how far scores stray,
    by the width of x. `gradients` holds for each source what backward says of entry [0, 1], or
    None, and what a nudge says. `checklist` holds the five lines of the debugging checklist.
    """

    scores: Array
    weights: Array
    attended: Array
    moved: Array
    far_above: Array
    spread: Mapping[str, float]
    gradients: Mapping[str, tuple[float | None, float]]
    checklist: list[tuple[bool, str]]


@cache
def _charts() -> dict[str, Any]:
    return json.loads(Path(__file__).with_name("patients.json").read_text("utf-8"))


def chart(patient: str) -> Chart:
    """Return the chart of a patient, such as "A", or of the head that is "healthy"."""
    if patient not in _charts():
        raise ValueError(f"chart got {patient!r}, wanted one of {', '.join(_charts())}.")
    shown = _charts()[patient]
    arrays = {name: np.array(shown[name], dtype=np.float64) for name in Chart._fields[:5]}
    return Chart(**(shown | arrays))


def caption(patient: str) -> str:
    """Return one sentence with the numbers in row "saw" of each table, and none on the fault."""
    shown, who = chart(patient), patient.title() if patient == "healthy" else f"Patient {patient}"
    rows = [
        f"{name} {' '.join(numerals(getattr(shown, name), fractions=True)[1])}"
        for name in ("scores", "weights", "attended")
    ]
    nudged = [word for word, moved in zip(WORDS, shown.moved[1], strict=True) if moved]
    return f"{who}, row saw: {', '.join(rows)}; moved by {', '.join(nudged)}."


def tell(patient: Chart) -> None:
    """Print what stands beside the tables of a chart."""
    sums = [Fraction(one).limit_denominator(100) for one in patient.weights.sum(axis=1)]
    spread = [f"{one:.1f} at D = {D}" for D, one in patient.spread.items()]
    print(_label("row sums of weights"), ", ".join(map(str, sums)))
    print(_label("attended[0] for 40 x"), ", ".join(f"40 · {one:g}" for one in patient.far_above))
    print(_label("spread of scores"), ", ".join(spread))
    for name, (said, felt) in patient.gradients.items():
        backward = "no gradient" if said is None else f"backward {said:.3f}"
        print(_label(f"gradient of {name}"), f"{backward}, nudge {felt:.3f}")
    for holds, line in patient.checklist:
        print("✓" if holds else "✗", line)


def _label(text: str) -> str:
    return f"{text:<22}"


def examine(
    probe: Callable[[], Any], is_ill: Callable[..., Any], version: Callable[..., Any]
) -> str:
    """Return "ill" or "healthy": what a learner's check says of one version of a step.

    `version` gets what `probe()` gives, as Values; `is_ill` gets that and the result, as arrays.
    Raises ValueError for an unfit probe, TypeError for an answer that is not True or False.
    """
    tables = _probed(probe, count=len(inspect.signature(version).parameters))
    result = version(*map(Value, tables))
    answer = is_ill(*(one.copy() for one in tables), np.array(Value(result).data))
    if not isinstance(answer, bool | np.bool_):
        raise TypeError(
            f"examine got {type(answer).__name__} from {_name(is_ill)}, wanted True or False: "
            "return one comparison, as with np.allclose."
        )
    return "ill" if answer else "healthy"


def _probed(probe: Callable[[], Any], count: int) -> list[Array]:
    given = () if (said := probe()) is None else said
    several = isinstance(given, tuple) or (count > 1 and isinstance(given, list | np.ndarray))
    tables = [Value(one).data for one in (given if several else [given])]
    if len(tables) != count or not all(map(_fits, tables)):
        shapes = " and ".join(str(one.shape) for one in tables) or "nothing"
        many = "1 table" if count == 1 else f"{count} tables, separated by a comma"
        raise ValueError(
            f"examine got {shapes} from {_name(probe)}, wanted {many}: finite numbers, "
            f"at most {MOST_ROWS} rows and {MOST_ROWS} columns."
        )
    return tables


def _fits(table: Array) -> bool:
    small = table.ndim == 2 and 1 <= min(table.shape) <= max(table.shape) <= MOST_ROWS
    return small and bool((np.abs(table) <= LARGEST).all())


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", "the check")
