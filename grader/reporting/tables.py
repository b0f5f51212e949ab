"""Tables that spreadsheets open: no cell of one is ever taken for a formula."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# At the start of a cell, or of what becomes one where another separator is in use.
FORMULA = re.compile(r"(^|[;,\t\r\n|])(\s*)(?=[=+\-@＝＋－＠])")
SPECIAL = re.compile(r"[\"',;|\t\r\n]")

Cell = str | float | None


def as_csv(rows: Iterable[Sequence[Cell]]) -> str:
    """Return `rows` as comma-separated values; None is an empty field, never a 0."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: Cell) -> str:
    """`csv.writer` quotes for its own separator only; a spreadsheet may use any."""
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text = inert(value)
    return '"' + text.replace('"', '""') + '"' if SPECIAL.search(text) else text


def inert(text: str) -> str:
    """Return `text` so that no spreadsheet takes it, or a part of it, for a formula."""
    return FORMULA.sub(r"\1'\2", text)
