"""What is to be said of a learner's folder as a whole, and what a person must look at there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from grader.intake.gathered import File, Gathered
from grader.intake.plainfiles import listed, shown
from grader.intake.work import Lessons, Work, works_in

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
EMPTY = "the folder holds nothing that is read"


class Taken(NamedTuple):
    """All that came of a learner's folder: work by lesson, remarks, and why a person should look.

    A lesson of a folder in which nothing was recognised is "nothing recognised".
    """

    works: Mapping[str, Work]
    remarks: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


def take_in(gathered: Gathered, lessons: Lessons) -> Taken:
    """Return what came of a learner's folder, held against the release of each of `lessons`."""
    works, strangers = works_in(gathered, lessons)
    if all(one.state == "not handed in" for one in works.values()):
        return _nothing_recognised(works, gathered, strangers)
    known = {home for home in gathered.refusals if not _is_read(lessons[home], works)}
    closed = [_told(one) for one in gathered.unread if one.refusal and one.name not in known]
    unread = [one for one in gathered.unread if not one.refusal and one.name not in known]
    remarks = list(gathered.remarks)
    if not_read := [*closed, *map(_told, unread)]:
        remarks.append(f"not read: {listed(not_read)}")
    if strangers:
        remarks.append(f"no lesson that is known: {listed(strangers)}")
    missed = [*closed, *(_told(one) for one in unread if _may_hold_work(one, works, lessons))]
    asks = [f"nobody read {listed(missed)}; see whether work lies there"] if missed else []
    return Taken(works, tuple(remarks), tuple(asks))


def _nothing_recognised(
    works: Mapping[str, Work], gathered: Gathered, strangers: Sequence[str]
) -> Taken:
    """Return no points where anything lies in the folder, which is not 0 points."""
    there = [*strangers, *map(_told, gathered.unread)]
    if not there:
        return Taken(works, gathered.remarks, (f"no lesson was handed in: {EMPTY}",))
    archives = [one for one in gathered.unread if _is_archive(one)]
    unpack = "; unpack the archive there and grade again" if archives else ""
    reason = f"nothing here is a lesson that is known: {listed(there)}{unpack}"
    unread = {
        name: Work(name, "nothing recognised", reason, (), None, frozenset()) for name in works
    }
    return Taken(unread, gathered.remarks, (reason,))


def _may_hold_work(file: File, works: Mapping[str, Work], lessons: Lessons) -> bool:
    """Return whether `file` may be work that is missed: an archive, or beside nothing written."""
    home = file.name.split("/")[0]
    those = [works[name] for name in lessons.get(home, works)]
    if _is_archive(file):
        return any(one.state == "not handed in" or not one.notebook for one in works.values())
    return not any(one.filled for one in those)


def _is_archive(file: File) -> bool:
    return file.name.lower().endswith(ARCHIVES)


def _is_read(lessons: Iterable[str], works: Mapping[str, Work]) -> bool:
    return any(works[name].notebook for name in lessons)


def _told(file: File) -> str:
    return repr(shown(file.name)) + (f" ({file.refusal})" if file.refusal else "")
