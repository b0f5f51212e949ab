"""What being late costs, by nbgrader's own preprocessor and the class's own plugin."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

from nbgrader.api import SubmittedAssignment, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import or_, select

from grader.nbgrader_api import config
from grader.recording.gradebook import Gradebook


class _Penalty(AssignLatePenalties):  # type: ignore[misc]
    """nbgrader's step, for a score that is known."""

    def of(self, student: str, score: float, seconds: float) -> float | None:
        charged = self.plugin_inst.late_submission_penalty(student, score, seconds)
        if charged is None:
            return None
        return float(self._check_late_penalty(SimpleNamespace(score=score), charged))


def charge_the_late(root: Path, gradebook: Gradebook) -> None:
    """Write anew what each late lesson costs: due dates, extensions and scores may have changed."""
    penalty = _Penalty(config=config(root))
    penalty.init_plugin()
    late, one = _late(gradebook), SubmittedNotebook
    query = select(one.id, one.assignment_id, one.score).where(
        or_(one.assignment_id.in_(late), one.late_submission_penalty.is_not(None))
    )
    rows = []
    for row in gradebook.session.execute(query):
        student, seconds = late.get(row.assignment_id, ("", 0.0))
        due = penalty.of(student, row.score, seconds) if seconds and row.score else None
        rows.append({"id": row.id, "late_submission_penalty": due})
    gradebook.session.bulk_update_mappings(one, rows)
    gradebook.session.commit()


def _late(gradebook: Gradebook) -> dict[str, tuple[str, float]]:
    """Return, by submission, the learner and the seconds past due date and extension."""
    dues = {one.id: one.duedate for one in gradebook.assignments.values() if one.duedate}
    one = SubmittedAssignment
    query = select(one.id, one.student_id, one.assignment_id, one.timestamp, one.extension).where(
        one.assignment_id.in_(dues), one.timestamp.is_not(None)
    )
    late = {}
    for row in gradebook.session.execute(query):
        due = dues[row.assignment_id] + (row.extension or timedelta())
        if row.timestamp > due:
            late[row.id] = (row.student_id, (row.timestamp - due).total_seconds())
    return late
