"""Can anything that a learner typed or printed run in the instructor's browser?

The same hand-in is shown by the real Formgrader and by nbgrader's own feedback, in a class as we
make it and in one without our settings: there it runs, so the test can fail.
"""

from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
from attnkit.handin import ASSIGNMENT
from chromium import needs_chromium, opened, served
from nbgrader.api import Gradebook

from grader import misconceptions, nbgrader_api
from grader.grading import grade
from grader.grading.crew import Local
from grader.grading.store import Store
from grader.room import classroom, making, sample
from grader.room.classroom import Classroom
from grader.sandbox import walls

pytestmark = needs_chromium

LESSON = "05_causal_mask"
AWAY = "http://away.invalid"
# What each says is what it would show if it ran.
MARKUP = [
    "<script>alert('script')</script>",
    "<img src=x onerror=\"alert('img')\">",
    "<svg onload=\"alert('svg')\"></svg>",
    "<iframe srcdoc=\"<script>parent.alert('iframe')</script>\"></iframe>",
    "<details open ontoggle=\"alert('details')\"><summary>more</summary></details>",
]
STILL = [
    "<style>.panel { display: none }</style>",
    f'<form action="{AWAY}"><input name="password"></form>',
    f'<meta http-equiv="refresh" content="2; url={AWAY}/refresh">',
    f'<img src="{AWAY}/beacon.png">',
    f'<link rel="stylesheet" href="{AWAY}/sheet.css">',
]
LINKS = "<a href=\"javascript:alert('link')\">raw</a> [typed](javascript:alert('typed'))"
PRINTS = [
    "from IPython.display import HTML, Javascript, Image, Latex, Markdown, SVG, display",
    "display(HTML(\"<script>alert('html')</script>\"))",
    "display(HTML(\"<img src=x onerror=alert('html-img')>\"))",
    "display(Markdown(\"<img src=x onerror=alert('markdown')>\"))",
    "display(Javascript(\"alert('javascript')\"))",
    "display({'image/png': 'AAAA'}, raw=True, metadata={'image/png': {'width': "
    "\"1 onerror=alert('png')\"}})",
    "display({'image/svg+xml': \"<svg xmlns='http://www.w3.org/2000/svg' onload=alert('svg-out')>"
    '</svg>"}, raw=True)',
    "display(Latex(\"<img src=x onerror=alert('latex')>\"))",
    "print('\\x1b[31m<img src=x onerror=alert(\"ansi\")>\\x1b[0m')",
    "display(HTML(\"<img src=x onerror=alert('isolated')>\"), metadata={'isolated': True})",
    "raise type('E', (Exception,), {})('<img src=x onerror=alert(\"error\")>')",
]


def new_class(root: Path, *, ours: bool) -> Classroom:
    made = classroom.new(root)
    if not ours:
        config = root / "nbgrader_config.py"
        others, comment, _ = config.read_text("utf-8").partition("# Nothing that a learner")
        assert comment
        config.write_text(others, "utf-8")
    return made


def hand_in(made: Classroom) -> None:
    lesson = made.release()[LESSON]
    typed = nbformat.v4.new_markdown_cell("\n\n".join([*MARKUP, *STILL, LINKS]))
    attached = nbformat.v4.new_markdown_cell("![attached](attachment:x.svg)")
    attached.attachments = {"x.svg": {"image/svg+xml": "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"}}
    raw = nbformat.v4.new_raw_cell("<script>alert('raw')</script>")
    raw.metadata = {"raw_mimetype": "text/html", "tags": ["\"><script>alert('tag')</script>"]}
    printed = [nbformat.v4.new_code_cell(line) for line in PRINTS]
    lesson.cells += [typed, attached, raw, *printed]
    folder = made.submitted / "eve" / ASSIGNMENT
    folder.mkdir(parents=True)
    nbformat.write(lesson, folder / f"{LESSON}.ipynb")


def graded_by_us(made: Classroom, student: str) -> None:
    folder = made.submitted / student / ASSIGNMENT
    folder.mkdir(parents=True)
    wrong = misconceptions.source(misconceptions.every()["mask_inverted"])
    lesson = sample.filled(made.release()[LESSON], {"causal_mask": wrong})
    nbformat.write(lesson, folder / f"{LESSON}.ipynb")
    with Local(1) as crew:
        list(grade.grade(made, grade.plan(made, student), crew, walls.NONE))


class Shown(NamedTuple):
    """A class in which nbgrader itself graded eve's hand-in and wrote feedback, and we ada's."""

    room: Classroom
    ours: bool
    address: str


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(True, id="ours"),
        pytest.param(False, id="plain", marks=pytest.mark.slow),
    ],
)
def shown(request, tmp_path_factory):
    lesson = next(one for one in making.read_lessons() if one.name == LESSON)
    root = tmp_path_factory.mktemp("formgrader") / "room"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "read_lessons", lambda: [lesson])
        made = new_class(root, ours=request.param)
    hand_in(made)
    graded_by_us(made, "ada")
    api = nbgrader_api._api(root)
    for step in (api.autograde, api.generate_feedback):
        done = step(ASSIGNMENT, "eve")
        assert done["success"], done
    with served("jupyter_server", root, root.parent) as address:
        yield Shown(made, request.param, address)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from playwright.sync_api import sync_playwright

    profile = tmp_path_factory.mktemp("profile")
    with sync_playwright() as playwright, opened(playwright, profile) as found:
        found.set_extra_http_headers({"Authorization": "token test"})
        yield found


