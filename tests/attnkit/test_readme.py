"""Does the learner's README say what is true: the install line, the lessons, the sums, the hand-in?"""

import re
import tomllib

from grader.authoring.build import ROOT
from grader.authoring.lesson import read_lessons

COURSE = ROOT / "course"
README = (COURSE / "README.md").read_text("utf-8")
ROW = re.compile(r"^\| (\d\d) \|.*\| (\d+) \| (\d+) \|$", re.MULTILINE)
ROWS = {number: (int(minutes), int(points)) for number, minutes, points in ROW.findall(README)}


def hours_to_the_half(numbers):
    return round(sum(ROWS[number][0] for number in numbers) / 30) / 2


def test_install_line_names_the_dependencies_of_the_kit():
    (line,) = re.findall(r"^ +python -m pip install (.+)$", README, re.MULTILINE)
    kit = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [re.match(r"[\w.-]+", one)[0] for one in kit["dependencies"]]
    assert sorted(line.split()) == sorted(wanted)


def test_python_is_the_version_that_the_kit_wants():
    kit = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    (version,) = re.findall(r"Python ([\d.]+) or newer", README)
    assert kit["requires-python"] == f">={version}"


def test_the_first_lesson_looks_at_what_the_kit_wants():
    kit = tomllib.loads((COURSE / "pyproject.toml").read_text("utf-8"))["project"]
    first = (ROOT / "grader" / "lessons" / "00_start.md").read_text("utf-8")
    (asked,) = re.findall(r"in (\{.+\})\.items\(\)", first)
    bounds = dict(one.split(">=") for one in kit["dependencies"])
    assert {name: ".".join(map(str, lowest)) for name, lowest in eval(asked).items()} == {
        name: bounds[name] for name in ("numpy", "matplotlib")
    }
    assert f"Python {kit['requires-python'].removeprefix('>=')} or newer" in first


def test_lessons_stand_in_order_with_their_minutes_and_points():
    assert list(ROWS) == [f"{number:02}" for number in range(12)]
    for lesson in read_lessons():
        assert ROWS[lesson.name[:2]] == (lesson.minutes, lesson.points), lesson.name


def test_sums_are_what_the_table_adds_up_to():
    (core,) = re.findall(r"core path is 00 to 07, about (\d½?) hours", README)
    (whole,) = re.findall(r"whole course is about (\d½?) hours", README)
    (points,) = re.findall(r"carries (\d+) points", README)
    assert int(points) == sum(points for _, points in ROWS.values())
    assert hours(core) == hours_to_the_half([number for number in ROWS if number <= "07"])
    assert hours(whole) == hours_to_the_half(ROWS)


def hours(text):
    return float(text.replace("½", ".5"))


def test_hand_in_command_exists():
    (module,) = re.findall(r"python3 -m (attnkit\.\w+) YOUR-ID", README)
    assert (COURSE / f"{module.replace('.', '/')}.py").exists()


def test_each_lesson_with_points_ends_with_how_to_hand_in():
    (command,) = re.findall(r"^ {4}(python3 -m attnkit\.handin .+)$", README, re.MULTILINE)
    for lesson in read_lessons():
        if lesson.points:
            assert f"`{command}`" in lesson.cells[-1].source, lesson.name


def test_both_distributions_carry_the_licence():
    for folder in (ROOT, COURSE):
        project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        assert project["license-files"] == ["LICENSE"]
    assert (COURSE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
