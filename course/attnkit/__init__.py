"""The kit of the self-attention course."""

__version__ = "0.1.0"
