"""What lies in a zip or a folder that a stranger packed, entry by entry; nothing is unpacked."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

from grader.intake import plainfiles
from grader.intake.plainfiles import LEFT_BY_MACHINES, Refused

LARGEST = 64 * 2**20
MOST_ENTRIES = 100_000
HIGHEST_RATIO = 200
UTF_8_NAME = 0x800
ENCRYPTED = 0x1
SMALL = 2**14
DEEPEST = 12
DRIVE = re.compile("[A-Za-z]:")


class Entry(NamedTuple):
    """One file. `parts` is its path inside, `saved` its local time where one is known.

    `read` returns its bytes and raises `Refused` where it is not what it should be.
    `size` is what these bytes take in memory, unless the file lies in a folder.
    `is_closed` is set for a folder that nobody may look into.
    """

    parts: tuple[str, ...]
    saved: datetime | None
    read: Callable[[], bytes]
    size: int = 0
    is_closed: bool = False

    @property
    def name(self) -> str:
        """Return the name of the file, without folders."""
        return self.parts[-1]


def entries(archive: Path | bytes) -> Iterator[Entry]:
    """Yield the files in a zip or a folder; raises `Refused` where it is neither."""
    tops: dict[str, bool] = {}
    if isinstance(archive, Path) and archive.is_dir():
        found, tops = _in_folder(archive, ()), dict.fromkeys(_folders(archive), False)
    else:
        found = _in_zip(archive)
    for entry in found:
        top, is_work = entry.parts[0], not any(map(_is_passed_over, entry.parts))
        tops[top] = tops.get(top, False) or is_work
        if is_work:
            yield entry
    for top, has_work in tops.items():
        if not has_work and not _is_passed_over(top):
            yield Entry((top,), None, _hidden)


def _folders(folder: Path) -> list[str]:
    """Return the names of the folders in `folder`: one may hold nothing at all."""
    try:
        with os.scandir(folder) as listed:
            found = [one.name for one in listed if one.is_dir(follow_symlinks=False)]
    except OSError:  # told of when it is read
        return []
    return [unicodedata.normalize("NFC", name) for name in sorted(found)]


def _is_passed_over(part: str) -> bool:
    """Return whether a file or folder of this name is nobody's work: hidden, or a machine's."""
    return (part[0] == "." and part not in (".", "..")) or part in LEFT_BY_MACHINES


def _in_folder(folder: Path, above: tuple[str, ...]) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as listed:
            found = sorted(listed, key=lambda one: one.name)
    except OSError as error:
        read = partial(_closed, error.strerror or str(error))
        yield Entry(above or (folder.name,), None, read, is_closed=True)
        return
    for one in found:
        parts = (*above, unicodedata.normalize("NFC", one.name))
        if one.is_dir(follow_symlinks=False) and len(parts) < DEEPEST:
            yield from _in_folder(Path(one.path), parts)
        else:
            yield Entry(parts, None, partial(plainfiles.read, Path(one.path), LARGEST))


def _hidden() -> bytes:
    raise Refused("holds no file, or hidden ones only; ask for the .ipynb files")


def _closed(why: str) -> bytes:
    raise Refused(f"cannot be opened ({why}); look at it by hand")


def _in_zip(archive: Path | bytes) -> Iterator[Entry]:
    try:
        opened = ZipFile(io.BytesIO(archive) if isinstance(archive, bytes) else archive)
    except Exception as error:  # whatever zipfile makes of a stranger's bytes
        raise Refused(f"is no zip that can be read ({error}); download it again") from error
    infos = opened.infolist()
    if len(infos) > MOST_ENTRIES:
        raise Refused(f"has {len(infos)} entries; at most {MOST_ENTRIES} are read")
    for info in infos:
        if not info.filename.endswith("/"):  # is_dir() breaks on an empty name
            parts = _parts(info)
            read = partial(_read, opened, info) if _is_inside(parts) else _slipped
            path = tuple(part for part in parts if part) or ("?",)
            yield Entry(path, _saved(info), read, info.file_size)


def _parts(info: ZipInfo) -> list[str]:
    """Return the path of an entry; names are UTF-8 where they can be, whatever the zip says."""
    name = info.orig_filename.split("\0")[0]
    if not info.flag_bits & UTF_8_NAME:
        with contextlib.suppress(ValueError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name.replace("\\", "/")).split("/")


def _is_inside(parts: list[str]) -> bool:
    return all(parts) and not {".", ".."} & set(parts) and not DRIVE.match(parts[0])


def _slipped() -> bytes:
    raise Refused("has a path that leads out of its folder; look at the archive by hand")


def _saved(info: ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time) if info.date_time[0] > 1980 else None
    except ValueError:
        return None


def _read(opened: ZipFile, info: ZipInfo) -> bytes:
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Refused("is a link; ask for the file itself")
    if info.flag_bits & ENCRYPTED:
        raise Refused("is locked with a password; ask for a zip without one")
    if info.file_size > min(LARGEST, HIGHEST_RATIO * (info.compress_size + SMALL)):
        raise Refused(f"would unpack to {info.file_size / 2**20:.0f} MB; look at it by hand")
    try:
        return opened.read(info)
    except Exception as error:
        raise Refused(f"cannot be unpacked ({error}); ask for it again") from error
