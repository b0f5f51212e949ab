"""Rows of the table of damage: whole files, their names and places."""

from __future__ import annotations

import json
import os
from pathlib import Path

from damage import LESSON, RIGHT, WRONG, Damage, Json, case, cell, code, handed, rejected, save

case("right", "ok", 5)(lambda folder: save(folder, handed()))
case("wrong", "ok", 0)(lambda folder: save(folder, handed(WRONG)))
case("untouched", "ok", 0)(lambda folder: save(folder, handed(None)))
case("nothing", "not handed in")(lambda folder: None)
case("no folder at all", "not handed in")(lambda folder: folder.rmdir())


rejected("empty file", "is empty")(lambda folder: save(folder, b""))
rejected("blank file", "is empty")(lambda folder: save(folder, b" \n\n"))
rejected("truncated", "ends in the middle (line ")(
    lambda folder: save(folder, json.dumps(handed(), indent=1)[:900])
)
rejected("broken JSON", "is broken JSON at line 1")(lambda folder: save(folder, '{"cells": [}'))
rejected("a web page", "is not a notebook")(lambda folder: save(folder, "<html>Log in</html>"))
rejected("JSON of something else", "has no cells")(lambda folder: save(folder, '{"a": 1}'))
rejected("a JSON list", "not a notebook")(lambda folder: save(folder, "[]"))
rejected("nested too deeply", "nested too deeply")(
    lambda folder: save(folder, '{"cells": ' + "[" * 10**5 + "]" * 10**5 + "}")
)
rejected("3,000 cells", "at most 1000 cells")(
    lambda folder: save(folder, {"nbformat": 4, "cells": [code("x")] * 3000})
)
for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
    case(encoding, "repaired", 5, f"the file is {encoding[:6].upper()} text")(
        lambda folder, encoding=encoding: save(
            folder, json.dumps(handed(RIGHT + "# für 学生"), ensure_ascii=False).encode(encoding)
        )
    )
rejected("nbformat 5", "unknown notebook format")(
    lambda folder: save(folder, handed() | {"nbformat": 5})
)
rejected("merge conflict in the file", "has merge-conflict markers (line 2)")(
    lambda folder: save(folder, '{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> b\n}')
)
case("byte-order mark", "repaired", 5, "byte-order mark")(
    lambda folder: save(folder, json.dumps(handed()).encode("utf-8-sig"))
)
case("raw tabs in the cells", "ok", 5)(
    lambda folder: save(folder, json.dumps(handed(RIGHT + "#\t")).replace("\\t", "\t"))
)
case("CRLF in the file", "ok", 5)(
    lambda folder: save(folder, json.dumps(handed(), indent=1).replace("\n", "\r\n"))
)
case("NUL bytes at the end", "repaired", 5, "NUL bytes")(
    lambda folder: save(folder, json.dumps(handed()).encode() + b"\0" * 512)
)
for encoding in ("latin-1", "cp1252"):
    case(f"a name in {encoding}", "repaired", 5, "not UTF-8; it was read as Windows-1252")(
        lambda folder, encoding=encoding: save(
            folder,
            json.dumps(handed(RIGHT.replace("e =", "größe =").replace("e /", "größe /")
                              .replace("e.sum", "größe.sum")), ensure_ascii=False).encode(encoding),
        )
    )  # fmt: skip
case("a byte of UTF-8 damaged", "repaired", 5, "replaced by question-mark signs")(
    lambda folder: save(
        folder,
        json.dumps(handed(RIGHT + "# für 学生"), ensure_ascii=False)
        .encode()
        .replace(b"f\xc3", b"f"),
    )
)


def _old(notebook: Json, version: int) -> Json:
    """Return `notebook` as IPython saved it in format 2 or 3."""
    cells = [
        one | ({"input": one["source"], "prompt_number": 1} if one["cell_type"] == "code" else {})
        for one in notebook["cells"]
    ]
    for one in cells:
        one.pop("id")
        if one["cell_type"] == "code":
            one.pop("source")
    title = {"cell_type": "heading", "level": 1, "source": "Softmax", "metadata": {}}
    sheets = [{"cells": [title, *cells[:3]]}, {"cells": cells[3:]}]
    return {"nbformat": version, "nbformat_minor": 0, "metadata": {}, "worksheets": sheets}


for version in (2, 3):
    case(f"nbformat {version}", "repaired", 5, f"notebook format {version} was read as format 4")(
        lambda folder, version=version: save(folder, _old(handed(), version))
    )
rejected("worksheets that are none", "has no cells")(
    lambda folder: save(folder, {"nbformat": 3, "worksheets": {"cells": []}})
)
case("no format number", "repaired", 5, "names no format")(
    lambda folder: save(folder, {key: one for key, one in handed().items() if key != "nbformat"})
)


def _in_format(minor: int) -> Damage:
    def damage(folder: Path) -> Path:
        notebook = handed() | {"nbformat_minor": minor}
        if minor < 5:
            for one in notebook["cells"]:
                del one["id"]
        return save(folder, notebook)

    return damage


for minor in (*range(6), 6, 99):
    case(f"nbformat 4.{minor}", "ok", 5)(_in_format(minor))


@rejected("a link", "is a link")
def _(folder: Path) -> None:
    (folder / f"{LESSON}.ipynb").symlink_to(save(folder.parents[1], handed(), "elsewhere.ipynb"))


@rejected("a link to nothing", "is a link")
def _(folder: Path) -> None:
    (folder / f"{LESSON}.ipynb").symlink_to("/nowhere")


