"""Bytes of a notebook that somebody handed in, to its cells; nothing is executed."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from grader.intake.plainfiles import Refused, shown

MOST_CELLS = 1000
MOST_TEXT = 2**18  # ten times the longest lesson; reading it costs seconds at most
CONFLICT = re.compile(r"^(<{7}|>{7})( |$)", re.MULTILINE)
SURROGATE = re.compile("[\ud800-\udfff]")


class Found(NamedTuple):
    """One cell as it was handed in; `mark` is its nbgrader metadata."""

    kind: str
    text: str
    id: str
    mark: dict[str, Any]
    tags: tuple[str, ...]

    @property
    def grade_id(self) -> str:
        """Return nbgrader's name of the cell, or nothing."""
        name = self.mark.get("grade_id")
        return name if isinstance(name, str) else ""


class Sheet(NamedTuple):
    """One notebook as it was handed in."""

    cells: tuple[Found, ...]
    kernel: str
    repairs: tuple[str, ...]


def parse(raw: bytes) -> Sheet:
    """Return the cells in `raw`; raises `Refused` with a reason a person can act on."""
    text, repairs = _decode(raw)
    document = _load(text)
    nodes, more = _nodes(document)
    repairs += more
    texts = [_text(node) for node in nodes]
    _refuse_too_much(texts)
    repairs += _repairs_of_text(texts) + _repairs_of_ids(document, nodes)
    cells = [_found(node, _clean(one)) for node, one in zip(nodes, texts, strict=True)]
    return Sheet(tuple(cells), _kernel(document), tuple(repairs))


def _decode(raw: bytes) -> tuple[str, list[str]]:
    """Return the text in `raw`: UTF-8, or what a byte-order mark or the zeros in it say."""
    encoding = json.detect_encoding(raw)
    if encoding not in ("utf-8", "utf-8-sig"):
        text = raw.decode(encoding, "replace").removeprefix("\ufeff")
        return text, [f"the file is {encoding[:6].upper()} text and was read as such"]
    repairs = []
    if raw.startswith(b"\xef\xbb\xbf"):
        repairs.append("a byte-order mark at the start of the file was dropped")
    if b"\0" in raw:
        repairs.append("NUL bytes in the file were dropped")
    raw = raw.replace(b"\0", b"")
    try:
        return raw.decode("utf-8-sig"), repairs
    except UnicodeDecodeError:
        text, line = _decode_older(raw)
        return text, [*repairs, line]


def _decode_older(raw: bytes) -> tuple[str, str]:
    """Return the text of bytes that are not UTF-8: one byte a character, or UTF-8 with damage."""
    text = raw.decode("utf-8-sig", "replace")
    if all(one == "\ufffd" for one in text if ord(one) > 127):
        try:
            return raw.decode("cp1252"), "the file is not UTF-8; it was read as Windows-1252"
        except UnicodeDecodeError:
            return raw.decode("latin-1"), "the file is not UTF-8; it was read as Latin-1"
    return text, "bytes that are not UTF-8 were replaced by question-mark signs"


def _load(text: str) -> Any:
    if not text.strip():
        raise Refused("is empty; save the notebook again and hand it in again")
    try:
        return json.loads(text, strict=False)
    except RecursionError as error:
        raise Refused("is nested too deeply to be a notebook; hand in the notebook") from error
    except ValueError as error:
        raise Refused(_broken(text, error)) from error


def _broken(text: str, error: ValueError) -> str:
    line = getattr(error, "lineno", 1)
    if mark := CONFLICT.search(text):
        at = text.count("\n", 0, mark.start()) + 1
        return f"has merge-conflict markers (line {at}); choose one side, save, hand it in again"
    if not text.lstrip().startswith("{"):
        return "is not a notebook; hand in the .ipynb file that JupyterLab saves"
    if not text.rstrip().endswith("}"):
        return f"ends in the middle (line {line}); save or download it again and hand it in again"
    return f"is broken JSON at line {line}; open it in JupyterLab, save, and hand it in again"


def _nodes(document: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the cells of format 4, or of 2 and 3, whose cells lie in worksheets."""
    if not isinstance(document, dict):
        raise Refused("is JSON but not a notebook; hand in the .ipynb file that JupyterLab saves")
    version = document.get("nbformat", 4)
    cells, repairs = document.get("cells"), []
    if not isinstance(cells, list) and isinstance(document.get("worksheets"), list):
        sheets = [_mapping(one).get("cells") for one in document["worksheets"]]
        cells = [cell for one in sheets if isinstance(one, list) for cell in one]
        repairs.append(f"notebook format {shown(version)} was read as format 4")
    elif version not in (2, 3, 4):
        raise Refused("has an unknown notebook format; save it in JupyterLab as format 4")
    if not isinstance(cells, list):
        raise Refused("is JSON but has no cells; hand in the .ipynb file that JupyterLab saves")
    if "nbformat" not in document:
        repairs.append("the file names no format; it was read as format 4")
    return [node for node in cells if isinstance(node, dict)], repairs


def _refuse_too_much(texts: list[str]) -> None:
    length = sum(map(len, texts))
    if len(texts) > MOST_CELLS or length > MOST_TEXT:
        raise Refused(
            f"has {len(texts)} cells with {length} characters; at most {MOST_CELLS} cells and "
            f"{MOST_TEXT} characters are read: delete what is not your answer"
        )


def _text(node: dict[str, Any]) -> str:
    source = node.get("source", node.get("input"))  # "input" in formats 2 and 3
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def _repairs_of_text(texts: list[str]) -> list[str]:
    text, repairs = "\n".join(texts), []
    if "\0" in text:
        repairs.append("NUL characters in the cells were dropped")
    if SURROGATE.search(text):
        repairs.append("broken characters (lone surrogates) were replaced by question-mark signs")
    if "\r" in text:
        repairs.append("carriage returns in the cells became line ends")
    return repairs


def _clean(text: str) -> str:
    text = text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    return SURROGATE.sub("\ufffd", text)


def _repairs_of_ids(document: dict[str, Any], nodes: list[dict[str, Any]]) -> list[str]:
    ids = [node["id"] for node in nodes if isinstance(node.get("id"), str)]
    repairs = []
    if len(ids) < len(nodes) and _is_since_4_5(document):
        repairs.append("cells without an id were given one")
    if len(set(ids)) < len(ids):
        repairs.append("cells that shared an id were given their own")
    return repairs


def _is_since_4_5(document: dict[str, Any]) -> bool:
    minor = document.get("nbformat_minor")
    return isinstance(minor, int) and minor >= 5


def _found(node: dict[str, Any], text: str) -> Found:
    metadata = _mapping(node.get("metadata"))
    tags = metadata.get("tags")
    return Found(
        kind=node["cell_type"] if node.get("cell_type") in ("code", "raw") else "markdown",
        text=text,
        id=node["id"] if isinstance(node.get("id"), str) else "",
        mark=_mapping(metadata.get("nbgrader")),
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
    )


def _kernel(document: dict[str, Any]) -> str:
    name = _mapping(_mapping(document.get("metadata")).get("kernelspec")).get("name")
    return name if isinstance(name, str) else ""


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
