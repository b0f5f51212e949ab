"""What a hand-in says of itself: the learner's own word, the learner's own clock."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from attnkit.handin import MANIFEST

from grader.collecting.archives import Entry
from grader.intake.plainfiles import Refused

TIMESTAMP = "timestamp.txt"


class Statement(NamedTuple):
    """Who and when (UTC), as far as a hand-in states it."""

    learner: str = ""
    when: datetime | None = None
    assignment: str = ""


def stated_in(found: Sequence[Entry]) -> Statement:
    """Return what the first readable statement in `found` says."""
    return next(iter(statements(found)), Statement())


def statements(found: Sequence[Entry]) -> list[Statement]:
    """Return what each readable statement in `found` says."""
    said = []
    for entry in found:
        if entry.name in (MANIFEST, TIMESTAMP):
            try:
                said.append(_statement(entry.name, entry.read()))
            except (Refused, ValueError, RecursionError):
                continue
    return said


def _statement(name: str, content: bytes) -> Statement:
    if name == TIMESTAMP:
        return Statement("", moment(content[:100].decode()))
    stated = json.loads(content[: 2**16])
    if not isinstance(stated, dict):
        return Statement()
    learner, when = stated.get("learner"), stated.get("time")
    who = unicodedata.normalize("NFC", learner).strip() if isinstance(learner, str) else ""
    made_for = stated.get("assignment")
    return Statement(
        who,
        moment(when) if isinstance(when, str) else None,
        made_for if isinstance(made_for, str) else "",
    )


def moment(text: str) -> datetime | None:
    """Return the time that `text` states in UTC, None where it states none."""
    try:
        when = datetime.fromisoformat(text.strip().removesuffix(" UTC"))
        return when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def is_to_come(when: datetime | None) -> bool:
    """Return whether a time that is stated lies ahead: then it is no time at all."""
    return when is not None and when > datetime.now(UTC)
