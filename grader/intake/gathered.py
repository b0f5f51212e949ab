"""What lies in a learner's folder, as bytes: read once, compared with the last time, sent on."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from grader.intake import plainfiles
from grader.intake.outputs import without_outputs
from grader.intake.plainfiles import DEEPEST, LARGEST, LARGEST_READ, Listing, Refused

MOST_NOTEBOOKS, MOST_BYTES, MOST_READ = 40, 64 * 2**20, 256 * 2**20
TIMESTAMP = "timestamp.txt"  # nbgrader's name for the time at which something was handed in
OF_COURSE = {TIMESTAMP, "submission_secret.txt", "hand-in.json", "README.md", "pyproject.toml"}


class File(NamedTuple):
    """A file by its path inside the learner's folder; `refusal` says why it was not read."""

    name: str
    content: bytes
    refusal: str = ""


class Gathered(NamedTuple):
    """All that intake looks at.

    refusals: why nothing could be read of an assignment, by its name.
    files: notebooks. scripts: the names under which scripts could be imported.
    unread: whatever else lies there, without content; what could not be opened has a refusal.
    times: what says when each assignment was handed in.
    remarks: what was found out about the folder before, such as a time that is none.
    """

    refusals: Mapping[str, str]
    files: tuple[File, ...]
    scripts: frozenset[str]
    unread: tuple[File, ...]
    times: tuple[File, ...]
    remarks: tuple[str, ...] = ()

    def digest(self) -> bytes:
        """Return a hash that changes whenever anything here does."""
        names = [f"{one}\0{why}" for one, why in sorted(self.refusals.items())]
        whole = hashlib.sha256(repr([names, sorted(self.scripts), self.remarks]).encode())
        for name, content, refusal in [*self.files, *self.times, *self.unread]:
            head = f"\0{name}\0{refusal}\0{len(content)}\0"
            whole.update(head.encode("utf-8", "surrogateescape") + content)
        return whole.digest()


def gather(
    folder: Path, assignments: Iterable[str], is_notebook: Callable[[str], bool]
) -> Gathered:
    """Return what is in a learner's `folder`; a file that `is_notebook` by its name is read."""
    names = list(assignments)
    refusals = {name: why for name in names if (why := _refusal_of_folder(folder / name))}
    is_link = stat.S_ISLNK(plainfiles.mode(folder))
    found = Listing([], {}) if is_link else plainfiles.listing(folder, DEEPEST + 1)
    refusals |= {
        name: f"the folder {found.closed[path]}; look at it by hand"
        for name in names
        for path in (folder, folder / name)
        if path in found.closed and "opened" in found.closed[path]
    }
    likely = [path for path in found.files if is_notebook(path.name)]
    times = [] if is_link else [_read(folder, folder / name / TIMESTAMP, LARGEST) for name in names]
    scripts = [path for path in found.files if path.suffix == ".py"]
    return Gathered(
        refusals,
        tuple(_notebooks(folder, likely[:MOST_NOTEBOOKS])),
        frozenset(map(_importable, scripts)),
        tuple(_unread(folder, found, {*likely[:MOST_NOTEBOOKS]}, names)),
        tuple(times),
    )


def unreadable(assignments: Iterable[str], error: OSError) -> Gathered:
    """Return what is in a folder that the system does not give out."""
    why = f"the folder cannot be read ({error.strerror}); look at it by hand"
    return Gathered(dict.fromkeys(assignments, why), (), frozenset(), (), ())


def _refusal_of_folder(folder: Path) -> str:
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            return "the folder is a link; put the files themselves into it"
        if folder.exists() and not folder.is_dir():
            return "the folder is a file; put the notebooks into a folder of that name"
    except OSError as error:
        return f"the folder cannot be opened ({error.strerror}); look at it by hand"
    return ""


def _notebooks(folder: Path, paths: list[Path]) -> list[File]:
    """Return the notebooks as far as they fit together into what is read of one learner."""
    files: list[File] = []
    kept, left = MOST_BYTES, MOST_READ
    for path in paths:
        file = _slim(_read(folder, path, min(left, LARGEST_READ)), min(kept, LARGEST))
        left -= _size(path)
        kept -= len(file.content)
        files.append(file)
    return files


def _read(folder: Path, path: Path, most: int) -> File:
    name = path.relative_to(folder).as_posix()
    try:
        return File(name, plainfiles.read(path, max(0, most)))
    except Refused as refusal:
        return File(name, b"", str(refusal))


def _slim(file: File, most: int) -> File:
    """Return `file` without what its cells printed, where that is too much to be sent on."""
    if len(file.content) <= most:
        return file
    try:
        content = without_outputs(file.content)
    except Refused as refusal:
        return File(file.name, b"", str(refusal))
    if len(content) > most:
        return File(file.name, b"", plainfiles.too_large(len(content), most))
    return File(file.name, content)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _unread(folder: Path, found: Listing, read: set[Path], assignments: list[str]) -> list[File]:
    """Return what nobody reads, without the course's own files and what the assignments are."""
    expected = {folder, *(folder / name for name in assignments)}
    files = [
        File(path.relative_to(folder).as_posix(), b"", _oddity(path))
        for path in found.files
        if path not in read and not _is_of_course(path, folder)
        if not stat.S_ISDIR(plainfiles.mode(path))
    ]
    closed = [
        File(path.relative_to(folder).as_posix(), b"", why)
        for path, why in found.closed.items()
        if path not in expected or "opened" not in why
    ]
    return files + closed


def _oddity(path: Path) -> str:
    mode = plainfiles.mode(path)
    if stat.S_ISLNK(mode):
        return "is a link"
    return "" if stat.S_ISREG(mode) else "is no plain file, or in a folder that cannot be entered"


def _is_of_course(path: Path, folder: Path) -> bool:
    parts = path.relative_to(folder).parts
    return "attnkit" in parts[:-1] or parts[-1] in OF_COURSE


def _importable(script: Path) -> str:
    return script.parent.name if script.stem == "__init__" else script.stem
