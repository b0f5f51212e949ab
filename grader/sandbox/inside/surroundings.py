"""What a function finds around it when it is asked: as at the start, whatever cells left behind."""

from __future__ import annotations

import builtins
import contextlib
import math
import random
import sys
import time
import warnings
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
        self._kept = [(one, dict(vars(one))) for one in WATCHED]
        self._printed, self._depth = np.get_printoptions(), sys.getrecursionlimit()
        self._out = out

    @contextlib.contextmanager
    def restored(self) -> Iterator[None]:
        """Put back what cells changed; meanwhile no warning and no error state counts."""
        for one, kept in self._kept:
            now = vars(one)
            for name, content in kept.items():
                if now.get(name) is not content:
                    setattr(one, name, content)
        np.set_printoptions(**self._printed)
        sys.settrace(None)
        sys.setprofile(None)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), self._depth))
        sys.stdout = sys.stderr = self._out
        with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
            yield
