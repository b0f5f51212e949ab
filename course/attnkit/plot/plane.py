"""Pictures in the plane: a dot product, weights in a simplex, attended rows among values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import (
    ACCENT,
    BLUE,
    PALE,
    SIZE,
    Array,
    box_inches,
    headline,
    labels,
    matrix,
    paper,
)
from .naming import name_points
from .numerals import numeral, numerals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHADE = "#eaf1f8"
SIMPLEX = np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])


def dot_products(
    q: Any,
    K: Any,
    *,
    query: str = "q",
    keys: Sequence[object] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of a query (2,) and keys (T_k, 2) as arrows, each key dropped onto the query's line.

    Where a key lands, its dot product with the query is written: how far along the line it
    lands, times the length of the query.
    """
    vector, arrows = _points("dot_products", [q])[0], _points("dot_products", K)
    if not vector.any():
        raise ValueError("plot.dot_products got a query of zeros, wanted one with a direction.")
    names = labels("dot_products", keys, len(arrows), "keys")
    feet = np.outer(arrows @ vector / (vector @ vector), vector)
    ax = ax or paper((4.6, 4.2))[0]
    _frame(ax, np.array([[0, 0], vector, *arrows, *feet]))
    ax.axline((0, 0), tuple(vector), color=BLUE, linewidth=1, alpha=0.4, zorder=-1)
    for key, foot in zip(arrows, feet, strict=True):
        ax.plot(*np.array([key, foot]).T, color=PALE, linewidth=1.2, linestyle="--")
        ax.plot(*foot, "o", color=PALE, markersize=4)
        _draw_vector(ax, key, ACCENT, width=2)
    _draw_vector(ax, vector, BLUE, width=6, alpha=0.45)  # beneath a key in its own direction
    texts = [f"{name}: {_product(vector, key)}" for name, key in zip(names, arrows, strict=True)]
    lines = [np.array([[0, 0], end]) for end in (vector, *arrows)]
    colors = [BLUE] + [ACCENT] * len(arrows)
    name_points(ax, np.array([vector, *arrows]), [query, *texts], colors, lines)
    headline(ax, f"each key dropped onto the line of {query}, and its dot product")
    return ax


def _draw_vector(ax: Axes, end: Array, color: str, width: float, alpha: float = 1) -> None:
    arrow = {"arrowstyle": "-|>", "color": color, "linewidth": width, "shrinkA": 0, "shrinkB": 0}
    arrow |= {"alpha": alpha}
    ax.annotate("", tuple(end), (0, 0), arrowprops=arrow)


def _product(q: Array, k: Array) -> str:
    return numerals([[float(q @ k)]])[0][0]


