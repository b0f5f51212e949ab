"""Do the visible checks say what holds, what does not, and never raise?"""

import json
import logging
import re
import sys
import warnings
from fractions import Fraction

import numpy as np
import pytest
from attnkit import Linear, Value, checks, examples, known, plot, probes
from attnkit.lines import LINES

from grader import checks as hidden
from solutions import attention

PIECES = {
    "softmax": checks.softmax,
    "attention_scores": checks.attention_scores,
    "causal_mask": checks.causal_mask,
    "apply_attention": checks.apply_attention,
    "SelfAttention": checks.self_attention,
}
EACH = pytest.mark.parametrize("piece", PIECES)


@pytest.fixture
def printed(capsys):
    """The printed text of a check."""

    def run(piece, target):
        assert PIECES[piece](target) is None
        return capsys.readouterr().out

    return run


@pytest.fixture
def notebook(monkeypatch, tmp_path):
    """A folder as if a notebook ran in it; returns the pictures that are shown."""
    shown = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checks, "_in_notebook", lambda: True)
    monkeypatch.setattr(plot, "show", lambda picture, text: shown.append((picture, text)))
    return shown


def stable(scores):
    exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def over_columns(scores):
    return stable(scores.T).T


over_columns.__name__ = "softmax"


@EACH
def test_reference_gets_a_tick_on_every_line(piece, printed):
    lines = printed(piece, getattr(attention, piece)).splitlines()
    assert [line[0] for line in lines] == ["✓"] * len(LINES[piece])
    assert [line[2:15].strip() for line in lines] == [line.label for line in LINES[piece]]


@EACH
def test_lines_go_type_shape_values_gradient(piece):
    labels = [line.label for line in LINES[piece]]
    order = [one for one in labels if one in ("type", "shape", "values", "gradient")]
    wanted = ["type", "shape", "values", "gradient"]
    assert order == wanted[: 3 if piece == "causal_mask" else 4]


@EACH
def test_every_probe_is_looked_at_by_a_line(piece):
    assert {name for line in LINES[piece] for name in line.probes} == set(examples.PROBES[piece])


@EACH
def test_not_written_is_one_line(piece, printed):
    def stub(*arguments, **options):
        raise NotImplementedError

    target = type("SelfAttention", (attention.SelfAttention,), {"forward": stub})
    text = printed(piece, target if piece == "SelfAttention" else stub)
    assert re.fullmatch(rf"✗ {piece} +not written yet\n", text)


@EACH
@pytest.mark.parametrize(
    "answer",
    [None, "text", 3, True, [], (Value([1.0]), 2), object(), np.array(None), np.zeros((0, 0)), {}],
    ids=repr,
)
def test_no_answer_makes_a_check_raise(piece, answer, printed):
    target = type(
        "SelfAttention",
        (attention.SelfAttention,),
        {"forward": lambda self, x, causal=True: answer},
    )
    text = printed(piece, target if piece == "SelfAttention" else lambda *arguments: answer)
    assert text.count("✗") == 1


@EACH
@pytest.mark.parametrize("target", [None, 3, "softmax", int, object, Value([1.0])], ids=repr)
def test_no_target_makes_a_check_raise(piece, target, printed):
    assert printed(piece, target).count("✗") == 1


@pytest.mark.parametrize("error", [ValueError("the\nreason"), RecursionError(), Exception()])
def test_what_a_piece_raises_is_told_in_one_line(error, printed):
    def softmax(scores):
        raise error

    line = printed("softmax", softmax).splitlines()[0]
    assert line.startswith("✗ type")
    assert type(error).__name__ in line


def test_red_line_says_saw_means_and_what_is_left(printed):
    assert printed("softmax", over_columns).splitlines() == [
        "✓ type           a Value comes back",
        "✓ shape          (3, 3) in, (3, 3) out",
        "✗ values         [0, 0] is 0.1081, wanted 0.25; 9 of 9 entries differ",
        "                 These are the numbers you get when softmax runs down the columns.",
        "                 One row is one query: take maximum and sum along the row, and print the "
        "shape of",
        "                 each.",
        "· not looked at yet: other sizes, other scores, large scores, again, gradient, inputs",
    ]


