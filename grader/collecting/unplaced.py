"""What `collect` could not place: kept where a person can look at it, and remembered.

The record is `.grader/unplaced.json`. An entry goes when its learner's work is placed, when the
same archive is collected again without it, or when somebody deletes the file that was kept.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from grader.collecting.contents import Left
from grader.grading.store import write_whole
from grader.room.classroom import Classroom
from grader.room.filenames import fitted

RECORD = "unplaced.json"


class Unplaced(NamedTuple):
    """One thing that waits for a person, all of it fit to be printed.

    `learner` is the id of whose it is ("" where nothing tells), `what` its path in the archive,
    `kept` the path of a copy in the class folder ("" where there is none).
    """

    learner: str
    what: str
    why: str
    kept: str
    archive: str


def unplaced(room: Classroom) -> list[Unplaced]:
    """Return what was collected, could not be placed, and still waits for a person."""
    try:
        found = json.loads((room.private / RECORD).read_text("utf-8"))
    except FileNotFoundError:
        return []
    entries = [Unplaced(**one) for one in found]
    return [one for one in entries if not one.kept or (room.root / one.kept).exists()]


def record(room: Classroom, archive: str, new: Iterable[Unplaced], placed: Collection[str]) -> None:
    """Note what came of `archive`; `placed` are the ids whose work now stands in the class."""
    before = unplaced(room)
    stay = [one for one in before if one.archive != archive and one.learner not in placed]
    text = json.dumps([one._asdict() for one in dict.fromkeys([*stay, *new])], indent=1)
    write_whole(room.private / RECORD, text + "\n")


def keep(room: Classroom, left: Left) -> str:
    """Keep the content of `left`; return its path in the class folder, "" without content."""
    if left.content is None:
        return ""
    path = _free(room, left.origin, {left.origin: left.content})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(left.content)
    return path.relative_to(room.root).as_posix()


def keep_files(room: Classroom, origin: str, files: dict[str, bytes]) -> str:
    """Keep the notebooks of one hand-in in a folder; return its path in the class folder."""
    folder = _free(room, origin, files)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder.relative_to(room.root).as_posix()


def _free(room: Classroom, origin: str, files: dict[str, bytes]) -> Path:
    """Return a path that stands for these bytes from this place, and for no others."""
    digest = hashlib.sha256(origin.encode("utf-8", "replace"))
    for name, content in sorted(files.items()):
        digest.update(f"\0{name}\0{len(content)}\0".encode("utf-8", "replace") + content)
    name = re.sub(r"[^\w.-]", "_", Path(origin).name).lstrip(".")
    return room.private / "unplaced" / f"{digest.hexdigest()[:8]}-{fitted(name, 80)}"
