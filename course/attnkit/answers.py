"""Answers worked out on paper: whether one is right, and what can be told of one that is not.

`answers.json` holds for each question a slow salted hash of each row of the right answer, a list
being one row, and what the lesson says of it anyway: its shape, and whether its rows are shares.
Where an answer carries no points each of its places has a hash, so that the wrong one can be named.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attnkit.value import Value

TURNS = 50_000  # about 20 ms for each row; scrypt is not to be had in a browser's Python
LARGEST_DENOMINATOR, MOST_TRIES = 12, 2
TOLERANCE = 0.01  # up to which a decimal counts as a fraction that was rounded


@cache
def _book() -> dict[str, Any]:
    return json.loads(Path(__file__).with_name("answers.json").read_text("utf-8"))


def sealed(question: str, answer: Any, graded: bool = True) -> dict[str, Any]:
    """Return what `answers.json` holds of the right answer to a question."""
    rows = _rows(answer)
    numbers = all(map(_are_numbers, rows)) and len({len(row) for row in rows}) == 1
    shares = numbers and all(map(_add_up_to_1, rows))
    shape = [len(rows), len(rows[0])] if numbers and _is_table(answer) else None
    places = {} if graded else _places(question, answer)
    return {
        "shape": [len(rows[0])] if shares and shape is None else shape,
        "shares": shares,
        "rows": [digest(f"{question} {i}", row) for i, row in enumerate(rows)],
        **({"places": places} if places else {}),
    }


def _places(question: str, answer: Any) -> dict[str, str]:
    """Return the hash of each place of a flat list, counted from 1, or of each key of a dict."""
    answer = _plain(answer)
    if isinstance(answer, list) and not any(isinstance(one, list) for one in answer):
        answer = {f"{place}": one for place, one in enumerate(answer, 1)}
    parts = answer.items() if isinstance(answer, dict) else ()
    return {place: digest(f"{question} {place}", one) for place, one in parts}


def is_known(question: str) -> bool:
    """Return whether the right answer to a question of this name is known here, as hashes."""
    return question in _book()


def remark(question: str, answer: Any) -> str:
    """Return "" for the right answer, else what is to be said of it, from "not yet" on.

    Raises `KeyError` where no answer to the question is known.
    """
    right = _book()[question]
    if answer is None:
        return "not yet: None came back; is a return missing?"
    if isinstance(answer, set | frozenset):
        return "not yet: a set came back, wanted a list: write [ ] in place of { }"
    if right["shape"] and _shape(answer) != right["shape"]:
        return f"not yet: wanted {_in_words(right['shape'])}"
    rows = _rows(answer)
    if len(rows) != len(right["rows"]):
        return "not yet: the answer is not right"
    wrong = [i for i, row in enumerate(rows) if digest(f"{question} {i}", row) != right["rows"][i]]
    if not wrong:
        return ""
    if all(_is_rounded(f"{question} {i}", rows[i], right, i) for i in wrong):
        return "nearly right: write exact fractions in place of rounded decimals"
    named = _wrong_places(_places(question, answer), right.get("places", {}))
    return f"not yet: {named or _what_is_wrong(rows, wrong, right['shares'])}"


def _wrong_places(given: Mapping[str, str], right: Mapping[str, str]) -> str:
    """Return which places are wrong, nothing where they are not as many as they should be."""
    if not right or given.keys() != right.keys():
        return ""
    *first, last = [place for place in right if given[place] != right[place]]
    named = f"{', '.join(first)} and {last}" if first else last
    many = "s" if first else ""
    where = f"place{many} {named} of {len(right)}" if last.isdigit() else named
    return f"{where} {'are' if first else 'is'} not right"


def _what_is_wrong(rows: list[Any], wrong: list[int], shares: bool) -> str:
    """Return which rows are wrong, counted from 1 as the lessons do, and a sum that is not 1."""
    sums = [i for i in wrong if shares and _are_numbers(rows[i]) and not _add_up_to_1(rows[i])]
    if len(rows) == 1:
        return f"these {_sum(rows[0])}" if sums else "the answer is not right"
    *first, last = [str(i + 1) for i in wrong]
    named = f"rows {', '.join(first)} and {last}" if first else f"row {last}"
    said = f"{named} of {len(rows)} {'are' if first else 'is'} not right"
    return f"{said}; row {sums[0] + 1} {_sum(rows[sums[0]], 's')}" if sums else said


def _add_up_to_1(row: list[Any]) -> bool:
    return bool(abs(math.fsum(row) - 1) <= 1e-6)


def _sum(row: list[Any], ending: str = "") -> str:
    total = _number(sum(map(Fraction, row), Fraction(0)))
    return f"add{ending} up to {total}, not 1: divide each by their sum"


def _is_rounded(question: str, row: Any, right: Mapping[str, Any], place: int) -> bool:
    fractions = _fractions(row, right["shares"]) if _are_numbers(row) else []
    return any(digest(question, one) == right["rows"][place] for one in fractions)


def _fractions(row: list[Any], shares: bool) -> list[list[Fraction]]:
    """Return rows of fractions near a row of decimals, those with the smallest denominators."""
    found: list[list[Fraction]] = []
    for below in range(1, LARGEST_DENOMINATOR + 1):
        near = [Fraction(round(one * below), below) for one in row]
        off = np.abs(np.array(row, float) - np.array(near, float))
        close = off <= TOLERANCE * np.maximum(1, np.abs(np.array(near, float)))
        fits = close.all() and (sum(near) == 1 or not shares)
        if fits and near not in [row, *found]:
            found.append(near)
    return found[:MOST_TRIES]


def _in_words(shape: list[int]) -> str:
    columns = f"{shape[-1]} numbers"
    return f"a list of {columns}" if len(shape) == 1 else f"{shape[0]} rows of {columns} each"


def _plain(answer: Any) -> Any:
    """Return an answer as numbers, texts, lists and dicts, whatever holds them."""
    if isinstance(answer, Value):
        answer = answer.data
    if isinstance(answer, np.ndarray | np.generic):
        answer = answer.tolist()
    if isinstance(answer, Mapping):
        return {str(key): _plain(one) for key, one in answer.items()}
    return [_plain(one) for one in answer] if isinstance(answer, list | tuple) else answer


def _is_table(answer: Any) -> bool:
    answer = _plain(answer)
    return isinstance(answer, list) and any(isinstance(row, list) for row in answer)


def _rows(answer: Any) -> list[Any]:
    return _plain(answer) if _is_table(answer) else [_plain(answer)]


def _shape(answer: Any) -> list[int] | None:
    rows = _rows(answer)
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows}
    if len(lengths) != 1 or lengths == {0}:
        return None
    return [len(rows), *lengths] if _is_table(answer) else [*lengths]


def _are_numbers(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) > 0
        and all(isinstance(one, int | float | Fraction) for one in row)
        and bool(np.isfinite(np.array(row, dtype=np.float64)).all())
    )


def digest(question: str, answer: Any) -> str:
    """Return the slow salted hash of an answer; 2/3 and 0.6666666667 have the same."""
    digest = f"{question}: {_spelt(_plain(answer))}".encode()
    for _ in range(TURNS):
        digest = hashlib.sha256(digest).digest()
    return digest.hex()[:16]


def _spelt(answer: Any) -> str:
    """Return one text for all spellings of the same answer; the order of words does not count."""
    if isinstance(answer, dict):
        return "".join(f"{key}={_spelt(one)};" for key, one in sorted(answer.items()))
    if isinstance(answer, list):
        parts = list(map(_spelt, answer))
        words = bool(answer) and all(isinstance(one, str) for one in answer)
        return f"[{', '.join(sorted({*parts}) if words else parts)}]"
    if isinstance(answer, int | float | Fraction) and not isinstance(answer, bool):
        return _number(answer)
    return str(answer).strip().lower()


def _number(number: float | Fraction) -> str:
    if not np.isfinite(float(number)):
        return str(float(number))
    near = Fraction(number).limit_denominator(1000)
    close = abs(near - Fraction(number)) <= 1e-9 + 1e-7 * abs(near)
    return str(near) if close else f"{float(number):.6g}"
