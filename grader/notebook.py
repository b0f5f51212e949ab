"""Notebook files: one way to read and to write them."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

Notebook = nbformat.NotebookNode


def code_cell(text: str, name: str) -> Notebook:
    """Return a code cell with id `name` and no metadata."""
    return new_code_cell(text, id=name)


def read(path: Path) -> Notebook:
    """Return the notebook in `path`, a file of ours."""
    return nbformat.read(path, as_version=4)


def text(notebook: Notebook) -> str:
    """Return the one text that `notebook` is written as."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook) + "\n"
