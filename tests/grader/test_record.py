"""Does the gradebook hold what nbgrader itself would have written, whatever happened in between?"""

import os
import shutil
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from attnkit.handin import ASSIGNMENT
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade
from rooms import FULL, book, graded, hand_in, new_class, only_lessons

from grader import misconceptions, nbgrader_api, notebook
from grader.grading import grade
from grader.grading.crew import Local
from grader.grading.store import Store
from grader.nbgrader_api import NbgraderError
from grader.recording import gradebook
from grader.recording.backups import back_up
from grader.recording.record import Recorder
from grader.reporting import report
from grader.room import classroom, sample
from grader.room.classroom import Classroom
from grader.sandbox import walls

COLUMNS = {
    "softmax": misconceptions.source(misconceptions.every()["softmax_over_columns"]),
    "causal_mask": FULL["causal_mask"],
}
LATE = """
c.LateSubmissionPlugin.penalty_method = "zero"
"""


@pytest.fixture(scope="module")
def two_lessons():
    with only_lessons("03_softmax", "05_causal_mask"):
        yield


def rows(made: Classroom) -> dict:
    """Return all that the gradebook holds of submissions, without the ids that nbgrader draws."""
    with book(made) as found:
        return {
            one.student.id: {
                "time": one.timestamp,
                "late": one.total_seconds_late,
                "score": (one.score, one.max_score, one.needs_manual_grade),
                "penalties": {lesson.name: lesson.late_submission_penalty for lesson in one.notebooks},
                "grades": sorted(
                    (g.notebook.name, g.name, g.auto_score, g.manual_score, g.max_score,
                     g.needs_manual_grade, g.failed_tests)
                    for lesson in one.notebooks for g in lesson.grades
                ),
                "comments": sorted(
                    (c.notebook.name, c.name, c.auto_comment or "", c.manual_comment or "")
                    for lesson in one.notebooks for c in lesson.comments
                ),
            }
            for one in found.assignment_submissions(ASSIGNMENT)
        }  # fmt: skip


@pytest.fixture(scope="module")
def room(two_lessons, tmp_path_factory) -> Classroom:
    """A class graded by us, and beside it the same class, graded by nbgrader itself."""
    root = tmp_path_factory.mktemp("record") / "room"
    made = new_class(root, {"columns": COLUMNS})
    late = hand_in(made, "Zoë", FULL, "2027-02-01 12:00:00 UTC")
    (late / "03_softmax.ipynb").unlink()
    (made.handed_in("columns", ASSIGNMENT) / "05_causal_mask.ipynb").unlink()
    with (root / "nbgrader_config.py").open("a") as config:
        config.write(LATE)
    with book(made) as found:
        found.update_or_create_assignment(ASSIGNMENT, duedate=datetime(2027, 2, 1))
    shutil.copytree(root, root.with_name("plain"))
    graded(made)
    return made


@pytest.fixture(scope="module")
def plain(room) -> Classroom:
    root = room.root.with_name("plain")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "nbgrader", "autograde", ASSIGNMENT]
    subprocess.run(command, cwd=root, env=os.environ | {"PATH": path}, check=True)
    return classroom.opened(root)


def notebooks(made: Classroom) -> dict[str, notebook.Notebook]:
    paths = (made.root / "autograded").rglob("*.ipynb")
    return {f"{path.parent.parent.name}/{path.name}": notebook.read(path) for path in paths}


def test_rows_are_those_of_nbgrader_autograde(room, plain):
    ours = rows(room)
    assert ours == rows(plain)
    assert ours["Zoë"]["late"] == 12 * 3600
    assert ours["Zoë"]["penalties"] == {"03_softmax": None, "05_causal_mask": 12.0}
    assert 0 < ours["columns"]["score"][0] < ours["columns"]["score"][1]


def test_graded_notebooks_are_those_of_nbgrader_autograde(room, plain):
    ours, theirs = notebooks(room), notebooks(plain)
    assert sorted(ours) == sorted(theirs) and len(ours) == 2
    for name, one in ours.items():
        nbformat.validate(one)
        assert [told(cell) for cell in one.cells] == [told(cell) for cell in theirs[name].cells]


