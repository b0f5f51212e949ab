"""Turns lesson texts into notebooks, for maintainers."""
