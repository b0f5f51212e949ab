"""Grids of numbers: heat maps, and several of them side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import (
    ACCENT,
    INK,
    SIZE,
    Array,
    box_inches,
    colours,
    headline,
    labels,
    matrix,
    numbers_of,
    paper,
)
from .numerals import masked_cells, numerals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MASKED, HATCH = "#efefef", "#d8d8d8"
CELL, SMALLEST_WITH_NUMBERS = 0.62, 0.36


def heatmap(
    numbers: Any,
    *,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    title: str | None = None,
    row_name: str | None = None,
    column_name: str | None = None,
    row_sums: bool = False,
    fractions: bool = False,
    digits: int = 2,
    limits: tuple[float, float] | None = None,
    outlined: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of a grid with a number in each cell, darker where it is larger.

    `limits` are the numbers of the palest and the darkest cell: (0, 1) where all lie between.
    Masked cells (-1e9, -inf) and nan are grey and do not count for the colours.
    `outlined` is a mask of the cells to frame.
    """
    array = matrix("heatmap", numbers)
    row_texts = labels("heatmap", rows, array.shape[0], "rows")
    column_texts = labels("heatmap", columns, array.shape[1], "columns")
    ax = ax or paper(size_of(array.shape))[0]
    draw_sides(ax, row_texts, column_texts, row_name, column_name)
    draw_cells(ax, array, numerals(array, digits, fractions), limits)
    headline(ax, title)
    if row_sums:
        draw_sums(ax, array, digits, fractions)
    return ax if outlined is None else outline(ax, outlined)


def size_of(shape: tuple[int, ...], widest: float = 7.4) -> tuple[float, float]:
    """Width and height in inches of a grid of this shape (rows, columns)."""
    cell = min(CELL, widest / max(shape))
    return cell * shape[1], cell * shape[0]


def outline(ax: Axes, mask: Any) -> Axes:
    """The same Axes, with a frame around each cell where the mask (rows, columns) is true."""
    from matplotlib.patches import Rectangle

    for row, column in np.argwhere(numbers_of("outline", mask) != 0):
        box = (column - 0.44, row - 0.44)
        ax.add_patch(Rectangle(box, 0.88, 0.88, fill=False, edgecolor=ACCENT, linewidth=2.2))
    return ax


def grids(pictures: Mapping[str, Any], *, columns: Any = None, **options: Any) -> Figure:
    """A Figure with one heat map for each title and its numbers; options as in `heatmap`.

    `columns` may be a dict that names the columns of some titles only.
    """
    if not pictures:
        raise ValueError("plot.grids got no table, wanted at least one: see what should give it.")
    arrays = {title: matrix("grids", numbers) for title, numbers in pictures.items()}
    gap = room_for(options.get("rows")) + (0.5 if options.get("row_sums") else 0.0)
    names = columns if isinstance(columns, Mapping) else dict.fromkeys(arrays, columns)
    lead = 0.3 + max(map(room_for, names.values()), default=0.0)
    axes = paper(*(size_of(array.shape, 3.6) for array in arrays.values()), gap=gap, lead=lead)
    for ax, (title, array) in zip(axes, arrays.items(), strict=True):
        heatmap(array, title=title, columns=names.get(title), ax=ax, **options)
    return axes[0].figure  # type: ignore[return-value]


def compare(yours: Any, expected: Any, **options: Any) -> Figure:
    """A Figure of two heat maps side by side, each cell that differs framed in both.

    Arrays of different shapes are framed whole. A single row or number is shown as a grid.
    """
    mine, wanted = (np.atleast_2d(numbers_of("compare", each)) for each in (yours, expected))
    differs = _differing(mine, wanted)
    titles = ("yours", "expected")
    if mine.shape != wanted.shape:
        titles = (f"yours {mine.shape}", f"expected {wanted.shape}")
        options = {**options, "rows": None, "columns": None}
    options.setdefault("limits", _span(mine, wanted))
    figure = grids({titles[0]: mine, titles[1]: wanted}, **options)
    for ax, mask in zip(figure.axes, differs, strict=True):
        outline(ax, mask)
    return figure


