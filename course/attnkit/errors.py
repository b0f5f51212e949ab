"""The kit's own errors: shown as your line and one sentence, with what to write instead."""

from __future__ import annotations

import linecache
import sys
import traceback
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Problem = TypeVar("Problem", bound=Exception)
LOST = "its result would lose the graph, so that no gradient flows back"
# What to write in place of what the kit does not have, by the name in NumPy or in PyTorch.
INSTEAD = {
    "abs": "np.maximum(v, -v)",
    "absolute": "np.maximum(v, -v)",
    "any": "(v.data > 0).any()",
    "append": "np.concatenate([v, w])",
    "apply_along_axis": "np.stack([f(row) for row in v])",
    "block": "np.concatenate([v, w], axis=1)",
    "astype": "v, which holds float64 as it is",
    "bmm": "v @ w",
    "cat": "np.concatenate([v, w])",
    "clamp": "np.minimum(np.maximum(v, low), high)",
    "clip": "np.minimum(np.maximum(v, low), high)",
    "column_stack": "np.stack([v0, v1], axis=1)",
    "detach": "v.data",
    "dtype": "v.data.dtype",
    "expm1": "np.exp(v) - 1",
    "fill": "np.where(condition, number, v)",
    "flip": "v[::-1]",
    "inner": "v @ w.T",
    "item": "float(v.data)",
    "log1p": "np.log(1 + v)",
    "masked_fill": "np.where(condition, number, v)",
    "mm": "v @ w",
    "norm": "(v * v).sum().sqrt()",
    "numpy": "v.data",
    "outer": "v[:, None] * w[None, :]",
    "permute": "v.transpose(1, 0)",
    "reciprocal": "1 / v",
    "reduce": "np.sum(v, axis=0) or np.max(v, axis=0)",
    "repeat": "np.concatenate([v, v]) or np.broadcast_to(v, shape)",
    "squeeze": "v.reshape(shape)",
    "std": "((v - v.mean()) ** 2).mean().sqrt()",
    "tensordot": 'v @ w or np.einsum("ij,jk->ik", v, w)',
    "tile": "np.concatenate([v, v]) or np.broadcast_to(v, shape)",
    "tolist": "v.data.tolist()",
    "unsqueeze": "v[None, :] or np.expand_dims(v, axis)",
    "var": "((v - v.mean()) ** 2).mean()",
    "view": "v.reshape(shape)",
}
OTHERS = [str(Path(__file__).parent), str(Path(np.__file__).parent), "<__array_function__"]


def type_error(text: str) -> TypeError:
    """Return a `TypeError` that a notebook shows as your line and its sentence."""
    return brief(TypeError(text))


def value_error(text: str) -> ValueError:
    """Return a `ValueError` that a notebook shows as your line and its sentence."""
    return brief(ValueError(text))


def attribute_error(text: str) -> AttributeError:
    """Return an `AttributeError` that a notebook shows as your line and its sentence."""
    return brief(AttributeError(text))


def brief(problem: Problem) -> Problem:
    """Return `problem`; a notebook shows it as your line and its sentence, without our frames.

    IPython calls `_render_traceback_` where an exception has it.
    """
    vars(problem)["_render_traceback_"] = partial(rendered, problem)
    return problem


def rendered(problem: Exception) -> list[str]:
    """Return the lines that a notebook shows: each of your lines that led here, then the error."""
    frames = [one for one in traceback.extract_tb(problem.__traceback__) if _is_yours(one)]
    shown = [text for one in frames for text in (_place(one), f"----> {_line(one)}", "")]
    return [*shown, f"{type(problem).__name__}: {problem}"]


def meant(problem: BaseException) -> str:
    """Return what an exception means, in one line: the kit's sentence where it is the cause.

    NumPy answers `array[i, j] = v` with an error of its own and names ours as the cause.
    """
    cause = problem.__cause__
    if cause is not None and hasattr(cause, "_render_traceback_"):
        problem = cause
    text = " ".join(str(problem).split())
    if isinstance(problem, AttributeError) and "'memoryview' object" in text:
        frame = traceback.extract_tb(problem.__traceback__)[-1]
        return (
            f"{frame.name} got an ndarray, wanted a Value ({frame.line}): call it with the Value "
            "itself, without .data"
        )
    return text


def instead(name: str) -> str:
    """Return the sentence that says what to write in place of `name`, or that it has none."""
    if name in INSTEAD:
        return f"Write {INSTEAD[name]}"
    return "Write it with functions that have a gradient rule, or give it one with Value.from_rule"


def _is_yours(frame: traceback.FrameSummary) -> bool:
    return not any(part in frame.filename for part in (*OTHERS, "/IPython/", "/ipykernel/"))


def _place(frame: traceback.FrameSummary) -> str:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    named: Any = getattr(getattr(shell, "compile", None), "format_code_name", lambda _: None)
    name = " ".join(named(frame.filename) or (frame.filename,))
    where = "" if frame.name == "<module>" else f", in {frame.name}"
    return f"{name}, line {frame.lineno}{where}"


def _line(frame: traceback.FrameSummary) -> str:
    return linecache.getline(frame.filename, frame.lineno or 0).strip()
