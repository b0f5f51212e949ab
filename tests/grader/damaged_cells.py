"""Rows of the table of damage: cells duplicated, split, deleted, moved, retyped; answers elsewhere."""

from __future__ import annotations

import copy
import textwrap
from collections.abc import Callable
from typing import Any

from damage import (
    BODY,
    HEAD,
    LESSON,
    PLACE,
    RELEASE,
    RIGHT,
    WRONG,
    Json,
    cell,
    code,
    edited,
    handed,
)


def _copy_of(notebook: Json, name: str, **more: Any) -> Json:
    return copy.deepcopy(cell(notebook, name)) | more


@edited("a test twice", "repaired", 5, "softmax_sums: more than once in the file")
def _(notebook: Json) -> None:
    notebook["cells"].append(_copy_of(notebook, "softmax_sums", id="again"))


@edited("an untouched copy below the answer", "repaired", 5, "softmax: more than once")
def _(notebook: Json) -> None:
    stub = RELEASE[LESSON].cells[PLACE["softmax"]].source
    notebook["cells"].insert(PLACE["seen"], _copy_of(notebook, "softmax", id="again", source=stub))


@edited("a wrong version, then a right one", "repaired", 5, "last version that defines")
def _(notebook: Json) -> None:
    wrong = _copy_of(notebook, "softmax", id="again", source=WRONG)
    notebook["cells"].insert(PLACE["softmax"], wrong)


def _versions(notebook: Json, *texts: str, kinds: str = "ccc") -> None:
    """Put the first version in its place, the next before the last check, the third at the end."""
    cell(notebook, "softmax")["source"] = texts[0]
    for number, (text, kind) in enumerate(zip(texts[1:], kinds[1:], strict=False)):
        kind = {"c": "code", "m": "markdown"}[kind]
        again = _copy_of(notebook, "softmax", id=f"again-{number}", source=text, cell_type=kind)
        notebook["cells"].insert(PLACE["softmax_values"] + 2 * number, again)


LAST = "the last version that defines what is asked counts"
PASSED_OVER = f"{LAST}; a later one is no Python code"
BROKEN = RIGHT.replace("):", ")")

for title, told, points, texts, kinds in (
    ("a right version among the checks", LAST, 5, (WRONG, RIGHT), "cc"),
    ("a wrong version among the checks", LAST, 0, (RIGHT, WRONG), "cc"),
    ("three versions, the last is right", LAST, 5, (WRONG, WRONG, RIGHT), "ccc"),
    ("three versions, the last is wrong", LAST, 0, (RIGHT, RIGHT + "# 2", WRONG), "ccc"),
    ("the second of three is right", LAST, 0, (WRONG, RIGHT, WRONG + "# 3"), "ccc"),
    ("an empty version among the checks", LAST, 5, (RIGHT, ""), "cc"),
    ("a broken version among the checks", PASSED_OVER, 5, (RIGHT, BROKEN), "cc"),
    ("an older version kept as Markdown", PASSED_OVER, 5, (RIGHT, WRONG), "cm"),
    ("a broken version before a right one", LAST, 5, (BROKEN, RIGHT), "cc"),
    ("a version with a magic", LAST, 5, (WRONG, "%matplotlib inline\n" + RIGHT), "cc"),
):
    edited(title, "repaired", points, f"softmax: more than once in the file; {told}")(
        lambda notebook, texts=texts, kinds=kinds: _versions(notebook, *texts, kinds=kinds)
    )


@edited("an older version without metadata, a right one at the end", "repaired", 5, LAST)
def _(notebook: Json) -> None:
    _versions(notebook, WRONG, RIGHT)
    notebook["cells"].insert(PLACE["softmax_sums"], code(WRONG + "# again"))


