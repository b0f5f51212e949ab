"""Computes `course/attnkit/answers.json`: the paper answers, sealed."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import attnkit
from attnkit import answers

import solutions
from grader import checks
from grader.authoring.fingerprints import lay_out

PATH = Path(str(attnkit.__file__)).with_name("answers.json")


@cache
def text() -> str:
    """Return the text of the file: one question a line, the same bytes for the same sources."""
    graded = {one for name in checks.names() for one in checks.find(name).exercises()}
    book = {name: answers.sealed(name, one(), name in graded) for name, one in paper_answers()}
    return lay_out(book, depth=1) + "\n"


def paper_answers() -> Iterator[tuple[str, Any]]:
    """Yield each exercise answered on paper: a function of `solutions` without arguments.

    A probe has none either, but many right answers.
    """
    for path in sorted(Path(str(solutions.__file__)).parent.glob("[a-z]*.py")):
        module = importlib.import_module(f"solutions.{path.stem}")
        for name, answer in vars(module).items():
            local = inspect.isfunction(answer) and answer.__module__ == module.__name__
            paper = local and not name.startswith(("_", "probe_"))
            if paper and not inspect.signature(answer).parameters:
                yield name, answer
