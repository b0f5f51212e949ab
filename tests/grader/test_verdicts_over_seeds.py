"""Do verdicts of lessons 01, 02, 08 and 09 hang on the answer alone, never on what is drawn?"""

import copy

import learners_checks
import learners_checks_again
import numpy as np
import pytest
import test_checks_by_hand as by_hand
import test_checks_clinic as clinic
import test_checks_cost as cost
from attnkit import Value

from grader import checks
from grader.authoring.lesson import read_lessons

SEEDS = [f"class {number}" for number in range(50)]
POINTS = {cell.name: cell.points for one in read_lessons() for cell in one.cells}


def verdict(name, targets, seed):
    try:
        checks.run(name, *targets, seed=seed)
    except Exception as problem:
        return type(problem).__name__
    return "passed"


def afresh(result):
    """An answer that is made anew: what other tests do with the listed one is not seen."""
    kept = copy.deepcopy(result)
    return lambda: copy.deepcopy(kept)


def learners(corpus, wanted):
    for patient, texts in corpus.items():
        for title, one in texts.items():
            name = f"check_{patient}_tells"
            scope = clinic.written(one if isinstance(one, str) else one[0])
            targets = [scope[part] for part in checks.find(name).exercises()]
            yield f"{name} {title}", name, targets, wanted


def listed():
    """Every answer that is listed somewhere: a title, a check, the functions, whether it passes."""
    for name, all_ in by_hand.RIGHT.items():
        yield from ((f"{name} {one!r}", name, [afresh(one)], True) for one in all_)
    for name, one, _ in by_hand.WRONG:
        yield f"{name} {one!r}", name, [afresh(one)], False
    for ending in ("values", "gradient"):
        name = f"centre_rows_{ending}"
        yield from (
            (f"{name} {title}", name, [one], True) for title, one in by_hand.CENTRED.items()
        )
        for title, (one, caught) in by_hand.NOT_CENTRED.items():
            yield f"{name} {title}", name, [one], ending not in caught
    for name, all_ in cost.RIGHT.items():
        yield from ((f"{name} right {i}", name, [one], True) for i, one in enumerate(all_))
    for name, all_ in cost.WRONG.items():
        yield from ((f"{name} {title}", name, [one], False) for title, one in all_.items())
    for name, all_ in cost.NO_NAME.items():
        yield from ((f"{name} no name {i}", name, [one], False) for i, one in enumerate(all_))
    repairs = [(one, function, set()) for one, function in clinic.REPAIRED] + clinic.NOT_REPAIRED
    for i, (exercise, function, caught) in enumerate(repairs):
        for name in clinic.MINE:
            if checks.find(name).exercises() == (exercise,):
                yield f"{name} repair {i}", name, [function], name not in caught
    for corpus in (learners_checks, learners_checks_again):
        yield from learners(corpus.RIGHT, True)
        yield from learners(corpus.USELESS, False)


LISTED = list(listed())


@pytest.mark.parametrize(
    ("name", "targets", "passes"), [one[1:] for one in LISTED], ids=[one[0] for one in LISTED]
)
def test_verdict_does_not_depend_on_the_seed(name, targets, passes):
    verdicts = {verdict(name, targets, seed) for seed in SEEDS}
    assert verdicts == {"passed"} if passes else "passed" not in verdicts


# Whatever is asked, with nothing computed. Arguments are arrays, Values or numbers, or none.
NOTHING = {
    "None": lambda *_: None,
    "0": lambda *_: 0,
    "1": lambda *_: 1,
    "nan": lambda *_: np.nan,
    "True": lambda *_: True,
    "False": lambda *_: False,
    "an empty text": lambda *_: "",
    "an empty list": lambda *_: [],
    "an empty tuple": lambda *_: (),
    "a list of an empty list": lambda *_: [[]],
    "an empty dict": lambda *_: {},
    "an empty array": lambda *_: np.zeros((0, 0)),
    "an object": lambda *_: object(),
    "its arguments": lambda *given: given,
    "its first argument": lambda *given: given[0] if given else None,
    "its last argument": lambda *given: given[-1] if given else None,
    "zeros like its argument": lambda *given: given[0] * 0 if given else 0,
    "a new Value": lambda *given: Value(np.zeros(np.shape(given[0]))) if given else Value(0),
    "nan like its argument": lambda *given: given[0] * np.nan if given else np.nan,
    "a negated argument": lambda *given: -given[0] if given else 0,
    "all words": lambda *_: ["ada", "saw", "bob"],
    "all names": lambda *_: ["a", "b", "c", "d"],
    "pairs of arrays": lambda *_: (np.ones((2, 2)), np.ones((2, 2))),
    "random numbers": lambda *_: np.random.random((3, 3)),
}
SHAPES = [(3,), (4,), (3, 2), (3, 3), (5, 2)]
FILLED = {
    f"{filled} {shape}": lambda *_, shape=shape, fill=fill: fill(shape)
    for shape in SHAPES
    for filled, fill in {
        "zeros": np.zeros,
        "ones": np.ones,
        "equal shares": lambda shape: np.ones(shape) / shape[-1],
        "numbers in order": lambda shape: np.arange(np.prod(shape)).reshape(shape),
        "one-hot": lambda shape: np.resize(np.eye(shape[-1]), shape),
    }.items()
}
NUMBERS = {f"always {number}": lambda *_, n=number: n for number in range(2, 13)}
LESSONS = {
    one.name: [cell.name for cell in one.cells if cell.name in checks.names()]
    for one in read_lessons()
    if one.name[:2] in ("01", "02", "08", "09")
}


@pytest.mark.parametrize("nothing", [*NOTHING, *FILLED, *NUMBERS])
@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_computed_earns_a_tenth_at_most(lesson, nothing):
    given = {**NOTHING, **FILLED, **NUMBERS}[nothing]
    earned = [
        name
        for name in LESSONS[lesson]
        if verdict(name, [given] * len(checks.find(name).exercises()), "") == "passed"
    ]
    total = sum(POINTS[name] for name in LESSONS[lesson])
    assert 10 * sum(POINTS[name] for name in earned) <= total, earned


def test_every_lesson_that_is_meant_is_there():
    assert [sum(POINTS[name] for name in names) for names in LESSONS.values()] == [8, 4, 6, 14]
