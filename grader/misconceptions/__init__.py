"""Every known wrong idea about the five pieces, once: one module a piece.

From this list come the fingerprints of the visible checks, the proof that hidden checks
catch each idea, the patients of the clinic and the class report.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import textwrap
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from attnkit import known
from attnkit.examples import Probe
from attnkit.probes import Seen, asker, observe

from solutions import attention

PIECES = {
    "softmax": "softmax",
    "attention_scores": "attention_scores",
    "causal_mask": "causal_mask",
    "apply_attention": "apply_attention",
    "SelfAttention": "self_attention",
}


class Misconception(NamedTuple):
    """A wrong idea: what it does, what to tell the learner, where it is taught, and the code.

    `does` completes "these are the numbers you get when …".
    `wrong` has the piece's signature; for SelfAttention it stands for `forward`.
    """

    name: str
    piece: str
    does: str
    tell: str
    lesson: str
    wrong: Callable[..., Any]


def misconception(does: str, tell: str, lesson: str) -> Callable[[Any], Any]:
    """Return a decorator that notes these three beside a wrong implementation."""

    def note(wrong: Any) -> Any:
        wrong.known_as = (does, tell, lesson)
        return wrong

    return note


@cache
def every() -> dict[str, Misconception]:
    """Return all wrong ideas by name, piece by piece."""
    found = {}
    for piece, module in PIECES.items():
        for name, wrong in vars(importlib.import_module(f"{__name__}.{module}")).items():
            if hasattr(wrong, "known_as"):
                does, tell, lesson = wrong.known_as
                found[name] = Misconception(name, piece, does, tell, lesson, wrong)
    return found


def of(piece: str) -> list[Misconception]:
    """Return the wrong ideas about one piece."""
    return [one for one in every().values() if one.piece == piece]


def target(one: Misconception) -> Any:
    """Return what a check is run on: the function, or SelfAttention with this `forward`.

    It remembers nothing of the last time, even where the idea is to keep something.
    """
    wrong = one.wrong
    defaults = copy.deepcopy(wrong.__defaults__)
    fresh = FunctionType(wrong.__code__, wrong.__globals__, one.piece, defaults)
    return as_class(fresh) if one.piece == "SelfAttention" else fresh


def as_class(forward: Callable[..., Any]) -> type:
    """Return SelfAttention as a learner has it, with `forward` replaced."""
    return type("SelfAttention", (attention.SelfAttention,), {"forward": forward})


def source(one: Misconception) -> str:
    """Return the code as it would stand in a learner's cell, under the piece's own name."""
    if hasattr(one.wrong, "text"):
        return str(one.wrong.text)
    node = ast.parse(textwrap.dedent(inspect.getsource(one.wrong))).body[0]
    assert isinstance(node, ast.FunctionDef)
    node.decorator_list = []
    node.name = one.piece
    for argument in node.args.args:
        argument.annotation = None
    node.returns = None
    return ast.unparse(node)


def saw(piece: str, subject: Any) -> dict[str, Any]:
    """Return the features of a function or class of this process, as a visible check sees them."""
    return known.features(observe(piece, asker(subject)))


def names_of(piece: str, subject: Any) -> list[str]:
    """Return the wrong ideas whose numbers a graded piece gives; none where it is right.

    `subject` is a piece as hidden checks get it, so this works through the judge's pipes.
    A mask that was handed out is overwritten: ask after the hidden checks, not before.
    """
    heads: dict[int, Any] = {}

    def ask(probe: Probe) -> Seen:
        if piece != "SelfAttention":
            return _ask(subject, probe)
        D = len(probe.parameters["W_q"])
        if D not in heads:
            heads[D] = subject(D, **probe.parameters)
        return _ask(heads[D], probe)

    return known.names(piece, observe(piece, ask))


def _ask(piece: Any, probe: Probe) -> Seen:
    reply = piece(*probe.arguments, upstream=probe.upstream, **probe.options, **probe.after)
    numbers = isinstance(reply.output, np.ndarray) and reply.type_name != "NoneType"
    arrays = [one for one in probe.arguments if isinstance(one, np.ndarray)]
    changed = tuple(
        not np.array_equal(one, array) for one, array in zip(reply.arguments, arrays, strict=True)
    )
    return Seen(reply.output if numbers else None, reply.grads, changed, reply.type_name)
