"""The release notebook with one learner's text in it: everything else stays the release's."""

from __future__ import annotations

import copy
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.intake import definitions
from grader.intake.matching import Claims, grade_id, is_untouched, match, role
from grader.intake.triage import Found
from grader.notebook import Notebook, code_cell


class Placed(NamedTuple):
    """One cell of the rebuilt notebook.

    `claimants` are the places of the handed-in cells that stand for it, `place` the one that gave
    its text, `elsewhere` the place of another cell where its answer was found.
    """

    cell: Notebook
    claimants: list[int]
    place: int | None
    elsewhere: int | None = None

    @property
    def is_missing(self) -> bool:
        """Return whether the file had nothing that stands for this cell."""
        return not self.claimants and self.elsewhere is None


class Rebuilt(NamedTuple):
    """A notebook to run, and how each cell of the release came to its text."""

    notebook: Notebook
    placed: list[Placed]
    moved: list[str]

    @property
    def missing(self) -> frozenset[str]:
        """The grade_ids that the file did not have."""
        return frozenset(grade_id(one.cell) for one in self.placed if one.is_missing) - {""}

    def filled(self, release: Notebook) -> int:
        """Return how many solution cells hold a text of the learner's own."""
        pairs = zip(release.cells, self.placed, strict=True)
        solutions = [pair for pair in pairs if role(pair[0]) == "solution"]
        return sum(not definitions.same(one.cell.source, cell.source) for cell, one in solutions)


def rebuild(release: Notebook, cells: Sequence[Found]) -> Rebuilt:
    """Return `release` with the learner's solutions, open cells and extra code cells."""
    claims = match(release, cells)
    placed = [_place(release, index, claims, cells) for index in range(len(release.cells))]
    home = {one.place: index for index, one in enumerate(placed) if one.place is not None}
    anchors = _in_order(home)
    moved = [grade_id(placed[home[place]].cell) for place in sorted(set(home) - set(anchors))]
    extras = [place for place in _extras(release, placed, cells) if place not in home]
    notebook = copy.copy(release)
    notebook.cells = _weave(placed, extras, anchors, cells)
    return Rebuilt(notebook, placed, [name for name in moved if name])


def _place(release: Notebook, index: int, claims: Claims, cells: Sequence[Found]) -> Placed:
    if role(release.cells[index]) == "solution":
        return _place_solution(release, index, claims, cells)
    cell, claimants = copy.deepcopy(release.cells[index]), claims[index]
    if role(cell) == "open" and claimants:
        _take_open(cell, cells[claimants[0]])
    return Placed(cell, claimants, claimants[0] if claimants else None)


def _take_open(cell: Notebook, found: Found) -> None:
    """Put the learner's text in; a picture that may now bind names is an ordinary cell."""
    if not is_untouched(found, cell) and definitions.binds(found.text):
        cell.metadata.pop("tags", None)
    cell.source = found.text


def _place_solution(
    release: Notebook, index: int, claims: Claims, cells: Sequence[Found]
) -> Placed:
    """Choose the last version that defines what is asked; else look for it in other cells."""
    cell, claimants = copy.deepcopy(release.cells[index]), claims[index]
    asked = definitions.names(cell.source)
    written = [place for place in claimants if not is_untouched(cells[place], cell)]
    whole = [place for place in written if asked <= definitions.names(cells[place].text)]
    place = _last(whole or written or claimants, cells)
    elsewhere = None if whole else _defined_elsewhere(release, index, claims, cells)
    texts = [cells[place].text] if written and place is not None else []
    if elsewhere is not None:
        texts.append(definitions.only(cells[elsewhere].text))
    cell.source = "\n\n".join(texts) or cell.source
    return Placed(cell, claimants, place, elsewhere)


def _last(places: Sequence[int], cells: Sequence[Found]) -> int | None:
    """Return the last of `places`; one that is no code, or no Python, stands back."""
    ranked = [
        (cells[place].kind == "code", definitions.is_python(cells[place].text), place)
        for place in places
    ]
    return max(ranked)[-1] if ranked else None


def _defined_elsewhere(
    release: Notebook, index: int, claims: Claims, cells: Sequence[Found]
) -> int | None:
    """Return the last cell of the learner's own that defines what this solution cell asks for."""
    asked = definitions.names(release.cells[index].source)
    given = {
        place
        for other, places in claims.items()
        for place in places
        if other == index or is_untouched(cells[place], release.cells[other])
    }
    able = [
        place
        for place, cell in enumerate(cells)
        if asked and place not in given and asked <= definitions.names(cell.text)
        if cell.kind == "code" or definitions.parsed(cell.text)
    ]
    return _last(able, cells)


def _extras(release: Notebook, placed: Sequence[Placed], cells: Sequence[Found]) -> list[int]:
    """Return the places of the learner's own code cells; copies of given cells are none."""
    dropped = {
        place
        for wanted, one in zip(release.cells, placed, strict=True)
        for place in one.claimants
        if role(wanted) == "locked" or is_untouched(cells[place], wanted)
    }
    return [
        place
        for place, cell in enumerate(cells)
        if cell.kind == "code" and cell.text.strip() and place not in dropped
    ]


def _in_order(home: dict[int, int]) -> dict[int, int]:
    """Return the longest part of `home` (place in the file to place in the release) that rises."""
    tails: list[int] = []
    chains: list[list[int]] = []
    for place in sorted(home):
        length = bisect_left(tails, home[place])
        chain = [*(chains[length - 1] if length else []), place]
        tails[length : length + 1], chains[length : length + 1] = [home[place]], [chain]
    return {place: home[place] for place in (chains[-1] if chains else [])}


def _weave(
    placed: Sequence[Placed],
    extras: Sequence[int],
    anchors: dict[int, int],
    cells: Sequence[Found],
) -> list[Notebook]:
    """Return the release's cells with each extra one before the cell that followed it.

    One that defines what a later version of an answer defines stands before that answer.
    """
    before: dict[int, list[Notebook]] = {}
    for number, place in enumerate(extras, start=1):
        later = (index for anchor, index in sorted(anchors.items()) if anchor > place)
        index = min([next(later, len(placed)), *_superseding(placed, place, cells)])
        before.setdefault(index, []).append(code_cell(cells[place].text, f"extra-{number}"))
    woven = []
    for index in range(len(placed) + 1):
        woven += before.get(index, [])
        woven += [placed[index].cell] if index < len(placed) else []
    return woven


def _superseding(placed: Sequence[Placed], place: int, cells: Sequence[Found]) -> Iterator[int]:
    """Yield the answers whose text comes from further down than `place` and defines the same."""
    defined = definitions.names(cells[place].text)
    for index, one in enumerate(placed):
        source = one.place if one.elsewhere is None else one.elsewhere
        is_later = role(one.cell) == "solution" and source is not None and place < source
        if is_later and defined & definitions.names(one.cell.source):
            yield index
