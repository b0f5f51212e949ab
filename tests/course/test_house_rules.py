"""Does each lesson keep the rules that make it readable, and does a broken rule show?"""

import ast
import re

import pytest

from grader import notebook
from grader.authoring.build import ROOT, bad_outputs
from grader.authoring.lesson import Cell, Lesson, read_lessons

READ = read_lessons()
MOST_WORDS, MOST_STATEMENTS = 80, 15

every_lesson = pytest.mark.parametrize("lesson", READ, ids=[one.name for one in READ])


def solved(lesson: Lesson):
    return notebook.read(ROOT / "solutions" / f"{lesson.name}.ipynb")


def visible_words(prose: str) -> list[str]:
    """The words a reader meets on the way: folded parts, tables and formulas are not prose."""
    for hidden in (
        r"<details>.*?</details>",
        r"\$\$.*?\$\$",
        r"```.*?```",
        r"^\|.*$",
        r"^ {4}.*$",
        r"^#.*$",
    ):
        prose = re.sub(
            hidden, " ", prose, flags=re.S if "." in hidden and "^" not in hidden else re.M
        )
    return re.findall(r"[\w·'’\-\[\]./^=]+", prose)


def prose_stretches(cells: tuple[Cell, ...]) -> list[str]:
    """The prose between one code cell and the next."""
    stretches = [""]
    for cell in cells:
        if cell.kind == "prose":
            stretches[-1] += f"\n\n{cell.source}"
        elif stretches[-1]:
            stretches.append("")
    return stretches


@every_lesson
def test_prose_between_code_cells_is_short(lesson):
    long = {
        words: len(words) for words in map(tuple, map(visible_words, prose_stretches(lesson.cells)))
    }
    assert not {" ".join(words[:8]): n for words, n in long.items() if n > MOST_WORDS * 1.25}


@every_lesson
def test_code_cells_are_small(lesson):
    for cell in lesson.cells:
        if cell.kind == "code":
            statements = [
                node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.stmt)
            ]
            assert len(statements) <= MOST_STATEMENTS, cell.source


BANNED = r"!(?!\[)|[\U0001F300-\U0001FAFF]|\b(simply|obviously|powerful|amazing|awesome|of course|easily)\b"


def banned(prose: str) -> list[str]:
    return [
        found[0]
        for found in re.finditer(BANNED, re.sub(r"`[^`]*`|\$\$.*?\$\$|\$.*?\$|!=", "", prose), re.I)
    ]


@every_lesson
def test_prose_has_no_filler(lesson):
    assert not [
        found for cell in lesson.cells if cell.kind == "prose" for found in banned(cell.source)
    ]


def test_filler_shows():
    assert banned("This is simply great!") == ["simply", "!"]


@every_lesson
def test_cells_end_without_semicolons_and_bare_values(lesson):
    for cell in lesson.cells:
        if cell.kind == "code":
            assert not re.search(r";\s*$", cell.source, re.M), cell.source
            for last in ast.parse(cell.source).body[-1:]:  # a cell of comments has no statement
                assert not isinstance(last, ast.Expr) or isinstance(last.value, ast.Call), (
                    cell.source
                )


@every_lesson
def test_picture_cells_bind_nothing(lesson):
    for cell in lesson.cells:
        if "picture" in cell.tags:
            assert pictures_only(cell.source), cell.source


def pictures_only(source: str) -> bool:
    """A picture cell is one call of plot.show: it binds no name and changes nothing."""
    body = ast.parse(source).body
    stores = [
        n for n in ast.walk(ast.parse(source)) if isinstance(getattr(n, "ctx", None), ast.Store)
    ]
    inner = [
        n
        for c in ast.walk(ast.parse(source))
        if isinstance(c, ast.comprehension)
        for n in ast.walk(c.target)
    ]
    return (
        len(body) == 1
        and ast.unparse(body[0]).startswith("plot.show(")
        and not {ast.dump(n) for n in stores} - {ast.dump(n) for n in inner}
        and not any(isinstance(n, ast.NamedExpr) for n in ast.walk(body[0]))
    )


def test_picture_cell_that_binds_shows():
    assert pictures_only("plot.show(plot.heatmap([w for w in a]), 'x')")
    assert not pictures_only("ax = plot.heatmap(a)\nplot.show(ax, 'x')")
    assert not pictures_only("plot.show(plot.heatmap(b := a), 'x')")


