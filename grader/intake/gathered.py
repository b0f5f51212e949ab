"""What lies in a learner's folder, as bytes: read once, compared with the last time, sent on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from grader.intake import plainfiles
from grader.intake.plainfiles import LARGEST, Refused

MOST_NOTEBOOKS, MOST_BYTES = 40, 64 * 2**20
TIMESTAMP = "timestamp.txt"  # nbgrader's name for the time at which something was handed in


class File(NamedTuple):
    """A file by its path inside the folder; `refusal` says why it was not read."""

    name: str
    content: bytes
    refusal: str = ""


class Gathered(NamedTuple):
    """All that intake looks at: notebooks, and the names under which scripts could be imported."""

    refusal: str
    files: tuple[File, ...]
    scripts: frozenset[str]
    timestamp: bytes

    def digest(self) -> bytes:
        """Return a hash that changes whenever anything here does."""
        whole = hashlib.sha256(self.refusal.encode())
        scripts = [File(name, b"") for name in sorted(self.scripts)]
        for name, content, refusal in [*self.files, *scripts, File(TIMESTAMP, self.timestamp)]:
            head = f"\0{name}\0{refusal}\0{len(content)}\0"
            whole.update(head.encode("utf-8", "surrogateescape") + content)
        return whole.digest()


def gather(folder: Path, is_notebook: Callable[[str], bool]) -> Gathered:
    """Return what is in `folder`; a file that `is_notebook` by its name is read."""
    if refusal := _refusal_of_folder(folder):
        return Gathered(refusal, (), frozenset(), b"")
    paths = list(plainfiles.walk(folder))
    likely = [path for path in paths if is_notebook(path.name)][:MOST_NOTEBOOKS]
    files: list[File] = []
    for path in likely:
        left = MOST_BYTES - sum(len(file.content) for file in files)
        files.append(_read(path, path.relative_to(folder).as_posix(), min(left, LARGEST)))
    timestamp = _read(folder / TIMESTAMP, TIMESTAMP, LARGEST).content
    return Gathered("", tuple(files), frozenset(map(_importable, _scripts(paths))), timestamp)


def _refusal_of_folder(folder: Path) -> str:
    if folder.is_symlink() or folder.parent.is_symlink():
        return "the folder is a link; put the files themselves into it"
    if folder.exists() and not folder.is_dir():
        return "the folder is a file; put the notebooks into a folder of that name"
    return ""


def _read(path: Path, name: str, most: int) -> File:
    try:
        return File(name, plainfiles.read(path, most))
    except Refused as refusal:
        return File(name, b"", str(refusal))


def _scripts(paths: list[Path]) -> list[Path]:
    return [path for path in paths if path.suffix == ".py"]


def _importable(script: Path) -> str:
    return script.parent.name if script.stem == "__init__" else script.stem
