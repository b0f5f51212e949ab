"""Weights row by row: bars that fill to one, and arcs from each query to its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import (
    ACCENT,
    BLUE,
    INK,
    PALE,
    SIZE,
    Array,
    box_inches,
    colours,
    headline,
    labels,
    matrix,
    paper,
)
from .numerals import numeral

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NARROWEST_WITH_NUMBER, THINNEST, LEGEND = 0.075, 0.005, 6
# Of the arcs: points for a weight of 1; inches from word to foot, from foot to top, up a loop.
THICKNESS, FOOT, RISE, LOOP, MOST_NUMBERED = 8.0, 0.22, 0.52, 0.3, 9


def bars(
    weights: Any,
    *,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    title: str | None = None,
    fractions: bool = False,
    digits: int = 2,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of one bar for each row, made of its weights end to end: they fill it to one."""
    array = _shares("bars", weights)
    row_texts = labels("bars", rows, len(array))
    column_texts = labels("bars", columns, array.shape[1], "columns")
    ax = ax or paper((5.0, 0.45 * len(array)))[0]
    lefts = np.cumsum(array, axis=1) - array
    shades = np.linspace(0.1, 0.85, array.shape[1])
    for j, text in enumerate(column_texts):
        fill, ink = colours()(shades[j]), "white" if shades[j] > 0.6 else INK
        pieces = ax.barh(range(len(array)), array[:, j], 0.72, lefts[:, j], color=fill, label=text)
        for i in map(int, np.flatnonzero(array[:, j] >= NARROWEST_WITH_NUMBER)):
            number = numeral(array[i, j], digits, fractions)
            middle = lefts[i, j] + array[i, j] / 2
            ax.text(middle, i, number, ha="center", va="center", fontsize=SIZE - 1, color=ink)
        for piece in pieces:
            piece.set(edgecolor="white", linewidth=1.2)
    _draw_scale(ax, row_texts, float(array.sum(axis=1).max()))
    headline(ax, title)
    return ax


def _shares(who: str, weights: Any) -> Array:
    array = matrix(who, weights)
    if not np.all(array >= 0):
        raise ValueError(
            f"plot.{who} got {numeral(array.min())} among the weights, wanted none below 0: "
            "pass what softmax returned."
        )
    return array


def _draw_scale(ax: Axes, rows: list[str], fullest: float) -> None:
    ax.set(xlim=(0, max(fullest, 1.0)), ylim=(len(rows) - 0.5, -0.5))
    ax.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    ax.set_yticks(range(len(rows)), rows)
    ax.tick_params(labelsize=SIZE, color=PALE, labelcolor=INK)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(PALE)
    ax.axvline(1, color=INK, linewidth=1, zorder=0)
    below = -0.28 / box_inches(ax)[1]
    handles, names = ax.get_legend_handles_labels()
    order = [j for column in range(LEGEND) for j in range(column, len(names), LEGEND)]
    ax.legend(  # it fills column by column; people read row by row
        [handles[j] for j in order],
        [names[j] for j in order],
        loc="upper center",
        bbox_to_anchor=(0.5, below),
        ncols=LEGEND,
        frameon=False,
        fontsize=SIZE,
        handlelength=1,
        columnspacing=1.4,
    )


def arcs(
    weights: Any,
    words: Sequence[object] | None = None,
    *,
    query: int | None = None,
    title: str | None = None,
    fractions: bool = False,
    digits: int = 2,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of words on a line, with an arc from each query to each key, as thick as the weight.

    Arcs to earlier words run above the line, arcs to later words below it; a loop is the weight
    of a word on itself. `query` draws the arcs of that row alone.
    """
    array = _shares("arcs", weights)
    if array.shape[0] != array.shape[1]:
        raise ValueError(
            f"plot.arcs got shape {array.shape}, wanted (T, T): one row for each word."
        )
    if query is not None and not 0 <= query < len(array):
        raise ValueError(f"plot.arcs got query {query}, wanted 0 to {len(array) - 1}: pass a row.")
    texts = labels("arcs", words, len(array), "words")
    drawn = [query] if query is not None else list(range(len(array)))
    pairs = [(i, int(j)) for i in drawn for j in np.flatnonzero(array[i] >= THINNEST)]
    places = _word_places(texts)
    ax = ax or paper((places[-1] + 1.0, _height(pairs, 1) + _height(pairs, -1)))[0]
    ax.set(xlim=(-0.5, places[-1] + 0.5), ylim=(-_height(pairs, -1), _height(pairs, 1)))
    ax.set(aspect="equal")
    ax.set_axis_off()
    for j, text in enumerate(texts):
        color = ACCENT if j == query else INK
        ax.text(places[j], 0, text, ha="center", va="center", fontsize=SIZE + 1, color=color)
    for i, j in pairs:
        number = numeral(array[i, j], digits, fractions) if len(pairs) <= MOST_NUMBERED else ""
        _draw_arc(ax, places, (i, j), THICKNESS * array[i, j], number)
    headline(ax, title)
    return ax


def _word_places(texts: list[str]) -> list[float]:
    """The middle of each word in inches: the arcs are drawn to scale, one unit an inch."""
    halves = np.array([max(0.6, 0.05 * len(text) + 0.1) for text in texts])
    steps = halves[:-1] + halves[1:]
    return [0.0, *map(float, np.cumsum(steps))]


def _height(pairs: list[tuple[int, int]], side: int) -> float:
    """The room in inches that the arcs need above (1) or below (-1) the middle of the words."""
    farthest = max((side * (i - j) for i, j in pairs), default=0)
    return FOOT + _rise(max(farthest, 1 if side == 1 else 0)) + (0.25 if farthest > 0 else 0.1)


def _rise(distance: int) -> float:
    """The height of an arc; a longer one leaves room for the numbers on those below it."""
    return max(RISE * (1.3 * distance - 0.3), 0)


def _draw_arc(
    ax: Axes, places: list[float], pair: tuple[int, int], thickness: float, number: str
) -> None:
    """Nothing; draws half an ellipse that leaves the query on one side and ends at the key.

    That of a word to itself is a whole one without a head, between the feet of the others.
    """
    i, j = pair
    side = 1 if i >= j else -1
    foot = (0.16 + 0.14 / max(abs(i - j), 1)) * side  # a long arc stands inside the short ones
    start, end = places[i] - foot, places[j] + foot
    rise = _rise(abs(i - j)) * side
    angle = np.linspace(0, np.pi, 60)
    x = (start + end) / 2 + (start - end) / 2 * np.cos(angle)
    y = FOOT * side + rise * np.sin(angle)
    if i == j:
        rise = LOOP
        x = places[i] + 0.13 * np.sin(2 * angle)
        y = FOOT + rise / 2 * (1 - np.cos(2 * angle))
    ax.plot(x, y, color=BLUE, linewidth=thickness, alpha=0.75, solid_capstyle="butt")
    head = "" if i == j else "v" if side == 1 else "^"
    ax.plot(x[-1], y[-1], head, color=BLUE, markersize=thickness + 4, markeredgewidth=0)
    paper_white = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    top = FOOT * side + rise + 0.14 * side
    note = ax.text(float(x.mean()), top, number, ha="center", va="center", fontsize=SIZE - 1)
    note.set(color=INK, bbox=paper_white if number else None)