def room_for(texts: Sequence[object] | None) -> float:
    """The inches to leave between two grids for the labels of one of them."""
    return 0.6 + 0.09 * max((len(str(text)) for text in texts or ()), default=2)


def _differing(mine: Array, wanted: Array) -> tuple[Any, Any]:
    if mine.shape != wanted.shape:
        return np.ones(mine.shape), np.ones(wanted.shape)
    with np.errstate(invalid="ignore"):
        close = np.abs(mine - wanted) <= 1e-9 + 1e-7 * np.abs(wanted)
    differs = ~(close | (mine == wanted))
    return differs, differs


def draw_sides(
    ax: Axes, rows: list[str], columns: list[str], row_name: str | None, column_name: str | None
) -> None:
    """Nothing; sets the scales to one cell a unit and labels rows (left) and columns (above)."""
    ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5), aspect="equal")
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.tick_params(labelsize=SIZE, labelcolor=INK, pad=5)
    ax.spines[:].set_visible(False)
    cell = box_inches(ax)[0] / len(columns)
    each = max(1, round(0.18 / cell))  # where cells are small, only some of them have a label
    upright = max(map(len, columns)) * 0.095 > cell * each
    ax.set_xticks(range(0, len(columns), each), columns[::each], rotation=90 if upright else 0)
    ax.set_yticks(range(0, len(rows), each), rows[::each])
    ax.xaxis.set_label_position("top")
    ax.set_xlabel(column_name or "", fontsize=SIZE, color=INK, style="italic", labelpad=6)
    ax.set_ylabel(row_name or "", fontsize=SIZE, color=INK, style="italic", labelpad=6)


def draw_cells(
    ax: Axes, array: Array, texts: list[list[str]], limits: tuple[float, float] | None = None
) -> None:
    """Nothing; fills each cell by its number and writes its text, where there is room.

    A cell whose text is empty is left blank.
    """
    from matplotlib.patches import Rectangle

    masked, (low, high) = masked_cells(array), limits or _span(array)
    depths = np.clip((np.where(masked, low, array) - low) / ((high - low) or 1), 0, 1)
    palette, cell = colours(), box_inches(ax)[0] / array.shape[1]
    for (row, column), depth in np.ndenumerate(depths):
        box, text = (column - 0.5, row - 0.5), texts[row][column]
        if not text:
            continue
        fill = MASKED if masked[row, column] else palette(depth)
        ink = "white" if depth > 0.6 else INK
        ax.add_patch(Rectangle(box, 1, 1, facecolor=fill, edgecolor="white", linewidth=1.5))
        if masked[row, column]:
            inner = (column - 0.48, row - 0.48)
            hatching = Rectangle(inner, 0.96, 0.96, fill=False, edgecolor=HATCH, linewidth=0)
            ax.add_patch(hatching).set_hatch("////")
        if cell >= SMALLEST_WITH_NUMBERS:
            size = min(SIZE, 105 * cell / max(len(text), 4))
            ax.text(column, row, text, ha="center", va="center", fontsize=size, color=ink)


def _span(*arrays: Array) -> tuple[float, float]:
    """The smallest and largest ordinary number: at most 0 and at least 1."""
    ordinary = np.concatenate([array[~masked_cells(array)] for array in arrays])
    return float(ordinary.min(initial=0.0)), float(ordinary.max(initial=1.0))


def draw_sums(ax: Axes, array: Array, digits: int = 2, fractions: bool = False) -> None:
    """Nothing; writes the sum of each row to its right."""
    right = array.shape[1] - 0.3
    with np.errstate(invalid="ignore", over="ignore"):
        sums = array.sum(axis=1)
    ax.text(right, -0.62, "sum", fontsize=SIZE, color=INK, style="italic", va="bottom")
    for row, (text,) in enumerate(numerals(sums[:, None], digits, fractions)):
        ax.text(right, row, text, fontsize=SIZE, color=INK, va="center")