def test_unknown_numbers_are_said_to_be_unknown(printed):
    text = printed("softmax", lambda scores: stable(scores / 3))
    assert "We do not recognise this mistake." in text
    assert "Work out the row of that entry on paper" in text


def test_an_array_that_is_kept_is_told_and_left_as_it_was(printed):
    kept = {T: np.triu(np.full((T, T), -1e9), 1) for T in (1, 2, 3, 4, 12)}
    before = {T: mask.copy() for T, mask in kept.items()}
    for _ in range(2):
        assert "same array is handed out" in " ".join(printed("causal_mask", kept.get).split())
    assert all(np.array_equal(kept[T], before[T]) for T in kept)


def test_what_has_no_numbers_is_not_said_to_give_some(printed):
    forgotten = printed("softmax", lambda scores: None)
    assert "None (is a return missing?) came back, wanted a Value" in forgotten
    raising = printed("softmax", lambda scores: stable(scores.reshape(9)))
    assert "AxisError" in raising
    assert "Call it in a cell of its own" in raising
    assert "these numbers" not in forgotten + raising


def test_cut_graph_is_red_only_at_the_gradient(printed):
    text = printed("softmax", lambda scores: Value(stable(scores).data))
    assert text.count("✓") == 7
    assert "✗ gradient       no gradient reaches scores" in text


def test_numbers_that_nearly_agree_are_told_apart(printed):
    def softmax(scores):
        exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
        return exps / (exps.sum(axis=1, keepdims=True) + 3e-6)

    text = printed("softmax", softmax)
    got, wanted = re.search(r"is (\S+), wanted (\S+);", text).groups()
    assert got != wanted
    assert "nearly right, but too small by" in text


def test_mask_that_is_one_off_is_told_in_full(printed):
    text = printed("causal_mask", lambda T: np.triu(np.full((T, T), -999_999_999.0), 1))
    assert "is -999999999, wanted -1000000000" in text


@pytest.mark.parametrize("number", [-1e10, -1e6, -1e4, np.inf, 1, -5, -1e9 + 1])
def test_mask_with_the_right_places_is_told_about_its_number_alone(number, printed):
    text = printed("causal_mask", lambda T: np.where(np.tri(T) == 1, 0.0, number))
    assert "✓ places" in text
    assert "✗ values" in text
    assert "which columns" not in text


def test_a_red_type_is_not_explained_by_numbers(printed):
    text = printed("softmax", lambda s: np.exp(s.data) / np.exp(s.data).sum(1, keepdims=True))
    assert "✗ type           an ndarray came back, wanted a Value" in text
    assert "exp is taken" not in text


def test_flat_zeros_are_told_to_want_a_pair(printed):
    def causal_mask(seq_len):
        mask = np.zeros(seq_len)
        for i in range(seq_len):
            for j in range(seq_len):
                if j > i:
                    mask[i, j] = -1e9
        return mask

    assert "the shape as a pair" in " ".join(printed("causal_mask", causal_mask).split())


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (lambda Q, K, d_k: Q @ K.T / np.sqrt(len(Q)), "scores_scaled_by_root_of_queries"),
        (lambda Q, K, d_k: Q @ K.T / 4, "scores_typed_four"),
        (lambda Q, K, d_k: Q[:, :d_k] @ K[:, :d_k].T / np.sqrt(d_k), "scores_first_columns"),
        (lambda Q, K, d_k: (Q * K).sum(axis=1) / np.sqrt(d_k), "scores_own_key_flat"),
        (lambda Q, K, d_k: Q @ K.T / np.sqrt(len(Q) + 1), None),
    ],
)
def test_scales_are_named_rightly_or_not_at_all(wrong, name):
    found = known.names("attention_scores", probes.observe("attention_scores", probes.asker(wrong)))
    assert found == ([name] if name else [])


def test_a_number_near_a_known_mistake_is_not_taken_for_it():
    def softmax(scores):
        exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
        return exps / (exps.sum(axis=1, keepdims=True) + 2e-7)

    assert known.names("softmax", probes.observe("softmax", probes.asker(softmax))) == []


def test_the_row_of_the_first_wrong_entry_is_the_row_to_work_out(printed):
    def softmax(scores):
        exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
        return exps / np.exp(scores + 0).sum(axis=1, keepdims=True)

    text = " ".join(printed("softmax", softmax).split())
    assert "[1, 0] is" in text
    assert "row 0" not in text


