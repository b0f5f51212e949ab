"""Judges one lesson again and writes down what passed between checks and the learner's piece."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.checks.interface import Piece, Plain, Reply
from grader.judging.judge import Lesson, judge_learner
from grader.sandbox.walls import Limits, Wall


def replay(lesson: Lesson, secret: str, wall: Wall, limits: Limits = Limits()) -> str:  # noqa: B008
    """Return a transcript of judging `lesson`; the same text and secret give the same calls.

    It shows what hidden checks send: for the instructor, never for a learner.
    """
    calls: dict[str, list[str]] = {name: [] for name in lesson.checks}

    def listen(name: str, exercise: str, piece: Piece) -> Piece:
        calls[name].clear()  # an attempt before this one was broken off
        return _Heard(piece, exercise, calls[name])

    result = judge_learner([lesson], secret, wall, limits, listen)[lesson.name]
    lines = [f"{lesson.name}, wall {wall.name}, {result.seconds:.2f} s", ""]
    for run in result.runs:
        lines += [f"cell {run.id}: {'ran' if run.ok else 'stopped'}", *_indented(run.output), ""]
    for name, verdict in result.verdicts.items():
        lines += [f"{name}: {verdict.state} {verdict.message}".rstrip(), *calls[name], ""]
    return "\n".join(lines)


class _Heard:
    """A piece that notes each call and its reply."""

    def __init__(self, piece: Piece, name: str, lines: list[str]) -> None:
        self._piece, self._name, self._lines = piece, name, lines

    def __call__(self, *arguments: Any, upstream: np.ndarray | None = None, **options: Any) -> Any:
        given = [*map(_shown, arguments), *(f"{k}={_shown(v)}" for k, v in options.items())]
        if upstream is not None:
            given.append(f"upstream={_shown(upstream)}")
        self._lines += _indented(f"{self._name}({', '.join(given)})")
        try:
            reply = self._piece(*arguments, upstream=upstream, **options)
        except Exception as error:
            self._lines += _indented(f"-> {type(error).__name__}: {error}")
            raise
        if not isinstance(reply, Reply):
            return _Heard(reply, f"{self._name}(...).forward", self._lines)
        self._lines += _indented(f"-> {reply.type_name} {_shown(reply.output)}")
        self._lines += [
            line for grad in reply.grads for line in _indented(f"   gradient {_shown(grad)}")
        ]
        return reply


def _shown(item: Any) -> str:
    if isinstance(item, Plain):
        return f"Plain({_shown(item.array)})"
    if isinstance(item, tuple):
        return f"({', '.join(map(_shown, item))})"
    if not isinstance(item, np.ndarray):
        return repr(item)
    numbers = np.array2string(item, precision=6, threshold=80, max_line_width=90)
    return numbers if item.ndim < 2 else f"{item.shape}\n{numbers}"


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]
