"""The inner wall, taken by the learner's process itself before the learner's text runs."""

from __future__ import annotations

import os
import pathlib
import shutil
from typing import Any


def become(user: int | None) -> None:
    """Give up root for good."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def fresh_folder(folder: str) -> None:
    """Empty the folder in which a lesson runs."""
    shutil.rmtree(folder, ignore_errors=True)
    pathlib.Path(folder).mkdir(mode=0o700, exist_ok=True)


def take(settings: dict[str, Any]) -> None:
    """Confine this process for the rest of its life."""
    os.chdir(settings["folder"])


def watch(process: int, settings: dict[str, Any]) -> bytes:
    """Wait until a lesson's process ends; return one line that says how."""
    _, status = os.waitpid(process, 0)
    code = os.waitstatus_to_exitcode(status)
    return b"ended\n" if code == 0 else f"signal {-code}\n".encode() if code < 0 else b"exit\n"
