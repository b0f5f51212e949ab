"""Do the checks of lesson 09 pass what is right in any style, and nothing else?"""

import ast
import contextlib
import math

import learners_checks_again as again
import numpy as np
import pytest
from attnkit import Value, tasks
from attnkit.clinic import examine
from learners_checks import D_PROBE, RIGHT, USELESS

from grader import checks, misconceptions, notebook
from grader.authoring.build import ROOT
from grader.checks import telling
from grader.checks.interface import CheckFailure
from grader.judging import known_good
from grader.misconceptions import PIECES
from solutions import attention, clinic

MINE = [
    name for name in checks.names()
    if checks.find(name).function.__module__ == "grader.checks.clinic"
]  # fmt: skip
SEEDS = ["", "one", "two"]


def written(text):
    """The two functions of a learner, by name."""
    scope = {"np": np, "Value": Value}
    mine = "from attnkit.mine import softmax, causal_mask\n"
    if text.startswith(mine):
        scope |= {"softmax": known_good.softmax, "causal_mask": known_good.causal_mask}
    exec(text.removeprefix(mine), scope)
    return scope


def tried(patient, text, seed=""):
    scope = written(text)
    name = f"check_{patient}_tells"
    checks.run(name, *(scope[one] for one in checks.find(name).exercises()), seed=seed)


def pairs(corpus):
    return [(patient, title) for patient, texts in corpus.items() for title in texts]


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("seed", SEEDS)
def test_reference_passes_whatever_is_drawn(name, seed):
    checks.run(name, *(getattr(clinic, one) for one in checks.find(name).exercises()), seed=seed)


@pytest.mark.parametrize("name", MINE)
def test_untouched_is_not_implemented(name):
    def untouched(*arguments):
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        checks.run(name, *[untouched] * len(checks.find(name).exercises()))


@pytest.mark.parametrize(("patient", "title"), pairs(RIGHT))
def test_right_check_passes_in_any_style(patient, title):
    for seed in SEEDS:
        tried(patient, RIGHT[patient][title], seed)


@pytest.mark.parametrize(("patient", "title"), pairs(again.RIGHT))
def test_right_check_passes_in_more_styles(patient, title):
    for seed in SEEDS:
        tried(patient, again.RIGHT[patient][title], seed)


@pytest.mark.parametrize(("patient", "title"), pairs(again.USELESS))
def test_more_useless_checks_get_nothing(patient, title):
    text, says = again.USELESS[patient][title]
    for seed in SEEDS:
        with pytest.raises(CheckFailure if says else AttributeError) as failure:
            tried(patient, text, seed)
        assert (says or "") in str(failure.value)


@pytest.mark.parametrize(("patient", "title"), pairs(USELESS))
def test_useless_check_gets_nothing(patient, title):
    text, says = USELESS[patient][title]
    for seed in SEEDS:
        with pytest.raises(CheckFailure) as failure:
            tried(patient, text, seed)
        assert says in str(failure.value)


def visible(patient, text):
    """What the lesson's own cell prints for a learner's check."""
    scope = written(text)
    given = [scope[one] for one in (f"probe_{patient}", f"is_ill_{patient}")]
    return [examine(*given, version) for version in VERSIONS[patient]]


def late(scores):
    return np.where(np.tri(len(scores)) == 1, attention.softmax(scores), 0.0)


VERSIONS = {
    "c": [
        lambda Q, K: Q @ K.T, lambda Q, K: 1.5 * Q @ K.T,
        lambda Q, K: Q @ K.T / np.sqrt(Q.shape[1]),
    ],
    "d": [
        late, lambda scores: late(scores) / 2,
        lambda scores: attention.softmax(scores + attention.causal_mask(len(scores))),
    ],
}  # fmt: skip
ILL_ILL_HEALTHY = ["ill", "ill", "healthy"]


@pytest.mark.parametrize("corpus", [RIGHT, again.RIGHT], ids=["first", "again"])
def test_check_that_earns_its_points_is_right_in_the_lesson_too(corpus):
    seen = {one: visible(one[0], corpus[one[0]][one[1]]) for one in pairs(corpus)}
    assert {one for one, said in seen.items() if said != ILL_ILL_HEALTHY} == set()


# Three results in a fixed order cannot tell these: many in random order do.
UNSEEN = {
    "every second half", "every other time", "what came twice", "by chance", "a hash",
    "the first is ill", "its own probe by identity", "the last digit of one formula",
}  # fmt: skip


