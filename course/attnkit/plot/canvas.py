"""What all pictures share: colours, the reading of arrays, and paper to draw on.

Figures are made without pyplot: no window opens and the reader's own pyplot state stays as it is.
matplotlib is imported inside functions, so that importing the kit stays quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

Array = npt.NDArray[np.float64]

INK, PALE = "#262626", "#8a8a8a"
ACCENT = "#d55e00"
# Okabe and Ito's colours: told apart with every common kind of colour vision.
BLUE = "#0072b2"
LINES = (BLUE, ACCENT, "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
SIZE = 10.0
WIDEST = 9.0


def colours() -> Colormap:
    """The course's one colour map: pale to dark blue, ordered by lightness alone."""
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("ink", colormaps["Blues"](np.linspace(0.02, 0.92, 64)))


def numbers_of(who: str, thing: Any) -> Array:
    """A float64 copy of the numbers in a Value, an array or nested lists of them."""
    if isinstance(thing, list | tuple):
        thing = [numbers_of(who, each) for each in thing]
    if thing is None:
        raise ValueError(
            f"plot.{who} got None, wanted numbers: no gradient arrived, or a return is missing."
        )
    data = thing if isinstance(thing, np.ndarray) else getattr(thing, "data", thing)
    try:
        return np.array(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"plot.{who} got {type(thing).__name__}, wanted numbers: pass a Value or an array."
        ) from None


def matrix(who: str, thing: Any, columns: int | None = None) -> Array:
    """The numbers as a non-empty array (rows, columns), with as many columns as are asked for."""
    array = numbers_of(who, thing)
    if array.ndim != 2 or array.size == 0 or columns not in (None, array.shape[1]):
        wanted = f"(rows, {'columns' if columns is None else columns})"
        advice = "write a[None, :] to show one row" if array.ndim == 1 else "print its .shape"
        raise ValueError(f"plot.{who} got shape {array.shape}, wanted {wanted}: {advice}.")
    return array


def labels(who: str, given: Sequence[object] | None, count: int, of: str = "rows") -> list[str]:
    """One text for each of `count` things: those given, else their numbers from 0."""
    texts = [str(text) for text in (range(count) if given is None else given)]
    if len(texts) != count:
        raise ValueError(f"plot.{who} got {len(texts)} labels for {count} {of}: give one for each.")
    return texts


def paper(
    *sizes: tuple[float, float], gap: float = 0.9, lead: float = 0.9, columns: int | None = None
) -> list[Axes]:
    """One Axes for each (width, height) in inches, left to right, in lines at most WIDEST wide.

    With `columns`, in lines of so many. `gap` lies between columns and `lead` between lines.
    Labels lie outside these boxes: `show` cuts the picture where the ink ends.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    places, x, top, tallest = [], 0.0, 0.0, 0.0
    for i, (width, height) in enumerate(sizes):
        if i and (i % columns == 0 if columns else x + width > WIDEST):
            x, top, tallest = 0.0, top + tallest + lead, 0.0
        places.append((x, top, width, height))
        x, tallest = x + width + gap, max(tallest, height)
    right, bottom = max(x + width for x, _, width, _ in places), top + tallest
    figure = Figure(figsize=(right, bottom), facecolor="white")
    FigureCanvasAgg(figure)
    return [
        figure.add_axes((x / right, 1 - (y + height) / bottom, width / right, height / bottom))
        for x, y, width, height in places
    ]


def box_inches(ax: Axes) -> tuple[float, float]:
    """Width and height of an Axes in inches."""
    box = ax.get_window_extent()
    dpi = ax.figure.dpi
    return box.width / dpi, box.height / dpi


def headline(ax: Axes, title: str | None, pad: float = 10.0) -> None:
    """Nothing; writes the title, where there is one."""
    if title is not None:
        ax.set_title(title, fontsize=SIZE + 1, color=INK, pad=pad)
