"""One lesson of one learner before the judge: cells and checks in order, then the verdicts."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from grader import checks, misconceptions
from grader.checks import words
from grader.checks.interface import Piece
from grader.judging.dialogue import (
    Breach,
    Infrastructure,
    LearnerError,
    Process,
    RemotePiece,
    clean,
)
from grader.judging.inputs import seed_of
from grader.judging.verdict import Cell, CellRun, Lesson, LessonResult, Verdict
from grader.sandbox.walls import Limits

MOST_OUTPUT = 200_000  # characters that all cells of a lesson print
MOST_MESSAGE = 1000

Listen = Callable[[str, str, Piece], Piece]


class Bench(Protocol):
    """Where a trial gets its process from."""

    limits: Limits

    def begin(self) -> Process:
        """Return a process that has begun a lesson."""

    def end(self, process: Process) -> None:
        """Take the process back at the end of a lesson."""

    def clear(self) -> None:
        """End a process that broke."""


class Trial:
    """One lesson of one learner: its cells and checks in order, again without what broke it."""

    def __init__(self, lesson: Lesson, secret: str, bench: Bench, listen: Listen) -> None:
        self._lesson, self._bench, self._listen = lesson, bench, listen
        self._seed = seed_of(lesson, secret)
        self._limits = bench.limits
        self._verdicts: dict[str, Verdict] = {}
        self._runs: dict[str, CellRun] = {}
        self._broken: set[str] = set()
        self._current = ""
        self._deadline = 0.0
        self._room = MOST_OUTPUT

    def result(self) -> LessonResult:
        """Return the verdict of every check of the lesson."""
        began = time.monotonic()
        try:
            rest = self._attempts()
        except Exception as error:  # a fault of the grader; other lessons go on
            rest = Verdict("infrastructure", f"{type(error).__name__}: {error}")
            self._bench.clear()
        verdicts = {name: self._verdicts.get(name, rest) for name in self._lesson.checks}
        runs = [self._runs[cell.id] for cell in self._lesson.cells if cell.id in self._runs]
        fault = rest.message if rest.state == "infrastructure" else ""
        return LessonResult(verdicts, runs, time.monotonic() - began, fault)

    def _attempts(self) -> Verdict:
        """Run the lesson, again after each breach; return the verdict of checks not reached."""
        last = Verdict("not attempted", "The lesson was not run.")
        for _ in range(self._limits.replays + 1):
            try:
                process = self._bench.begin()
                self._deadline = self._deadline or time.monotonic() + self._limits.lesson
                self._attempt(process)
                self._bench.end(process)
                return last
            except Infrastructure as fault:
                self._bench.clear()
                return Verdict("infrastructure", str(fault))
            except Breach as breach:
                self._bench.clear()
                last = self._blame(breach)
            if time.monotonic() >= self._deadline:
                return last
        return last

    def _attempt(self, process: Process) -> None:
        self._current = ""
        if self._lesson.known_good:
            source = "\n\n".join(self._lesson.known_good.values())
            process.ask({"do": "offer", "source": _bytes(source)}, self._soon())
        for cell in self._steps():
            self._current = cell.id
            if cell.id in self._lesson.checks:
                self._verdicts[cell.id] = self._check(cell.id, process)
            else:
                self._runs[cell.id] = self._run(cell, process)
        with contextlib.suppress(Exception):  # a name is a courtesy: no verdict hangs on it
            self._name_mistakes(process)

    def _name_mistakes(self, process: Process) -> None:
        """Add to each failed verdict the known mistake whose numbers the piece gives."""
        failed = {name for name, one in self._verdicts.items() if one.state == "failed"}
        for exercise in misconceptions.PIECES:
            names = [name for name in failed if checks.find(name).exercise == exercise]
            if names and not process.breach:
                piece = self._piece(process, exercise)
                known = " or ".join(misconceptions.names_of(exercise, piece)) or None
                for name in names:
                    self._verdicts[name] = self._verdicts[name]._replace(misconception=known)

    def _steps(self) -> list[Cell]:
        """Return what is still to be run, in the order of the notebook."""
        placed = {cell.id for cell in self._lesson.cells}
        late = [Cell(name, "") for name in self._lesson.checks if name not in placed]
        done = self._broken | self._verdicts.keys()
        return [cell for cell in [*self._lesson.cells, *late] if cell.id not in done]

    def _run(self, cell: Cell, process: Process) -> CellRun:
        try:
            reply = process.ask({"do": "run", "source": _bytes(cell.source)}, self._soon())
        except LearnerError as error:
            return CellRun(cell.id, False, f"{error.kind}: {error}")
        return CellRun(cell.id, reply.get("ok") is True, self._text(reply.get("output")))

    def _check(self, name: str, process: Process) -> Verdict:
        """Return the verdict of one hidden check on what the learner wrote for it."""
        try:
            check = checks.find(name)
        except KeyError as error:
            return Verdict("infrastructure", str(error))
        pieces = [self._listen(name, one, self._piece(process, one)) for one in check.exercises()]
        try:
            with np.errstate(all="ignore"):
                check.function(*pieces, checks.random_stream(name, self._seed))
        except checks.CheckFailure as failure:
            verdict = Verdict("failed", clean(str(failure), MOST_MESSAGE))
        except LearnerError as error:
            verdict = self._raised(error.piece, error)
        except Breach:
            raise
        except Exception as error:
            who = " or ".join(f"`{one}`" for one in check.exercises())
            what = f"{who} gave something that cannot be read as its result"
            verdict = Verdict("failed", f"{what} ({type(error).__name__}).")
        else:
            verdict = Verdict("passed")
        if process.breach:
            raise process.breach
        return verdict

    def _piece(self, process: Process, exercise: str) -> RemotePiece:
        return RemotePiece(process, exercise, self._limits.call, self._deadline)

    def _raised(self, exercise: str, error: LearnerError) -> Verdict:
        if error.kind == "NotImplementedError":
            return Verdict("not attempted", f"`{exercise}` is not written yet.")
        if error.kind == "Missing":
            return self._undefined(exercise)
        return _stopped(exercise, error)

    def _undefined(self, exercise: str) -> Verdict:
        stopped = [run for run in self._runs.values() if not run.ok]
        if not stopped and not self._broken:
            return Verdict("not attempted", f"No cell defines `{exercise}`.")
        return Verdict("failed", f"`{exercise}` is not defined: a cell before it stopped.")

    def _blame(self, breach: Breach) -> Verdict:
        """Note what broke, so that the next attempt goes without it."""
        verdict = Verdict(breach.state, self._why(breach))
        if not self._current:
            return Verdict("infrastructure", str(breach))
        if self._current in self._lesson.checks:
            self._verdicts[self._current] = verdict
        else:
            self._runs[self._current] = CellRun(self._current, False, verdict.message)
            self._broken.add(self._current)
        return verdict

    def _why(self, breach: Breach) -> str:
        if breach.state != "timed out":
            return f"Stopped: {breach}."
        step, lesson = self._limits.call, self._limits.lesson
        return f"Stopped: {step:g} seconds is the most for a step, {lesson:g} for a lesson."

    def _soon(self) -> float:
        return min(self._deadline, time.monotonic() + self._limits.call)

    def _text(self, output: Any) -> str:
        if not isinstance(output, np.ndarray) or output.dtype != np.uint8:
            return ""
        text = clean(output.tobytes().decode("utf-8", "replace"), self._room)
        self._room -= len(text)
        return text


def _stopped(exercise: str, error: LearnerError) -> Verdict:
    """Return the verdict on a piece that raised: in our words, beside what the error said."""
    given = f", given {error.given}" if error.given else ""
    what = f"`{exercise}` stopped with {words.error_name(error.kind)}{given}."
    where = " Call it with your own numbers of this kind: the trace shows the line." * bool(given)
    return Verdict("failed", f"{what}{where}", said=f"{error.kind}: {error}")


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
