"""Copies of the gradebook, made before a run writes to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from grader.nbgrader_api import course_directory

KEPT = 5


def back_up(root: Path, folder: Path) -> Path | None:
    """Copy the gradebook of class folder `root` into `folder`; the last few copies stay.

    A gradebook that is no SQLite file is left to those who run its server.
    """
    url = make_url(course_directory(root).db_url)
    if url.get_backend_name() != "sqlite":
        return None
    folder.mkdir(exist_ok=True)
    scratch = folder / "copying"
    scratch.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(str(url.database))) as book,
        closing(sqlite3.connect(scratch)) as copy,
    ):
        book.backup(copy)
    made = scratch.rename(folder / f"gradebook-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.db")
    for old in sorted(folder.glob("gradebook-*.db"))[:-KEPT]:
        old.unlink()
    return made