@pytest.mark.parametrize("corpus", [USELESS, again.USELESS], ids=["first", "again"])
def test_check_that_earns_nothing_is_not_right_in_the_lesson(corpus):
    looks_right = set()
    for patient, title in pairs(corpus):
        with contextlib.suppress(Exception):
            if visible(patient, corpus[patient][title][0]) == ILL_ILL_HEALTHY:
                looks_right.add(title)
    assert looks_right <= UNSEEN


def answers_in_order(seed):
    """What a right check is asked, in order: whether each version was ill."""
    heard = []

    def is_ill_c(Q, K, scores):
        heard.append(bool(scores[0, 0] > 3))
        return heard[-1]

    checks.run("check_c_tells", clinic.probe_c, is_ill_c, seed=seed)
    return heard


def test_versions_come_in_an_order_that_the_class_seed_decides():
    orders = [answers_in_order(seed) for seed in "abcdefgh"]
    assert answers_in_order("a") == orders[0]
    assert all((order.count(False), order.count(True)) == (8, 26) for order in orders)
    assert len({tuple(order) for order in orders}) == len(orders)


def test_check_that_answers_by_count_for_another_class_gets_nothing():
    learned = answers_in_order("a")
    script = iter(learned)
    checks.run("check_c_tells", clinic.probe_c, lambda *_: next(script), seed="a")
    script = iter(learned)
    with pytest.raises(CheckFailure):
        checks.run("check_c_tells", clinic.probe_c, lambda *_: next(script), seed="b")


HEALTHY = {
    "SCALED": lambda Q, K: attention.attention_scores(Value(Q), Value(K), Q.shape[1]),
    "MASKED": lambda scores: attention.softmax(Value(scores + attention.causal_mask(len(scores)))),
}
ILL = {
    "SCALED": lambda Q, K: wrong("scores_without_scale", Q, K, Q.shape[1]),
    "MASKED": lambda scores: np.tril(attention.softmax(Value(scores))),
}


def wrong(name, *arguments):
    given = [Value(one) if isinstance(one, np.ndarray) else one for one in arguments]
    return misconceptions.every()[name].wrong(*given)


@pytest.mark.parametrize("name", HEALTHY)
def test_versions_are_the_reference_and_the_known_wrong_idea(name):
    rng = np.random.default_rng(5)
    shapes = {"SCALED": [(4, 3), (5, 3)], "MASKED": [(4, 4)]}[name]
    arrays = [rng.normal(size=shape) for shape in shapes]
    healthy, ill, _ = getattr(telling, name)
    for versions, right in ((healthy, HEALTHY[name]), (ill, ILL[name])):
        for version in versions:
            np.testing.assert_allclose(version(*arrays), right(*arrays).data, rtol=1e-9, atol=1e-12)
    assert len({version(*arrays).tobytes() for version in healthy}) > 1, "no rounding differs"


def softmax_rows(scores):
    parts = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


def prefix_rows(scores):
    rows = [softmax_rows(scores[i : i + 1, : i + 1])[0] for i in range(len(scores))]
    return Value([np.concatenate([row, np.zeros(len(scores) - len(row))]) for row in rows])


REPAIRED = [
    ("repaired_b", lambda scores, V: attention.apply_attention(softmax_rows(scores), V)),
    ("repaired_b", lambda scores, V: np.maximum(softmax_rows(scores), 0.0) @ V),
    ("repaired_b", lambda s, V: Value([(softmax_rows(s[i : i + 1]) @ V)[0] for i in range(len(s))])),
    ("repaired_d", lambda s: softmax_rows(np.where(np.tri(len(s)) == 1, s, -1e9))),
    ("repaired_d", prefix_rows),
    ("repaired_e", lambda weights, V: weights @ V),
    ("repaired_e", lambda w, V: Value([sum(w[i, j] * V[j] for j in range(len(V))) for i in range(len(w))])),
]  # fmt: skip


def failed(exercise, function, seed=""):
    said = {}
    for name in MINE:
        if checks.find(name).exercises() == (exercise,):
            try:
                checks.run(name, function, seed=seed)
            except Exception as problem:
                said[name] = str(problem)
    return said


@pytest.mark.parametrize(("exercise", "function"), REPAIRED)
@pytest.mark.parametrize("seed", SEEDS)
def test_right_repair_passes_in_any_style(exercise, function, seed):
    assert failed(exercise, function, seed) == {}


def late_and_divided(scores):
    return late(scores) / late(scores).sum(axis=1, keepdims=True)


