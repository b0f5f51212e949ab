"""`python -m grader.authoring.matrix`: which hidden check catches which wrong idea.

Exits 1 where the reference fails a check or a wrong idea passes all of them.
With `--messages` it prints instead every message that a learner with a wrong idea reads.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from attnkit import checks as visible

from grader import checks, misconceptions
from grader.misconceptions import PIECES, Misconception
from solutions import attention

# Why a check stays that catches no idea alone.
ARGUED = {
    "shape": "one point for the first step: says 'shape' before it says 'numbers'",
    "rows_sum": "one point for a line of the debugging checklist: says 'no distribution'",
    "values": "the statement itself: what fails here alone would be a special case",
    "inputs_untouched": "a promise of its own; most in-place edits spoil the gradient too",
}


def of(piece: str) -> list[str]:
    """Return the names of the hidden checks of a piece."""
    return [name for name in checks.names() if checks.find(name).exercise == piece]


def verdict(name: str, target: Any, seed: str = "") -> str:
    """Return what a hidden check says of a function or class, "" where it passes."""
    try:
        checks.run(name, target, seed=seed)
    except checks.CheckFailure as failure:
        return str(failure)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def caught(one: Misconception, seed: str = "") -> dict[str, str]:
    """Return what each hidden check of its piece says of a wrong idea, where it fails."""
    target = misconceptions.target(one)
    said = {name: verdict(name, target, seed) for name in of(one.piece)}
    return {name: message for name, message in said.items() if message}


def alone() -> dict[str, list[str]]:
    """Return for each hidden check of the five pieces the wrong ideas that only it catches."""
    found: dict[str, list[str]] = {name: [] for piece in PIECES for name in of(piece)}
    for one in misconceptions.every().values():
        failed = list(caught(one))
        if len(failed) == 1:
            found[failed[0]].append(one.name)
    return found


def reason(check: str) -> str:
    """Return why a check stays that catches no idea alone, "" where nobody argued for it."""
    return next((why for ending, why in ARGUED.items() if check.endswith(f"_{ending}")), "")


def table() -> tuple[list[str], int]:
    """Return the lines of the matrix, and how many of its cells are wrong."""
    lines, wrong = [], 0
    for piece in PIECES:
        names, ideas = of(piece), misconceptions.of(piece)
        lines += [f"\n{piece}: {len(ideas)} wrong ideas, {len(names)} checks"]
        lines += [f"  {number}  {name}" for number, name in enumerate(names, 1)]
        broken = [name for name in names if verdict(name, getattr(attention, piece))]
        lines += [f"  {'the reference':<36}{_marks(names, broken)}"]
        for one in ideas:
            failed = list(caught(one))
            wrong += not failed
            lines += [f"  {one.name:<36}{_marks(names, failed)}{'' if failed else '  NOT CAUGHT'}"]
        wrong += len(broken)
    return lines, wrong


def messages() -> Iterator[str]:
    """Yield for each wrong idea what the hidden checks say, then the visible check."""
    for one in misconceptions.every().values():
        yield f"\n{one.name}: {one.does}"
        yield from (f"  {name}: {message}" for name, message in caught(one).items())
        with redirect_stdout(StringIO()) as printed:
            getattr(visible, PIECES[one.piece])(misconceptions.target(one))
        yield from (f"  | {line}" for line in printed.getvalue().splitlines() if line[0] != "✓")


def main(arguments: list[str]) -> int:
    """Print the matrix, or with `--messages` the messages; return the exit code."""
    if "--messages" in arguments:
        print("\n".join(messages()))
        return 0
    lines, wrong = table()
    print("\n".join(lines))
    print("\nCaught by one check alone")
    for name, ideas in alone().items():
        print(f"  {name:<36}{', '.join(ideas) or f'none; {reason(name)}'}")
    print(f"\n{len(misconceptions.every())} wrong ideas, {wrong} wrong cells")
    return min(wrong, 1)


def _marks(names: list[str], failed: list[str]) -> str:
    return " ".join("✗" if name in failed else "·" for name in names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
