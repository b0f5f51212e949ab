"""Right answers in the styles that learners use: each must get full points and no name."""

import importlib
import inspect

PIECES = {
    "softmax": "softmax",
    "attention_scores": "attention_scores",
    "causal_mask": "causal_mask",
    "apply_attention": "apply_attention",
    "SelfAttention": "self_attention",
}


def every():
    """Yield (piece, name, function) of each right answer."""
    for piece, module in PIECES.items():
        code = importlib.import_module(f"{__name__}.{module}")
        for name, function in vars(code).items():
            local = inspect.isfunction(function) and function.__module__ == code.__name__
            if local and not name.startswith("_"):
                yield piece, name, function
