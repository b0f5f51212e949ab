"""What one hand-in holds: its notebooks, what it says of itself, and what is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from attnkit.handin import ASSIGNMENT, MANIFEST

from grader.collecting.archives import Entry
from grader.collecting.statements import TIMESTAMP, stated_in, statements
from grader.intake.plainfiles import Refused
from grader.room.filenames import fitted
from grader.room.learners import Learner

MOST_FILES, MOST_BYTES = 500, 128 * 2**20
NO_NOTEBOOK = "is no notebook; ask for the .ipynb files"
NOT_WORTH_TELLING = {MANIFEST, TIMESTAMP, "README.md"}

IsNotebook = Callable[[str], bool]


class HandIn(NamedTuple):
    """One attempt of one learner: notebooks by file name.

    `when` (UTC) is the time that the hand-in itself states, `saved` the latest in the zip.
    `stated` are the ids in its manifests, `around` the names of the zip and folder it came in.
    `container` is the archive whose folder alone says whose it is, "" where something else does.
    `made_for` is the assignment that its manifest names, "" where it is this course's.
    """

    learner: Learner
    origin: str
    files: dict[str, bytes]
    when: datetime | None
    saved: datetime | None
    left_out: tuple[str, ...]
    stated: frozenset[str]
    around: tuple[str, ...]
    container: str = ""
    made_for: str = ""


class Left(NamedTuple):
    """Something that is nobody's, or cannot be read; `content` is kept where there is any.

    `learner` is the id of whose it is, "" where nothing tells.
    """

    origin: str
    reason: str
    content: bytes | None = None
    learner: str = ""


def attempt(
    owner: Learner,
    found: Sequence[Entry],
    is_notebook: IsNotebook,
    origin: str,
    around: tuple[str, ...],
) -> Iterator[HandIn | Left]:
    """Yield what `owner` handed in as `found`, and what of it could not be read.

    `around` are the names of the zip and the folder that it came in.
    """
    files: dict[str, bytes] = {}
    if len(found) > MOST_FILES:
        why = f"holds {len(found)} files; at most {MOST_FILES} are read"
        yield Left(origin, why, None, owner.id)
        return
    notebooks = [
        entry
        for entry in found
        if (entry.is_closed or is_notebook(entry.name)) and not _is_of_course(entry)
    ]
    others = [one for one in found if one not in notebooks and not _is_of_course(one)]
    for entry in notebooks:
        try:
            _add(files, entry.name, entry.read())
        except Refused as refusal:
            yield Left(f"{origin}/{entry.name}", str(refusal), None, owner.id)
    if files:
        saved = max((entry.saved for entry in notebooks if entry.saved), default=None)
        left_out = tuple(entry.name for entry in others)
        stated = frozenset(one.learner for one in statements(found)) - {""}
        said = stated_in(found)
        other = said.assignment if said.assignment != ASSIGNMENT else ""
        one = HandIn(owner, origin, files, said.when, saved, left_out, stated, around)
        yield one._replace(made_for=other)
    elif not notebooks:
        yield from _no_notebook(others, origin, owner.id)


def _is_of_course(entry: Entry) -> bool:
    return "attnkit" in entry.parts[:-1] or entry.name in NOT_WORTH_TELLING


def _add(files: dict[str, bytes], name: str, content: bytes) -> None:
    """Add a file under its name, numbered where another one has it."""
    if sum(map(len, files.values())) + len(content) > MOST_BYTES:
        raise Refused(f"is too much: more than {MOST_BYTES / 2**20:.0f} MB; look at it by hand")
    safe = fitted(re.sub(r"[^\w .()+@~-]", "_", name).lstrip("."))
    stem, ending = PurePosixPath(safe).stem, PurePosixPath(safe).suffix
    for number in range(1, MOST_FILES + 1):
        candidate = safe if number == 1 else f"{stem} ({number}){ending}"
        if files.setdefault(candidate, content) == content:
            return


def _no_notebook(others: Sequence[Entry], origin: str, who: str) -> Iterator[Left]:
    if not others:
        yield Left(origin, "holds no notebook; ask for the .ipynb files", None, who)
    for entry in others:
        reason, content = NO_NOTEBOOK, None
        try:
            content = entry.read()
        except Refused as refusal:
            reason = str(refusal)
        yield Left(f"{origin}/{entry.name}", reason, content, who)
