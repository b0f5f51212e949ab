"""The seconds of a lesson: its cells have theirs, and its checks have theirs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from grader.sandbox.walls import Limits

LEAST = 1.0  # seconds that a cell has when those before it used up theirs
PATIENCE = 2.0  # seconds more until a process that does not interrupt its cell is ended


class Budget:
    """What is left of a lesson's time, all attempts together."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._cells = self._checks = 0.0

    @contextlib.contextmanager
    def cell(self) -> Iterator[tuple[float, float]]:
        """Give the seconds that the next cell has, and the deadline of waiting for it."""
        seconds = min(self._limits.call, max(LEAST, self._limits.cells - self._cells))
        began = time.monotonic()
        try:
            yield seconds, began + seconds + PATIENCE
        finally:
            self._cells += time.monotonic() - began

    @contextlib.contextmanager
    def check(self) -> Iterator[float]:
        """Give the deadline of the next check."""
        began = time.monotonic()
        try:
            yield began + self._limits.lesson - self._checks
        finally:
            self._checks += time.monotonic() - began

    def has_no_cell_left(self) -> bool:
        """Return whether the cells took twice their time: those that follow are not run."""
        return self._cells >= 2 * self._limits.cells

    def is_used_up(self) -> bool:
        """Return whether no further attempt may be made."""
        return self.has_no_cell_left() or self._checks >= self._limits.lesson
