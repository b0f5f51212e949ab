"""Takes in what learners or an LMS give: hand-in zips, a folder a learner, a Moodle download."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from attnkit.handin import file_name

from grader.collecting.archives import Entry, entries
from grader.collecting.attempts import Outcome, place
from grader.collecting.handins import HandIn, Learner, Left, hand_ins
from grader.grading.store import write_whole
from grader.intake.gathered import File
from grader.intake.plainfiles import Refused, shown
from grader.intake.work import lesson_in, may_be_notebook
from grader.notebook import Notebook
from grader.room.classroom import Classroom, opened

LEARNERS = "learners.json"


class CollectError(Exception):
    """An archive that cannot be collected at all; the message says what to do."""


def collect(class_dir: Path, archive: Path, only: str | None = None) -> list[Outcome]:
    """Put what `archive` holds into the class folder; returns what became of each part of it.

    In a class of several assignments each lesson goes to its own, or to none but `only`.
    """
    room = opened(class_dir)
    release, wanted = room.release(), _wanted(room, only)
    is_notebook = partial(may_be_notebook, lessons=release)
    outcomes, learners = [], []
    found = _entries(archive)
    names = room.assignments
    for one in hand_ins(found, is_notebook, shown(archive.name), assignments=names):
        if isinstance(one, HandIn):
            shares = _shares(one, room, release)
            outcomes += [place(room, n, shares[n], is_notebook) for n in wanted if n in shares]
            learners.append(one.learner)
        else:
            outcomes.append(_keep(room, one))
    _remember(room, learners)
    return outcomes


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


def _keep(room: Classroom, left: Left) -> Outcome:
    """Keep what could not be placed where a person can look at it."""
    origin = shown(left.origin)
    if left.content is None:
        return Outcome(origin, "not placed", left.reason)
    name = re.sub(r"[^\w.-]", "_", Path(left.origin).name)[-80:].lstrip(".")
    digest = hashlib.sha256(left.origin.encode("utf-8", "replace") + left.content).hexdigest()
    path = room.private / "unplaced" / f"{digest[:8]}-{name}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(left.content)
    return Outcome(origin, "not placed", f"{left.reason}; kept as {path.relative_to(room.root)}")


def known_learners(room: Classroom) -> dict[str, Learner]:
    """Return by folder name the learners that were collected; Moodle's carry full names."""
    try:
        known = json.loads((room.private / LEARNERS).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return {who: Learner(**learner) for who, learner in known.items()}


def _remember(room: Classroom, learners: Sequence[Learner]) -> None:
    known = known_learners(room)
    known |= {file_name(learner.id): learner for learner in learners}
    text = json.dumps({who: one._asdict() for who, one in sorted(known.items())}, indent=1)
    write_whole(room.private / LEARNERS, text + "\n")
