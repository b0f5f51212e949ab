"""Does a folder that somebody filled by hand cost nobody else a grade, and is nothing silent?"""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from nbgrader.apps.api import NbGraderAPI
from small_class import LESSON, small_class

from grader import nbgrader_api
from grader.grading import grade, timestamps
from grader.grading.crew import Local
from grader.grading.store import Store
from grader.intake import plainfiles
from grader.intake.plainfiles import readable
from grader.recording.marks import Marks
from grader.reporting import feedback, marked, report
from grader.room import classroom
from grader.room.classroom import Classroom
from grader.sandbox import walls

NAME = f"{LESSON}.ipynb"
Place = Callable[[Path, Path], object]

FOREIGN = (
    b'{"cells": [{"cell_type": "code", "source": "def my_mask(n):\\n    return n", "metadata": {},'
    b' "outputs": [], "execution_count": null}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}'
)
# How the folder of a learner looks, beside the notebook with the right answer; what is asked.
TAKEN_IN: dict[str, Place] = {
    "in the learner's folder": lambda me, done: shutil.copy(done, me),
    "in a folder with capitals": lambda me, done: put(done, me / "Self_Attention" / NAME),
    "in a folder with a blank": lambda me, done: put(done, me / "self attention" / NAME),
    "in a folder with a dash": lambda me, done: put(done, me / "Self-Attention" / NAME),
    "one folder too deep": lambda me, done: put(done, me / ASSIGNMENT / ASSIGNMENT / NAME),
    "beside an empty folder": lambda me, done: (
        (me / ASSIGNMENT).mkdir(),
        put(done, me / "Self_Attention" / NAME),
    ),
}
TAKEN_AND_ASKED: dict[str, tuple[Place, str]] = {
    "in a strange folder": (
        lambda me, done: put(done, me / "a" / ASSIGNMENT / NAME),
        "notebooks were taken from 'a/self_attention'",
    ),
    "beside an untouched one in place": (
        lambda me, done: (put(released(done), me / ASSIGNMENT / NAME), shutil.copy(done, me)),
        f"'{NAME}' counts, beside '{ASSIGNMENT}/{NAME}'; leave one",
    ),
}
ASKED: dict[str, tuple[Place, str]] = {
    "nothing": (lambda me, done: None, "no lesson was handed in"),
    "an empty assignment": (lambda me, done: (me / ASSIGNMENT).mkdir(), "no lesson was handed in"),
    "only a checkpoint": (
        lambda me, done: put(done, me / ASSIGNMENT / ".ipynb_checkpoints" / NAME),
        "no lesson was handed in",
    ),
    "a zip": (
        lambda me, done: put(b"PK\x03\x04", me / ASSIGNMENT / "work.zip"),
        "'self_attention/work.zip'",
    ),
    "a PDF": (lambda me, done: put(b"%PDF", me / ASSIGNMENT / "a.pdf"), "'self_attention/a.pdf'"),
    "a PDF beside nothing written": (
        lambda me, done: (
            put(released(done), me / ASSIGNMENT / NAME),
            put(b"%PDF", me / ASSIGNMENT / "a.pdf"),
        ),
        "nobody read 'self_attention/a.pdf'",
    ),
    "a script beside nothing written": (
        lambda me, done: (
            put(released(done), me / ASSIGNMENT / NAME),
            put(b"def causal_mask(n): ...", me / ASSIGNMENT / "answers.py"),
        ),
        "nobody read 'self_attention/answers.py'",
    ),
    "a broken copy beside an untouched one": (
        lambda me, done: (
            put(released(done), me / ASSIGNMENT / NAME),
            put(done.read_bytes()[:900], me / ASSIGNMENT / f"{LESSON} (1).ipynb"),
        ),
        "ends in the middle",
    ),
    "a pipe": (lambda me, done: os.mkfifo(me / NAME), "is a pipe"),
    "a link to somebody's work": (
        lambda me, done: (me / ASSIGNMENT).symlink_to(done.parent),
        "the folder is a link",
    ),
    "a file in place of the folder": (
        lambda me, done: put(b"x", me / ASSIGNMENT),
        "the folder is a file",
    ),
    "none of the exercises": (
        lambda me, done: put(FOREIGN, me / ASSIGNMENT / NAME),
        "none of its exercises is in",
    ),
    "far too deep": (
        lambda me, done: put(done, me.joinpath(*"abcdefg", NAME)),
        "'a/b/c/d/e' (lies too deep)",
    ),
}


