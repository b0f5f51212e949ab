"""Are the known-good pieces right: against loops and finite differences, and self-contained?"""

import math

import numpy as np
import pytest
from attnkit import Linear, Value, mine
from attnkit.count import counting
from nbformat.v4 import new_code_cell, new_notebook

from grader import checks
from grader.authoring import exercises, lesson
from grader.judging import known_good
from grader.judging.known_good import apply_attention, attention_scores, causal_mask, softmax
from grader.room.classroom import NBGRADER_CONFIG

SIZES = [(1, 1, 1), (1, 3, 2), (3, 1, 2), (4, 4, 4), (2, 5, 3)]
rng = np.random.default_rng(7)


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def slopes(function, arrays, upstream):
    """Finite differences of sum(upstream * function(arrays)) for each entry of each array."""
    for array in arrays:
        slope = np.empty_like(array)
        for place in np.ndindex(array.shape):
            kept = array[place]
            ends = []
            for step in (1e-6, -1e-6):
                array[place] = kept + step
                ends.append(float((function(*map(Value, arrays)).data * upstream).sum()))
            array[place] = kept
            slope[place] = (ends[0] - ends[1]) / 2e-6
        yield slope


def assert_gradients(function, *arrays):
    sources = [Value(array) for array in arrays]
    result = function(*sources)
    upstream = rng.normal(size=result.shape)
    result.backward(upstream)
    for source, slope in zip(sources, slopes(function, arrays, upstream), strict=True):
        np.testing.assert_allclose(source.grad, slope, atol=1e-7)


@pytest.mark.parametrize(("t_q", "t_k", "width"), SIZES)
def test_softmax_equals_a_loop_and_its_slopes(t_q, t_k, width):
    scores = rng.normal(size=(t_q, t_k))
    by_loop = [[math.exp(s) / math.fsum(map(math.exp, row)) for s in row] for row in scores]
    np.testing.assert_allclose(softmax(Value(scores)).data, by_loop, rtol=1e-12)
    assert_gradients(softmax, scores)


def test_softmax_is_stable_and_a_masked_score_gets_nothing():
    weights = softmax(Value([[1e5 + 1, 1e5, -1e9], [-1e5, -1e5 - 1, -1e9]])).data
    share = math.e / (1 + math.e)
    np.testing.assert_allclose(weights, [[share, 1 - share, 0]] * 2, rtol=1e-9)
    assert (weights[:, 2] == 0).all()


@pytest.mark.parametrize(("t_q", "t_k", "width"), SIZES)
def test_attention_scores_equal_a_loop_and_their_slopes(t_q, t_k, width):
    Q, K = rng.normal(size=(t_q, width)), rng.normal(size=(t_k, width))
    by_loop = [[dot(q, k) / math.sqrt(7) for k in K] for q in Q]
    np.testing.assert_allclose(attention_scores(Value(Q), Value(K), 7).data, by_loop, atol=1e-12)
    assert_gradients(lambda Q, K: attention_scores(Q, K, d_k=7), Q, K)


@pytest.mark.parametrize("seq_len", [1, 2, 5])
def test_causal_mask_equals_its_rule_and_is_fresh(seq_len):
    rule = [[0.0 if j <= i else -1e9 for j in range(seq_len)] for i in range(seq_len)]
    causal_mask(seq_len)[:] = np.nan
    assert causal_mask(seq_len).tolist() == rule


@pytest.mark.parametrize(("t_q", "t_k", "width"), SIZES)
def test_apply_attention_equals_a_loop_and_its_slopes(t_q, t_k, width):
    weights, V = rng.normal(size=(t_q, t_k)), rng.normal(size=(t_k, width))
    by_loop = [[dot(row, V[:, d]) for d in range(width)] for row in weights]
    np.testing.assert_allclose(apply_attention(Value(weights), Value(V)).data, by_loop, atol=1e-12)
    assert_gradients(apply_attention, weights, V)


