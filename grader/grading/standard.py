"""What every learner of a class is held against, and one hash of all that a verdict rests on."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import attnkit
import nbformat
import numpy as np

from grader import __version__
from grader.notebook import Notebook
from grader.room.classroom import Classroom
from grader.sandbox.walls import Limits

DECIDING = ("checks", "intake", "judging", "misconceptions", "sandbox", "grading/run.py")

Lessons = Mapping[str, Mapping[str, Notebook]]  # by assignment, then by name


class Standard(NamedTuple):
    """Release and source of a class, packed to be sent; `digest` stands for all, the code too."""

    release: bytes
    source: bytes
    seed: str
    code: str
    digest: str


def of(room: Classroom) -> Standard:
    """Return what learners of `room` are held against now."""
    release, source = _packed(room, "release"), _packed(room, "source")
    digest = _hash([release, source, room.seed.encode(), of_code().encode()])
    return Standard(release, source, room.seed, of_code(), digest)


@cache
def of_code() -> str:
    """Return a hash of the checks, the kit and all other code that decides on a verdict."""
    settings = repr((__version__, np.__version__, Limits()))
    return _hash([settings.encode(), *(path.read_bytes() for path in _files())])


def _files() -> Iterator[Path]:
    here = Path(__file__).parents[1]
    for name in DECIDING:
        yield from [here / name] if name.endswith(".py") else sorted((here / name).rglob("*.py"))
    for path in sorted(Path(str(attnkit.__file__)).parent.rglob("*")):
        if path.suffix in (".py", ".json"):
            yield path


def _packed(room: Classroom, step: str) -> bytes:
    texts = {
        assignment: {path.stem: path.read_text("utf-8") for path in room.paths(step, assignment)}
        for assignment in room.assignments
    }
    return zlib.compress(json.dumps(texts).encode(), 1)


@lru_cache(maxsize=4)
def unpacked(lessons: bytes) -> Lessons:
    """Return the notebooks in one field of a `Standard`."""
    texts = json.loads(zlib.decompress(lessons))
    return {
        assignment: {name: nbformat.reads(text, as_version=4) for name, text in found.items()}
        for assignment, found in texts.items()
    }


def by_name(lessons: bytes) -> dict[str, Notebook]:
    """Return the notebooks in one field of a `Standard`, of all assignments, by lesson."""
    return {name: one for found in unpacked(lessons).values() for name, one in found.items()}


def _hash(parts: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()
