"""What an instructor runs: build the lessons, grade a class, report."""

import sys
from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("self-attention-course")
except PackageNotFoundError:
    print(
        "grader: not installed for this Python; `make setup` installs it, "
        "`. .venv/bin/activate` chooses it",
        file=sys.stderr,
    )
    raise SystemExit(2) from None

# jsonschema, which nbformat imports, would build a grammar of web addresses here: over a second
# at every start, for a format that no notebook uses. It does without where there is none.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
