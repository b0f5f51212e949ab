"""Graded notebooks as `nbgrader autograde` leaves them; the judge's words stand as outputs.

Markdown comes from the class, never from the learner: Formgrader would show it as it is.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from grader import nbgrader_api
from grader.grading.run import Graded, Result, Task
from grader.intake import plainfiles
from grader.intake.plainfiles import Refused
from grader.intake.work import Work
from grader.judging.verdict import CellRun
from grader.notebook import Notebook
from grader.room.classroom import Classroom

TIMESTAMP, SECRET = "timestamp.txt", "submission_secret.txt"
READ_ONLY = 0o444
MOST_LINES = 1000  # that nbgrader leaves of what a cell prints


class Autograded:
    """The folder `autograded` of a class."""

    def __init__(self, room: Classroom) -> None:
        self._room = room
        self._find = nbgrader_api.finder(room.root)

    @cached_property
    def _prepared(self) -> Mapping[str, Notebook]:
        return nbgrader_api.prepared(self._room.root, self._room.home(), self._room.release())

    @cached_property
    def _beside(self) -> Mapping[str, Mapping[Path, bytes]]:
        names = self._room.assignments
        return {name: nbgrader_api.files_beside(self._room.root, name) for name in names}

    def folder(self, student: str, assignment: str) -> Path:
        """Return where the learner's graded notebooks are."""
        return self._find("autograded", student, assignment)

    def timestamp(self, student: str, assignment: str) -> datetime | None:
        """Return when the graded work was handed in, as nbgrader reads it."""
        return nbgrader_api.moment(_content(self.folder(student, assignment) / TIMESTAMP))

    def write(self, work: Task, graded: Graded) -> None:
        """Put the learner's graded notebooks in place, those of an assignment all at once."""
        for assignment in handed_in(self._room, graded.result):
            folder = self.folder(work.student, assignment)
            made = folder.with_name(f".{folder.name}.new")
            old = folder.with_name(f".{folder.name}.old")
            for left in (made, old):  # by a run that was killed
                shutil.rmtree(left, ignore_errors=True)
            for name, content in self._files(assignment, work, graded):
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(READ_ONLY)
            if folder.exists():
                folder.rename(old)
            made.rename(folder)
            shutil.rmtree(old, ignore_errors=True)

    def _files(
        self, assignment: str, work: Task, graded: Graded
    ) -> Iterator[tuple[Path | str, bytes]]:
        yield from self._beside[assignment].items()
        for name in (TIMESTAMP, SECRET):
            content = self._stated(work.student, assignment, name)
            if content and (name == SECRET or nbgrader_api.moment(content)):
                yield name, content
        for name in handed_in(self._room, graded.result)[assignment]:
            lesson, runs = graded.result["lessons"][name], graded.runs.get(name, [])
            notebook = _notebook(self._prepared[name], work.works[name], lesson, runs)
            yield f"{name}.ipynb", _bytes(notebook)

    def _stated(self, student: str, assignment: str, name: str) -> bytes:
        return _content(self._room.handed_in(student, assignment) / name)


def handed_in(room: Classroom, result: Result) -> dict[str, list[str]]:
    """Return the lessons that were handed in, by assignment; none of one nobody handed in."""
    lessons: dict[str, list[str]] = {}
    for name, assignment in room.home().items():
        lesson = result["lessons"].get(name)
        if lesson and lesson["state"] != "not handed in":
            lessons.setdefault(assignment, []).append(name)
    return lessons


def _content(path: Path) -> bytes:
    """Return the content of a small plain file, nothing where there is none."""
    try:
        return plainfiles.read(path, most=1000)
    except Refused:
        return b""


def _notebook(
    prepared: Notebook, work: Work, lesson: Result, runs: Sequence[CellRun]
) -> dict[str, Any]:
    """Return the class's notebook with the learner's code, what it printed, and the verdicts.

    A file that nobody could read is the untouched lesson, with the reason in each graded cell.
    """
    given = {cell["id"]: cell for cell in prepared["cells"]}
    printed = {run.id: run for run in runs}
    cells = []
    for cell in (work.notebook or prepared)["cells"]:
        name = cell["id"]
        made = _cell(given.get(name), cell)
        if made["cell_type"] == "code":
            verdict, run = lesson["cells"].get(name), printed.get(name)
            outputs = _verdict(verdict) if verdict else _print(run) if run else []
            made |= {"execution_count": None, "outputs": outputs}
        cells.append(made)
    return {**prepared, "cells": cells}


def _cell(given: Notebook | None, cell: Notebook) -> dict[str, Any]:
    """Return a cell without outputs: the text is the learner's where it may be changed."""
    mark = given["metadata"].get("nbgrader", {}) if given else {}
    is_ours = given and (cell["cell_type"] != "code" or mark.get("locked"))
    text = given if given and is_ours else cell
    return {
        "cell_type": text["cell_type"],
        "id": text["id"],
        "metadata": given["metadata"] if given and mark else text["metadata"],
        "source": text["source"],
    }


def _verdict(verdict: Result) -> list[dict[str, Any]]:
    """Return nothing for what passed, as a test prints nothing; else an error with the message."""
    if verdict["state"] == "passed":
        return []
    known = verdict["misconception"]
    lines = [f"{verdict['state']}: {verdict['message']}".rstrip(": "), *([known] if known else [])]
    return [
        {
            "output_type": "error",
            "ename": verdict["state"],
            "evalue": verdict["message"],
            "traceback": lines,
        }
    ]


def _print(run: CellRun) -> list[dict[str, Any]]:
    lines = run.output.split("\n")
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "... Output truncated ..."]
    text = {"name": "stdout" if run.ok else "stderr", "text": "\n".join(lines)}
    return [{"output_type": "stream", **text}] if run.output else []


def _bytes(notebook: Mapping[str, Any]) -> bytes:
    return (json.dumps(notebook, ensure_ascii=False) + "\n").encode("utf-8", "replace")
