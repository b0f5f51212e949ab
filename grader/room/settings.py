"""`class.toml`: what an instructor may say about a class, checked before anything is made of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

TEMPLATE = """\
# The name that stands over this class's report. May change at any time, like db_url.
name = {name}

# Where nbgrader keeps its gradebook, as it takes it; by default gradebook.db in this folder.
# db_url = "postgresql://user@host/gradebook"

# All below is read when the class is made: grader new CLASS_DIR --settings class.toml
# Later, points and cells are changed in source/, with nbgrader's own tools, and released again.

# Lessons that are left out.
# drop = ["08_cost"]

# Points of a check, or of a whole lesson: then its checks share them in proportion.
# [points]
# softmax_rows_sum = 3
# 04_attention_scores = 28

# Lessons in several assignments, each with a date of its own if you like.
# One without `lessons` takes all that are left.
# [assignments.week_1]
# lessons = ["00_start", "01_by_hand", "02_value"]
# due = 2027-01-15T23:59:00+01:00
# [assignments.week_2]
"""


Fixed = dict[str, Any]
Names = Annotated[tuple[str, ...], Field(strict=False)]


class SettingsError(Exception):
    """A class.toml that cannot be used; the message says where and why."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Assignment(_Strict):
    """Lessons that are handed in together; no lessons stands for all that are left."""

    lessons: Names | None = None
    due: AwareDatetime | None = None


class Settings(_Strict):
    """One class.toml."""

    name: str = ""
    db_url: str | None = None
    drop: Names = ()
    points: dict[str, Annotated[int, Field(ge=0)]] = {}
    assignments: dict[Annotated[str, StringConstraints(pattern=r"^\w[\w-]*$")], Assignment] = {}

    def fixed(self) -> Fixed:
        """Return the part that is read when a class is made, and never again."""
        return self.model_dump(mode="json", include={"drop", "points", "assignments"})


def read(path: Path) -> Settings:
    """Return the settings in file `path`."""
    try:
        return Settings.model_validate(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    except ValidationError as error:
        told = [f"{path}: {_told(dict(one))}" for one in error.errors()]
        raise SettingsError("\n".join(told)) from error


_A_TIME = "wanted a time with its zone, such as 2027-01-15T23:59:00+01:00"
_WANTED = {
    "extra_forbidden": "is no key that is known here; `grader new` writes a class.toml with all",
    "datetime_type": _A_TIME,
    "timezone_aware": _A_TIME,
    "tuple_type": "wanted a list of names",
    "string_pattern_mismatch": "a name of an assignment has letters, digits, _ and - only",
    "int_type": "wanted a whole number of points",
    "int_from_float": "wanted a whole number of points",
}


def _told(error: Mapping[str, Any]) -> str:
    where = ".".join(str(one) for one in error["loc"] if one != "[key]")
    wanted = _WANTED.get(error["type"], error["msg"].replace("Input should", "it should"))
    return f"{where}: {wanted}, got {error['input']!s:.60}"