RIGHT_D, FAR = "repaired_d_right", "repaired_d_far_above"
NOT_REPAIRED = [
    ("repaired_b", lambda s, V: Value(softmax_rows(s).data) @ V, {"repaired_b_right"}),
    ("repaired_b", lambda s, V: softmax_rows(s) @ V.data, {"repaired_b_right"}),
    ("repaired_b", lambda s, V: softmax_rows(s).data @ V.data, {"repaired_b_right"}),
    ("repaired_b", lambda s, V: s @ V, {"repaired_b_right"}),
    ("repaired_d", late, {RIGHT_D, FAR}),
    ("repaired_d", late_and_divided, {FAR}),
    ("repaired_d", lambda s: softmax_rows(s) + attention.causal_mask(len(s)), {RIGHT_D, FAR}),
    ("repaired_d", lambda s: softmax_rows(s), {RIGHT_D, FAR}),
    ("repaired_d", lambda s: prefix_rows(Value(s.data)), {RIGHT_D}),
    ("repaired_e", lambda w, V: w.T @ V, {"repaired_e_right"}),
    ("repaired_e", lambda w, V: w.data @ V, {"repaired_e_right"}),
    ("repaired_e", lambda w, V: w @ V / len(V), {"repaired_e_right"}),
]  # fmt: skip


@pytest.mark.parametrize(("exercise", "function", "wanted"), NOT_REPAIRED)
@pytest.mark.parametrize("seed", SEEDS)
def test_wrong_repair_loses_where_it_shows(exercise, function, wanted, seed):
    assert failed(exercise, function, seed).keys() == wanted


@pytest.mark.parametrize("given", [10, 10.0, "10", " 10", np.int64(10), np.array(10), Value(10)])
def test_number_of_a_fault_may_be_spelled_in_any_way(given):
    checks.run("fault_of_b_named", lambda: given)


@pytest.mark.parametrize("given", [4, 9, 11, None, "ten", "", [10, 10], np.nan, {}, ("b", 10)])
def test_other_number_is_caught_and_the_right_one_kept_back(given):
    with pytest.raises(CheckFailure) as failure:
        checks.run("fault_of_b_named", lambda: given)
    assert "10" not in str(failure.value)


def test_first_signs_are_compared_in_their_order():
    checks.run("first_signs_named", lambda: np.array([5, 1, 2, 3]))
    with pytest.raises(CheckFailure, match="2 of 4 entries are not right"):
        checks.run("first_signs_named", lambda: [5, 1, 3, 2])


def test_points_are_5_for_names_3_for_checks_6_for_repairs():
    from grader.authoring.lesson import LESSONS, read_lesson

    points = {cell.name: cell.points for cell in read_lesson(LESSONS / "09_clinic.md").cells}
    by_kind = [
        sum(points[name] for name in MINE if name.endswith(ending) or name.startswith(beginning))
        for beginning, ending in (("-", "_named"), ("check_", "-"), ("repaired_", "-"))
    ]
    assert by_kind == [5, 3, 6]


def test_pieces_of_the_course_are_no_part_of_a_check():
    """What a check of the clinic is run on is none of the five: a name has one owner."""
    assert not {one for name in MINE for one in checks.find(name).exercises()} & set(PIECES)


def found_in_releases():
    """Every function that stands written in a release, run beside the known-good pieces."""
    for path in sorted((ROOT / "course").glob("[0-9]*.ipynb")):
        given = {piece: getattr(known_good, piece) for piece in list(PIECES)[:4]}
        for cell in notebook.read(path).cells:
            for node in ast.parse(cell.source).body if cell.cell_type == "code" else []:
                if isinstance(node, ast.FunctionDef) and "NotImplementedError" not in ast.dump(
                    node
                ):
                    scope = {"np": np, "Value": Value, "math": math, "tasks": tasks, **given}
                    exec(ast.unparse(node), scope)
                    yield f"{path.stem} {node.name}", scope[node.name]


def test_nothing_found_in_a_release_earns_a_cell_of_the_clinic():
    found = dict(found_in_releases())
    assert {"09_clinic patient_e", "09_clinic is_ill_a", "09_clinic probe_a"} <= found.keys()
    probes = [*found.values(), clinic.probe_c, written(D_PROBE)["probe_d"]]
    earned = []
    for name in MINE:
        several = len(checks.find(name).exercises()) == 2
        for title, function in found.items():
            for given in [(probe, function) for probe in probes] if several else [(function,)]:
                with contextlib.suppress(Exception):
                    checks.run(name, *given)
                    earned.append((name, title))
    assert earned == []
