"""What the four pieces took and gave while a forward ran: the arrays behind one output."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from attnkit.value import Value

# The names of what a piece takes, in order, and of what it gives; "" is not kept.
PIECES = {
    "attention_scores": (("Q", "K", ""), "scores"),
    "causal_mask": (("",), "mask"),
    "softmax": (("masked_scores",), "weights"),
    "apply_attention": (("", "V"), "attended"),
}
Kept = dict[str, list[Any]]


def watch(function: Callable[..., Any], *arguments: Any, **options: Any) -> Kept:
    """Return the arrays that the pieces took and gave, while `function(*arguments)` ran.

    The keys are Q, K, scores, mask, masked_scores, weights, V, attended and output.
    Each holds a list with one array for each call of the piece, empty where there was none.
    """
    kept: Kept = {name: [] for takes, gives in PIECES.values() for name in (*takes, gives) if name}
    with _recording(inspect.unwrap(function), kept):
        output = function(*arguments, **options)
    return kept | {"output": [_array(output)]}


def watch_once(function: Callable[..., Any], *arguments: Any, **options: Any) -> dict[str, Any]:
    """Return what `watch` keeps, one array for each name.

    `LookupError` where a piece was not called exactly once.
    """
    kept = watch(function, *arguments, **options)
    for piece, (_, gives) in PIECES.items():
        if len(kept[gives]) != 1:
            raise LookupError(_not_once(getattr(function, "__name__", ""), piece, len(kept[gives])))
    return {name: one for name, [one] in kept.items()}


def _not_once(who: str, piece: str, times: int) -> str:
    called = f"called {piece} {times} times" if times else f"did not call {piece}"
    return (
        f"{who} {called}, wanted once: a step that you write out may be right, "
        f"but it cannot be watched. Write {piece}(…) in its place, "
        "and run the cells from there on again."
    )


@contextmanager
def _recording(function: Any, kept: Kept) -> Iterator[None]:
    """For a while, give `function` pieces that note what they take and give."""
    names = function.__globals__
    pieces = {name: names[name] for name in PIECES if name in names}
    names.update({name: partial(_note, kept, name, piece) for name, piece in pieces.items()})
    try:
        yield
    finally:
        names.update(pieces)


def _note(kept: Kept, name: str, piece: Any, *arguments: Any, **options: Any) -> Any:
    takes, gives = PIECES[name]
    result = piece(*arguments, **options)
    given = zip(takes, (*arguments, *options.values()), strict=False)
    for key, one in [*given, (gives, result)]:
        if key:
            kept[key].append(_array(one))
    return result


def _array(one: Any) -> Any:
    return np.array(one.data if isinstance(one, Value) else one)
