"""Why a piece is not there, told in our words from the text of the cells.

What may stand in a message: words of ours, names of Python's own exceptions, numbers of cells
and lines, and names that stand in the learner's text, which was there before any question.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.intake import definitions
from grader.judging.verdict import Cell
from grader.sandbox import exposed
from grader.sandbox.inside.idle import SHOWN_ONLY
from grader.sandbox.inside.statements import Slip

AT_HAND = {*sys.stdlib_module_names, *exposed.LINKED} | {one.split(".")[0] for one in SHOWN_ONLY}
IMPORTED = re.compile(r"^[ \t]*(?:import|from)[ \t]+([A-Za-z_]\w{0,40})", re.MULTILINE)
UNREADABLE = ("SyntaxError", "IndentationError", "TabError")
MOST_NAMES = 3


def slips(told: Any, cell: Cell) -> list[Slip]:
    """Return what a process says did not run of a cell: kinds of errors, and lines it has."""
    last = cell.source.count("\n") + 1
    found = []
    for one in told if isinstance(told, list) else [None]:
        kind, line = one if isinstance(one, list) and len(one) == 2 else ("", 0)
        is_line = type(line) is int and 0 < line <= last
        found.append(Slip(known(kind), line if is_line else 0))
    return found


def named(cell: Cell, exercises: Sequence[str]) -> str:
    """Return what a learner calls this cell: by its exercise, else by its number."""
    if cell.id in exercises:
        return f"the cell of `{cell.id}`"
    return f"code cell {cell.number}" if cell.number else f"the cell {cell.id}"


def writer(name: str, cells: Sequence[Cell]) -> Cell | None:
    """Return the last cell whose text gives `name` to something."""
    found = [cell for cell in cells if _line_of(name, cell)]
    return found[-1] if found else None


def _line_of(name: str, cell: Cell) -> int:
    """Return the last line that gives `name` to something, 0 where none does."""
    text = rf"^[ \t]*(?:(?:async +)?def|class)[ \t]+{name}\b|^[ \t]*{name}[ \t]*(?::[^=\n]*)?=(?!=)"
    found = [*re.finditer(text, cell.source, re.MULTILINE)]
    return cell.source.count("\n", 0, found[-1].start()) + 1 if found else 0


def _to_blame(slips: Sequence[Slip], line: int) -> Slip:
    """Return the slip that kept a definition in this line from being run: in it, or before it."""
    inside = [one for one in slips if one.line >= line and one.kind in UNREADABLE]
    before = [one for one in slips if one.line <= line]
    return [*inside, *before[::-1], *slips][0]


def _stopped(slip: Slip) -> str:
    return f"stopped with {slip.kind}" + (f" in line {slip.line}" if slip.line else "")


def known(kind: Any) -> str:
    """Return the name of one of Python's own exceptions; another name might say anything."""
    own = getattr(builtins, kind, None) if isinstance(kind, str) else None
    is_own = isinstance(own, type) and issubclass(own, BaseException)
    return str(kind) if is_own else "an exception of its own"


def similar(name: str, cells: Sequence[Cell]) -> tuple[str, Cell] | None:
    """Return a function or class whose name is nearly `name`, and its cell."""
    for cell in reversed(cells):
        plain = {one.lower().replace("_", ""): one for one in definitions.names(cell.source)}
        near = difflib.get_close_matches(name.lower().replace("_", ""), plain, 1, 0.8)
        if near and plain[near[0]] != name:
            return plain[near[0]], cell
    return None


def missing_packages(cells: Sequence[Cell]) -> str:
    """Return a sentence about packages that the cells import and that are not here, or ""."""
    texts = "\n".join(cell.source for cell in cells)
    names = dict.fromkeys(one for one in IMPORTED.findall(texts) if one not in AT_HAND)
    if not names:
        return ""
    return (
        f"{', '.join([*names][:MOST_NAMES])} {'is' if len(names) == 1 else 'are'} not available "
        "where this is graded; the course needs NumPy and attnkit only"
    )


def unbound(name: str, cells: Sequence[Cell]) -> list[str]:
    """Return names that the definition of `name` uses and no cell defines or imports."""
    trees = [tree for cell in cells if (tree := definitions.parsed(cell.source))]
    if any(one.names[0].name == "*" for one in _all(trees, ast.ImportFrom)):
        return []
    own = [one for one in _all(trees, ast.FunctionDef, ast.ClassDef) if one.name == name]
    bound = {*_bound(trees), *dir(builtins)}
    loads = [one.id for one in _all(own[-1:], ast.Name) if isinstance(one.ctx, ast.Load)]
    return sorted({*loads} - bound)[:MOST_NAMES]


def _all(trees: Sequence[ast.AST], *kinds: type) -> Iterator[Any]:
    return (one for tree in trees for one in ast.walk(tree) if isinstance(one, kinds))


def _bound(trees: Sequence[ast.AST]) -> Iterator[str]:
    for one in _all(trees, ast.AST):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            yield one.id
        elif isinstance(one, ast.arg):
            yield one.arg
        elif isinstance(one, ast.alias):
            yield (one.asname or one.name).partition(".")[0]
        elif name := getattr(one, "name", None):  # of a function, a class, a caught exception
            yield str(name)


def undefined(
    name: str,
    cells: Sequence[Cell],
    exercises: Sequence[str],
    slips: Mapping[str, Sequence[Slip]],
    halted: Mapping[str, str],
) -> str:
    """Return why no function `name` is there."""
    cell = writer(name, cells)
    if cell is None:
        return _no_cell(name, cells, exercises)
    where = named(cell, exercises)
    if cell.id in halted:
        return f"`{name}` is not defined: {where} {halted[cell.id]}."
    if not slips.get(cell.id):
        return f"`{name}` is not defined: {where} did not come as far as its definition."
    slip = _to_blame(slips[cell.id], _line_of(name, cell))
    package = missing_packages([cell]) if slip.kind in ("ModuleNotFoundError", "NameError") else ""
    told = f"`{name}` is not defined: {where} {_stopped(slip)}"
    return f"{told}; {package}." if package else f"{told}."


def _no_cell(name: str, cells: Sequence[Cell], exercises: Sequence[str]) -> str:
    found = similar(name, cells)
    if found is None or found[0] in exercises:
        return f"No cell defines `{name}`."
    return (
        f"No cell defines `{name}`; {named(found[1], exercises)} defines `{found[0]}`, and the "
        "name must agree in every letter."
    )


def no_function(name: str, cells: Sequence[Cell], exercises: Sequence[str]) -> str:
    """Return why `name` cannot be called."""
    cell = writer(name, cells)
    where = named(cell, exercises) if cell else "a cell"
    return f"`{name}` is no function: {where} gives this name to something else."


def hint(name: str, kind: str, cells: Sequence[Cell]) -> str:
    """Return what `name` lacks here if it stopped with an exception of this kind, or ""."""
    if kind in ("ModuleNotFoundError", "ImportError"):
        return missing_packages(cells)
    lacking = unbound(name, cells) if kind == "NameError" else []
    return f"no cell defines or imports {', '.join(lacking)}" if lacking else ""
