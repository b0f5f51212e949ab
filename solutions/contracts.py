"""Shape contracts of the reference, stated once above each function.

`@takes(Q="T_q D", K="T_k D")` checks that Q and K are 2-D and that D is the same in both.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def takes(**shapes: str) -> Callable[[Function], Function]:
    """Return a decorator that raises `ValueError` where an argument has not the shape stated."""

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs).arguments
            sizes: dict[str, int] = {}
            for name, wanted in shapes.items():
                _fit(f"{function.__name__}: {name}", given[name].shape, wanted.split(), sizes)
            return function(*args, **kwargs)

        return checked  # type: ignore[return-value]  # the wrapper keeps the signature

    return decorate


def _fit(who: str, got: tuple[int, ...], wanted: list[str], sizes: dict[str, int]) -> None:
    if len(got) == len(wanted):
        known = [sizes.setdefault(letter, size) for letter, size in zip(wanted, got, strict=True)]
        if known == list(got):
            return
    bound = "".join(f", {letter} = {sizes[letter]}" for letter in wanted if letter in sizes)
    raise ValueError(
        f"{who} has shape {got}, wanted ({', '.join(wanted)}){bound}; "
        "print the shapes just before this call"
    )
