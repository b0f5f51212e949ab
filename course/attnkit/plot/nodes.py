"""The graph of a Value: what it was made from, drawn from left to right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from attnkit.value import Value

from .canvas import ACCENT, BLUE, INK, PALE, SIZE, headline, paper
from .naming import spaced
from .numerals import numerals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NODES = 16
COLUMN, ROW = 1.75, 1.0
SIGNS = {"add": "+", "subtract": "−", "multiply": "×", "divide": "÷", "matmul": "@"}

Parents = dict[Value, list[Value]]


def graph(
    output: Value,
    names: Mapping[str, Value] | None = None,
    *,
    cuts: Sequence[tuple[Value, Value]] = (),
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of the nodes `output` was made from, an arrow from each to what was made of it.

    A box holds the node's name, the sign of its operation, its number or shape, and its gradient
    where `backward` set one; beside an arrow between two numbers stands the gradient of that step.
    A named Value that `output` was not made from is drawn too, in grey: no gradient gets there.
    `cuts` are pairs (from, to) that a `.data` has parted: a dashed arrow is drawn there.
    """
    if not isinstance(output, Value):
        raise ValueError(f"plot.graph got {type(output).__name__}, wanted a Value: pass a result.")
    texts = {node: name for name, node in (names or {}).items()}
    reached = set(output._newest_first())
    parents = _parents([output, *texts], cuts)
    columns = _columns(parents)
    places = _places(columns, parents)
    right, top = np.max(list(places.values()), axis=0)
    ax = ax or paper((COLUMN * (right + 1), ROW * (top + 0.9)))[0]
    ax.set(xlim=(-0.5, right + 0.5), ylim=(top + 0.45, -0.45))
    ax.set_axis_off()
    boxes = {
        node: _draw_node(ax, place, texts.get(node), node, node in reached)
        for node, place in places.items()
    }
    for node in columns:
        for nth, (parent, local) in enumerate(node._parents):
            again = any(before is parent for before in parents[node][:nth])
            bow = _bow(columns[node] - columns[parent] > 1, again)
            _draw_arrow(ax, boxes[parent], boxes[node], bow, PALE)
            if node in reached:
                _write_beside(ax, places[parent], places[node], bow, _factor(node, local), INK)
    for parent, node in cuts:
        bow = _bow(columns[node] - columns[parent] > 1, False)
        _draw_arrow(ax, boxes[parent], boxes[node], bow, ACCENT, "--")
        _write_beside(ax, places[parent], places[node], bow, "cut", ACCENT)
    headline(ax, title)
    return ax


def _parents(roots: list[Value], cuts: Sequence[tuple[Value, Value]]) -> Parents:
    """What each node was made from, the oldest first, as if nothing had been cut."""
    ends = [*roots, *(node for pair in cuts for node in pair)]
    found = {node for root in ends for node in root._newest_first()}
    if len(found) > MOST_NODES:
        raise ValueError(
            f"plot.graph got a graph of {len(found)} nodes, wanted at most {MOST_NODES}: "
            "draw a smaller expression."
        )
    return {
        node: [parent for parent, _ in node._parents] + [a for a, b in cuts if b is node]
        for node in sorted(found, key=lambda node: node._serial)
    }


def _columns(parents: Parents) -> dict[Value, int]:
    """The column of each node: right of all it was made from, leaves beside their first use."""
    columns: dict[Value, int] = {}
    for node, made_from in parents.items():
        columns[node] = max((columns[parent] + 1 for parent in made_from), default=0)
    for leaf in [node for node, made_from in parents.items() if not made_from]:
        uses = [columns[n] for n, made_from in parents.items() if any(p is leaf for p in made_from)]
        columns[leaf] = min(uses, default=1) - 1
    return columns


def _places(columns: dict[Value, int], parents: Parents) -> dict[Value, tuple[float, float]]:
    """The place of each node: a column's nodes stand at the height of what they were made from."""
    heights: dict[Value, float] = {}
    for column in range(max(columns.values()) + 1):
        here = [node for node in columns if columns[node] == column]
        wish = {n: _mean([heights[p] for p in parents[n] if p in heights]) for n in here}
        here.sort(key=lambda node: wish[node])
        levels = spaced([wish[node] for node in here], apart=1.0)
        heights |= dict(zip(here, map(float, levels), strict=True))
    lowest = min(heights.values())
    return {node: (float(columns[node]), heights[node] - lowest) for node in columns}


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _draw_node(
    ax: Axes, place: tuple[float, float], name: str | None, node: Value, reached: bool
) -> Any:
    sign = SIGNS.get(node.operation, node.operation)
    lines = [" ".join(part for part in (name, f"({sign})" if name and sign else sign) if part)]
    lines.append(_number(node.data) or f"shape {node.shape}")
    if node.grad is not None:
        number = _number(node.grad)
        lines.append(f"gradient {number}" if number else "has a gradient")
    edge = BLUE if reached else PALE
    frame = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": edge}
    text = ax.text(*place, "\n".join(filter(None, lines)), ha="center", va="center")
    text.set(fontsize=SIZE - 1, color=INK if reached else PALE, bbox=frame, linespacing=1.4)
    text.set_zorder(3)
    return text


def _number(data: Any) -> str | None:
    """The number as text, if there is only one."""
    array = np.reshape(data, (-1, 1))
    return numerals(array)[0][0] if len(array) == 1 else None


def _factor(node: Value, local: Any) -> str:
    """By what `backward` multiplies on this arrow, where that is one number."""
    factor = _number(local(np.ones(node.shape))) if node.data.size == 1 else None
    return f"×{factor}" if factor else ""


def _bow(passes: bool, again: bool) -> float:
    """How far an arrow bends: past another column, or beside an arrow between the same two."""
    return -0.28 if passes else 0.35 if again else 0.0


def _draw_arrow(
    ax: Axes, start: Any, end: Any, bow: float, color: str, linestyle: str = "-"
) -> None:
    style = {"arrowstyle": "-|>", "color": color, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 2}
    style |= {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch()}
    style |= {"connectionstyle": f"arc3,rad={bow}", "linestyle": linestyle}
    ax.annotate("", end.get_position(), start.get_position(), arrowprops=style)


def _write_beside(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    bow: float,
    text: str,
    color: str,
) -> None:
    """Write `text` on the middle of the arrow; a bow of `arc3` passes half its bend away."""
    if not text:
        return
    (x, y), (u, v) = ax.transData.transform([start, end])
    middle = ((x + u) / 2 + bow / 2 * (v - y), (y + v) / 2 - bow / 2 * (u - x))
    left, height = map(float, ax.transData.inverted().transform(middle))
    note = ax.text(left, height, text, ha="center", va="center")
    note.set(fontsize=SIZE - 2, color=color)
    note.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1.0})