def simplex(
    weights: Any,
    *,
    corners: Sequence[object] | None = None,
    rows: Sequence[object] | None = None,
    joined: bool = False,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of a triangle in which each row of three weights is a point.

    A corner has all the weight on one key; the middle has a third on each.
    `joined` draws a line from point to point, as for one row at several temperatures.
    """
    array = matrix("simplex", weights, columns=3)
    for i in np.flatnonzero(~(np.abs(array.sum(axis=1) - 1) < 1e-6)):
        raise ValueError(
            f"plot.simplex got weights whose row {i} sums to {numeral(array[i].sum(), 4)}, "
            "wanted 1: pass what softmax returned."
        )
    corner_texts = labels("simplex", corners, 3, "corners")
    row_texts = labels("simplex", rows, len(array))
    ax = ax or paper((4.2, 3.8))[0]
    _draw_simplex(ax)
    points = array @ SIMPLEX
    ax.plot(*points.T, "o-" if joined else "o", color=ACCENT, linewidth=1.2, markersize=6)
    colors = [ACCENT] * len(points) + [BLUE] * 3
    lines = [SIMPLEX[[0, 1, 2, 0]], *([points] if joined and len(points) > 1 else [])]
    name_points(ax, np.concatenate([points, SIMPLEX]), row_texts + corner_texts, colors, lines)
    headline(ax, title)
    return ax


def _draw_simplex(ax: Axes) -> None:
    ax.set(xlim=(-0.15, 1.15), ylim=(-0.13, 1.0), aspect="equal")
    ax.set_axis_off()
    ax.fill(*SIMPLEX.T, facecolor=SHADE, edgecolor=BLUE, linewidth=1, zorder=0)
    for share in (0.25, 0.5, 0.75):
        for turn in range(3):
            ends = [np.roll([share, 1 - share, 0], turn), np.roll([share, 0, 1 - share], turn)]
            ax.plot(*(np.array(ends) @ SIMPLEX).T, color="white", linewidth=1, zorder=0.5)


def triangle(
    V: Any,
    attended: Any,
    *,
    rows: Sequence[object] | None = None,
    attended_rows: Sequence[object] | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of the rows of V as corners in the plane, with the attended rows among them.

    `rows` are the words of V. `attended_rows` are those of the attended rows, the same if left out.
    """
    corners, points = _points("triangle", V), _points("triangle", attended)
    corner_texts = labels("triangle", rows, len(corners), "rows of V")
    given = rows if attended_rows is None and len(points) == len(corners) else attended_rows
    point_texts = labels("triangle", given, len(points), "attended rows")
    both, edge = np.concatenate([points, corners]), hull(corners)
    ax = ax or paper(_sheet(both))[0]
    _frame(ax, both)
    ax.fill(*edge.T, facecolor=SHADE, edgecolor=BLUE, linewidth=1, zorder=0)
    ax.plot(*corners.T, "o", color=BLUE, markersize=6, label="row of V")
    rings = ax.plot(*points.T, "o", color=ACCENT, markersize=11, label="attended")
    rings[0].set(markerfacecolor="none", markeredgewidth=2)
    colors = [ACCENT] * len(points) + [BLUE] * len(corners)
    name_points(ax, both, point_texts + corner_texts, colors, [np.concatenate([edge, edge[:1]])])
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.22 / box_inches(ax)[1]), ncols=2, frameon=False
    )
    headline(ax, title)
    return ax


def _points(who: str, thing: Any) -> Array:
    array = matrix(who, thing, columns=2)
    if not np.isfinite(array).all():
        raise ValueError(f"plot.{who} got nan or inf, wanted points: look at them with heatmap.")
    return array


def hull(points: Array) -> Array:
    """The corners of the smallest convex shape around the points, in order (Andrew's chain)."""

    def chain(path: list[list[float]]) -> list[list[float]]:
        kept: list[list[float]] = []
        for point in path:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], point) <= 0:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    ordered: list[list[float]] = np.unique(points, axis=0).tolist()
    return np.array(chain(ordered) + chain(ordered[::-1]) or ordered)


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    """Above 0 where the way from a over b to c bends to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _sheet(points: Array) -> tuple[float, float]:
    """Width and height in inches: more for many points, less height for a flat crowd."""
    wide = 4.2 if len(points) <= 12 else 6.4
    width, height = np.ptp(points, axis=0)
    return wide, float(np.clip(wide * height / (width or 1) + 0.6, 2.2, 0.9 * wide))


def _frame(ax: Axes, points: Array) -> None:
    """Nothing; sets equal scales around the points, with thin lines at the axes."""
    low, high = points.min(axis=0), points.max(axis=0)
    inches = np.array(box_inches(ax))
    scale = float(((high - low) / inches).max()) or 1.0  # units an inch, before the margin
    start, end = (low + high + side * 1.45 * scale * inches for side in (-1, 1))
    ax.set(xlim=(start[0] / 2, end[0] / 2), ylim=(start[1] / 2, end[1] / 2), aspect="equal")
    ax.tick_params(labelsize=SIZE - 1.5, color=PALE, labelcolor=PALE)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(PALE)
    ax.axhline(0, color=PALE, linewidth=0.6, zorder=-1)
    ax.axvline(0, color=PALE, linewidth=0.6, zorder=-1)
