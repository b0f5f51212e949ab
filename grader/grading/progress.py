"""What `grade` tells while it works: a bar for a person, lines of JSON for a program."""

from __future__ import annotations

import json
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from grader.intake.plainfiles import readable

Result = dict[str, Any]


class Rate(ProgressColumn):
    """Learners a minute."""

    def render(self, task: Task) -> Text:
        """Return the rate of the last seconds."""
        return Text(f"{60 * task.speed:.0f}/min" if task.speed else "")


class Bar:
    """A progress bar on a terminal; above it a line for each learner who needs a person."""

    def __init__(self, console: Console, learners: int) -> None:
        self._progress = Progress(
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=console,
            speed_estimate_period=120,
        )
        self._task = self._progress.add_task("", total=learners)

    def __enter__(self) -> Bar:
        """Show the bar."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the bar as it stands."""
        self._progress.stop()

    def tell(self, student: str, result: Result, needs_a_person: bool) -> None:
        """Count one learner."""
        if needs_a_person:
            why = readable(f"{student}: {result['state']}: {'; '.join(result['asks'])}")
            self._progress.console.print(escape(why))
        self._progress.advance(self._task)


class Lines:
    """One JSON object a line, for each learner graded."""

    def __enter__(self) -> Lines:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left to do."""

    def tell(self, student: str, result: Result, needs_a_person: bool) -> None:
        """Write one learner's line."""
        told = {name: result[name] for name in ("state", "score", "max")}
        why = {"repairs": result["repairs"], "asks": result["asks"]} if needs_a_person else {}
        print(json.dumps({"student": student, **told, **why}), flush=True)
