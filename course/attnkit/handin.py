"""`python -m attnkit.handin student-001`: packs the notebooks of this folder to hand them in.

In a notebook: `from attnkit.handin import hand_in`, then `hand_in("student-001")`.
The zip holds the notebooks as they were last saved, and `hand-in.json`: who, when, which kit.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import re
import sys
import unicodedata
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from attnkit import __version__

ASSIGNMENT = "self_attention"
MANIFEST = "hand-in.json"
LARGEST = 64 * 2**20
SHOWN = 3  # open exercises that are named of each notebook
PLACEHOLDER = re.compile(r"\W*your[\W_]*(id|name)\W*", re.IGNORECASE)
ODD = re.compile(r"[^A-Za-z0-9._@-]|^[.@-]")


class HandInError(ValueError):
    """Nothing was packed; the message says what to do."""


def hand_in(learner: str, folder: str | Path = ".") -> None:
    """Pack the notebooks of `folder` for `learner`; prints what is inside and still open.

    Raises `HandInError` where nothing can be packed, or no exercise of the course is written.
    """
    _refuse_placeholder(learner)
    _refuse_untouched(Path(folder))
    path = pack(learner, Path(folder))
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name != MANIFEST]
        contents = {name: archive.read(name) for name in names}
    _say(f"{path.name} holds {len(names)} notebooks of {learner}:")
    _say(_row("notebook", "saved", "points tried", "still open"))
    for name, content in contents.items():
        saved = datetime.fromtimestamp((Path(folder) / name).stat().st_mtime)
        _say(_row(name, f"{saved:%Y-%m-%d %H:%M}", *_told(content)))
    _say(_sum([one for one in map(_progress, contents.values()) if one and one != NOTES]))
    is_first = path.name == f"{ASSIGNMENT}-{file_name(learner)}.zip"
    older = "" if is_first else " It takes the place of the older zip beside it."
    _say(f"Hand in {path.name}.{older} To change something: save the notebook, then pack again.")


def _refuse_placeholder(learner: str) -> None:
    if PLACEHOLDER.fullmatch(learner):
        raise HandInError(
            f"hand_in: got {learner!r}, which only stands for it; give the id that your teacher "
            'knows you by, such as "student-001"'
        )


def _refuse_untouched(folder: Path) -> None:
    found = [_progress(path.read_bytes()) for path in folder.glob("*.ipynb") if path.is_file()]
    lessons = [one for one in found if one != NOTES]
    if lessons and all(one and not one.written for one in lessons):
        raise HandInError(
            f"hand_in: {folder.resolve()} holds the untouched course, no exercise in it is "
            "written; save your notebooks, and run this in the folder where you wrote them, "
            "such as my-course"
        )


def pack(learner: str, folder: Path) -> Path:
    """Return the new zip of the notebooks in `folder`; an older zip is left as it is."""
    name = file_name(learner)
    notebooks = sorted(path for path in folder.glob("*.ipynb") if path.is_file())
    if not notebooks:
        raise HandInError(
            f"hand_in: {folder.resolve()} has no notebook; run this in the folder of your notebooks"
        )
    for notebook in notebooks:
        _refuse_too_large(notebook)
    zips = (folder / f"{ASSIGNMENT}-{name}{end}.zip" for end in _endings())
    path = next(path for path in zips if not path.exists())
    with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
        archive.writestr(MANIFEST, json.dumps(_manifest(learner), ensure_ascii=False))
        for notebook in notebooks:
            archive.write(notebook, notebook.name)
    return path


def file_name(learner: str) -> str:
    """Return the id as a file name: what is odd becomes ~ and its bytes in UTF-8.

    >>> file_name("Zoë")
    'Zo~C3~AB'
    """
    learner = unicodedata.normalize("NFC", learner)
    name = ODD.sub(lambda odd: "".join(f"~{byte:02X}" for byte in _bytes(odd[0])), learner)
    if not 0 < len(name) <= 150:
        raise HandInError(
            f"hand_in: got {learner!r} as a learner's id; give the id you were given, "
            'such as "student-001"'
        )
    return name


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def learner_of(name: str) -> str:
    """Return the id that `file_name` made `name` of; `name` itself where it made it of none.

    >>> learner_of("Zo~C3~AB")
    'Zoë'
    """
    raw = re.sub(rb"~([0-9A-F]{2})", lambda byte: bytes([int(byte[1], 16)]), _bytes(name))
    try:
        learner = raw.decode("utf-8", "surrogatepass")
        return learner if file_name(learner) == name else name
    except ValueError:
        return name


def _endings() -> itertools.chain[str]:
    return itertools.chain([""], (f"-{number}" for number in itertools.count(2)))


def _manifest(learner: str) -> dict[str, Any]:
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return {
        "schema": 1,
        "assignment": ASSIGNMENT,
        "learner": learner,
        "time": now,
        "kit": __version__,
    }


def _refuse_too_large(path: Path) -> None:
    size = path.stat().st_size
    if size > LARGEST:
        raise HandInError(
            f"hand_in: {path.name} has {size / 2**20:.1f} MB and at most {LARGEST / 2**20:.0f} "
            "are read; choose Edit, Clear Outputs of All Cells, save it, and pack again"
        )


class Progress(NamedTuple):
    """What of one notebook is done: exercises open and written, points tried and there to get."""

    open: list[str]
    written: int
    tried: float
    most: float


NOTES = Progress([], 0, 0, 0)  # a notebook of the learner's own


def _progress(content: bytes) -> Progress | None:
    """Return what is done in a notebook, or None where it cannot be read."""
    try:
        notebook = json.loads(content)
        left = open_cells(notebook)
        marked = [(cell, cell["metadata"].get("nbgrader", {})) for cell in notebook["cells"]]
        written = sum(bool(mark.get("solution")) for _, mark in marked) - len(left)
        graded = [(_asked(cell), mark["points"]) for cell, mark in marked if mark.get("grade")]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    tried = sum(points for asked, points in graded if written and not asked & set(left))
    return Progress(left, written, tried, sum(points for _, points in graded))


def _asked(cell: dict[str, Any]) -> set[str]:
    """Return the exercises that a graded cell tests, as it names them."""
    return {name for name, _ in re.findall(r"(\w+)=(\w+)", "".join(cell["source"]))}


def _told(content: bytes) -> tuple[str, str]:
    """Return points and open exercises of a notebook, or what to do where it cannot be read."""
    found = _progress(content)
    if found is None:
        return "?", "cannot be read: open it in JupyterLab, save it, and pack again"
    more = [f"and {len(found.open) - SHOWN} more"] if len(found.open) > SHOWN else []
    return f"{found.tried:g} of {found.most:g}", ", ".join(found.open[:SHOWN] + more)


def _sum(lessons: list[Progress]) -> str:
    begun = sum(one.written > 0 for one in lessons)
    tried, most = sum(one.tried for one in lessons), sum(one.most for one in lessons)
    return f"{begun} of {len(lessons)} lessons, {tried:g} of {most:g} points attempted."


def _row(*cells: str) -> str:
    return "  {:<26}{:<18}{:<14}{}".format(*cells).rstrip()


def _say(text: str) -> None:
    """Print; a letter that the terminal does not know is written as its number."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def open_cells(notebook: dict[str, Any]) -> list[str]:
    """Return the names of the solution cells that are as they were released."""
    marked = [(cell, cell["metadata"].get("nbgrader", {})) for cell in notebook["cells"]]
    return [
        mark["grade_id"]
        for cell, mark in marked
        if mark.get("solution") and _checksum(cell, mark) == mark.get("checksum")
    ]


def _checksum(cell: dict[str, Any], mark: dict[str, Any]) -> str:
    """Return what nbgrader writes beside a solution cell when it is released."""
    parts = ["".join(cell["source"]), cell["cell_type"], "False", "True", "False", mark["grade_id"]]
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()


def main() -> None:
    """Pack for the learner named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m attnkit.handin", description=__doc__)
    parser.add_argument("learner", help="the id you were given, such as student-001")
    try:
        hand_in(parser.parse_args().learner)
    except HandInError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
