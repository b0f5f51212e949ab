"""What a hidden check may see of a learner's piece: calls with arrays, replies of arrays."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from grader.checks import words
from grader.sandbox.inside.pieces import Plain, Reply, call, inject

__all__ = ["CheckFailure", "InProcess", "Piece", "Plain", "Reply"]


class CheckFailure(AssertionError):  # noqa: N818 (a verdict, not an error of the grader)
    """The piece does not hold a property; the message is for the learner."""


class Piece(Protocol):
    """One exercise of one learner, wherever it runs."""

    def __call__(self, *arguments: Any, upstream: np.ndarray | None = None, **options: Any) -> Any:
        """Return a `Reply`, or for a class a `Piece`: its `forward` with parameters injected."""


class InProcess:
    """A piece in this very process: for tests and plain nbgrader."""

    def __init__(self, target: Any, parameters: tuple[Any, ...] = ()) -> None:
        self._target, self._parameters = target, parameters

    def __call__(self, *arguments: Any, upstream: np.ndarray | None = None, **options: Any) -> Any:
        """Call the function, or build the class with the parameters in `options` injected."""
        if isinstance(self._target, type):
            built = inject(self._target, arguments, options)
            return InProcess(built.forward, tuple(getattr(built, name).W for name in options))
        reply = call(self._target, arguments, options, upstream, self._parameters)
        return reply._replace(type_name=words.type_name(reply.type_name))
