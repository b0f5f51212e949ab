"""Does what Moodle gives go through the grader and back into Moodle?"""

import csv
import time
import zipfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from packing import zipped
from rooms import FULL, graded, new_class, only_lessons

from grader import misconceptions, notebook
from grader.collecting.collect import collect
from grader.grading import grade
from grader.grading.crew import Local
from grader.reporting import feedback, report
from grader.room import classroom, sample
from grader.room.classroom import Classroom
from grader.sandbox import walls

LESSON = "05_causal_mask"
SHEET, PAGES = "moodle_self_attention.csv", "moodle_self_attention_feedback.zip"


def downloaded(made: Classroom, learners: dict[str, bytes], path: Path) -> Path:
    """Write what Moodle's "Download all submissions" gives; learners are "Full name_NNN"."""
    files = {
        f"{learner}_assignsubmission_file_/{LESSON}.ipynb": text
        for learner, text in learners.items()
    }
    zipped(files, path)
    return path


def answered(made: Classroom, answers: dict[str, str]) -> bytes:
    return notebook.text(sample.filled(made.release()[LESSON], answers)).encode()


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Classroom:
    root = tmp_path_factory.mktemp("moodle")
    with only_lessons(LESSON):
        made = new_class(root / "room", {"of-no-lms": FULL})
    wrong = misconceptions.source(misconceptions.every()["mask_inverted"])
    learners = {
        "Ada Lovelace_11": answered(made, FULL),
        "Zoë, Müller_12": answered(made, {"causal_mask": wrong}),
        "=HYPERLINK(1)_13": answered(made, {}),
        "Eve_14": b"{",
        "Mary O_Neil_15": answered(made, FULL),  # Moodle's own names have no underscore
    }
    collect(made.root, downloaded(made, learners, root / "download.zip"))
    graded(made)
    report.write(made)
    assert len(list(feedback.write(made))) == 7
    return classroom.opened(made.root)


def sheet(made: Classroom) -> dict[int, dict[str, str]]:
    """Return the rows as Moodle's grade importer reads them, by participant."""
    with (made.root / SHEET).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    needed = {"Identifier", "Grade", "Last modified (grade)"}
    assert needed <= rows[0].keys()
    return {int(row["Identifier"][len("Participant ") :]): row for row in rows}


def pages(made: Classroom) -> dict[int, tuple[str, str]]:
    """Return file name and text by participant, as Moodle's importer of feedback files finds them.

    It takes the first part of a path that has the form name_number_type_plugin.
    """
    found = {}
    with zipfile.ZipFile(made.root / PAGES) as packed:
        assert packed.testzip() is None
        for path in packed.namelist():
            folder, file = path.split("/")
            parts = folder.split("_", 4)
            assert parts[2:4] == ["assignsubmission", "file"] and file[0] not in ".~"
            found[int(parts[1])] = (file, packed.read(path).decode())
    return found


def test_grades_go_back_to_moodle(room):
    rows = sheet(room)
    assert {number: (row["Full name"], row["Grade"]) for number, row in rows.items()} == {
        11: ("Ada Lovelace", "12"),
        12: ("Zoë, Müller", "3"),
        13: ("'=HYPERLINK(1)", "0"),
        14: ("Eve", ""),
        15: ("Mary O_Neil", "12"),
    }
    assert {row["Maximum Grade"] for row in rows.values()} == {"12"}
    written = datetime.fromisoformat(rows[11]["Last modified (grade)"].replace(" UTC", "+00:00"))
    assert timedelta(0) <= datetime.now(UTC) - written < timedelta(hours=1)


def test_feedback_goes_back_to_moodle(room):
    found = pages(room)
    assert found.keys() == {11, 12, 13, 14, 15}
    assert {file for file, _ in found.values()} == {"feedback.html"}
    assert "feedback for Zoë, Müller" in found[12][1] and "3 / 12 points" in found[12][1]


@pytest.mark.slow
def test_three_hundred_learners_go_through(tmp_path):
    """The whole course as one zip of Moodle's: all right, one answer left open, nothing written."""
    made = classroom.new(tmp_path / "room")
    files: dict[str, bytes] = {}
    lessons, kinds = (
        made.release(),
        [FULL, {key: FULL[key] for key in FULL if key != "softmax"}, {}],
    )
    texts = [
        {name: notebook.text(sample.filled(one, kind)).encode() for name, one in lessons.items()}
        for kind in kinds
    ]
    for number in range(300):
        for name, text in texts[number % 3].items():
            whole = text if number % 50 or name != "03_softmax" else text[:2000]
            files[f"Learner Nr {number}_{1000 + number}_assignsubmission_file_/{name}.ipynb"] = (
                whole
            )
    zipped(files, tmp_path / "download.zip")
    took = {}
    with timed(took, "collect"):
        outcomes = collect(made.root, tmp_path / "download.zip")
    assert [one.state for one in outcomes] == ["placed"] * 300
    with timed(took, "grade"), Local() as crew:
        done = dict(grade.grade(made, grade.plan(made), crew, walls.NONE))
    with timed(took, "report"):
        report.write(made)
    with timed(took, "feedback"):
        list(feedback.write(made))
    print({name: f"{seconds:.1f} s" for name, seconds in took.items()})
    scores = {1000 + number: score(number) for number in range(300)}
    assert {number: row["Grade"] for number, row in sheet(made).items()} == scores
    assert pages(made).keys() == scores.keys() and len(done) == 300


def score(number: int) -> str:
    """Return the grade that the learner of that number deserves; who has a damaged file has none.

    softmax is worth 14 points.
    """
    return "" if number % 50 == 0 else ("100", "86", "0")[number % 3]


@contextmanager
def timed(took: dict[str, float], name: str):
    began = time.monotonic()
    yield
    took[name] = time.monotonic() - began
