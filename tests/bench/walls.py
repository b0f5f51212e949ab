"""What the walls cost: milliseconds a learner, bare and behind each wall that holds here.

Run `python tests/bench/walls.py`. Walls take turns in one run, so that a busy machine slows all.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2]))

from grader.judging.judge import Cell, Lesson, judge_learner
from grader.judging.probe import holes_in
from grader.sandbox.walls import BUBBLEWRAP, INNER, NONE, Wall
from tests.grader.hostile.arena import lesson
from tests.grader.hostile.honest import RIGHT

LESSONS, CELLS, ROUNDS = 9, 15, 7


def main() -> None:
    """Print one line for each wall."""
    learner = [_lesson(f"lesson-{number}") for number in range(LESSONS)]
    walls = [NONE, *(wall for wall in (INNER, BUBBLEWRAP) if not holes_in(wall))]
    rounds = [
        [(_seconds(learner[:1], w), _seconds(learner, w)) for w in walls] for _ in range(ROUNDS)
    ]
    print(f"{LESSONS} lessons of {CELLS} cells and 5 checks, median of {ROUNDS}")
    bare = median(one[0][1] for one in rounds)
    for i, wall in enumerate(walls):
        first = median(one[i][0] for one in rounds)
        whole = median(one[i][1] for one in rounds)
        more = (whole - first) / (LESSONS - 1)
        print(
            f"{wall.name:10}  one lesson {first * 1e3:4.0f} ms, each further {more * 1e3:4.1f} ms, "
            f"a learner {whole * 1e3:4.0f} ms, {whole / bare:.2f} times bare"
        )


def _lesson(name: str) -> Lesson:
    plain = lesson(name, RIGHT)
    more = [Cell(f"more-{i}", "print(softmax(Value(np.eye(3))).data)") for i in range(CELLS - 3)]
    return plain._replace(cells=[*plain.cells, *more])


def _seconds(lessons: list[Lesson], wall: Wall) -> float:
    began = perf_counter()
    results = judge_learner(lessons, "seed", wall)
    verdicts = [one for result in results.values() for one in result.verdicts.values()]
    assert all(one.state == "passed" for one in verdicts), verdicts
    return perf_counter() - began


if __name__ == "__main__":
    main()
