"""Known mistakes: which one gives these numbers, and which ones you met.

`fingerprints.json` holds for each mistake what it gives where it differs from the right result.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attnkit.probes import Observation, Seen

MET = "you_met_these.txt"
Features = Mapping[str, Any]


@cache
def _book() -> dict[str, Any]:
    text = Path(__file__).with_name("fingerprints.json").read_text("utf-8")
    return json.loads(text)


def features(observation: Observation) -> dict[str, Any]:
    """Return what was observed, flat: results first, then types, gradients, changed arguments."""
    seen = {name: one for name, one in observation.items() if isinstance(one, Seen)}
    found = {name: seen[name].output if name in seen else "raised" for name in observation}
    found |= {f"{name}: type": one.type_name for name, one in seen.items()}
    for name, one in seen.items():
        found |= {f"{name}: gradient {i}": grad for i, grad in enumerate(one.grads)}
    for name, one in seen.items():
        found |= {f"{name}: changed {i}": changed for i, changed in enumerate(one.changed)}
    return found


def red(found: Features, right: Features) -> dict[str, Any]:
    """Return the features that are not right."""
    return {name: one for name, one in found.items() if not same(one, right.get(name))}


def same(one: Any, other: Any, rtol: float = 1e-8) -> bool:
    """Return whether two features are equal, numbers up to rounding."""
    if one is None or other is None or isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other) and bool(one == other)
    a, b = np.asarray(one), np.asarray(other)
    if not a.size and not b.size:  # JSON keeps no shape of an empty table
        return True
    if a.shape != b.shape or (a.dtype == bool) != (b.dtype == bool):
        return False
    a, b = a.astype(np.float64), b.astype(np.float64)
    return bool(np.allclose(a, b, rtol=rtol, atol=1e-10, equal_nan=True))


def names(
    piece: str, observation: Observation, at: str = "", book: Mapping[str, Any] | None = None
) -> list[str]:
    """Return the mistakes that agree with all that was observed; several where they share it.

    `at` is what a red line looks at, as "example" or "example: gradient": only mistakes that turn
    it red count.
    """
    book = _book() if book is None else book
    if piece not in book["right"]:  # none of the five pieces: nothing is known of its mistakes
        return []
    found = red(features(observation), book["right"][piece])
    known = {name: entry["saw"] for name, entry in book["mistakes"][piece].items()}
    shown = {name: saw for name, saw in known.items() if not at or _turns_red(at, saw)}
    exact = [name for name, saw in shown.items() if found and _agree(found, saw)]
    return exact or [name for name, saw in shown.items() if _alike(found, saw, list(observation))]


def _turns_red(at: str, saw: Features) -> bool:
    return at in saw or (":" in at and any(feature.startswith(at) for feature in saw))


def _agree(found: Features, saw: Features) -> bool:
    return found.keys() == saw.keys() and all(same(one, saw[name]) for name, one in found.items())


def _alike(found: Features, saw: Features, probes: list[str]) -> bool:
    """Return whether every example gives the same: another style, or a cut graph beside.

    Where one raises and the other does not, or the numbers overflow, an example tells nothing.
    At least half must tell something, and one must show the same wrong numbers.
    """
    calm = [one for one in probes if not (_raised(found, one) or _raised(saw, one))]
    numbers = [one for one in calm if _finite(found.get(one, 0)) and _finite(saw.get(one, 0))]
    both_raise = [one for one in probes if _raised(found, one) and _raised(saw, one)]
    wrong = [one for one in numbers if one in found and one in saw]
    enough = len(wrong) > 0 and 2 * len(numbers + both_raise) >= len(probes)
    red_alike = all((one in found) == (one in saw) for one in calm)
    return enough and red_alike and all(same(found[one], saw[one], 1e-7) for one in wrong)


def _raised(saw: Features, probe: str) -> bool:
    return isinstance(saw.get(probe), str)


def _finite(one: Any) -> bool:
    if one is None or isinstance(one, str):
        return False
    return bool(np.isfinite(np.asarray(one, dtype=np.float64)).all())


def entry(piece: str, name: str) -> dict[str, str]:
    """Return what is known of a mistake: `when` it happens, what to `tell`, the `lesson`."""
    return _book()["mistakes"][piece][name]


def sentence(name: str) -> str:
    """Return the known mistake of this name as one line: the piece, what was done, the lesson."""
    for piece, entries in _book()["mistakes"].items():
        if name in entries:
            lesson = entries[name]["lesson"].split("_")[0]
            return f"{piece}: {entries[name]['when']} (lesson {lesson})"
    return name


def remember(names: list[str]) -> None:
    """Nothing; notes the names beside the notebook, where the folder can be written to."""
    new = [name for name in names if name not in met()]
    try:
        with Path(MET).open("a", encoding="utf-8") as notes:
            notes.writelines(f"{name}\n" for name in new)
    except OSError:
        pass


def met() -> list[str]:
    """Return the names of the mistakes you met, in the order in which you met them."""
    try:
        return Path(MET).read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []
