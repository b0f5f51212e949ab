"""From a learner's folder to notebooks that can be run; nothing of theirs is executed here.

Where several files may be one lesson, the one with the most solution cells filled in counts;
then one in its assignment's folder; then the one with the lesson's own name; then the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from grader.intake import definitions
from grader.intake.gathered import File, Gathered
from grader.intake.matching import grade_id, join_split, role, solution_names
from grader.intake.plainfiles import Refused, listed, shown
from grader.intake.rebuild import Rebuilt, rebuild
from grader.intake.remarks import redefined, remarks
from grader.intake.triage import Sheet, parse
from grader.notebook import Notebook

Lessons = Mapping[str, Mapping[str, Notebook]]  # by assignment, then by name


class Work(NamedTuple):
    """One lesson of one learner.

    state: "ok", "repaired", "rejected" (then `reason` says what to do) or "not handed in".
    notebook: the release with the learner's text, None where nothing could be read.
    missing: grade_ids of the cells that the file did not have; they come from the release.
    asks: why a person should look at it. filled: how many solution cells have a text of their own.
    """

    name: str
    state: str
    reason: str
    repairs: tuple[str, ...]
    notebook: Notebook | None
    missing: frozenset[str]
    asks: tuple[str, ...] = ()
    filled: int = 0


class Candidate(NamedTuple):
    """One file that may be a lesson; `refusal` says why it could not be read."""

    name: str
    sheet: Sheet | None
    refusal: str = ""


class Reading(NamedTuple):
    """A candidate held against the release of a lesson; `home` is its assignment."""

    candidate: Candidate
    home: str
    done: Rebuilt
    repairs: tuple[str, ...]
    redefined: Mapping[str, bool]
    filled: int

    @property
    def is_at_home(self) -> bool:
        """Return whether the file lies in the folder of its assignment."""
        return self.candidate.name.startswith(f"{self.home}/")

    def among(self, readings: Sequence[Reading]) -> str:
        """Return the file's path: in its assignment's folder where all of `readings` lie there."""
        name = self.candidate.name
        are_at_home = all(one.is_at_home for one in readings)
        return repr(shown(name.removeprefix(f"{self.home}/") if are_at_home else name))


def works_in(gathered: Gathered, lessons: Lessons) -> tuple[dict[str, Work], list[str]]:
    """Return the work in what was gathered on each lesson, and the files that are no lesson."""
    release = {name: one for those in lessons.values() for name, one in those.items()}
    candidates = [_open(file) for file in gathered.files]
    lesson = {one.name: _lesson(one, release) for one in candidates}
    strangers = [one for one in candidates if lesson[one.name] is None]
    modules = gathered.scripts - {"attnkit"}
    works = {}
    for home, those in lessons.items():
        for name in those:
            found = [one for one in candidates if lesson[one.name] == name]
            work = _work(name, home, release[name], found, modules)
            works[name] = work or _absent(name, gathered.refusals.get(home, ""), strangers)
    return works, [f"{shown(one.name)!r} {one.refusal}".strip() for one in strangers]


def lesson_in(file: File, release: Mapping[str, Notebook]) -> str | None:
    """Return the name of the lesson that a file is, None where nothing tells."""
    return _lesson(_open(file), release)


def may_be_notebook(file_name: str, lessons: Iterable[str]) -> bool:
    """Return whether a file is worth opening, by its name."""
    ending = Path(file_name).suffix.lower()
    if ".ipynb" in file_name.lower():
        return True
    return ending in (".json", ".txt", "") and _by_name(file_name, lessons) is not None


def _by_name(file_name: str, lessons: Iterable[str]) -> str | None:
    """Return the lesson whose name is in the file's, whatever a browser or an LMS put around it."""
    squashed = re.sub(r"[^a-z0-9]+", "_", Path(file_name).name.lower())
    return next((name for name in lessons if name in squashed), None)


def _open(file: File) -> Candidate:
    if file.refusal:
        return Candidate(file.name, None, file.refusal)
    try:
        return Candidate(file.name, parse(file.content))
    except Refused as refusal:
        return Candidate(file.name, None, str(refusal))


def _lesson(candidate: Candidate, release: Mapping[str, Notebook]) -> str | None:
    """Return the lesson by what stands in the cells, else by the name of the file."""
    named = _by_name(candidate.name, release)
    cells = candidate.sheet.cells if candidate.sheet else ()
    ids = {cell.grade_id or cell.id for cell in cells} | {cell.id for cell in cells}
    defined = frozenset[str]().union(*(definitions.names(cell.text) for cell in cells))
    score = {
        name: len(ids & _ids(notebook)) + len(defined & solution_names(notebook))
        for name, notebook in release.items()
    }
    best = max(score, key=lambda name: (score[name], name == named), default=None)
    return best if best and score[best] else named


def _ids(release: Notebook) -> set[str]:
    return {cell.id for cell in release.cells} | {grade_id(cell) for cell in release.cells} - {""}


def _work(
    name: str, home: str, release: Notebook, found: Sequence[Candidate], modules: frozenset[str]
) -> Work | None:
    """Return the work in the best of the files `found`, or None where there is no file."""
    readings = [_read(release, home, one, one.sheet) for one in found if one.sheet]
    refusals = [f"{shown(one.name)} {one.refusal}" for one in found if not one.sheet]
    if not readings:
        return _rejected(name, "; ".join(refusals)) if refusals else None
    own_name = f"{home}/{name}.ipynb"
    best = max(
        readings, key=lambda one: (one.filled, one.is_at_home, one.candidate.name == own_name)
    )
    repairs = [*_choice(best, readings, own_name), *refusals, *best.repairs]
    repairs += _unused(best, modules)
    asks = [*_doubts(best, readings), *_unread(best, refusals), *_versions(name, best)]
    asks += _empty(name, release, best)
    state = "repaired" if repairs else "ok"
    missing, notebook = best.done.missing, best.done.notebook
    return Work(name, state, "", tuple(repairs), notebook, missing, tuple(asks), best.filled)


def _read(release: Notebook, home: str, candidate: Candidate, sheet: Sheet) -> Reading:
    cells = join_split(sheet.cells)
    done = rebuild(release, cells)
    told, again = remarks(release, sheet, cells, done), redefined(release, done.notebook)
    return Reading(candidate, home, done, told, again, done.filled(release))


def _choice(best: Reading, readings: Sequence[Reading], own_name: str) -> list[str]:
    chosen = best.among(readings)
    lines = [] if best.candidate.name == own_name else [f"was handed in as {chosen}"]
    if len(readings) > 1:
        others = [one for one in readings if one is not best]
        left = listed([f"{one.among(readings)} ({one.filled})" for one in others])
        lines.append(
            f"{chosen} counts, with {best.filled} solution cells filled in; left out: {left}"
        )
    return lines


def _doubts(best: Reading, readings: Sequence[Reading]) -> list[str]:
    """Return why the file that counts, which lies elsewhere, may be the wrong one."""
    if best.is_at_home:
        return []
    others = [one for one in readings if one.filled and one.done.notebook != best.done.notebook]
    if others or any(one.is_at_home for one in readings):
        left = listed([one.among(readings) for one in readings if one is not best])
        return [
            f"{best.among(readings)} counts, beside {left}; leave one in {best.home!r} and grade "
            "again"
        ]
    folder = PurePosixPath(best.candidate.name).parent
    if all(_squashed(part) == _squashed(best.home) for part in folder.parts):
        return []
    return [
        f"notebooks were taken from {shown(folder)!r}; see that they are this learner's, move "
        f"them into {best.home!r}, and grade again"
    ]


def _squashed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _unread(best: Reading, refusals: Sequence[str]) -> list[str]:
    if best.filled or not refusals:
        return []
    return [f"{best.among([best])} is untouched, and {'; '.join(refusals)}"]


def _empty(name: str, release: Notebook, best: Reading) -> list[str]:
    exercises = {grade_id(cell) for cell in release.cells if role(cell) == "solution"}
    if best.filled or not exercises or not exercises <= best.done.missing:
        return []
    return [f"{name}: none of its exercises is in {best.among([best])}; see what was handed in"]


def _versions(name: str, best: Reading) -> list[str]:
    doubtful = [answer for answer, is_graded in best.redefined.items() if is_graded]
    return [
        f"{name}: {answer} is defined again below some of its checks, which took the version "
        "above them; see which is meant"
        for answer in doubtful
    ]


def _unused(best: Reading, modules: frozenset[str]) -> list[str]:
    text = "\n".join(cell.source for cell in best.done.notebook.cells if cell.cell_type == "code")
    imported = set(re.findall(r"^[ \t]*(?:import|from)[ \t]+(\w+)", text, re.MULTILINE))
    return [
        f"{shown(one)}.py beside the notebook is not used" for one in sorted(imported & modules)
    ]


def _rejected(name: str, reason: str) -> Work:
    return Work(name, "rejected", reason, (), None, frozenset(), (f"{name}: {reason}",))


def _absent(name: str, refusal: str, strangers: Sequence[Candidate]) -> Work:
    if refusal:
        return _rejected(name, refusal)._replace(asks=(refusal,))
    files = listed([f"{shown(one.name)!r} {one.refusal}".strip() for one in strangers])
    reason = f"these files are no lesson that is known: {files}" if files else ""
    unread = listed([f"{shown(one.name)!r} {one.refusal}" for one in strangers if one.refusal])
    asks = (f"a lesson is not there, and {unread}",) if unread else ()
    return Work(name, "not handed in", reason, (), None, frozenset(), asks)
