"""Puts what was handed in into the class folder; the later attempt counts, none is lost."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from attnkit.handin import file_name

from grader.collecting.handins import HandIn, IsNotebook
from grader.collecting.statements import TIMESTAMP, moment
from grader.intake import plainfiles
from grader.intake.plainfiles import Refused
from grader.room.classroom import Classroom


class Outcome(NamedTuple):
    """What became of one thing that was collected.

    state: "placed", "replaced", "kept beside", "already there" or "not placed".
    """

    who: str
    state: str
    note: str = ""

    def __str__(self) -> str:
        """Return one line for a person."""
        return f"{self.who}: {self.state}" + (f"; {self.note}" if self.note else "")


def place(room: Classroom, assignment: str, attempt: HandIn, is_notebook: IsNotebook) -> Outcome:
    """Put one attempt into `submitted`, or beside a later one; returns what was done."""
    outcome = _placed(room, assignment, attempt, is_notebook)
    several = len(room.assignments) > 1
    return outcome._replace(who=f"{outcome.who}/{assignment}") if several else outcome


def _placed(room: Classroom, assignment: str, attempt: HandIn, is_notebook: IsNotebook) -> Outcome:
    who = file_name(attempt.learner.id)
    folder = room.handed_in(who, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        return Outcome(who, "not placed", f"{folder} is a link; put a folder in its place")
    present = _present(folder, is_notebook)
    beside = room.private / "attempts" / who
    if attempt.files == present or _is_old(attempt, folder, beside):
        return Outcome(who, "already there")
    if _is_earlier(attempt, folder):
        _write(beside / _name(attempt.files, attempt.when), attempt)
        return Outcome(who, "kept beside", "a later attempt counts")
    kept = _set_aside(folder, beside / _name(present, _when(folder)))
    _write(folder, attempt)
    notes = [f"the earlier attempt is kept in {kept.relative_to(room.root)}"] if kept else []
    notes += _told(attempt, present)
    return Outcome(who, "replaced" if kept else "placed", "; ".join(notes))


def _set_aside(folder: Path, beside: Path) -> Path | None:
    """Move what stands in `folder` to a free name like `beside`; None where nothing stands."""
    if not folder.exists():
        return None
    names = chain([beside], (beside.with_name(f"{beside.name}-{number}") for number in count(2)))
    free = next(name for name in names if not name.exists())
    free.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(folder, free)
    return free


def _present(folder: Path, is_notebook: IsNotebook) -> dict[str, bytes]:
    """Return the notebooks that stand in `folder`; one that cannot be read counts as empty."""
    return {
        path.relative_to(folder).as_posix(): _content(path)
        for path in plainfiles.walk(folder)
        if is_notebook(path.name) and path.name != TIMESTAMP
    }


def _content(path: Path) -> bytes:
    try:
        return plainfiles.read(path, most=2**30)
    except Refused:
        return b""


def _is_old(attempt: HandIn, folder: Path, beside: Path) -> bool:
    """Return whether this attempt was collected before, and another one came after it."""
    known = any(beside.glob(f"*-{_digest(attempt.files)}*"))
    present = _when(folder)
    is_later = attempt.when is not None and present is not None and attempt.when > present
    return known and folder.exists() and not is_later


def _is_earlier(attempt: HandIn, folder: Path) -> bool:
    present = _when(folder)
    return attempt.when is not None and present is not None and attempt.when < present


def _when(folder: Path) -> datetime | None:
    try:
        return moment(plainfiles.read(folder / TIMESTAMP)[:100].decode())
    except (Refused, ValueError):
        return None


def _name(files: Mapping[str, bytes], when: datetime | None) -> str:
    time = f"{when:%Y%m%dT%H%M%SZ}" if when else "undated"
    return f"{time}-{_digest(files)}"


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:16]


def _told(attempt: HandIn, present: Mapping[str, bytes]) -> list[str]:
    gone = sorted(set(present) - set(attempt.files))
    notes = [f"only the earlier one has {_list(gone)}"] if gone else []
    notes += [f"left out: {_list(attempt.left_out)}"] if attempt.left_out else []
    return notes


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(map(plainfiles.shown, names[:5])) + more


def _write(target: Path, attempt: HandIn) -> None:
    """Write the attempt as a whole: a run that is killed leaves nothing half-written."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".incoming-") as scratch:
        folder = Path(scratch) / "folder"
        folder.mkdir()
        for name, content in attempt.files.items():
            (folder / name).write_bytes(content)
        if attempt.when:
            time = attempt.when.strftime("%Y-%m-%d %H:%M:%S UTC")
            (folder / TIMESTAMP).write_text(time, "utf-8")
        folder.rename(target)
