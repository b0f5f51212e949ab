"""Verdicts on disk: one file a learner, written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote


class Store:
    """The folder `.grader/results` of a class."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def students(self) -> list[str]:
        """Return the ids of all learners on whom a verdict stands."""
        return sorted(unquote(path.stem) for path in self._folder.glob("*.json"))

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
        entry = json.dumps({"digest": digest, "wall": wall, "result": result}, ensure_ascii=False)
        with tempfile.NamedTemporaryFile(
            "w", dir=self._folder, delete=False, encoding="utf-8"
        ) as file:
            file.write(entry)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(self._path(student))

    def wall(self) -> str:
        """Return the walls that the standing verdicts were reached behind, comma-separated."""
        entries = [json.loads(path.read_text("utf-8")) for path in self._folder.glob("*.json")]
        return ", ".join(sorted({entry["wall"] for entry in entries})) or "nothing graded yet"

    def _path(self, student: str) -> Path:
        return self._folder / f"{quote(student, safe='')}.json"

    def _read(self, student: str) -> dict[str, Any] | None:
        path = self._path(student)
        return json.loads(path.read_text("utf-8")) if path.exists() else None
