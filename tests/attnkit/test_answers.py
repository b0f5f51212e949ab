"""Is a paper answer known in every spelling, and is it said what is wrong with another?"""

from fractions import Fraction

import numpy as np
import pytest
from attnkit import Value, answers, checks

from grader.authoring import answers as sealing
from grader.checks import paper
from grader.sandbox import exposed

F = Fraction
RIGHT = {
    "shares": [F(2, 3), F(1, 3)],
    "weights": [[1, 0, 0], [F(2, 3), F(1, 3), 0], [F(1, 7), F(4, 7), F(2, 7)]],
    "rows": [[3, 4], [F(9, 4), 3]],
    "shapes": [(2, 3), (1, 4), (3, 3)],
    "words": ["saw", "bob"],
    "letters": [["A", "C"], []],
    "number": 9,
    "numbers": [5, 1, 2],
    "table": {"Q": (5, 4)},
}


@pytest.fixture(autouse=True, scope="module")
def book():
    """A book of made-up questions."""
    sealed = {name: answers.sealed(name, one) for name, one in RIGHT.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "_book", lambda: sealed)
        yield sealed


SPELT = [
    ("shares", [2 / 3, 1 / 3]),
    ("shares", (0.6666666667, 0.3333333333)),
    ("shares", np.array([2, 1]) / 3),
    ("shares", Value([2 / 3, 1 / 3])),
    ("shares", [F(4, 6), np.float64(1) / 3]),
    ("weights", np.array(RIGHT["weights"], float)),
    ("weights", [Value([float(one) for one in row]) for row in RIGHT["weights"]]),
    ("weights", [np.array([float(one) for one in row]) for row in RIGHT["weights"]]),
    ("rows", Value([[3, 4], [2.25, 3]])),
    ("shapes", [[2, 3], [1, 4], [3, 3]]),
    ("shapes", np.array([[2, 3], [1, 4], [3, 3]])),
    ("words", ("Bob ", "SAW")),
    ("letters", [["c", "a"], []]),
    ("number", "9"),
    ("number", 9.0),
    ("number", np.int64(9)),
    ("numbers", (5, 1.0, np.int64(2))),
    ("table", {"Q": [5.0, 4]}),
    ("table", {"Q": np.array([5, 4])}),
]


@pytest.mark.parametrize(("question", "given"), SPELT, ids=repr)
def test_right_answer_counts_in_every_spelling(question, given):
    assert answers.remark(question, given) == ""


ROUNDED = "nearly right: write exact fractions"
WRONG = [
    ("shares", [0.67, 0.33], ROUNDED),
    ("shares", [0.667, 0.333], ROUNDED),
    ("shares", [0.66, 0.33], ROUNDED),
    ("shares", [0.6667, F(1, 3)], ROUNDED),
    ("weights", [[1, 0, 0], [0.67, 0.33, 0], [0.14, 0.57, 0.29]], ROUNDED),
    ("weights", [[1, 0, 0], [F(2, 3), F(1, 3), 0], [0.143, 0.571, 0.286]], ROUNDED),
    ("rows", [[3, 4.0], [2.25, 2.99]], ROUNDED),
    ("shares", [2, 1], "not yet: these add up to 3, not 1: divide each by their sum"),
    ("shares", [F(1, 2), F(3, 8)], "these add up to 7/8, not 1"),
    ("shares", [0.5, 0.25], "these add up to 3/4, not 1"),
    ("shares", [2 / 3, 0.5], "these add up to 7/6, not 1"),
    (
        "weights", [[1, 0, 0], [4, 2, 0], [F(1, 7), F(4, 7), F(2, 7)]],
        "row 2 of 3 is not right; row 2 adds up to 6, not 1",
    ),
    ("weights", [[F(1, 4), F(1, 2), F(1, 4)]] * 3, "rows 1, 2 and 3 of 3 are not right"),
    ("shares", [1 / 3, 2 / 3], "not yet: the answer is not right"),
    ("shares", [2 / 3], "not yet: wanted a list of 2 numbers"),
    ("shares", 2 / 3, "wanted a list of 2 numbers"),
    ("shares", "2/3", "wanted a list of 2 numbers"),
    ("shares", [[2 / 3], [1 / 3]], "wanted a list of 2 numbers"),
    ("weights", [[1, 0, 0], [1, 1], [1]], "wanted 3 rows of 3 numbers each"),
    ("shapes", [(2, 3), (4, 1), (3, 3)], "not yet: row 2 of 3 is not right"),
    ("shapes", [(3, 2), (4, 1), (3, 3)], "rows 1 and 2 of 3 are not right"),
    ("letters", [["A"], []], "row 1 of 2 is not right"),
    ("letters", [["A", "C"]], "the answer is not right"),
    ("words", ["ada"], "the answer is not right"),
    ("number", 8, "not yet: the answer is not right"),
    ("numbers", [5, 1, 3], "not yet: the answer is not right"),
    ("numbers", [5, 1], "not yet: the answer is not right"),
    ("number", None, "None came back; is a return missing?"),
    ("shares", [None, None], "the answer is not right"),
    ("shares", [np.nan, np.inf], "the answer is not right"),
    ("shares", [1j, 1], "the answer is not right"),
    ("shares", ["2/3", "1/3"], "the answer is not right"),
    ("table", {}, "the answer is not right"),
    ("number", {}, "the answer is not right"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "given", "says"), WRONG, ids=repr)
