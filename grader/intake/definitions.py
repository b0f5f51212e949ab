"""What a cell's text defines, read from the text alone."""

from __future__ import annotations

import ast
import hashlib
import re
import textwrap
import warnings
from functools import lru_cache

LONGEST = 2**14
BINDING = re.compile(r"^(?:async +def|def|class) +(\w+)", re.MULTILINE)
MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parsed(text: str) -> ast.Module | None:
    """Return the syntax tree of `text`, or None where it is not plain Python."""
    return _tree(code(text))


def code(text: str) -> str:
    """Return the Python in `text`: all of it, or of Markdown what stands between its fences."""
    blocks = FENCED.findall(text)
    return textwrap.dedent("\n".join(blocks) if blocks and _tree(text) is None else text)


def _tree(text: str) -> ast.Module | None:
    if len(text) > LONGEST:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(textwrap.dedent(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """Return the names that `text` gives to functions and classes.

    Text that does not parse (a slip, a magic) is read by its `def NAME` lines.
    """
    tree = parsed(text)
    if tree is None:
        return frozenset(BINDING.findall(textwrap.dedent(text)))
    return frozenset(name for node in tree.body for name in _bound(node))


def is_python(text: str) -> bool:
    """Return whether `text` is Python, apart from IPython's magics; long text is taken to be."""
    return len(text) > LONGEST or parsed(MAGIC.sub("", text)) is not None


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda | ast.Name):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def only(text: str) -> str:
    """Return the imports, functions and classes of `text`, all of it where it does not parse."""
    tree = parsed(text)
    if tree is None:
        return text
    lines = code(text).split("\n")
    kept = [node for node in tree.body if isinstance(node, KEPT) or _bound(node)]
    return "\n".join("\n".join(lines[_first_line(node) - 1 : node.end_lineno]) for node in kept)


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def same(one: str, other: str) -> bool:
    """Return whether the two texts differ in blanks and comments at most."""
    return key(one) == key(other)


@lru_cache(maxsize=4096)
def key(text: str) -> bytes:
    """Return a hash that texts share which differ in blanks and comments at most."""
    tree = parsed(text)
    try:
        plain = ast.dump(tree) if tree and tree.body else " ".join(text.split())
    except RecursionError:
        plain = text
    return hashlib.sha256(plain.encode("utf-8", "replace")).digest()


def binds(text: str) -> bool:
    """Return whether `text` may leave a name behind: anything but bare expressions does."""
    tree = parsed(text)
    return tree is None or not all(isinstance(node, ast.Expr) for node in tree.body)


def continues(text: str, before: str) -> bool:
    """Return whether `text` is the indented rest of `before`: one cell that was split."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    is_rest = first[:1] in (" ", "\t") and not names(text)
    return is_rest and parsed(f"{before}\n{text}") is not None
