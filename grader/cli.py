"""The command line: `python -m grader …`, each command a few lines over one module."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from grader import build as building
from grader.lesson import LessonError

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
console = Console()

ClassDir = Annotated[Path, typer.Argument(help="A class folder made by `grader new`.")]


@app.command()
def build(
    check: Annotated[bool, typer.Option(help="Write nothing; fail on a stale file.")] = False,
) -> None:
    """Turn the lessons into notebooks (for maintainers)."""
    lines = building.stale() if check else building.build()
    count = 0
    for count, line in enumerate(lines, start=1):  # noqa: B007
        console.print(line)
    if check and count:
        raise typer.Exit(1)
    console.print("all generated files are current" if not count else "")


def main() -> None:
    """Run the command line; a mistake of the user's is one line and exit code 2."""
    try:
        app()
    except (LessonError, building.BuildError) as error:
        console.print(f"[red]{error}[/red]", soft_wrap=True)
        raise SystemExit(2) from error
