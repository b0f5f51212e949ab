"""The patients of the clinic: what a head with one fault shows, in numbers and never in code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


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
