"""The judge, with checks of its own: verdicts, their places, replays, and what is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from standing import standing_wall

from grader import checks
from grader.checks import Check, CheckFailure
from grader.checks.interface import Piece, Plain
from grader.judging.judge import Cell, Lesson, LessonResult, judge_learner
from grader.judging.replay import replay
from grader.sandbox import walls
from grader.sandbox.walls import NONE, Limits, Wall

FIRST = Cell("first", "import numpy as np\nfrom attnkit import Linear, Value")
QUICK = Limits(lesson=6.0, cells=6.0, call=1.0)


def twice_values(twice: Piece, rng: np.random.Generator) -> None:
    x, upstream = rng.normal(size=(3, 2)), rng.normal(size=(3, 2))
    reply = twice(x, upstream=upstream)
    if not np.array_equal(reply.output, 2 * x):
        raise CheckFailure("not twice")
    if reply.grads[0] is None or not np.allclose(reply.grads[0], 2 * upstream):
        raise CheckFailure("no gradient")


def twice_plain(twice: Piece, rng: np.random.Generator) -> None:
    x = rng.normal(size=(2, 2))
    reply = twice(Plain(x))
    if reply.type_name != "ndarray" or not np.array_equal(reply.output, 2 * x):
        raise CheckFailure("not twice")


def scale_all(Scale: Piece, rng: np.random.Generator) -> None:
    x, W, upstream = rng.normal(size=(4, 2)), rng.normal(size=(2, 2)), rng.normal(size=(4, 2))
    forward = Scale(2, W=W)
    reply = forward(x, negative=True, upstream=upstream)
    if not np.allclose(reply.output, -x @ W):
        raise CheckFailure("not scaled")
    if not np.allclose(reply.grads[1], -x.T @ upstream):
        raise CheckFailure("no gradient of W")


def words_given(words: Piece, rng: np.random.Generator) -> None:
    if words().output != ("one", "other"):
        raise CheckFailure(f"given: {words().output}")


def grow_mutates(grow: Piece, rng: np.random.Generator) -> None:
    if not np.array_equal(grow(np.ones((1, 2))).arguments[0], [[5, 1]]):
        raise CheckFailure("the argument is as it was")


def ask_answer(ask: Piece, answer: Piece, rng: np.random.Generator) -> None:
    asked = ask().output
    if not np.array_equal(answer(Plain(asked)).output, asked > 2):
        raise CheckFailure("not answered")


OWN = (twice_values, twice_plain, scale_all, words_given, grow_mutates, ask_answer)


@pytest.fixture(autouse=True, scope="module")
def own_checks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for function in OWN:
            exercise, *others = list(function.__annotations__)[:-2]
            check = Check(function.__name__, exercise, "", function, tuple(others))
            patch.setitem(checks._registry(), function.__name__, check)
        yield


@pytest.fixture(params=["bare", "walled"], scope="module")
def wall(request: pytest.FixtureRequest) -> Wall:
    return NONE if request.param == "bare" else standing_wall()


def _lesson(text: str, *names: str, **known_good: str) -> Lesson:
    parts = enumerate(text.split("# %%\n"))
    cells = [
        Cell(part.strip(), "") if part.strip() in names else Cell(f"c{i}", part)
        for i, part in parts
    ]
    return Lesson("lesson", [FIRST, *cells], names, known_good)


def _judge(lesson: Lesson, wall: Wall = NONE) -> LessonResult:
    return judge_learner([lesson], "seed", wall, QUICK)["lesson"]


def _states(result: LessonResult) -> dict[str, str]:
    return {name: verdict.state for name, verdict in result.verdicts.items()}


RIGHT = {
    "twice_values": "def twice(x): return 2 * x",
    "twice_plain": "twice = lambda x: x + x",
    "scale_all": """
class Scale:
    def __init__(self, D): self.W = Linear(D, D)
    def forward(self, x, negative=False): return self.W(-x if negative else x)
