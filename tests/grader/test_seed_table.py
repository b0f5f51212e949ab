"""Does the table carry every line of the seed, and does every place it names exist?"""

import hashlib
import re
from typing import NamedTuple

import pytest

from grader.authoring.lesson import LESSONS, read_lessons

# Of the seed's lines, without blank ones and indentation, joined by newlines.
SEED_LINES, SEED_SHA256 = 106, "edc08f4cec63d255"
COLUMNS = ("taught", "exercised", "checked")


class Row(NamedTuple):
    """One line of the seed and its places, by column."""

    line: str
    places: dict[str, list[str]]


def read_table(text: str) -> list[Row]:
    """The lines of the seed in order; a heading is a line without places."""
    rows = []
    for line in text.splitlines():
        if line.startswith("## "):
            rows.append(Row(line.removeprefix("## "), {}))
        elif line.startswith("| ") and not line.startswith("| the seed says"):
            seed, *cells = [cell.strip() for cell in line[1:-1].split("|")]
            places = [re.split(r";\s+", cell) if cell else [] for cell in cells]
            rows.append(Row(seed, dict(zip(COLUMNS, places, strict=True))))
    return rows


TABLE = read_table((LESSONS / "seed.md").read_text("utf-8"))
READ = {lesson.name[:2]: lesson for lesson in read_lessons()}


def sha256(rows: list[Row]) -> str:
    return hashlib.sha256("\n".join(row.line for row in rows).encode()).hexdigest()[:16]


def known_places(number: str, column: str) -> set[str]:
    """All that a lesson offers for a column."""
    cells = READ[number].cells
    prose = "\n".join(cell.source for cell in cells if cell.kind == "prose")
    code = "\n".join(cell.source for cell in cells if cell.kind == "code")
    return {
        "taught": set(re.findall(r"^## (.*)$", prose, re.M)),
        "exercised": {f"`{cell.name}`" for cell in cells if cell.kind == "exercise"},
        "checked": {f"`{cell.name}`" for cell in cells if cell.kind == "check"}
        | {f"`{call}`" for call in re.findall(r"\bchecks\.\w+", code)},
    }[column]


def rotten(place: str, column: str) -> str:
    """What is wrong with a place, or nothing."""
    number, _, what = place.partition(" ")
    if number == "later":
        return f"lesson {what} stands: name its places" if what in READ else ""
    if number not in READ:
        return f"there is no lesson {number}"
    return "" if what in known_places(number, column) else f"lesson {number} has no {what}"


def test_the_table_carries_every_line_of_the_seed():
    assert len(TABLE) == SEED_LINES
    assert sha256(TABLE) == SEED_SHA256


def test_a_lost_or_changed_line_shows():
    assert sha256(TABLE[:-1]) != SEED_SHA256
    assert sha256([TABLE[0]._replace(line="Attention"), *TABLE[1:]]) != SEED_SHA256


@pytest.mark.parametrize("column", COLUMNS)
def test_every_place_exists(column):
    places = [place for row in TABLE for place in row.places.get(column, [])]
    found = {place: wrong for place in places if (wrong := rotten(place, column))}
    assert found == {}


@pytest.mark.parametrize(
    ("place", "column", "says"),
    [
        ("03 When a score is huge", "taught", "lesson 03 has no When a score is huge"),
        ("03 `softmin`", "exercised", "lesson 03 has no `softmin`"),
        ("04 `softmax`", "exercised", "lesson 04 has no `softmax`"),
        ("03 `softmax`", "checked", "lesson 03 has no `softmax`"),
        ("03 `checks.causal_mask`", "checked", "lesson 03 has no `checks.causal_mask`"),
        ("77 `softmax`", "exercised", "there is no lesson 77"),
        ("later 07", "taught", "lesson 07 stands: name its places"),
    ],
)
def test_a_place_that_is_gone_shows(place, column, says):
    assert rotten(place, column) == says


@pytest.mark.parametrize("row", [row for row in TABLE if row.places], ids=lambda row: row.line[:40])
def test_every_line_is_taught_exercised_and_checked(row):
    """A line that ends with a colon may leave its places to the lines that it opens."""
    empty = [column for column in COLUMNS if not row.places[column]]
    assert not empty or (row.line.endswith(":") and len(empty) == len(COLUMNS))


def test_nothing_is_left_for_a_later_lesson_before_its_number():
    places = [place for row in TABLE for column in row.places.values() for place in column]
    later = {int(place.split()[1]) for place in places if place.startswith("later")}
    assert later <= {8, 9, 10}
