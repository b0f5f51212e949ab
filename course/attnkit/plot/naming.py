"""Names beside points and at the ends of lines, placed so that they do not cover each other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import SIZE, Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ANGLES = np.arange(16) * np.pi / 8
DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


def name_points(
    ax: Axes,
    points: Array,
    texts: Sequence[str],
    colors: Sequence[str],
    lines: Sequence[Array] = (),
) -> None:
    """Nothing; writes each text beside its point: outwards, and clear of points, texts and lines.

    The limits of the Axes must be set before.
    """
    from matplotlib.transforms import Bbox

    dots = ax.transData.transform(points)
    centre = dots.mean(axis=0)
    taken = [Bbox.from_extents(x - 8, y - 8, x + 8, y + 8) for x, y in dots]
    for x, y in [place for line in lines for place in _along(ax.transData.transform(line))]:
        taken.append(Bbox.from_extents(x - 3, y - 3, x + 3, y + 3))
    for point, dot, text, color in zip(points, dots, texts, colors, strict=True):
        note = ax.annotate(text, tuple(point), (0, 0), textcoords="offset points")
        note.set(fontsize=SIZE, color=color, ha="center", va="center")
        offset, box = _best_place(dot, centre, _extent(note), taken, ax.bbox)
        note.set_position(tuple(offset * 72 / ax.figure.dpi))
        taken.append(box)


def _best_place(
    dot: Array, centre: Array, extent: Array, taken: list[Any], paper: Any
) -> tuple[Array, Any]:
    """The offset in pixels and the box of a text, from the direction that costs least."""
    from matplotlib.transforms import Bbox

    outward = (dot - centre) / max(float(np.hypot(*(dot - centre))), 1.0)
    choices = []
    for reach in (10.0, 22.0, 36.0):
        for direction in DIRECTIONS:
            offset = direction * (extent / 2 + reach)
            corner = dot + offset - extent / 2
            box = Bbox([corner, corner + extent])
            covered = sum(_overlap(box, other) for other in taken)
            covered += extent.prod() - _overlap(box, paper)
            choices.append((covered + reach - 8 * float(direction @ outward), offset, box))
    _, offset, box = min(choices, key=lambda choice: choice[0])
    return offset, box


def _along(line: Array) -> Array:
    """Places on the line from corner to corner, about four pixels apart."""
    pieces = []
    for start, end in itertools.pairwise(line):
        count = int(np.hypot(*(end - start)) / 4) + 2
        pieces.append(np.linspace(start, end, count))
    return np.concatenate(pieces)


def _overlap(a: Any, b: Any) -> float:
    width = min(a.x1, b.x1) - max(a.x0, b.x0)
    height = min(a.y1, b.y1) - max(a.y0, b.y0)
    return float(max(width, 0.0) * max(height, 0.0))


def _extent(note: Any) -> Array:
    renderer = note.figure.canvas.get_renderer()
    box = note.get_window_extent(renderer)
    return np.array([box.width, box.height])


def spaced(heights: Any, apart: float) -> Array:
    """The heights moved as little as it takes to be `apart` from each other, in the same order."""
    order = np.argsort(heights, kind="stable")
    moved = np.array(heights, dtype=float)[order]
    for _ in range(100):
        lack = apart - np.diff(moved)
        if np.all(lack <= 1e-9):
            break
        push = np.maximum(lack, 0) / 2
        moved[:-1] -= push
        moved[1:] += push
    result = np.empty_like(moved)
    result[order] = moved
    return result
