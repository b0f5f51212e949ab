"""Known wrong ideas written a second time, in other styles.

The fingerprints were made from `grader.misconceptions`; whether a name is right is measured
on these. A function has the name of its idea; a number after it tells several writings apart.
"""

import importlib
import inspect
import re

PIECES = {
    "softmax": "softmax",
    "attention_scores": "attention_scores",
    "causal_mask": "causal_mask",
    "apply_attention": "apply_attention",
    "SelfAttention": "self_attention",
}


def every():
    """Yield (piece, name of the idea, function) of each writing."""
    for piece, module in PIECES.items():
        code = importlib.import_module(f"{__name__}.{module}")
        for name, function in vars(code).items():
            local = inspect.isfunction(function) and function.__module__ == code.__name__
            if local and not name.startswith("_"):
                yield piece, re.sub(r"_again\d*$", "", name), function
