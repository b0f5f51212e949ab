"""One lesson of one learner before the judge: cells and checks in order, then the verdicts."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from grader import checks, misconceptions
from grader.checks import words
from grader.checks.interface import Piece
from grader.judging import causes
from grader.judging.budget import Budget
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
from grader.sandbox.inside.statements import Slip
from grader.sandbox.walls import Limits

MOST_OUTPUT = 200_000  # characters that all cells of a lesson print
MOST_MESSAGE = 1000

Listen = Callable[[str, str, Piece], Piece]
Message = dict[str, Any]


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
        self._slips: dict[str, list[Slip]] = {}
        self._short: dict[str, str] = {}  # cells of which only definitions are run, and why
        self._broken: dict[str, str] = {}  # cells that are not run again, and why
        self._current, self._was_asked = "", False
        self._deadline = 0.0
        self._budget = Budget(bench.limits)
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
        return LessonResult(verdicts, runs, time.monotonic() - began, fault, self._remarks())

    def _remarks(self) -> tuple[str, ...]:
        """Return what was cut short before the first check: later it might tell what was asked."""
        why = {**self._short, **self._broken}
        asked = self._lesson.checks
        before = itertools.takewhile(lambda cell: cell.id not in asked, self._lesson.cells)
        cells = [cell for cell in before if cell.id in why]
        return tuple(f"{causes.named(one, self._exercises())} {why[one.id]}" for one in cells)

    def _attempts(self) -> Verdict:
        """Run the lesson, again after each breach; return the verdict of checks not reached."""
        last = Verdict("not attempted", "The lesson was not run.")
        for _ in range(self._limits.replays + 1):
            try:
                process = self._bench.begin()
                self._attempt(process)
                self._bench.end(process)
                return last
            except Infrastructure as fault:
                self._bench.clear()
                return Verdict("infrastructure", str(fault))
            except Breach as breach:
                self._bench.clear()
                last = self._blame(breach)
            if self._budget.is_used_up():
                return last
        return last

    def _attempt(self, process: Process) -> None:
        self._current, self._was_asked = "", False
        if self._lesson.known_good:
            source = "\n\n".join(self._lesson.known_good.values())
            offer = {"do": "offer", "source": _bytes(source)}
            process.ask(offer, time.monotonic() + self._limits.call)
        for cell in self._steps():
            self._current = cell.id
            if cell.id not in self._lesson.checks:
                self._run(cell, process)
                continue
            self._was_asked = True
            with self._budget.check() as self._deadline:
                self._verdicts[cell.id] = self._check(cell.id, process)
        with (
            contextlib.suppress(Exception),  # a name is a courtesy: no verdict hangs on it
            self._budget.check() as self._deadline,
        ):
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
        done = self._broken.keys() | self._verdicts.keys()
        return [cell for cell in [*self._lesson.cells, *late] if cell.id not in done]

    def _run(self, cell: Cell, process: Process) -> None:
        """Run one cell; note what of it did not run."""
        if self._budget.has_no_cell_left():
            self._broken[cell.id] = "was not run: the cells before it had used up the time"
            return
        with self._budget.cell() as (seconds, deadline):
            request = {"do": "run", "source": _bytes(cell.source), "seconds": seconds}
            reply = self._reply({**request, "whole": cell.id not in self._short}, process, deadline)
        slips, cut = causes.slips(reply.get("slips"), cell), reply.get("cut") is True
        if not self._was_asked:  # what a line says later might be an answer about a hidden number
            self._slips[cell.id] = slips
        if cut and cell.id not in self._short:
            self._short[cell.id] = f"was stopped after {seconds:.2g} seconds"
        ok = not slips and not cut and cell.id not in self._short
        text = self._text(reply.get("output"))
        if cell.id in self._short:
            text += f"This cell {self._short[cell.id]}.\n"
        self._runs[cell.id] = CellRun(cell.id, ok, text)

    def _reply(self, request: dict[str, Any], process: Process, deadline: float) -> dict[str, Any]:
        try:
            return process.ask(request, deadline)
        except LearnerError as error:
            return {"slips": [[error.kind, 0]]}

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
        if error.kind == "NoFunction":
            why = causes.no_function(exercise, self._lesson.cells, self._exercises())
            return Verdict("failed", why)
        if hint := causes.hint(exercise, error.kind, self._lesson.cells):
            told = f"`{exercise}` stopped with {error.kind}: {hint}."
            return Verdict("failed", told, said=f"{error.kind}: {error}")
        return _stopped(exercise, error)

    def _undefined(self, exercise: str) -> Verdict:
        cells = self._lesson.cells
        halted = {**self._short, **self._broken}
        why = causes.undefined(exercise, cells, self._exercises(), self._slips, halted)
        found = causes.writer(exercise, cells) or causes.similar(exercise, cells)
        return Verdict("failed" if found else "not attempted", why)

    def _exercises(self) -> list[str]:
        known = [checks.find(one) for one in self._lesson.checks if one in checks.names()]
        return [name for one in known for name in one.exercises()]

    def _blame(self, breach: Breach) -> Verdict:
        """Note what broke, so that the next attempt goes without it.

        Of a cell that broke what it defines is run once more; a definition may stand in it.
        """
        name, verdict = self._current, Verdict(breach.state, self._why(breach))
        if not name:
            return Verdict("infrastructure", str(breach))
        if name in self._lesson.checks:
            self._verdicts[name] = verdict
            return verdict
        self._runs[name] = CellRun(name, False, verdict.message)
        late = f"was stopped after {self._limits.call:g} seconds"
        why = late if breach.state == "timed out" else "ended its process"
        (self._broken if name in self._short else self._short)[name] = why
        return verdict

    def _why(self, breach: Breach) -> str:
        if breach.state != "timed out":
            return f"Stopped: {breach}."
        step, lesson = self._limits.call, self._limits.lesson
        return f"Stopped: {step:g} seconds is the most for a step, {lesson:g} for a lesson."

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
