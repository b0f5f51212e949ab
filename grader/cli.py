"""The command line: `python -m grader …`, each command a few lines over one module."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from grader import classroom, grade, report, sample
from grader.authoring import build as building
from grader.authoring.lesson import LessonError
from grader.collecting import collect
from grader.nbgrader_api import NbgraderError

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__, rich_markup_mode=None)
console = Console(soft_wrap=True, highlight=False)
OUR_ERRORS = (
    LessonError,
    building.BuildError,
    classroom.ClassError,
    collect.CollectError,
    grade.SelfTestError,
    grade.NoWallError,
    NbgraderError,
)

ClassDir = Annotated[Path, typer.Argument(help="A class folder.", show_default=False)]


@app.command()
def new(class_dir: ClassDir) -> None:
    """Make a standard nbgrader course folder with this course in it."""
    made = classroom.new(class_dir)
    console.print(f"{made.root}: {len(made.release())} lessons released; collect into submitted/")


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
def collect_archive(class_dir: ClassDir, archive: Path) -> None:
    """Take in hand-in zips, plain folders, or what an LMS exports."""
    for line in collect.collect(class_dir, archive):
        console.print(escape(str(line)))


@app.command("grade")
def grade_class(
    class_dir: ClassDir,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; default: cores.")] = None,
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
    """Grade what is new or changed, and write grades.json, grades.csv and report.html."""
    room = classroom.opened(class_dir)
    wall = grade.choose_wall(trusted=i_trust_this_code)
    console.print(f"Wall: {wall.name}. {wall.explain}")
    if replayed:
        for transcript in grade.replays(room, wall, replayed):
            console.print(escape(transcript))
        raise typer.Exit
    planned = grade.plan(room, student, regrade)
    if planned.tasks:
        grade.self_test(room, wall)
    with _bar() as bar:
        for name, result in bar.track(
            grade.grade(room, wall, planned, lambda: grade.local(jobs)),
            total=len(planned.tasks),
            description="grading",
        ):
            if result["state"] in grade.NEED_A_PERSON:
                why = "; ".join(result["repairs"])
                bar.console.print(escape(f"{name}: {result['state']}: {why}"))
    found = report.grades(room)
    report.write(room)
    if console.is_terminal or len(found["students"]) <= 30:
        console.print(_table(found))
    console.print(f"{len(planned.tasks)} graded, {planned.current} were current")
    raise typer.Exit(1 if report.needs_a_person(found) else 0)


@app.command("report")
def write_report(class_dir: ClassDir) -> None:
    """Write grades.csv, grades.json and report.html from the verdicts that stand."""
    for path in report.write(classroom.opened(class_dir)):
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


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )


def _table(found: report.Grades) -> Table:
    lessons = sorted({name for one in found["students"].values() for name in one["lessons"]})
    table = Table("learner", "state", *[name[:2] for name in lessons], "score", box=None)
    for student, one in found["students"].items():
        scores = [_score(one["lessons"].get(name, {}).get("score")) for name in lessons]
        table.add_row(
            escape(student), one["state"], *scores, f"{_score(one['score'])}/{one['max']:g}"
        )
    return table


def _score(points: float | None) -> str:
    return "–" if points is None else f"{points:g}"


def main() -> None:
    """Run the command line; a mistake of the user's is one line and exit code 2."""
    with contextlib.suppress(BrokenPipeError):
        try:
            app()
        except OUR_ERRORS as error:
            console.print(f"[red]{escape(str(error))}[/red]")
            raise SystemExit(2) from error
