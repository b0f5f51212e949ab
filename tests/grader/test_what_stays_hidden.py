"""Can a learner who hands in again and again, and reads each page, answer by a table?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_class import LESSON, hand_in, small_class

from grader import checks
from grader.checks.softmax import row_by_row
from grader.grading import grade
from grader.grading.crew import Local
from grader.judging.inputs import seed_of
from grader.judging.judge import Cell, Lesson, judge_learner
from grader.judging.replay import replay
from grader.reporting import feedback, report
from grader.sandbox.walls import NONE, Limits
from solutions import cost

LIMITS = Limits(lesson=20.0, call=2.0)
HEAD = "import numpy as np\nfrom attnkit import Value\n"
MODULES = {"03_softmax": "grader.checks.softmax", "08_cost": "grader.checks.cost"}

# How a learner's code can try to say what it was asked.
TELLS = {
    "the text of an error": "raise ValueError('@' + key)",
    "the name of an error": "raise type('@' + key[:60], (Exception,), {})()",
    "another error under a built-in name": (
        "raise type('ValueError', (Exception,), {'__str__': lambda self: '@' + key})()"
    ),
    "an error about an error": (
        "try: 1 / 0\n    except ZeroDivisionError: raise KeyError('@' + key)"
    ),
    "a note beside an error": "e = ValueError(); e.add_note('@' + key); raise e",
    "the name of a type": "return type('@' + key[:60], (), {})()",
    "text for a result": "return '@' + key",
    "texts for a result": "return ('@' + key, '@' + key)",
}


def lesson(name: str, table: dict[str, Any], tell: str) -> Lesson:
    """A lesson whose pieces answer from a table, and tell of what is not in it."""
    asked = [one for one in checks.names() if checks.find(one).function.__module__ == MODULES[name]]
    text = f"{HEAD}TABLE = {table!r}\n"
    for piece in sorted({checks.find(one).exercise for one in asked}):
        text += (
            f"def {piece}(*given):\n"
            "    key = ' '.join(one.data.tobytes().hex() if isinstance(one, Value) else str(one)\n"
            "                   for one in given)\n"
            f"    if ('{piece}', key) in TABLE:\n"
            f"        answer = TABLE['{piece}', key]\n"
            "        return Value(answer) if isinstance(given[0], Value) else answer\n"
            f"    {tell}\n"
        )
    return Lesson(name, [Cell("cell", text)], asked)


def verdicts(asked: Lesson, listen: Any = lambda _, __, piece: piece) -> dict[str, Any]:
    return judge_learner([asked], "secret", NONE, LIMITS, listen)[asked.name].verdicts


@pytest.mark.parametrize("tell", TELLS)
@pytest.mark.parametrize("name", MODULES)
def test_no_message_holds_what_a_learners_code_wrote(name, tell):
    found = verdicts(lesson(name, {}, TELLS[tell]))
    assert {one.state for check, one in found.items() if "untouched" not in check} == {"failed"}
    assert not [one.message for one in found.values() if "@" in one.message]


def right(piece: str, given: tuple[Any, ...]) -> Any:
    return row_by_row(given[0]).tolist() if piece == "softmax" else getattr(cost, piece)(*given)


@pytest.mark.parametrize("name", MODULES)
def test_table_of_everything_that_was_ever_asked_earns_nothing(name):
    """Whoever heard all questions of all attempts meets other ones in the next."""
    table: dict[Any, Any] = {}
    for _ in range(6):
        heard: dict[Any, Any] = {}

        def listen(_: str, piece: str, target: Any, heard: Any = heard) -> Any:
            def asked(*given: Any, **options: Any) -> Any:
                key = " ".join(
                    one.tobytes().hex() if isinstance(one, np.ndarray) else str(one)
                    for one in given
                )
                heard[piece, key] = right(piece, given)
                return target(*given, **options)

            return asked

        found = verdicts(lesson(name, table, "raise ValueError"), listen)
        assert {one.state for one in found.values()} == {"failed"}
        table |= heard


def test_same_text_meets_the_same_numbers_and_a_changed_one_others():
    one = lesson("03_softmax", {}, "raise ValueError")
    other = one._replace(cells=[Cell("cell", one.cells[0].source + "\n# changed")])
    assert calls(one) == calls(one)
    assert calls(one) != calls(other)
    assert calls(one) != calls(one, "another secret")


def calls(asked: Lesson, secret: str = "secret") -> str:
    return replay(asked, secret, NONE, LIMITS).partition("\n\n")[2]


def test_numbers_of_a_lesson_do_not_depend_on_another_lesson():
    softmax, count = (lesson(name, {}, "raise ValueError") for name in MODULES)
    alone = judge_learner([count], "secret", NONE, LIMITS)["08_cost"].verdicts
    both = judge_learner([softmax, count], "secret", NONE, LIMITS)["08_cost"].verdicts
    assert alone == both


def test_seed_takes_any_text_and_tells_lessons_apart():
    cells = [Cell("a", "é \ud800 中"), Cell("b", "")]
    seeds = {
        seed_of(Lesson("03", cells, []), ""),
        seed_of(Lesson("04", cells, []), ""),
        seed_of(Lesson("03", cells[::-1], []), ""),
        seed_of(Lesson("03", cells, []), "secret"),
    }
    assert len(seeds) == 4


@pytest.fixture(scope="module")
def telling_class(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of one learner whose `causal_mask` writes what it was asked into an error."""
    made = small_class(tmp_path_factory.mktemp("class") / "room")
    text = "def causal_mask(seq_len):\n    raise ValueError('HEARD ' + '1' * seq_len)"
    hand_in(made, "student-001", {"causal_mask": text})
    with Local(1) as crew:
        list(grade.grade(made, grade.plan(made), crew, NONE))
    list(feedback.write(made))
    report.write(made)
    return made.root


def test_page_holds_the_name_of_the_error_and_the_instructor_sees_what_it_said(telling_class):
    page = next((telling_class / "feedback").rglob("feedback.html")).read_text()
    assert "`causal_mask` stopped with ValueError, given" in page
    assert "HEARD 1" not in page
    grades = json.loads((telling_class / "grades.json").read_text())
    cells = grades["students"]["student-001"]["lessons"][LESSON]["cells"]
    assert {one["said"][:17] for one in cells.values()} == {"ValueError: HEARD"}
    assert "ValueError: HEARD 1" in (telling_class / "report.html").read_text()


def test_verdicts_in_the_graded_notebook_hold_no_error_text(telling_class):
    """From it nbgrader can make pages of its own."""
    path = next((telling_class / "autograded").rglob(f"{LESSON}.ipynb"))
    cells = json.loads(path.read_text())["cells"]
    graded = [one for one in cells if one["metadata"].get("nbgrader", {}).get("grade")]
    outputs = json.dumps([cell["outputs"] for cell in graded])
    assert "stopped with ValueError" in outputs
    assert "HEARD" not in outputs


LOOKS_UP = """
from attnkit import answers

def fault_of_b():
    return next(n for n in range(1, 13) if not answers.remark("fault_of_b", n))

def shares_of_bob():
    from attnkit import examples
    return examples.WEIGHTS[2]
"""


def test_no_answer_can_be_looked_up_in_a_graded_run():
    names = ["fault_of_b_named", "shares_of_bob_exact"]
    found = verdicts(Lesson("01_by_hand", [Cell("cell", LOOKS_UP)], names))
    said = [found[name].said.partition(":")[0] for name in names]
    assert said == ["FileNotFoundError", "ImportError"]
    assert {one.state for one in found.values()} == {"failed"}