""",
    "words_given": "def words(): return ['one', 'other']",
    "grow_mutates": "def grow(x):\n    x.data[0, 0] = 5\n    return x",
    "ask_answer": "def ask(): return np.arange(5.0)\ndef answer(x): return x > 2",
}


def test_right_pieces_pass(wall: Wall) -> None:
    lessons = [_lesson(text, name)._replace(name=name) for name, text in RIGHT.items()]
    results = judge_learner(lessons, "seed", wall, QUICK)
    assert {name: _states(result) for name, result in results.items()} == {
        name: {name: "passed"} for name in RIGHT
    }


@pytest.mark.parametrize("name", RIGHT)
def test_piece_gives_the_same_in_this_process(name: str) -> None:
    names: dict[str, object] = {}
    exec(f"{FIRST.source}\n{RIGHT[name]}", names)
    checks.run(name, *(names[one] for one in checks.find(name).exercises()))


STATES = {
    "def twice(x): return 3 * x": "failed",
    "def twice(x): return Value(2 * x.data)": "failed",
    "def twice(x): raise NotImplementedError": "not attempted",
    "def inner(x): raise NotImplementedError\ndef twice(x): return inner(x)": "not attempted",
    "": "not attempted",
    "def twice(x) return x": "failed",
    "twice = 3": "failed",
    "def twice(): pass": "failed",
    "def twice(x): return {}": "failed",
    "def twice(x): return None": "failed",
    "def twice(x): return twice(x)": "failed",
    "def twice(x): return np.zeros((2000, 2000))": "failed",
    "import os\ndef twice(x): os._exit(0)": "died",
    "import ctypes\ndef twice(x): ctypes.string_at(0)": "died",
    "def twice(x):\n    while True: pass": "timed out",
}


def test_state_of_a_verdict(wall: Wall) -> None:
    lessons = [_lesson(text, "twice_values")._replace(name=text) for text in STATES]
    results = judge_learner(lessons, "seed", wall, QUICK)
    assert {
        text: result.verdicts["twice_values"].state for text, result in results.items()
    } == STATES
    assert all(result.verdicts["twice_values"].message for result in results.values())


HALVES = {
    "def ask(): return np.ones(2)": ("not attempted", "No cell defines `answer`."),
    "def answer(x): return x > 2": ("not attempted", "No cell defines `ask`."),
    "def ask(): return np.ones(2)\ndef answer(x): raise NotImplementedError": (
        "not attempted", "`answer` is not written yet.",
    ),
    "def ask(): return 1 / 0\ndef answer(x): return x > 2": (
        "failed", "`ask` stopped with ZeroDivisionError.",
    ),
    "def ask(): return np.ones(2)\ndef answer(x): return {}": ("failed", "not answered"),
}  # fmt: skip


@pytest.mark.parametrize("text", HALVES)
def test_verdict_on_two_pieces_names_the_one_that_stopped(text: str) -> None:
    verdict = _judge(_lesson(text, "ask_answer")).verdicts["ask_answer"]
    assert (verdict.state, verdict.message) == HALVES[text]


def test_transcript_of_two_pieces_shows_both() -> None:
    text = replay(_lesson(RIGHT["ask_answer"], "ask_answer"), "a", NONE, QUICK)
    assert "    ask()\n" in text
    assert "    answer(Plain([0. 1. 2. 3. 4.]))\n" in text


def test_check_stands_at_its_place() -> None:
    text = "def twice(x): return 2 * x\n# %%\ntwice_values\n# %%\ntwice = None\n# %%\nprint(twice)"
    result = _judge(_lesson(text, "twice_values"))
    assert _states(result) == {"twice_values": "passed"}
    assert result.runs[-1].output == "None\n"


def test_check_without_a_place_comes_last() -> None:
    result = _judge(
        _lesson("def twice(x): return x\n# %%\ndef twice(x): return 2 * x", "twice_values")
    )
    assert _states(result) == {"twice_values": "passed"}


def test_broken_cells_and_checks_cost_only_themselves() -> None:
    text = (
        "import os; os._exit(1)\n# %%\ndef twice(x): return 2 * x\n"
        "def words(): os._exit(1)\nimport os\n# %%\nwhile True: pass"
    )
    result = _judge(_lesson(text, "words_given", "twice_values"))
    assert _states(result) == {"words_given": "died", "twice_values": "passed"}
    assert "it was left, as by os._exit" in result.verdicts["words_given"].message
    assert [run.ok for run in result.runs] == [True, False, True, False]


def test_replays_end() -> None:
    crash = "import ctypes; ctypes.string_at(0)\n"
    text = "# %%\n".join([crash] * (QUICK.replays + 1)) + "# %%\ndef twice(x): return 2 * x"
    result = _judge(_lesson(text, "twice_values"))
    assert _states(result) == {"twice_values": "died"}


def test_output_is_what_was_printed_up_to_a_limit() -> None:
    text = (
        "print('a')\nimport sys; print('b', file=sys.stderr)\n1 + 1\n# %%\nprint('x' * 1_000_000)"
    )
    runs = _judge(_lesson(text, "twice_values")).runs
    assert runs[1].output == "a\nb\n2\n"
    assert len(runs[2].output) == QUICK.output


def test_output_holds_no_control_characters() -> None:
    runs = _judge(_lesson(r"print('\x1b[31mred\x07 \u202e')", "twice_values")).runs
    assert runs[1].output == "�[31mred� �\n"


def test_known_good_versions_are_mine_in_their_lesson_only() -> None:
    text = "from attnkit.mine import double\ndef twice(x): return double(x)"
    given = _lesson(text, "twice_values", double="def double(x):\n    return 2 * x")
    results = judge_learner(
        [given._replace(name="with"), given._replace(name="without", known_good={})],
        "seed", NONE, QUICK,
    )  # fmt: skip
    assert _states(results["with"]) == {"twice_values": "passed"}
    assert _states(results["without"]) == {"twice_values": "failed"}


def test_lessons_that_are_given_known_good_pieces_come_last() -> None:
    given = _lesson("", "words_given", double="def double(x):\n    return 2 * x")
    begun: list[str] = []

    def listen(check: str, _: str, piece: Piece) -> Piece:
        begun.append(check)
        return piece

    lessons = [given._replace(name="with"), _lesson("", "twice_values")._replace(name="without")]
    results = judge_learner(lessons, "seed", NONE, QUICK, listen)
    assert begun == ["twice_values", "words_given"]
    assert list(results) == ["with", "without"]


def test_lesson_leaves_nothing_to_the_next(wall: Wall) -> None:
    leave = "open('left', 'w').write('x')\nimport builtins; builtins.left = 1\nnp.left = 1"
    find = "import os\ndef words(): return ['one', 'other'] if SEEN else ['nothing']\n"
    find += "SEEN = os.path.exists('left') or hasattr(np, 'left') or 'left' in dir(__builtins__)"
    lessons = [
        _lesson(leave, "words_given")._replace(name="a"),
        _lesson(find, "words_given")._replace(name="b"),
    ]
    result = judge_learner(lessons, "seed", wall, QUICK)["b"]
    assert _states(result) == {"words_given": "failed"}
    assert "nothing" in result.verdicts["words_given"].message


def test_lessons_run_without_a_fork_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "sys", SimpleNamespace(platform="another"))
    text = "import os; os._exit(1)\n# %%\n" + RIGHT["twice_values"]
    lessons = [_lesson(text, "twice_values")._replace(name=name) for name in "ab"]
    results = judge_learner(lessons, "seed", NONE, QUICK)
    assert [_states(result) for result in results.values()] == [{"twice_values": "passed"}] * 2


def test_unknown_check_is_a_fault_of_the_grader() -> None:
    result = _judge(_lesson(RIGHT["twice_values"], "twice_values", "no_such_check"))
    assert _states(result) == {"twice_values": "passed", "no_such_check": "infrastructure"}


def test_wall_that_cannot_be_built_is_a_fault_of_the_grader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("grader.sandbox.exposed.python", lambda: Path("/bin/false"))
    result = _judge(_lesson(RIGHT["twice_values"], "twice_values"))
    assert _states(result) == {"twice_values": "infrastructure"}
    assert result.fault


def test_same_seed_gives_the_same_transcript() -> None:
    lesson = _lesson(RIGHT["twice_values"], "twice_values")
    one, again, other = (replay(lesson, seed, NONE, QUICK) for seed in ("a", "a", "b"))
    assert one.splitlines()[1:] == again.splitlines()[1:]
    assert one.splitlines()[1:] != other.splitlines()[1:]
    assert "twice_values: passed" in one
    assert "gradient (3, 2)" in one


def test_nothing_is_left_when_the_judge_is_killed(wall: Wall, room: str) -> None:
    program = (
        "from grader.judging.judge import *; from grader.sandbox.walls import *; from grader.sandbox import exposed\n"
        "print(exposed.kit(), flush=True)\n"
        f"judge_learner([Lesson('l', [Cell('c', 'while True: pass')], ['x'])], '', {wall!r})"
    )
    judge = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": room},
    )  # fmt: skip
    assert judge.stdout is not None
    kit = judge.stdout.readline().strip()
    _wait_until(lambda: len(_serving(kit)) >= 2, seconds=20)
    os.kill(judge.pid, signal.SIGKILL)
    judge.wait()
    judge.stdout.close()
    _wait_until(lambda: not _serving(kit), seconds=5)


@pytest.fixture
def room() -> Iterator[str]:
    """Give a folder that others may enter: root's process becomes nobody."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield folder


def _serving(kit: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if kit.encode() in entry.read_bytes():
                found.append(entry.parent.name)
        except OSError:
            continue
    return found


def _wait_until(holds: object, seconds: float) -> None:
    assert callable(holds)
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