@edited("no version in its place, two in other cells", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    notebook["cells"].insert(PLACE["softmax_values"], code(WRONG))
    notebook["cells"].append(code(RIGHT))


@edited("a version in an extra cell above the checks", "repaired", 5, "defined again in a cell")
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = WRONG
    notebook["cells"].insert(PLACE["seen"], code(RIGHT))


@edited("a version in an extra cell between the checks", "repaired", 2, "defined again in a cell")
def _(notebook: Json) -> None:
    notebook["cells"].insert(PLACE["softmax_values"], code(WRONG))


@edited("an answer that is defined twice in one cell", "ok", 5)
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = WRONG + RIGHT


@edited("a copy started for something else", "repaired", 5, "softmax: more than once")
def _(notebook: Json) -> None:
    other = _copy_of(notebook, "softmax", id="again", source="def twice(x):\n    return 2 * x")
    notebook["cells"].append(other)


@edited("answer split, metadata in both", "repaired", 5, "split in two were joined")
def _(notebook: Json) -> None:
    rest = _copy_of(notebook, "softmax", id="again", source=BODY)
    cell(notebook, "softmax")["source"] = HEAD
    notebook["cells"].insert(PLACE["softmax"] + 1, rest)


@edited("answer split, metadata in the first", "repaired", 5, "split in two were joined")
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = HEAD
    notebook["cells"].insert(PLACE["softmax"] + 1, code(BODY))


@edited("split before the function", "repaired", 5, "answer in another cell")
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = "def exps(s):\n    return np.exp(s)"
    notebook["cells"].insert(PLACE["softmax"] + 1, code(RIGHT.replace("np.exp", "exps")))


@edited("a test split", "repaired", 5, "softmax_sums: more than once")
def _(notebook: Json) -> None:
    notebook["cells"].insert(
        PLACE["softmax_values"], _copy_of(notebook, "softmax_sums", id="again", source="# rest")
    )


def _without(notebook: Json, *names: str) -> None:
    notebook["cells"] = [one for one in notebook["cells"] if one["id"] not in names]


@edited("a test deleted", "repaired", 5, "softmax_sums: not in the file")
def _(notebook: Json) -> None:
    _without(notebook, "softmax_sums")


@edited("the answer deleted", "repaired", 0, "softmax: not in the file")
def _(notebook: Json) -> None:
    _without(notebook, "softmax")


@edited("a given cell deleted", "repaired", 5, "given code cells")
def _(notebook: Json) -> None:
    _without(notebook, "given")


@edited("all cells deleted", "repaired", 0, "softmax, softmax_sums, softmax_values: not in the")
def _(notebook: Json) -> None:
    notebook["cells"] = []


@edited("prose deleted", "ok", 5)
def _(notebook: Json) -> None:
    _without(notebook, "softmax-title")


@edited("the answer moved below the tests", "repaired", 5, "softmax: moved")
def _(notebook: Json) -> None:
    notebook["cells"].append(notebook["cells"].pop(PLACE["softmax"]))


@edited("cells upside down", "repaired", 5, "moved; put back")
def _(notebook: Json) -> None:
    notebook["cells"].reverse()


for kind in ("markdown", "raw"):

    @edited(f"the answer as {kind}", "repaired", 5, "softmax: turned into another kind")
    def _(notebook: Json, kind: str = kind) -> None:
        cell(notebook, "softmax")["cell_type"] = kind

    @edited(f"the answer as {kind}, metadata lost", "repaired", 5, "softmax: turned into another")
    def _(notebook: Json, kind: str = kind) -> None:
        cell(notebook, "softmax").update(cell_type=kind, metadata={}, id="n1")

    @edited(f"a test as {kind}", "repaired", 5, "softmax_sums: turned into another kind")
    def _(notebook: Json, kind: str = kind) -> None:
        cell(notebook, "softmax_sums")["cell_type"] = kind


for test in ("10", "# 100 points: each row adds up to 1"):

    @edited(f"a test edited to {test[:12]}", "repaired", 5, "softmax_sums: edited although locked")
    def _(notebook: Json, test: str = test) -> None:
        cell(notebook, "softmax_sums")["source"] = test


def _elsewhere(place: int) -> Callable[[Json], object]:
    def change(notebook: Json) -> None:
        notebook |= handed(None)
        notebook["cells"].insert(place, code(RIGHT))

    return change


for title, place in (
    ("above it", PLACE["softmax"]),
    ("below it", PLACE["seen"]),
    ("below the tests", 7),
):
    edited(f"the answer in a cell {title}", "repaired", 5, "softmax: left open")(_elsewhere(place))


@edited("the answer with import and decorator below", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    helper = "import numpy\ndef rowwise(f):\n    return lambda s: numpy.array([f(r) for r in s])\n"
    row = "def softmax(row):\n    return numpy.exp(row) / numpy.exp(row).sum()"
    notebook["cells"].append(code(f"1 + 1\n{helper}\n@rowwise\n{row}"))


@edited("the answer as a lambda below", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    text = "softmax = lambda s: np.exp(s) / np.exp(s).sum(axis=1, keepdims=True)"
    notebook["cells"].append(code(text))


@edited("the answer indented as a whole", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    notebook["cells"].insert(3, code("def first():\n    return 1"))
    notebook["cells"].append(code(textwrap.indent(RIGHT, "    ")))


@edited("the answer in a test cell", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    cell(notebook, "softmax_sums")["source"] = RIGHT


@edited("the answer below a magic", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    notebook["cells"].insert(2, code("%matplotlib inline\n" + RIGHT))


@edited("helper functions in other cells", "ok", 5)
def _(notebook: Json) -> None:
    notebook["cells"].insert(2, code("def exps(s):\n    return np.exp(s)"))
    cell(notebook, "softmax")["source"] = RIGHT.replace("np.exp", "exps")


@edited("a helper in a picture cell", "ok", 5)
def _(notebook: Json) -> None:
    cell(notebook, "seen")["source"] = "def exps(s):\n    return np.exp(s)"
    cell(notebook, "softmax")["source"] = RIGHT.replace("np.exp", "exps")


@edited("a leftover raise under the answer", "ok", 5)
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = RIGHT + "    raise NotImplementedError()"


@edited("a syntax error", "ok", 0)
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = RIGHT.replace("):", ")")


@edited("the text deleted, the cell left", "ok", 0)
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = ""


for text in ("input()", "%reset -f", "%matplotlib inline", "!ls", "%%bash\nls", "np?"):

    @edited(f"a cell with {text.splitlines()[0]}", "ok", 5)
    def _(notebook: Json, text: str = text) -> None:
        notebook["cells"].append(code(text))
