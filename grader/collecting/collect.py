"""Takes in what learners or an LMS give: hand-in zips, a folder a learner, a Moodle download."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from attnkit.handin import file_name

from grader.classroom import Classroom, opened
from grader.collecting.archives import Entry, entries
from grader.collecting.attempts import Outcome, place
from grader.collecting.handins import HandIn, Learner, Left, hand_ins
from grader.intake.plainfiles import Refused, shown
from grader.intake.work import may_be_notebook

LEARNERS = "learners.json"


class CollectError(Exception):
    """An archive that cannot be collected at all; the message says what to do."""


def collect(class_dir: Path, archive: Path) -> list[Outcome]:
    """Put what `archive` holds into the class folder; returns what became of each part of it."""
    room = opened(class_dir)
    lessons = list(room.release())

    def is_notebook(name: str) -> bool:
        return may_be_notebook(name, lessons)

    outcomes, learners = [], []
    for one in hand_ins(_entries(archive), is_notebook, shown(archive.name)):
        if isinstance(one, HandIn):
            outcomes.append(place(room, one, is_notebook))
            learners.append(one.learner)
        else:
            outcomes.append(_keep(room, one))
    _remember(room, learners)
    return outcomes


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
    scratch = room.private / f"{LEARNERS}.new"
    scratch.write_text(text + "\n", "utf-8")
    scratch.replace(room.private / LEARNERS)