class Seen(NamedTuple):
    """What a page did: what ran, what it asked of other machines, where it ended."""

    page: Any
    ran: list[str]
    away: list[str]


def visit(browser, address: str) -> Seen:
    """Open a page, let it settle, and click on every link of the learner's."""
    seen = Seen(browser.new_page(), [], [])

    def answer(route):
        url = route.request.url
        if url.startswith(AWAY):
            seen.away.append(url.removeprefix(AWAY))
        ours = url.startswith(("http://127.0.0.1", "file:", "data:", "about:"))
        route.continue_() if ours else route.abort()

    def note(dialog):
        seen.ran.append(dialog.message)
        dialog.dismiss()

    seen.page.on("dialog", note)
    seen.page.route("**", answer)
    seen.page.goto(address)
    seen.page.wait_for_load_state("networkidle")
    seen.page.wait_for_timeout(500)
    links = "document.querySelectorAll('#notebook a[href^=javascript]')"
    seen.page.evaluate(f"{links}.forEach(link => link.click())")
    seen.page.wait_for_timeout(2500)
    return seen


def book(shown: Shown) -> Gradebook:
    return Gradebook(nbgrader_api.course_directory(shown.room.root).db_url)


def submission(shown: Shown, student: str = "eve") -> str:
    with book(shown) as found:
        one = found.find_submission_notebook(LESSON, ASSIGNMENT, student)
        return f"{shown.address}/formgrader/submissions/{one.id}/"


def feedback(shown: Shown) -> str:
    return (shown.room.root / "feedback" / "eve" / ASSIGNMENT / f"{LESSON}.html").as_uri()


@pytest.mark.parametrize("where", [submission, feedback])
def test_nothing_that_a_learner_typed_or_printed_runs(shown, browser, where):
    seen = visit(browser, where(shown))
    text = seen.page.inner_text("body") if shown.ours else ""
    if shown.ours:
        assert (seen.ran, seen.away) == ([], [])
        assert "causal_mask_shape" in text and "alert('script')" in text
        for harmful in ("form", "meta[http-equiv=refresh]", "#notebook style", "#notebook iframe"):
            assert seen.page.query_selector(harmful) is None
    else:
        ran = {"script", "img", "iframe", "svg", "details", "link", "typed", "html", "png"}
        assert ran <= set(seen.ran), seen.ran
        assert {"/beacon.png", "/refresh"} <= set(seen.away)
    seen.page.close()


def test_feedback_of_nbgrader_shows_no_hidden_test(shown):
    page = Path(shown.room.root / "feedback" / "eve" / ASSIGNMENT / f"{LESSON}.html").read_text()
    hidden = ("HIDDEN TESTS", "grader.checks", "Traceback (most recent call")
    assert [one in page for one in hidden] == [not shown.ours] * len(hidden)
    assert "NotImplementedError" in page and "causal_mask_shape" in page


@pytest.mark.parametrize("shown", [True], ids=["ours"], indirect=True)
def test_formgrader_lists_what_we_graded_and_takes_marks(shown, browser):
    page = browser.new_page()
    page.goto(f"{shown.address}/formgrader/manage_submissions/{ASSIGNMENT}")
    row = page.wait_for_selector("tr:has-text('ada')", timeout=30_000).inner_text()
    verdicts = Store(shown.room.private / "results").result("ada")["lessons"][LESSON]
    assert f"{verdicts['score']} / {verdicts['max']}" in row and "graded" in row
    page.goto(submission(shown, "ada"))
    page.wait_for_load_state("networkidle")
    for name, cell in verdicts["cells"].items():
        # Formgrader shows our points as the `placeholder` of the field for a mark by hand.
        page.wait_for_function(
            "([id, points]) => document.getElementById(id).placeholder == points",
            arg=[name, f"{cell['points']:g}"],
        )
        assert not cell["message"] or cell["message"] in page.inner_text("body")
    page.fill("#causal_mask_future", "1.5")
    page.fill("#causal_mask-comment", "Which side is the future?")
    page.press("#causal_mask-comment", "Tab")
    page.wait_for_timeout(1500)
    with book(shown) as found:
        mark = found.find_grade("causal_mask_future", LESSON, ASSIGNMENT, "ada")
        remark = found.find_comment("causal_mask", LESSON, ASSIGNMENT, "ada")
        assert (mark.manual_score, remark.comment) == (1.5, "Which side is the future?")
    page.close()
