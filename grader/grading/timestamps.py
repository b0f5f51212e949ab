"""nbgrader's timestamp.txt in what was handed in: one that is no time stops nbgrader's commands."""

from __future__ import annotations

import json
import stat
from pathlib import Path

from grader.grading.store import write_whole
from grader.intake import plainfiles
from grader.intake.gathered import TIMESTAMP
from grader.intake.plainfiles import Refused
from grader.nbgrader_api import moment
from grader.room.classroom import Classroom
from grader.room.filenames import folder_name

LARGEST = 1000
ENCODINGS = ("utf-8-sig", "utf-16", "cp1252")
FORMAT = "%Y-%m-%d %H:%M:%S UTC"


def put_right(room: Classroom, student: str) -> None:
    """Write each time of `student` anew where it can be read, set aside what is no time.

    The original goes into `.grader/set_aside`. What cannot be moved stays; `remarks` tells it.
    """
    for assignment in room.assignments:
        path = room.handed_in(student, assignment) / TIMESTAMP
        if _is_ours(path) and not _is_sound(path):
            try:
                _replace(path, _aside(room, student, assignment))
            except OSError:
                continue


def remarks(room: Classroom, student: str) -> tuple[str, ...]:
    """Return what is to be said of the times of `student`."""
    told = [_remark(room, student, assignment) for assignment in room.assignments]
    return tuple(line for line in told if line)


def content(path: Path) -> bytes:
    """Return the bytes of a timestamp.txt, nothing where there is none that is a small file."""
    try:
        return plainfiles.read(path, LARGEST)
    except Refused:
        return b""


def _remark(room: Classroom, student: str, assignment: str) -> str:
    path, aside = room.handed_in(student, assignment) / TIMESTAMP, _aside(room, student, assignment)
    if _is_ours(path) and not _is_sound(path):
        return (
            f"{assignment}/{TIMESTAMP} is no time that can be read, and could not be moved; remove "
            "it, or nbgrader's own commands stop"
        )
    if _noted(aside) != content(path).decode("utf-8", "replace"):
        return ""
    where = aside.relative_to(room.root)
    if _is_ours(path):
        return f"{assignment}/{TIMESTAMP} was written anew in UTF-8; the original is {where}"
    return (
        f"{assignment}/{TIMESTAMP} is no time that can be read: it is set aside as {where}, and "
        "nobody knows when this was handed in"
    )


def _is_ours(path: Path) -> bool:
    """Return whether there is anything of that name, in a folder and not behind a link."""
    folders = (path.parent, path.parent.parent)
    is_linked = any(stat.S_ISLNK(plainfiles.mode(one)) for one in folders)
    return not is_linked and plainfiles.mode(path) != 0


def _is_sound(path: Path) -> bool:
    return moment(content(path)) is not None


def _replace(path: Path, aside: Path) -> None:
    """Move what stands at `path` to `aside`; put the time in its place where it says one."""
    raw, note = content(path), ""
    aside.parent.mkdir(parents=True, exist_ok=True)
    path.replace(aside)
    for encoding in ENCODINGS:
        text = raw.decode(encoding, "ignore").strip().strip("\0")
        if when := moment(text.encode()):
            note = when.strftime(FORMAT)
            write_whole(path, note)
            break
    write_whole(_note(aside), json.dumps(note))


def _aside(room: Classroom, student: str, assignment: str) -> Path:
    return room.private / "set_aside" / folder_name(student) / f"{assignment}-{TIMESTAMP}"


def _note(aside: Path) -> Path:
    return aside.with_name(f"{aside.name}.now")


def _noted(aside: Path) -> str | None:
    """Return what stood in place of the file that was set aside, None where none was."""
    try:
        return str(json.loads(_note(aside).read_text("utf-8")))
    except (OSError, ValueError):
        return None