@rejected("a hard link", "hard link")
def _(folder: Path) -> None:
    os.link(save(folder.parents[1], handed(), "elsewhere.ipynb"), folder / f"{LESSON}.ipynb")


rejected("a pipe", "is a pipe")(lambda folder: os.mkfifo(folder / f"{LESSON}.ipynb"))
rejected("a folder named like the notebook", "is a folder")(
    lambda folder: (folder / f"{LESSON}.ipynb").mkdir()
)
rejected("a huge file", "at most 64 MB")(
    lambda folder: os.truncate(save(folder, handed()), 65 * 2**20)
)
rejected("9 MB that are no outputs", "has 9.0 MB; at most 8 MB")(
    lambda folder: save(folder, handed(RIGHT + "# " + "x" * 9 * 2**20))
)
rejected("outputs in too many parts", "outputs in too many parts")(
    lambda folder: save(folder, '{"cells": [{"outputs": [' + "[]," * (3 * 2**20) + "[]]}]}")
)


def _printed(text: object, megabytes: int) -> Damage:
    def damage(folder: Path) -> None:
        notebook = handed()
        output = {"output_type": "stream", "name": "stdout", "text": text}
        cell(notebook, "softmax")["outputs"] = [output]
        cell(notebook, "softmax-title")["attachments"] = {"a]": {"image/png": '"}' * 100}}
        notebook["metadata"]["widgets"] = {"state": {"outputs": [1, "]"]}}
        assert save(folder, notebook).stat().st_size > megabytes * 2**20

    return damage


case("20 MB of outputs", "ok", 5)(_printed(['a "line" ]\n'] * 10**6, 20))
case("60 MB of outputs", "ok", 5)(_printed("x" * 60 * 2**20, 60))
case("20 MB of outputs in UTF-16", "repaired", 5, "UTF-16")(
    lambda folder: save(
        folder,
        json.dumps(handed() | {"metadata": {"widgets": {"a": "é" * 2 * 10**6}}}).encode("utf-16"),
    )
)


@rejected("the learner's folder is a link", "folder is a link")
def _(folder: Path) -> None:
    folder.rmdir()
    save(folder.parents[1] / "elsewhere", handed())
    folder.symlink_to(folder.parents[1] / "elsewhere")


@case(
    "a folder inside is a link", "nothing recognised", None, "'self_attention/deeper' (is a link)"
)
def _(folder: Path) -> None:
    save(folder.parents[1] / "elsewhere", handed())
    (folder / "deeper").symlink_to(folder.parents[1] / "elsewhere")


@rejected("the learner's folder is a file", "folder is a file")
def _(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("")


for odd in (
    f"{LESSON} (1).ipynb",
    f"{LESSON}-Copy1.ipynb",
    f"Ada_Lovelace_81_assignsubmission_file_{LESSON}.ipynb",
    "03-Softmax.ipynb.txt",
    f"{LESSON}.json",
    "my work.ipynb",
):
    case(f"named {odd}", "repaired", 5, "was handed in as")(
        lambda folder, odd=odd: save(folder, handed(), odd)
    )
case("one folder too deep", "repaired", 5, "self_attention/03_softmax.ipynb")(
    lambda folder: save(folder / "self_attention", handed())
)
case("in a folder named like the notebook", "repaired", 5, "is a folder")(
    lambda folder: save(folder / f"{LESSON}.ipynb", handed())
)
case("only a checkpoint", "not handed in")(
    lambda folder: save(folder / ".ipynb_checkpoints", handed())
)
case("a stranger", "nothing recognised", None, "'self_attention/diary.ipynb'")(
    lambda folder: save(folder, handed() | {"cells": []}, "diary.ipynb")
)


@case("another notebook beside it", "ok", 5)
def _(folder: Path) -> None:
    save(folder, handed())
    save(folder, handed() | {"cells": [code("1 + 1")]}, "diary.ipynb")


@case("the lesson under another lesson's name", "repaired", 5, "'05_causal_mask.ipynb'")
def _(folder: Path) -> None:
    save(folder, handed(), "05_causal_mask.ipynb")


@case("untouched, and a filled copy", "repaired", 5, "'03_softmax (1).ipynb' counts, with 1")
def _(folder: Path) -> None:
    save(folder, handed(None))
    save(folder, handed(), f"{LESSON} (1).ipynb")


@case("two filled copies", "repaired", 5, "'03_softmax.ipynb' counts, with 1")
def _(folder: Path) -> None:
    save(folder, handed())
    save(folder, handed(WRONG), f"{LESSON} (1).ipynb")


@case("an empty file, and a filled copy", "repaired", 5, "is empty")
def _(folder: Path) -> None:
    save(folder, b"")
    save(folder, handed(), f"{LESSON} (1).ipynb")


@case("a module that shadows NumPy", "repaired", 5, "numpy.py beside the notebook is not used")
def _(folder: Path) -> None:
    save(folder, handed())
    save(folder, "raise SystemExit", "numpy.py")


@case("the kit beside it, changed", "ok", 5)
def _(folder: Path) -> None:
    save(folder, handed())
    save(folder, "raise SystemExit", "attnkit/__init__.py")


for when in ("2026-01-01 00:00:00 UTC", "2999-01-01 00:00:00 UTC", "soon", None):

    @case(f"timestamp.txt: {when or 'none'}", "ok", 5)
    def _(folder: Path, when: str | None = when) -> None:
        save(folder, handed())
        if when:
            save(folder, when, "timestamp.txt")
