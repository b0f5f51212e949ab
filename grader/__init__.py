"""What an instructor runs: build the lessons, grade a class, report."""

import sys
from importlib.metadata import version

__version__ = version("self-attention-course")

# jsonschema, which nbformat imports, would build a grammar of web addresses here: over a second
# at every start, for a format that no notebook uses. It does without where there is none.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
