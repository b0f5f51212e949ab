"""Where the numbers that a hidden check sends come from."""

from __future__ import annotations

import hmac
import json

from grader.judging.verdict import Lesson


def seed_of(lesson: Lesson, secret: str) -> str:
    """Return the seed of a lesson's hidden inputs: a hash, keyed with the class's secret.

    It covers all text that is run, so the same text meets the same numbers wherever and whenever
    it is judged, a changed one meets others, and no lesson's numbers depend on another lesson.
    The learner's process is never told it.
    """
    text = json.dumps([lesson.name, [cell.source for cell in lesson.cells]])
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()
