"""What was repaired in a handed-in notebook, one plain sentence each, alike ones together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grader.intake import definitions
from grader.intake.matching import grade_id, is_untouched, role
from grader.intake.plainfiles import shown
from grader.intake.rebuild import Placed, Rebuilt
from grader.intake.triage import CONFLICT, Found, Sheet
from grader.notebook import Notebook

Remark = tuple[str, str]
AGAIN = "defined again in a cell further down, which counts for the checks below that cell only"
SETTINGS = ("points", "grade", "locked", "solution", "task")


def remarks(
    release: Notebook, sheet: Sheet, cells: Sequence[Found], done: Rebuilt
) -> tuple[str, ...]:
    """Return what was repaired from `sheet` to `done`; `cells` are its cells after joining."""
    found: list[Remark] = [(line, "") for line in (*sheet.repairs, *_kernel(release, sheet))]
    if len(cells) < len(sheet.cells):
        found.append(("cells that were split in two were joined again", ""))
    for wanted, placed in zip(release.cells, done.placed, strict=True):
        name = grade_id(wanted)
        if name:
            found += [(line, name) for line in _about(wanted, placed, cells)]
    found += [(AGAIN, name) for name in redefined(release, done.notebook)]
    found += [("moved; put back in its place", name) for name in done.moved]
    if any(CONFLICT.search(cell.text) for cell in cells if cell.kind == "code"):
        found.append(("a code cell has merge-conflict markers in it and was taken as it is", ""))
    if any(cell.is_missing and _is_given_code(cell.cell) for cell in done.placed):
        found.append(("given code cells that were not in the file were put back", ""))
    return _grouped(found)


def redefined(release: Notebook, notebook: Notebook) -> dict[str, bool]:
    """Return the answers that a cell of the learner's own further down defines otherwise.

    The value says whether a graded cell stands between the two.
    """
    given, found = {cell.id: cell.source for cell in release.cells}, {}
    for index, cell in enumerate(notebook.cells):
        asked = definitions.names(cell.source) if role(cell) == "solution" else frozenset()
        is_graded = False
        for later in notebook.cells[index + 1 :] if asked else ():
            is_graded |= role(later) == "locked" and "points" in later.metadata.nbgrader
            if later.cell_type != "code" or role(later) == "solution":
                continue
            is_own = later.source != given.get(later.id)
            is_same = definitions.only(later.source) in cell.source
            if is_own and not is_same and asked & definitions.names(later.source):
                found[grade_id(cell)] = is_graded
    return found


def _is_given_code(cell: Notebook) -> bool:
    return cell.cell_type == "code" and not grade_id(cell)


def _kernel(release: Notebook, sheet: Sheet) -> Iterator[str]:
    wanted = release.metadata.get("kernelspec", {}).get("name", "")
    if sheet.kernel != wanted:
        named = f"the kernel {shown(sheet.kernel)!r}" if sheet.kernel else "no kernel"
        yield f"the notebook named {named}; it runs with {wanted!r}"


def _about(wanted: Notebook, placed: Placed, cells: Sequence[Found]) -> Iterator[str]:
    """Yield what was odd about the cells that stood for one graded or solution cell."""
    claimants = [cells[place] for place in placed.claimants]
    if placed.is_missing:
        yield "not in the file; put back from the release"
    if placed.elsewhere is not None:
        yield "left open, with the answer in another cell; that answer counts"
    if len(claimants) > 1:
        yield "more than once in the file; " + _which(wanted, placed, claimants)
    if any(cell.kind != wanted.cell_type for cell in claimants):
        yield f"turned into another kind of cell; a {wanted.cell_type} cell again"
    if role(wanted) == "locked" and not all(is_untouched(cell, wanted) for cell in claimants):
        yield "edited although locked; the release's text stands"
    yield from _about_metadata(wanted, claimants)


def _which(wanted: Notebook, placed: Placed, claimants: Sequence[Found]) -> str:
    if role(wanted) == "locked":
        return "counted once"
    usual = "the last version that defines what is asked counts"
    asked = definitions.names(wanted.source)
    passed_over = [
        cell
        for place, cell in zip(placed.claimants, claimants, strict=True)
        if placed.place is not None and place > placed.place
        if asked & definitions.names(cell.text) and not is_untouched(cell, wanted)
    ]
    return f"{usual}; a later one is no Python code" if passed_over else usual


def _about_metadata(wanted: Notebook, claimants: Sequence[Found]) -> Iterator[str]:
    mark = wanted.metadata["nbgrader"]
    marked = [cell for cell in claimants if cell.grade_id == mark["grade_id"]]
    if len(marked) < len(claimants):
        yield "nbgrader metadata lost; found by id, by text or by what the cell defines"
    if any(cell.mark.get("schema_version") != mark.get("schema_version") for cell in marked):
        yield "nbgrader metadata of another version; the release's stands"
    elif any(cell.mark.get(key) != mark.get(key) for cell in marked for key in SETTINGS):
        yield "points or nbgrader settings changed; the release's stand"
    if any(set(cell.tags) - set(wanted.metadata.get("tags", [])) for cell in claimants):
        yield "tags dropped"


def _grouped(found: Sequence[Remark]) -> tuple[str, ...]:
    """Return each sentence once, after the names of the cells that it is about."""
    names: dict[str, list[str]] = {}
    for line, name in found:
        names.setdefault(line, []).append(name)
    return tuple(f"{', '.join(who)}: {line}" if any(who) else line for line, who in names.items())
