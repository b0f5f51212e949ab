"""Showing a picture in a notebook, with words for those who cannot see it."""

from __future__ import annotations

import base64
import html
import io
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Twice the density of a plain screen; the page is told the plain width.
PIXELS_PER_INCH, SCREEN_PIXELS_PER_INCH = 192, 96


def show(picture: Axes | Figure, text: str) -> None:
    """Nothing; shows the picture with `text` as its alternative text and prints `text`."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"plot.show got {text!r} as text, wanted a sentence: say what is seen.")
    figure = _figure_of(picture)
    _display(png(figure), text)
    print(text)
    _close(figure)


def png(picture: Axes | Figure) -> bytes:
    """The picture as PNG, the same bytes for the same picture."""
    stream = io.BytesIO()
    _figure_of(picture).savefig(
        stream,
        format="png",
        dpi=PIXELS_PER_INCH,
        bbox_inches="tight",
        pad_inches=0.08,
        facecolor="white",
        metadata={"Software": None},
    )
    return stream.getvalue()


def _figure_of(picture: Any) -> Figure:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    figure = picture.figure.figure if isinstance(picture, Axes | Figure) else None
    if not isinstance(figure, Figure):
        raise ValueError(
            f"plot.show got {type(picture).__name__}, wanted a picture: pass what plot drew."
        )
    return figure


def _display(image: bytes, text: str) -> None:
    """Nothing; HTML, because JupyterLab gives an image/png output no alternative text."""
    ipython = sys.modules.get("IPython")
    if ipython is None or ipython.get_ipython() is None:
        return
    width = int.from_bytes(image[16:20]) * SCREEN_PIXELS_PER_INCH // PIXELS_PER_INCH
    source = base64.b64encode(image).decode("ascii")
    tag = f'<img alt="{html.escape(text)}" width="{width}" src="data:image/png;base64,{source}">'
    ipython.display.display({"text/html": tag, "text/plain": "[picture]"}, raw=True)


def _close(figure: Figure) -> None:
    """Nothing; pyplot forgets the figure, if it was pyplot's: else it would show it once more."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close(figure)
