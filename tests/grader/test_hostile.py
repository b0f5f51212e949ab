"""Hostile hand-ins earn nothing and harm nothing; honest ones beside them keep every point."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest
from standing import standing_wall

from grader import checks
from grader.checks import CheckFailure
from grader.judging.judge import LessonResult, judge_learner
from grader.sandbox.walls import Limits, Wall
from tests.grader.hostile.arena import CHECKS, Arena, arena, lesson
from tests.grader.hostile.bombs import BOMBS
from tests.grader.hostile.forging import FORGING, WRONG
from tests.grader.hostile.harm import HURTING, MARKING
from tests.grader.hostile.honest import HONEST, RIGHT
from tests.grader.hostile.pipes import PIPES

LIMITS = Limits(lesson=4.0, cells=4.0, call=1.0, memory=1 << 30)
HOSTILE = {**FORGING, **PIPES, **MARKING, **HURTING, **BOMBS}
SAMPLE = {
    "always equal", "transformer of input", "expected values looked up in frames",
    "length bomb", "two replies", "deep nesting", "drip by a timer",
    "gradebook rewritten", "loopback", "fork bomb", "daemon left behind", "reference imported",
    "many large files", "loop that ignores signals", "memory in a list", "crash",
    "files in a folder nobody may look into", "folder nobody may move",
    "reply left for the next lesson",
}  # fmt: skip
SAMPLE_HONEST = {
    "plain",
    "a cell that dies",
    "shell lines and magics",
    "pictures beside the answer",
}


def _slow_but(sample: set[str], names: dict[str, str]) -> list[object]:
    return [pytest.param(one, marks=() if one in sample else pytest.mark.slow) for one in names]


@pytest.fixture(scope="module")
def wall() -> Wall:
    return standing_wall()


@pytest.fixture
def place() -> Iterator[Arena]:
    with arena() as one:
        yield one


def _judged(name: str, text: str, wall: Wall, place: Arena) -> tuple[LessonResult, LessonResult]:
    """Return the result of a hand-in, and of an honest lesson after it in the same process."""
    lessons = [lesson(name, text, place.given()), lesson("next", RIGHT)]
    results = judge_learner(lessons, "seed", wall, LIMITS)
    return results[name], results["next"]


def _passed(result: LessonResult) -> set[str]:
    return {name for name, verdict in result.verdicts.items() if verdict.state == "passed"}


@pytest.mark.parametrize("name", _slow_but(SAMPLE, HOSTILE))
def test_hostile_handin_earns_and_harms_nothing(name: str, wall: Wall, place: Arena) -> None:
    result, following = _judged(name, HOSTILE[name], wall, place)
    assert _passed(result) == set()
    assert result.fault == ""
    assert place.harm() == []
    assert _passed(following) == {*CHECKS}
    assert all(run.ok for run in following.runs)
    assert result.seconds < LIMITS.lesson + LIMITS.start
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1_000_000  # KB


@pytest.mark.parametrize("name", _slow_but(SAMPLE_HONEST, HONEST))
def test_honest_handin_keeps_every_point(name: str, wall: Wall, place: Arena) -> None:
    result, following = _judged(name, HONEST[name], wall, place)
    assert {
        one: verdict for one, verdict in result.verdicts.items() if verdict.state != "passed"
    } == {}
    assert _passed(following) == {*CHECKS}
    assert place.harm() == []


def test_wrong_answer_without_an_attack_deserves_nothing() -> None:
    names: dict[str, object] = {}
    exec(f"import numpy as np\nfrom attnkit import Value\n{WRONG}", names)
    for check in CHECKS:
        with pytest.raises(CheckFailure):
            checks.run(check, names["softmax"])


def test_corpus_has_its_sixty() -> None:
    assert len(HOSTILE) + len(HONEST) >= 60
    assert len(HOSTILE) == sum(map(len, (FORGING, PIPES, MARKING, HURTING, BOMBS)))
