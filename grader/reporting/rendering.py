"""Rendering what a learner typed or printed so that nothing of it runs.

A class's nbgrader_config.py puts these into nbgrader's pages: its templates render Markdown
themselves and pass HTML on as it is.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

import bleach
from nbconvert.filters.markdown import markdown2html_mistune
from nbconvert.preprocessors import Preprocessor
from traitlets import Bool

from grader.notebook import Notebook

TAGS = {
    *("a", "b", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s"),
    *("span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
# A link leads out of the class folder; a picture stands in the page itself.
LINK = re.compile(r"https?://|mailto:|#")
PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")
COLOURED_CODE = re.compile(r"highlight|[a-z][a-z0-9]{0,2}")
IMAGES = ("image/png", "image/jpeg")


def markdown(source: str) -> str:
    """Return Markdown as HTML in which nothing runs and nothing is fetched.

    What cannot be rendered, such as an attachment that is not there, is shown as it was typed.
    """
    try:
        return cleaned(markdown2html_mistune(source))
    except Exception:  # one cell must not keep a whole page from being shown
        return f"<pre>{escape(source)}</pre>"


def cleaned(html: str) -> str:
    """Return `html` with harmless tags and attributes only; others stand there as text."""
    return bleach.clean(html, TAGS, _is_harmless, protocols={"http", "https", "mailto", "data"})


def _is_harmless(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return tag == "a" and LINK.match(value.strip()) is not None
    if name == "src":
        return tag == "img" and PICTURE.fullmatch(value.strip()) is not None
    if name == "class":
        return COLOURED_CODE.fullmatch(value) is not None
    return name in ("title", "alt", "open", "align", "colspan", "rowspan")


class SafeOutputs(Preprocessor):
    """nbconvert's step that leaves text, pictures and cleaned HTML of what a notebook printed."""

    def preprocess(
        self, nb: Notebook, resources: dict[str, Any]
    ) -> tuple[Notebook, dict[str, Any]]:
        """Return the notebook with harmless outputs, without widgets and attachments."""
        nb.metadata.pop("widgets", None)
        for cell in nb.cells:
            cell.pop("attachments", None)
            for output in cell.get("outputs", []):
                if "data" in output:
                    output.data = type(output.data)(_harmless(output.data))
                    output.metadata = type(output.metadata)()
        return nb, resources


def _harmless(data: dict[str, Any]) -> dict[str, Any]:
    kept = {kind: data[kind] for kind in ("text/plain", *IMAGES) if kind in data}
    html = data.get("text/html")
    return kept | ({"text/html": cleaned(html)} if isinstance(html, str) else {})


class VerdictsOnly(Preprocessor):
    """nbconvert's step that leaves of all outputs the messages of graded cells.

    Other outputs, and tracebacks, may show what a hidden test asked.
    """

    enabled = Bool(True).tag(config=True)

    def preprocess_cell(
        self, cell: Notebook, resources: dict[str, Any], index: int
    ) -> tuple[Notebook, dict[str, Any]]:
        """Return the cell with the messages of its errors, where it is a graded one."""
        if cell.cell_type == "code":
            is_graded = cell.metadata.get("nbgrader", {}).get("grade")
            cell.outputs = [_message(one) for one in cell.outputs if is_graded and "ename" in one]
        return cell, resources


def _message(error: Notebook) -> Notebook:
    error.traceback = [f"{error.ename}: {error.evalue}"]
    return error
