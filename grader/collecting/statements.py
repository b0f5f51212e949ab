"""What a hand-in says of itself: the learner's own word, the learner's own clock."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from attnkit.handin import MANIFEST, file_name

from grader.collecting.archives import Entry
from grader.intake.plainfiles import Refused

TIMESTAMP = "timestamp.txt"


class Statement(NamedTuple):
    """Who and when (UTC), as far as a hand-in states it."""

    learner: str = ""
    when: datetime | None = None


def stated_in(found: Sequence[Entry]) -> Statement:
    """Return what the first readable statement in `found` says."""
    for entry in found:
        if entry.name in (MANIFEST, TIMESTAMP):
            try:
                return _statement(entry.name, entry.read())
            except (Refused, ValueError, RecursionError):
                continue
    return Statement()


def _statement(name: str, content: bytes) -> Statement:
    if name == TIMESTAMP:
        return Statement("", moment(content[:100].decode()))
    stated = json.loads(content[: 2**16])
    if not isinstance(stated, dict):
        return Statement()
    learner, when = stated.get("learner"), stated.get("time")
    is_id = isinstance(learner, str) and _is_id(learner)
    return Statement(str(learner) if is_id else "", moment(when) if isinstance(when, str) else None)


def _is_id(learner: str) -> bool:
    try:
        return bool(file_name(learner))
    except ValueError:
        return False


def moment(text: str) -> datetime | None:
    """Return the time that `text` states in UTC, None where it states none or one to come."""
    try:
        when = datetime.fromisoformat(text.strip().removesuffix(" UTC"))
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return when if when < datetime.now(UTC) + timedelta(days=1) else None
