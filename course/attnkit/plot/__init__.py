"""Pictures of attention: each function draws one thing and returns its Axes or Figure."""

from .display import png, show
from .grid import compare, grids, heatmap, outline

__all__ = ["compare", "grids", "heatmap", "outline", "png", "show"]
