"""Takes in what learners or an LMS give: hand-in zips, a folder a learner, a Moodle download."""

from __future__ import annotations

import errno
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from grader.collecting.archives import Entry, entries
from grader.collecting.attempts import Outcome, place
from grader.collecting.contents import HandIn, Left
from grader.collecting.handins import hand_ins
from grader.collecting.owners import containers, doubt, plain
from grader.collecting.unplaced import Unplaced, keep, keep_files, record, unplaced
from grader.intake.gathered import File
from grader.intake.plainfiles import Refused, readable, shown
from grader.intake.work import lesson_in, may_be_notebook
from grader.notebook import Notebook
from grader.room import learners
from grader.room.classroom import Classroom, opened
from grader.room.filenames import folder_name
from grader.room.learners import known_learners

__all__ = ["CollectError", "collect", "known_learners", "told", "unplaced"]

OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}  # no learner's trouble
COUNTED = {
    "placed": "placed",
    "replaced": "placed, the earlier one set aside",
    "kept beside": "set aside, a later one counts",
    "already there": "already there",
    "not placed": "not placed: a person is needed",
}


class CollectError(Exception):
    """An archive that cannot be collected at all; the message says what to do."""


def collect(class_dir: Path, archive: Path, only: str | None = None) -> list[Outcome]:
    """Put what `archive` holds into the class folder; returns what became of each part of it.

    In a class of several assignments each lesson goes to its own, or to none but `only`.
    """
    room = opened(class_dir)
    wanted, release, name = _wanted(room, only), room.release(), archive.name
    is_notebook = partial(may_be_notebook, lessons=release)
    found = partial(hand_ins, _entries(archive), is_notebook, name, assignments=room.assignments)
    # read twice: a class's work is too much to be held in memory
    claims = [(one.learner, one.container) for one in found() if isinstance(one, HandIn)]
    known = {*(one.id for one in known_learners(room).values()), *room.students()}
    known |= {learner.id for learner, container in claims if container in ("", name)}
    plain_names, places = frozenset(map(plain, known)), containers(claims)
    outcomes: list[Outcome] = []
    for one in found():
        if isinstance(one, Left):
            outcomes += _guarded(partial(_keep, room), one)
        elif why := doubt(one, places, plain_names):
            outcomes += _guarded(partial(_set_aside, room, why), one)
        else:
            outcomes += _guarded(partial(_place, room, wanted, release), one)
    placed = {one.learner for one in outcomes if one.state != "not placed"}
    learners.remember(room, [learner for learner, _ in claims if learner.id in placed])
    record(room, readable(name), _waiting(readable(name), outcomes), set(map(readable, placed)))
    return outcomes


def _guarded(take: Callable[[Any], list[Outcome]], one: HandIn | Left) -> list[Outcome]:
    """Return what taking in `one` came to; what breaks on it is told, and the others go on."""
    try:
        return take(one)
    except Exception as fault:
        if isinstance(fault, OSError) and fault.errno in OF_THE_DISK:
            raise
        who = one.learner.id if isinstance(one, HandIn) else one.learner
        why = f"the grader failed with {fault!r}; look at it by hand"
        return [Outcome(shown(one.origin), "not placed", why, who)]


def _place(
    room: Classroom, wanted: Sequence[str], release: Mapping[str, Notebook], attempt: HandIn
) -> list[Outcome]:
    is_notebook, shares = partial(may_be_notebook, lessons=release), _shares(attempt, room, release)
    return [place(room, name, shares[name], is_notebook) for name in wanted if name in shares]


def _set_aside(room: Classroom, why: str, attempt: HandIn) -> list[Outcome]:
    """Keep a hand-in of which nobody knows whose it is; no learner's work changes."""
    kept = keep_files(room, attempt.origin, attempt.files)
    return [Outcome(shown(attempt.origin), "not placed", f"{why}; kept as {kept}", "", kept)]


def _keep(room: Classroom, left: Left) -> list[Outcome]:
    """Keep what could not be placed where a person can look at it."""
    kept = keep(room, left)
    note = left.reason + (f"; kept as {kept}" if kept else "")
    return [Outcome(shown(left.origin), "not placed", note, left.learner, kept)]


def _waiting(archive: str, outcomes: Sequence[Outcome]) -> Iterator[Unplaced]:
    for one in outcomes:
        if one.state == "not placed":
            why = one.note.removesuffix(f"; kept as {one.kept}")
            yield Unplaced(*map(readable, (one.learner, one.who, why, one.kept, archive)))


def told(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield what `collect` prints: each outcome, what waits for a person again, and the counts."""
    yield from map(str, outcomes)
    waiting = [one for one in outcomes if one.state == "not placed"]
    if waiting:
        yield "A person is needed for what was not placed:"
        yield from (f"  {one}" for one in waiting)
    yield _counts(outcomes)


def _counts(outcomes: Sequence[Outcome]) -> str:
    """Return one line with the number of each state."""
    states = Counter(one.state for one in outcomes)
    parts = [f"{states[state]} {words}" for state, words in COUNTED.items() if states[state]]
    named = {one.learner for one in outcomes if one.state != "not placed"}
    renamed = sum(folder_name(one) != one for one in named)
    parts += [f"{renamed} with a plain folder name in place of the id"] if renamed else []
    return f"{len(outcomes)} collected: {', '.join(parts) or 'nothing that belongs here'}."


def _wanted(room: Classroom, only: str | None) -> list[str]:
    if only is not None and only not in room.assignments:
        raise CollectError(
            f"collect: there is no assignment {only!r}; there are: {', '.join(room.assignments)}"
        )
    return list(room.assignments) if only is None else [only]


def _shares(attempt: HandIn, room: Classroom, release: Mapping[str, Notebook]) -> dict[str, HandIn]:
    """Return the part of an attempt that belongs to each assignment; the first takes the rest."""
    first, home = next(iter(room.assignments)), room.home()
    files: dict[str, dict[str, bytes]] = {}
    for name, content in attempt.files.items():
        lesson = lesson_in(File(name, content), release) if len(room.assignments) > 1 else None
        files.setdefault(home.get(lesson or "", first), {})[name] = content
    return {name: attempt._replace(files=those) for name, those in files.items()}


def _entries(archive: Path) -> list[Entry]:
    if not archive.exists():
        raise CollectError(f"collect: {archive} does not exist; give a zip or a folder that does")
    try:
        found = list(entries(archive))
    except Refused as refusal:
        raise CollectError(f"collect: {archive} {refusal}") from refusal
    if not found:
        raise CollectError(
            f"collect: {archive} holds no file; give a zip, or a folder with one folder a learner"
        )
    return found
