"""Is what an ordinary user may not open that learner's trouble alone?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from damage import LESSON, RELEASE, handed, save

from grader.grading import timestamps
from grader.intake.folder import Taken, take_in
from grader.intake.gathered import gather
from grader.intake.work import may_be_notebook
from grader.room.classroom import Classroom

NOBODY = 65_534


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Be nobody where root would open everything."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def me() -> Iterator[Path]:
    """The folder of a learner, below one that everybody may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        me = Path(folder) / "ada"
        save(me / ASSIGNMENT, handed())
        yield me
        for path in [me, *me.rglob("*")]:
            path.chmod(0o755)


def taken(me: Path) -> Taken:
    is_notebook = partial(may_be_notebook, lessons=RELEASE)
    with ordinary_user():
        found = gather(me, [ASSIGNMENT], is_notebook)
    return take_in(found, {ASSIGNMENT: RELEASE})


def closed(path: Path, mode: int = 0) -> None:
    path.chmod(mode)


def closed_inside(path: Path, mode: int = 0) -> None:
    (path / "sub").mkdir()
    save(path / "sub", handed())
    (path / "sub").chmod(mode)


CLOSED: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "the learner's folder": (lambda me: closed(me), "rejected", "Permission denied"),
    "the assignment": (lambda me: closed(me / ASSIGNMENT), "rejected", "Permission denied"),
    "an assignment that can be listed only": (
        lambda me: closed(me / ASSIGNMENT, 0o444), "rejected", "Permission denied"),
    "the notebook": (
        lambda me: closed(me / ASSIGNMENT / f"{LESSON}.ipynb"), "rejected", "Permission denied"),
    "a folder beside the notebook": (
        lambda me: closed_inside(me / ASSIGNMENT), "ok", "'self_attention/sub' (cannot be opened"),
    "a folder beside the assignment": (
        lambda me: closed_inside(me), "ok", "'sub' (cannot be opened (Permission denied))"),
}  # fmt: skip


@pytest.mark.parametrize("which", CLOSED)
def test_what_may_not_be_opened_is_asked_about(me: Path, which: str) -> None:
    close, state, asked = CLOSED[which]
    close(me)
    found = taken(me)
    assert found.works[LESSON].state == state
    asks = [*found.asks, *(line for one in found.works.values() for line in one.asks)]
    assert asked in "; ".join(asks)


@pytest.mark.parametrize("which", CLOSED)
def test_times_of_what_may_not_be_opened_stop_nothing(me: Path, which: str) -> None:
    CLOSED[which][0](me)
    room = Classroom(me.parent, "class", "", {ASSIGNMENT: (LESSON,)})
    (me.parent / "submitted").symlink_to(".")
    with ordinary_user():
        timestamps.put_right(room, "ada")
        assert timestamps.remarks(room, "ada") == ()


def test_open_folder_asks_nobody(me: Path) -> None:
    found = taken(me)
    assert (found.works[LESSON].state, found.remarks, found.asks) == ("ok", (), ())
