"""Does class.toml shape a class, take effect when it says, and name each mistake?"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from attnkit.handin import ASSIGNMENT
from small_class import RIGHT, WRONG, hand_in, standing

from grader.authoring.lesson import Lesson, read_lessons
from grader.grading import grade
from grader.grading.crew import Local
from grader.reporting import report
from grader.room import classroom
from grader.room.classroom import ClassError, Classroom, opened
from grader.room.division import divided
from grader.room.settings import TEMPLATE, Settings, SettingsError, read
from grader.sandbox import walls

LESSONS = read_lessons()
NAMES = [one.name for one in LESSONS]


def settings(text: str) -> Settings:
    return Settings.model_validate(tomllib.loads(text))


def points(lessons: list[Lesson]) -> dict[str, int]:
    return {cell.name: cell.points for one in lessons for cell in one.cells if cell.kind == "check"}


def total(lessons: list[Lesson]) -> int:
    return sum(points(lessons).values())


def test_class_without_wishes_has_all_lessons_in_one_assignment():
    assert divided(Settings(), LESSONS) == {ASSIGNMENT: LESSONS}
    assert settings(TEMPLATE.format(name='"x"')) == Settings(name="x")


def test_template_with_every_line_in_use_is_valid():
    text = TEMPLATE.format(name='"x"')
    examples = [
        line.removeprefix("# ") if " = " in line or line.startswith("# [") else line
        for line in text.splitlines()
    ]
    found = divided(settings("\n".join(examples)), LESSONS)
    assert list(found) == ["week_1", "week_2"]
    assert points(found["week_1"] + found["week_2"])["softmax_rows_sum"] == 3


def test_points_of_a_check_and_of_a_lesson():
    before = {one.name: one.points for one in LESSONS}
    found = divided(settings("[points]\nsoftmax_rows_sum = 9\n04_attention_scores = 37"), LESSONS)
    after = {one.name: one for one in found[ASSIGNMENT]}
    assert points([after["03_softmax"]])["softmax_rows_sum"] == 9
    assert after["03_softmax"].points == total([after["03_softmax"]])
    scores = points([after["04_attention_scores"]])
    assert sum(scores.values()) == after["04_attention_scores"].points == 37
    was = points([one for one in LESSONS if one.name == "04_attention_scores"])
    for name, value in scores.items():
        assert abs(value - was[name] * 37 / before["04_attention_scores"]) < 1


def test_assignment_without_lessons_takes_what_is_left():
    text = (
        'drop = ["08_cost"]\n[assignments.a]\nlessons = ["03_softmax", "00_start"]\n[assignments.b]'
    )
    found = {
        name: [one.name for one in those]
        for name, those in divided(settings(text), LESSONS).items()
    }
    assert found["a"] == ["00_start", "03_softmax"]
    assert found["b"] == [
        name for name in NAMES if name not in ("08_cost", "00_start", "03_softmax")
    ]


MISTAKES = {
    'nam = "x"': "nam: is no key that is known here",
    "name = 3": "name: it should be a valid string, got 3",
    "drop = 3": "drop: wanted a list of names, got 3",
    '[points]\nsoftmax_rows_sum = "3"': "points.softmax_rows_sum: wanted a whole number of points",
    "[points]\nsoftmax_rows_sum = 1.5": "points.softmax_rows_sum: wanted a whole number of points",
    "[points]\nsoftmax_rows_sum = -1": "points.softmax_rows_sum: it should be greater than or",
    "[assignments.a]\ndue = 2027-01-01": "assignments.a.due: wanted a time with its zone, such as",
    "[assignments.a]\ndue = 2027-01-01T10:00:00": "assignments.a.due: wanted a time with its zone",
    '[assignments.a]\ndue = "tomorrow"': "assignments.a.due: wanted a time with its zone",
    '[assignments."a b"]': "assignments.a b: a name of an assignment has letters, digits",
    "[assignments.a]\ndeu = 1": "assignments.a.deu: is no key that is known here",
    "name = ": "cannot be read",
}  # fmt: skip
MISFITS = {
    f"drop = {NAMES}": "drop: no lesson is left",
    'drop = ["03_sofmax"]': "drop: there is no lesson '03_sofmax'; lessons are 00_start, ",
    "[points]\nsofmax = 3": "points: 'sofmax' is no check, and no lesson with one",
    "[points]\n00_start = 3": "points: '00_start' is no check, and no lesson with one",
    "[points]\nsoftmax_rows_sum = 3\n03_softmax = 9": "points: 'softmax_rows_sum' belongs to '03_softmax'",
    'drop = ["03_softmax"]': "drop: 07_self_attention builds on softmax of 03_softmax",
    '[assignments.a]\nlessons = ["99_x"]': "assignments.a: there is no lesson '99_x'",
    '[assignments.a]\nlessons = ["00_start"]': "assignments: 01_by_hand, 02_value, .* in none",
    "[assignments.a]\n[assignments.b]": "assignments: only one may have no lessons, got a, b",
    '[assignments.a]\nlessons = ["00_start", "00_start"]\n[assignments.b]': "assignments: 00_start stands in two",
    'drop = ["00_start"]\n[assignments.a]\nlessons = ["00_start"]\n[assignments.b]': "00_start is dropped and stands",
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_mistake_in_the_file_is_named(text: str, tmp_path: Path):
    path = tmp_path / "class.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=MISTAKES[text]) as error:
        read(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("text", MISFITS)
def test_settings_that_do_not_fit_the_course_are_named(text: str):
    with pytest.raises(SettingsError, match=MISFITS[text]):
        divided(settings(text), LESSONS)


SPLIT = f"""\
drop = {[name for name in NAMES if name[:2] not in ("03", "05")]}
[points]
05_causal_mask = 20
[assignments.week_1]
lessons = ["03_softmax"]
due = 2027-01-15T23:59:00+01:00
[assignments.week_2]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    (folder / "given.toml").write_text(SPLIT)
    return classroom.new(folder / "room", folder / "given.toml").root


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Classroom:
    return opened(shutil.copytree(made, tmp_path / "room"))


