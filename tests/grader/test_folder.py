"""The folder in which a lesson runs, after somebody did their worst in it."""

from __future__ import annotations

import os
from pathlib import Path

from grader.sandbox.inside import folder


def test_any_tree_is_emptied(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("kept")
    work = tmp_path / "work"
    folder.empty(str(work))
    (work / "link").symlink_to(tmp_path)
    (work / "file").write_text("x")
    os.mkfifo(work / "fifo")
    (work / "closed" / "inner").mkdir(parents=True)
    (work / "closed").chmod(0)
    _dig(work, 3000)
    folder.empty(str(work))
    assert list(work.iterdir()) == []
    assert kept.read_text() == "kept"


def _dig(top: Path, levels: int) -> None:
    """Make folders in folders, deeper than a path can name."""
    here = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
