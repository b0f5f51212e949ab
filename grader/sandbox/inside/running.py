"""Runs one cell after the other, each statement by itself: what breaks costs itself only."""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

from . import idle, statements
from .names import Names
from .statements import Slip

LAST_SECOND = 1.0  # for what a cell still defines after its time
AGAIN = 0.5  # seconds until an interruption that was caught is repeated
MOST_FRAMES = 8
# Annotations are not evaluated: what they name may be missing here.
FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | __import__("__future__").annotations.compiler_flag


class TimeIsUp(BaseException):
    """The cell's time is over."""


class Alarm:
    """Interrupts what runs when its time is over, again and again."""

    def __init__(self) -> None:
        self.rang, self._armed = False, False

    @contextlib.contextmanager
    def after(self, seconds: float) -> Iterator[None]:
        """Raise `TimeIsUp` in what runs here, `seconds` from now."""
        signal.signal(signal.SIGALRM, self._ring)
        self._armed = True
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        try:
            yield
        finally:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, *_: Any) -> None:
        if self._armed:
            self.rang = True
            raise TimeIsUp


class Ran(NamedTuple):
    """How a cell went: what of it did not run, and whether its time ran out."""

    slips: list[Slip]
    cut: bool


class Runner:
    """Runs cells in IPython's shell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self.names = Names(shell.user_ns)

    def run(self, text: str, seconds: float, whole: bool) -> Ran:
        """Run a cell for so many seconds; after them, and if not `whole`, only what it defines."""
        nodes, slips = statements.of(text, self._shell.transform_cell)
        for node in nodes:
            self.names.written_inside |= statements.written_inside(node)
        name = self._begin(text)
        last = nodes[-1] if nodes and isinstance(nodes[-1], ast.Expr) else None
        todo = iter(nodes)
        alarm = Alarm()
        with _without_exits(), self._shell.builtin_trap, self._shell.display_trap:
            for patience, all_of_it in ((seconds, whole), (LAST_SECOND, False)):
                with contextlib.suppress(TimeIsUp), alarm.after(patience):
                    for node in todo:
                        if all_of_it or statements.defines(node):
                            self._statement(node, name, node is last, slips)
        return Ran(slips, alarm.rang)

    def _begin(self, text: str) -> str:
        """Count the cell as IPython does; return the name by which tracebacks find its text."""
        self._shell.history_manager.store_inputs(self._shell.execution_count, text)
        name = self._shell.compile.cache(text, self._shell.execution_count, raw_code=text)
        self._shell.execution_count += 1
        return str(name)

    def _statement(self, node: ast.stmt, name: str, is_shown: bool, slips: list[Slip]) -> None:
        """Run one statement; if it wants a package that is missing, once more with its name."""
        try:
            try:
                self._execute(_compiled(node, name, is_shown))
            except ModuleNotFoundError as error:
                slips.append(_slip(error, name))
                with idle.missing_packages(), self.names.not_lost_to(idle.is_absent):
                    self._execute(_compiled(node, name, is_shown))
        except TimeIsUp:
            raise
        except BaseException as error:
            slips.append(_slip(error, name))
            _show(error)
        finally:
            self.names.note()

    def _execute(self, code: CodeType) -> None:
        result = eval(code, self._shell.user_ns)
        if code.co_flags & inspect.CO_COROUTINE:
            self._shell.loop_runner(result)


def _compiled(node: ast.stmt, name: str, is_shown: bool) -> CodeType:
    tree = ast.Interactive([node]) if is_shown else ast.Module([node], [])
    code: CodeType = compile(tree, name, "single" if is_shown else "exec", FLAGS, True)
    return code


def _slip(error: BaseException, name: str) -> Slip:
    """Return the type of the error and the line of the cell, 0 where that is not known."""
    frames = list(traceback.walk_tb(error.__traceback__))[:MOST_FRAMES]
    lines = [line for frame, line in frames if frame.f_code.co_filename == name]
    if isinstance(error, SyntaxError) and not lines:
        lines = [error.lineno or 0]
    return Slip(type(error).__name__[:80], lines[0] if lines else 0)


def _show(error: BaseException) -> None:
    with contextlib.suppress(Exception):
        own = error.__traceback__
        while own is not None and own.tb_frame.f_globals.get("__name__") == __name__:
            own = own.tb_next
        traceback.print_exception(
            type(error), error, own, limit=MOST_FRAMES, file=sys.stdout, chain=False
        )


@contextlib.contextmanager
def _without_exits() -> Iterator[None]:
    """Make leaving the process cost a statement, not the lesson: honest cells do leave."""
    own, kept = os.getpid(), {name: getattr(os, name) for name in ("_exit", "abort")}

    def leave(code: int = 1) -> None:
        if os.getpid() != own:  # a child that the learner's code forked
            kept["_exit"](code)
        raise SystemExit(code)

    os._exit = os.abort = leave  # type: ignore[assignment]
    try:
        yield
    finally:
        for name, function in kept.items():
            setattr(os, name, function)
