"""Rows of the table of damage: characters, ids and metadata of a right notebook."""

from __future__ import annotations

from damage import (
    BODY,
    HEAD,
    RIGHT,
    Json,
    cell,
    edited,
    handed,
)


@edited("CRLF in the cells", "repaired", 5, "carriage returns")
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = RIGHT.replace("\n", "\r\n")


@edited("NUL characters in a cell", "repaired", 5, "NUL characters")
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = RIGHT + "# \0"


@edited("a lone surrogate in a cell", "repaired", 5, "lone surrogates")
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = RIGHT + "# \ud83d"


@edited("merge conflict in a cell", "repaired", 0, "merge-conflict markers")
def _(notebook: Json) -> None:
    text = HEAD + f"<<<<<<< HEAD\n{BODY}=======\n    return 1\n>>>>>>> branch\n"
    cell(notebook, "softmax")["source"] = text


@edited("lines as a list", "ok", 5)
def _(notebook: Json) -> None:
    cell(notebook, "softmax")["source"] = RIGHT.splitlines(keepends=True)


@edited("no cell ids", "repaired", 5, "without an id")
def _(notebook: Json) -> None:
    for one in notebook["cells"]:
        del one["id"]


@edited("one id for all cells", "repaired", 5, "shared an id")
def _(notebook: Json) -> None:
    for one in notebook["cells"]:
        one["id"] = "same"


@edited("metadata stripped", "repaired", 5, "nbgrader metadata lost")
def _(notebook: Json) -> None:
    for one in notebook["cells"]:
        one["metadata"] = {}


@edited("metadata and ids stripped", "repaired", 5, "nbgrader metadata lost")
def _(notebook: Json) -> None:
    for number, one in enumerate(notebook["cells"]):
        one |= {"metadata": {}, "id": f"n{number}"}


@edited("metadata, ids stripped, untouched", "repaired", 0, "nbgrader metadata lost")
def _(notebook: Json) -> None:
    notebook |= handed(None)
    for number, one in enumerate(notebook["cells"]):
        one |= {"metadata": {}, "id": f"n{number}"}


@edited("metadata of another assignment", "repaired", 5, "nbgrader metadata lost")
def _(notebook: Json) -> None:
    for number, one in enumerate(notebook["cells"]):
        one["id"] = f"n{number}"
        if mark := one["metadata"].get("nbgrader"):
            mark["grade_id"] = f"hw1-{number}"


@edited("metadata of two answers swapped", "repaired", 5, "softmax_row, softmax: nbgrader metadata")
def _(notebook: Json) -> None:
    row, mine = cell(notebook, "softmax_row"), cell(notebook, "softmax")
    row["source"] = RIGHT.replace("softmax", "softmax_row")
    row["source"], mine["source"] = mine["source"], row["source"]


@edited("metadata of answer and test swapped", "repaired", 5, "softmax: left open")
def _(notebook: Json) -> None:
    mine, test = cell(notebook, "softmax"), cell(notebook, "softmax_sums")
    mine["metadata"], test["metadata"] = test["metadata"], mine["metadata"]


for old in (1, 2):

    @edited(f"nbgrader schema {old}", "repaired", 5, "metadata of another version")
    def _(notebook: Json, old: int = old) -> None:
        for one in notebook["cells"]:
            if mark := one["metadata"].get("nbgrader"):
                del mark["task"]
                mark["schema_version"] = old


@edited("points changed", "repaired", 5, "softmax_sums: points or nbgrader settings changed")
def _(notebook: Json) -> None:
    cell(notebook, "softmax_sums")["metadata"]["nbgrader"]["points"] = 100


@edited("a test made a solution cell", "repaired", 5, "settings changed")
def _(notebook: Json) -> None:
    cell(notebook, "softmax_sums")["metadata"]["nbgrader"] |= {"grade": False, "solution": True}


@edited("a tag that skips the test", "repaired", 5, "softmax_sums: tags dropped")
def _(notebook: Json) -> None:
    cell(notebook, "softmax_sums")["metadata"]["tags"] = ["skip-execution"]


@edited("another kernel", "repaired", 5, "the kernel 'ir'")
def _(notebook: Json) -> None:
    notebook["metadata"]["kernelspec"]["name"] = "ir"


@edited("no kernel", "repaired", 5, "no kernel")
def _(notebook: Json) -> None:
    notebook["metadata"] = {}
