"""Keeps two commands from writing into one class folder at the same time."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from grader.room.classroom import Classroom


class InUseError(Exception):
    """Another command works in this class folder; the message says which, and since when."""


@contextmanager
def hold(room: Classroom, command: str) -> Iterator[None]:
    """Be the only one in the class folder; the system lets go when this process ends, however."""
    lock, note = FileLock(room.private / "lock", timeout=0), room.private / "holder.json"
    try:
        lock.acquire()
    except Timeout as error:
        raise InUseError(_told(room.root, note)) from error
    try:
        since = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
        holder = {"command": command, "process": os.getpid(), "machine": platform.node()}
        note.write_text(json.dumps(holder | {"since": since}), "utf-8")
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _told(root: Path, note: Path) -> str:
    try:
        one = json.loads(note.read_text("utf-8"))
        who = (
            f"`grader {one['command']}`, process {one['process']} on {one['machine']} since "
            f"{one['since']}"
        )
    except (OSError, ValueError, KeyError):  # it has begun or ended just now
        who = "another command"
    return (
        f"{root} is in use by {who}; wait until that has ended, or stop it: it loses no verdict. "
        "Nothing was done"
    )
