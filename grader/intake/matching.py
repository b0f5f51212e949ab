"""Which cell of a handed-in notebook is which cell of the release.

A cell of the release is "solution" (the learner's text counts), "locked" (a graded
test, or given and not to be changed) or "open" (given, and the learner may play with it).
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.intake import definitions
from grader.intake.triage import Found
from grader.notebook import Notebook

Claims = dict[int, list[int]]
MOST_JOINS = 20


def role(cell: Notebook) -> str:
    """Return "solution", "locked" or "open" for a cell of the release."""
    mark = cell.metadata.get("nbgrader", {})
    if mark.get("solution"):
        return "solution"
    return "locked" if mark.get("locked") or mark.get("grade") else "open"


def grade_id(cell: Notebook) -> str:
    """Return nbgrader's name of a cell of the release, or nothing."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def solution_names(release: Notebook) -> frozenset[str]:
    """Return the functions and classes that the solution cells of `release` ask for."""
    asked = [cell.source for cell in release.cells if role(cell) == "solution"]
    return frozenset().union(*map(definitions.names, asked))


def join_split(cells: Sequence[Found]) -> list[Found]:
    """Return `cells` with each code cell that begins indented put back under the one before."""
    joined: list[Found] = []
    for number, cell in enumerate(cells):
        before = joined[-1] if joined else None
        if before and number - len(joined) < MOST_JOINS and _continues(cell, before):
            joined[-1] = before._replace(text=f"{before.text}\n{cell.text}")
        else:
            joined.append(cell)
    return joined


def _continues(cell: Found, before: Found) -> bool:
    both_code = cell.kind == before.kind == "code"
    return both_code and definitions.continues(cell.text, before.text)


def match(release: Notebook, cells: Sequence[Found]) -> Claims:
    """Return, for each place in the release, the places in `cells` that stand for it.

    A cell is known by its grade_id, else its id, else its unchanged text, else by what it defines.
    """
    claims: Claims = {index: [] for index in range(len(release.cells))}
    for step in (_by_grade_id, _by_id, _by_text, _by_definition):
        taken = {place for places in claims.values() for place in places}
        left = [place for place in range(len(cells)) if place not in taken]
        step(release, cells, left, claims)
    return {index: sorted(places) for index, places in claims.items()}


def _by_grade_id(
    release: Notebook, cells: Sequence[Found], left: list[int], claims: Claims
) -> None:
    known = {grade_id(cell): index for index, cell in enumerate(release.cells) if grade_id(cell)}
    for place in left:
        index = known.get(cells[place].grade_id)
        if index is not None and _fits(release, index, cells[place]):
            claims[index].append(place)


def _by_id(release: Notebook, cells: Sequence[Found], left: list[int], claims: Claims) -> None:
    known = {cell.id: index for index, cell in enumerate(release.cells)}
    for place in left:
        index = known.get(cells[place].id)
        if index is None or not _fits(release, index, cells[place]):
            continue
        if role(release.cells[index]) != "open" or not claims[index]:
            claims[index].append(place)


def _fits(release: Notebook, index: int, cell: Found) -> bool:
    """Return whether `cell` may claim that place: its metadata may be a copy of another cell's."""
    wanted = release.cells[index]
    if role(wanted) != "solution":
        return role(wanted) == "locked" or cell.kind == wanted.cell_type
    asked, defined = definitions.names(wanted.source), definitions.names(cell.text)
    return bool(asked & defined) or not defined & solution_names(release)


def _by_text(release: Notebook, cells: Sequence[Found], left: list[int], claims: Claims) -> None:
    free: dict[tuple[str, bytes], list[int]] = {}
    for index, wanted in enumerate(release.cells):
        if not claims[index]:
            free.setdefault((wanted.cell_type, definitions.key(wanted.source)), []).append(index)
    for place in left:
        if known := free.get((cells[place].kind, definitions.key(cells[place].text))):
            claims[known.pop(0)].append(place)


def is_untouched(cell: Found, wanted: Notebook) -> bool:
    """Return whether a handed-in cell still has the release's text."""
    return definitions.same(cell.text, wanted.source)


def _by_definition(
    release: Notebook, cells: Sequence[Found], left: list[int], claims: Claims
) -> None:
    for index, wanted in enumerate(release.cells):
        asked = definitions.names(wanted.source)
        if role(wanted) == "solution" and asked and not claims[index]:
            able = [place for place in left if asked <= definitions.names(cells[place].text)]
            claims[index] = [p for p in able if cells[p].kind == "code"] or [
                p for p in able if definitions.parsed(cells[p].text)
            ]
            left = [place for place in left if place not in claims[index]]
