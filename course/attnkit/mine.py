"""Your own pieces from earlier lessons: `from attnkit.mine import softmax`.

The import reads the notebook where the piece was written, as it was last saved, and prints when
that was. It runs the imports, functions and classes of that notebook and nothing else.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import linecache
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from attnkit.errors import rendered

LESSONS = {
    "softmax": "03_softmax",
    "attention_scores": "04_attention_scores",
    "causal_mask": "05_causal_mask",
    "apply_attention": "06_apply_attention",
    "SelfAttention": "07_self_attention",
}
# Set where a class is graded: the module whose versions are taken in place of the learner's.
GRADED = "ATTNKIT_MINE"

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SHELL_LINE = re.compile(r"^([ \t]*)[%!?].*$", re.MULTILINE)


class Cell(NamedTuple):
    """What is run of one code cell, or why it is no Python; `name` is for tracebacks."""

    name: str
    text: str
    statements: list[ast.stmt]
    slip: str = ""


class Missing(Exception):  # noqa: N818 (becomes an ImportError)
    """Why the piece cannot be carried over, as the end of a sentence."""


class CarryError(ImportError):
    """No piece of this name can be carried over."""

    def _render_traceback_(self) -> list[str]:
        return rendered(self)


def __getattr__(name: str) -> Any:
    if name not in LESSONS:
        raise AttributeError(f"attnkit.mine has {', '.join(LESSONS)}, not {name}")
    if module := os.environ.get(GRADED):
        print(f"{name:<17} the course's own version, for grading")
        return getattr(importlib.import_module(module), name)
    file = f"{LESSONS[name]}.ipynb"
    path = _find(file)
    if path is None:
        raise CarryError(
            f"{name}: {file} is neither in this folder nor in a folder beside it; put the notebook "
            f"here, write {name} in it, save it, and run this cell again"
        )
    saved = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    try:
        piece = _piece(name, path)
    except Missing as why:
        raise CarryError(
            f"{name}: in {file}, saved {saved}, {why}, save the notebook, and run this cell again"
        ) from None
    where = file if path.parent == Path.cwd() else f"{path.parent.name}/{file}, the folder beside"
    print(f"{name:<17} from {where}, saved {saved}")
    return piece


def _find(file: str) -> Path | None:
    """Return the notebook in this folder, or the one saved last in the folders beside it.

    What another person owns is not run: folders of many may stand side by side.
    """
    here = Path.cwd()
    if (here / file).is_file():
        return here / file
    me = {here.lstat().st_uid, getattr(os, "getuid", int)()}  # everybody is 0 on Windows
    found = [path for path in here.parent.glob(f"*/{file}") if path.parent.name[0] != "."]
    beside = [path for path in found if path.lstat().st_uid in me]
    return max(beside, key=lambda path: path.stat().st_mtime, default=None)


def _piece(name: str, path: Path) -> Any:
    """Return the last version of the piece in the notebook; `Missing` says what is wrong."""
    cells = _read(path)
    versions = [node for cell in cells for node in cell.statements if name in _binds(node)]
    if not versions or _is_stub(versions[-1]):
        slips = [cell.slip for cell in cells if cell.slip and re.search(rf"\b{name}\b", cell.text)]
        raise Missing(f"{slips[-1]}: mend it" if slips else "it is not written yet: write it there")
    names, failed = _run(cells, path.stem)
    for one in [name, *sorted(_uses(versions[-1]))]:
        if one in failed:
            raise Missing(f"the line that makes {one} raised {failed[one]}: mend it")
        if one not in names and not hasattr(builtins, one):
            raise Missing(
                f"it uses {one}, and only imports, functions and classes are carried over: "
                f"set {one} inside {name}"
            )
    return names[name]


def _read(path: Path) -> list[Cell]:
    try:
        found = json.loads(path.read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise Missing("no notebook can be read: open it in JupyterLab") from None
    return [_cell(f"<{path.name}, code cell {i}>", text) for i, text in enumerate(code, start=1)]


def _cell(name: str, text: str) -> Cell:
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    try:
        body = _parsed(text).body
    except SyntaxError as error:
        return Cell(name, text, [], f"line {error.lineno} of its cell is no Python ({error.msg})")
    return Cell(name, text, [node for node in body if isinstance(node, IMPORTS) or _binds(node)])


def _parsed(text: str) -> ast.Module:
    """Return the syntax tree of a cell, without its lines for the shell."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.parse(SHELL_LINE.sub(r"\1pass", text))


def _run(cells: list[Cell], module: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the names that all statements leave, and for each that failed what it raised."""
    names: dict[str, Any] = {"__name__": module}
    failed: dict[str, str] = {}
    for cell in cells:
        for node in cell.statements:
            bound = [one.asname or one.name for one in getattr(node, "names", [])] + _binds(node)
            try:
                exec(compile(ast.Module([node], []), cell.name, "exec"), names)
            except CarryError:
                raise  # that notebook carries over a piece itself: its message names the one
            except Exception as error:
                failed |= dict.fromkeys(bound, f"{type(error).__name__}: {error}")
            else:
                failed = {one: raised for one, raised in failed.items() if one not in bound}
    return names, failed


def _binds(node: ast.stmt) -> list[str]:
    """Return the names that a function, a class or a second name for one is given."""
    if isinstance(node, DEFINITIONS):
        return [node.name]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda | ast.Name):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _is_stub(node: ast.stmt) -> bool:
    """Return whether a function or a method begins with `raise NotImplementedError`."""
    if isinstance(node, ast.ClassDef):
        return any(map(_is_stub, node.body))
    if not isinstance(node, ast.FunctionDef):
        return False
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return bool(body) and ast.unparse(body[0]).startswith("raise NotImplementedError")


def _uses(node: ast.stmt) -> set[str]:
    """Return the names that a definition takes from outside."""
    inside = list(ast.walk(node))
    names = [one for one in inside if isinstance(one, ast.Name)]
    bound = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
    bound |= {one.arg for one in inside if isinstance(one, ast.arg)}
    bound |= {str(getattr(one, "asname", None) or getattr(one, "name", "")) for one in inside}
    return {one.id for one in names} - bound
