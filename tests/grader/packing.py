"""Archives as they are collected, and what a class folder holds after."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from attnkit.handin import MANIFEST

from grader.collecting.attempts import Outcome

FIRST, SECOND, OTHER = b'{"cells": [1]}', b'{"cells": [2]}', b'{"cells": [3]}'
LATER, EARLIER = "2026-02-01 10:00:00 UTC", "2026-01-01 10:00:00 UTC"
ADA = "Ada Lovelace_1234567_assignsubmission_file_"
ZOE = "Zoë Müller_89_assignsubmission_file_"


def class_folder(root: Path) -> Path:
    """Make a class folder with two lessons."""
    released = root / "release" / "self_attention"
    for folder in (released, root / ".grader", root / "submitted"):
        folder.mkdir(parents=True)
    (root / ".grader" / "class.json").write_text('{"seed": "0"}')
    (root / "class.toml").write_text('name = "class"')
    for name in ("03_softmax", "04_attention_scores"):
        text = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (released / f"{name}.ipynb").write_text(json.dumps(text))
    return root


def zipped(files: dict[str, bytes], path: Path | None = None) -> bytes:
    """Return a zip of `files`; written to `path` where one is given."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    if path:
        path.write_bytes(buffer.getvalue())
    return buffer.getvalue()


def kit_zip(learner: str, when: str, files: dict[str, bytes]) -> bytes:
    """Return a zip as `attnkit.handin` makes it."""
    stated = {"schema": 1, "assignment": "self_attention", "learner": learner, "time": when}
    return zipped({MANIFEST: json.dumps(stated).encode(), **files})


def states(outcomes: list[Outcome]) -> list[tuple[str, str]]:
    return [(one.who, one.state) for one in outcomes]


def tree(root: Path) -> dict[str, bytes]:
    """Return every file of what was collected, by path."""
    folders = [root / "submitted", root / ".grader"]
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def placed(root: Path, who: str) -> dict[str, bytes]:
    folder = root / "submitted" / who / "self_attention"
    return {path.name: path.read_bytes() for path in folder.iterdir()}
