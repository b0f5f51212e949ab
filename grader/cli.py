"""The command line: `python -m grader …`, each command a few lines over one module."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.authoring import build as building
from grader.authoring.lesson import LessonError
from grader.collecting import collect
from grader.grading import crew, grade, progress, proof
from grader.intake.plainfiles import readable
from grader.nbgrader_api import NbgraderError
from grader.reporting import feedback, report
from grader.room import classroom, learners, lock, sample, settings

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__, rich_markup_mode=None)
console = Console(soft_wrap=True, highlight=False, emoji=False)
errors = Console(soft_wrap=True, highlight=False, emoji=False, stderr=True)


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


OUR_ERRORS = (
    LessonError,
    building.BuildError,
    classroom.ClassError,
    collect.CollectError,
    crew.CrewError,
    lock.InUseError,
    proof.ProofError,
    settings.SettingsError,
    NbgraderError,
    StoppedError,
)

ClassDir = Annotated[
    Path, typer.Argument(help="A class folder.", metavar="CLASS_DIR", show_default=False)
]


@app.command()
def new(
    class_dir: ClassDir,
    settings_file: Annotated[
        Path | None,
        typer.Option(
            "--settings",
            exists=True,
            dir_okay=False,
            help="A class.toml to start from: points, drop, assignments.",
        ),
    ] = None,
) -> None:
    """Make a standard nbgrader course folder with this course in it."""
    made = classroom.new(class_dir, settings_file)
    console.print(f"{made.root}: {len(made.home())} lessons released; collect into submitted/")


@app.command("sample")
def make_sample(
    class_dir: ClassDir,
    students: Annotated[int, typer.Option(min=1, help="How many learners.")] = 12,
) -> None:
    """Make a class of make-believe learners: right, wrong, untouched, damaged."""
    made = classroom.opened(class_dir) if class_dir.exists() else classroom.new(class_dir)
    for student, kind in sample.enrol(made, students):
        console.print(f"{student}  {kind}")


@app.command("collect")
def collect_archive(
    class_dir: ClassDir,
    archive: Annotated[
        Path, typer.Argument(help="A zip, or a folder: of zips, or with a folder a learner.")
    ],
    assignment: Annotated[
        str | None,
        typer.Option(help="Take lessons of this assignment only; default: of all."),
    ] = None,
) -> None:
    """Take in hand-in zips, plain folders, or what an LMS exports.

    Exit code: 0 everything is in its place, 1 a person is needed, 2 it could not work.
    """
    with lock.hold(classroom.opened(class_dir), "collect"):
        outcomes = collect.collect(class_dir, archive, assignment)
    for line in collect.told(outcomes):
        console.out(line, highlight=False)
    raise typer.Exit(1 if any(one.state == "not placed" for one in outcomes) else 0)


@app.command("grade")
def grade_class(
    class_dir: ClassDir,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes of this machine; default: cores.")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Scheduler of a Dask cluster that does the work."),
    ] = None,
    student: Annotated[str | None, typer.Option(help="Only this learner.")] = None,
    regrade: Annotated[bool, typer.Option(help="Grade what is current, too.")] = False,
    replayed: Annotated[
        str | None,
        typer.Option("--replay", help="Show how this verdict came about."),
    ] = None,
    i_trust_this_code: Annotated[
        bool, typer.Option(help="Go on where no wall holds: the code runs with your rights.")
    ] = False,
) -> None:
    """Grade what is new or changed, and write grades.json, grades.csv and report.html.

    It may be stopped or killed at any moment, and goes on where it was.

    On a terminal it shows a bar and a table. Elsewhere it prints one JSON object a line: student,
    state, score and max of each learner graded, with repairs and asks, the reasons, where a person
    is needed; the last line has verdicts, how many stand, and need_a_person, the ids. All other
    words go to stderr, a line of counts last.

    Exit code: 0 every learner has a verdict, 1 some need a person, 2 it could not work.
    """
    room = classroom.opened(class_dir)
    student, replayed = (one and learners.folder_of(room, one) for one in (student, replayed))
    if replayed:
        for transcript in grade.replays(room, proof.choose_wall(i_trust_this_code), replayed):
            console.print(escape(transcript))
        raise typer.Exit
    try:
        with lock.hold(room, "grade"):
            _grade(room, grade.plan(room, student, regrade), jobs, cluster, i_trust_this_code)
            found = report.grades(room)
            report.write(room, found)
    except KeyboardInterrupt as stop:
        again = f"`grader grade {class_dir}`"
        raise StoppedError(f"stopped; no verdict is lost: {again} goes on") from stop
    raise typer.Exit(_tell_at_the_end(found))


def _grade(
    room: classroom.Classroom,
    planned: grade.Plan,
    jobs: int | None,
    cluster: str | None,
    trusted: bool,
) -> None:
    many, ids = len(planned.due), learners.ids(room, room.students())
    errors.print(f"{many} to grade, {planned.current} current")
    show = progress.Bar(console, many) if console.is_terminal else progress.Lines()
    with crew.Cluster(cluster) if cluster else crew.Local(jobs) as workers:
        wall = grade.find_wall(planned, workers, trusted) if many else None
        if wall:
            errors.print(f"Wall: {wall.name}. {wall.explain}")
        with show, closing(grade.grade(room, planned, workers, wall, trusted)) as results:
            for name, result in results:
                show.tell(ids[name], result, bool(result["asks"]))


def _tell_at_the_end(found: report.Grades) -> int:
    """Print what the class came to, and a line of counts; return the exit code."""
    errors.print(escape(report.summary(found)))
    if console.is_terminal:
        console.print(_table(found))
    else:
        people = report.need_a_person(found)
        print(json.dumps({"verdicts": len(found["students"]), "need_a_person": people}))
    return 1 if report.need_a_person(found) else 0


@app.command("report")
def write_report(class_dir: ClassDir) -> None:
    """Write grades.csv, grades.json, report.html and, for Moodle, a grading worksheet.

    They hold the verdicts that stand, with the scores that a person gave in Formgrader. A line of
    counts goes to stderr: how many are graded, how many need a person, and why.
    """
    room = classroom.opened(class_dir)
    with lock.hold(room, "report"):
        found = report.grades(room)
        for path in report.write(room, found):
            console.print(str(path))
    errors.print(escape(report.summary(found)))


@app.command("feedback")
def write_feedback(class_dir: ClassDir) -> None:
    """Write a page a learner into feedback/, without hidden checks; for Moodle, a zip of all."""
    room = classroom.opened(class_dir)
    with lock.hold(room, "feedback"):
        paths = list(feedback.write(room))
    console.print(f"{sum(path.suffix == '.html' for path in paths)} pages in {room.root}/feedback")
    for path in paths:
        if path.suffix == ".zip":
            console.print(str(path))


@app.command()
def build(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail on a stale file.")
    ] = False,
) -> None:
    """Turn the lessons into notebooks (for maintainers)."""
    count = 0
    for count, line in enumerate(building.stale() if check else building.build(), start=1):  # noqa: B007
        console.print(line)
    console.print(f"{count} files are stale" if check else f"{count} files written")
    raise typer.Exit(1 if check and count else 0)


def _table(found: report.Grades) -> Table:
    lessons = sorted({name for one in found["students"].values() for name in one["lessons"]})
    table = Table("learner", "state", *[name[:2] for name in lessons], "score", box=None)
    for student, one in found["students"].items():
        scores = [_score(one["lessons"].get(name, {}).get("score")) for name in lessons]
        table.add_row(
            escape(readable(student)),
            one["state"],
            *scores,
            f"{_score(one['score'])}/{one['max']:g}",
        )
    return table


def _score(points: float | None) -> str:
    return "–" if points is None else f"{points:g}"


def main() -> None:
    """Run the command line; what could not work is one line on stderr and exit code 2."""
    _speak_utf_8()
    try:
        app()
    except BrokenPipeError as error:  # nobody reads on; Python would complain once more at its end
        sys.stdout = None
        raise SystemExit(2) from error
    except OSError as error:
        _stop(f"{error}; mend this and give the same command again: no verdict is lost", error)
    except OUR_ERRORS as error:
        _stop(str(error), error)
    except Exception as error:  # a fault of ours, to be reported as it is
        errors.print_exception()
        raise SystemExit(2) from error


def _speak_utf_8() -> None:
    """Start again where the locale's encoding cannot name every learner, as with LC_ALL=C."""
    is_asked = os.environ.get("PYTHONUTF8") == "1"  # nobody starts again and again
    if sys.getfilesystemencoding() != "utf-8" and not is_asked:
        again = [sys.executable, "-X", "utf8", *sys.orig_argv[1:]]
        os.execve(sys.executable, again, os.environ | {"PYTHONUTF8": "1"})
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop(why: str, error: Exception) -> NoReturn:
    lines = "\n".join(map(readable, why.split("\n")))
    errors.print(f"[red]{escape(lines)}[/red]")
    raise SystemExit(2) from error
