"""nbgrader's gradebook, many learners at a time: the rows that `nbgrader autograde` leaves.

What a person gave (manual_score, extra_credit, manual_comment) is never written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from nbgrader import api
from nbgrader.api import Comment, Grade, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select
from sqlalchemy.engine import make_url

from grader.nbgrader_api import NbgraderError, course_directory

Place = tuple[str, str]  # a lesson, and the grade_id of a cell in it
Row = dict[str, Any]
WAIT = 60  # seconds to wait while Formgrader writes
REPAIR = "Run `nbgrader generate_assignment` in the class folder for each assignment, then go on"


class Entry(NamedTuple):
    """What is known of what one learner handed in for one assignment.

    `scores` has the points of each graded cell, None where a person must decide.
    `comments` has nbgrader's own remark on each solution cell of the lessons handed in.
    """

    student: str
    assignment: str
    timestamp: datetime | None
    scores: Mapping[Place, float | None]
    comments: Mapping[Place, str | None]
    handed_in: frozenset[str]


class Gradebook:
    """The gradebook of a class, open within a `with`."""

    def __init__(self, root: Path, assignments: Iterable[str]) -> None:
        directory = course_directory(root)
        url = make_url(directory.db_url)
        if url.get_backend_name() == "sqlite":
            if not Path(str(url.database)).exists():
                raise NbgraderError(f"{url.database} does not exist. {REPAIR}")
            url = url.update_query_dict({"timeout": str(WAIT)})
        address = url.render_as_string(hide_password=False)
        self._book = api.Gradebook(address, directory.course_id)
        self.session = self._book.db
        try:
            self.assignments = {name: self._book.find_assignment(name) for name in assignments}
        except api.MissingEntry as error:
            self._book.close()
            raise NbgraderError(f"the gradebook of {root}: {error}. {REPAIR}") from error
        self._notebooks = {
            name: {one.name: one.id for one in found.notebooks}
            for name, found in self.assignments.items()
        }
        self._graded = self._cells("grade_cells", "task_cells")
        self._solved = self._cells("solution_cells", "task_cells")

    def _cells(self, *kinds: str) -> dict[Place, str]:
        return {
            (one.name, cell.name): cell.id
            for found in self.assignments.values()
            for one in found.notebooks
            for kind in kinds
            for cell in getattr(one, kind)
        }

    def __enter__(self) -> Gradebook:
        """Return the gradebook."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it; what was not committed is dropped."""
        self._book.close()

    def lacking(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return those of `entries` whose time or scores the gradebook does not have."""
        there = self._submissions(entries)
        scores = self._scores([row.id for row in there.values()])
        return [
            one
            for one in entries
            if (row := there.get((one.student, one.assignment))) is None
            or row.timestamp != one.timestamp
            or not one.scores.items() <= scores.get(row.id, {}).items()
        ]

    def write(self, entries: Sequence[Entry]) -> None:
        """Write `entries`, all or none."""
        if strange := {place for one in entries for place in one.scores} - self._graded.keys():
            raise NbgraderError(
                f"the gradebook does not have the graded cells {sorted(strange)}, "
                f"which are in the release. {REPAIR}"
            )
        notebooks = self._write_notebooks(entries, self._write_submissions(entries))
        self._fill(Grade, Grade.manual_score, self._graded, _grade, entries, notebooks)
        self._fill(Comment, Comment.id, self._solved, _comment, entries, notebooks)
        self.session.commit()

    def _write_submissions(self, entries: Sequence[Entry]) -> list[str]:
        """Return the id of each submission; it now carries the time of its entry."""
        names = {one.student for one in entries}
        known = set(self.session.scalars(select(api.Student.id).where(api.Student.id.in_(names))))
        self._insert(api.Student, [{"id": name} for name in sorted(names - known)])
        there = self._submissions(entries)
        ids: list[str] = []
        new: list[Row] = []
        changed: list[Row] = []
        for one in entries:
            row = there.get((one.student, one.assignment))
            ids.append(row.id if row else api.new_uuid())
            made = {"id": ids[-1], "timestamp": one.timestamp}
            whose = {"student_id": one.student}
            whose["assignment_id"] = self.assignments[one.assignment].id
            (changed if row else new).append(made | whose)
        self._insert(SubmittedAssignment, new)
        self.session.bulk_update_mappings(SubmittedAssignment, changed)
        return ids

    def _write_notebooks(
        self, entries: Sequence[Entry], submissions: Sequence[str]
    ) -> dict[Place, str]:
        """Return the id of each submitted notebook, by learner and lesson."""
        one = SubmittedNotebook
        query = select(one.id, one.assignment_id, one.notebook_id)
        found = self.session.execute(query.where(one.assignment_id.in_(submissions)))
        there = {(row.assignment_id, row.notebook_id): row.id for row in found}
        ids, new = {}, []
        for entry, submission in zip(entries, submissions, strict=True):
            for lesson, notebook in self._notebooks[entry.assignment].items():
                made = there.get((submission, notebook)) or api.new_uuid()
                ids[entry.student, lesson] = made
                if (submission, notebook) not in there:
                    new.append({"id": made, "assignment_id": submission, "notebook_id": notebook})
        self._insert(one, new)
        return ids

    def _fill(
        self,
        model: Any,
        column: Any,
        cells: Mapping[Place, str],
        content: Callable[[Entry, Place, Any], Row],
        entries: Sequence[Entry],
        notebooks: Mapping[Place, str],
    ) -> None:
        """Write one row of `model` for each entry and each of its cells.

        `content` gets what stands in `column` and gives what changes.
        """
        query = select(model.id, model.notebook_id, model.cell_id, column.label("before"))
        found = self.session.execute(query.where(model.notebook_id.in_(notebooks.values())))
        there = {(row.notebook_id, row.cell_id): row for row in found}
        new, changed = [], []
        for entry in entries:
            for place, cell in cells.items():
                if place[0] in self._notebooks[entry.assignment]:
                    notebook = notebooks[entry.student, place[0]]
                    row = there.get((notebook, cell))
                    made = content(entry, place, row.before if row else None)
                    if row:
                        changed.append({"id": row.id, **made})
                    else:
                        new.append({"notebook_id": notebook, "cell_id": cell, **made})
        self._insert(model, new)
        self.session.bulk_update_mappings(model, changed)

    def _insert(self, model: Any, rows: Sequence[Row]) -> None:
        self.session.bulk_insert_mappings(model, rows)

    def _submissions(self, entries: Sequence[Entry]) -> dict[tuple[str, str], Any]:
        """Return the submissions of those who are in `entries`, by learner and assignment."""
        one, names = SubmittedAssignment, {found.id: key for key, found in self.assignments.items()}
        query = select(one.id, one.student_id, one.assignment_id, one.timestamp).where(
            one.student_id.in_({entry.student for entry in entries}), one.assignment_id.in_(names)
        )
        rows = self.session.execute(query)
        return {(row.student_id, names[row.assignment_id]): row for row in rows}

    def _scores(self, submissions: Iterable[str]) -> dict[str, dict[Place, float | None]]:
        """Return what the autograder gave, by submission."""
        query = (
            select(SubmittedNotebook.assignment_id, Grade.cell_id, Grade.auto_score)
            .select_from(Grade)
            .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
            .where(SubmittedNotebook.assignment_id.in_(list(submissions)))
        )
        places = {cell: place for place, cell in self._graded.items()}
        scores: dict[str, dict[Place, float | None]] = {}
        for submission, cell, score in self.session.execute(query):
            scores.setdefault(submission, {})[places[cell]] = score
        return scores


def _grade(entry: Entry, place: Place, manual: float | None) -> Row:
    """Return what nbgrader's SaveAutoGrades writes; a score given by hand is to be looked at."""
    if place not in entry.scores:
        return {}
    score = entry.scores[place]
    again = manual is not None and place[0] in entry.handed_in
    return {"auto_score": score, "needs_manual_grade": score is None or again}


def _comment(entry: Entry, place: Place, _: Any) -> Row:
    return {"auto_comment": entry.comments[place]} if place in entry.comments else {}
