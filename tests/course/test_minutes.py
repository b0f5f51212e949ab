"""Does each lesson keep the time that it promises, by one formula for all of them?"""

import ast
import re

import pytest

from grader import misconceptions
from grader.authoring import exercises
from grader.authoring.lesson import Cell, Lesson, read_lessons
from tests.course.test_house_rules import visible_words

READ = read_lessons()
WORDS_A_MINUTE = 150
PREDICT, CELL = 1.0, 0.5
PAPER, FUNCTION, PIECE = 3, 5, 10  # an answer without arguments; a function; one of the five
TOLERANCE, LONGEST = 0.2, 60


def minutes_needed(lesson: Lesson) -> float:
    """Reading, predicting, running and writing; what is marked optional does not count."""
    minutes, optional = 0.0, False
    for cell in lesson.cells:
        for part in re.split(r"^(?=#+ )", cell.source, flags=re.M) if cell.kind == "prose" else []:
            if heading := re.match(r"#+ (.*)", part):
                optional = heading[1].startswith("Optional")
            if not optional:
                minutes += len(visible_words(part)) / WORDS_A_MINUTE
                minutes += PREDICT * part.count("**Predict")
        if not optional:
            minutes += minutes_of_code(cell)
    return minutes


def minutes_of_code(cell: Cell) -> float:
    if cell.kind == "code":
        return CELL if ast.parse(cell.source).body else FUNCTION  # comments alone: a page to fill
    if cell.kind != "exercise":
        return 0.0
    if cell.name in misconceptions.PIECES:
        return PIECE
    return PAPER if f"def {cell.name}():" in exercises.find(cell.name).head else FUNCTION


@pytest.mark.parametrize("lesson", READ, ids=[one.name for one in READ])
def test_the_promised_minutes_are_those_that_a_reader_needs(lesson):
    assert abs(minutes_needed(lesson) - lesson.minutes) <= TOLERANCE * lesson.minutes
    assert lesson.minutes <= LONGEST


@pytest.mark.parametrize("lesson", READ, ids=[one.name for one in READ])
def test_the_first_prose_promises_the_minutes_of_the_front_matter(lesson):
    assert f"{lesson.minutes} minutes" in lesson.cells[0].source


def test_a_page_to_fill_takes_as_long_as_a_function():
    assert minutes_of_code(Cell("code", "# From memory.", 1)) == FUNCTION
    assert minutes_of_code(Cell("code", "x = 1  # given", 1)) == CELL


def test_more_words_need_more_minutes_and_what_is_optional_needs_none():
    prose = "# T\n\n" + "word " * 300
    code = Cell("code", "x = 1", 5)
    optional = [Cell("prose", "## Optional: more\n\n" + "word " * 300, 9), code]
    read, run = Cell("prose", prose, 1), minutes_of_code(code)
    assert minutes_needed(Lesson("01_t", "T", 2, 0, (read,))) == 2
    assert minutes_needed(Lesson("01_t", "T", 2, 0, (read, code, read))) == 4 + run
    assert minutes_needed(Lesson("01_t", "T", 2, 0, (read, *optional))) == 2
