"""Right answers in the styles that learners use: each must get full points and no name."""

import importlib
import inspect

from grader.misconceptions import PIECES


def functions(package: str):
    """Yield (piece, name, function) of each answer in a package with one module a piece."""
    for piece, module in PIECES.items():
        code = importlib.import_module(f"{package}.{module}")
        for name, function in list(vars(code).items()):  # a warning adds a name
            local = inspect.isfunction(function) and function.__module__ == code.__name__
            if local and not name.startswith("_"):
                yield piece, name, function


def every():
    """Yield (piece, name, function) of each right answer."""
    return functions(__name__)
