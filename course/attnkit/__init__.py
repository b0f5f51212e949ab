"""The kit of the self-attention course."""

from attnkit.nn import Adam, Linear
from attnkit.value import Value

__all__ = ["Adam", "Linear", "Value"]
__version__ = "0.1.0"
