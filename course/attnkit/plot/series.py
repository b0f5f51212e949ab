"""Numbers over steps, over sizes, and their spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import BLUE, INK, LINES, PALE, SIZE, Array, box_inches, headline, numbers_of, paper
from .naming import spaced
from .numerals import numeral

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def curves(
    lines: Mapping[str, Any],
    *,
    floor: float | None = None,
    floor_name: str = "floor",
    x: Any = None,
    x_name: str = "step",
    y_name: str = "loss",
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of one line for each name, over its steps from 0 or over `x`.

    `floor` is a dashed line at the height that no honest line falls below.
    """
    heights = {name: _series("curves", name, numbers) for name, numbers in lines.items()}
    steps = None if x is None else _series("curves", "x", x)
    ax = ax or _chart(x_name, y_name)
    for (name, ys), color in _coloured(heights):
        xs = np.arange(len(ys)) if steps is None else _as_many("curves", name, steps, ys)
        ax.plot(xs, ys, color=color, linewidth=1.8)
    ends = [(name, float(ys[-1]), color) for (name, ys), color in _coloured(heights)]
    if floor is not None:
        ax.axhline(floor, color=INK, linewidth=1, linestyle=(0, (5, 4)))
        ends.append((f"{floor_name} {numeral(floor, 3)}", floor, INK))
    _name_ends(ax, ends)
    headline(ax, title)
    return ax


def growth(
    sizes: Any,
    counts: Mapping[str, Any],
    *,
    x_name: str = "T",
    y_name: str = "multiplications",
    marked: Mapping[str, float] | None = None,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of counts against sizes, both logarithmic, each line named with its last slope.

    A slope of 2 there means: twice the size, four times the count.
    `marked` names sizes at which an upright line is drawn.
    """
    xs = _series("growth", "sizes", sizes)
    heights = {
        name: _as_many("growth", name, _series("growth", name, ys), xs)
        for name, ys in counts.items()
    }
    if len(xs) < 2 or not all(np.all(each > 0) for each in (xs, *heights.values())):
        raise ValueError(
            "plot.growth got fewer than two sizes or a number not above 0, wanted positive "
            "numbers: logarithms need them."
        )
    ax = ax or _chart(x_name, y_name)
    ax.set(xscale="log", yscale="log")
    ends = []
    for ((name, ys), color), marker in zip(_coloured(heights), cycle("os^D"), strict=False):
        ax.plot(xs, ys, color=color, linewidth=1.8, marker=marker, markersize=6)
        ends.append((f"{name}, slope {_last_slope(xs, ys):.2f}", float(ys[-1]), color))
    for name, size in (marked or {}).items():
        ax.axvline(size, color=PALE, linewidth=1, linestyle=(0, (5, 4)), zorder=0)
        ax.annotate(
            name,
            (size, 0.02),
            (4, 0),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            fontsize=SIZE,
            color=INK,
        )
    ax.set_xticks(xs, [numeral(size, 0) for size in xs])
    ax.minorticks_off()
    _name_ends(ax, ends)
    headline(ax, title)
    return ax


def growths(sizes: Any, charts: Mapping[str, Mapping[str, Any]], *, x_name: str = "T") -> Figure:
    """A Figure of charts side by side, each as `growth` draws it, its axis named by its count."""
    axes = paper(*[(2.4, 2.6)] * len(charts), gap=2.5)
    for ax, (y_name, counts) in zip(axes, charts.items(), strict=True):
        growth(sizes, counts, ax=_dress(ax, x_name, y_name))
    return axes[0].figure  # type: ignore[return-value]


def _last_slope(xs: Array, ys: Array) -> float:
    """The slope between the last two points, on logarithmic axes."""
    rise, run = np.diff(np.log(ys[-2:])), np.diff(np.log(xs[-2:]))
    return float(rise[0] / run[0])


def spread(products: Mapping[int, Any]) -> Figure:
    """A Figure of how far q·k strays, one row for each d: on the left raw, on the right by sqrt(d).

    `products` holds, for each d, many products of vectors with d entries.
    """
    raw = {d: _series("spread", f"d = {d}", numbers) for d, numbers in products.items()}
    if not raw or min(raw) <= 0:
        raise ValueError(f"plot.spread got d = {list(raw)}, wanted at least one, all above 0.")
    axes = paper(*[(3.4, 0.8)] * (2 * len(raw)), gap=0.5, lead=0.25, columns=2)
    widest = max(float(np.quantile(np.abs(numbers), 0.998)) for numbers in raw.values()) * 1.1
    for i, (d, numbers) in enumerate(raw.items()):
        _draw_histogram(axes[2 * i], numbers, widest)
        _draw_histogram(axes[2 * i + 1], numbers / np.sqrt(d), widest)
        axes[2 * i].set_ylabel(
            f"d = {d}", fontsize=SIZE, color=INK, rotation=0, ha="right", va="center"
        )
    for ax in axes[-2:]:
        ax.tick_params(labelbottom=True)
    headline(axes[0], "q·k")
    headline(axes[1], "q·k / sqrt(d)")
    return axes[0].figure  # type: ignore[return-value]


def _draw_histogram(ax: Axes, numbers: Array, widest: float) -> None:
    ax.hist(numbers, bins=81, range=(-widest, widest), density=True, color=BLUE)
    ax.set(xlim=(-widest, widest), yticks=[])
    ax.tick_params(labelsize=SIZE - 1.5, color=PALE, labelcolor=INK, labelbottom=False)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(PALE)
    spread_text = f"std {numbers.std():.2f}"
    ax.text(0.98, 0.9, spread_text, ha="right", va="top", fontsize=SIZE - 1, transform=ax.transAxes)


def _series(who: str, name: str, numbers: Any) -> Array:
    array = numbers_of(who, numbers)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"plot.{who} got shape {array.shape} for {name!r}, wanted (n,): one list of numbers."
        )
    return array


def _as_many(who: str, name: str, numbers: Array, others: Array) -> Array:
    if len(numbers) != len(others):
        raise ValueError(
            f"plot.{who} got {len(numbers)} and {len(others)} numbers for {name!r}, wanted as many "
            "heights as places along the axis."
        )
    return numbers


def _coloured(heights: dict[str, Array]) -> Iterable[tuple[tuple[str, Array], str]]:
    return zip(heights.items(), cycle(LINES), strict=False)


def _chart(x_name: str, y_name: str) -> Axes:
    return _dress(paper((5.2, 3.1))[0], x_name, y_name)


def _dress(ax: Axes, x_name: str, y_name: str) -> Axes:
    ax.set_xlabel(x_name, fontsize=SIZE, color=INK)
    ax.set_ylabel(y_name, fontsize=SIZE, color=INK)
    ax.tick_params(labelsize=SIZE - 1, color=PALE, labelcolor=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(PALE)
    return ax


def _name_ends(ax: Axes, ends: list[tuple[str, float, str]]) -> None:
    """Nothing; writes each (name, height, colour) to the right of its line."""
    right = ax.get_xlim()[1]
    on_screen = ax.transData.transform([(right, height) for _, height, _ in ends])
    levels = ax.transAxes.inverted().transform(on_screen)[:, 1]
    apart = 0.19 / box_inches(ax)[1]
    levels = spaced(levels, apart)
    for (name, _, color), level in zip(ends, levels - max(levels.max() - 1, 0), strict=True):
        ax.text(1.02, level, name, color=color, fontsize=SIZE, va="center", transform=ax.transAxes)
