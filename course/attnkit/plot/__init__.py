"""Pictures of attention: each function draws one thing and returns its Axes or Figure."""

from .attention import chart, influence, maps, panels
from .display import png, show
from .grid import compare, grids, heatmap, outline
from .nodes import graph
from .plane import dot_products, simplex, triangle
from .rows import arcs, bars
from .series import curves, growth, growths, spread

__all__ = [
    "arcs",
    "bars",
    "chart",
    "compare",
    "curves",
    "dot_products",
    "graph",
    "grids",
    "growth",
    "growths",
    "heatmap",
    "influence",
    "maps",
    "outline",
    "panels",
    "png",
    "show",
    "simplex",
    "spread",
    "triangle",
]
