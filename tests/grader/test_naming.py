"""Does a verdict carry the name of the mistake, across the pipes and with known-good pieces?"""

import numpy as np
import pytest
from attnkit import Linear, Value

from grader import misconceptions
from grader.authoring import exercises, matrix
from grader.checks.interface import InProcess
from grader.judging import known_good
from grader.judging.judge import Cell, Lesson, judge_learner
from grader.misconceptions import PIECES
from grader.sandbox.walls import NONE

IDEAS = misconceptions.every()
SOME = [
    "softmax_over_columns",
    "softmax_global_maximum",
    "scores_without_transpose",
    "mask_handed_out_again",
    "mix_returns_array",
    "attend_returns_pair",
    "attend_masked_late_and_divided",
]


def judged(piece, answer):
    """The verdicts on a learner's lesson with this answer in its cell."""
    text = exercises.completed(exercises.find(piece), answer)
    cells = [Cell("first", "import math\nimport numpy as np\nfrom attnkit import Linear, Value")]
    offered = known_good.sources("07_self_attention") if piece == "SelfAttention" else {}
    if offered:
        cells.append(Cell("mine", f"from attnkit.mine import {', '.join(offered)}"))
    cells.append(Cell("answer", text))
    lesson = Lesson("lesson", cells, matrix.of(piece), offered)
    return judge_learner([lesson], "seed", NONE)["lesson"].verdicts


@pytest.mark.parametrize("name", SOME)
def test_failed_verdict_carries_the_name(name):
    one = IDEAS[name]
    verdicts = judged(one.piece, misconceptions.source(one))
    states = {check: verdict.state for check, verdict in verdicts.items()}
    assert {check for check, state in states.items() if state == "failed"} == set(
        matrix.caught(one, "seed")
    )
    for verdict in verdicts.values():
        names = (verdict.misconception or "").split(" or ")
        assert (name in names) == (verdict.state == "failed")


@pytest.mark.parametrize("piece", PIECES)
def test_right_piece_has_no_name(piece):
    verdicts = judged(piece, exercises.solved_text(exercises.find(piece)))
    assert {(verdict.state, verdict.misconception) for verdict in verdicts.values()} == {
        ("passed", None)
    }


def test_piece_that_raises_for_some_tables_keeps_its_verdicts():
    answer = "def softmax(scores):\n    return 2 * scores if len(scores) != 2 else 1 / 0"
    verdicts = judged("softmax", answer)
    assert {one.state for one in verdicts.values()} == {"failed", "passed"}


@pytest.mark.parametrize("name", [one.name for one in misconceptions.of("SelfAttention")])
def test_known_good_pieces_change_no_name(name):
    scope = {"np": np, "Value": Value, "Linear": Linear}
    scope |= {piece: getattr(known_good, piece) for piece in list(PIECES)[:4]}
    exec(misconceptions.source(IDEAS[name]), scope)
    target = misconceptions.as_class(scope["forward"])
    with np.errstate(all="ignore"):
        assert name in misconceptions.names_of("SelfAttention", InProcess(target))
        failed = {check for check in matrix.of("SelfAttention") if matrix.verdict(check, target)}
    assert failed == set(matrix.caught(IDEAS[name]))