def put(content: Path | bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.read_bytes() if isinstance(content, Path) else content)


def released(done: Path) -> Path:
    """Return the untouched lesson of the class that `done` is handed in to."""
    return done.parents[3] / "release" / ASSIGNMENT / NAME


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_class(tmp_path_factory.mktemp("class") / "room", ["right-1"]).root


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Classroom:
    """A class of its own for each test, with one honest learner."""
    return classroom.opened(Path(shutil.copytree(made, tmp_path / "room")))


def placed(room: Classroom, folder: str, place: Place) -> None:
    me = room.submitted / folder
    me.mkdir()
    place(me, room.handed_in("right-1", ASSIGNMENT) / NAME)


def graded(room: Classroom) -> report.Grades:
    with Local(1) as crew:
        for _ in grade.grade(room, grade.plan(room), crew, walls.NONE):
            pass
    found = report.grades(room)
    report.write(room, found)
    assert found["students"]["right-1"]["score"] == found["max"]
    assert grade.plan(room).due == []
    return found


def test_misplaced_work_is_taken_in_and_remarked(room: Classroom) -> None:
    for folder, place in TAKEN_IN.items():
        placed(room, folder, place)
    students = graded(room)["students"]
    for folder in TAKEN_IN:
        one = students[folder]
        assert (one["score"], one["state"], one["asks"]) == (one["max"], "repaired", []), folder
        assert "was handed in as" in "; ".join(one["repairs"])


def test_doubtful_work_is_taken_in_and_a_person_is_asked(room: Classroom) -> None:
    for folder, (place, _) in TAKEN_AND_ASKED.items():
        placed(room, folder, place)
    found = graded(room)
    assert sorted(report.need_a_person(found)) == sorted(TAKEN_AND_ASKED)
    for folder, (_, asked) in TAKEN_AND_ASKED.items():
        one = found["students"][folder]
        assert (one["score"], one["state"]) == (one["max"], "repaired")
        assert asked in "; ".join(one["asks"])


def test_what_nobody_read_is_asked_about(room: Classroom) -> None:
    for folder, (place, _) in ASKED.items():
        placed(room, folder, place)
    found = graded(room)
    assert sorted(report.need_a_person(found)) == sorted(ASKED)
    for folder, (_, asked) in ASKED.items():
        one = found["students"][folder]
        assert one["state"] != "ok" and not one["score"], folder
        assert asked in "; ".join(one["asks"]), folder
    page = (room.root / "report.html").read_text("utf-8")
    assert page.index("Who needs a person") < page.index("<h2>Learners")
    assert "'self_attention/work.zip'" in page.replace("&#39;", "'")


IDS = ["木" * 80, "a" + "@" * 149, "é" * 127, "x" * 255, "a'b\"c", "a\nb\r=1+1", "\u202eabc", "{x}",
       "%s%(a)s", "a b;c", "Zo\u0308e", "-rf", "\x1b[2J", "con", "a" * 200 + "~h1"]  # fmt: skip


def test_ids_of_any_length_and_script_are_graded_and_reported(room: Classroom) -> None:
    for student in IDS:
        shutil.copytree(room.submitted / "right-1", room.submitted / student)
    found = graded(room)
    assert {name: one["score"] for name, one in found["students"].items()} == dict.fromkeys(
        [*map(readable, IDS), "right-1"], found["max"]
    )
    assert Store(room.private / "results").students() == room.students()
    assert len(list(feedback.write(room))) == len(IDS) + 1
    page = (room.root / "report.html").read_text("utf-8")
    assert not [one for one in page if not one.isprintable() and one != "\n"]


