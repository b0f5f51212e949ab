"""The folder in which a lesson runs: emptied before, watched while, the learner's code works."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
from pathlib import Path

CHECK_EVERY = 0.1
MOST_FILES = 500


def empty(folder: str) -> None:
    """Make the folder where it is missing, and empty it.

    Folders inside folders are moved up first: thousands of levels are no recursion.
    """
    top = Path(folder)
    top.mkdir(exist_ok=True)
    while entries := list(os.scandir(top)):
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                Path(entry.path).unlink()
                continue
            Path(entry.path).chmod(0o700)
            for inner in list(os.scandir(entry.path)):
                if inner.is_dir(follow_symlinks=False):  # it can be moved by whoever may write it
                    Path(inner.path).chmod(0o700)
                Path(inner.path).rename(top / f".{secrets.token_hex(8)}")
            Path(entry.path).rmdir()


def watch(process: int, folder: str, most_bytes: int) -> bytes:
    """Wait until the process ends; end it when its folder gets too full; return how it ended."""
    ended, full = os.pidfd_open(process), False
    while not select.select([ended], [], [], CHECK_EVERY)[0]:
        full = _too_full(folder, most_bytes)
        if full:
            os.kill(process, 9)
    os.close(ended)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code >= 0:
        return b"left\n" if code else b"ended\n"
    return b"its files took too much room\n" if full else f"signal {-code}\n".encode()


def _too_full(folder: str, most_bytes: int) -> bool:
    """Return whether the folder holds too many bytes or files; files may vanish while we look.

    A folder that nobody may look into counts as too full. A file that was removed while open is
    not seen: behind bubblewrap the folder's own size bounds it, else the limits of the process.
    """
    total, count, closed = 0, 0, list[OSError]()
    for _, folders, files, handle in os.fwalk(folder, onerror=closed.append):
        for name in files:
            with contextlib.suppress(FileNotFoundError):
                total += os.stat(name, dir_fd=handle, follow_symlinks=False).st_blocks * 512
        count += len(files) + len(folders)
        if total > most_bytes or count > MOST_FILES:
            return True
    return any(isinstance(one, PermissionError) for one in closed)
