"""What a class's settings make of the course: lessons by assignment, with the class's points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attnkit import mine
from attnkit.handin import ASSIGNMENT

from grader.authoring.lesson import Lesson
from grader.judging import known_good
from grader.room.settings import Assignment, Settings, SettingsError


def divided(settings: Settings, lessons: Sequence[Lesson]) -> dict[str, list[Lesson]]:
    """Return the lessons of each assignment, with the points that the class gives for them.

    Raises `SettingsError` where the settings name what the course does not have.
    """
    _refuse_unknown(settings, lessons)
    kept = [_pointed(one, settings.points) for one in lessons if one.name not in settings.drop]
    _refuse_gaps({one.name for one in kept})
    assignments = settings.assignments or {ASSIGNMENT: Assignment()}
    taken = [name for one in assignments.values() for name in one.lessons or ()]
    rest = [one.name for one in kept if one.name not in taken]
    _refuse_bad_split(settings, taken, rest)
    named = {key: rest if one.lessons is None else one.lessons for key, one in assignments.items()}
    return {key: [one for one in kept if one.name in names] for key, names in named.items()}


def _refuse_unknown(settings: Settings, lessons: Sequence[Lesson]) -> None:
    known = [one.name for one in lessons]
    split = {name: f"assignments.{key}" for key, one in settings.assignments.items()
             for name in one.lessons or ()}  # fmt: skip
    for name, where in {**dict.fromkeys(settings.drop, "drop"), **split}.items():
        if name not in known:
            raise SettingsError(f"{where}: there is no lesson {name!r}; lessons are {_list(known)}")
    for name in settings.points:
        found = [one for one in lessons if name == one.name or name in _checks(one)]
        if not found or not _checks(found[0]):
            graded = [one for lesson in lessons for one in _checks(lesson)]
            raise SettingsError(
                f"points: {name!r} is no check, and no lesson with one; checks are {_list(graded)}"
            )
        if name != found[0].name and found[0].name in settings.points:
            raise SettingsError(
                f"points: {name!r} belongs to {found[0].name!r}, which has points too; name one"
            )


def _refuse_gaps(kept: set[str]) -> None:
    for lesson, pieces in known_good.BUILT_ON.items():
        gone = [piece for piece in pieces if mine.LESSONS[piece] not in kept]
        if lesson in kept and gone:
            home = mine.LESSONS[gone[0]]
            raise SettingsError(f"drop: {lesson} builds on {gone[0]} of {home}; drop both or none")


def _refuse_bad_split(settings: Settings, taken: Sequence[str], rest: Sequence[str]) -> None:
    twice = [name for name in taken if taken.count(name) > 1]
    gone = [name for name in taken if name in settings.drop]
    open_ones = [key for key, one in settings.assignments.items() if one.lessons is None]
    if twice or gone:
        what = "stands in two assignments" if twice else "is dropped and stands in an assignment"
        raise SettingsError(f"assignments: {(twice or gone)[0]} {what}; name it once")
    if not taken and not rest:
        raise SettingsError("drop: no lesson is left; keep one")
    if len(open_ones) > 1:
        raise SettingsError(f"assignments: only one may have no lessons, got {_list(open_ones)}")
    if settings.assignments and not open_ones and rest:
        raise SettingsError(f"assignments: {_list(rest)} in none; add to one, or to drop")
    if open_ones and not rest:
        raise SettingsError(f"assignments: no lesson is left for {open_ones[0]}; take it out")


def _pointed(lesson: Lesson, points: Mapping[str, int]) -> Lesson:
    """Return `lesson` with the class's points in its checks."""
    shares = {cell.name: cell.points for cell in lesson.cells if cell.kind == "check"}
    if lesson.name in points:
        shares = _shared(points[lesson.name], shares)
    shares |= {name: points[name] for name in shares if name in points}
    cells = [
        cell._replace(points=shares[cell.name]) if cell.kind == "check" else cell
        for cell in lesson.cells
    ]
    return lesson._replace(points=sum(shares.values()), cells=tuple(cells))


def _shared(total: int, weights: Mapping[str, int]) -> dict[str, int]:
    """Return whole shares of `total` in proportion; what is left goes to the largest remainders."""
    whole = sum(weights.values())
    parts = {name: total * weight // whole for name, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda name: -(total * weights[name] % whole))
    for name in by_remainder[: total - sum(parts.values())]:
        parts[name] += 1
    return parts


def _checks(lesson: Lesson) -> list[str]:
    return [cell.name for cell in lesson.cells if cell.kind == "check"]


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
