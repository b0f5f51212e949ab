"""Rows of the table of damage: whole files, their names and places."""

from __future__ import annotations

import json
import os
from pathlib import Path

from damage import LESSON, RIGHT, WRONG, Damage, case, code, handed, rejected, save

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
rejected("UTF-16", "is UTF-16")(lambda folder: save(folder, json.dumps(handed()).encode("utf-16")))
rejected("UTF-16 without a mark", "is UTF-16")(
    lambda folder: save(folder, json.dumps(handed()).encode("utf-16-le"))
)
rejected("nbformat 3", "has notebook format 3")(
    lambda folder: save(folder, {"nbformat": 3, "worksheets": [{"cells": []}]})
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
case("Latin-1 in a comment", "repaired", 5, "not UTF-8")(
    lambda folder: save(
        folder, json.dumps(handed(RIGHT + "# für"), ensure_ascii=False).encode("latin-1")
    )
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


for minor in range(6):
    case(f"nbformat 4.{minor}", "ok", 5)(_in_format(minor))


@rejected("a link", "is a link")
def _(folder: Path) -> None:
    (folder / f"{LESSON}.ipynb").symlink_to(save(folder.parent, handed(), "elsewhere.ipynb"))


@rejected("a link to nothing", "is a link")
def _(folder: Path) -> None:
    (folder / f"{LESSON}.ipynb").symlink_to("/nowhere")


@rejected("a hard link", "hard link")
def _(folder: Path) -> None:
    os.link(save(folder.parent, handed(), "elsewhere.ipynb"), folder / f"{LESSON}.ipynb")


rejected("a pipe", "is a pipe")(lambda folder: os.mkfifo(folder / f"{LESSON}.ipynb"))
rejected("a folder named like the notebook", "is a folder")(
    lambda folder: (folder / f"{LESSON}.ipynb").mkdir()
)
rejected("a huge file", "at most 8 MB")(
    lambda folder: os.truncate(save(folder, handed()), 9 * 2**20)
)


@rejected("the learner's folder is a link", "folder is a link")
def _(folder: Path) -> None:
    folder.rmdir()
    save(folder.parent / "elsewhere", handed())
    folder.symlink_to(folder.parent / "elsewhere")


@case("a folder inside is a link", "not handed in")
def _(folder: Path) -> None:
    save(folder.parent / "elsewhere", handed())
    (folder / "deeper").symlink_to(folder.parent / "elsewhere")


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
case("a stranger", "not handed in", None, "'diary.ipynb'")(
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
