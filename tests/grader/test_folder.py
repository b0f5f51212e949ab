"""The folder in which a lesson runs, after somebody did their worst in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
    (work / "closed" / "inner").chmod(0)
    (work / "closed").chmod(0)
    _dig(work, 3000)
    folder.empty(str(work))
    assert list(work.iterdir()) == []
    assert kept.read_text() == "kept"


def test_folder_that_cannot_be_looked_into_is_too_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "closed").mkdir()
    assert not folder._too_full(str(tmp_path), 1 << 20)
    _refuse(monkeypatch, "closed")
    assert folder._too_full(str(tmp_path), 1 << 20)


def _refuse(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have the system refuse to open `name`, as it refuses everybody but root."""
    opened = os.open

    def refusing(path: str, *rest: int, **options: int) -> int:
        if path == name:
            raise PermissionError(name)
        return opened(path, *rest, **options)

    monkeypatch.setattr(os, "open", refusing)


def _dig(top: Path, levels: int) -> None:
    """Make folders in folders, deeper than a path can name."""
    here = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