def test_a_head_may_work_row_by_row():
    """A learner whose own pieces take single rows is not failed by ours."""
    Q, K, V = (rng.normal(size=(n, 3)) for n in (1, 4, 4))

    def one_row(q, K, V):
        return apply_attention(softmax(attention_scores(q, K, 3)), V)

    whole = one_row(Value(Q), Value(K), Value(V)).data
    np.testing.assert_allclose(one_row(Value(Q[0]), Value(K), Value(V)).data, whole[0], rtol=1e-12)
    assert_gradients(one_row, Q[0], K, V)


def test_a_plain_array_gives_values_without_a_graph():
    """Cutting the graph on the way to a piece costs the gradient, not the values."""
    assert softmax(np.zeros((2, 2))).data.tolist() == [[0.5, 0.5]] * 2
    assert apply_attention(np.eye(2), Value(np.eye(2))).shape == (2, 2)


def test_sources_run_alone_beside_np_and_value():
    names: dict = {"np": np, "Value": Value}
    exec("\n\n".join(known_good.sources("07_self_attention").values()), names)
    assert names["causal_mask"](2).tolist() == [[0, -1e9], [0, 0]]
    weights = names["softmax"](names["attention_scores"](Value([[1.0]]), Value([[2.0]]), 1))
    assert names["apply_attention"](weights, Value([[3.0]])).data.tolist() == [[3.0]]


def test_sources_are_not_the_references_text():
    for name, text in known_good.sources("10_watch_it_learn").items():
        body = exercises.find(name).body
        assert not [line for line in body.splitlines() if line.strip() in text]


def test_a_lesson_is_never_offered_what_it_is_graded_on():
    for one in lesson.read_lessons():
        found = [checks.find(cell.name) for cell in one.cells if cell.kind == "check"]
        graded = {exercise for check in found for exercise in check.exercises()}
        assert not graded & set(known_good.sources(one.name))


def test_a_lesson_is_offered_what_it_carries_over():
    for one in lesson.read_lessons():
        for cell in one.cells:
            if cell.source.startswith("from attnkit.mine import ") and one.points:
                wanted = cell.source.removeprefix("from attnkit.mine import ").split(", ")
                assert list(known_good.BUILT_ON[one.name]) == wanted
                assert {*wanted} <= {*known_good.sources(one.name)}


def test_every_piece_of_the_lessons_before_is_offered_as_at_home():
    pieces = list(mine.LESSONS)
    assert [list(known_good.sources(mine.LESSONS[one])) for one in pieces] == [
        pieces[:place] for place in range(5)
    ]
    assert list(known_good.sources("09_clinic")) == pieces


def test_the_whole_head_passes_its_hidden_checks_and_counts_its_products():
    """The head that lesson 08 is offered, run as the learner's process runs it."""
    names: dict = {"np": np, "Value": Value, "Linear": Linear}
    exec(known_good.sources("08_cost")["SelfAttention"], names)
    for name in checks.names():
        if checks.find(name).exercise == "SelfAttention":
            checks.run(name, names["SelfAttention"])
    T, D = 5, 3
    with counting() as counted:
        names["SelfAttention"](D).forward(Value(np.ones((T, D))))
    assert counted.multiplications == 4 * T * D * D + 2 * T * T * D


def test_other_lessons_are_offered_nothing():
    assert known_good.sources("03_softmax") == {}


def test_plain_nbgrader_gives_the_known_good_versions(tmp_path, monkeypatch):
    """In a class folder a learner whose own pieces are missing is still graded on the new one."""
    from nbgrader.preprocessors import Execute
    from traitlets.config import PyFileConfigLoader

    monkeypatch.chdir(tmp_path)
    (tmp_path / "class.toml").write_text("")
    (tmp_path / "nbgrader_config.py").write_text(NBGRADER_CONFIG)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(tmp_path)).load_config()
    cell = new_code_cell(
        "from attnkit.mine import softmax\n"
        "print(softmax.__module__, sorted(k for k in globals() if k in ('os', 'softmax')))"
    )
    done, _ = Execute(config=config).preprocess(new_notebook(cells=[cell]), {})
    assert done.cells[0].outputs[0].text.splitlines() == [
        "softmax           the course's own version, for grading",
        "grader.judging.known_good ['softmax']",
    ]
