"""What an instructor runs: build the lessons, grade a class, report."""

from importlib.metadata import version

__version__ = version("self-attention-course")
