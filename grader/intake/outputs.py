"""A notebook's text without what its cells printed: nobody reads that, however large it is."""

from __future__ import annotations

import json
import re

from grader.intake.plainfiles import Refused

MOST_BRACKETS = 2**22  # in what is left out: two seconds
TEXT = rb'"(?:[^"\\]++|\\.)*+"'
KEY = rb'"(?:outputs|attachments|widgets)"\s*+:\s*+(?=[\[{])'
UP_TO_KEY = re.compile(rb'(?:[^"]++|(?!' + KEY + rb")" + TEXT + rb")*+" + KEY, re.DOTALL)
UP_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|' + TEXT + rb")*+([\[\]{}])", re.DOTALL)


def without_outputs(raw: bytes) -> bytes:
    """Return the JSON text `raw`, in its own encoding, with empty outputs, attachments and widgets.

    Nothing is parsed, so memory stays near the size of `raw`. What is no JSON comes back as it is,
    or in part; raises `Refused` where the outputs are made of too many parts to be passed over.
    """
    encoding = json.detect_encoding(raw)
    if encoding.startswith("utf-8"):
        return _without_outputs(raw)
    text = _without_outputs(raw.decode(encoding, "replace").encode("utf-8", "replace"))
    return text.decode("utf-8", "replace").encode(encoding)


def _without_outputs(raw: bytes) -> bytes:
    parts, place, left = [], 0, MOST_BRACKETS
    while found := UP_TO_KEY.match(raw, place):
        parts.append(found[0])
        place, left = _end(raw, found.end(), left)
        parts.append(b"[]" if raw[found.end()] == ord("[") else b"{}")
    return b"".join([*parts, raw[place:]])


def _end(raw: bytes, place: int, left: int) -> tuple[int, int]:
    """Return where the list or mapping that begins at `place` ends, and what is left of `left`."""
    depth = 0
    while found := UP_TO_BRACKET.match(raw, place):
        depth += 1 if found[1] in b"[{" else -1
        place, left = found.end(), left - 1
        if left < 0:
            raise Refused(
                "has outputs in too many parts; clear all outputs, save, hand it in again"
            )
        if depth == 0:
            return place, left
    return len(raw), left
