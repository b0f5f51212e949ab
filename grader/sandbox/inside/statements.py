"""A cell's text as statements: what is no Python is left out, with the block it stands in."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import NamedTuple

MOST_SLIPS = 20
# What these measure is of no weight; what stands in their cell is run as it is.
MEASURING = re.compile(r"\s*%%(time|capture|prun|memit)\b[^\n]*")
OWNER = re.compile(r"after .* on line (\d+)")  # "expected an indented block after …"
CLOSING = (" ", "\t", ")", "]", "}", "\n", "#")


class Slip(NamedTuple):
    """Why something of a cell did not run: the type of the error and the line it stands in."""

    kind: str
    line: int


def of(text: str, transform: Callable[[str], str]) -> tuple[list[ast.stmt], list[Slip]]:
    """Return the statements of a cell, and what had to be left out of it.

    `transform` turns lines for the shell into Python. Imports of several names are taken apart:
    one that is missing costs no other.
    """
    lines = transform(MEASURING.sub("pass", text, count=1)).split("\n")
    slips: list[Slip] = []
    while len(slips) < MOST_SLIPS:
        try:
            return [part for one in _parsed(lines) for part in _apart(one)], slips
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = _line(error)
            slips.append(Slip(type(error).__name__, line))
            if not _left_out(lines, line):
                break
    return [], slips


def _parsed(lines: list[str]) -> list[ast.stmt]:
    return ast.parse("\n".join(lines)).body


def _line(error: Exception) -> int:
    """Return the line that is to blame, from 1; 0 where the error names none."""
    if not isinstance(error, SyntaxError):
        return 0
    owner = OWNER.search(error.msg or "")
    return int(owner[1]) if owner else error.lineno or 0


def _left_out(lines: list[str], line: int) -> bool:
    """Empty the block that a line stands in; return whether there was anything to empty."""
    first = min(line, len(lines)) - 1
    while first > 0 and not _begins(lines[first]):
        first -= 1
    last = first + 1
    while last < len(lines) and not _begins(lines[last]):
        last += 1
    was = "".join(lines[max(first, 0) : last]).strip()
    lines[max(first, 0) : last] = [""] * (last - max(first, 0))
    return line > 0 and bool(was)


def _begins(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(CLOSING)


def _apart(node: ast.stmt) -> list[ast.stmt]:
    if isinstance(node, ast.Import):
        return [ast.copy_location(ast.Import([one]), node) for one in node.names]
    if isinstance(node, ast.ImportFrom):
        parts = [ast.ImportFrom(node.module, [one], node.level) for one in node.names]
        return [ast.copy_location(one, node) for one in parts]
    return [node]


def defines(node: ast.stmt) -> bool:
    """Return whether a statement only defines or imports something, and so takes no time."""
    if isinstance(node, ast.Assign):
        value = node.value.operand if isinstance(node.value, ast.UnaryOp) else node.value
        return isinstance(value, ast.Lambda | ast.Name | ast.Constant)
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return isinstance(node, kinds)


def written_inside(node: ast.stmt) -> set[str]:
    """Return the names that functions in this statement change by `global`."""
    return {name for one in ast.walk(node) if isinstance(one, ast.Global) for name in one.names}
