"""Does a verdict stand as long as nothing that it rests on changed, and no longer?"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from small_class import LESSON, small_class

from grader.grading import grade, standard
from grader.grading.crew import Local
from grader.grading.order import order
from grader.room import lock
from grader.room.classroom import Classroom, opened
from grader.room.lock import InUseError
from grader.sandbox import walls
from grader.sandbox.walls import Limits


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = small_class(tmp_path_factory.mktemp("class") / "room", ["right-0", "untouched-0"])
    with Local(2) as crew:
        list(grade.grade(made, grade.plan(made), crew, walls.NONE))
    return made.root


@pytest.fixture
def room(graded: Path, tmp_path: Path) -> Classroom:
    return opened(shutil.copytree(graded, tmp_path / "room"))


def handed_in(room: Classroom, name: str = f"{LESSON}.ipynb") -> Path:
    return room.handed_in("right-0", ASSIGNMENT) / name


def test_nothing_changed_is_nothing_to_do_whatever_the_times_say(room):
    handed_in(room).touch()
    assert grade.plan(room).due == []


CHANGES = {
    "text": lambda room: handed_in(room).write_bytes(handed_in(room).read_bytes() + b"\n"),
    "name": lambda room: handed_in(room).rename(handed_in(room, f"{LESSON} (1).ipynb")),
    "gone": lambda room: handed_in(room).unlink(),
    "second file": lambda room: shutil.copy(handed_in(room), handed_in(room, "copy.ipynb")),
    "link": lambda room: (handed_in(room, "x.ipynb")).symlink_to("/etc/passwd"),
    "script": lambda room: handed_in(room, "numpy.py").write_text(""),
    "time": lambda room: handed_in(room, "timestamp.txt").write_text("2026-01-01 10:00:00 UTC"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_hand_in_is_due_and_nobody_else(room, change):
    CHANGES[change](room)
    assert grade.plan(room).due == ["right-0"]


@pytest.mark.parametrize("step", ["release", "source"])
def test_changed_class_is_due_as_a_whole(room, step):
    path = room.root / step / ASSIGNMENT / f"{LESSON}.ipynb"
    path.write_text(path.read_text().replace('"points": 2', '"points": 3'))
    assert grade.plan(room).due == ["right-0", "untouched-0"]


@pytest.mark.parametrize(
    "part",
    [
        "grader/checks/causal_mask.py",
        "grader/misconceptions/causal_mask.py",
        "grader/grading/run.py",
        "grader/judging/known_good.py",
        "grader/sandbox/inside/pieces.py",
        "attnkit/value.py",
        "attnkit/fingerprints.json",
    ],
)
def test_all_code_that_decides_is_in_the_hash(part, monkeypatch):
    before, real = standard.of_code(), Path.read_bytes

    def edited(path: Path) -> bytes:
        return real(path) + (b"#" if path.as_posix().endswith(f"/{part}") else b"")

    monkeypatch.setattr(Path, "read_bytes", edited)
    standard.of_code.cache_clear()
    assert standard.of_code() != before
    monkeypatch.undo()
    standard.of_code.cache_clear()
    assert standard.of_code() == before


@pytest.mark.parametrize(
    ("name", "value"), [("__version__", "9"), ("Limits", lambda: Limits(call=1.0))]
)
def test_version_and_limits_are_in_the_hash(name, value, monkeypatch):
    before = standard.of_code()
    monkeypatch.setattr(standard, name, value)
    standard.of_code.cache_clear()
    assert standard.of_code() != before
    standard.of_code.cache_clear()


def test_seed_is_in_the_hash(room):
    other = room._replace(seed="other")
    keys = {order(one, "right-0", standard.of(one)).key for one in (room, other)}
    assert len(keys) == 2


def hold_too(room: Classroom) -> None:
    with lock.hold(room, "report"):
        pass


def test_two_commands_in_one_class_exclude_each_other_and_the_first_is_named(room):
    told = r"in use by `grader grade`, process \d+ on .* since 2"
    with lock.hold(room, "grade"), pytest.raises(InUseError, match=told):
        hold_too(room)
    hold_too(room)


def test_holder_that_was_killed_does_not_keep_others_out(room):
    text = (
        "import sys; from pathlib import Path; from grader.room import classroom, lock\n"
        f"with lock.hold(classroom.opened(Path({str(room.root)!r})), 'grade'):\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout and holder.stdout.readline() == b"held\n"
        with pytest.raises(InUseError, match=f"process {holder.pid} "):
            hold_too(room)
        holder.kill()
    hold_too(room)
