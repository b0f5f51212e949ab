"""Does the carry-over bring the learner's own pieces, run nothing else, and say what is missing?"""

import importlib
import json
import os
import re
import sys
import time
import types
from datetime import datetime
from pathlib import Path

import pytest
from attnkit import Value, mine

SOFTMAX = "def softmax(scores):\n    return 'mine'"
STUB = 'def softmax(scores):\n    """Return it."""\n    # YOUR CODE HERE\n    raise NotImplementedError()'


def save(folder, *cells, file="03_softmax.ipynb"):
    """Write a notebook with these code cells, between two of prose."""
    prose = {"cell_type": "markdown", "source": ["# A title"]}
    code = [
        {"cell_type": "code", "source": text.splitlines(keepends=True), "outputs": []}
        for text in cells
    ]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    path.write_text(json.dumps({"cells": [prose, *code, prose], "nbformat": 4}), "utf-8")
    return path


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder that the kernel of lesson 07 runs in."""
    folder = tmp_path / "self_attention"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("ATTNKIT_MINE", raising=False)
    return folder


def carried():
    from attnkit.mine import softmax

    return softmax


def test_piece_comes_from_the_notebook_as_it_was_saved_last(here):
    save(here, SOFTMAX)
    assert carried()(None) == "mine"
    save(here, SOFTMAX.replace("mine", "changed"))
    assert carried()(None) == "changed"


def test_the_last_version_in_the_notebook_counts(here):
    save(here, SOFTMAX, SOFTMAX.replace("mine", "later"))
    assert carried()(None) == "later"


def test_saved_time_is_printed(here, capsys):
    path = save(here, SOFTMAX)
    moment = datetime(2026, 3, 1, 14, 5).timestamp()
    os.utime(path, (moment, moment))
    carried()
    assert capsys.readouterr().out.split() == (
        ["softmax", "from", "03_softmax.ipynb,", "saved", "2026-03-01", "14:05"]
    )


def test_only_imports_functions_and_classes_are_run(here, capsys):
    save(
        here,
        "import math\nprint('run')\nraise SystemExit",
        "class Helper:\n    shift = math.pi\nfor i in [1]:\n    1 / 0\ncount = 1",
        "def softmax(scores):\n    return Helper.shift\nsoftmax(print('called'))",
        "%matplotlib inline\n!ls\nwhile True: pass",
    )
    softmax = carried()
    assert softmax(None) == pytest.approx(3.141592653589793)
    assert "count" not in softmax.__globals__
    assert capsys.readouterr().out.count("\n") == 1


def test_a_function_by_another_name_is_carried(here):
    save(here, "def stable(scores):\n    return 'mine'\nsoftmax = stable")
    assert carried()(None) == "mine"
    save(here, "softmax = lambda scores: 'lambda'")
    assert carried()(None) == "lambda"


def test_a_magic_beside_the_piece_does_no_harm(here):
    save(here, f"%%time\n{SOFTMAX}\n%timeit softmax(1)")
    assert carried()(None) == "mine"


def test_an_unrelated_statement_that_fails_does_no_harm(here):
    save(here, "import no_such_module_here\ndef show(rows=words):\n    pass", SOFTMAX)
    assert carried()(None) == "mine"


def test_the_graph_stays_whole_across_the_import(here):
    save(
        here,
        "import numpy as np\nfrom attnkit import Value",
        "def softmax(s):\n    return np.exp(s)",
    )
    v = Value([0.0])
    carried()(v).backward()
    assert v.grad.tolist() == [1.0]


def test_a_traceback_shows_the_line_of_the_cell(here):
    import traceback

    save(here, "x = 1", "def softmax(scores):\n    return 1 / 0  # here")
    with pytest.raises(ZeroDivisionError) as caught:
        carried()(None)
    shown = "".join(traceback.format_exception(caught.value))
    assert '"<03_softmax.ipynb, code cell 2>", line 2' in shown and "# here" in shown


def test_folders_beside_are_searched_after_this_one(here):
    week = here.parent
    old = save(week / "week_3", SOFTMAX.replace("mine", "old"))
    save(week / "week_4", SOFTMAX.replace("mine", "new"))
    save(week / ".hidden", SOFTMAX.replace("mine", "hidden"))
    os.utime(old, (time.time() - 60,) * 2)
    assert carried()(None) == "new"
    save(here, SOFTMAX)
    assert carried()(None) == "mine"


def test_another_persons_notebook_in_a_folder_beside_is_not_run(here, monkeypatch):
    save(here.parent / "mine", SOFTMAX)
    newer = save(here.parent / "theirs", SOFTMAX.replace("mine", "theirs"))
    os.utime(newer, (time.time() + 60,) * 2)
    looked_at = Path.lstat

    def lstat(path):
        found = looked_at(path)
        owner = found.st_uid + (path.parent.name == "theirs")
        return types.SimpleNamespace(st_uid=owner)

    assert carried()(None) == "theirs"
    monkeypatch.setattr(Path, "lstat", lstat)
    assert carried()(None) == "mine"


def test_an_unwritten_piece_here_is_not_taken_from_a_folder_beside(here):
    save(here.parent / "solutions", SOFTMAX)
    save(here, STUB)
    with pytest.raises(ImportError, match=r"softmax: in 03_softmax.ipynb, .*not written yet"):
        carried()


MISSING = {
    "stub": ([STUB], "it is not written yet: write it there"),
    "written, then a stub again": ([SOFTMAX, STUB], "it is not written yet"),
    "no such function": (["x = 1"], "it is not written yet"),
    "a slip": (["def softmax(scores):\n    return (1\n"], r"line 2 of its cell is no Python \("),
    "a constant outside": (
        ["EPS = 1e-9", "def softmax(scores):\n    return EPS"],
        "it uses EPS, and only imports, functions and classes are carried over: set EPS inside",
    ),
    "an import that fails": (
        ["import no_such_module_here as m", "def softmax(scores):\n    return m"],
        "the line that makes m raised ModuleNotFoundError: .*: mend it",
    ),
    "a default that fails": (
        ["def softmax(scores, axis=AXIS):\n    return 1"],
        "the line that makes softmax raised NameError: .*AXIS.*: mend it",
    ),
}


@pytest.mark.parametrize(("cells", "says"), MISSING.values(), ids=MISSING)
def test_a_missing_piece_is_named_with_notebook_and_advice(here, cells, says, capsys):
    save(here, *cells)
    with pytest.raises(ImportError, match=says) as caught:
        carried()
    assert re.match(
        r"softmax: in 03_softmax\.ipynb, saved \d{4}-\d\d-\d\d \d\d:\d\d, ", str(caught.value)
    )
    assert str(caught.value).endswith("save the notebook, and run this cell again")
    assert capsys.readouterr().out == ""


def test_a_method_that_is_not_written_is_missing(here):
    head = "class SelfAttention:\n    def __init__(self, D):\n        self.D = D\n"
    stub = "    def forward(self, x):\n        raise NotImplementedError()"
    save(here, head + stub, file="07_self_attention.ipynb")
    with pytest.raises(ImportError, match=r"SelfAttention: in 07_self_attention.ipynb"):
        from attnkit.mine import SelfAttention
    save(
        here,
        head + stub.replace("raise NotImplementedError()", "return x"),
        file="07_self_attention.ipynb",
    )
    from attnkit.mine import SelfAttention

    assert SelfAttention(2).forward(3) == 3


def test_a_piece_may_build_on_carried_pieces(here, capsys):
    save(here, SOFTMAX)
    head = "from attnkit.mine import softmax\nclass SelfAttention:\n    forward = softmax"
    save(here, head, file="07_self_attention.ipynb")
    from attnkit.mine import SelfAttention

    assert SelfAttention().forward() == "mine"
    assert capsys.readouterr().out.count("saved") == 2


def test_of_carried_pieces_the_missing_one_is_named_and_no_other(here):
    """Lesson 10 takes SelfAttention alone; what is to be mended may be in lesson 03."""
    save(here, STUB)
    head = "class SelfAttention:\n    def forward(self, x):\n        return softmax(x)"
    save(here, "from attnkit.mine import softmax", head, file="07_self_attention.ipynb")
    with pytest.raises(ImportError, match=r"^softmax: in 03_softmax.ipynb, .* not written yet"):
        from attnkit.mine import SelfAttention  # noqa: F401


def test_a_missing_notebook_is_named_with_advice(here):
    with pytest.raises(ImportError) as caught:
        carried()
    assert str(caught.value) == (
        "softmax: 03_softmax.ipynb is neither in this folder nor in a folder beside it; put the "
        "notebook here, write softmax in it, save it, and run this cell again"
    )


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": [{}]}'])
def test_a_broken_notebook_is_named(here, text):
    (here / "03_softmax.ipynb").write_text(text)
    with pytest.raises(ImportError, match=r"03_softmax.ipynb, .* no notebook can be read"):
        carried()


def test_a_name_that_no_lesson_asks_for_is_refused(here):
    with pytest.raises(ImportError, match="cannot import name 'softmin'"):
        from attnkit.mine import softmin  # noqa: F401
    with pytest.raises(AttributeError, match=r"attnkit.mine has softmax, .*, not softmin"):
        mine.softmin  # noqa: B018


def test_a_graded_run_takes_the_named_module_and_says_so(here, monkeypatch, capsys):
    save(here, SOFTMAX)
    monkeypatch.setitem(sys.modules, "known", types.SimpleNamespace(softmax="good"))
    monkeypatch.setenv("ATTNKIT_MINE", "known")
    assert carried() == "good"
    assert "for grading" in capsys.readouterr().out


def test_the_kit_alone_names_no_grader():
    source = importlib.util.find_spec("attnkit.mine").loader.get_source("attnkit.mine")
    assert "grader" not in source.replace("graded", "")
