"""Hidden checks: plain functions `(piece, rng)` that return or raise `CheckFailure`.

A check's name is the grade_id of its cell, its docstring the property it tests, and the arguments
before `rng` are the exercises it tests, most often one. See `grader/checks/softmax.py`.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from typing import Any, NamedTuple
from warnings import catch_warnings

import numpy as np

from grader.checks.interface import CheckFailure, InProcess

__all__ = ["Check", "CheckFailure", "find", "names", "random_stream", "run"]


class Check(NamedTuple):
    """One hidden check: its name, the exercise it tests, the property in one sentence.

    `others` are the further exercises of a check that needs several at once.
    """

    name: str
    exercise: str
    property: str
    function: Callable[..., None]
    others: tuple[str, ...] = ()

    def exercises(self) -> tuple[str, ...]:
        """Return all exercises that the check tests, in the order of its arguments."""
        return (self.exercise, *self.others)


@cache
def _registry() -> dict[str, Check]:
    checks = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name in ("interface", "compare", "telling", "words"):
            continue
        for name, function in vars(importlib.import_module(f"{__name__}.{module.name}")).items():
            if inspect.isfunction(function) and _is_check(function, module.name):
                exercise, *others, _ = inspect.signature(function).parameters
                text = inspect.getdoc(function) or ""
                checks[name] = Check(name, exercise, text, function, tuple(others))
    return checks


def _is_check(function: Callable[..., Any], module: str) -> bool:
    local = function.__module__ == f"{__name__}.{module}" and function.__name__[0] != "_"
    *pieces, last = ["", *inspect.signature(function).parameters]
    return local and last == "rng" and len(pieces) > 1


def names() -> list[str]:
    """Return the name of every hidden check."""
    return list(_registry())


def find(name: str) -> Check:
    """Return the check called `name`; `KeyError` where there is none."""
    if name not in _registry():
        raise KeyError(
            f"no hidden check is called {name!r}; grader/checks has: {', '.join(names())}"
        )
    return _registry()[name]


def random_stream(name: str, seed: str) -> np.random.Generator:
    """Return the generator that check `name` draws from, the same for the same class seed."""
    return np.random.default_rng(list(hashlib.sha256(f"{seed}:{name}".encode()).digest()))


def run(name: str, *targets: Any, seed: str = "") -> None:
    """Run one hidden check in this process, as plain nbgrader does; raises `CheckFailure`.

    `targets` are what a learner wrote, one for each exercise of the check.
    What the piece prints or warns of is dropped: nbgrader gives 0 for any text on stderr.
    """
    check, rng = find(name), random_stream(name, seed)
    with (
        redirect_stdout(StringIO()),
        redirect_stderr(StringIO()),
        catch_warnings(action="ignore"),
        np.errstate(all="ignore"),
    ):
        check.function(*map(InProcess, targets), rng)