def test_what_is_no_learners_folder_is_told(room: Classroom) -> None:
    odd = os.fsdecode(os.fsencode(room.submitted) + b"/\xff\xf0\x9f\x98\x80")
    Path(odd).mkdir()
    (room.submitted / NAME).write_text("{}")
    (room.submitted / "gone").symlink_to("/nowhere")
    os.mkfifo(room.submitted / "pipe")
    (room.submitted / "__MACOSX").mkdir()
    (room.submitted / ".hidden").mkdir()
    found = graded(room)
    assert list(found["strays"]) == [NAME, "gone", "pipe", "\\udcff😀"]
    assert "not UTF-8" in found["strays"]["\\udcff😀"]
    assert report.need_a_person(found) == list(found["strays"])
    assert "4 need a person: 4 in no learner's folder" in report.summary(found)


TIMES = {
    "nonsense": b"yesterday evening", "empty": b"", "binary": bytes(range(256)), "long": b"1" * 2000,
    "a year too far": b"99999-01-01 00:00:00 UTC",
}  # fmt: skip


@pytest.mark.parametrize("kind", [*TIMES, "link", "pipe", "folder"])
def test_time_that_is_none_is_set_aside_and_nbgrader_goes_on(room: Classroom, kind: str) -> None:
    path = room.handed_in("right-1", ASSIGNMENT) / "timestamp.txt"
    if kind in TIMES:
        path.write_bytes(TIMES[kind])
    elif kind == "link":
        path.symlink_to("/etc/hostname")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    one = graded(room)["students"]["right-1"]
    assert one["state"] == "repaired"
    aside = ".grader/set_aside/right-1/self_attention-timestamp.txt"
    assert aside in one["repairs"][0] and "nobody knows when" in one["repairs"][0]
    assert plainfiles.mode(room.root / aside) != 0
    assert not path.exists()
    api = NbGraderAPI(config=nbgrader_api.config(room.root))
    assert [each["student"] for each in api.get_submissions(ASSIGNMENT)] == ["right-1"]
    path.write_text("2026-01-01 10:00:00 UTC")
    assert timestamps.remarks(room, "right-1") == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_time_in_another_encoding_is_made_sound(room: Classroom, encoding: str) -> None:
    path = room.handed_in("right-1", ASSIGNMENT) / "timestamp.txt"
    path.write_bytes("2026-01-01T12:00:00+02:00".encode(encoding))
    one = graded(room)["students"]["right-1"]
    assert path.read_text("ascii") == "2026-01-01 10:00:00 UTC"
    assert "was written anew" in one["repairs"][0]


def test_person_who_gave_the_points_is_asked_no_more(room: Classroom) -> None:
    placed(room, "cut", lambda me, done: put(done.read_bytes()[:900], me / ASSIGNMENT / NAME))
    result = graded(room)["students"]["cut"]
    assert result["asks"]
    scores = {(LESSON, cell): 1.0 for cell in result["lessons"][LESSON]["cells"]}
    by_hand = marked.marked(result, Marks(scores, {}, {}, {}))
    assert (by_hand["score"], by_hand["asks"]) == (len(scores), [])


def test_honest_class_needs_nobody(room: Classroom) -> None:
    found = graded(room)
    assert report.summary(found) == "1 learner: 1 graded, nobody needs a person"
    assert (found["students"]["right-1"]["state"], found["strays"]) == ("ok", {})
    assert "Who needs a person" not in (room.root / "report.html").read_text("utf-8")


def test_summary_counts_who_needs_a_person_and_why(room: Classroom) -> None:
    placed(room, "pdf", ASKED["a PDF"][0])
    placed(room, "capitals", TAKEN_IN["in a folder with capitals"])
    placed(room, "strange", TAKEN_AND_ASKED["in a strange folder"][0])
    placed(room, "cut", lambda me, done: put(done.read_bytes()[:900], me / ASSIGNMENT / NAME))
    found = graded(room)
    assert report.summary(found) == (
        "5 learners: 3 graded (2 repaired), 3 need a person: "
        "1 rejected, 1 nothing recognised, 1 to be checked"
    )
    with (room.root / "grades.csv").open(encoding="utf-8") as file:
        scores = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert scores["pdf"] == scores["cut"] == ""
    kept = json.loads((room.root / "grades.json").read_text("utf-8"))
    assert kept["students"]["capitals"]["asks"] == []