def told(cell) -> tuple:
    """Return what a cell says, and whether nbgrader would take its outputs for a failure."""
    kept = {key: value for key, value in cell.metadata.items() if key != "execution"}
    is_graded = kept.get("nbgrader", {}).get("grade")
    return cell.cell_type, cell.source, kept, is_graded and determine_grade(cell)


def test_files_beside_are_those_of_nbgrader_autograde(room, plain):
    def beside(made):
        root = made.root / "autograded"
        paths = [one for one in root.rglob("*") if one.is_file() and one.suffix != ".ipynb"]
        paths = [one for one in paths if one.name != "you_met_these.txt"]  # by the run itself
        return {one.relative_to(root): (one.read_bytes(), one.stat().st_mode) for one in paths}

    assert beside(room) == beside(plain)


def test_nbgraders_own_api_reads_the_class(room):
    api = nbgrader_api._api(room.root)
    assert api.get_autograded_students(ASSIGNMENT) == {"Zoë", "columns"}
    submissions = {one["student"]: one for one in api.get_submissions(ASSIGNMENT)}
    assert all(one["autograded"] for one in submissions.values())
    [lesson] = api.get_notebook_submissions(ASSIGNMENT, "05_causal_mask")
    assert (lesson["student"], lesson["score"], lesson["failed_tests"]) == ("Zoë", 12, False)


@pytest.fixture(scope="module")
def original(two_lessons, tmp_path_factory) -> Classroom:
    """A class of one learner, graded."""
    made = new_class(tmp_path_factory.mktemp("small") / "room", {"ada": COLUMNS})
    graded(made)
    return made


@pytest.fixture
def small(original, tmp_path) -> Classroom:
    shutil.copytree(original.root, tmp_path / "room")
    return classroom.opened(tmp_path / "room")


def find(found: Gradebook, cell: str, student: str = "ada"):
    lesson = "03_softmax" if "softmax" in cell else "05_causal_mask"
    return found.find_grade(cell, lesson, ASSIGNMENT, student)


def test_marks_of_a_person_survive_regrading_and_are_to_be_looked_at_again(small):
    cell = sorted(graded_cells(small, "03_softmax"))[0]
    with book(small) as found:
        mark = find(found, cell)
        mark.manual_score, mark.extra_credit, mark.needs_manual_grade = 0.5, 1.0, False
        remark = found.find_comment("softmax", "03_softmax", ASSIGNMENT, "ada")
        remark.manual_comment = "Look at the axis."
        found.db.commit()
    before = rows(small)
    graded(small)
    assert rows(small) == before
    graded(small, regrade=True)
    with book(small) as found:
        mark = find(found, cell)
        assert (mark.manual_score, mark.extra_credit, mark.needs_manual_grade) == (0.5, 1.0, True)
        remark = found.find_comment("softmax", "03_softmax", ASSIGNMENT, "ada")
        assert remark.comment == "Look at the axis."


def graded_cells(made: Classroom, lesson: str) -> list[str]:
    store = Store(made.private / "results")
    return list(store.result("ada")["lessons"][lesson]["cells"])


def test_what_nobody_could_read_waits_for_a_person_in_a_notebook_that_says_why(small):
    (small.submitted / "ada" / ASSIGNMENT / "03_softmax.ipynb").write_bytes(b"{")
    graded(small)
    with book(small) as found:
        lesson = found.find_submission_notebook("03_softmax", ASSIGNMENT, "ada")
        assert {(one.auto_score, one.needs_manual_grade) for one in lesson.grades} == {(None, True)}
        other = found.find_submission_notebook("05_causal_mask", ASSIGNMENT, "ada")
        assert not other.needs_manual_grade
    shown = notebooks(small)["ada/03_softmax.ipynb"]
    nbformat.validate(shown)
    errors = [out for cell in shown.cells for out in cell.get("outputs", [])]
    assert errors and all("03_softmax.ipynb" in one.evalue for one in errors)


