"""Cuts an exercise out of `solutions`: what the learner sees, and what the learner writes."""

from __future__ import annotations

import ast
import copy
import textwrap
from functools import cache
from pathlib import Path
from typing import NamedTuple

import solutions

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


class Exercise(NamedTuple):
    """`head` stands in every version of the cell, `body` is the reference's answer."""

    name: str
    module: str
    head: str
    body: str


def find(name: str) -> Exercise:
    """Return the exercise called `name`; `KeyError` where `solutions` has none."""
    known = _all()
    if name not in known:
        raise KeyError(f"no exercise is called {name!r}; solutions has: {', '.join(sorted(known))}")
    return known[name]


def names() -> list[str]:
    """Return the name of every exercise."""
    return list(_all())


def answer(exercise: Exercise) -> str:
    """Return what a learner is to write: the gap where the body marks one, else the body."""
    return exercise.body.partition(BEGIN)[2].partition(END)[0] or exercise.body


def solved_text(exercise: Exercise) -> str:
    """Return the cell's text with the answer in place and no marker."""
    lines = f"{exercise.head}\n{exercise.body}".split("\n")
    return "\n".join(line for line in lines if line.strip() not in (BEGIN, END))


def completed(exercise: Exercise, answer: str) -> str:
    """Return the cell's text for an `answer` that is the whole cell, or a class's last method."""
    given, method, _ = exercise.head.rpartition("\n    def ")
    if answer.startswith("def ") and method:
        return f"{given}\n{textwrap.indent(answer, '    ')}"
    return answer


def source_text(exercise: Exercise) -> str:
    """Return the cell's text with the answer between nbgrader's markers.

    The answer is the whole body, or the gap that the body marks itself.
    """
    if BEGIN in exercise.body:
        return f"{exercise.head}\n{exercise.body}"
    indent = " " * (len(exercise.body) - len(exercise.body.lstrip(" ")))
    return "\n".join([exercise.head, indent + BEGIN, exercise.body, indent + END])


@cache
def _all() -> dict[str, Exercise]:
    files = sorted(Path(str(solutions.__file__)).parent.glob("*.py"))
    cut = [_cut(path.stem, path.read_text("utf-8")) for path in files if path.stem != "contracts"]
    return {exercise.name: exercise for module in cut for exercise in module}


def _cut(module: str, text: str) -> list[Exercise]:
    lines = text.splitlines()
    tops = [node for node in ast.parse(text).body if not getattr(node, "name", "_").startswith("_")]
    functions = [_cut_function(module, lines, n) for n in tops if isinstance(n, ast.FunctionDef)]
    classes = [_cut_class(module, lines, n) for n in tops if isinstance(n, ast.ClassDef)]
    return functions + classes


def _cut_function(module: str, lines: list[str], node: ast.FunctionDef) -> Exercise:
    return Exercise(node.name, module, _head(lines, node), _body(lines, node))


def _cut_class(module: str, lines: list[str], node: ast.ClassDef) -> Exercise:
    """The last method is the exercise; the class and all before it are given."""
    *given, last = [child for child in node.body if isinstance(child, ast.FunctionDef)]
    parts = [f"class {node.name}:", _docstring(lines, node), ""]
    for method in given:
        parts += [_head(lines, method), _body(lines, method), ""]
    return Exercise(node.name, module, "\n".join([*parts, _head(lines, last)]), _body(lines, last))


def _head(lines: list[str], node: ast.FunctionDef) -> str:
    """Return signature (without annotations) and docstring."""
    bare = copy.deepcopy(node.args)
    for argument in ast.walk(bare):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    signature = f"{' ' * node.col_offset}def {node.name}({ast.unparse(bare)}):"
    return "\n".join(filter(None, [signature, _docstring(lines, node)]))


def _docstring(lines: list[str], node: ast.FunctionDef | ast.ClassDef) -> str:
    if ast.get_docstring(node) is None:
        return ""
    text = node.body[0]
    return "\n".join(lines[text.lineno - 1 : text.end_lineno])


def _body(lines: list[str], node: ast.FunctionDef) -> str:
    documented = ast.get_docstring(node) is not None
    start = node.body[0].end_lineno if documented else node.body[0].lineno - 1
    return "\n".join(lines[start : node.end_lineno]).strip("\n")
