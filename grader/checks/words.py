"""Names that may stand in a message: of a learner's errors and types, those that everybody has.

A name that the learner chose could spell out what a hidden check sent.
"""

from __future__ import annotations

import builtins
import types
from fractions import Fraction

import attnkit
import numpy as np
from attnkit.results import OTHER_ARRAYS

_BUILT_IN = [one for one in vars(builtins).values() if isinstance(one, type)]
_OF_PYTHON = [getattr(types, name) for name in types.__all__]
_OF_NUMPY = [one for one in vars(np).values() if isinstance(one, type)]
_OF_THE_KIT = [attnkit.Value, attnkit.Linear]

ERRORS = frozenset(
    one.__name__
    for one in [*_BUILT_IN, np.linalg.LinAlgError, np.exceptions.AxisError]
    if issubclass(one, BaseException)
)
TYPES = frozenset(
    one.__name__
    for one in [*_BUILT_IN, *_OF_PYTHON, *_OF_NUMPY, *_OF_THE_KIT, np.ma.MaskedArray, Fraction]
    if isinstance(one, type) and not issubclass(one, BaseException)
) | {"array of no numbers", *OTHER_ARRAYS.values()}


def error_name(kind: str) -> str:
    """Return the name of a kind of error, or in words that the learner's code made it."""
    return kind if kind in ERRORS else "an error of your own"


def type_name(name: str) -> str:
    """Return the name of a type, or in words that the learner's code made it."""
    return name if name in TYPES else "(your own)"
