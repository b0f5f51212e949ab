"""What a function finds around it when it is asked: as at the start, whatever cells left behind."""

from __future__ import annotations

import builtins
import contextlib
import math
import random
import signal
import sys
import time
import warnings
from builtins import setattr as put  # by names that a cell cannot exchange
from builtins import vars as contents
from collections.abc import Iterator
from typing import Any

import attnkit
import numpy as np
from attnkit import Linear, Value, einsum, nn, rules, value

from . import pieces, wire

# In these, what was exchanged for something else is put back; what was added stays.
WATCHED: tuple[Any, ...] = (
    builtins, math, random, time, warnings, np, np.random, np.linalg,
    attnkit, value, rules, nn, einsum, Value, Linear, pieces, wire,
)  # fmt: skip


class Surroundings:
    """Modules, settings of NumPy and the interpreter's own, as they were when this was made."""

    def __init__(self, out: Any) -> None:
        self._kept = [(one, dict(contents(one))) for one in WATCHED]
        self._printed, self._depth = np.get_printoptions(), sys.getrecursionlimit()
        self._out = out

    def mend(self) -> None:
        """Put back what was exchanged for something else."""
        for one, kept in self._kept:
            now = contents(one)
            for name, content in kept.items():
                if now.get(name) is not content:
                    put(one, name, content)

    @contextlib.contextmanager
    def restored(self) -> Iterator[None]:
        """Put back all that cells changed; meanwhile no warning and no error state counts."""
        self.mend()
        np.set_printoptions(**self._printed)
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.settrace(None)
        sys.setprofile(None)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), self._depth))
        sys.stdout = sys.stderr = self._out
        with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
            yield