def names(source: str, context: type) -> set[str]:
    found = ast.walk(ast.parse(source))
    return {one.id for one in found if isinstance(one, ast.Name) and isinstance(one.ctx, context)}


def clock_leaks(cells: list[Cell]) -> set[str]:
    """The names that only timing cells bind and that a cell reads which a verdict may run."""
    timed = [cell.source for cell in cells if "timing" in cell.tags]
    others = [cell for cell in cells if cell.kind == "code" and "timing" not in cell.tags]
    read = [names(cell.source, ast.Load) for cell in others if "picture" not in cell.tags]
    bound = [names(source, ast.Store) for source in timed]
    elsewhere = [names(cell.source, ast.Store) for cell in others]
    return (set().union(*bound) - set().union(*elsewhere)) & set().union(*read)


@every_lesson
def test_what_a_clock_gave_is_only_shown(lesson):
    """Cells that read the clock are not run for a verdict."""
    assert clock_leaks(list(lesson.cells)) == set()


def test_a_clock_that_is_leaned_on_shows():
    timed = Cell("code", "took = clock()", 1, tags=("timing",))
    shown = Cell("code", "plot.show(took)", 2, tags=("picture",))
    assert clock_leaks([timed, shown]) == set()
    assert clock_leaks([timed, Cell("code", "print(took)", 2)]) == {"took"}


NUMBER = re.compile(r"(?<![\w.^_{\[(])-?\d+(?:\.\d+)?(?:/\d+)?(?![\w%]*\])")
NOT_CLAIMS = (
    r"\b[Ll]essons? \d\d(?:(?:,| and| to) \d\d)*", r"\d+ (?:minutes?|points?)\b", r"^# .*$", r"^\d+\. ",
    r"\$\$.*?\$\$", r"`[^`]*`", r"\b[Hh]int \d", r"\d\d_\w+", r"[A-Z]\w*\[[^\]]*\]", r"\(\d{4}\)", r"Rung \d",
)  # fmt: skip


def unsupported_numbers(prose: str, evidence: str) -> list[str]:
    """Return the numbers in `prose` that occur nowhere in code, output or formula."""
    for pattern in NOT_CLAIMS:
        prose = re.sub(pattern, " ", prose, flags=re.M | re.S if "$" in pattern[:2] else re.M)
    known = set(re.findall(r"\d+(?:\.\d+)?(?:/\d+)?", evidence))
    known |= {part for one in known for part in one.split("/")}
    plain = {f"{float(one):g}" for one in known if "/" not in one}
    return [
        n for n in NUMBER.findall(prose)
        if (bare := n.lstrip("-")) not in known and ("/" in bare or f"{float(bare):g}" not in plain)
    ]  # fmt: skip


@every_lesson
def test_every_number_in_prose_occurs_in_code_or_output(lesson):
    cells = solved(lesson).cells
    evidence = [cell.source for cell in cells if cell.cell_type == "code"]
    for cell in cells:
        for one in cell.get("outputs", []):
            evidence.append(one.get("text", ""))
            evidence.append(re.sub(r"base64,[^\"]*", "", one.get("data", {}).get("text/html", "")))
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    formulas = re.findall(r"\$\$.*?\$\$|`[^`]*`", prose, re.S)
    assert not unsupported_numbers(prose, "\n".join(evidence + formulas))


def test_unsupported_number_shows():
    assert unsupported_numbers("It is 0.73, not 5/7.", "0.73 5 7") == ["5/7"]
    assert unsupported_numbers("It takes 40 minutes in lesson 03.", "") == []


@every_lesson
def test_solved_notebook_has_no_bad_output(lesson):
    assert bad_outputs(solved(lesson)) == []


@every_lesson
def test_nothing_is_fetched_from_elsewhere(lesson):
    for cell in lesson.cells:
        assert not re.search(r"!\[[^\]]*\]\(|<img|<script|<iframe|requests|urllib", cell.source), (
            cell.source
        )


def test_every_exercise_and_check_is_in_a_lesson():
    from grader import checks
    from grader.authoring import exercises

    named = {cell.name for lesson in READ for cell in lesson.cells if cell.name}
    assert set(checks.names()) <= named
    assert set(exercises.names()) <= named
