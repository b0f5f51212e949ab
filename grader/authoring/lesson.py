"""Reads a lesson file: MyST Markdown with four options of our own, every mistake named by line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, NamedTuple

import yaml
from jupytext.myst import MystMetadataParsingError, get_parser, myst_to_notebook

from grader import checks
from grader.authoring import exercises

LESSONS = Path(__file__).parents[1] / "lessons"
CODE_FENCE = "{code-cell} ipython3"
PLAIN_FENCES = {"", "python", "text"}
OPTIONS = {"exercise", "check", "points", "tags"}
TAGS = {"picture", "timing", "raises-exception", "locked"}
FRONT_MATTER = {"title": str, "minutes": int, "points": int}

Kind = Literal["prose", "code", "exercise", "check"]


class Cell(NamedTuple):
    """One cell of a lesson; `name` is the exercise's or the check's, and empty for the rest."""

    kind: Kind
    source: str
    line: int
    name: str = ""
    points: int = 0
    tags: tuple[str, ...] = ()


class Lesson(NamedTuple):
    """One lesson: `name` is its file's stem, such as `03_softmax`."""

    name: str
    title: str
    minutes: int
    points: int
    cells: tuple[Cell, ...]


class LessonError(Exception):
    """A lesson file that cannot be built; the message begins with file and line."""

    def __init__(self, path: Path, line: int, what: str) -> None:
        super().__init__(f"{path.name}:{line}: {what}")


def read_lessons(folder: Path = LESSONS) -> list[Lesson]:
    """Return the lessons of `folder` in order; raises `LessonError` where one is wrong."""
    lessons = [read_lesson(path) for path in sorted(folder.glob("[0-9][0-9]_*.md"))]
    seen: dict[str, str] = {}
    for lesson in lessons:
        for cell in lesson.cells:
            if cell.name and cell.name in seen:
                path = folder / f"{lesson.name}.md"
                raise LessonError(path, cell.line, _repeated(cell.name, seen[cell.name]))
            seen[cell.name] = f"{lesson.name}.md:{cell.line}"
    return lessons


def read_lesson(path: Path) -> Lesson:
    """Return the lesson in `path`; raises `LessonError` where it is wrong."""
    text = path.read_text(encoding="utf-8")
    _refuse_unknown_directives(path, text)
    try:
        notebook = myst_to_notebook(text, add_source_map=True)
    except (MystMetadataParsingError, yaml.YAMLError) as error:
        raise LessonError(path, 1, f"{error}; mend the YAML between the `---` lines") from error
    head = _front_matter(path, notebook.metadata)
    lines = notebook.metadata["source_map"]
    cells = tuple(_cell(path, *pair) for pair in zip(notebook.cells, lines, strict=True))
    _refuse_wrong_sums(path, head["points"], cells)
    return Lesson(path.stem, head["title"], head["minutes"], head["points"], cells)


def _refuse_unknown_directives(path: Path, text: str) -> None:
    fenced: set[int] = set()
    for token in get_parser().parse(text):
        if token.type in ("fence", "colon_fence") and token.map:
            fenced.update(range(*token.map))
            if token.info.strip() not in PLAIN_FENCES | {CODE_FENCE}:
                raise LessonError(path, token.map[0] + 1, _unknown_fence(token.info.strip()))
    for number, line in enumerate(text.splitlines()):
        if number not in fenced and re.match(r"\s*([`:~]{2,}\s*\{?|\{?code-?cell|:[a-z]+:)", line):
            raise LessonError(
                path, number + 1, f"{line.strip()!r} stands outside a code cell; {_FENCE_HELP}"
            )


_FENCE_HELP = f"a code cell begins with three backticks and {CODE_FENCE!r}, its options follow"


def _unknown_fence(info: str) -> str:
    return f"unknown fence {info!r}; {_FENCE_HELP}; a plain fence is marked python, text or nothing"


def _front_matter(path: Path, metadata: dict[str, Any]) -> dict[str, Any]:
    for key, kind in FRONT_MATTER.items():
        if not isinstance(metadata.get(key), kind):
            raise LessonError(
                path, 1, f"front matter has no {key} ({kind.__name__}); add `{key}: …` to it"
            )
    return metadata


def _cell(path: Path, node: Any, line: int) -> Cell:
    if node.cell_type != "code":
        return Cell("prose", node.source, line + 1)
    options = dict(node.metadata)
    if unknown := set(options) - OPTIONS:
        raise LessonError(
            path, line, f"unknown option {sorted(unknown)}; options are {sorted(OPTIONS)}"
        )
    tags = tuple(options.get("tags", ()))
    if unknown := set(tags) - TAGS:
        raise LessonError(path, line, f"unknown tag {sorted(unknown)}; tags are {sorted(TAGS)}")
    if "exercise" in options:
        return _exercise(path, options, node.source, line)
    if "check" in options:
        return _check(path, options, node.source, line)
    if "points" in options:
        raise LessonError(path, line, "points without a check; add `:check: …` or drop them")
    return Cell("code", node.source, line, tags=tags)


def _exercise(path: Path, options: dict[str, Any], source: str, line: int) -> Cell:
    name = options["exercise"]
    if set(options) != {"exercise"} or source:
        raise LessonError(
            path, line, f"exercise {name!r} has more than its name; its code stands in `solutions`"
        )
    try:
        exercises.find(name)
    except KeyError as error:
        raise LessonError(path, line, error.args[0]) from error
    return Cell("exercise", "", line, name)


def _check(path: Path, options: dict[str, Any], source: str, line: int) -> Cell:
    name, points = options["check"], options.get("points")
    if set(options) != {"check", "points"} or source or not isinstance(points, int):
        raise LessonError(path, line, f"check {name!r} wants a whole `:points:` and nothing else")
    if not 1 <= points <= 4:
        raise LessonError(path, line, f"check {name!r} has {points} points; wanted 1 to 4")
    try:
        checks.find(name)
    except KeyError as error:
        raise LessonError(path, line, error.args[0]) from error
    return Cell("check", "", line, name, points)


def _refuse_wrong_sums(path: Path, wanted: int, cells: tuple[Cell, ...]) -> None:
    total = sum(cell.points for cell in cells)
    if total != wanted:
        raise LessonError(
            path, 1, f"front matter says {wanted} points, the checks add up to {total}; mend one"
        )
    seen: dict[str, int] = {}
    for cell in cells:
        if cell.name in seen:
            raise LessonError(path, cell.line, _repeated(cell.name, f"line {seen[cell.name]}"))
        if cell.name:
            seen[cell.name] = cell.line


def _repeated(name: str, first: str) -> str:
    return f"{name!r} stands here and at {first}; each exercise and check occurs once"
