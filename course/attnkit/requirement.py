"""What a graded cell asks before it is graded: that its exercise is written and its check green."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

from attnkit import answers
from attnkit.examples import PROBES
from attnkit.judges import Trial
from attnkit.lines import LINES, complaint
from attnkit.probes import asker, observe
from attnkit.value import Value


class OpenExerciseError(Exception):
    """An exercise is not written yet, or its visible check is red; shown without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return textwrap.wrap(str(self), 80)  # nbgrader's report cuts longer lines


def left_to_hidden_tests() -> bool:
    """Return whether nbgrader is grading: then the hidden tests alone decide about points."""
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"


def refuse_open(name: str, answer: Any) -> None:
    """Raise `OpenExerciseError` where exercise `name` is not written or its visible check is red.

    One that has no visible check is open only while it raises `NotImplementedError`.
    """
    if not callable(answer):
        kind = type(answer).__name__
        raise _open(f"{name} is now of type {kind}: a cell gives its name to something else")
    check = _visible_check(name)
    try:
        green = _is_green(name, answer)
    except NotImplementedError:
        raise _open(f"{name} is not written yet: write it in its cell above") from None
    except Exception:
        green = not check  # what no visible check looks at, the hidden tests judge
    if not green:
        raise _open(f"{name} is not right yet: run {check} and mend what is red")


def _open(told: str) -> OpenExerciseError:
    return OpenExerciseError(f"{told}. Until then, Run All stops here.")


def _visible_check(name: str) -> str:
    """Return the line that a learner runs to see what is red, or nothing where there is none."""
    if name in PROBES:
        return f"checks.{'self_attention' if name == 'SelfAttention' else name}({name})"
    return f"checks.paper({name})" if answers.is_known(name) else ""


def _is_green(name: str, answer: Callable[..., Any]) -> bool:
    if answers.is_known(name):
        return not answers.remark(name, answer())
    if name not in PROBES:
        answer(*map(_example, inspect.signature(answer).parameters))
        return True
    seen = observe(name, asker(answer))
    if isinstance(first := next(iter(seen.values())), NotImplementedError):
        raise first
    trial = Trial(name, answer, seen)
    return not any(complaint(line, trial) for line in LINES[name])


def _example(parameter: str) -> Any:
    return {"T": 3, "D": 2}.get(parameter, Value(np.eye(3)))