def test_fault_of_ours_is_no_score(small, monkeypatch):
    def fails(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(grade, "carry_out", fails)
    with Local(1) as crew:
        done = dict(grade.grade(small, grade.plan(small, regrade=True), crew, walls.NONE))
    assert done["ada"]["score"] is None
    with book(small) as found:
        assert {(one.auto_score, one.needs_manual_grade) for one in all_grades(found)} == {
            (None, True)
        }


def all_grades(found: Gradebook, student: str = "ada"):
    submission = found.find_submission(ASSIGNMENT, student)
    return [grade for lesson in submission.notebooks for grade in lesson.grades]


def killed(monkeypatch, *steps: str) -> None:
    """Let the steps of a recorder do nothing, as in a run that was killed before them."""
    for step in steps:
        monkeypatch.setattr(Recorder, step, lambda *_: None)


@pytest.mark.parametrize("is_gone", [False, True])
def test_verdict_of_a_run_that_was_killed_is_recorded_by_the_next(small, monkeypatch, is_gone):
    hand_in(small, "bob", FULL)
    killed(monkeypatch, "_write", "_catch_up")
    graded(small)
    assert "bob" not in rows(small)
    monkeypatch.undo()
    if is_gone:
        shutil.rmtree(small.submitted / "bob")
    assert grade.plan(small).due == []
    graded(small)
    assert scores(small, "bob") == verdicts(small, "bob")


def scores(made: Classroom, student: str = "ada") -> dict[str, float | None]:
    with book(made) as found:
        return {one.name: one.auto_score for one in all_grades(found, student)}


def verdicts(made: Classroom, student: str = "ada") -> dict[str, float | None]:
    lessons = Store(made.private / "results").result(student)["lessons"].values()
    return {name: cell["points"] for lesson in lessons for name, cell in lesson["cells"].items()}


@pytest.mark.parametrize("left", [[], ["new"], ["old"], ["new", "old"]])
def test_graded_notebooks_that_are_gone_or_half_replaced_are_made_again(small, left):
    folder = small.root / "autograded" / "ada" / ASSIGNMENT
    before = {name: [cell.source for cell in one.cells] for name, one in notebooks(small).items()}
    shutil.rmtree(folder)
    for name in left:
        half = folder.with_name(f".{ASSIGNMENT}.{name}")
        half.mkdir()
        (half / "03_softmax.ipynb").write_text("{")
    graded(small)
    after = {name: [cell.source for cell in one.cells] for name, one in notebooks(small).items()}
    assert after == before
    assert [path.name for path in folder.parent.iterdir()] == [ASSIGNMENT]


def test_gradebook_put_back_from_a_backup_is_brought_up_to_date(small):
    hand_in(small, "bob", FULL)
    graded(small)
    now = rows(small)
    backups = sorted((small.private / "backups").iterdir())
    assert len(backups) == 2
    shutil.copy(backups[-1], small.root / "gradebook.db")  # from before bob
    assert "bob" not in rows(small)
    graded(small)
    assert rows(small) == now


def test_only_the_last_backups_are_kept(small):
    made = [back_up(small.root, small.private / "backups") for _ in range(7)]
    assert sorted((small.private / "backups").iterdir()) == made[-5:]


def test_what_is_late_is_charged_as_due_dates_and_extensions_change(small):
    with (small.root / "nbgrader_config.py").open("a") as config:
        config.write(LATE)
    hand_in(small, "ada", COLUMNS, "2027-02-02 00:00:00 UTC")
    graded(small)
    assert rows(small)["ada"]["time"] == datetime(2027, 2, 2)
    scores = {"03_softmax": rows(small)["ada"]["score"][0] - 12, "05_causal_mask": 12}
    for change, penalties in (
        (lambda found: None, dict.fromkeys(scores)),
        (due_date, scores),
        (lambda found: found.grant_extension(ASSIGNMENT, "ada", days=2), dict.fromkeys(scores)),
    ):
        with book(small) as found:
            change(found)
        assert grade.plan(small).due == []
        graded(small)
        assert rows(small)["ada"]["penalties"] == penalties


def due_date(found: Gradebook) -> None:
    found.update_or_create_assignment(ASSIGNMENT, duedate=datetime(2027, 2, 1))


def test_markdown_and_files_of_a_learner_do_not_reach_graded_notebooks(small):
    folder = small.submitted / "ada" / ASSIGNMENT
    one = notebook.read(folder / "03_softmax.ipynb")
    for cell in one.cells:
        if cell.cell_type == "markdown":
            cell.source += "\n<script>alert(1)</script>"
    (folder / "03_softmax.ipynb").write_text(notebook.text(one), "utf-8")
    (folder / "page.html").write_text("<script>alert(1)</script>")
    graded(small, regrade=True)
    files = [path for path in (small.root / "autograded").rglob("*") if path.is_file()]
    assert not [path for path in files if b"<script" in path.read_bytes()]


def test_gradebook_that_is_missing_or_held_is_named_and_no_verdict_is_lost(small, monkeypatch):
    monkeypatch.setattr(gradebook, "WAIT", 0.1)
    holder = sqlite3.connect(small.root / "gradebook.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    hand_in(small, "ada", FULL)
    with pytest.raises(NbgraderError, match=r"locked. No verdict is lost; close what holds"):
        graded(small)
    holder.close()
    graded(small)
    assert scores(small) == verdicts(small)
    (small.root / "gradebook.db").unlink()
    with pytest.raises(NbgraderError, match=r"does not exist. Run `nbgrader generate_assignment`"):
        graded(small)
    assert not (small.root / "gradebook.db").exists()


def test_gradebook_elsewhere_is_found_from_any_folder(small, monkeypatch):
    with (small.root / "nbgrader_config.py").open("a") as config:
        config.write('c.CourseDirectory.db_url = "sqlite:///elsewhere.db"\n')
    (small.root / "gradebook.db").rename(small.root / "elsewhere.db")
    monkeypatch.chdir("/")
    graded(small, regrade=True)
    assert scores(small) == verdicts(small)
    assert not (small.root / "gradebook.db").exists()


WEEKS = """
name = "weeks"
[assignments.week_1]
lessons = ["03_softmax"]
due = 2027-01-15T23:59:00+00:00
[assignments.week_2]
"""


def test_each_assignment_has_a_record_of_its_own(two_lessons, tmp_path):
    (tmp_path / "class.toml").write_text(WEEKS)
    made = classroom.new(tmp_path / "room", tmp_path / "class.toml")
    with (made.root / "nbgrader_config.py").open("a") as config:
        config.write(LATE)
    for student, weeks in (("ada", ("week_1", "week_2")), ("bob", ("week_2",))):
        for week in weeks:
            folder = made.handed_in(student, week)
            folder.mkdir(parents=True)
            for path in made.paths("release", week):
                text = notebook.text(sample.filled(notebook.read(path), FULL))
                (folder / path.name).write_text(text, "utf-8")
            (folder / "timestamp.txt").write_text("2027-01-16 00:00:00 UTC")
    graded(made)
    with book(made) as found:
        told = {
            (one.student.id, name): (one.score, one.late_submission_penalty, one.total_seconds_late)
            for name in made.assignments
            for one in found.assignment_submissions(name)
        }
    assert told == {
        ("ada", "week_1"): (14, 14, 60),
        ("ada", "week_2"): (12, 0, 0),
        ("bob", "week_2"): (12, 0, 0),
    }
    folders = {
        path.relative_to(made.root / "autograded") for path in made.root.glob("autograded/*/*")
    }
    assert {path.as_posix() for path in folders} == {"ada/week_1", "ada/week_2", "bob/week_2"}
    students = report.grades(made)["students"]
    assert {name: one["score"] for name, one in students.items()} == {"ada": 12, "bob": 12}
