"""Verdicts on disk: one file a learner, written whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from attnkit.handin import learner_of

from grader.room.filenames import folder_name

Entry = dict[str, Any]
NO_VERDICT = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
KEYS = {"state", "score", "max", "repairs", "lessons"}


class Store:
    """The folder `.grader/results` of a class."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def students(self) -> list[str]:
        """Return the ids of all learners on whom a verdict stands."""
        found = (self._student(path) for path in self._folder.glob("[!.]*.json"))
        return sorted(student for student in found if student is not None)

    def result(self, student: str) -> dict[str, Any] | None:
        """Return the verdict on `student`, or None where there is none."""
        entry = self._read(student)
        return entry and entry["result"]

    def is_current(self, student: str, digest: str) -> bool:
        """Return whether a verdict stands that was reached from what `digest` stands for.

        Where the grader itself failed there is none.
        """
        entry = self._read(student)
        failed = entry is not None and entry["result"]["state"] == "infrastructure"
        return entry is not None and entry["digest"] == digest and not failed

    def keep(self, student: str, digest: str, wall: str, result: dict[str, Any]) -> None:
        """Write the verdict on `student`; a reader sees the old file or the new, never a part."""
        entry = {"student": student, "digest": digest, "wall": wall, "result": result}
        write_whole(self._path(student), json.dumps(entry, ensure_ascii=False))

    def wall(self) -> str:
        """Return the walls that the standing verdicts were reached behind, comma-separated."""
        entries = filter(None, map(self._read, self.students()))
        return ", ".join(sorted({one["wall"] for one in entries} - {""})) or "nothing graded yet"

    def _path(self, student: str) -> Path:
        return self._folder / f"{folder_name(student)}.json"

    def _student(self, path: Path) -> str | None:
        """Return whose verdict the file is: most names say so, in others it stands inside."""
        if folder_name(named := learner_of(path.stem)) == path.stem:
            return named
        named = (_entry(path) or {}).get("student", "")
        return named if isinstance(named, str) and self._path(named) == path else None

    def _read(self, student: str) -> Entry | None:
        return _entry(self._path(student))


def _entry(path: Path) -> Entry | None:
    """Return what was kept; a file that is no verdict, however it came about, is none."""
    try:
        entry: Entry = json.loads(path.read_text("utf-8"))
        whole = isinstance(entry["digest"], str) and isinstance(entry["wall"], str)
        entry["result"].setdefault("asks", [])
        return entry if whole and entry["result"].keys() >= KEYS else None
    except (FileNotFoundError, *NO_VERDICT):
        return None


def write_whole(path: Path, text: str) -> None:
    """Write `text` into the file `path`, which at no moment holds a part of it."""
    scratch = path.with_name(f".{path.name}.new")
    try:
        with scratch.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError:
        scratch.unlink(missing_ok=True)
        raise
