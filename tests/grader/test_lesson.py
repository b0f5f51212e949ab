"""Does a mistake in a lesson stop the build, with file, line and mend?"""

import re
from pathlib import Path

import pytest

from grader import nbgrader_api
from grader.authoring.lesson import LessonError, read_lesson, read_lessons
from grader.authoring.source import source_notebook

GOOD = """\
---
title: softmax
minutes: 40
points: 1
---

# A title

```{code-cell} ipython3
x = 1
```

```{code-cell} ipython3
:exercise: softmax
```

```{code-cell} ipython3
:check: softmax_rows_sum
:points: 1
```
"""


def lesson_file(folder: Path, text: str, name: str = "03_softmax.md") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_lesson_reads_kinds_names_points_and_lines(tmp_path):
    lesson = read_lesson(lesson_file(tmp_path, GOOD))
    assert (lesson.name, lesson.title, lesson.minutes, lesson.points) == (
        "03_softmax",
        "softmax",
        40,
        1,
    )
    assert [(cell.kind, cell.name, cell.points) for cell in lesson.cells] == [
        ("prose", "", 0),
        ("code", "", 0),
        ("exercise", "softmax", 0),
        ("check", "softmax_rows_sum", 1),
    ]
    lines = GOOD.splitlines()
    assert "{code-cell}" in lines[lesson.cells[2].line - 1]


MISTAKES = {
    "misspelt fence": ("```{code-cell} ipython3\nx", "```{code-cel} ipython3\nx", 9, "code-cell"),
    "fence without language": ("```{code-cell} ipython3\nx", "```{code-cell}\nx", 9, "ipython3"),
    "fence without braces": ("```{code-cell} ipython3\nx", "```code-cell ipython3\nx", 9, "code-cell"),
    "two backticks": ("```{code-cell} ipython3\nx = 1\n```", "``{code-cell} ipython3\nx = 1", 9, "backticks"),
    "other directive": ("# A title", "```{note}\nhello\n```", 7, "unknown fence"),
    "colon fence": ("# A title", ":::{note}\nhello\n:::", 7, "code cell"),
    "option in prose": ("# A title", ":check: softmax_rows_sum", 7, "outside a code cell"),
    "unknown option": (":exercise: softmax", ":exercice: softmax", 13, "options are"),
    "unknown exercise": (":exercise: softmax", ":exercise: softmin", 13, "no exercise is called 'softmin'"),
    "unknown check": (":check: softmax_rows_sum", ":check: softmax_row_sum", 17, "no hidden check"),
    "unknown tag": ("x = 1", ":tags: [pictures]\nx = 1", 9, "tags are"),
    "check without points": (":points: 1\n```", "```", 17, "whole `:points:`"),
    "five points": (":points: 1\n```", ":points: 5\n```", 17, "wanted 1 to 4"),
    "points without check": ("x = 1", ":points: 1\nx = 1", 9, "points without a check"),
    "code in an exercise": (":exercise: softmax", ":exercise: softmax\nx = 2", 13, "more than its name"),
    "wrong sum": ("points: 1\n---", "points: 14\n---", 1, "add up to 1"),
    "no minutes": ("minutes: 40\n", "", 1, "minutes"),
    "minutes not a number": ("minutes: 40", "minutes: long", 1, "minutes"),
    "broken front matter": ("title: softmax", "title: [softmax", 1, "YAML"),
    "same exercise twice": ("x = 1", ":exercise: softmax", 13, "'softmax' stands here and at line 9"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "says"), MISTAKES.values(), ids=MISTAKES)
def test_lesson_mistake_is_named_with_line_and_mend(tmp_path, old, new, line, says):
    assert GOOD.count(old) == 1
    path = lesson_file(tmp_path, GOOD.replace(old, new))
    with pytest.raises(LessonError, match=re.escape(says)) as caught:
        read_lesson(path)
    assert str(caught.value).startswith(f"03_softmax.md:{line}: ")


def test_lesson_id_repeated_in_another_lesson_is_named(tmp_path):
    lesson_file(tmp_path, GOOD)
    lesson_file(tmp_path, GOOD, "04_more.md")
    with pytest.raises(
        LessonError, match=r"04_more.md:13: 'softmax' stands here and at 03_softmax.md:13"
    ):
        read_lessons(tmp_path)


def test_locked_cell_is_read_only_in_the_release(tmp_path):
    locked = GOOD.replace("x = 1", ":tags: [locked]\nx = 1")
    source = source_notebook(read_lesson(lesson_file(tmp_path, locked)))
    cell = nbgrader_api.release(source).cells[1]
    assert cell.source.startswith("x = 1")
    assert not cell.metadata.editable and not cell.metadata.deletable
    mark = cell.metadata.nbgrader
    assert (mark.locked, mark.grade, mark.solution, mark.grade_id) == (True, False, False, cell.id)
    assert mark.checksum
