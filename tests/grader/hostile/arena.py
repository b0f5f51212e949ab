"""A place to attack, and what was done to it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import select
import socket
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from grader.judging.judge import Cell, Lesson
from grader.sandbox import exposed

CHECKS = (
    "softmax_rows_sum",
    "softmax_values",
    "softmax_odd_shapes",
    "softmax_stability",
    "softmax_gradient",
)
FIRST = "import numpy as np\nfrom attnkit import Value, checks, plot"


class Arena:
    """A folder with what a class holds, somebody who listens, and another process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.chmod(0o777)
        with sqlite3.connect(folder / "gradebook.db") as book:
            book.execute("create table grade (name text, score real)")
            book.execute("insert into grade values ('other', 50)")
        (folder / "source.ipynb").write_text("hidden")
        (folder / "other.ipynb").write_text("open(OUTSIDE + '/owned', 'w')")
        for path in folder.iterdir():
            path.chmod(0o666)
        self.listeners = list(self._listen())
        self.other = subprocess.Popen(["sleep", "1000"])
        self._before = self._files()

    def given(self) -> str:
        """Return the cell that tells a hand-in where to aim."""
        port = self.listeners[0].getsockname()[1]
        return f"OUTSIDE = {str(self.folder)!r}\nPORT = {port}\nOTHER = {self.other.pid}"

    def harm(self) -> list[str]:
        """Return what happened outside since the beginning."""
        after = self._files()
        touched = {*after.items()} ^ {*self._before.items()}
        found = sorted({name for name, _ in touched})
        if select.select(self.listeners, [], [], 0)[0]:
            found.append("network reached")
        if self.other.poll() is not None:
            found.append("another process ended")
        return found + [f"left behind: process {pid}" for pid in left_behind()]

    def close(self) -> None:
        for one in self.listeners:
            one.close()
        self.other.kill()
        self.other.wait()

    def _listen(self) -> Iterator[socket.socket]:
        server = socket.create_server(("127.0.0.1", 0))
        yield server
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(server.getsockname())
        yield datagrams
        for name, kind in (("socket", socket.SOCK_STREAM), ("datagrams", socket.SOCK_DGRAM)):
            local = socket.socket(socket.AF_UNIX, kind)
            local.bind(str(self.folder / name))
            (self.folder / name).chmod(0o777)
            if kind == socket.SOCK_STREAM:
                local.listen()
            yield local

    def _files(self) -> dict[str, tuple[object, ...]]:
        return {one.name: _look(one) for one in [self.folder, *self.folder.iterdir()]}


def _look(path: Path) -> tuple[object, ...]:
    is_file = stat.S_ISREG(path.lstat().st_mode)
    content = hashlib.sha256(path.read_bytes()).hexdigest() if is_file else ""
    return path.lstat().st_mode, path.lstat().st_nlink if is_file else 0, content


def left_behind() -> list[int]:
    """Return the processes that still serve a lesson, though none is being judged."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.fsencode(exposed.kit()) in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@contextlib.contextmanager
def arena() -> Iterator[Arena]:
    """Give an arena, and take it down after."""
    with tempfile.TemporaryDirectory() as folder:
        place = Arena(Path(folder))
        try:
            yield place
        finally:
            place.close()


def cells(text: str) -> list[str]:
    """Return the cells of a hand-in's text; a cell that begins with `check` marks the checks."""
    return [one.strip("\n") for one in f"\n{text}".split("\n# %%")]


def lesson(name: str, text: str, given: str = "") -> Lesson:
    """Return a hand-in as a lesson, with the checks where it marks them, or last."""
    placed: list[Cell] = [Cell("first", FIRST), Cell("given", given)]
    for number, source in enumerate(cells(text)):
        if source == " check":
            placed += [Cell(check, "") for check in CHECKS]
        else:
            placed.append(Cell(f"cell-{number}", source))
    return Lesson(name, placed, CHECKS)
