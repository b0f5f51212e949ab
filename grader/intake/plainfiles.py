"""Opens what strangers handed in: plain files only, never a link, a pipe or a folder."""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

LARGEST = 8 * 2**20  # of a notebook without what its cells printed
LARGEST_READ = 64 * 2**20  # of a file as it was saved
DEEPEST = 3
MOST_ENTRIES = 2000
MOST_NAMED = 5
LEFT_BY_MACHINES = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")
STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, direction, half of a character, new line
JOINERS = "\u200c\u200d"  # within names in Persian, Hindi and other scripts


class Refused(Exception):  # noqa: N818 (a verdict on a file, not an error of the grader)
    """A file that is not read; the message continues its name: "is empty; save it again"."""


def readable(text: str) -> str:
    """Return `text` on one line, in its own script; what steers a terminal or a page is escaped.

    >>> readable("Zoë" + chr(27))[3:] == ascii(chr(27))[1:-1]
    True
    """
    return "".join(one if _is_harmless(one) else ascii(one)[1:-1] for one in text)


def _is_harmless(one: str) -> bool:
    return unicodedata.category(one) not in STEERING or one in JOINERS


def listed(items: Sequence[str]) -> str:
    """Return the first few of `items` in one line, and how many more there are."""
    more = f" and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else ""
    return ", ".join(items[:MOST_NAMED]) + more


def shown(name: object) -> str:
    """Return `name` fit for a log or a page: one line, at most 80 characters."""
    text = readable(str(name))
    return text if len(text) <= 80 else f"{text[:38]}...{text[-38:]}"


def read(path: Path, most: int = LARGEST) -> bytes:
    """Return the bytes of the plain file `path`; raises `Refused` for anything else."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refused(_why(path, error)) from error
    try:
        _refuse_unless_plain(os.fstat(handle), most)
        with os.fdopen(handle, "rb", closefd=False) as stream:
            return stream.read(most)
    finally:
        os.close(handle)


def _why(path: Path, error: OSError) -> str:
    if stat.S_ISLNK(mode(path)):
        return "is a link; hand in the file itself"
    return f"cannot be opened ({error.strerror}); look at it by hand"


def mode(path: Path) -> int:
    """Return what `path` itself is, as the system says it; 0 where nobody may know."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _refuse_unless_plain(found: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise Refused("is a folder; hand in the notebook file itself")
    if not stat.S_ISREG(found.st_mode):
        raise Refused("is a pipe or a device; hand in a plain file")
    if found.st_nlink != 1:
        raise Refused("shares its content with another file (hard link); hand in a plain copy")
    if found.st_size > most:
        raise Refused(too_large(found.st_size, most))


def too_large(size: int, most: int) -> str:
    """Return what is said of a file of `size` bytes where at most `most` are read."""
    return (
        f"has {size / 2**20:.1f} MB; at most {most / 2**20:.0f} MB are read: "
        "clear all outputs, save, and hand it in again"
    )


class Listing(NamedTuple):
    """The files below a folder, and the folders of which not all could be listed, with the why."""

    files: list[Path]
    closed: dict[Path, str]


def listing(folder: Path, deepest: int = DEEPEST) -> Listing:
    """Return what lies in `folder`, then in the folders inside it; hidden names are passed over.

    Links are listed and never followed; a folder is listed only where it is named like a file.
    """
    found, pending, left = Listing([], {}), [(folder, deepest)], MOST_ENTRIES
    while pending:
        here, depth = pending.pop(0)
        try:
            entries = _entries(here, left + 1)
        except OSError as error:
            found.closed[here] = f"cannot be opened ({error.strerror})"
            continue
        if len(entries) > left or (entries and depth < 0):
            too_much = f"has more than the {MOST_ENTRIES} files that are looked at"
            found.closed[here] = "lies too deep" if depth < 0 else too_much
        entries = entries[: left if depth >= 0 else 0]
        left -= len(entries)
        for entry in entries:
            is_folder = entry.is_dir(follow_symlinks=False)
            if not is_folder or "." in entry.name:
                found.files.append(Path(entry.path))
            if is_folder:
                pending.append((Path(entry.path), depth - 1))
    return found


def walk(folder: Path) -> list[Path]:
    """Return the files of `listing`."""
    return listing(folder).files


def _entries(folder: Path, most: int) -> list[os.DirEntry[str]]:
    if not folder.is_dir():
        return []
    with os.scandir(folder) as entries:
        found = sorted(islice(entries, most), key=lambda entry: entry.name)
    return [one for one in found if one.name[0] != "." and one.name not in LEFT_BY_MACHINES]
