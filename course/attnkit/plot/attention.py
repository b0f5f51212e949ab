"""Attention at a glance: who looks where, which token moves which output, six panels of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import ACCENT, WIDEST, Array, headline, labels, matrix, paper
from .grid import draw_cells, draw_sides, draw_sums, heatmap, outline, room_for, size_of
from .numerals import masked_cells, numerals
from .plane import triangle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from attnkit.clinic import Chart

FEW = 6
TABLES = ("scores", "weights", "attended", "moved by a nudge")


def maps(weights: Mapping[str, Any], words: Sequence[object]) -> Figure:
    """A Figure with one map of the weights (T, T) for each title: who asks, and who answers.

    A later word without any share is left blank. The last row is framed: the next word hangs on it.
    """
    arrays = {title: matrix("maps", each, len(words)) for title, each in weights.items()}
    sizes = [size_of(array.shape, 3.6) for array in arrays.values()]
    axes = paper(*sizes, gap=0.3 + room_for(words), lead=1.1)
    for ax, (title, array) in zip(axes, arrays.items(), strict=True):
        texts = labels("maps", words, len(array))
        draw_sides(ax, texts, texts, "asks", "answers")
        later = np.triu(array == 0, k=1)
        draw_cells(ax, array, np.where(later, "", numerals(array)).tolist(), (0, 1))
        _frame_last_row(ax, array)
        headline(ax, title)
    return axes[0].figure  # type: ignore[return-value]


def _frame_last_row(ax: Axes, array: Array) -> None:
    from matplotlib.patches import Rectangle

    corner, width = (-0.46, len(array) - 1.46), array.shape[1] - 0.08
    frame = Rectangle(corner, width, 0.92, fill=False, edgecolor=ACCENT, linewidth=2.2)
    ax.add_patch(frame)


def influence(
    f: Callable[[Any], Any],
    x: Any,
    *,
    rows: Sequence[object] | None = None,
    title: str | None = None,
    hidden: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of a grid that marks, for each token nudged, the outputs that moved.

    `f` takes what `x` is, a Value or an array (T, D), and returns one row for each token.
    It is called once for x as it is, and once for each row of x with that row nudged.
    `hidden` is true where row i must not see token j: what moved all the same is framed.
    """
    moved = moves(f, x)
    texts = labels("influence", rows, len(moved))
    ax = ax or paper(size_of(moved.shape))[0]
    draw_sides(ax, texts, texts, "output", "nudged token")
    _draw_moved(ax, moved)
    headline(ax, title)
    return ax if hidden is None else outline(ax, moved * matrix("influence", hidden))


def _draw_moved(ax: Axes, moved: Array) -> None:
    draw_cells(ax, 0.6 * moved, [["moved" if cell else "·" for cell in row] for row in moved])


def moves(f: Callable[[Any], Any], x: Any) -> Array:
    """1 where output row i changed when row j of x was nudged, else 0."""
    start = matrix("influence", x)
    kind = np.array if isinstance(x, np.ndarray | list) else type(x)
    before = matrix("influence", f(kind(start)))
    if len(before) != len(start):
        raise ValueError(
            f"plot.influence got an output of shape {before.shape} for x of shape {start.shape}, "
            "wanted one row for each token."
        )
    moved = np.zeros((len(start), len(start)))
    for j in range(len(start)):
        nudged = start.copy()
        nudged[j] += 0.1 * np.sqrt(2 + np.arange(start.shape[1]))
        change = np.abs(matrix("influence", f(kind(nudged))) - before).max(axis=1)
        moved[:, j] = ~(change <= 1e-12)
    return moved


def panels(
    f: Callable[[Any], Any],
    x: Any,
    *,
    scores: Any,
    masked_scores: Any,
    weights: Any,
    V: Any,
    attended: Any,
    rows: Sequence[object] | None = None,
    fractions: bool = False,
) -> Figure:
    """A Figure of one run of attention in six panels, in the order of its steps.

    Scores, masked scores, weights with their sums, attended rows (among those of V where D is 2),
    output f(x), and the map of which token moves which output.
    """
    steps = [matrix("panels", each) for each in (scores, masked_scores, weights, attended, f(x))]
    words, values = labels("panels", rows, len(steps[0])), matrix("panels", V)
    axes = _six_axes([array.shape for array in steps], words)
    draw = partial(heatmap, rows=words, fractions=fractions)
    pairs = partial(draw, columns=words, column_name="key")
    pairs(steps[0], title="scores", row_name="query", ax=axes[0])
    pairs(steps[1], title="scores + mask", ax=axes[1])
    pairs(steps[2], title="weights", row_sums=True, ax=axes[2])
    if values.shape == steps[3].shape == (len(words), 2) and np.isfinite(steps[3]).all():
        triangle(values, steps[3], rows=words, ax=axes[3])
        headline(axes[3], "attended", pad=28)
    else:
        draw(steps[3], title="attended", ax=axes[3])
    draw(steps[4], title="output", ax=axes[4])
    hidden = masked_cells(steps[1])
    influence(f, x, rows=words, title="moved by a nudge", hidden=hidden, ax=axes[5])
    for i in (1, 2, 4, 5) if len(words) > FEW else ():
        axes[i].set_yticklabels([])
    return axes[0].figure  # type: ignore[return-value]


def chart(patient: Chart, healthy: Chart | None = None, *, rows: Sequence[object]) -> Figure:
    """A Figure of the four tables of a patient's chart, in the order of the steps.

    Scores, weights with their sums, attended rows, and which nudged token moves which output.
    With `healthy`, each cell that differs from that chart is framed.
    """
    tables = [matrix("chart", patient[i]) for i in range(len(TABLES))]
    words, few = labels("chart", rows, len(tables[0])), labels("chart", None, tables[2].shape[1])
    axes = paper(*(size_of(table.shape) for table in tables), gap=0.72)
    for i, (ax, table, title) in enumerate(zip(axes, tables, TABLES, strict=True)):
        draw_sides(ax, words if i == 0 else [""] * len(words), few if i == 2 else words, None, None)
        if title == "moved by a nudge":
            _draw_moved(ax, table)
        else:
            draw_cells(ax, table, numerals(table, fractions=True))
        if title == "weights":
            draw_sums(ax, table, fractions=True)
        headline(ax, title)
        if healthy is not None:
            outline(ax, ~np.isclose(table, matrix("chart", healthy[i]), equal_nan=True))
    return axes[0].figure  # type: ignore[return-value]


def _six_axes(shapes: list[tuple[int, ...]], words: list[str]) -> list[Axes]:
    """Three by two Axes; with many words only the first column has room for row labels."""
    gap = 0.8 if len(words) > FEW else 0.2 + room_for(words)
    widest = (WIDEST - 2 * gap) / 3
    sizes = [size_of(shape, widest) for shape in (*shapes, shapes[0])]
    if shapes[3][1] == 2:
        sizes[3] = (min(2.2, widest), 1.9)
    return paper(*sizes, gap=gap, lead=0.4 + room_for(words), columns=3)
