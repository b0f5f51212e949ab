"""The graph of a Value: what it was made from, drawn from left to right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from attnkit.value import Value

from .canvas import BLUE, INK, PALE, SIZE, headline, paper
from .naming import spaced
from .numerals import numerals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NODES = 16
COLUMN, ROW = 1.55, 0.95


def graph(
    output: Value,
    names: Mapping[str, Value] | None = None,
    *,
    title: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The Axes of the nodes `output` was made from, an arrow from each to what was made of it.

    A box holds the node's name, its number or shape, and its gradient where `backward` set one.
    A named Value that `output` was not made from is drawn too, in grey: no gradient gets there.
    """
    if not isinstance(output, Value):
        raise ValueError(f"plot.graph got {type(output).__name__}, wanted a Value: pass a result.")
    texts = {node: name for name, node in (names or {}).items()}
    reached = set(output._newest_first())
    columns = _columns([output, *texts])
    places = _places(columns)
    right, top = np.max(list(places.values()), axis=0)
    ax = ax or paper((COLUMN * (right + 1), ROW * (top + 0.9)))[0]
    ax.set(xlim=(-0.5, right + 0.5), ylim=(top + 0.45, -0.45))
    ax.set_axis_off()
    boxes = {
        node: _draw_node(ax, place, texts.get(node), node, node in reached)
        for node, place in places.items()
    }
    for node in columns:
        for parent, _ in node._parents:
            passes = columns[node] - columns[parent] > 1
            _draw_arrow(ax, boxes[parent], boxes[node], passes, node in reached)
    headline(ax, title)
    return ax


def _columns(roots: list[Value]) -> dict[Value, int]:
    """The column of each node: right of all it was made from, leaves beside their first use."""
    found = {node for root in roots for node in root._newest_first()}
    if len(found) > MOST_NODES:
        raise ValueError(
            f"plot.graph got a graph of {len(found)} nodes, wanted at most {MOST_NODES}: "
            "draw a smaller expression."
        )
    nodes = sorted(found, key=lambda node: node._serial)
    columns: dict[Value, int] = {}
    for node in nodes:
        columns[node] = max((columns[parent] + 1 for parent, _ in node._parents), default=0)
    for leaf in [node for node in nodes if not node._parents]:
        uses = [columns[n] for n in nodes if any(parent is leaf for parent, _ in n._parents)]
        columns[leaf] = min(uses, default=1) - 1
    return columns


def _places(columns: dict[Value, int]) -> dict[Value, tuple[float, float]]:
    """The place of each node: a column's nodes stand at the height of what they were made from."""
    heights: dict[Value, float] = {}
    for column in range(max(columns.values()) + 1):
        here = [node for node in columns if columns[node] == column]
        wish = {n: _mean([heights[p] for p, _ in n._parents if p in heights]) for n in here}
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
    lines = [name] if name else []
    lines.append(_number(node.data) or f"shape {node.shape}")
    if node.grad is not None:
        number = _number(node.grad)
        lines.append(f"gradient {number}" if number else "has a gradient")
    edge = BLUE if reached else PALE
    frame = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": edge}
    text = ax.text(*place, "\n".join(lines), ha="center", va="center", fontsize=SIZE - 1)
    text.set(color=INK if reached else PALE, bbox=frame, linespacing=1.4, zorder=3)
    return text


def _number(data: Any) -> str | None:
    """The number as text, if there is only one."""
    array = np.reshape(data, (-1, 1))
    return numerals(array)[0][0] if len(array) == 1 else None


def _draw_arrow(ax: Axes, start: Any, end: Any, passes: bool, reached: bool) -> None:
    """Nothing; draws an arrow, in a bow where it passes another column."""
    style = {"arrowstyle": "-|>", "color": PALE, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 2}
    style |= {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch()}
    style |= {"connectionstyle": f"arc3,rad={-0.28 if passes else 0}"}
    style |= {"linestyle": "-" if reached else ":"}
    ax.annotate("", end.get_position(), start.get_position(), arrowprops=style)
