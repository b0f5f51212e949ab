"""Puts what was handed in into the class folder; the later attempt counts, none is lost."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from grader.collecting.contents import HandIn, IsNotebook
from grader.collecting.statements import TIMESTAMP, is_to_come, moment
from grader.collecting.unplaced import keep_files
from grader.intake import plainfiles
from grader.intake.plainfiles import Refused, readable, shown
from grader.room.classroom import Classroom
from grader.room.filenames import folder_name


class Outcome(NamedTuple):
    """What became of one thing that was collected.

    who: a folder in `submitted` or, of what was not placed, a path in the archive.
    state: "placed", "replaced", "kept beside", "already there" or "not placed".
    learner: the id of whose it is, "" where nothing tells.
    kept: where in the class folder a copy of what was not placed lies, "" where there is none.
    """

    who: str
    state: str
    note: str = ""
    learner: str = ""
    kept: str = ""

    def __str__(self) -> str:
        """Return one line for a person, with the real id in place of a folder made from it."""
        folder, slash, rest = self.who.partition("/")
        is_made = self.learner and folder == folder_name(self.learner)
        who = f"{self.learner}{slash}{rest}" if is_made else self.who
        return f"{shown(who)}: {self.state}" + (f"; {readable(self.note)}" if self.note else "")


def place(room: Classroom, assignment: str, attempt: HandIn, is_notebook: IsNotebook) -> Outcome:
    """Put one attempt into `submitted`, or beside a later one; returns what was done."""
    learner = attempt.learner.id
    folder = folder_name(learner)
    who = f"{folder}/{assignment}" if len(room.assignments) > 1 else folder
    state, note = _placed(room, assignment, attempt, is_notebook)
    if state == "not placed":
        kept = keep_files(room, attempt.origin, attempt.files)
        return Outcome(who, state, f"{note}; kept as {kept}", learner, kept)
    is_told = folder != learner and state != "already there"
    notes = [f"the folder is called {folder}" if is_told else "", note]
    return Outcome(who, state, "; ".join(filter(None, notes)), learner)


def _placed(
    room: Classroom, assignment: str, attempt: HandIn, is_notebook: IsNotebook
) -> tuple[str, str]:
    """Return the state that `Outcome` names, and what there is to say."""
    who = folder_name(attempt.learner.id)
    folder = room.handed_in(who, assignment)
    if folder.is_symlink() or folder.parent.is_symlink():
        return "not placed", f"{folder} is a link; put a folder in its place"
    if other := _other_folder(room, attempt.learner.id):
        return "not placed", f"submitted/{other} was put there by hand; rename it to {who}"
    present = _present(folder, is_notebook)
    beside = room.private / "attempts" / who
    if attempt.files == present:
        return "already there", ""
    if is_to_come(attempt.when):
        if folder.exists():
            return "not placed", "its time is still to come, and other work stands: which counts?"
        attempt = attempt._replace(when=None)
    if _is_old(attempt, folder, beside):
        return "already there", ""
    if _is_earlier(attempt, folder):
        _write(beside / _name(attempt.files, attempt.when), attempt)
        return "kept beside", "a later attempt counts"
    kept = _set_aside(folder, beside / _name(present, _when(folder)))
    _write(folder, attempt)
    notes = [f"the earlier attempt is kept in {kept.relative_to(room.root)}"] if kept else []
    notes += _told(attempt, present)
    return "replaced" if kept else "placed", "; ".join(notes)


def _other_folder(room: Classroom, learner: str) -> str:
    """Return the folder that somebody named by the id itself, "" where there is none."""
    forms = {learner, unicodedata.normalize("NFD", learner)} - {folder_name(learner), ".", ".."}
    fit = [
        one
        for one in forms
        if not set("/\0") & set(one) and len(one.encode("utf-8", "surrogatepass")) < 256
    ]
    return next((one for one in fit if (room.submitted / one).exists()), "")


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
        when = moment(plainfiles.read(folder / TIMESTAMP)[:100].decode())
    except (Refused, ValueError):
        return None
    return None if is_to_come(when) else when


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
    notes += [f"it was packed for {shown(attempt.made_for)!r}"] if attempt.made_for else []
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
