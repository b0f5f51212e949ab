"""The kit of the self-attention course."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attnkit.nn import Adam, Linear
    from attnkit.value import Value

__all__ = ["Adam", "Linear", "Value"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import NumPy with the first name that needs it: handing in works without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from attnkit import nn, value

    return getattr(value if name == "Value" else nn, name)
