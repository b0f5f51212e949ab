"""Who the learners are: a folder's name is made for file systems, people read the real id.

`collect` records both in `.grader/learners.json`. A folder that was put there by hand has none:
then its name is the id.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from grader.grading.store import write_whole
from grader.intake.plainfiles import readable
from grader.room.classroom import Classroom
from grader.room.filenames import folder_name, student_of

RECORD = "learners.json"


class Learner(NamedTuple):
    """Who handed something in; `name` and `participant` are Moodle's."""

    id: str
    name: str = ""
    participant: str = ""


def known_learners(room: Classroom) -> dict[str, Learner]:
    """Return by folder name the learners that were collected; Moodle's carry full names."""
    try:
        found = json.loads((room.private / RECORD).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return {folder: Learner(**learner) for folder, learner in found.items()}


def remember(room: Classroom, learners: Iterable[Learner]) -> None:
    """Record `learners`; what Moodle said of one stays where somebody else says less."""
    found = known_learners(room)
    for one in learners:
        before = found.get(folder_name(one.id), one)
        found[folder_name(one.id)] = one if one.participant else before
    text = json.dumps({folder: one._asdict() for folder, one in sorted(found.items())}, indent=1)
    write_whole(room.private / RECORD, text + "\n")


def ids(room: Classroom, folders: Iterable[str]) -> dict[str, str]:
    """Return by folder name the id that people read, fit to be printed; no two are alike.

    Where two folders claim one id, each is called by its own name.
    """
    recorded = {folder: one.id for folder, one in known_learners(room).items()}
    real = {folder: readable(student_of(folder, recorded)) for folder in folders}
    claims = Counter([*real.values(), *(folder for folder in real if real[folder] != folder)])
    return {
        folder: one if claims[one] == 1 or one == folder else _plain(folder)
        for folder, one in real.items()
    }


def _plain(folder: str) -> str:
    return folder if readable(folder) == folder else folder_name(folder)


def folder_of(room: Classroom, typed: str) -> str:
    """Return the folder of the learner whose id, or folder, somebody typed; else what was typed."""
    folders = room.students()
    by_id = {one: folder for folder, one in ids(room, folders).items()}
    return typed if typed in folders else by_id.get(unicodedata.normalize("NFC", typed), typed)