def test_what_a_piece_writes_to_stderr_is_held_back(capsys):
    def softmax(scores):
        print("debugging", file=sys.stderr)
        return stable(scores)

    checks.softmax(softmax)
    assert capsys.readouterr().err == ""


def test_renormalising_is_said_to_change_rows_that_do_not_add_up_to_one(printed):
    def apply_attention(weights, V):
        return weights / weights.sum(axis=1, keepdims=True) @ V

    text = " ".join(printed("apply_attention", apply_attention).split())
    assert "where a row does not add up to 1" in text
    assert "changes no number" not in text


def test_nan_is_red(printed):
    text = printed("softmax", lambda scores: stable(scores) * np.nan)
    assert "✗ values         [0, 0] is nan" in text


def test_pieces_output_and_warnings_stay_out_of_the_way(printed, recwarn):
    def softmax(scores):
        print("debugging")
        np.log(scores.data)
        return stable(scores)

    assert "debugging" not in printed("softmax", softmax)
    assert not recwarn.list


def test_what_a_piece_writes_to_stderr_or_logs_is_held_back(capfd):
    handler = logging.StreamHandler()  # keeps the stderr of this moment
    logger = logging.getLogger("piece")
    logger.addHandler(handler)

    def softmax(scores):
        print("debugging", file=sys.stderr)
        warnings.warn("debugging", stacklevel=1)
        logger.error("debugging")
        logging.error("debugging")
        return stable(scores)

    checks.softmax(softmax)
    logger.removeHandler(handler)
    out, err = capfd.readouterr()
    assert "✗" not in out
    assert "debugging" not in out + err
    assert logging.root.manager.disable == logging.NOTSET


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda head: setattr(head, "W_k", head.W_q), "one layer for two of W_q, W_k, W_v, W_o"),
        (lambda head: setattr(head.W_k, "W", head.W_q.W), "one layer for two"),
        (lambda head: delattr(head, "W_q"), "SelfAttention needs an attribute W_q"),
        (lambda head: setattr(head, "W_v", Value(np.eye(2))), "W_v of SelfAttention is a Value"),
        (lambda head: setattr(head, "W_o", Linear(4, 4)), "table of shape (4, 4), wanted ("),
    ],
)
def test_layers_that_are_not_four_are_told(printed, change, says):
    class SelfAttention(attention.SelfAttention):
        def __init__(self, D):
            super().__init__(D)
            change(self)

    text = " ".join(printed("SelfAttention", SelfAttention).split())
    assert says in text
    with pytest.raises((AttributeError, TypeError, ValueError), match=re.escape(says)):
        hidden.run("self_attention_causal", SelfAttention)


def test_error_of_the_kit_behind_one_of_numpy_is_told(printed):
    def softmax(scores):
        weights = np.zeros(scores.shape)
        weights[0, 0] = np.exp(scores)[0, 0]
        return weights

    text = printed("softmax", softmax)
    assert "Value([[v00, v01], …]) instead of array[i, j] = v" in text
    assert "sequence" not in text


def test_piece_that_gets_an_array_in_place_of_a_value_is_told(printed):
    def softmax(scores):
        exps = np.exp(scores - scores.data.max(axis=1, keepdims=True))
        return exps / exps.sum(axis=1, keepdims=True)

    def forward(self, x, causal=True):
        return softmax((self.W_q(x) @ self.W_k(x).T).data)

    text = printed(
        "SelfAttention", type("SelfAttention", (attention.SelfAttention,), {"forward": forward})
    )
    assert "softmax got an ndarray, wanted a Value" in text
    assert "memoryview" not in text


def test_expected_values_are_the_published_fractions():
    third, seventh = Fraction(1, 3), Fraction(1, 7)
    wanted = [[1, 0, 0], [2 * third, third, 0], [seventh, 4 * seventh, 2 * seventh]]
    np.testing.assert_allclose(examples.CAUSAL, np.array(wanted, dtype=float), rtol=1e-15)
    np.testing.assert_allclose(examples.CAUSAL @ examples.V, [[3, 4], [4, 3], [3, 2]])
    np.testing.assert_allclose(examples.X @ examples.PARAMETERS["W_k"], examples.K)
    np.testing.assert_allclose(examples.X @ examples.PARAMETERS["W_v"], examples.V)
    np.testing.assert_allclose(examples.Q @ examples.K.T / np.sqrt(2), examples.SCORES, atol=1e-15)
    np.testing.assert_allclose(
        examples.CAUSAL @ examples.V @ examples.PARAMETERS["W_o"], examples.OUTPUT
    )


