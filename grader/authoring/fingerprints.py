"""Computes `course/attnkit/fingerprints.json`: the numbers that visible checks compare with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attnkit
import numpy as np
from attnkit import known

from grader import misconceptions
from grader.misconceptions import PIECES
from solutions import attention

PATH = Path(str(attnkit.__file__)).with_name("fingerprints.json")


def text() -> str:
    """Return the text of the file: one entry a line, the same bytes for the same sources."""
    return lay_out(fingerprints(), depth=3) + "\n"


def fingerprints() -> dict[str, Any]:
    """Return what is right, and what each wrong idea gives instead."""
    with np.errstate(all="ignore"):
        right = {piece: misconceptions.saw(piece, getattr(attention, piece)) for piece in PIECES}
        mistakes = {piece: _mistakes(piece, right[piece]) for piece in PIECES}
    return {
        "right": {piece: _numbers(saw) for piece, saw in right.items()},
        "mistakes": mistakes,
    }


def _mistakes(piece: str, right: dict[str, Any]) -> dict[str, Any]:
    return {
        one.name: {
            "when": one.does,
            "tell": one.tell,
            "lesson": one.lesson,
            "saw": _numbers(
                known.red(misconceptions.saw(piece, misconceptions.target(one)), right)
            ),
        }
        for one in misconceptions.of(piece)
    }


def _numbers(saw: dict[str, Any]) -> dict[str, Any]:
    return {name: plain(one) for name, one in saw.items()}


def plain(one: Any) -> Any:
    """Return what JSON can hold, rounded so that every machine writes the same digits."""
    if isinstance(one, np.ndarray):
        return plain(one.tolist())
    if isinstance(one, list):
        return [plain(each) for each in one]
    if isinstance(one, float):
        if not np.isfinite(one):
            return str(one)
        return one if abs(one) > 1e12 else float(f"{round(one, 11):.11g}") + 0.0
    return one


def lay_out(book: Any, depth: int, indent: str = "") -> str:
    """Return `book` as JSON with one line for each entry at `depth`."""
    if depth == 0 or not isinstance(book, dict) or not book:
        return json.dumps(book, ensure_ascii=False)
    lines = [
        f"{indent} {json.dumps(key)}: {lay_out(one, depth - 1, indent + ' ')}"
        for key, one in book.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