def test_wrong_answer_is_told_what_can_be_told(question, given, says):
    assert says in answers.remark(question, given)


def test_number_of_a_list_that_is_no_table_is_not_given_away(book):
    """How many bugs hide is part of the answer."""
    assert book["numbers"]["shape"] is book["words"]["shape"] is None
    assert len(book["numbers"]["rows"]) == len(book["words"]["rows"]) == 1


def test_each_hash_has_a_salt_of_its_own():
    assert (
        answers.digest("one 0", 3) != answers.digest("other 0", 3) != answers.digest("other 1", 3)
    )


def test_visible_check_prints_the_remark(capsys):
    def shares():
        raise NotImplementedError

    checks.paper(shares)
    for name, one in (("shares", [2, 1]), ("shares", RIGHT["shares"]), ("elsewhere", 1)):

        def given(one=one):
            return one

        given.__name__ = name
        checks.paper(given)
    shares = None
    checks.paper(lambda: 1 / 0)
    unwritten, red, green, unknown, raises = capsys.readouterr().out.splitlines()
    assert unwritten == "✗ shares         not written yet"
    assert "these add up to 3, not 1" in red
    assert green == "✓ shares         right"
    assert "no answer to a question of this name" in unknown
    assert "ZeroDivisionError" in raises


def test_book_of_the_kit_is_up_to_date_and_holds_every_question():
    assert sealing.PATH.read_text("utf-8") == sealing.text()
    names = {name for name, _ in sealing.paper_answers()}
    assert names >= {"shares_of_bob", "rows_that_move", "drill_shapes", "fault_of_b", "first_signs"}


def test_hashes_are_slow_and_nothing_else_of_an_answer_is_told():
    assert answers.TURNS >= 50_000
    for question, answer in sealing.paper_answers():
        sealed = answers.sealed(question, answer())
        assert set(sealed) == {"shape", "shares", "rows"}  # of a graded answer no place is told
        assert all(len(one) == 16 and int(one, 16) >= 0 for one in sealed["rows"])


def test_a_graded_run_has_no_answer_to_look_up():
    kit = exposed.kit() / "attnkit"
    assert (kit / "patients.json").exists()
    assert not (kit / "answers.json").exists()
    assert not (kit / "fingerprints.json").exists()


def test_hidden_check_counts_rows_in_the_same_way():
    from grader.checks.interface import CheckFailure, Reply

    given = Reply(np.array([[3.0, 4], [4, 3], [3, 3]]), (), (), "list")
    with pytest.raises(CheckFailure, match="in row 3 of 3"):
        paper.numbers(given, [[3, 4], [4, 3], [3, 2]], "`attended_rows`")


@pytest.mark.parametrize(
    ("right", "given", "says"),
    [
        ([8, 3, 4, 1, 2, 1], [8, 4, 4, 1, 2, 1], "not yet: place 2 of 6 is not right"),
        ([8, 3, 4, 1, 2, 1], [8, 4, 4, 1, 2, 2], "not yet: places 2 and 6 of 6 are not right"),
        ([8, 3, 4, 1, 2, 1], [8, 4, 4], "not yet: the answer is not right"),
        (
            {"A": "softmax", "C": "causal_mask"},
            {"A": "softmax", "C": "mask"},
            "not yet: C is not right",
        ),
        (
            [2, 3, 4],
            {2, 3, 4},
            "not yet: a set came back, wanted a list: write [ ] in place of { }",
        ),
    ],
)
def test_answer_without_points_says_which_place_is_wrong(right, given, says, book):
    book["free"] = answers.sealed("free", right, graded=False)
    assert answers.remark("free", right) == ""
    assert answers.remark("free", given) == says