def test_colours_only_in_a_notebook(notebook, printed):
    assert "\x1b[32m✓ type" in printed("softmax", stable)


def test_a_loaded_kernel_module_is_no_notebook(printed):
    import ipykernel.zmqshell  # noqa: F401

    assert printed("softmax", stable).startswith("✓")


def test_red_values_show_a_picture_in_a_notebook(notebook, printed):
    printed("softmax", over_columns)
    (figure, text), *rest = notebook
    assert not rest
    assert [ax.get_title() for ax in figure.axes] == ["yours", "expected"]
    assert text == (
        "Yours on the left, expected on the right, cells that differ framed: "
        "[0, 0] is 0.1081, wanted 0.25; 9 of 9 entries differ."
    )


def test_a_broken_picture_does_not_break_the_check(notebook, monkeypatch, printed):
    monkeypatch.setattr(plot, "compare", lambda *arguments, **options: 1 / 0)
    assert "These are the numbers" in printed("softmax", over_columns)


def test_named_mistakes_are_remembered_once_and_told(notebook, printed, tmp_path, capsys):
    printed("softmax", over_columns)
    printed("softmax", over_columns)
    assert (tmp_path / known.MET).read_text() == "softmax_over_columns\n"
    checks.met()
    assert capsys.readouterr().out == "- softmax: softmax runs down the columns (lesson 03)\n"


def test_only_a_piece_under_its_own_name_is_remembered(notebook, printed, tmp_path):
    def demonstration(scores):
        return over_columns(scores)

    printed("softmax", demonstration)
    assert not (tmp_path / known.MET).exists()


def test_nothing_met_is_said(notebook, capsys):
    checks.met()
    assert capsys.readouterr().out == "No mistake has been named here so far.\n"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"no_such_mistake\n"])
def test_damaged_notes_do_no_harm(notebook, printed, tmp_path, content):
    (tmp_path / known.MET).write_bytes(content)
    checks.met()
    printed("softmax", over_columns)


def test_folder_that_cannot_be_written_to_does_no_harm(notebook, printed, tmp_path):
    (tmp_path / known.MET).mkdir()
    assert "These are the numbers" in printed("softmax", over_columns)


def test_kit_ships_numbers_and_no_code():
    book = json.loads((known.Path(known.__file__).with_name("fingerprints.json")).read_text())
    assert set(book) == {"right", "mistakes"}
    for piece in PIECES:
        for entry in book["mistakes"][piece].values():
            assert set(entry) == {"when", "tell", "lesson", "saw"}
            assert "lambda" not in str(entry)
            assert "def " not in str(entry)


def centred_by_columns(x):
    return x - x.mean(axis=1)


def centred_off_the_graph(x):
    return Value(x.data - x.data.mean(axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("answer", "red"),
    [
        (lambda x: x - x.mean(axis=1, keepdims=True), ""),
        (lambda x: x - x @ np.full((x.shape[1], x.shape[1]), 1 / x.shape[1]), ""),
        (centred_by_columns, "values"),
        (centred_off_the_graph, "gradient"),
        (lambda x: x - x.sum(axis=1, keepdims=True) / 3, "other sizes"),
    ],
    ids=["mean", "product", "columns", "off the graph", "3 typed in"],
)
def test_centre_rows_has_a_check_like_the_pieces(answer, red, capsys):
    checks.centre_rows(answer)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines if line.startswith("✗")] == [f"✗ {red}"] * bool(
        red
    )


def test_paper_asks_for_the_function_where_a_number_came(capsys):
    checks.paper(9)
    assert capsys.readouterr().out.endswith(
        "hand over the function, not its result: checks.paper(name)\n"
    )


def test_a_missing_return_is_told_in_the_red_line_alone(capsys):
    checks.softmax(lambda scores: None)
    first, second = capsys.readouterr().out.splitlines()
    assert "is a return missing?" in first and "not looked at yet" in second