def test_split_class_has_folders_points_and_dates_of_its_own(room):
    assert room.assignments == {"week_1": ("03_softmax",), "week_2": ("05_causal_mask",)}
    assert (room.root / "release" / "week_2" / "attnkit" / "value.py").is_file()
    with sqlite3.connect(room.root / "gradebook.db") as book:
        dates = dict(book.execute("select name, duedate from assignment"))
    assert dates == {"week_1": "2027-01-15 22:59:00.000000", "week_2": None}


def test_split_class_is_graded_over_its_assignments(room):
    hand_in(room, "ada", {"causal_mask": RIGHT})
    hand_in(room, "bob", {"causal_mask": WRONG})
    shutil.rmtree(room.handed_in("bob", "week_1"))
    with Local(2) as crew:
        list(grade.grade(room, grade.plan(room), crew, walls.NONE))
    report.write(room)
    found = standing(room.root)
    ada, bob = found["students"]["ada"]["lessons"], found["students"]["bob"]["lessons"]
    assert found["max"] == 20 + ada["03_softmax"]["max"]
    assert (ada["03_softmax"]["score"], ada["05_causal_mask"]["score"]) == (0, 20)
    assert bob["03_softmax"]["state"] == "not handed in"
    assert 0 <= bob["05_causal_mask"]["score"] < 20
    (room.handed_in("bob", "week_1")).mkdir()
    assert grade.plan(room).due == []


def test_nbgrader_takes_the_address_of_its_gradebook_from_class_toml(room, tmp_path):
    with (room.root / "class.toml").open("r+") as file:
        text = file.read()
        file.seek(0)
        file.write(f'db_url = "sqlite:///{tmp_path}/other.db"\n{text}')
    command = [sys.executable, "-m", "nbgrader", "db", "student", "add", "zoe"]
    subprocess.run(command, cwd=room.root, check=True, capture_output=True)
    with sqlite3.connect(tmp_path / "other.db") as book:
        assert book.execute("select id from student").fetchall() == [("zoe",)]


def test_name_may_change_and_what_was_built_in_may_not(room):
    path = room.root / "class.toml"
    path.write_text('name = "New"\n' + SPLIT)
    assert opened(room.root).name == "New"
    path.write_text(SPLIT.replace("= 20", "= 21"))
    with pytest.raises(ClassError, match=r"points was read when the class was made and cannot"):
        opened(room.root)
